"""Choosing states by numbers: is the present choice regular here, and which one would be best?

    pendulum, constraint x*x + y*y = L*L, Jacobian (2x, 2y):   near y = 0 the height y must be the state, x follows

The Jacobian of the constraints is taken at a point, and what is left of each connected part when all that can always be
computed is eliminated (graph/core.py) is examined on its own; where the choice stays regular whatever happens, once, at
the start. The best-conditioned unknowns are picked to be algebraic, stage by stage as in state selection; the present
choice is kept while it is not much worse, so that it is stable.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.dataflow.tied_parts import TiedPart, tied_parts
from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.parameter_and_start_vectors import Starts
from tellegen.engine.runtime.algebra.state_watch import GOOD, KEEP
from tellegen.graph.core import Core, Cores
from tellegen.ir.model import FloatArray
from tellegen.ir.program import CONSTRAINTS
from tellegen.ir.reduced import ReducedModel

POOR = 0.05
"""The part of the best choice's smallest singular value, by sizes of unknowns, that is enough where the model prefers
the present states."""

FADED = 0.5
"""But not where the present choice has only this part of the smallest singular value that it had before: units stay the
same while a model moves."""

_SMALLEST = 1e-3  # size of an unknown that is about zero


def part_quality(part: TiedPart, values: Any, chosen: list[Any]) -> float:
    """The smallest singular value over the stages: how far a choice is from singular; NaN where undefined."""
    return float(np.min([stage_quality(core, values, picked) for core, picked in part.stages(chosen)]))


def stage_quality(core: Core, values: Any, picked: Any) -> float:
    """The smallest singular value of a choice at one stage; NaN where undefined."""
    reduced = core.reduced(values)
    if not np.isfinite(reduced).all():
        return np.nan
    if not len(core.rows):
        return np.inf
    found = core.square(reduced, picked)
    return 0.0 if found is None else float(np.linalg.svd(found[0], compute_uv=False)[-1])


def depends_on_point(model: NativeModel) -> bool:
    """Whether the best choice of states is another one at another point."""
    return model.reduced.candidates is not None and bool(model.derived(StateWatch).varying)


class StateWatch:
    """Looks at the present choice of states of a model whenever asked."""

    def __init__(self, model: NativeModel) -> None:
        candidates = model.reduced.candidates
        assert candidates is not None
        self.model = model
        self.candidates = candidates
        self.parts = tied_parts(candidates)
        self.varying = [part for part in self.parts if part.varying]
        self._cores_by_wish: dict[tuple[int, bytes], Cores] = {}
        self._last_wanted: tuple[bytes, bytes, Any] | None = None  # what was asked for, the Jacobian, the choice
        self._unknown = model.reduced.position[candidates.chain[candidates.pairs[:, 1], 0]]

    def better(
        self,
        t: float,
        y: FloatArray,
        yp: FloatArray,
        p: FloatArray,
        which: list[TiedPart],
        finest: dict[TiedPart, float] | None = None,
    ) -> Any:
        """Another choice of algebraic unknowns for the given parts, None when the present one will do.

        `finest` has the largest smallest singular values of the present choice so far, and is kept up to date.
        """
        values = self.values(t, y, yp, p)
        chosen = [stage.copy() for stage in self.candidates.stages]
        changed = False
        for part in which:
            mine = values[part.mine]
            now = part.present(chosen)
            quality = part_quality(part, mine, now)
            if np.isnan(quality) or quality > GOOD:
                continue
            has_faded = False
            if finest is not None:
                finest[part] = max(quality, finest.get(part, 0.0))
                has_faded = quality < FADED * finest[part]
            best = part.cores.stages(mine)
            if best is None or not _as_many(now, best) or all((a == b).all() for a, b in zip(now, best, strict=True)):
                continue
            is_wanted = not has_faded and self._preferred(part, now, best, mine, y)
            if quality < KEEP * part_quality(part, mine, best) and not is_wanted:
                changed = True
                _take(chosen, part, best)
        return tuple(chosen) if changed else None

    def differs_in_part_alone(self, stages: Any, part: TiedPart) -> bool:
        """Whether another choice is the present one everywhere else."""
        others = np.ones(len(self.candidates.d), bool)
        others[part.columns] = False
        return all((a[others] == b[others]).all() for a, b in zip(stages, self.candidates.stages, strict=True))

    def _preferred(self, part: TiedPart, now: Any, best: Any, values: FloatArray, y: FloatArray) -> bool:
        """Whether the model prefers the present states, and they are only poor by their units.

        Numbers are compared with the sizes of unknowns here: a millimetre is much for the air gap of a magnet.
        """
        if self._preference(part, best) >= self._preference(part, now):
            return False
        sized = values * np.maximum(np.abs(y[self._unknown[part.mine]]), _SMALLEST)
        return part_quality(part, sized, now) >= POOR * part_quality(part, sized, best)

    def _preference(self, part: TiedPart, chosen: list[Any]) -> float:
        """How much the states of a choice are wanted: what is not chosen to follow."""
        wanted = self.candidates.preference[part.columns]
        return sum(float(wanted[~picked].sum()) for picked in chosen)

    def soundest(self, t: float, y: FloatArray, p: FloatArray) -> Any:
        """The best-conditioned choice at a point, whatever is preferred."""
        values = self.values(t, y, np.zeros(len(y)), p)
        chosen = [stage.copy() for stage in self.candidates.stages]
        indifferent = np.zeros(len(self.candidates.preference))
        for part in self.varying:
            _take(chosen, part, part.cores.stages(values[part.mine], indifferent[part.columns]))
        return tuple(chosen)

    def wanted(self, point: Point, starts: Starts) -> Any:
        """The choice that suits the start values, and makes states of the unknowns the user gave values to."""
        position = self.model.reduced.position
        chain = self.candidates.chain
        asked: Any = np.where(chain >= 0, (starts.wanted | starts.fixed)[position[chain]], False).any(axis=1)
        preference = self.candidates.preference + 100.0 * asked
        values = self.values(point.t, starts.value, np.zeros(len(starts.value)), point.p)
        read = asked.tobytes(), values.tobytes()
        last = self._last_wanted  # another thread may replace it
        if last is not None and last[:2] == read:
            return last[2]
        chosen = [stage.copy() for stage in self.candidates.stages]
        for number, part in enumerate(self.parts):
            if len(part.columns) == 1:
                continue  # there is no choice
            cores = part.cores
            if asked[part.columns].any():
                key = number, preference[part.columns].tobytes()
                if key not in self._cores_by_wish:
                    self._cores_by_wish[key] = part.cores_with(preference)
                cores = self._cores_by_wish[key]
            _take(chosen, part, cores.stages(values[part.mine]))
        self._last_wanted = (*read, tuple(chosen))
        return tuple(chosen)

    def values(self, t: float, y: FloatArray, yp: FloatArray, p: FloatArray) -> FloatArray:
        """The constraints' Jacobian at a point, entry by entry."""
        values = np.zeros(len(self.candidates.pairs))
        self.model.entries[CONSTRAINTS](t, 1.0, 0.0, y, yp, p, values)
        return values


