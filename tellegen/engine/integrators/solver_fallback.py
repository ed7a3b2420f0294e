"""Which solver follows which: all such decisions, and nothing else.

A solver that was asked for by name is never replaced. With solver="auto":

    model      solver       stops because                      then
    smooth     rk45         the model is stiff                 CVODE continues where it stands
    smooth     rk45         anything else                      CVODE repeats the run from the start
    smooth     rk45, cvode  an algebraic loop has no solution  IDA repeats the run, kept if it gets further
    delays     rk45         the model is stiff                 Rodas continues where it stands
    any        rk45, cvode  a loop that is linear is singular  IDA repeats the run, kept if it gets further
    smooth     ida          steps fail, of a large loop        CVODE repeats the run, kept if it gets further
    events     rk45         anything                           CVODE continues where it stands
    events     rk45         60 events in 1e-6 of the interval  CVODE continues where it stands
    events     cvode        events follow after few steps      Rodas continues, in a model of up to 100 unknowns
    events     rodas        many steps without an event        CVODE continues where it stands
    events     rodas        anything else                      CVODE continues where it stands
    events     cvode        an algebraic loop has no solution  IDA continues where it stands
    events     rk45, rodas  chattering, events do not settle   CVODE repeats the run, kept if it gets further
    events     cvode, ida   the Newton matrix is singular      rk45 repeats the run, kept if it gets further
    events     any          all of this fails at an event      rk45 repeats the run, with loads shared (below)
    no states  rk45         steps fail, events do not settle   IDA repeats the run, kept if it gets further

An explicit step on a few states costs half of one of CVODE's, needs no Jacobian and starts at full order, so small
models begin with it (choose_solver.py). Failures are reported by the last solver: what a user reads does not depend on
which one was tried first. Ctrl-C ends a run whoever is at work.

CVODE starts with tiny steps of order one after every event, Rodas with long ones of order five. A step of Rodas costs
five of CVODE's, and brings it further: where CVODE takes fewer than about 105 steps from event to event Rodas is
faster, or as fast and more accurate; where it takes more, CVODE is faster (benchmarks/stiff_events.py).
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from enum import Enum
from typing import NamedTuple

from tellegen.engine.events.event_handler import EventHandler
from tellegen.engine.integrators.choose_solver import STEPS_WITHOUT_STATES, follows_loops, has_delays
from tellegen.engine.integrators.cvode import Cvode
from tellegen.engine.integrators.ode_integrator import OdeRun
from tellegen.engine.integrators.rk45 import Rk45
from tellegen.engine.integrators.rodas import Rodas
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.native.flags import NOT_EVALUATED, Flag
from tellegen.engine.native.outcome import Outcome, OutcomeCode
from tellegen.engine.request.run_options import Options
from tellegen.engine.request.run_state import RunState
from tellegen.engine.request.scales import AbsoluteTolerances
from tellegen.ir.model import FloatArray

_UNSOLVED = (Flag.ERROR_TEST, Flag.NO_CONVERGENCE, *NOT_EVALUATED, Flag.ROOT_FUNCTION)
_UNSETTLED = (OutcomeCode.CHATTERING, OutcomeCode.EVENT)
_UNSOLVED_LOOPS = (OutcomeCode.NO_CONVERGENCE, OutcomeCode.SINGULAR)
_FAILED_STEPS = (OutcomeCode.NO_CONVERGENCE, OutcomeCode.STEP_TOO_SMALL)
_SHORT_SEGMENT = 105  # steps of CVODE, on the average of the last segments
_SEGMENTS = 8
_SMALL = 100  # unknowns: a factorization for every step costs little
_CROWDED = 1e-6  # part of the interval in which the last events of the list are: steps jump across a corner and back
_NEVER_ENDING = 1e-9
_AS_ASKED = "solver='{solver}' was asked for and does not give way to others; solver='auto' tries several"
_SHARED_FORCES = (
    "where several parts hold the same motion, such as brakes at rest, how they share the force is not determined:\n"
    "IDA needs a single solution, solver='auto' takes one of them"
)
_LOOSEST = 1e-6  # rtol of Rodas with root functions: in the dense output of its long steps roots may be false


class Successor(Enum):
    """Who continues a run."""

    CVODE = "cvode"
    RODAS = "rodas"
    IDA = "ida"


class Rk45UntilStiff(Rk45):
    """Gives up when more steps remain at the border of stability than CVODE takes for a whole small run."""

    patience = 300


class RodasWhileEventsAreDense(Rodas):
    """Gives up after more steps without an event than CVODE makes in a short segment, one for each five of those."""

    patience = 50

    def __init__(
        self, system: OdeSystem, options: Options, absolute: AbsoluteTolerances, events: EventHandler | None = None
    ) -> None:
        super().__init__(system, options, absolute, events)
        if self.events is not None:
            self.rtol = min(self.rtol, _LOOSEST)


class EventDensity:
    """How often a run has events, by the steps that CVODE takes between them."""

    def __init__(self) -> None:
        self._steps: deque[int] = deque(maxlen=_SEGMENTS)  # of the last segments

    def note(self, steps: int) -> None:
        """A segment ended at an event, after so many steps."""
        self._steps.append(steps)

    @property
    def is_high(self) -> bool:
        """Whether the last segments were short."""
        return len(self._steps) == _SEGMENTS and sum(self._steps) <= _SEGMENTS * _SHORT_SEGMENT


class Ran(NamedTuple):  # every run has one, and a dataclass takes twice the time
    """A run without events that is over."""

    integration: OdeRun  # the one that ended it
    output: FloatArray  # the unknowns at the output times that were reached
    outcome: Outcome


def first_method(solver: str, options: Options, explicit_alone: bool = False) -> type[OdeRun]:
    """What a run in ODE mode begins with; only the explicit method runs without states, no other may follow it."""
    if solver == "cvode":
        return Cvode
    if solver == "rodas":
        return Rodas
    if options.solver == "auto" and not explicit_alone:
        return Rk45UntilStiff
    return Rk45


def run_smooth(
    system: OdeSystem, solver: str, options: Options, absolute: AbsoluteTolerances, state: RunState | None = None
) -> Ran:
    """A run without events, from consistent values in the system's work vector; it may continue from a state."""
    first_choice = system.model
    start = system.y.copy() if system.keeps_states else None  # else the first row of output has all of them
    first = first_method(solver, options, not len(system.states))(system, options, absolute)
    if state is not None:
        first.resume(state)
    if not len(system.states) and follows_loops(system.model):
        first.largest = min(first.largest, options.length / STEPS_WITHOUT_STATES)
    flag = first.integrate()
    if flag >= 0 or flag == Flag.INTERRUPTED or not isinstance(first, Rk45UntilStiff):
        return Ran(first, *first.result(flag))
    if flag != Flag.STIFF:
        system.select(first_choice)
        system.y[:] = first.output[0] if start is None else start
        system.rhs(options.start, system.y[system.states])
        system.forget_divisors()
    last = Cvode(system, options, absolute)
    if flag == Flag.STIFF:
        last.take_over(first)
    return Ran(last, *last.run())


