"""Power balance of semiconductors. See test_power_balance.py for how to add a case.

Depletion layers store the integral of v C(v) dv; their potentials are so large here that they stay below Fc V, where
the integral is closed. Not in these cases: the charge Tt I of carriers, whose energy depends on the way where the
temperature varies, and Meyer's capacitances, which conserve no energy (see MOSFET).
"""

from __future__ import annotations

from typing import Any

from library.case import Case
from tellegen.library import electrical as el
from tellegen.testing import VoltageDrive

STATIC = {"Vaf": 60.0, "Var": 50.0, "Ikf": 0.1, "Ikr": 0.05, "Ise": 1e-8, "Isc": 2e-8, "Gmin": 1e-4}
RESISTANCES = {"Rb": 3.0, "Rbm": 1.0, "Re": 0.1, "Rc": 0.5}
LAYERS = {"Cje": 2e-3, "Vje": 60.0, "Mje": 0.4, "Cjc": 1e-3, "Vjc": 60.0, "Xcjc": 0.6}
BJT: dict[str, Any] = {"Is": 1e-9, "Bf": 50.0, **STATIC, **RESISTANCES}
CHANNEL = {"Kp": 1e-3, "Gamma": 0.5, "Lambda": 0.05, "W": 1e-3}
MOSFET: dict[str, Any] = {"Rd": 0.5, "Rs": 0.3, "Is": 1e-9, "Gmin": 1e-4, **CHANNEL}
OVERLAPS = {"Cgso": 1.0, "Cgdo": 2.0, "Cgbo": 30.0, "Cbd": 2e-3, "Cbs": 1e-3, "Pb": 60.0}

LEAKING = {"Kgc": 1e-6, "Kge_s": 1e-6, "Kge_d": 1e-6, "Kgb": 1e-6, "Agidl": 1e-3, "Agisl": 1e-3, "Alpha": 1e-9}
SHORT: dict[str, Any] = {"capmod": -1, "Gmin": 1e-4, "Is_s": 1e-9, "Is_d": 1e-9, "Rg": 50.0, "Rds0": 100.0, **LEAKING}
JFET: dict[str, Any] = {"Beta": 0.02, "Lambda": 0.05, "B": 0.8, "Rd": 0.5, "Rs": 0.3, "Is": 1e-9, "Gmin": 1e-4}
GATE: dict[str, Any] = {"Cgs": 2e-3, "Cgd": 1e-3, "Pb": 60.0}


POWER = {"Kp": 0.5, "Lambda": 0.02, "Theta": 0.1, "Mtriode": 1.5, "Rd": 0.2, "Rs": 0.1, "Rg": 0.3, "Rq": 0.4, "Vq": 2.0}
POWER |= {"Ksubthres": 0.3, "Cgs": 0.01, "Cgdmin": 0.02, "Cgdmax": 0.02}


def across() -> dict[str, VoltageDrive]:
    return {"p": VoltageDrive(V=4.0, R=2.0), "n": VoltageDrive(V=0.0, R=0.0)}


def layer(v: Any, C: Any, V: Any, M: Any) -> Any:
    """The energy of a depletion layer, the integral of v C/(1 - v/V)^M from 0 to v."""
    y = 1.0 - v / V
    return C * V**2 * ((1.0 - y ** (1.0 - M)) / (1.0 - M) - (1.0 - y ** (2.0 - M)) / (2.0 - M))


def transistor_energy(q: Any) -> Any:
    inside = layer(q.v_be, q.Cje, q.Vje, q.Mje) + layer(q.v_bc, q.Xcjc * q.Cjc, q.Vjc, q.Mjc)
    return inside + layer(q.v_bx, (1.0 - q.Xcjc) * q.Cjc, q.Vjc, q.Mjc)


