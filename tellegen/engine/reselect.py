"""Choosing states by numbers: is the present choice regular here, and which one would be best?

    pendulum, constraint x*x + y*y = L*L, Jacobian (2x, 2y):   near y = 0 the height y must be the state, x follows

The Jacobian of the constraints is taken at a point, and each connected part of it is examined on its own (parts with
a choice that stays regular whatever happens once, at the start). The best-conditioned unknowns are picked to be algebraic,
stage by stage as in state selection; the present choice is kept while it is not much worse, so that it is stable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csc_array
from scipy.sparse.csgraph import connected_components

from tellegen.engine.compiled import CompiledModel
from tellegen.engine.initialize import Point
from tellegen.engine.values import Starts
from tellegen.graph.independent import lasting_columns, stays_regular
from tellegen.ir.model import FloatArray
from tellegen.ir.sorted import Candidates, SortedModel

KEEP = 0.6
"""A choice is kept while its smallest singular value is at least this part of the best one's."""

GOOD = 0.6
"""A choice whose smallest singular value (rows scaled to one) is above this is not compared with others."""


@dataclass(frozen=True, eq=False)
class Part:
    """Constraints and unknowns that hang together."""

    rows: Any
    columns: Any
    varies: Any  # where the Jacobian between them is not constant
    varying: bool  # the present choice may become singular


def depends_on_place(candidates: Candidates | None) -> bool:
    """Whether the best choice of states is another one at another point."""
    return candidates is not None and any(part.varying for part in parts(candidates))


def parts(candidates: Candidates) -> list[Part]:
    """The connected parts of the constraints' Jacobian."""
    m, n = len(candidates.rows), len(candidates.d)
    pairs = candidates.pairs
    graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], m + pairs[:, 1])), shape=(m + n, m + n))
    count, labels = connected_components(graph, directed=False)
    members, entries = _by_label(labels, count), _by_label(labels[pairs[:, 0]], count)
    return [
        _part(candidates, part[part < m], part[part >= m] - m, mine)
        for part, mine in zip(members, entries, strict=True)
    ]


def _by_label(labels: Any, count: int) -> list[Any]:
    """The places of each label."""
    order = np.argsort(labels, kind="stable")
    bounds = np.searchsorted(labels[order], np.arange(count + 1))
    return [order[bounds[k] : bounds[k + 1]] for k in range(count)]


def _part(candidates: Candidates, rows: Any, columns: Any, mine: Any) -> Part:
    """The part with these constraints, unknowns and entries between them."""
    row = np.searchsorted(rows, candidates.pairs[mine, 0])
    column = np.searchsorted(columns, candidates.pairs[mine, 1])
    value, varies = candidates.coefficient[mine], candidates.varying[mine]
    where = np.zeros((len(rows), len(columns)), bool)
    where[row, column] = varies
    if not varies.any():
        return Part(rows, columns, where, False)
    for stage, chosen in enumerate(candidates.stages, 1):
        taken_rows = candidates.c[rows] >= stage
        taken = taken_rows[row] & chosen[columns][column]
        new_row, new_column = np.cumsum(taken_rows) - 1, np.cumsum(chosen[columns]) - 1
        entries = new_row[row[taken]], new_column[column[taken]], value[taken], varies[taken]
        if not stays_regular(int(taken_rows.sum()), *entries):
            return Part(rows, columns, where, True)
    return Part(rows, columns, where, False)


