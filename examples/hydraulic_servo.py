"""A hydraulic position servo: pump, relief valve, accumulator, proportional 4/3 valve, cylinder and a heavy load.

A pump turned at constant speed charges an accumulator through a check valve; excess flow passes the relief valve. The
position of the load is fed back to the valve proportionally, so the cylinder moves at full speed as long as the error
is large and stops where it is small. At 2 s a force of 8 kN pushes back. All losses flow to the environment, so that
the energy balance can be checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import hydraulic as hy
from tellegen.library import rotational as rot
from tellegen.library import thermal as th
from tellegen.library import translational as tr

LOSSY = ("pump", "relief", "check", "valve", "cylinder")


def start(value: float) -> Any:
    """A start value that holds."""
    return tg.variable(start=value, fixed=True)


class Servo(tg.Component):
    """The power supply on the left, the axis on the right, the loop around it."""

    oil = hy.Oil(T="50 degC", air=0.005)
    tank = hy.Tank()
    motor = rot.ConstantSpeed(w_fixed="1500 rpm")
    pump = hy.Pump(D=8e-6, use_heat_port=True)
    relief = hy.ReliefValve(p_set=125e5, p_range=10e5, A_max=2e-5, use_heat_port=True)
    line = hy.Volume(V0=2e-4, p=start(130e5))
    check = hy.CheckValve(use_heat_port=True)
    store = hy.GasAccumulator(V_gas0=1e-3, p_precharge=80e5, n=1.2, p=start(130e5))
    valve = hy.DirectionalValve43(A_max=8e-6, use_heat_port=True)
    cylinder = hy.DoubleActingCylinder(
        D=0.05, d_rod=0.03, stroke=0.4, d=800.0, G_leak=2e-13, p_a=start(40e5), p_b=start(62e5), use_heat_port=True
    )
    load = tr.Mass(m=300.0, s=start(0.05), v=start(0.0))
    push = tr.Force()
    sensor = tr.PositionSensor()
    wanted = blocks.Table(times=[0.0, 0.2, 0.25, 3.0, 3.05], values=[0.05, 0.05, 0.3, 0.3, 0.1])
    force = blocks.Step(height=-8e3, start_time=2.0)
    error = blocks.Feedback()
    gain = blocks.Gain(k=20.0)
    limit = blocks.Limiter(u_max=1.0)
    spool = blocks.FirstOrder(T=8e-3)
    room = th.FixedTemperature()
    work = tg.variable("J", "of the shaft so far", start=0.0, fixed=True)
    heat = tg.variable("J", "to the surroundings so far", start=0.0, fixed=True)
    lifted = tg.variable("J", "work on what pushes back", start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """Energies that went in and out."""
        yield tg.der(self.work) == self.pump.flange.tau * self.pump.w
        yield tg.der(self.heat) == self.room.port.Q_flow
        yield tg.der(self.lifted) == -self.push.f * self.load.v

    def connections(self) -> Iterator[Any]:
        """Oil, rods, signals, heat."""
        yield self.motor.flange, self.pump.flange
        yield self.tank.port, self.pump.port_a, self.relief.port_b, self.valve.port_t
        yield self.pump.port_b, self.line.port, self.relief.port_a, self.check.port_a
        yield self.check.port_b, self.store.port, self.valve.port_p
        yield self.valve.port_a, self.cylinder.port_a
        yield self.valve.port_b, self.cylinder.port_b
        yield self.cylinder.flange, self.load.flange_a
        yield self.load.flange_b, self.push.flange, self.sensor.flange
        yield self.force.y, self.push.f
        yield self.wanted.y, self.error.u1
        yield self.sensor.s, self.error.u2
        yield self.error.y, self.gain.u
        yield self.gain.y, self.limit.u
        yield self.limit.y, self.spool.u
        yield self.spool.y, self.valve.x
        for name in LOSSY:
            yield getattr(self, name).heat_port, self.room.port


def full_speed(s: Any) -> float:
    """Steady speed with the valve open, by the orifice law at the pressure that the accumulator has."""
    A_a = np.pi / 4 * 0.05**2
    A_b = np.pi / 4 * (0.05**2 - 0.03**2)
    push = A_a * (s["store.p"] - s["oil.p_ambient"]) - 800.0 * s["cylinder.v"]
    lost = s["oil.rho0"] / 2 * (1 / (0.7 * 8e-6)) ** 2 * (A_a**3 + A_b**3)
    return float(np.sqrt(push / lost))


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Two strokes and a load; print the speed, the deflection of the load, and the energy balance."""
    import matplotlib.pyplot as plt

    solution = tg.simulate(Servo(), 5.0, points=2001)
    moving = solution.at(0.5)
    print(f"speed on the way out: {moving['cylinder.v']:.4f} m/s, by the orifice law {full_speed(moving):.4f} m/s")
    pushed = (solution.time > 2.0) & (solution.time < 3.0)
    back = solution.at(1.999)["load.s"] - solution["load.s"][pushed].min()
    print(f"8 kN push the load back by {1e3 * back:.2f} mm at most")
    gas = 80e5 * 1e-3 / 0.2 * np.diff((solution["store.p"][[0, -1]] / 80e5) ** (1 - 1 / 1.2))[0]
    kilojoules = {
        "shaft": solution["work"][-1],
        "heat": solution["heat"][-1],
        "gas": gas,
        "load": solution["lifted"][-1],
    }
    print("kJ:", ", ".join(f"{name} {energy / 1e3:.2f}" for name, energy in kilojoules.items()))
    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = plt.subplots(4, 1, figsize=(8, 10), sharex=True, layout="constrained")
    shown = (
        (1e3, "position [mm]", ("wanted.y", "load.s")),
        (1e-5, "pressure [bar]", ("store.p", "cylinder.p_a", "cylinder.p_b")),
        (6e4, "flow [l/min]", ("pump.q", "relief.q")),
        (1.0, "spool [1]", ("valve.x",)),
    )
    for axis, (scale, label, paths) in zip(axes, shown, strict=True):
        for path in paths:
            axis.plot(solution.time, scale * solution[path], label=path)
        axis.set_ylabel(label)
        axis.legend()
    axes[-1].set_xlabel("time [s]")
    figure.savefig(folder / "hydraulic_servo.png", dpi=110)
    print(f"plot:  {folder / 'hydraulic_servo.png'}")
    return solution


if __name__ == "__main__":
    main()