def gate_energy(m: Any) -> Any:
    overlaps = m.Cgso * m.W * m.v_gs**2 + m.Cgdo * m.W * (m.v_gs - m.v_ds) ** 2 + m.Cgbo * m.L * (m.v_gs - m.v_bs) ** 2
    return 0.5 * overlaps + layer(m.v_bs, m.Cbs, m.Pb, m.Mj) + layer(m.v_bs - m.v_ds, m.Cbd, m.Pb, m.Mj)


def junction_gate_energy(j: Any) -> Any:
    return layer(j.v_gs, j.Cgs, j.Pb, 0.5) + layer(j.v_gd, j.Cgd, j.Pb, 0.5)


CASES = [
    Case(el.Diode(Is=1e-9, N=1.3, Rs=0.2, Ikf=1.0, Isr=1e-8, Gmin=1e-3), drive=across()),
    Case(
        el.Diode(Is=1e-9, N=1.3, Rs=0.2, Gmin=1e-3, Cjo=0.02, Vj=30.0, M=0.4),
        drive=across(),
        stored=lambda d: layer(d.v_j, d.Cjo, d.Vj, d.M),
    ),
    Case(el.ZDiode(Is=1e-9, Bv=2.0, Rs=0.2, Gmin=1e-3), drive=across()),
    Case(el.NPN(**BJT)),
    Case(el.NPN(**BJT, **LAYERS), stored=transistor_energy),
    Case(el.PNP(**BJT, **LAYERS), stored=transistor_energy),
    Case(el.NMOS(Vto=1.0, **MOSFET)),
    Case(el.NMOS(Vto=1.0, **MOSFET, **OVERLAPS), stored=gate_energy),
    Case(el.PMOS(Vto=-1.0, **MOSFET, **OVERLAPS), stored=gate_energy),
    Case(el.NMOS6(Vto=1.0, Gamma1=0.05, Sigma=0.02, Lambda0=0.05, Lambda1=0.01, Nc=1.3, Nv=0.6, **MOSFET)),
    Case(el.PMOS6(Vto=-1.0, Gamma1=0.05, Sigma=0.02, Lambda0=0.05, Lambda1=0.01, Nc=1.3, Nv=0.6, **MOSFET)),
    Case(el.BSIM4NMOS(**SHORT)),
    Case(el.BSIM4PMOS(**SHORT)),
    Case(el.BSIM3NMOS(**SHORT)),
    Case(el.BSIM3PMOS(**SHORT)),
    Case(el.NVDMOS(Vto=1.0, **POWER), stored=lambda m: 0.5 * (m.Cgs * m.v_gs**2 + m.Cgdmax * m.v_gd**2)),
    Case(el.PVDMOS(Vto=-1.0, **POWER), stored=lambda m: 0.5 * (m.Cgs * m.v_gs**2 + m.Cgdmax * m.v_gd**2)),
    Case(el.NJFET(**JFET)),
    Case(el.NJFET(**JFET, **GATE), stored=junction_gate_energy),
    Case(el.PJFET(**JFET, **GATE), stored=junction_gate_energy),
    Case(el.NMESFET(Beta=3e-3, Lambda=0.05, Rd=3.0, Rs=2.0)),
    Case(el.PMESFET(Beta=3e-3, B=0.5, Alpha=1.5)),
]

BASE = "a base; the components made of it have cases"
MEYER = "Meyer's capacitances, which it always has, conserve neither charge nor energy"
DELAYED = "the current of the collector is that of an earlier instant, so no energy explains it"
EXEMPT = {
    **dict.fromkeys((el.Semiconductor, el.BJT, el.JFET, el.MOSFET, el.SemiEmpiricalMOSFET), BASE),
    **dict.fromkeys((el.DelayedBJT, el.GroveFrohmanMOSFET, el.BSIM4, el.BSIM3, el.VerticalMOS), BASE),
    **dict.fromkeys((el.NthPowerMOSFET, el.MESFET), BASE),
    **dict.fromkeys((el.NMOS2, el.PMOS2, el.NMOS3, el.PMOS3), MEYER),
    **dict.fromkeys((el.DelayedNPN, el.DelayedPNP), DELAYED),
}