class StateWatch:
    """Looks at the present choice of states of a model whenever asked."""

    def __init__(self, model: CompiledModel) -> None:
        candidates = model.sorted.candidates
        assert candidates is not None
        self.model, self.candidates = model, candidates
        self.parts = parts(candidates)
        self.varying = [part for part in self.parts if part.varying]
        pattern = model.program.pattern
        number = csc_array((np.arange(1, pattern.count + 1), pattern.indices, pattern.indptr), shape=pattern.shape)
        highest = candidates.chain[np.arange(len(candidates.d)), candidates.d]
        found = number[candidates.rows][:, model.sorted.position[highest]].tocsr()
        self._entries = {id(part): _entries(found, part) for part in self.parts}

    def better(self, t: float, y: FloatArray, yp: FloatArray, p: FloatArray, which: list[Part]) -> Any:
        """Another choice of algebraic unknowns for the given parts, None when the present one will do."""
        preference = self.candidates.preference
        values = self.model.jacobian(t, y, yp, p, (1.0, 0.0))
        stages = [stage.copy() for stage in self.candidates.stages]
        changed = False
        for part in which:
            block = self._block(part, values)
            now = [stage[part.columns] for stage in stages]
            if not np.isfinite(block).all() or _quality(self.candidates, part, block, now) > GOOD:
                continue
            best = _best(self.candidates, part, block, preference)
            if best is None or all((a == b).all() for a, b in zip(now, best, strict=True)):
                continue
            quality = _quality(self.candidates, part, block, best)
            if _quality(self.candidates, part, block, now) < KEEP * quality:
                changed = True
                for stage, chosen in zip(stages, best, strict=True):
                    stage[part.columns] = chosen
        return tuple(stages) if changed else None

    def soundest(self, t: float, y: FloatArray, p: FloatArray) -> Any:
        """The best-conditioned choice at a point, whatever is preferred."""
        values = self.model.jacobian(t, y, np.zeros(len(y)), p, (1.0, 0.0))
        stages = [stage.copy() for stage in self.candidates.stages]
        for part in self.varying:
            block = self._block(part, values)
            indifferent = np.zeros(len(self.candidates.preference))
            best = _best(self.candidates, part, block, indifferent) if np.isfinite(block).all() else None
            for stage, chosen in zip(stages, best or (), strict=False):
                stage[part.columns] = chosen
        return tuple(stages)

    def wanted(self, point: Point, starts: Starts) -> Any:
        """The choice that suits the start values, and makes states of the unknowns the user gave values to."""
        position = self.model.sorted.position
        chain = self.candidates.chain
        asked = np.where(chain >= 0, (starts.wanted | starts.fixed)[position[chain]], False).any(axis=1)
        preference = self.candidates.preference + 100.0 * asked
        values = self.model.jacobian(point.t, starts.value, np.zeros(len(starts.value)), point.p, (1.0, 0.0))
        stages = [stage.copy() for stage in self.candidates.stages]
        for part in self.parts:
            block = self._block(part, values)
            best = _best(self.candidates, part, block, preference) if np.isfinite(block).all() else None
            for stage, chosen in zip(stages, best or (), strict=False):
                stage[part.columns] = chosen
        return tuple(stages)

    def _block(self, part: Part, values: FloatArray) -> Any:
        """The Jacobian of a part, every row scaled to size one."""
        row, column, place = self._entries[id(part)]
        block = np.zeros((len(part.rows), len(part.columns)))
        block[row, column] = values[place]
        size = np.abs(block).max(axis=1, keepdims=True)
        return block / np.where(size > 0, size, 1.0)


def _entries(numbers: Any, part: Part) -> tuple[Any, Any, Any]:
    """Row, column and place among the Jacobian's values of the entries of a part."""
    block = numbers[part.rows][:, part.columns].tocoo()
    return block.row, block.col, block.data - 1


def _stage_rows(candidates: Candidates, part: Part, stage: int) -> Any:
    return np.flatnonzero(candidates.c[part.rows] >= stage)


def _best(candidates: Candidates, part: Part, block: Any, preference: Any) -> list[Any] | None:
    """The best-conditioned unknowns at each stage; None where the constraints are dependent at this point."""
    usable = np.ones(len(part.columns), bool)
    out = []
    for stage in range(1, len(candidates.stages) + 1):
        rows = _stage_rows(candidates, part, stage)
        columns = np.flatnonzero(usable & (candidates.d[part.columns] >= stage))
        usable = np.zeros(len(part.columns), bool)
        if len(rows):
            if len(columns) < len(rows):
                return None
            wish = preference[part.columns[columns]]
            found = lasting_columns(block[np.ix_(rows, columns)], part.varies[np.ix_(rows, columns)], wish)
            if found is None:
                return None
            usable[columns[found]] = True
        out.append(usable)
    return out


def _quality(candidates: Candidates, part: Part, block: Any, stages: list[Any]) -> float:
    """The smallest singular value over the stages: how far the choice is from singular."""
    worst = np.inf
    for stage, chosen in enumerate(stages, 1):
        rows = _stage_rows(candidates, part, stage)
        if len(rows):
            square = block[np.ix_(rows, np.flatnonzero(chosen))]
            worst = min(worst, float(np.linalg.svd(square, compute_uv=False)[-1]))
    return worst


def rates_of_states(model: SortedModel, y: FloatArray, yp: FloatArray) -> FloatArray:
    """y' for the states of a choice, read from the unknowns that are their derivatives."""
    out = np.where(model.is_state, yp, 0.0)
    candidates = model.candidates
    assert candidates is not None
    position = model.position
    for m in range(candidates.chain.shape[1] - 1):
        tied = candidates.chain[:, m + 1] >= 0
        lower, upper = position[candidates.chain[tied, m]], position[candidates.chain[tied, m + 1]]
        out[lower] = np.where(model.is_state[lower], y[upper], 0.0)
    return out


def chosen_at_start(model: CompiledModel, point: Point, starts: Starts) -> CompiledModel:
    """The model with the states that suit its start values; the same one when it has no choice."""
    candidates = model.sorted.candidates
    if candidates is None:
        return model
    stages = StateWatch(model).wanted(point, starts)
    if all((a == b).all() for a, b in zip(stages, candidates.stages, strict=True)):
        return model
    return model.with_states(stages)