def successor(run: OdeRun, flag: int, options: Options) -> Successor | None:
    """Who continues a segment that ended with this flag; None: nobody, the flag stands."""
    if flag >= 0 or flag == Flag.INTERRUPTED:
        return None
    if isinstance(run, Rk45UntilStiff) and has_delays(run.model):  # only one-step methods store the past
        return Successor.RODAS if flag == Flag.STIFF else None
    if isinstance(run, Rk45UntilStiff | RodasWhileEventsAreDense):
        return Successor.CVODE
    if isinstance(run, Cvode) and flag in _UNSOLVED and options.solver == "auto":
        return Successor.IDA
    return None


def successor_after_event(run: OdeRun, density: EventDensity, options: Options) -> Successor | None:
    """Who continues after an event; None: the same method."""
    suits = len(run.system.y) <= _SMALL and density.is_high
    return Successor.RODAS if suits and isinstance(run, Cvode) and options.solver == "auto" else None


def densest(run: object) -> float:
    """The part of the interval in which the last events must not all lie with this method."""
    return _NEVER_ENDING if successor_where_events_crowd(run) is None else _CROWDED


def successor_where_events_crowd(run: object) -> Successor | None:
    """Who continues where events follow each other more densely than that; None: nobody, they never end."""
    return Successor.CVODE if isinstance(run, Rk45UntilStiff) and not has_delays(run.model) else None


def ida_may_help(outcome: Outcome, options: Options) -> bool:
    """Whether a smooth run is worth repeating with all unknowns at once."""
    return outcome.code in _UNSOLVED_LOOPS and options.solver == "auto"


def all_unknowns_may_help(outcome: Outcome, solver: str, options: Options) -> bool:
    """Whether a run with events is worth repeating with all unknowns at once.

    A line of a hundred coupled inductances is such a case: what is eliminated first leaves rounding errors as pivots.
    """
    return options.solver == "auto" and solver != "ida" and outcome.code is OutcomeCode.SINGULAR


def no_matrix_may_help(outcome: Outcome, solver: str, options: Options) -> bool:
    """Whether a run is worth repeating with an explicit method, which needs no matrix.

    Modelica's example IMC_Conveyor is such a case: the matrices of implicit methods are singular at t = 10.204 s, for a
    reason that is not known, and the explicit method reaches the stop time.
    """
    return options.solver == "auto" and solver != "rk45" and outcome.code is OutcomeCode.SINGULAR


def shared_loads_may_help(outcome: Outcome, options: Options) -> bool:
    """Whether a run is worth repeating with one of the solutions of blocks that are singular (block_newton.py).

    Three brakes that hold a shaft are such a case. Matrices of implicit methods are singular there too.
    """
    return options.solver in ("auto", "rk45") and outcome.code in (*_UNSETTLED, OutcomeCode.SINGULAR)


def states_may_help(outcome: Outcome, options: Options) -> bool:
    """Whether a smooth run with all unknowns at once is worth repeating with the states alone.

    A chain of transistors with charges is such a case: a current of 1e-12 A decides over a rate of 1e8 V/s.
    """
    return options.solver == "auto" and outcome.code in _FAILED_STEPS


def with_advice_on_solver(outcome: Outcome, options: Options) -> Outcome:
    """How a run was stuck, with what the table above would have done about it."""
    if outcome.ok or options.solver == "auto":
        return outcome
    advice = _AS_ASKED.format(solver=options.solver)
    if options.solver == "ida" and outcome.code is OutcomeCode.SINGULAR:
        advice = f"{_SHARED_FORCES}\n{advice}"
    return replace(outcome, advice=f"{outcome.advice}\n{advice}")


def cvode_may_help(outcome: Outcome, solver: str, options: Options) -> bool:
    """Whether a run with events is worth repeating with CVODE.

    A stiff circuit of diodes whose currents all begin at zero is such a case: an explicit step overshoots the corner.
    """
    return options.solver == "auto" and solver in ("rk45", "rodas") and outcome.code in _UNSETTLED


def another_may_help(outcome: Outcome, options: Options) -> bool:
    """Whether a run without states is worth repeating with errors of unknowns to test."""
    return options.solver == "auto" and outcome.code in (*_UNSETTLED, *_FAILED_STEPS)
