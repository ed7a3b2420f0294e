"""Electrical machines: motors, actuators and batteries."""

from __future__ import annotations

from tellegen.library.machines.dc import DC_ElectricalExcited, DC_Machine, DC_PermanentMagnet, DC_SeriesExcited
from tellegen.library.machines.interfaces import Rotor

__all__ = [
    "DC_ElectricalExcited",
    "DC_Machine",
    "DC_PermanentMagnet",
    "DC_SeriesExcited",
    "Rotor",
]
