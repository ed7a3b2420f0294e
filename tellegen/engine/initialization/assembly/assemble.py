"""Start values that satisfy the invariants: a mechanism is assembled from rough guesses of its coordinates.

States with fixed start values are held, the others moved as little as possible, relative to their sizes (attempt.py).
Initial equations determine their states before and are satisfied again with the states that were moved.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np

from tellegen.engine.initialization.assembly.attempt import OPEN, Assembly
from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.initialize import free_at_start, initialize
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.parameter_and_start_vectors import Starts
from tellegen.errors import NumericError
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import BoolArray

_ROUNDS = 10  # of initial equations and invariants in turn
_SHOWN = 4


def assembled(model: NativeModel, point: Point, starts: Starts) -> Starts:
    """The start values, with states that satisfy the invariants; an error names those that cannot be satisfied."""
    if model.reduced.invariants is None or model.ode.reason:
        return starts
    system = model.ode.lease(model, point.p, starts.scales.size)
    assert system.projection is not None
    held = held_at_start(model, starts, system.states)
    alone = _are_alone(model, starts)
    guess = starts.value[system.states]
    y = starts.value
    for _ in range(_ROUNDS):
        y = starts.value
        p = point.p.copy()
        if not alone:
            y = initialize(model, Point(point.t, p), starts, jumps=False).y
        system.p[:] = p
        system.y[:] = y
        origin = np.where(held, y[system.states], guess)
        moved = _moved(Assembly(system, system.projection, point.t, ~held, origin), starts.wanted[system.states])
        if np.array_equal(moved, y[system.states]):
            break
        value = starts.value.copy()
        value[system.states] = moved
        starts = replace(starts, value=value)
        if alone:
            break
    else:
        _refuse_unsettled(model, starts, y)
    system.projection.forget_ranks()
    model.ode.give_back(system)
    return starts


def _refuse_unsettled(model: NativeModel, starts: Starts, before: FloatArray) -> None:
    """E301 where initial equations and invariants move states in turn without an end."""
    states = np.flatnonzero(model.reduced.is_state)
    way = np.abs(starts.value - before)[states] / starts.scales.size[states]
    if way.max(initial=0.0) <= OPEN:
        return
    flat = model.reduced.flat
    most = np.argsort(-way)[:_SHOWN]
    names = ", ".join(f"'{flat.variables.name(int(model.reduced.unknowns[states[k]]))}'" for k in most)
    raise NumericError(
        "E301",
        f"{flat.name}: no start values were found that satisfy both the initial equations and the invariants (closed "
        f"loops): {names} keep changing",
        advice="give start values with fixed=True instead of initial equations between coordinates of one loop",
    )


def held_at_start(model: NativeModel, starts: Starts, states: IntArray) -> BoolArray:
    """The states that are fixed, or that initial equations determine."""
    held = (starts.fixed | starts.promised)[states]
    return held if _are_alone(model, starts) else held | free_at_start(model, starts).free.values[states]


def not_moved(guessed: Starts, found: Starts) -> BoolArray:
    """The unknowns that assembly held: fixed ones, and those that the user asked for, where it could be closed so."""
    held = guessed.fixed | guessed.promised
    could = np.array_equal(found.value[guessed.wanted], guessed.value[guessed.wanted])
    return held | guessed.wanted if could else held


def _are_alone(model: NativeModel, starts: Starts) -> bool:
    """Whether start values of states are all there is to the start."""
    return model.reduced.events is None and not model.program.initial_size and starts.states_alone


def _moved(assembly: Assembly, wanted: BoolArray) -> FloatArray:
    """States that close the loops: with those that the user asked for where they can be had, else without."""
    system = assembly.system
    guess = system.y[system.states]
    if (wanted & assembly.free).any():
        with suppress(NumericError):
            return replace(assembly, free=assembly.free & ~wanted).run(guess)
        system.y[system.states] = guess
    return assembly.run(guess)
