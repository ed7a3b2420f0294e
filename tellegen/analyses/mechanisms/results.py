"""What functions of a mechanism return where one array does not say it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Constraints:
    """Constraints of the joints that close loops, at a position."""

    names: tuple[str, ...]
    gaps: Any  # zero where the loops are closed: lengths, and sines of angles
    J: Any  # their derivatives by the speeds
    rank: Any
    redundant: tuple[str, ...]  # at the first sample


@dataclass(frozen=True, eq=False)
class Energy:
    """Energies of everything that moves."""

    kinetic: Any
    potential: Any  # of gravity: zero at the origin of the world if it is uniform, at infinity if it is that of a point


@dataclass(frozen=True, eq=False)
class Reaction:
    """Force and torque that a joint exerts on the lump it carries, at the joint, in axes of the world."""

    force: Any
    torque: Any


@dataclass(frozen=True, eq=False)
class InertialParameters:
    """Ten for each lump: m, mx, my, mz (mass times its centre) and Ixx to Iyz about its joint, in axes of the lump."""

    names: tuple[str, ...]
    values: Any
