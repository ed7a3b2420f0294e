"""A solenoid valve: the coil is switched on, pulls its armature against a spring until it hits the seat, and drops it.

The current rises, falls while the armature moves (its motion induces a voltage), and rises again when it rests: the dip
indicates to a controller that the valve has closed. When the transistor opens, the current continues through the
flyback diode, and the armature is held until the flux has decayed. The iron saturates when the gap is closed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import electrical as el
from tellegen.library import machines as ma
from tellegen.library import thermal as th
from tellegen.library import translational as tr

STROKE = 1.5e-3
STOP = 1e7
SPRING = 1500.0
FREE = 5e-3
REST = (SPRING * FREE + STOP * STROKE) / (SPRING + STOP)
"""Where spring and upper stop balance."""


class Valve(tg.Component):
    """Supply, transistor, coil with its diode; armature, spring and two stops. All losses go to the surroundings."""

    supply = el.ConstantVoltage(V=24.0)
    gate = blocks.Pulse(period=1.0, width=0.06, start_time=2e-3)
    transistor = el.IdealClosingSwitch(Ron=0.05, Goff=1e-5, use_heat_port=True)
    diode = el.IdealDiode(Vknee=0.7, Ron=0.05, Goff=1e-5, use_heat_port=True)
    coil = ma.SolenoidActuator(
        N=800.0, R=24.0, A=1e-4, g_rest=1e-4, R_core=4e5, B_sat=1.4, saturation=True, use_heat_port=True
    )
    ground = el.Ground()
    armature = tr.Mass(m=0.012, s=tg.variable(start=REST, fixed=True), v=tg.variable(start=0.0, fixed=True))
    spring = tr.Spring(c=SPRING, s_rel0=FREE)
    friction = tr.Damper(d=2.0, use_heat_port=True)
    seat = tr.ElastoGap(c=STOP, d=200.0, limited_damping=False, use_heat_port=True)
    upper = tr.ElastoGap(c=STOP, d=200.0, limited_damping=False, use_heat_port=True)
    body = tr.Fixed()
    top = tr.Fixed(s0=STROKE)
    surroundings = th.FixedTemperature()
    supplied = tg.variable("J", "from the supply so far", start=0.0, fixed=True)
    heat = tg.variable("J", "to the surroundings so far", start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """What came in and what went out."""
        yield tg.der(self.supplied) == -self.supply.v * self.supply.i
        yield tg.der(self.heat) == self.surroundings.port.Q_flow

    def connections(self) -> Iterator[Any]:
        """The circuit, the mechanics, the heat."""
        yield self.gate.y, self.transistor.control
        yield self.supply.p, self.transistor.p
        yield self.transistor.n, self.coil.p, self.diode.n
        yield self.supply.n, self.coil.n, self.diode.p, self.ground.p
        yield self.coil.flange, self.armature.flange_a, self.spring.flange_b, self.friction.flange_b
        yield self.armature.flange_b, self.seat.flange_b, self.upper.flange_a
        yield self.body.flange, self.spring.flange_a, self.friction.flange_a, self.seat.flange_a
        yield self.top.flange, self.upper.flange_b
        for part in (self.transistor, self.diode, self.coil, self.friction, self.seat, self.upper):
            yield part.heat_port, self.surroundings.port


def stored(solution: tg.Solution) -> Any:
    """Energy in the field, the springs and the motion (J)."""
    phi = solution["coil.phi"]
    s = solution["armature.s"]
    field = phi**2 * (4e5 * (0.5 + (phi / 1.4e-4) ** 8 / 10.0) + (s + 1e-4) / (2.0 * 4e-7 * np.pi * 1e-4))
    stops = np.minimum(s, 0.0) ** 2 + np.maximum(s - STROKE, 0.0) ** 2
    return field + 0.5 * SPRING * (s - FREE) ** 2 + 0.5 * STOP * stops + 0.006 * solution["armature.v"] ** 2


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Switch on at 2 ms, off at 62 ms; print when the armature hits the seat and when it returns."""
    import matplotlib.pyplot as plt

    solution = tg.simulate(Valve(), 0.12, rtol=1e-8, points=1201)
    hit = solution.time[solution["armature.s"] < 0.0][0]
    back = solution.time[(solution["armature.s"] > STROKE) & (solution.time > 0.06)][0]
    print(f"on at 2 ms, on the seat at {1e3 * hit:.3f} ms; off at 62 ms, back at {1e3 * back:.3f} ms")
    error = solution["supplied"] - solution["heat"] - (stored(solution) - stored(solution)[0])
    print(f"energy balance: {np.abs(error).max() / solution['supplied'][-1]:.1g} of {solution['supplied'][-1]:.3f} J")
    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = plt.subplots(4, 1, figsize=(8, 9), sharex=True, layout="constrained")
    t = 1e3 * solution.time
    shown = (("coil.i", 1.0, "current [A]"), ("coil.B", 1.0, "flux density [T]"), ("armature.s", 1e3, "stroke [mm]"))
    for axis, (path, scale, label) in zip(axes, (*shown, ("coil.f", 1.0, "force [N]")), strict=True):
        axis.plot(t, scale * solution[path])
        axis.set_ylabel(label)
    axes[-1].plot(t, SPRING * (FREE - solution["armature.s"]), label="of the spring")
    axes[-1].legend()
    axes[-1].set_xlabel("time [ms]")
    figure.savefig(folder / "solenoid_valve.png", dpi=110)
    print(f"plot:  {folder / 'solenoid_valve.png'}")
    return solution


if __name__ == "__main__":
    main()
