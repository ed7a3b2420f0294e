"""Mechanisms in space."""

from __future__ import annotations

from tellegen.library.multibody.interfaces import Frame, OneFrame, TwoFrames
from tellegen.library.multibody.joints import Prismatic, Revolute
from tellegen.library.multibody.parts import Body, BodyShape, FixedTranslation
from tellegen.library.multibody.world import Fixed, World

__all__ = [
    "Body",
    "BodyShape",
    "Fixed",
    "FixedTranslation",
    "Frame",
    "OneFrame",
    "Prismatic",
    "Revolute",
    "TwoFrames",
    "World",
]
