"""Power balance of pneumatic components: the enthalpy through every port. See test_power_balance.py."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from library.case import Case
from tellegen.library import pneumatic as pn
from tellegen.library import thermal as th
from tellegen.testing import AirDrive, ForceDrive, TorqueDrive

BASE = "a base without a law of its own; the components made of it have cases"


def blown(component: Any, **how: Any) -> Case:
    return Case(component, around={"gas": pn.Gas()}, **how)


def stops(c: Any) -> Any:
    return 0.5 * c.c_stop * (tg.maximum(-1.0 * c.s, 0.0) ** 2 + tg.maximum(c.s - c.stroke, 0.0) ** 2)


def cylinder(c: Any) -> Any:
    """Gas, stops, and the work on the surroundings, whose pressure acts on the rod."""
    return c.chamber_a.U + c.chamber_b.U + stops(c) + c.gas.p_ambient * (c.A_a - c.A_b) * c.s


def plunger(c: Any) -> Any:
    return c.chamber_a.U + stops(c) + c.F0 * c.s + 0.5 * c.c * c.s**2 + c.gas.p_ambient * c.A_a * c.s


def feeds(c: Any) -> Any:
    """Power of a source."""
    return -1.0 * c.enthalpy_in(c.port)


def spool() -> dict[str, Any]:
    return {"x": lambda t: tg.sin(5.0 * t)}


def piston(**how: Any) -> ForceDrive:
    """Strong enough to reach both stops."""
    return ForceDrive(F=800.0, m=5.0, d=50.0, **how)


WEAK = {"stroke": 0.1, "F_Coulomb": 15.0, "G": 0.3}

CASES = [
    blown(pn.IsoRestriction(C=1e-8, b=0.35)),
    blown(pn.VariableIsoRestriction(C=1e-8)),
    blown(pn.Nozzle(A=3e-6, Cd=0.8)),
    blown(pn.VariableNozzle(A=3e-6)),
    blown(pn.LaminarRestriction(G=2e-9)),
    blown(pn.CheckValve(C=1e-8)),
    blown(pn.ReliefValve(C=1e-8, p_set=1e5, p_range=2e5)),
    blown(pn.PressureReducingValve(C=1e-8, p_set=3e5, p_range=1e5), drive={"port_a": AirDrive(p=8e5)}),
    blown(pn.DirectionalValve22(C=1e-8, overlap=0.2)),
    blown(pn.DirectionalValve32(C=1e-8, overlap=0.3)),
    *(
        blown(pn.DirectionalValve53(C=1e-8, centre=centre), drive=spool())
        for centre in ("closed", "exhausted", "pressurized")
    ),
    blown(pn.Volume(V=2e-3, G=0.7), stored=lambda c: c.U, reversible=True),
    blown(
        pn.Volume(V=2e-3, isothermal=True),
        stored=lambda c: c.U,
        reversible=True,
        drive={"heat_port": th.FixedTemperature(T=310.0)},
    ),
    blown(pn.DoubleActingCylinder(**WEAK), stored=cylinder, drive={"flange": piston()}, reversible=True),
    blown(
        pn.DoubleActingCylinder(use_support=True, **WEAK), stored=cylinder, drive={"flange": piston()}, reversible=True
    ),
    blown(pn.SingleActingCylinder(**WEAK), stored=plunger, drive={"flange": piston()}, reversible=True),
    blown(pn.Line(n=1, d=6e-3), stored=lambda c: tg.sum(c.U)),
    blown(pn.Line(n=5, d=6e-3), stored=lambda c: tg.sum(c.U)),
    blown(pn.Compressor(), drive={"flange": TorqueDrive(offset=20.0, tau=2.0, J=0.05, d=0.2)}),
    blown(
        pn.AirMotor(),
        drive={
            "flange": TorqueDrive(offset=5.0, tau=1.0, d=0.2),
            "port_a": AirDrive(p=6e5),
            "port_b": AirDrive(p=2e5, dp=1e4),
        },
    ),
    blown(pn.Ambient(), supplied=feeds),
    blown(pn.FixedPressure(p=3e5), supplied=feeds),
    blown(pn.PrescribedPressure(), supplied=feeds, drive={"p": lambda t: 1e5 * (3.0 + tg.sin(5.0 * t))}),
    blown(pn.FixedFlow(), supplied=feeds),
    blown(pn.PrescribedFlow(), supplied=feeds, drive={"m_flow": lambda t: 0.01 * tg.sin(5.0 * t)}),
    blown(pn.PressureSensor(), idle=True),
    blown(pn.RelPressureSensor(), idle=True),
    blown(pn.FlowSensor()),
    blown(pn.TemperatureSensor()),
]

EXEMPT = {
    pn.Chamber: BASE,
    pn.GasMachine: BASE,
    pn.PistonChamber: "a part of cylinders, which have cases",
    pn.PneumaticPiston: BASE,
    pn.PressureValve: BASE,
    pn.Restriction: BASE,
    pn.Source: BASE,
    pn.SpoolValve: BASE,
    pn.TwoPorts: BASE,
}
