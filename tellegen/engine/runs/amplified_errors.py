"""States whose tolerances leave algebraic unknowns undetermined.

    a coil in series with a diode that blocks     1e-12 A decide over volts, of which 1e-9 A say nothing

An algebraic unknown z follows from the states x, and so does its error: dz = -(dF/dz)^-1 dF/dx dx. Where the absolute
tolerance of a state moves a z by a notable part of its own size, the state needs a smaller one, however large the
state is at other times. The error test of the states does not see it, and the steps look fine.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.engine.integrators.dynamic_state_selection import depends_on_point
from tellegen.engine.loaded.local_equations import LocalSystem
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.results.solution import Solution
from tellegen.ir.model import FloatArray

_NOTABLE = 1e-2  # of the size of an algebraic unknown
_UNDETERMINED = 1e-2
_WANTED = 1e-3
_MOST_UNKNOWNS = 300
_ROWS = 8  # of the solution, at which it is looked at


def wanted_tolerances(model: NativeModel, solution: Solution, atol: FloatArray, size: FloatArray) -> FloatArray:
    """Absolute tolerances that the unknowns need; infinite where those they have are small enough."""
    count = len(size)
    wanted = np.full(count, np.inf)
    is_state = model.reduced.is_state
    if count > _MOST_UNKNOWNS or is_state.all() or not is_state.any():
        return wanted
    if depends_on_point(model):  # gains are large where the states are badly chosen, which is watched
        return wanted
    largest = np.maximum(size, np.abs(solution.unknowns).max(axis=0))
    for row in np.unique(np.linspace(0, len(solution.time) - 1, _ROWS).astype(int)).tolist():
        gain = _gains(model, solution, row)
        if gain is None:
            continue
        relative = np.abs(gain[~is_state]) / largest[~is_state, None]  # of each algebraic unknown, by each state
        strongest = relative.max(axis=0)
        for k in np.flatnonzero(strongest * atol[is_state] > _NOTABLE).tolist():
            state = int(np.flatnonzero(is_state)[k])
            if _moves(_system(model, solution, row), state, float(atol[state]), largest):
                wanted[state] = min(wanted[state], _WANTED / float(strongest[k]))
    return wanted


def _moves(system: LocalSystem, state: int, by: float, largest: FloatArray) -> bool:
    """Whether a state that moves by its tolerance moves an algebraic unknown by much of its size.

    Gains alone may be those of a square root at zero.
    """
    here = system.y
    for way in (by, -by):
        there = here.copy()
        there[state] += way
        found = system.solved(system.t, there)
        if found is not None:
            moved = np.abs(system.values(found) - here) / largest
            if bool((moved[~system.is_state] > _UNDETERMINED).any()):
                return True
    return False


def _system(model: NativeModel, solution: Solution, row: int) -> LocalSystem:
    """The equations at a row of the solution."""
    history = solution.history
    p = solution._p if history is None else history.numbers(int(history.segment[row]))
    system = LocalSystem(model, p)
    system.t = float(solution.time[row])
    system.y = solution.unknowns[row]
    return system


def _gains(model: NativeModel, solution: Solution, row: int) -> Any:
    """How much the unknowns move with each state at a row of the solution; None where that has no answer."""
    system = _system(model, solution, row)
    u = np.where(system.is_state, 0.0, system.y)
    pattern = system.pattern
    place = pattern.indices, pattern.column_of_entry
    by_unknowns = np.zeros(pattern.shape)
    by_unknowns[place] = system.jacobian(u)
    by_values = np.zeros(pattern.shape)
    by_values[place] = system.by_values(u)
    try:
        gain = np.linalg.solve(by_unknowns, by_values[:, system.is_state])
    except np.linalg.LinAlgError:
        return None
    return gain if np.isfinite(gain).all() else None
