"""Coordinates of a mechanism by name: arrays, or dictionaries of joints, as the rows that the routines take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.errors import DataError, nearest
from tellegen.ir.flat import FlatModel
from tellegen.ir.mechanism import BALL, FREE, POINT, WELD, MechanismMap
from tellegen.ir.source_location import here
from tellegen.network.mechanics.hidden_parts import hidden
from tellegen.network.mechanics.mechanism_numbers import component, start_of, start_values
from tellegen.network.mechanics.tree_motion import TreeNumbers

_LOOSE = {BALL: (("Q", 4),), FREE: (("r_rel", 3), ("Q", 4)), POINT: (("r_rel", 3),), WELD: ()}
_LOOSE_SPEEDS = {BALL: (("w_rel", 3),), FREE: (("v_rel", 3), ("w_rel", 3)), POINT: (("v_rel", 3),), WELD: ()}


@dataclass(frozen=True, eq=False)
class Given:
    """What a user gives for some coordinates, and which of them these are."""

    where: slice
    value: Any

    @property
    def in_columns(self) -> Any:
        """Samples of a single coordinate, which are given as a vector, as a column."""
        single = self.where.stop - self.where.start == 1
        return self.value[:, None] if single and self.value.ndim == 1 and len(self.value) > 1 else self.value


@dataclass(frozen=True)
class Coordinates:
    """Names of scalars, in order; which of them belong to a joint; and the values where nothing else is given."""

    what: str
    names: tuple[str, ...]
    of_joint: dict[str, slice]
    default: Any

    def rows(self, given: Any) -> tuple[Any, bool]:
        """What a user gives as rows of numbers, and whether it was a single one."""
        values = self._listed(given) if isinstance(given, Mapping) else np.asarray(given, float)
        single = values.ndim < 2
        rows = np.atleast_2d(values)
        if values.ndim > 2 or rows.shape[1] != len(self.names):
            raise DataError(
                "E708",
                f"there are {len(self.names)} {self.what}, but an array of shape {values.shape} is given",
                location=here(),
                details=[f"the {self.what}: {', '.join(self.names)}"],
                advice="one number for each, or rows of them; or a dictionary by joint: {'hinge': 0.5}",
            )
        return rows, single

    def _listed(self, given: Mapping[str, Any]) -> Any:
        parts = [Given(self._where(name), np.asarray(value, float)) for name, value in given.items()]
        samples = [len(part.in_columns) for part in parts if part.in_columns.ndim == 2]
        shape = (number_of_samples(samples), len(self.names)) if samples else (len(self.names),)
        out = np.broadcast_to(self.default, shape).copy()
        for part in parts:
            out[..., part.where] = part.in_columns
        return out

    def _where(self, name: str) -> slice:
        if name in self.of_joint:
            return self.of_joint[name]
        if name in self.names:
            k = self.names.index(name)
            return slice(k, k + 1)
        raise DataError(
            "E708",
            f"'{name}' is none of the {self.what}; {nearest(name, [*self.of_joint, *self.names])}",
            location=here(),
            advice="name a joint, or one of the scalars in .coordinates and .speeds",
        )


def number_of_samples(counts: Sequence[int]) -> int:
    """How many samples there are, where a single one is the same for all."""
    several = sorted(set(counts) - {1})
    if len(several) > 1:
        raise DataError(
            "E708",
            f"what is given has different numbers of samples: {several[0]} and {several[-1]}",
            location=here(),
            advice="give as many rows of each, or a single one that holds for all",
        )
    return several[0] if several else 1


def coordinates_of(flat: FlatModel, mechanism: MechanismMap, tree: TreeNumbers) -> tuple[Coordinates, Coordinates]:
    """The coordinates, which start where the model starts, and the speeds."""
    positions: list[str] = []
    speeds: list[str] = []
    for link in mechanism.links:
        if link.coordinate:
            positions.append(f"{link.path}.{link.coordinate}")
            speeds.append(f"{link.path}.{link.speed}")
            continue
        for names, table in ((positions, _LOOSE), (speeds, _LOOSE_SPEEDS)):
            names += [f"{link.path}.{name}[{k}]" for name, size in table[link.motion] for k in range(size)]
    by_q = {link.path: numbers.q for link, numbers in zip(mechanism.links, tree.links, strict=True)}
    by_u = {link.path: numbers.u for link, numbers in zip(mechanism.links, tree.links, strict=True)}
    starts = _starts(flat, mechanism)
    return (
        Coordinates("coordinates", tuple(positions), by_q, starts),
        Coordinates("speeds", tuple(speeds), by_u, np.zeros(len(speeds))),
    )


def _starts(flat: FlatModel, mechanism: MechanismMap) -> Any:
    """Start values of the coordinates; those of quaternions and positions stand in the hidden links."""
    values = start_values(flat)
    found = [np.zeros(0)]
    for link in mechanism.links:
        if link.coordinate:
            found.append(start_of(flat, values, component(flat.tree, link.path), link.coordinate))
        else:
            owner = hidden(flat.tree, link.part)
            found += [start_of(flat, values, owner, name) for name, _ in _LOOSE[link.motion]]
    return np.concatenate(found)
