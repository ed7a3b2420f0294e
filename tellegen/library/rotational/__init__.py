"""One-dimensional rotation: flanges with absolute angle phi and cut torque tau, positive into the component."""

from __future__ import annotations

from tellegen.library.rotational.components import Damper, Fixed, IdealGear, Inertia, Spring
from tellegen.library.rotational.friction import BearingFriction, Brake, Clutch, InHousing, OneWayClutch, PressedPlates
from tellegen.library.rotational.interfaces import Compliant, Flange
from tellegen.library.rotational.sensors import SpeedSensor
from tellegen.library.rotational.sources import ConstantSpeed, ConstantTorque, Torque

__all__ = [
    "BearingFriction",
    "Brake",
    "Clutch",
    "Compliant",
    "ConstantSpeed",
    "ConstantTorque",
    "Damper",
    "Fixed",
    "Flange",
    "IdealGear",
    "InHousing",
    "Inertia",
    "OneWayClutch",
    "PressedPlates",
    "SpeedSensor",
    "Spring",
    "Torque",
]
