"""Components of invariants at a point that satisfies them: how free states may move there, in sizes of states.

    J = U S V'     rows of length one;  N: the directions in which no residual changes, J N = 0

The nearest point to guesses x0 is where x - x0 is a combination of rows alone, with multipliers l:

    x - x0 + J' l = 0        or   N' (x - x0) = 0
"""

from __future__ import annotations

import numpy as np

from tellegen.engine.diagnostics.invariant_drift import coordinates_text
from tellegen.engine.loaded.invariant_components import Components
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.errors import NumericError
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import BoolArray
from tellegen.start.records import dataclass

_REPEATED = 1e-5  # of rows of length one
_OPEN = 1e-6  # of a change of residuals: what no motion makes up for
STATIONARY = 1e-6  # of the sizes of states: how far from the nearest point a derivative may still be taken
CURVED = 1e-6  # of the squared distance: where it grows less with a motion, other points are as near


@dataclass(frozen=True, eq=False)
class Closure:
    """One component; see the top of this file."""

    component: int
    columns: IntArray  # of the component's Jacobian: those of the states that are free
    states: IntArray  # their numbers
    size: FloatArray
    length: FloatArray  # of the rows
    left: FloatArray  # U / S
    across: FloatArray  # V
    along: FloatArray  # N

    def way(self, x: FloatArray, origin: FloatArray) -> FloatArray:
        """How far the states have moved."""
        return (x - origin)[self.states] / self.size

    def multipliers(self, way: FloatArray) -> FloatArray:
        """l, by least squares."""
        return -self.left @ (self.across.T @ way)

    def reached(self, change: FloatArray) -> FloatArray:
        """The part of changes of residuals, in lengths of rows, that some motion of the states makes up for."""
        directions, _ = np.linalg.qr(self.left)
        return directions @ (directions.T @ change)

    def scaled(self, jacobian: FloatArray) -> FloatArray:
        """Derivatives of the component's residuals by all its states, as J has them."""
        return jacobian[:, self.columns] * self.size / self.length[:, None]


def closure(of: Components, component: int, derivatives: FloatArray, free: BoolArray, size: FloatArray) -> Closure:
    """A component with the derivatives of all entries; states that are `free` may move, `size` are those of all."""
    states = of.states_of(component)
    columns = np.flatnonzero(free[states])
    jacobian = of.dense(component, derivatives)
    lengths = np.linalg.norm(jacobian * size[states], axis=1)
    length = np.where(lengths > 0.0, lengths, 1.0)
    moved = states[columns]
    rows = jacobian[:, columns] * size[moved] / length[:, None]
    left, singular, right = np.linalg.svd(rows, full_matrices=True)
    rank = int((singular > _REPEATED).sum())
    return Closure(
        component=component,
        columns=columns,
        states=moved,
        size=size[moved],
        length=length,
        left=left[:, :rank] / singular[:rank],
        across=right[:rank].T,
        along=right[rank:].T,
    )


def no_derivatives(model: NativeModel, states: IntArray) -> NumericError:
    """E312; `states` are places in the solver's vector."""
    flat = model.reduced.flat
    names = coordinates_text(model.reduced, states)
    return NumericError(
        "E312",
        f"{flat.name}: the start is assembled from guesses ({names}) that are as near to other positions as to the one "
        "that was found, so that it has no derivatives",
        advice="fix the start of one coordinate for each freedom (fixed=True),\n"
        "or give guesses that are nearer to the position that is meant",
    )


def opened(change: FloatArray, left: FloatArray) -> int | None:
    """The first direction in which a part of the change of residuals is left that no motion makes up for."""
    largest = np.maximum(np.abs(change).max(axis=0, initial=0.0), _OPEN)
    found = np.flatnonzero(np.abs(left).max(axis=0, initial=0.0) > _OPEN * largest)
    return int(found[0]) if len(found) else None


def no_closure(model: NativeModel, states: IntArray, name: str) -> NumericError:
    """E312 of a loop that a change of one design variable opens; `states` are places in the solver's vector."""
    flat = model.reduced.flat
    names = coordinates_text(model.reduced, states)
    return NumericError(
        "E312",
        f"{flat.name}: no position of its loop ({names}) follows a change of '{name}', so that there is no derivative",
        advice="a planar loop is closed only while its parts stay in their plane: vary parameters that keep it,\n"
        "or several at once: wrt=[{'offset': {'coupler.r[1]': 1.0, 'base.r[1]': 1.0}}]",
    )
