"""Statements about frames: what a component is in a mechanism.

    yield tg.rigid(self.frame_a, self.frame_b, r=self.r)       they move together
    yield tg.mass(self.frame_a, m=self.m, r_CM=self.r_CM, inertia=self.inertia)
    yield tg.joint(self.frame_a, self.frame_b, ...)

Such statements stand beside equations. They say what the pass that composes mechanisms (flatten/mechanics) has to know;
it finds out by itself in which order the bodies hang on each other.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from tellegen.ir.mechanism import BALL, FREE, LENGTH, PARTLY, PRISMATIC, REVOLUTE, ROLLING, UNIVERSAL, WELD
from tellegen.ir.model import ARROW, ARROW_OF_FRAME, PULL, Look, Surface
from tellegen.start.records import dataclass

__all__ = [
    "ARROW",
    "ARROW_OF_FRAME",
    "BALL",
    "FREE",
    "LENGTH",
    "PARTLY",
    "PRISMATIC",
    "PULL",
    "REVOLUTE",
    "ROLLING",
    "UNIVERSAL",
    "WELD",
    "AboutFrames",
    "Look",
    "Surface",
    "arrow",
    "fixed",
    "joint",
    "mass",
    "rigid",
    "visual",
    "world",
]


@dataclass(frozen=True, eq=False)
class AboutFrames:
    """One such statement: frames, quantities of the component by what they are for, and parts of the sweeps."""

    verb: str
    frames: tuple[Any, ...]
    members: dict[str, Any]
    parts: dict[str, Any] = field(default_factory=dict)
    look: Look = field(default_factory=Look)
    motion: str = ""


def world(frame: Any, *, g: Any, mu: Any, parts: dict[str, Any]) -> AboutFrames:
    """The frame is the inertial system; bodies fall with the acceleration g, and by mu where parts hold a weight."""
    return AboutFrames("world", (frame,), {"g": g, "mu": mu}, parts)


def fixed(frame: Any, *, r: Any, T: Any) -> AboutFrames:
    """The frame is fixed in the world at r; the rows of T are its axes."""
    return AboutFrames("fixed", (frame,), {"r": r, "T": T})


def rigid(frame_a: Any, frame_b: Any, *, r: Any, T: Any = None) -> AboutFrames:
    """Both frames move together: frame_b is at r (in axes of frame_a), the rows of T are its axes there."""
    return AboutFrames("rigid", (frame_a, frame_b), {"r": r} if T is None else {"r": r, "T": T})


def mass(
    frame: Any, *, m: Any, r_CM: Any = None, inertia: Any = None, start: dict[str, Any] | None = None
) -> AboutFrames:
    """A body at the frame: mass m, centre of mass r_CM, inertia tensor about it as six numbers, in axes of the frame.

    Without r_CM the centre of mass is the origin of the frame, without inertia the body is a point.

    `start` are the quantities that say where a body that nothing holds starts, by the names of its free link.
    """
    given = {word: what for word, what in (("r_CM", r_CM), ("inertia", inertia)) if what is not None}
    return AboutFrames("mass", (frame,), {"m": m, **given, **(start or {})})


def joint(frame_a: Any, frame_b: Any, *, motion: str, parts: dict[str, Any], **members: Any) -> AboutFrames:
    """The frames move against each other as the link in `parts` says; members are what the link shares with them.

    A joint with a cut but no link is a constraint: it holds what others, or nothing, already give a place.
    `motion` is what the joint permits: BALL, REVOLUTE and so on.
    """
    return AboutFrames("joint", (frame_a, frame_b), members, parts, motion=motion)


def arrow(*frames: Any, shape: str = ARROW, **vectors: Any) -> AboutFrames:
    """What acts on a body as an arrow at the last frame: `force`, `torque`, and `arm` from there in the world.

    ARROW: vectors are in the world; ARROW_OF_FRAME: in axes of the first frame. PULL: `force` pulls at both frames
    along `e`, from the first to the second.
    """
    return AboutFrames("visual", frames, vectors, {}, Look(shape))


def visual(*frames: Any, shape: str = "", look: Look | None = None, **numbers: Any) -> AboutFrames:
    """A shape that moves with a frame, or spans two of them, in pictures and animations."""
    return AboutFrames("visual", frames, numbers, {}, look or Look(shape))
