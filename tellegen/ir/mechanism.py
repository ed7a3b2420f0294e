"""The mechanism that flattening found in a model: lumps, the spanning tree of its joints, loops and frames by name.

Numbers are not here: each record names the hidden part (flatten/mechanics) whose parameters hold them, so that they
follow from FlatModel.parameter_values like all others.

    lump 0            the ground
    lump k + 1        what links[k] carries
"""

from __future__ import annotations

from dataclasses import field

from tellegen.ir.source_location import NOWHERE, SourceLocation
from tellegen.start.records import dataclass

REVOLUTE = "revolute"
PRISMATIC = "prismatic"
BALL = "spherical"
FREE = "free"
POINT = "point"
UNIVERSAL = "universal"
ROLLING = "rolling"
LENGTH = "rod"
"""Points that stay at a distance."""
PARTLY = "partly locked"
"""A constraint that permits none of the motions above."""
WELD = "weld"
FIXED = "fixed"
"""A rigid connection; what a weld holds can come apart."""
COORDINATES = {REVOLUTE: 1, PRISMATIC: 1, BALL: 4, FREE: 7, POINT: 3, WELD: 0}
"""Coordinates of a joint: angle, distance, quaternion (scalar last), position and quaternion, position of a point."""
SPEEDS = {REVOLUTE: 1, PRISMATIC: 1, BALL: 3, FREE: 6, POINT: 3, WELD: 0}
"""Speeds of a joint: of the coordinate; angular velocity; velocity and angular velocity."""


@dataclass(frozen=True)
class TreeLink:
    """A joint of the tree and the lump it carries."""

    path: str  # of the joint, or of the body that nothing holds
    motion: str  # one of the kinds above
    part: str  # holds s, C (joint on the parent), n (axis), and m, h, J of the lump
    parent: int  # lump
    coordinate: str = ""  # names of coordinate and speed in the joint; none where the link holds them
    speed: str = ""
    actuated: bool = False
    location: SourceLocation = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class LoopJoint:
    """A joint that closes a loop."""

    path: str
    motion: str
    part: str  # holds s, C on the first lump, s_o, C_o on the second, and the axis n
    lumps: tuple[int, int]  # of frame_a and frame_b
    actuated: bool = False
    by_directions: bool = False  # the part says what it locks: along, across, beside
    location: SourceLocation = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class LumpMember:
    """A component that is rigidly part of a lump: a body, an arm, the world."""

    path: str
    verb: str  # mass, rigid, fixed, world
    lump: int
    part: str = ""  # of a body: holds m, h, J about the reference point of the lump
    weight: str = ""  # of a body in point gravity: holds m, mu and the centre of mass c on the lump


@dataclass(frozen=True)
class FramePlace:
    """Where a frame is: its lump, and the part that holds its place s, C there (none at the reference point)."""

    lump: int
    part: str = ""


@dataclass(frozen=True)
class RigidLoop:
    """A rigid connection between frames that others hold together already: two parts hold the same place."""

    path: str
    part: str  # by this connection; none at the reference point
    other: str  # by the others
    location: SourceLocation = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class KinematicPair:
    """Two bodies and what is between them: a joint, or a rigid connection."""

    name: str
    kind: str  # FIXED, or the motion that a joint permits
    reference: str
    moving: str
    actuated: bool = False


@dataclass(frozen=True)
class KinematicDescription:
    """A mechanism as it was written: bodies (the ground is the first one) and how they are held."""

    bodies: tuple[str, ...]
    pairs: tuple[KinematicPair, ...]


@dataclass(frozen=True)
class MechanismMap:
    """See the top of this file."""

    ground: str  # the part that holds g
    links: tuple[TreeLink, ...]  # parents first
    loops: tuple[LoopJoint, ...]
    members: tuple[LumpMember, ...]
    frames: dict[str, FramePlace]  # by path
    described: KinematicDescription
    rigid_loops: tuple[RigidLoop, ...] = ()
    first_part: int = 0  # the hidden parts are the groups of the root's children from this one on
