"""One-dimensional rotation: flanges with absolute angle phi and cut torque tau, positive into the component."""

from __future__ import annotations

from tellegen.library.rotational.components import Damper, Fixed, IdealGear, Inertia, Spring
from tellegen.library.rotational.interfaces import Compliant, Flange
from tellegen.library.rotational.sensors import SpeedSensor
from tellegen.library.rotational.sources import ConstantTorque

__all__ = [
    "Compliant",
    "ConstantTorque",
    "Damper",
    "Fixed",
    "Flange",
    "IdealGear",
    "Inertia",
    "SpeedSensor",
    "Spring",
]
