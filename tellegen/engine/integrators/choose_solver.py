"""Which solver a run uses, and why.

Where everything else can be computed from the states, step by step, only the states are integrated (cvode): three
times faster than all unknowns at once (ida) on ladders of any size. Small models are tried with the explicit method
first (engine/integrators/solver_fallback.py), and so are mechanisms of any size. Large algebraic loops and long chains
of equations are for ida, with its one sparse matrix. States that must be chosen as the model runs are watched by all of
them.

Without states the explicit method goes from event to event and has no errors to test: unknowns are computed at output
points, and where relations are watched, signals delayed or loops not linear, in steps of a fixed length. Loops that
are not linear are for IDA then, whose steps follow one solution as far as it goes: at a time further on, Newton's
method may find another. FMUs have the explicit method (exporters/image/trial_run.py compares both).
"""

from __future__ import annotations

import numpy as np

from tellegen.engine.integrators.dynamic_state_selection import depends_on_point
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.errors import NumericError
from tellegen.ir.ode import Solve
from tellegen.start.records import dataclass

_DELAYS = "it has delays: after each jump that comes back a one-step method continues at full order"
LARGEST_LOOP = 60
"""Unknowns solved together in one algebraic loop above which IDA's single matrix is better."""

SMALL_PART = 8
"""But a loop of less than this part of all unknowns costs little beside the others, and CVODE tests errors of states
alone (adders of 1 and 4 bits: loops of 90 and 118 among 820 and 3 347 unknowns, half of IDA's time)."""

LARGEST_LINEAR_LOOP = 3000
"""The same for linear loops, which need no iteration, of a model with few states: the accelerations and forces of a
mechanism (MSL's EngineV6_analytic: 734 unknowns from 4 states, 4 s with CVODE, while IDA takes tiny steps)."""

UNKNOWNS_OF_A_STATE = 12
"""And of one with many states: capacitances that tie each node of a circuit to the next (rings of 101 and 1001 MOS
inverters with charges: 910 and 9 010 unknowns from 101 and 1 001 states, half of IDA's time and memory)."""

MANY_UNKNOWNS = 100
"""Above so many, six evaluations for an explicit step cost more than CVODE's housekeeping."""

MANY_STATES = 30
"""But up to so many states the explicit method begins, however many unknowns are computed from them: these make an
evaluation dearer, and CVODE's matrix more so. A model with more of both is likely to be stiff."""

STEPS_WITHOUT_STATES = 500
"""No error limits the steps there, between which relations are watched, loops followed and delayed signals noted."""

MANY_WITH_EVENTS = 20_000
"""After an event an explicit method continues at full order, while CVODE begins with tiny steps of order one."""

MANY_ITERATED = 50
"""But in each explicit step nonlinear loops of so many unknowns are iterated for six times, while CVODE solves for them
with the states: circuits of transistors, which are stiff (adder of 16 bits: the attempt takes 4 % of the run)."""

LONG_LINEAR_LOOP = 500
"""The same for the unknowns of one linear loop whose matrix changes (ring of 101 with charges: 910; CVODE takes 0.8
of the time)."""


@dataclass(frozen=True)
class SolverChoice:
    """A solver and the reason for it."""

    solver: str
    reason: str
    is_last: bool = False  # the explicit method does not give way where the model is stiff
    keeps_sizes: bool = False  # those of unknowns that are small at the start too
    shares_loads: bool = False  # one of several solutions is taken (engine/runtime/algebra/block_newton.py)


def choose(model: NativeModel, wanted: str) -> SolverChoice:
    """The solver for a run."""
    if not len(model.reduced.unknowns) and not model.ode.reason:
        return SolverChoice("rk45", "no unknowns")  # the others watch no roots without unknowns
    if wanted == "ida":
        return SolverChoice("ida", "as asked")
    if wanted == "auto":
        return model.derived(_automatic)
    if wanted == "rk45" and not has_states(model) and not model.ode.reason:
        return SolverChoice("rk45", "as asked")
    why_not = _obstacle(model)
    if why_not:
        raise NumericError(
            "E311",
            f"{model.flat.name} cannot be integrated with solver='{wanted}': {why_not}",
            advice="use solver='auto'",
        )
    return SolverChoice(wanted, "as asked")


