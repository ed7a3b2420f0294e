"""Power balance of rotational components. See test_power_balance.py for how to add a case."""

from __future__ import annotations

import tellegen as tg
from library.case import Case
from tellegen.library import rotational as rot

BASE = "a base without a law of its own; the components made of it have cases"

CASES = [
    Case(rot.Fixed(phi0=0.3), idle=True),
    Case(rot.Inertia(J=0.2), stored=lambda c: 0.5 * c.J * c.w**2),
    Case(rot.Spring(c=3.0, phi_rel0=0.2), stored=lambda c: 0.5 * c.c * (c.phi_rel - c.phi_rel0) ** 2),
    Case(rot.Damper(d=0.4)),
    Case(rot.IdealGear(ratio=-2.5)),
    Case(rot.BearingFriction(tau_Coulomb=0.4, tau_Stribeck=0.3, w_Stribeck=0.5, tau_prop=0.1, peak=1.2)),
    Case(rot.Brake(fn_max=2.0, mu=0.4, peak=1.1, cgeo=0.9), drive={"f_normalized": lambda t: tg.sin(9.0 * t)}),
    Case(rot.Clutch(fn_max=2.0, mu=0.4, peak=1.1, cgeo=0.9), drive={"f_normalized": lambda t: tg.sin(9.0 * t)}),
    Case(rot.OneWayClutch(fn_max=2.0, mu=0.1, cgeo=0.9), drive={"f_normalized": 0.5}),
    Case(rot.SpeedSensor(), idle=True),
    Case(rot.ConstantTorque(tau_constant=0.7), supplied=lambda c: c.tau_constant * tg.der(c.flange.phi)),
    Case(rot.Torque(), supplied=lambda c: c.tau * tg.der(c.flange.phi)),
    Case(rot.ConstantSpeed(w_fixed=3.0), supplied=lambda c: -c.flange.tau * c.w_fixed),
]

EXEMPT = {
    rot.Compliant: BASE,
    rot.InHousing: BASE,
    rot.PressedPlates: BASE,
}

WAITING = dict.fromkeys((rot.Damper, rot.BearingFriction, rot.Brake, rot.Clutch, rot.OneWayClutch), "mech")
