"""A motor whose current is limited: three modes of one component, in a drive across two energy domains.

Below the limit the winding is a resistance and an inductance. At the limit the current is constant, whatever the
voltage; it is left when the voltage would make the current fall. The values are those of example E2 of S. A. Vaze's
dissertation, in ounces and inches as printed there; the limit is reached after 1.83 ms and left after 2.004732 s.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class LimitedWinding(el.OnePort):
    """Resistance and inductance with a current that is limited in both directions."""

    R = tg.parameter(2.4, "ohm", "resistance")
    L = tg.parameter("4.8 mH", "H", "inductance")
    i_max = tg.parameter(0.25, "A", "limit of the current")
    i = tg.variable("A", "current", start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """One equation for each mode, and when to change it."""
        rest = self.v - self.R * self.i  # the voltage across the inductance
        limit = self.i_max
        yield tg.modes(
            tg.mode("linear", self.L * tg.der(self.i) == rest),
            tg.mode("high", tg.der(self.i) == 0),
            tg.mode("low", tg.der(self.i) == 0),
            tg.transition("linear", "high", self.i > limit, tg.reinit(self.i, limit)),
            tg.transition("linear", "low", self.i < -limit, tg.reinit(self.i, -limit)),
            tg.transition("high", "linear", rest < 0),
            tg.transition("low", "linear", rest > 0),
        )


class Converter(tg.Component):
    """From current to torque and from speed to voltage, with the two constants of the dissertation."""

    p = el.Pin()
    n = el.Pin()
    flange = rot.Flange()
    Kb = tg.parameter(0.0401, "V.s/rad", "voltage constant")
    KT = tg.parameter("5.6 ozf.inch/A", "N.m/A", "torque constant")

    def equations(self) -> Iterator[Any]:
        """Two laws and the balance of currents."""
        yield self.p.v - self.n.v == self.Kb * tg.der(self.flange.phi)
        yield self.p.i + self.n.i == 0
        yield self.flange.tau == -self.KT * self.p.i


class Drive(tg.Component):
    """Source, winding, rotor with friction, gear and link."""

    source = el.ConstantVoltage(V=1.0)
    winding = LimitedWinding()
    converter = Converter()
    rotor = rot.Inertia(J="0.0044 ozf.inch.s2", w=tg.variable(start=0.0, fixed=True))
    friction = rot.Damper(d="0.0137 ozf.inch.s/rad")
    housing = rot.Fixed()
    gear = rot.IdealGear(ratio=12.5)
    link = rot.Inertia(J="41.077 ozf.inch.s2")
    ground = el.Ground()

    def connections(self) -> Iterator[Any]:
        """The circuit, then the shaft."""
        yield self.source.p, self.winding.p
        yield self.winding.n, self.converter.p
        yield self.converter.n, self.source.n, self.ground.p
        yield self.converter.flange, self.rotor.flange_a, self.friction.flange_b
        yield self.friction.flange_a, self.housing.flange
        yield self.rotor.flange_b, self.gear.flange_a
        yield self.gear.flange_b, self.link.flange_a


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Simulate 10 s, print the mode changes, and plot."""
    solution = tg.simulate(Drive(), stop=10.0, rtol=1e-8)
    folder.mkdir(parents=True, exist_ok=True)
    solution.plot("winding.i", "rotor.w", "winding.mode").savefig(folder / "current_limit.png")
    for event in solution.events:
        print(f"t = {event.time:.6f} s  {event.what[0]}")
    print(f"after 10 s: {solution['rotor.w'][-1]:.4f} rad/s at {solution['winding.i'][-1]:.6f} A")
    print(f"plot:  {folder / 'current_limit.png'}")
    return solution


if __name__ == "__main__":
    main()
