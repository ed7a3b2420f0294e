"""Power balance of translational components. See test_power_balance.py for how to add a case."""

from __future__ import annotations

import tellegen as tg
from library.case import Case
from tellegen.library import translational as tr

BASE = "a base without a law of its own; the components made of it have cases"

CASES = [
    Case(tr.Fixed(s0=0.3), idle=True),
    Case(tr.Mass(m=0.2, L=0.4), stored=lambda c: 0.5 * c.m * c.v**2),
    Case(tr.Spring(c=3.0, s_rel0=0.2), stored=lambda c: 0.5 * c.c * (c.s_rel - c.s_rel0) ** 2),
    Case(tr.Damper(d=0.4)),
    Case(tr.Friction(F_Coulomb=0.4, F_Stribeck=0.3, fexp=3.0, F_prop=0.1, peak=1.2)),
    Case(tr.SupportFriction(F_Coulomb=0.4, F_Stribeck=0.3, fexp=3.0, F_prop=0.1, peak=1.2)),
    Case(tr.Brake(fn_max=2.0, mu=0.4, peak=1.1, cgeo=0.9), drive={"f_normalized": lambda t: tg.sin(9.0 * t)}),
    Case(tr.PositionSensor(), idle=True),
    Case(tr.ConstantForce(f_constant=0.7), supplied=lambda c: c.f_constant * tg.der(c.flange.s)),
    Case(tr.Force(), supplied=lambda c: c.f * tg.der(c.flange.s)),
    Case(tr.ConstantSpeed(v_fixed=3.0), supplied=lambda c: -c.flange.f * c.v_fixed),
]

EXEMPT = {tr.Compliant: BASE, tr.OnGround: BASE}

WAITING = dict.fromkeys((tr.Damper, tr.Friction, tr.SupportFriction, tr.Brake), "mech")
