"""The linear graph of a positioning system: its edges, its normal tree, its state equations, its plots.

A controller drives a motor; gear, shafts and a damper lead to an inertia and a potentiometer, whose wiper the
controller reads. The components are written with their terminal equations, as the composable-simulation literature
does; edges are numbered as there. The across variable of mechanics is the angle, so an inertia is an accumulator of
second order, a damper one of first order, and a shaft is algebraic.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class Motor(tg.Component):
    """Edges 7 and 8."""

    p = el.Pin()
    n = el.Pin()
    rotor = rot.Flange()
    km = tg.parameter(0.05, "N.m/A")
    R7 = tg.parameter(1.0, "ohm")
    L7 = tg.parameter(0.01, "H")
    b8 = tg.parameter(0.01, "N.m.s/rad")
    J8 = tg.parameter(0.001, "kg.m2")
    i7 = tg.variable("A", start=0.0, fixed=True)
    th8 = tg.variable("rad", start=0.0, fixed=True)
    w8 = tg.variable("rad/s", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield self.i7 == self.p.i
        yield self.p.i + self.n.i == 0
        yield self.th8 == self.rotor.phi
        yield self.w8 == tg.der(self.th8)
        yield self.p.v - self.n.v == self.km * self.w8 + self.R7 * self.i7 + self.L7 * tg.der(self.i7)
        yield self.rotor.tau == self.b8 * self.w8 + self.J8 * tg.der(self.w8) - self.km * self.i7


class Gear(tg.Component):
    """Edges 5 and 6."""

    a = rot.Flange()
    b = rot.Flange()
    b5 = tg.parameter(0.01, "N.m.s/rad")
    J5 = tg.parameter(0.001, "kg.m2")
    N5 = tg.parameter(1.0)
    N6 = tg.parameter(3.0)
    w5 = tg.variable("rad/s")

    def equations(self) -> Any:
        yield self.w5 == tg.der(self.a.phi)
        yield self.a.tau == self.b5 * self.w5 + self.J5 * tg.der(self.w5) + self.N5 / self.N6 * self.b.tau
        yield self.b.phi == -(self.N5 / self.N6) * self.a.phi


class Shaft(tg.Component):
    """Edges 3 and 4: T = K th."""

    a = rot.Flange()
    b = rot.Flange()
    K = tg.parameter(100.0, "N.m/rad")

    def equations(self) -> Any:
        yield self.a.tau == self.K * (self.a.phi - self.b.phi)
        yield self.a.tau + self.b.tau == 0


class Inertia(tg.Component):
    """Edge 1."""

    a = rot.Flange()
    J = tg.parameter(0.01, "kg.m2")
    w = tg.variable("rad/s", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield self.w == tg.der(self.a.phi)
        yield self.a.tau == self.J * tg.der(self.w)


class Damper(tg.Component):
    """Edge 2: T = b th'."""

    a = rot.Flange()
    b = rot.Flange()
    d = tg.parameter(0.2, "N.m.s/rad")
    th = tg.variable("rad", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield self.th == self.a.phi - self.b.phi
        yield self.a.tau == self.d * tg.der(self.th)
        yield self.a.tau + self.b.tau == 0


class Potentiometer(tg.Component):
    """Edges 0 (friction) and 11 (the wiper): v11 = th0 R11 i11 / th_m, which is read."""

    shaft = rot.Flange()
    s = el.Pin()
    g = el.Pin()
    b0 = tg.parameter(0.1, "N.m.s/rad")
    R11 = tg.parameter(1000.0, "ohm")
    th_m = tg.parameter(6.0, "rad")
    th0 = tg.variable("rad", start=0.0, fixed=True)
    read = tg.output("V")

    def equations(self) -> Any:
        yield self.th0 == self.shaft.phi
        yield self.shaft.tau == self.b0 * tg.der(self.th0)
        yield self.s.v - self.g.v == self.th0 * self.R11 * self.s.i / self.th_m
        yield self.s.i + self.g.i == 0
        yield self.read == self.s.v - self.g.v


class Controller(tg.Component):
    """Edge 9: v9 = f_out(v11, v_REF, t), here proportional."""

    p = el.Pin()
    n = el.Pin()
    u = tg.input("V")
    v_REF = tg.parameter(0.5, "V")
    k = tg.parameter(5.0)

    def equations(self) -> Any:
        yield self.p.v - self.n.v == self.k * (self.v_REF - self.u)
        yield self.p.i + self.n.i == 0


class CurrentDriver(tg.Component):
    """Edge 10: i10 = I, from s to g."""

    s = el.Pin()
    g = el.Pin()
    I = tg.parameter(-0.005, "A")  # noqa: E741

    def equations(self) -> Any:
        yield self.s.i == self.I
        yield self.s.i + self.g.i == 0


class Positioning(tg.Component):
    """Nodes P, S, g and a, b, c, d, e, r."""

    e9 = Controller()
    e10 = CurrentDriver()
    pot = Potentiometer()
    motor = Motor()
    gear = Gear()
    e3 = Shaft()
    e1 = Inertia()
    e2 = Damper()
    e4 = Shaft()
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.e9.p, self.motor.p
        yield self.e10.s, self.pot.s
        yield self.e9.n, self.motor.n, self.e10.g, self.pot.g, self.ground.p
        yield self.motor.rotor, self.gear.a
        yield self.gear.b, self.e3.a
        yield self.e3.b, self.e1.a, self.e2.a
        yield self.e2.b, self.e4.a
        yield self.e4.b, self.pot.shaft
        yield self.pot.read, self.e9.u


def main() -> None:
    """Print the tree and the state equations, draw graph and blocks, and run both formulations."""
    folder = Path("demo_output")
    folder.mkdir(exist_ok=True)
    explanation = tg.explain(Positioning())
    print(explanation)
    print()
    print(explanation.graph.normal_tree())
    try:
        print(f"\nstate equations\n{explanation.graph.state_equations()}")
    except tg.ExportError as error:  # SymPy is not installed
        print(error)
    explanation.plot().savefig(folder / "positioning.png", dpi=150)
    explanation.plot_blocks().savefig(folder / "positioning_blocks.png", dpi=150)
    by_connections = tg.simulate(Positioning(), 2.0)
    by_graph = tg.compile(Positioning(), formulation="graph").simulate(2.0)
    difference = abs(by_connections["pot.th0"] - by_graph["pot.th0"]).max()
    print(f"\nlargest difference of the two formulations: {difference:.1e} rad")
    print(f"plots: {folder.resolve() / 'positioning.png'}, positioning_blocks.png")


if __name__ == "__main__":
    main()
