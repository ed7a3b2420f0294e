"""Power balance of semiconductors. See test_power_balance.py for how to add a case."""

from __future__ import annotations

from library.case import Case
from tellegen.library import electrical as el
from tellegen.testing import VoltageDrive

BJT = {
    "Is": 1e-9,
    "Bf": 50.0,
    "Vaf": 30.0,
    "Var": 20.0,
    "Ikf": 0.1,
    "Ikr": 0.05,
    "Ise": 1e-8,
    "Isc": 2e-8,
    "Gmin": 1e-5,
}
RESISTANCES = {"Rb": 3.0, "Re": 0.1, "Rc": 0.5}
MOSFET = {"Kp": 1e-3, "Gamma": 0.5, "Lambda": 0.05, "W": 1e-3, "Rd": 0.5, "Rs": 0.3, "Is": 1e-9, "Gmin": 1e-4}


def across() -> dict[str, VoltageDrive]:
    return {"p": VoltageDrive(V=4.0, R=2.0), "n": VoltageDrive(V=0.0, R=0.0)}


CASES = [
    Case(el.Diode(Is=1e-9, N=1.3, Rs=0.2, Gmin=1e-3), drive=across()),
    Case(el.ZDiode(Is=1e-9, Bv=2.0, Rs=0.2, Gmin=1e-3), drive=across()),
    Case(el.NPN(**BJT, **RESISTANCES)),
    Case(el.PNP(**BJT, **RESISTANCES)),
    Case(el.NMOS(Vto=1.0, **MOSFET)),
    Case(el.PMOS(Vto=-1.0, **MOSFET)),
]

BASE = "a base; the components made of it have cases"
EXEMPT = {el.Semiconductor: BASE, el.BJT: BASE, el.MOSFET: BASE}
