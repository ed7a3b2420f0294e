"""Power balance of rotational components. See test_power_balance.py for how to add a case."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from library.case import Case
from tellegen.library import rotational as rot
from tellegen.testing import ForceDrive, TorqueDrive

BASE = "a base without a law of its own; the components made of it have cases"
IMPACT = "its energy leaves in impacts that take no time; tests/validation/test_rigid_contact.py has their speeds"
LOSSES = [[0.0, 0.8, 0.7, 0.1, 0.2], [5.0, 0.9, 0.85, 0.2, 0.3]]


def backlash(c: Any) -> Any:
    """Energy in the flanks."""
    depth = tg.maximum(abs(c.phi_rel - c.phi_rel0) - c.b / 2, 0.0)
    return 0.5 * c.c * depth**2


def strands(c: Any) -> Any:
    first, second = (tg.maximum(c.F0 / c.c + sign * c.u, 0.0) for sign in (1, -1))
    return 0.5 * c.c * (first**2 + second**2)


def turns(c: Any) -> Any:
    """Power of a source of motion."""
    return -c.flange.tau * c.w


def drives(c: Any) -> Any:
    """Power of a source of torque."""
    return -c.flange.tau * tg.der(c.angle(c.flange))


def press() -> dict[str, Any]:
    return {"f_normalized": lambda t: tg.sin(9.0 * t)}


CASES = [
    Case(rot.Fixed(phi0=0.3), idle=True),
    Case(rot.Inertia(J=0.2), stored=lambda c: 0.5 * c.J * c.w**2),
    Case(rot.Disc(delta_phi=0.4)),
    Case(rot.Spring(c=3.0, phi_rel0=0.2), stored=lambda c: 0.5 * c.c * (c.phi_rel - c.phi_rel0) ** 2),
    Case(rot.Damper(d=0.4)),
    Case(rot.SpringDamper(c=3.0, d=0.4, phi_rel0=0.2), stored=lambda c: 0.5 * c.c * (c.phi_rel - c.phi_rel0) ** 2),
    Case(rot.ElastoBacklash(c=30.0, d=0.4, b=0.1, phi_rel0=0.02), stored=backlash),
    Case(rot.ElastoBacklash(c=30.0, d=0.4), stored=backlash),
    Case(rot.IdealGear(ratio=-2.5)),
    Case(rot.IdealGear(ratio=-2.5, use_support=True)),
    Case(rot.IdealPlanetary(ratio=2.5)),
    Case(rot.IdealDifferential(ratio=2.5)),
    Case(rot.IdealDifferential(ratio=2.5, use_support=True)),
    Case(rot.IdealBelt(r_a=0.1, r_b=-0.3, use_support=True)),
    Case(rot.ElasticBelt(r_a=0.1, r_b=0.3, c=2e3, d=5.0, F0=10.0), stored=strands),
    Case(rot.ElasticBelt(r_a=0.1, r_b=-0.3, c=2e3, d=5.0, F0=10.0, use_support=True), stored=strands),
    Case(rot.IdealGearR2T(ratio=3.0)),
    Case(rot.IdealGearR2T(ratio=3.0, use_support_r=True, use_support_t=True)),
    Case(rot.IdealRollingWheel(radius=0.4)),
    Case(rot.IdealRollingWheel(radius=0.4, use_support_r=True), drive={"flange_t": ForceDrive(F=4.0)}),
    Case(rot.RackAndPinion(r=-0.4)),
    Case(rot.RackAndPinion(r=-0.4, use_support_t=True)),
    Case(rot.LossyGear(ratio=-2.5, loss_table=LOSSES)),
    Case(rot.LossyGear(ratio=2.5, loss_table=LOSSES, peak=1.2, use_support=True)),
    Case(rot.Gearbox(ratio=2.5, loss_table=LOSSES, c=30.0, d=0.4, b=0.1), stored=lambda c: backlash(c.elasto_backlash)),
    Case(
        rot.Gearbox(ratio=2.5, loss_table=LOSSES, c=30.0, d=0.4, b=0.1, use_support=True),
        stored=lambda c: backlash(c.elasto_backlash),
    ),
    Case(rot.BearingFriction(tau_Coulomb=0.4, tau_Stribeck=0.3, w_Stribeck=0.5, tau_prop=0.1, peak=1.2)),
    Case(rot.BearingFriction(tau_pos=[[0.0, 0.4], [1.0, 0.3], [5.0, 0.6]], peak=1.2, use_support=True)),
    Case(rot.Brake(fn_max=2.0, mu=0.4, peak=1.1, cgeo=0.9), drive=press()),
    Case(rot.Brake(fn_max=2.0, mu_pos=[[0.0, 0.4], [2.0, 0.3]], cgeo=0.9, use_support=True), drive=press()),
    Case(rot.Clutch(fn_max=2.0, mu=0.4, peak=1.1, cgeo=0.9), drive=press()),
    Case(rot.OneWayClutch(fn_max=2.0, mu=0.1, cgeo=0.9), drive={"f_normalized": 0.5}),
    Case(rot.AngleSensor(), idle=True),
    Case(rot.SpeedSensor(), idle=True),
    Case(rot.AccSensor(), idle=True),
    Case(rot.RelAngleSensor(), idle=True),
    Case(rot.RelSpeedSensor(), idle=True),
    Case(rot.RelAccSensor(), idle=True),
    Case(rot.TorqueSensor()),
    Case(rot.PowerSensor()),
    Case(rot.MultiSensor()),
    Case(rot.ConstantTorque(tau_constant=0.7), supplied=lambda c: c.tau_constant * tg.der(c.flange.phi)),
    Case(rot.ConstantTorque(tau_constant=0.7, use_support=True), supplied=drives),
    Case(rot.Torque(), supplied=lambda c: c.tau * tg.der(c.flange.phi)),
    Case(rot.Torque(use_support=True), supplied=drives),
    Case(rot.Torque2(), supplied=lambda c: c.tau * tg.der(c.flange_b.phi - c.flange_a.phi)),
    Case(rot.TorqueStep(step_torque=0.7, offset_torque=0.2, start_time=0.5), supplied=drives),
    Case(
        rot.InverseSpeedDependentTorque(tau_nominal=-0.7, w_nominal=2.0, w0=0.4, torque_direction=False),
        supplied=lambda c: c.tau * c.w,
    ),
    Case(
        rot.Vehicle(m=0.4, J=0.02, R=0.3, A=0.5, v_reg=0.2, Cr=0.1),
        stored=lambda c: 0.5 * (c.m + c.J / c.R**2) * c.v**2,
        supplied=lambda c: -(c.f_drag + c.f_roll + c.f_grade) * c.v,
    ),
    Case(rot.LinearSpeedDependentTorque(tau_nominal=-0.7, w_nominal=2.0), supplied=lambda c: c.tau * c.w),
    Case(
        rot.QuadraticSpeedDependentTorque(tau_nominal=-0.7, w_nominal=2.0),
        supplied=lambda c: c.tau * c.w,
        drive={"flange": TorqueDrive(tau=1.0, offset=3.0)},
    ),
    Case(
        rot.QuadraticSpeedDependentTorque(tau_nominal=-0.7, w_nominal=2.0, torque_direction=False),
        supplied=lambda c: c.tau * c.w,
    ),
    Case(rot.SignTorque(tau_nominal=-0.7, w0=0.5, use_support=True), supplied=lambda c: c.tau * c.w),
    Case(rot.EddyCurrentTorque(tau_nominal=0.7, w_nominal=2.0, alpha=0.01)),
    Case(rot.EddyCurrentTorque(tau_nominal=0.7, w_nominal=2.0, alpha=0.01, use_support=True)),
    Case(rot.Position(f_crit=3.0), supplied=turns, drive={"phi_ref": lambda t: 2.0 * tg.sin(7.0 * t)}),
    Case(
        rot.Position(exact=True, use_support=True), supplied=turns, drive={"phi_ref": lambda t: 2.0 * tg.sin(7.0 * t)}
    ),
    Case(rot.Speed(f_crit=3.0), supplied=turns, drive={"w_ref": lambda t: tg.where(t < 0.4, 0.0, 3.0)}),
    Case(rot.Speed(exact=True), supplied=turns, drive={"w_ref": lambda t: 2.0 * tg.sin(7.0 * t)}),
    Case(rot.Accelerate(use_support=True), supplied=turns, drive={"a_ref": lambda t: 2.0 * tg.sin(7.0 * t)}),
    Case(rot.ConstantSpeed(w_fixed=3.0), supplied=lambda c: -c.flange.tau * c.w_fixed),
    Case(rot.ConstantSpeed(w_fixed=3.0, use_support=True), supplied=turns),
]

EXEMPT = {
    rot.Compliant: BASE,
    rot.InHousing: BASE,
    rot.OneFlange: BASE,
    rot.PressedPlates: BASE,
    rot.RigidContact: IMPACT,
    rot.Supported: BASE,
    rot.TwoFlanges: BASE,
}
