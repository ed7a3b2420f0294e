"""The initial instant of a model with events: initial values at rest first, then the jumps that they set off.

    1  initial system, flags, discrete values and when-statements, until they agree; reinit is left out
    2  where a reinit was due, the instant as an event like any other: from the states that were found the when-
       statements fire again, states jump, and everything else follows from them

In one go the start values would be put back over every jump; and a state would jump away from initial values that do
not yet know what other when-statements assign in that instant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tellegen.engine.events.event_handler import EventHandler, Happening, NativeSolve, Solve
from tellegen.engine.initialization.initial_solver import InitialSolver
from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.consistent import Consistent
from tellegen.ir.events import ASSIGN, REINIT
from tellegen.ir.model import FloatArray

NOTHING = -1  # the verb of an action that is left out


class Instant(NamedTuple):
    """y and y' after the instant, and what happened."""

    y: FloatArray
    yp: FloatArray
    done: Happening


def at_rest(point: Point, solver: InitialSolver, solved: Callable[[], Consistent]) -> Instant:
    """The first step: initial values and discrete values that agree, by native steps; `solved` where these fail."""
    model = solver.system.model
    machine = _without_jumps(model, point.p)
    machine.guess(point.t, solver.system.y)
    point.p[machine.events.initial_index] = machine.events.reads_initial
    with solver.steps() as steps:
        if not steps.run(point.t):
            steps.y[:], steps.yp[:] = solved()
        code = NativeSolve(steps.address, steps.problem.address)
        machine.bind_native(steps.y, steps.yp, code, lambda *_: solved())
        done = machine.settle(point.t)
        found = Instant(steps.y.copy(), steps.yp.copy(), done)
    model.caches.initial_events.append(machine)
    return found


def _without_jumps(model: NativeModel, p: FloatArray) -> EventHandler:
    """Events that leave reinit out; no other run has them until they are put back into the cache."""
    try:
        machine = model.caches.initial_events.pop()  # atomic, so threads need no lock
    except IndexError:
        machine = EventHandler(model, p)
        verb = machine.tables.shared["action_verb"]
        machine.record.set(action_verb=np.where(verb == REINIT, NOTHING, verb).astype(verb.dtype))
    else:
        machine.renew(p)
    return machine


def steady_instant(
    model: NativeModel, point: Point, guess: FloatArray, solved: Callable[[], Consistent], ticks: bool
) -> Instant:
    """The same in steady state, by `solved` alone; without `ticks` no clock is due."""
    machine = _without_jumps(model, point.p)
    machine.guess(point.t, guess)
    if not ticks:
        machine.record.kept["tick_time"][:] = np.inf
    point.p[machine.events.initial_index] = machine.events.reads_initial
    y, yp = solved()
    machine.bind(y, yp, lambda *_: solved())
    found = Instant(y, yp, machine.settle(point.t))
    model.caches.initial_events.append(machine)
    return found


def reinits(model: NativeModel, done: Happening) -> set[tuple[int, int]]:
    """The when-statements and branches that fired and have a reinit."""
    events = model.reduced.events
    assert events is not None
    actions = events.actions
    jumps = np.flatnonzero(actions.verb == REINIT)
    return set(done.fired) & set(zip(actions.when[jumps].tolist(), actions.branch[jumps].tolist(), strict=True))


def with_jumps(model: NativeModel, point: Point, before: FloatArray, found: Consistent, follow: Solve) -> Instant:
    """The second step, from the values found in the first; `before` are the discrete values that it began with.

    Discrete variables given by equations agree with the initial values already; those that when-statements assign
    begin once more.
    """
    machine = EventHandler(model, point.p)
    shared = machine.tables.shared
    assigned = shared["action_index"][shared["action_verb"] == ASSIGN]
    point.p[assigned] = before[assigned]
    y = found.y.copy()
    yp = found.yp.copy()

    def solve(t: float, y: FloatArray, yp: FloatArray) -> Consistent | None:
        return follow(t, y, yp) if machine.record.get("jumped") else found

    machine.bind(y, yp, solve)
    machine.begin(point.t)
    done = machine.settle(point.t)
    if done.failed is None and not machine.record.get("jumped"):  # what made it fire did not hold at the end
        after = follow(point.t, y, yp)
        if after is None:
            done.failed = "no consistent values were found after the event"
        else:
            y, yp = after
    return Instant(y, yp, done)
