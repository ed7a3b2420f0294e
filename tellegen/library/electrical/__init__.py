"""Electrical components: pins with potential v and current i, positive into the component."""

from __future__ import annotations

from tellegen.library.electrical.components import EMF, Capacitor, Ground, Inductor, Resistor
from tellegen.library.electrical.ideal import (
    IdealBranches,
    IdealClosingSwitch,
    IdealDiode,
    IdealGTOThyristor,
    IdealOpeningSwitch,
    IdealSwitch,
    IdealThyristor,
)
from tellegen.library.electrical.interfaces import OnePort, Pin
from tellegen.library.electrical.semiconductors import Diode
from tellegen.library.electrical.sensors import CurrentSensor, PotentialSensor
from tellegen.library.electrical.sources import (
    ConstantCurrent,
    ConstantVoltage,
    PulseVoltage,
    SignalVoltage,
    SineVoltage,
    StepVoltage,
    TrapezoidVoltage,
)

__all__ = [
    "EMF",
    "Capacitor",
    "ConstantCurrent",
    "ConstantVoltage",
    "CurrentSensor",
    "Diode",
    "Ground",
    "IdealBranches",
    "IdealClosingSwitch",
    "IdealDiode",
    "IdealGTOThyristor",
    "IdealOpeningSwitch",
    "IdealSwitch",
    "IdealThyristor",
    "Inductor",
    "OnePort",
    "Pin",
    "PotentialSensor",
    "PulseVoltage",
    "Resistor",
    "SignalVoltage",
    "SineVoltage",
    "StepVoltage",
    "TrapezoidVoltage",
]
