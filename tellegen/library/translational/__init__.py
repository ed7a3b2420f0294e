"""One-dimensional translation: flanges with absolute position s and cut force f, positive into the component."""

from __future__ import annotations

from tellegen.library.translational.components import Damper, Fixed, Mass, Spring
from tellegen.library.translational.friction import Brake, Friction, OnGround, SupportFriction
from tellegen.library.translational.interfaces import Compliant, Flange
from tellegen.library.translational.sensors import PositionSensor
from tellegen.library.translational.sources import ConstantForce, ConstantSpeed, Force

__all__ = [
    "Brake",
    "Compliant",
    "ConstantForce",
    "ConstantSpeed",
    "Damper",
    "Fixed",
    "Flange",
    "Force",
    "Friction",
    "Mass",
    "OnGround",
    "PositionSensor",
    "Spring",
    "SupportFriction",
]
