"""What makes a run faster, from what limited its steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tellegen.dataflow.code_loops import functions_of
from tellegen.engine.diagnostics.step_log import LogPart
from tellegen.engine.events.event_sources import EventSource
from tellegen.engine.explained.limits import Kind, Limiter, StepLimits
from tellegen.engine.request.run_options import Options
from tellegen.foreign import CFunction
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedModel
from tellegen.start.records import dataclass
from tellegen.symbolic.kernels.kernel import Kernel

# below these numbers nothing is worth a change
_MANY_STEPS = 100
_MANY_EVENTS = 50
_MANY_POINTS = 2000
# parts of all steps that are worth mentioning
_DOMINANT = 0.4
_OFTEN = 0.2
_MOSTLY = 0.5
_FEW_STEPS = 30  # from event to event: an integrator that restarts is hardly faster than that
_POINTS_PER_STEP = 5.0
_FAST_SWITCHING = 1e-3  # of the run, between two events of one condition


@dataclass(frozen=True, eq=False)
class RunFacts:
    """A run and its steps: all that advice is taken from."""

    model: ReducedModel
    options: Options
    stats: dict[str, Any]
    parts: tuple[LogPart, ...]
    limits: StepLimits
    sources: tuple[EventSource, ...]
    events: int
    time: FloatArray
    unknowns: FloatArray  # one row per time
    atol: FloatArray  # the absolute tolerances of the unknowns at the end of the run

    @property
    def steps(self) -> int:
        """Accepted steps."""
        return len(self.limits.start)

    @property
    def points(self) -> int:
        """Output points."""
        return len(self.time)

    @property
    def span(self) -> float:
        """How long the run is."""
        return self.options.stop - self.options.start


def advice(run: RunFacts) -> tuple[str, ...]:
    """What could be changed, the most promising first."""
    rules = (_stiff, _replaced, _chattering, _many_events, _dominant, _longest, _failures, _functions, _output, _start)
    found = tuple(text for rule in rules for text in rule(run))
    return found or ("nothing stands out; a larger rtol takes fewer steps",)


def _stiff(run: RunFacts) -> Iterator[str]:
    if run.stats.get("stiff"):
        yield (
            "stability, not accuracy, limits the steps of the explicit method: the model is stiff; "
            "use solver='auto', 'cvode' or 'rodas'"
        )


def _replaced(run: RunFacts) -> Iterator[str]:
    """Solvers that were tried and given up."""
    starts = run.limits.start
    for part, later in zip(run.parts, run.parts[1:], strict=False):
        if later.solver == part.solver or later.first >= len(starts):
            continue
        steps = later.first - part.first
        if starts[later.first] <= run.options.start and steps >= _OFTEN * run.steps:
            yield f"{part.solver} gave up after {steps} steps and {later.solver} began again: solver='{later.solver}'"


def _chattering(run: RunFacts) -> Iterator[str]:
    for source in run.sources:
        count = len(source.times)
        if (
            source.is_located
            and count >= _MANY_EVENTS
            and float(np.median(np.diff(source.times))) < _FAST_SWITCHING * run.span
        ):
            yield (
                f"a condition switches {count} times, down to {source.shortest_gap:.3g} s apart "
                f"({source.statement.location}): {source.statement.text}; add a hysteresis, or an averaged model "
                "where the switching itself does not matter"
            )


def _many_events(run: RunFacts) -> Iterator[str]:
    if run.events >= _MANY_EVENTS and run.steps < _FEW_STEPS * run.events:
        restarts_slowly = run.parts[-1].solver in ("cvode", "ida")
        other = "; solver='rodas' starts again at full order" if restarts_slowly else ""
        yield (
            f"{run.events} events, one every {run.steps / run.events:.1f} steps: the integrator starts again after "
            f"each, so fewer events make the run faster{other}"
        )


def _dominant(run: RunFacts) -> Iterator[str]:
    """An unknown whose error limits most steps: near zero its absolute tolerance does, elsewhere rtol."""
    found = run.limits.busiest()
    if found is None or found[0].kind is not Kind.ERROR or run.steps < _MANY_STEPS:
        return
    limiter, count = found
    if count < _DOMINANT * run.steps:
        return
    part = _part_near_zero(run, limiter)
    if part > _MOSTLY:
        yield _near_zero(run, limiter, part)
        return
    yield (
        f"{limiter.name} limits {count / run.steps:.0%} of the steps, by its error relative to its size: if "
        f"rtol = {run.options.rtol:g} is more than is needed, a larger rtol takes fewer steps"
    )


def _part_near_zero(run: RunFacts, limiter: Limiter) -> float:
    """In which part of the steps that an unknown limits its absolute tolerance is larger than the relative one."""
    limits = run.limits
    times = limits.start[limits.who == limits.limiters.index(limiter)]
    values = np.interp(times, run.time, run.unknowns[:, limiter.unknown])
    return float((run.options.rtol * np.abs(values) < run.atol[limiter.unknown]).mean())


def _near_zero(run: RunFacts, limiter: Limiter, part: float) -> str:
    how = "increase atol" if run.options.atol is not None else f"declare {limiter.name} with a larger nominal="
    return (
        f"{limiter.name} limits steps where it is so small that its absolute tolerance applies ({part:.0%} of them): "
        f"if such small values do not matter, {how}"
    )


def _longest(run: RunFacts) -> Iterator[str]:
    found = run.limits.busiest()
    if found is None or run.steps < _MANY_STEPS or found[1] < _DOMINANT * run.steps:
        return
    if found[0].kind is Kind.LONGEST:
        yield "the longest step limits the run: conditions on fast functions of time, or delays, allow no longer ones"
    if found[0].kind is Kind.CONDITION:
        yield (
            "conditions that hold for a short time limit the steps: smooth what they depend on, "
            "or compare with a slower signal"
        )


def _failures(run: RunFacts) -> Iterator[str]:
    tests = int(run.limits.failures.sum())
    if tests >= _MOSTLY * run.steps and run.steps >= _MANY_STEPS:
        yield (
            f"{tests} steps were repeated: jumps or corners that are not events, in tables, functions, or "
            "minimum, maximum and abs; conditions make them events"
        )
    newton = int(run.stats.get("newton_failures", 0))
    if newton >= _OFTEN * run.steps and run.steps >= _MANY_STEPS:
        yield f"Newton's method failed {newton} times: check the derivatives of functions, and corners in equations"


def _functions(run: RunFacts) -> Iterator[str]:
    names = [each.name for each in functions_of(run.model) if not isinstance(each.callable, CFunction | Kernel)]
    calls = run.stats.get("rhs_evaluations", run.stats.get("residual_evaluations", 0))
    if names:
        yield (
            f"every evaluation calls Python ({', '.join(names[:3])}; {calls} evaluations): "
            "write it as equations, as a table, or in C"
        )


def _output(run: RunFacts) -> Iterator[str]:
    if run.points >= _MANY_POINTS and run.points > _POINTS_PER_STEP * run.steps:
        yield f"{run.points} output points for {run.steps} steps: fewer points, and solution.at(t) in between"


def _start(run: RunFacts) -> Iterator[str]:
    seconds = run.stats.get("initialization_seconds", 0.0)
    if seconds > max(0.1, run.stats.get("seconds", 0.0)):
        yield f"initial values took {seconds:.3g} s, longer than the integration: give start values that are close"
