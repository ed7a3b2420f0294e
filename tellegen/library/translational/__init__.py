"""One-dimensional translation: flanges with absolute position s and cut force f, positive into the component."""

from __future__ import annotations

from tellegen.library.translational.components import Damper, Fixed, Mass, Spring
from tellegen.library.translational.interfaces import Compliant, Flange
from tellegen.library.translational.sensors import PositionSensor
from tellegen.library.translational.sources import ConstantForce

__all__ = [
    "Compliant",
    "ConstantForce",
    "Damper",
    "Fixed",
    "Flange",
    "Mass",
    "PositionSensor",
    "Spring",
]
