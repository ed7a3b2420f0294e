"""Where a run stands at an instant: what another run needs to continue from there as if there had been no interruption.

    half = tg.simulate(model, 1.0)
    rest = tg.simulate(model, 2.0, initial=half.at(1.0))

A Snapshot of a run brings its RunState along. What has happened at the instant has happened: discrete values, the
flags of relations and the past of delayed signals are taken over, and nothing acts a second time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tellegen.engine.request.scales import Peaks, Scales
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedModel
from tellegen.start.records import dataclass


@dataclass(frozen=True, eq=False)
class DelayedSignals:
    """The past of delayed signals as it was noted, and the events whose effects come back after a delay."""

    time: FloatArray
    value: FloatArray  # a row for each time
    jump_time: FloatArray
    jump_age: FloatArray


@dataclass(frozen=True, eq=False)
class Hysteresis:
    """Bands around zero that conditions got because they chattered (chattering="regularize"), zero for all others."""

    time: float
    band: FloatArray


class EventMemory(NamedTuple):
    """What event code has seen of a run; arrays of the record of its events (engine/runtime/events/event_record.py)."""

    largest_difference: FloatArray
    last_return: FloatArray
    return_gap: FloatArray
    last_fired: FloatArray
    fired_gap: FloatArray
    gap_ratio: FloatArray
    shrinking: Any


class LastStep(NamedTuple):  # every run has one, and a dataclass takes twice the time
    """How a run ended: known of its last instant alone."""

    solver: str = ""
    step_control: bytes = b""  # of one-step methods: the next step, how stiff it seems (engine/integrators/one_step.py)
    events: EventMemory | None = None


NO_LAST_STEP = LastStep()


@dataclass(frozen=True, eq=False)
class RunState:
    """A run after everything that happens at an instant."""

    model: ReducedModel
    t: float
    unknowns: FloatArray
    rates: FloatArray  # not a number where they are not known
    p: FloatArray  # parameters; then discrete values, flags and what pre() reads
    length: float  # of the run, to which its longest step is related
    scales: Scales | None = None
    peaks: Peaks | None = None  # at the end of a run; without them tolerances grow again from the present values
    delayed: DelayedSignals | None = None
    hysteresis: Hysteresis | None = None
    last: LastStep = NO_LAST_STEP
    warned: frozenset[str] = frozenset()  # conditions of assertions and limits that it has warned of


class RunPoint(Mapping[str, Any]):
    """Values by path that may be those of a run, which can continue from there."""

    run_state: RunState | None = None
