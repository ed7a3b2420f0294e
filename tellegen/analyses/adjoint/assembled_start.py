"""States that were moved onto the invariants at the start, backwards.

    x - x0 + J' l = 0,  g(x, p) = 0       the nearest states to the guesses x0 (engine/initialization/assembly/)

    weights c on x:     N' (1 + H') N z = N' c,   a = N z,   J' b = c - (1 + H') a,       H = d(J' l)/dx

put -b on the residuals g and -l a' on their derivatives J, which then weigh on x0 and on p. Where guesses close the
loops l = 0, and x = x0 - J^+ g is all there is. Everything is in sizes of states. Velocities were moved after
positions, so they come first here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tellegen.analyses.adjoint.local_weights import Weights
from tellegen.engine.initialization.assembly.attempt import levels
from tellegen.engine.initialization.assembly.closures import (
    CURVED,
    STATIONARY,
    Closure,
    closure,
    no_closure,
    no_derivatives,
    opened,
)
from tellegen.engine.loaded.invariant_components import Components, components
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import BoolArray
from tellegen.start.records import dataclass

Pulled = Callable[[Weights], FloatArray]


@dataclass(frozen=True, eq=False)
class Moved:
    """What was moved: how far unknowns were, their sizes, and which of them assembly held."""

    way: FloatArray
    size: FloatArray
    held: BoolArray

    @staticmethod
    def nowhere(size: FloatArray) -> Moved:
        """Of a point that satisfies the invariants: weights lose what no motion along these sees."""
        return Moved(np.zeros(len(size)), size, np.zeros(len(size), bool))


class AssembledStart:
    """The components at the start, level by level."""

    def __init__(self, model: NativeModel, y: FloatArray, p: FloatArray, moved: Moved) -> None:
        self._model = model
        self._states = np.flatnonzero(model.reduced.is_state)
        self._steps: list[list[_Moved]] = []
        of = components(model.reduced, self._states)
        if of is None:
            return
        free = ~moved.held[self._states]
        size = moved.size[self._states]
        way = moved.way[self._states]
        derivatives = of.derivatives(y, p)
        order = levels(model, self._states, of)
        for level in np.unique(order)[::-1]:
            chosen = np.flatnonzero(order == level).tolist()
            closures = [closure(of, c, derivatives, free, size) for c in chosen]
            self._steps.append([_Moved(of, each, each.multipliers(way[each.states] / each.size)) for each in closures])
            for each in closures:
                if np.abs(each.along.T @ (way[each.states] / each.size)).max(initial=0.0) > STATIONARY:
                    raise no_derivatives(model, self._states[each.states])

    def refuse_open(self, by_direction: FloatArray, names: Sequence[str], _: Pulled) -> None:
        """E312 where residuals change in some direction so that no motion of the states makes up for it.

        `by_direction` are the derivatives of all unknowns in each direction, with the states held where they are.
        """
        for step in self._steps:
            for each in step:
                residuals = each.components.residuals_of(each.of.component)
                change = by_direction[residuals] / each.of.length[:, None]
                number = opened(change, change - each.of.reached(change))
                if number is not None:
                    raise no_closure(self._model, self._states[each.of.states], names[number])

    def put(self, weights: Weights, pulled: Pulled) -> None:
        """Add to weights what the states that were moved put on the residuals and their derivatives.

        `pulled` makes weights on states of weights on anything.
        """
        for step in self._steps:
            on_states = pulled(weights)[self._states]
            curvature = self._curvature(step, weights, pulled)
            for each, curved in zip(step, curvature, strict=True):
                c = on_states[each.of.states] * each.of.size[:, None]
                along = each.of.along
                matrix = np.eye(along.shape[1]) + along.T @ curved
                if along.shape[1] and np.linalg.svd(matrix, compute_uv=False)[-1] <= CURVED:
                    raise no_derivatives(self._model, self._states[each.of.states])
                z = np.linalg.solve(matrix, along.T @ c)
                a = along @ z
                each.add(weights, a, each.of.left @ (each.of.across.T @ (c - a - curved @ z)))

    def _curvature(self, step: list[_Moved], weights: Weights, pulled: Pulled) -> list[FloatArray]:
        """H' N of each component; zeros where guesses were consistent."""
        trial = Weights(len(weights.y), len(weights.p), max(each.of.along.shape[1] for each in step))
        curved = [each for each in step if each.multipliers.any()]
        for each in curved:
            each.add_derivatives(trial, each.of.along)
        if not curved or not len(trial.t):
            return [np.zeros_like(each.of.along) for each in step]
        on_states = -pulled(trial)[self._states]
        return [
            each.of.size[:, None] * on_states[each.of.states, : each.of.along.shape[1]]
            if each in curved
            else np.zeros_like(each.of.along)
            for each in step
        ]


@dataclass(frozen=True, eq=False)
class _Moved:
    """A component with its multipliers."""

    components: Components
    of: Closure
    multipliers: FloatArray

    def add(self, weights: Weights, a: FloatArray, b: FloatArray) -> None:
        """-b on the residuals, and what belongs to a on their derivatives."""
        residuals = self.components.residuals_of(self.of.component)
        weights.y[residuals] -= b / self.of.length[:, None]
        self.add_derivatives(weights, a)

    def add_derivatives(self, weights: Weights, a: FloatArray) -> None:
        """-l a' on the derivatives, in the first columns."""
        of = self.components
        mine = of.entries_of(self.of.component)
        moved = np.zeros((len(of.states_of(self.of.component)), a.shape[1]))
        moved[self.of.columns] = a * self.of.size[:, None]
        row = of.entry_row[mine]
        on_entry = of.sign[mine] * self.multipliers[row] / self.of.length[row]
        share = on_entry[:, None] * moved[of.entry_column[mine]]
        place = of.entry_place[mine]
        in_p = of.of_parameter[mine]
        columns = slice(0, a.shape[1])
        np.subtract.at(weights.y[:, columns], place[~in_p], share[~in_p])
        np.subtract.at(weights.p[:, columns], place[in_p], share[in_p])
