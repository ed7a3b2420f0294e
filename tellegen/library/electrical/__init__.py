"""Electrical components: pins with potential v and current i, positive into the component."""

from __future__ import annotations

from tellegen.library.electrical.components import EMF, Capacitor, Ground, Inductor, Resistor
from tellegen.library.electrical.interfaces import OnePort, Pin
from tellegen.library.electrical.sensors import CurrentSensor, PotentialSensor
from tellegen.library.electrical.sources import (
    ConstantCurrent,
    ConstantVoltage,
    SignalVoltage,
    SineVoltage,
    StepVoltage,
)

__all__ = [
    "EMF",
    "Capacitor",
    "ConstantCurrent",
    "ConstantVoltage",
    "CurrentSensor",
    "Ground",
    "Inductor",
    "OnePort",
    "Pin",
    "PotentialSensor",
    "Resistor",
    "SignalVoltage",
    "SineVoltage",
    "StepVoltage",
]
