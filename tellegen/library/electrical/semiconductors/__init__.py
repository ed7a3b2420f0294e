"""Semiconductors with the laws and the parameter names of SPICE: diodes, bipolar and field-effect transistors."""

from __future__ import annotations

from tellegen.library.electrical.semiconductors.bjt import BJT, NPN, PNP
from tellegen.library.electrical.semiconductors.diode import Diode, ZDiode
from tellegen.library.electrical.semiconductors.jfet import JFET, NJFET, PJFET
from tellegen.library.electrical.semiconductors.mosfet import MOSFET, NMOS, PMOS
from tellegen.library.electrical.semiconductors.semiconductor import Semiconductor

__all__ = ["BJT", "JFET", "MOSFET", "NJFET", "NMOS", "NPN", "PJFET", "PMOS", "PNP", "Diode", "Semiconductor", "ZDiode"]
