"""First guesses for unknowns without a start value, from those that have one and equations between them.

    hinge.phi starts at -0.7, crank.phi at 1.2,  rod.phi == crank.phi + hinge.phi:    rod.phi is guessed to be 0.5

The loops of a mechanism have several solutions, and the user selects one by initial guesses for joints. The loop may be
solved for other unknowns, though, and those would begin at zero. An equation with a single unguessed unknown, in which
that occurs with a constant coefficient, gives its guess. A start of zero that nobody insists on says little; it counts
only where nothing else determines them. Done for models with constraints that are not linear; others have one solution
or solve their loops for what has start values.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.parameter_and_start_vectors import Starts
from tellegen.ir.expressions.template import EquationTemplate
from tellegen.ir.model import Array, FloatArray
from tellegen.ir.reduced import INTEGRATION, ReducedModel
from tellegen.start.records import dataclass
from tellegen.symbolic.evaluate import evaluate

_SMALLEST = 1e-9  # a coefficient below is none


@dataclass(frozen=True)
class ConstantEntries:
    """Entries of the Jacobian by row and column, with their coefficients; zero where it varies."""

    row: Array
    column: Array
    coefficient: FloatArray


def with_guesses(model: NativeModel, point: Point, starts: Starts) -> Starts:
    """The start values, with guesses where there are none."""
    candidates = model.reduced.candidates
    if candidates is None or not candidates.varying.any() or starts.guessed.all():
        return starts
    y = starts.value.copy()
    entries = _constant_entries(model, point, y)
    sure = model.reduced.is_state | starts.fixed | starts.wanted
    known = sure | (starts.guessed & (y != 0.0))
    _follow(model, point, y, known, entries)
    known |= starts.guessed
    _follow(model, point, y, known, entries)
    return replace(starts, value=y)


def with_shared(model: ReducedModel, point: Point, starts: Starts) -> Starts:
    """The start values, with those of functions that tangents share (variation/shared.py): states depend on them."""
    flat = model.flat
    y = starts.value.copy()

    def value(variables: Any) -> Any:
        own = model.representative[variables]
        known = model.known_position[own]
        position = model.position[own]
        numbers = np.where(
            position >= 0, y[np.maximum(position, 0)], np.where(known >= 0, point.p[np.maximum(known, 0)], 0.0)
        )
        return model.sign[variables] * np.nan_to_num(numbers)

    for number in flat.tangents.shared if flat.tangents is not None else ():
        template = flat.equations[number].template
        rows = flat.equations[number].bindings
        assert isinstance(template, EquationTemplate)
        slots = [point.p[rows[:, k]] if info.parameter else value(rows[:, k]) for k, info in enumerate(template.slots)]
        position = model.position[model.representative[rows[:, -1]]]
        found = np.broadcast_to(evaluate(template.rhs, slots, time=point.t), len(rows))
        y[position[position >= 0]] = found[position >= 0]
    return replace(starts, value=y)


def _follow(model: NativeModel, point: Point, y: FloatArray, known: Any, entries: ConstantEntries) -> None:
    """Give guesses to all unknowns that follow from the known ones, one after the other."""
    row = entries.row
    column = entries.column
    usable = np.abs(entries.coefficient) > _SMALLEST
    while True:
        open_ = ~known[column]
        single = np.bincount(row[open_], minlength=model.program.size) == 1
        ready = np.flatnonzero(open_ & single[row] & usable)
        _, first = np.unique(column[ready], return_index=True)
        ready = ready[first]
        if not len(ready):
            return
        residual = model.residual(point.t, y, np.zeros(len(y)), point.p)
        step = residual[row[ready]] / entries.coefficient[ready]
        y[column[ready]] -= np.where(np.isfinite(step), step, 0.0)
        known[column[ready]] = True


def _constant_entries(model: NativeModel, point: Point, y: FloatArray) -> ConstantEntries:
    """Those of the equations as they were written."""
    pattern = model.program.pattern
    rates = np.zeros(len(y))
    column = np.repeat(np.arange(len(y)), np.diff(pattern.indptr))
    written = np.zeros(model.program.size, bool)
    for offset, group in zip(model.reduced.offsets, model.reduced.groups, strict=False):
        written[offset : offset + group.rows] = group.order == 0 and group.source != INTEGRATION
    elsewhere = y + np.random.default_rng(3).uniform(0.1, 0.3, len(y))
    here, there = (model.jacobian(point.t, at, rates, point.p) for at in (y, elsewhere))
    mine = written[pattern.indices]
    return ConstantEntries(pattern.indices[mine], column[mine], np.where(here == there, here, 0.0)[mine])