def _take(chosen: list[Any], part: TiedPart, best: list[Any] | None) -> None:
    """Enter the choice for a part, if there is one."""
    if best is None or not _as_many(part.present(chosen), best):
        return
    for stage, picked in zip(chosen, best, strict=False):
        stage[part.columns] = picked


def _as_many(now: list[Any], best: list[Any]) -> bool:
    """Whether as many unknowns follow from the constraints as the model has equations for.

    Where constraints depend on each other at some point fewer do; a model with more states than that has no solution.
    """
    return all(a.sum() == b.sum() for a, b in zip(now, best, strict=True))


def rates_of_states(model: ReducedModel, y: FloatArray, yp: FloatArray) -> FloatArray:
    """y' for the states of a choice, read from the unknowns that are their derivatives."""
    out = np.where(model.is_state, yp, 0.0)
    candidates = model.candidates
    assert candidates is not None
    position = model.position
    for m in range(candidates.chain.shape[1] - 1):
        tied = candidates.chain[:, m + 1] >= 0
        lower = position[candidates.chain[tied, m]]
        upper = position[candidates.chain[tied, m + 1]]
        out[lower] = np.where(model.is_state[lower], y[upper], 0.0)
    return out


def chosen_at_start(model: NativeModel, point: Point, starts: Starts) -> NativeModel:
    """The model with the states that suit its start values; the same one when it has no choice."""
    candidates = model.reduced.candidates
    if candidates is None:
        return model
    stages = model.derived(StateWatch).wanted(point, starts)
    if all((a == b).all() for a, b in zip(stages, candidates.stages, strict=True)):
        return model
    return model.with_states(stages)
