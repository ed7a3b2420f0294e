"""A design and a model: the numbers of every run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.analyses.studies.design import GRID, TABLE, Design
from tellegen.analyses.studies.parameter_ranges import Quantity, coordinate, levels, sampled
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector
from tellegen.errors import DesignError
from tellegen.ir.model import FloatArray

ABOUT_RUNS = ("outcome", "reason", "reached", "seconds")
"""What is known of every run besides its outputs."""


@dataclass(frozen=True, eq=False)
class Plan:
    """Row k of `numbers` are the values of run k, in declared units. `axes` are the values of a grid, else empty."""

    kind: str
    coordinates: tuple[Quantity, ...]
    numbers: FloatArray
    axes: tuple[FloatArray, ...]

    @property
    def taken(self) -> tuple[str, ...]:
        """Names in the result that no output can have."""
        return (*(one.name for one in self.coordinates), "run", "time", *ABOUT_RUNS)

    def labels(self, which: int, numbers: FloatArray) -> Any:
        """Values of a coordinate as people read them: the names of an enumeration, else numbers."""
        names = self.coordinates[which].names
        return np.array([names[int(value)] for value in numbers]) if names else numbers


def planned(design: Design, compiled: CompiledModel, parameters: Mapping[str, Any]) -> Plan:
    """The runs of a design with a model whose other parameters are given."""
    own = parameter_vector(compiled, parameters)
    found = tuple(coordinate(compiled, path, own, design.location) for path in design.ranges)
    _refuse_unread(compiled, found, parameters)
    written = list(design.ranges.values())
    if design.unit is not None:
        columns = [sampled(one, range_, u) for one, range_, u in zip(found, written, design.unit.T, strict=True)]
        return Plan(design.kind, found, np.column_stack(columns), ())
    values = [levels(one, given) for one, given in zip(found, written, strict=True)]
    if design.kind == TABLE:
        return Plan(TABLE, found, np.column_stack(values), ())
    for one, axis in zip(found, values, strict=True):
        if len(np.unique(axis)) < len(axis):
            raise one.wrong("a value of the grid is given twice", "give each value once")
    crossed = np.stack(np.meshgrid(*values, indexing="ij"), axis=-1)
    return Plan(GRID, found, crossed.reshape(-1, len(found)), tuple(values))


def _refuse_unread(compiled: CompiledModel, found: tuple[Quantity, ...], fixed: Mapping[str, Any]) -> None:
    """A parameter that no equation reads, or one that is given twice, would make a study that shows nothing."""
    for one in found:
        if not one.is_start:
            trial = {one.path: one.own} if np.isfinite(one.own) else {}
            parameter_vector(compiled, trial)  # says E159 of its own
        if one.path in fixed:
            what = f"'{one.path}' is varied, and given by parameters= as well"
            raise DesignError("E602", what, location=one.location, advice="remove it from one of the two")
