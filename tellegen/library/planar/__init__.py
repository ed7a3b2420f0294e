"""Mechanisms in a plane: frames with position x, y and angle phi, cut force fx, fy and torque t into the component."""

from __future__ import annotations

from tellegen.library.planar.interfaces import Frame, TwoFrames
from tellegen.library.planar.joints import Prismatic, Revolute
from tellegen.library.planar.parts import (
    Body,
    BodyShape,
    Fixed,
    FixedRotation,
    FixedTranslation,
    Moving,
    PlanarWorld,
)

__all__ = [
    "Body",
    "BodyShape",
    "Fixed",
    "FixedRotation",
    "FixedTranslation",
    "Frame",
    "Moving",
    "PlanarWorld",
    "Prismatic",
    "Revolute",
    "TwoFrames",
]
