"""States that were moved onto the invariants at the start, backwards.

    x = x0 - J^+ g(x0, p):      weights c on x put  -(J^+)' c  on the residuals g,  which then weigh on x0 and on p

J^+ moves the states that were free, as little as possible relative to their sizes (engine/initialization/assemble.py).
Velocities were moved after positions, so they come first here. The formula is that of states that the start values
nearly satisfy: where guesses are rough and leave the mechanism free to move, it takes the assembled states for given.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tellegen.engine.initialization.assemble import levels
from tellegen.engine.loaded.invariant_components import components
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.parameter_and_start_vectors import Starts
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import BoolArray

_REPEATED = 1e-5  # of the largest singular value


class AssembledStart:
    """The components at the start, with the pseudoinverse of each."""

    def __init__(self, model: NativeModel, y: FloatArray, p: FloatArray, starts: Starts, held: BoolArray) -> None:
        """`starts` are the assembled ones, `held` says which unknowns assembly did not move."""
        states = np.flatnonzero(model.reduced.is_state)
        self._steps: list[list[tuple[IntArray, IntArray, FloatArray]]] = []  # places of residuals and states, J^+
        of = components(model.reduced, states)
        if of is None:
            return
        free = ~held[states]
        size = starts.scales.size[states]
        values = of.derivatives(y, p)
        order = levels(model, states, of)
        for level in np.unique(order)[::-1]:
            step = []
            for c in np.flatnonzero(order == level).tolist():
                entries = slice(of.entry_start[c], of.entry_start[c + 1])
                mine = of.states_of(c)
                J = np.zeros((len(of.residuals_of(c)), len(mine)))
                np.add.at(J, (of.entry_row[entries], of.entry_column[entries]), values[entries])
                moved = np.flatnonzero(free[mine])
                scaled = J[:, moved] * size[mine[moved]]
                inverse = size[mine[moved], None] * np.linalg.pinv(scaled, rcond=_REPEATED)
                step.append((of.residuals_of(c), states[mine[moved]], inverse))
            self._steps.append(step)

    def put_on_residuals(self, weights: FloatArray, weights_of_starts: Callable[[], FloatArray]) -> None:
        """Add to weights on unknowns what the states that were moved put on the residuals."""
        for step in self._steps:
            on_states = weights_of_starts()
            for residuals, moved, inverse in step:
                weights[residuals] -= inverse.T @ on_states[moved]
