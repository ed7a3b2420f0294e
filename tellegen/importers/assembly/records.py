"""What is known of an assembly, whatever file it comes from: rigid parts, joints between them, the file itself.

Poses are those of one position, in which the assembly was drawn (URDF: all joints at zero), in the axes of the world.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tellegen.importers.assembly.mass_properties import MassProperties
from tellegen.importers.assembly.pose import IDENTITY, Floats, Pose, fixed_array
from tellegen.importers.assembly.shapes import Placed
from tellegen.ir.mechanism import KinematicDescription, KinematicPair
from tellegen.ir.source_location import SourceLocation
from tellegen.network.mechanics.twists import FIXED, freedoms

WORLD = "world"  # the part that is at rest


@dataclass(frozen=True, eq=False)
class RigidPart:
    """A rigid body with its own frame."""

    name: str
    mass: MassProperties = field(default_factory=MassProperties)  # in the frame of the part
    pose: Pose = IDENTITY
    visuals: tuple[Placed, ...] = ()
    collisions: tuple[Placed, ...] = ()
    location: SourceLocation | None = None

    @property
    def mass_in_world(self) -> MassProperties:
        """Mass properties in the axes of the world."""
        return self.mass.placed(self.pose)


@dataclass(frozen=True)
class Limits:
    """How far a joint goes and what its drive can do; None is unlimited."""

    lower: float | None = None
    upper: float | None = None
    effort: float | None = None
    velocity: float | None = None


@dataclass(frozen=True)
class Mimic:
    """A joint that follows another one: q = multiplier * q(joint) + offset."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


def _z_axis() -> Floats:
    return fixed_array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class JointRecord:
    """A joint between two parts, or a rigid connection (`fixed`)."""

    name: str
    kind: str  # one of network.mechanics.twists.FREEDOMS
    parent: str
    child: str
    pose: Pose = IDENTITY  # its frame: the origin is the articulation point
    axis: Floats = field(default_factory=_z_axis)  # in its frame; the normal of a planar joint
    second_axis: Floats | None = None  # of a universal joint
    limits: Limits = Limits()
    damping: float = 0.0
    friction: float = 0.0
    stiffness: float = 0.0
    reference: float = 0.0  # where the spring is relaxed
    armature: float = 0.0  # inertia of a rotor, as felt at the joint
    actuated: bool = False
    mimic: Mimic | None = None
    start: float = 0.0
    evidence: str = ""  # why this joint is proposed; empty where a file or the user states it
    accepted: bool = True
    location: SourceLocation | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", fixed_array(self.axis))
        if self.second_axis is not None:
            object.__setattr__(self, "second_axis", fixed_array(self.second_axis))

    @property
    def point(self) -> Floats:
        """The articulation point, in the world."""
        return self.pose.r

    @property
    def direction(self) -> Floats:
        """The axis, in the world."""
        return self.pose.R @ self.axis

    @property
    def twists(self) -> Floats:
        """What the joint permits, as twists in the world."""
        second = None if self.second_axis is None else self.pose.R @ self.second_axis
        return freedoms(self.kind, self.point, self.direction, second)

    @property
    def is_fixed(self) -> bool:
        """Whether it is a rigid connection."""
        return self.kind == FIXED


@dataclass(frozen=True)
class FileStamp:
    """A file as it was when it was read."""

    path: str
    sha256: str
    modified: float = 0.0
    size: int = 0


@dataclass(frozen=True)
class Origin:
    """The call that read an assembly: a public function, its file, and its options as JSON."""

    reader: str
    path: str
    options: str = "{}"


@dataclass(frozen=True)
class UnclearContact:
    """Two parts that touch in a way that is not a joint: somebody has to decide what it is."""

    a: str
    b: str
    evidence: str

    def __str__(self) -> str:
        return f"{self.a} - {self.b}: {self.evidence}"


@dataclass(frozen=True, eq=False)
class Parts:
    """Everything that was found: the parts (the world is not one of them), the joints, and what was left out."""

    parts: tuple[RigidPart, ...]
    joints: tuple[JointRecord, ...]
    notes: tuple[str, ...] = ()
    unclear: tuple[UnclearContact, ...] = ()

    def part(self, name: str) -> RigidPart:
        """The part of a name; the world has no mass."""
        return _WORLD_PART if name == WORLD else next(part for part in self.parts if part.name == name)

    @property
    def names(self) -> list[str]:
        """All bodies; the world is the first one."""
        return [WORLD, *(part.name for part in self.parts)]

    @property
    def described(self) -> KinematicDescription:
        """Bodies, joints and rigid connections by name; contacts of parts that are glued are not joints."""
        glued = {frozenset((one.parent, one.child)) for one in self.joints if one.is_fixed}
        pairs = (
            KinematicPair(one.name, one.kind, one.parent, one.child, one.actuated)
            for one in self.joints
            if one.is_fixed or frozenset((one.parent, one.child)) not in glued
        )
        return KinematicDescription(tuple(self.names), tuple(pairs))


_WORLD_PART = RigidPart(WORLD)


def moved_joint(joint: JointRecord, pose: Pose) -> JointRecord:
    """The same joint in an assembly that is placed somewhere else."""
    return replace(joint, pose=pose @ joint.pose)
