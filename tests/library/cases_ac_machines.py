"""Power balance of AC machines. See test_power_balance.py for how to add a case."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from library.case import Case
from tellegen.library import machines as ma


def field(c: Any) -> Any:
    """Energy of the fields of leakage and, where it does not saturate, air gap; magnets add none."""
    i_d, i_q = c.magnetizing()
    stator = 0.75 * c.Lssigma * (i_d**2 + i_q**2)
    return stator + 1.5 * c.Lszero * c.i_0**2 if hasattr(c, "i_0") else stator


def induction(c: Any) -> Any:
    psi2, n = c.psi_md**2 + c.psi_mq**2, c.n_sat
    gap = 0.75 / c.Lm * psi2
    if c.saturation:
        gap = 1.5 / c.Lm * psi2 * (0.5 + (psi2 / c.psi_sat**2) ** (n / 2) / (n + 2))
    rotor = 0.75 * c.turns() ** 2 * c.Lrsigma * (c.i_dr**2 + c.i_qr**2)
    rotor = rotor + 1.5 * c.Lrzero * c.i_0r**2 if hasattr(c, "i_0r") else rotor
    return field(c) + gap + rotor


def synchronous(c: Any) -> Any:
    i_d, i_q = c.magnetizing()
    in_d = i_d + c.i_dr + (c.k * c.ie if hasattr(c, "ie") else 0.0)
    gap = 0.75 * (c.Lmd * in_d**2 + c.Lmq * (i_q + c.i_qr) ** 2)
    damper = 0.75 * (c.Lrsigmad * c.i_dr**2 + c.Lrsigmaq * c.i_qr**2)
    excitation = 0.5 * c.Lesigma * c.ie**2 if hasattr(c, "ie") else 0.0
    return field(c) + gap + damper + excitation


def moving(c: Any) -> Any:
    """Energy of rotor and stator."""
    if not getattr(c, "use_support", False):
        return 0.5 * c.Jr * c.w**2
    return 0.5 * c.Jr * tg.der(c.flange.phi) ** 2 + 0.5 * c.Js * tg.der(c.support.phi) ** 2


def case(component: Any, fields: Any, **how: Any) -> Case:
    return Case(component, stored=lambda c: fields(c) + moving(c), **how)


def fed(component: Any, fields: Any, more: Any = None, **drive: Any) -> Case:
    """A machine in d and q: the signals of its voltages carry power."""
    signals = {
        "v_d": lambda t: 8.0 * tg.sin(7.0 * t),
        "v_q": lambda t: 6.0 * tg.cos(5.0 * t),
        "tau_load": lambda t: 0.5 * tg.sin(3.0 * t),
        **drive,
    }

    def supplied(c: Any) -> Any:
        return 1.5 * (c.v_d * c.i_d + c.v_q * c.i_q) + (more(c) if more else 0.0) - c.tau_load * c.w

    return case(component, fields, supplied=supplied, drive=signals)


LOSSY = {
    "Rs": 0.4,
    "alpha_s": 0.004,
    "core_losses": True,
    "G_core": 0.02,
    "d": 0.02,
    "d_windage": 0.003,
    "P_stray": 20.0,
    "Is_nominal": 5.0,
}
SMALL = {**LOSSY, "p": 2, "Jr": 0.02, "Lssigma": 0.01, "w_nominal": 10.0}
STATOR = {**SMALL, "Lszero": 0.006}
CAGE = {"Lm": 0.08, "Lrsigma": 0.012, "Rr": 0.3, "alpha_r": 0.004}
IRON = {"saturation": True, "psi_sat": 0.15, "n_sat": 4}
DAMPER = {"Lmd": 0.09, "Lmq": 0.05, "Lrsigmad": 0.01, "Lrsigmaq": 0.015, "Rrd": 0.3, "Rrq": 0.5, "alpha_r": 0.004}
FIELD = {"k": 0.3, "Re": 0.6, "Lesigma": 0.004, "alpha_e": 0.004}
RINGS = {"v_dr": lambda t: 2.0 * tg.sin(4.0 * t), "v_qr": lambda t: 1.0 * tg.cos(9.0 * t)}


def rings(c: Any) -> Any:
    return 1.5 * (c.v_dr * c.i_dr + c.v_qr * c.i_qr)


CASES = [
    case(ma.IM_SquirrelCage(**STATOR, **CAGE), induction),
    case(ma.IM_SquirrelCage(**STATOR, **CAGE, **IRON, use_support=True, Js=0.05), induction),
    case(ma.IM_SlipRing(**STATOR, **CAGE, turns_ratio=1.7, Lrzero=0.004), induction),
    case(ma.SM_PermanentMagnet(**STATOR, **DAMPER, psi_pm=0.2), synchronous),
    case(ma.SM_ReluctanceRotor(**STATOR, **DAMPER), synchronous),
    case(ma.SM_ElectricalExcited(**STATOR, **DAMPER, **FIELD), synchronous),
    fed(ma.IM_SquirrelCageDQ(**SMALL, **CAGE, **{**IRON, "n_sat": 5}), induction, w_frame=4.0),
    fed(ma.IM_SlipRingDQ(**SMALL, **CAGE, turns_ratio=1.7), induction, rings, w_frame=4.0, **RINGS),
    fed(ma.SM_PermanentMagnetDQ(**SMALL, **DAMPER, psi_pm=0.2, use_flange=True), synchronous),
    fed(ma.SM_ReluctanceRotorDQ(**SMALL, **DAMPER), synchronous),
    fed(ma.SM_ElectricalExcitedDQ(**SMALL, **DAMPER, **FIELD, use_flange=True), synchronous),
]
