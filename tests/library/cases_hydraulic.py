"""Power balance of hydraulic components: m_flow h(p) at every port. See test_power_balance.py for how to add a case."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from library.case import Case
from tellegen.library import hydraulic as hy
from tellegen.testing import ForceDrive, OilDrive, TorqueDrive
from tellegen.testing.ports import Drive

BASE = "a base without a law of its own; the components made of it have cases"
QUARTER_PI = 0.7853981633974483


def wet(component: Any, **how: Any) -> Case:
    """A case in oil with bubbles, whose law is the least linear."""
    return Case(component, around={"oil": hy.Oil(air=0.02, n=1.3)}, **how)


class CapacityDrive(Drive):
    """Oil behind a conductance and a chamber: for valves that would jump where pressure follows at once."""

    port = hy.Port()
    p = tg.variable("Pa", start=30e5)

    def equations(self) -> Any:
        yield self.p == self.port.p
        yield 1e-9 * tg.der(self.p) == 1e-7 * (60e5 + 40e5 * self.sine() - self.p) + self.port.m_flow


def inside(c: Any) -> Any:
    return c.m * c.oil.e(c.p)


def wall(c: Any) -> Any:
    """The work p dV on an elastic wall, V = V0 (1 + C (p - p_ambient))."""
    return 0.5 * c.V0 * c.C_wall * c.p**2


def compressed(c: Any) -> Any:
    """Work of compressing a gas from p_precharge on, by p V^n."""
    x = tg.maximum(c.p / c.p_precharge, 1.0)
    return c.p_precharge * c.V_gas0 / (c.n - 1.0) * (x ** (1.0 - 1.0 / c.n) - 1.0)


def sprung(c: Any) -> Any:
    """Work p dV of moving the piston of a spring accumulator."""
    p = tg.minimum(tg.maximum(c.p, c.p_min), c.p_max)
    return 0.5 * c.V_max * (p**2 - c.p_min**2) / (c.p_max - c.p_min)


def line(c: Any) -> Any:
    """Oil, walls and motion of a line."""
    area = QUARTER_PI * c.d**2
    piece = area * c.L / c.n
    walls = 0.5 * piece * c.C_wall * (tg.sum(c.p**2) - 0.5 * (c.p[0] ** 2 + c.p[-1] ** 2))
    moving = 0.5 * c.L / (c.n * c.oil.rho0 * area) * tg.sum(c.m_flow**2)
    return tg.sum(c.m * c.oil.e(c.p)) + walls + moving


def stops(c: Any) -> Any:
    """Springs of the stops."""
    return 0.5 * c.c_stop * (tg.maximum(-1.0 * c.s, 0.0) ** 2 + tg.maximum(c.s - c.stroke, 0.0) ** 2)


def cylinder(c: Any) -> Any:
    """Oil, stops, and the work on the surroundings, whose pressure acts on the rod."""
    oil = c.m_a * c.oil.e(c.p_a) + c.m_b * c.oil.e(c.p_b)
    return oil + stops(c) + c.oil.p_ambient * (c.A_a - c.A_b) * c.s


def plunger(c: Any) -> Any:
    spring = c.F0 * c.s + 0.5 * c.c * c.s**2
    return c.m_a * c.oil.e(c.p_a) + stops(c) + spring + c.oil.p_ambient * c.A_a * c.s


def feeds(c: Any) -> Any:
    """Power of a source."""
    return -c.port.m_flow * c.oil.h(c.port.p)


def shaft(**how: Any) -> TorqueDrive:
    return TorqueDrive(tau=60.0, J=0.05, d=0.2, **how)


def piston(**how: Any) -> ForceDrive:
    """Strong enough to reach both stops."""
    return ForceDrive(F=3e4, m=50.0, d=2e3, **how)


WEAK = {"D": 0.04, "stroke": 0.1, "F_Coulomb": 150.0, "c_stop": 1e7, "d_stop": 2e4}

CASES = [
    wet(hy.Orifice(A=2e-6, Cd=0.65)),
    wet(hy.VariableOrifice(A_max=3e-6)),
    wet(hy.LaminarRestriction(G=3e-11)),
    wet(hy.AnnularGap(c=60e-6, e=0.5)),
    wet(hy.TurbulentRestriction(q_nominal=2e-4, dp_nominal=20e5)),
    wet(hy.TubeResistance(d=4e-3, L=3.0)),
    wet(hy.Inertance(d=5e-3, L=4.0), stored=lambda c: 0.5 * c.L * c.m_flow**2 / (c.oil.rho0 * QUARTER_PI * c.d**2)),
    wet(hy.Line(n=1, d=6e-3, L=5.0), stored=line),
    wet(hy.Line(n=4, d=6e-3, L=20.0, C_wall=2e-10), stored=line),
    wet(hy.CheckValve(A_max=4e-6, p_crack=2e5, p_open=6e5)),
    wet(
        hy.PilotedCheckValve(A_max=4e-6, p_crack=2e5, p_open=6e5),
        drive={"port_a": CapacityDrive(), "port_b": CapacityDrive(f=1.37)},
    ),
    wet(hy.ReliefValve(A_max=4e-6, p_set=20e5, p_range=10e5)),
    wet(hy.PressureReducingValve(A_max=4e-6, p_set=40e5, p_range=20e5), drive={"port_b": CapacityDrive(f=1.37)}),
    wet(hy.DirectionalValve22(A_max=4e-6, overlap=0.2)),
    wet(hy.DirectionalValve32(A_max=4e-6, overlap=0.3)),
    *(
        wet(
            hy.DirectionalValve43(A_max=4e-6, overlap=0.1, centre=centre),
            drive={"x": lambda t: tg.sin(5.0 * t)},
        )
        for centre in ("closed", "open", "float", "tandem")
    ),
    wet(hy.Pump(d=0.01), drive={"flange": shaft(offset=40.0)}),
    wet(hy.Pump(d=0.01, use_support=True), drive={"flange": shaft()}),
    wet(hy.Motor(d=0.02), drive={"flange": shaft()}),
    wet(hy.VariablePump(d=0.01), drive={"flange": shaft(), "u": lambda t: 1.3 * tg.sin(4.0 * t)}),
    wet(hy.VariableMotor(d=0.01), drive={"flange": shaft(), "u": lambda t: 1.3 * tg.sin(4.0 * t)}),
    wet(hy.DoubleActingCylinder(d_rod=0.02, G_leak=2e-11, **WEAK), stored=cylinder, drive={"flange": piston()}),
    wet(
        hy.DoubleActingCylinder(d_rod=0.02, d_rod_a=0.01, use_support=True, **WEAK),
        stored=cylinder,
        drive={"flange": piston()},
    ),
    wet(
        hy.SingleActingCylinder(c=2e3, F0=300.0, G_leak=2e-11, **WEAK),
        stored=plunger,
        drive={"flange": piston(offset=-7e3), "port_a": OilDrive(p=60e5)},
    ),
    wet(hy.Volume(V0=2e-3, C_wall=1e-9), stored=lambda c: inside(c) + wall(c)),
    wet(hy.GasAccumulator(V_gas0=2e-4, n=1.25), stored=lambda c: inside(c) + compressed(c)),
    wet(hy.SpringAccumulator(V_max=1e-4), stored=lambda c: inside(c) + sprung(c)),
    wet(hy.Tank(p_over=2e5), supplied=feeds),
    Case(
        hy.OpenTank(A=1e-3),
        around={"oil": hy.Oil()},
        stored=lambda c: c.oil.rho0 * c.A * c.g * c.level**2 * (0.5 - c.oil.rho0 * c.g * c.level / (6.0 * c.oil.K)),
        drive={"port": OilDrive(p=1.07e5, dp=2e3, G=2e-5)},
    ),
    wet(hy.FixedPressure(p=30e5), supplied=feeds),
    wet(hy.PrescribedPressure(), supplied=feeds, drive={"p": lambda t: 1e6 * (3.0 + tg.sin(5.0 * t))}),
    wet(hy.FixedFlow(q=1e-4), supplied=feeds),
    wet(hy.PrescribedFlow(), supplied=feeds, drive={"q": lambda t: 1e-4 * tg.sin(5.0 * t)}),
    wet(hy.PressureSensor(), idle=True),
    wet(hy.RelPressureSensor(), idle=True),
    wet(hy.FlowSensor()),
    wet(hy.VolumeSensor()),
]

EXEMPT = {
    hy.DisplacementMachine: BASE,
    hy.PressureValve: BASE,
    hy.Restriction: BASE,
    hy.Source: BASE,
    hy.SpoolValve: BASE,
    hy.Storage: BASE,
    hy.TwoPorts: BASE,
}
