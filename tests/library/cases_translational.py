"""Power balance of translational components. See test_power_balance.py for how to add a case."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from library.case import Case
from tellegen.library import translational as tr
from tellegen.testing import ForceDrive

BASE = "a base without a law of its own; the components made of it have cases"
IMPACT = "its energy leaves in impacts that take no time; tests/validation/test_rigid_contact.py has their speeds"


def moves(c: Any) -> Any:
    """Power of a source of motion."""
    return -c.flange.f * c.v


def drives(c: Any) -> Any:
    """Power of a source of force."""
    return -c.flange.f * tg.der(c.position(c.flange))


def stretched(c: Any) -> Any:
    return 0.5 * c.c * (c.s_rel - c.s_rel0) ** 2


def gap(c: Any) -> Any:
    """Energy of the spring c e0 (e/e0)^n."""
    depth = tg.maximum(c.s_rel0 - c.s_rel, 0.0)
    return c.c * c.e0**2 * (depth / c.e0) ** (c.n + 1) / (c.n + 1)


def press() -> dict[str, Any]:
    return {"f_normalized": lambda t: tg.sin(9.0 * t)}


CASES = [
    Case(tr.Fixed(s0=0.3), idle=True),
    Case(tr.Mass(m=0.2, L=0.4), stored=lambda c: 0.5 * c.m * c.v**2),
    Case(tr.Rod(L=0.4)),
    Case(tr.Lever(ratio=-2.5)),
    Case(tr.Lever(ratio=1.5, use_support=True)),
    Case(tr.Spring(c=3.0, s_rel0=0.2), stored=stretched),
    Case(tr.Damper(d=0.4)),
    Case(tr.SpringDamper(c=3.0, d=0.4, s_rel0=0.2), stored=stretched),
    Case(tr.ElastoGap(c=30.0, d=0.4, s_rel0=-0.05), stored=gap),
    Case(tr.ElastoGap(c=30.0, d=0.4, s_rel0=-0.05, n=1.5, e0=0.1), stored=gap),
    Case(tr.Friction(F_Coulomb=0.4, F_Stribeck=0.3, fexp=3.0, F_prop=0.1, peak=1.2)),
    Case(tr.SupportFriction(F_Coulomb=0.4, F_Stribeck=0.3, fexp=3.0, F_prop=0.1, peak=1.2)),
    Case(tr.SupportFriction(f_pos=[[0.0, 0.4], [1.0, 0.3], [5.0, 0.6]], peak=1.2, use_support=True)),
    Case(tr.Brake(fn_max=2.0, mu=0.4, peak=1.1, cgeo=0.9), drive=press()),
    Case(
        tr.MassWithStopAndFriction(m=0.2, L=0.4, F_Coulomb=0.4, F_Stribeck=0.3, F_prop=0.1, peak=1.2),
        stored=lambda c: 0.5 * c.m * c.v**2,
        drive={"flange_a": ForceDrive(m=0.0, d=0.0), "flange_b": ForceDrive(m=0.0, d=0.0, f=1.4)},
    ),
    Case(tr.PositionSensor(), idle=True),
    Case(tr.SpeedSensor(), idle=True),
    Case(tr.AccSensor(), idle=True),
    Case(tr.RelPositionSensor(), idle=True),
    Case(tr.RelSpeedSensor(), idle=True),
    Case(tr.RelAccSensor(), idle=True),
    Case(tr.ForceSensor()),
    Case(tr.PowerSensor()),
    Case(tr.MultiSensor()),
    Case(tr.ConstantForce(f_constant=0.7), supplied=lambda c: c.f_constant * tg.der(c.flange.s)),
    Case(tr.ConstantForce(f_constant=0.7, use_support=True), supplied=drives),
    Case(tr.Force(), supplied=lambda c: c.f * tg.der(c.flange.s)),
    Case(tr.Force2(), supplied=lambda c: c.f * tg.der(c.flange_b.s - c.flange_a.s)),
    Case(tr.ForceStep(step_force=0.7, offset_force=0.2, start_time=0.5), supplied=drives),
    Case(
        tr.InverseSpeedDependentForce(f_nominal=-0.7, v_nominal=2.0, v0=0.4, force_direction=False),
        supplied=lambda c: c.f * c.v,
    ),
    Case(tr.RollingResistance(F_weight=3.0, v_reg=0.2, Cr=0.3), supplied=lambda c: -c.f * c.v),
    Case(tr.LinearSpeedDependentForce(f_nominal=-0.7, v_nominal=2.0), supplied=lambda c: c.f * c.v),
    Case(
        tr.QuadraticSpeedDependentForce(f_nominal=-0.7, v_nominal=2.0),
        supplied=lambda c: c.f * c.v,
        drive={"flange": ForceDrive(F=1.0, offset=3.0)},
    ),
    Case(
        tr.QuadraticSpeedDependentForce(f_nominal=-0.7, v_nominal=2.0, force_direction=False),
        supplied=lambda c: c.f * c.v,
    ),
    Case(tr.SignForce(f_nominal=-0.7, v0=0.5, use_support=True), supplied=lambda c: c.f * c.v),
    Case(tr.EddyCurrentForce(f_nominal=0.7, v_nominal=2.0, alpha=0.01)),
    Case(tr.Position(f_crit=3.0), supplied=moves, drive={"s_ref": lambda t: 2.0 * tg.sin(7.0 * t)}),
    Case(tr.Position(exact=True, use_support=True), supplied=moves, drive={"s_ref": lambda t: 2.0 * tg.sin(7.0 * t)}),
    Case(tr.Speed(f_crit=3.0), supplied=moves, drive={"v_ref": lambda t: tg.where(t < 0.4, 0.0, 3.0)}),
    Case(tr.Speed(exact=True), supplied=moves, drive={"v_ref": lambda t: 2.0 * tg.sin(7.0 * t)}),
    Case(tr.Accelerate(use_support=True), supplied=moves, drive={"a_ref": lambda t: 2.0 * tg.sin(7.0 * t)}),
    Case(tr.ConstantSpeed(v_fixed=3.0), supplied=lambda c: -c.flange.f * c.v_fixed),
]

EXEMPT = {
    tr.Compliant: BASE,
    tr.OnGround: BASE,
    tr.OneFlange: BASE,
    tr.RigidContact: IMPACT,
    tr.Supported: BASE,
    tr.TwoFlanges: BASE,
}