def _obstacle(model: NativeModel) -> str:
    """Why explicit evaluation is impossible; empty when it is possible."""
    return model.ode.reason if has_states(model) else "it has no states"


def has_states(model: NativeModel) -> bool:
    """Whether there is something to integrate."""
    return model.derived(_any_state)


def _any_state(model: NativeModel) -> bool:
    return bool(model.reduced.is_state.any())


def _solves(model: NativeModel) -> list[Solve]:
    """The algebraic loops."""
    return [step for step in model.ode.program.steps if isinstance(step, Solve)]


def _needs_no_steps(model: NativeModel) -> bool:
    """Whether time and what is discrete give every unknown, with one solution."""
    return not has_states(model) and not model.ode.reason and all(step.linear for step in _solves(model))


def follows_loops(model: NativeModel) -> bool:
    """Whether only loops that may have several solutions lead from one instant to the next."""
    return not has_states(model) and not model.ode.reason and not model.derived(_needs_no_steps)


def _without_states(model: NativeModel) -> SolverChoice:
    """For a model without states."""
    if model.derived(_needs_no_steps) or has_delays(model):
        return SolverChoice("rk45", "no states: unknowns are computed at events and output points")
    return SolverChoice("ida", "it has no states")


def other_method(model: NativeModel, solver: str) -> str:
    """What a run that got stuck may be repeated with; empty where there is nothing else."""
    if has_delays(model) or model.ode.reason:
        return ""
    if has_states(model):
        return "cvode"
    return "ida" if solver == "rk45" else ""


def has_delays(model: NativeModel) -> bool:
    """Whether something is read of the past."""
    return model.reduced.events is not None and bool(len(model.reduced.events.delays.index))


def _size(step: Solve) -> int:
    """The unknowns of a loop."""
    return int(np.diff(step.tear_start).max())


def _is_cheap(step: Solve, states: int) -> bool:
    """Whether a loop may be large: it is linear, and there are few states, or few of its unknowns for each of them."""
    if not step.linear:
        return False
    few = states <= MANY_STATES and _size(step) <= LARGEST_LINEAR_LOOP
    return few or _size(step) <= UNKNOWNS_OF_A_STATE * states


def _has_dear_loops(model: NativeModel) -> bool:
    """Whether loops take most of an explicit step."""
    longest = max(map(_size, model.ode.program.changing_loops), default=0)
    return len(model.ode.iterated) >= MANY_ITERATED or longest >= LONG_LINEAR_LOOP


def _automatic(model: NativeModel) -> SolverChoice:
    reduced = model.reduced
    if not has_states(model) and not (has_delays(model) and model.ode.reason):
        return _without_states(model)
    if has_delays(model) and not model.ode.reason:
        return SolverChoice("rk45", _DELAYS)
    if model.ode.reason:
        return SolverChoice("ida", model.ode.reason)
    solves = _solves(model)
    states = int(reduced.is_state.sum())
    loop = max(map(_size, solves), default=0)
    largest = max((_size(step) for step in solves if not _is_cheap(step, states)), default=0)
    count = len(reduced.unknowns)
    if largest > max(LARGEST_LOOP, count // SMALL_PART) and reduced.flat.mechanism is None:
        return SolverChoice("ida", f"an algebraic loop of {largest} unknowns")
    text = f"{count} unknowns computed from {states} states"
    if depends_on_point(model):
        text += ", reselected where others are much better"
    is_small = not solves and (count <= MANY_UNKNOWNS or states <= MANY_STATES)
    if depends_on_point(model) or reduced.flat.mechanism is not None:
        is_small = True  # mechanisms swing: the errors of BDF add up, those of the explicit method less
    if reduced.events is not None:
        is_small = count <= MANY_WITH_EVENTS and not _has_dear_loops(model)
    if is_small:
        return SolverChoice("rk45", f"{text}: explicit method while not stiff")
    return SolverChoice("cvode", f"{text}, algebraic loops of at most {loop}" if loop else text)
