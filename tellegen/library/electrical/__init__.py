"""Electrical components: pins with potential v and current i, positive into the component."""

from __future__ import annotations

from tellegen.library.electrical.components import EMF, Capacitor, Ground, Inductor, Resistor
from tellegen.library.electrical.controlled import (
    CCC,
    CCV,
    VCC,
    VCV,
    PolynomialCCC,
    PolynomialCCV,
    PolynomialSource,
    PolynomialVCC,
    PolynomialVCV,
)
from tellegen.library.electrical.coupled import (
    CoupledInductors,
    Gyrator,
    IdealTransformer,
    LossyTransformer,
    Transformer,
)
from tellegen.library.electrical.ideal import (
    IdealBranches,
    IdealClosingSwitch,
    IdealDiode,
    IdealGTOThyristor,
    IdealOpeningSwitch,
    IdealSwitch,
    IdealThyristor,
)
from tellegen.library.electrical.interfaces import OnePort, Pin, TwoPort
from tellegen.library.electrical.semiconductors import (
    BJT,
    MOSFET,
    NMOS,
    NPN,
    PMOS,
    PNP,
    Diode,
    Semiconductor,
    ZDiode,
)
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
from tellegen.library.electrical.switches import (
    CurrentControlledSwitch,
    HystereticSwitch,
    SmoothSwitch,
    VoltageControlledSwitch,
)

__all__ = [
    "BJT",
    "CCC",
    "CCV",
    "EMF",
    "MOSFET",
    "NMOS",
    "NPN",
    "PMOS",
    "PNP",
    "VCC",
    "VCV",
    "Capacitor",
    "ConstantCurrent",
    "ConstantVoltage",
    "CoupledInductors",
    "CurrentControlledSwitch",
    "CurrentSensor",
    "Diode",
    "Ground",
    "Gyrator",
    "HystereticSwitch",
    "IdealBranches",
    "IdealClosingSwitch",
    "IdealDiode",
    "IdealGTOThyristor",
    "IdealOpeningSwitch",
    "IdealSwitch",
    "IdealThyristor",
    "IdealTransformer",
    "Inductor",
    "LossyTransformer",
    "OnePort",
    "Pin",
    "PolynomialCCC",
    "PolynomialCCV",
    "PolynomialSource",
    "PolynomialVCC",
    "PolynomialVCV",
    "PotentialSensor",
    "PulseVoltage",
    "Resistor",
    "Semiconductor",
    "SignalVoltage",
    "SineVoltage",
    "SmoothSwitch",
    "StepVoltage",
    "Transformer",
    "TrapezoidVoltage",
    "TwoPort",
    "VoltageControlledSwitch",
    "ZDiode",
]
