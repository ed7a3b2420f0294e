"""Electrical machines: DC motors, steppers, solenoids, and what feeds them. Positive current turns positive."""

from __future__ import annotations

from tellegen.library.machines.dc import DC_ElectricalExcited, DC_Machine, DC_PermanentMagnet, DC_SeriesExcited
from tellegen.library.machines.interfaces import Rotor
from tellegen.library.machines.limiter import CurrentLimiter
from tellegen.library.machines.solenoid import SolenoidActuator
from tellegen.library.machines.stepper import StepperMotor

__all__ = [
    "CurrentLimiter",
    "DC_ElectricalExcited",
    "DC_Machine",
    "DC_PermanentMagnet",
    "DC_SeriesExcited",
    "Rotor",
    "SolenoidActuator",
    "StepperMotor",
]
