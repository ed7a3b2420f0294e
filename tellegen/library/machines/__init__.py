"""Electrical machines: DC motors, steppers and solenoids, and the batteries and limits that feed them."""

from __future__ import annotations

from tellegen.library.machines.battery import Battery
from tellegen.library.machines.dc import DC_ElectricalExcited, DC_Machine, DC_PermanentMagnet, DC_SeriesExcited
from tellegen.library.machines.interfaces import Rotor
from tellegen.library.machines.limiter import CurrentLimiter
from tellegen.library.machines.solenoid import SolenoidActuator
from tellegen.library.machines.stepper import StepperMotor

__all__ = [
    "Battery",
    "CurrentLimiter",
    "DC_ElectricalExcited",
    "DC_Machine",
    "DC_PermanentMagnet",
    "DC_SeriesExcited",
    "Rotor",
    "SolenoidActuator",
    "StepperMotor",
]
