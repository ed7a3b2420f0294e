"""Runs for a purpose: sensitivities, studies, optima, fits to measurements, as tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.studio.messages.questions import (
    Bar,
    Calibrate,
    Goal,
    Optimize,
    Range,
    Sensitivities,
    SensitivitiesFound,
    Study,
    Table,
)

NUMBERS: dict[str, Callable[[str], Any]] = {
    "final": tg.final,
    "peak": tg.peak,
    "mean": tg.mean,
    "rms": tg.rms,
    "integral": tg.integral,
    "overshoot": tg.overshoot,
    "rise_time": tg.rise_time,
    "settling_time": tg.settling_time,
}
MOST_BARS = 24
MOST_RUNS = 2000
POINTS = 2000


def sensitivities(task: Sensitivities, compiled: Any, solution: Any) -> SensitivitiesFound:
    """In percent per percent, of the largest value of the curve; parameters that are zero have none."""
    wanted = [path for path, value in solution.parameters.items() if isinstance(value, float) and value]
    wanted = [path for path in wanted if math.isfinite(solution.parameters[path])][:MOST_BARS]
    found = tg.sensitivity(compiled, number(task.stop), wrt=wanted, parameters=dict(task.parameters))
    scale = float(np.max(np.abs(np.asarray(found.solution[task.of])))) or 1.0
    values = found.solution.parameters  # the last run may be one of another page, with other values
    bars = [Bar(path, float(found[task.of, path][-1] * values[path] / scale)) for path in wanted]
    return SensitivitiesFound(task.of, tuple(sorted(bars, key=lambda bar: -abs(bar.relative))))


def study(task: Study, compiled: Any) -> Table:
    """A row for each run."""
    if not task.ranges or not task.goals:
        raise tg.DocumentError("E898", "a study needs a parameter and a number", advice="choose both in the form")
    count = max(task.count, 2)
    if count ** len(task.ranges) > MOST_RUNS:
        message = f"{count} values of {len(task.ranges)} parameters are {count ** len(task.ranges):,} runs"
        raise tg.DocumentError("E898", message, advice=f"at most {MOST_RUNS:,} are run here: take fewer values")
    values = {one.path: np.linspace(one.low, one.high, count) for one in task.ranges}
    outputs = {f"{goal.number}({goal.curve})": performance(goal) for goal in task.goals}
    done = tg.study(
        compiled,
        values,
        outputs=outputs,
        stop=number(task.stop),
        parameters=dict(task.parameters),
        points=POINTS,
        executor="serial",
    )
    frame = done.to_pandas()
    rows = [tuple(_short(value) for value in row) for row in frame.itertuples(index=False)]
    plain = frame.select_dtypes("number")
    numbers = tuple(tuple(map(float, plain[name])) for name in plain.columns)
    failed = len(done.failures())
    title = f"{len(rows)} runs" + (f", {failed} failed" if failed else "")
    return Table(title, tuple(map(str, frame.columns)), tuple(rows), numbers, {})


def optimize(task: Optimize, compiled: Any) -> Table:
    """The values that were found, beside those of the model."""
    goal = {"maximize" if task.maximize else "minimize": performance(task.goal)}
    limits = [performance(limit.goal) <= limit.most for limit in task.limits]
    best = tg.optimize(
        compiled,
        number(task.stop),
        variables=_bounds(task.ranges),
        subject_to=limits,
        parameters=dict(task.parameters),
        points=POINTS,
        **goal,
    )
    doubt = "" if best.success else f"; {best.message}"
    title = f"{task.goal.number}({task.goal.curve}) = {best.objective:.6g}, {best.runs} runs{doubt}"
    rows = [(path, _short(value)) for path, value in best.variables.items()]
    return Table(title, ("parameter", "value"), tuple(rows), (), {k: float(v) for k, v in best.variables.items()})


def calibrate(task: Calibrate, compiled: Any) -> Table:
    """The values that fit, with their intervals of 95 %."""
    fit = tg.calibrate(compiled, task.file, variables=_bounds(task.ranges), match=dict(task.match) or None)
    rows = [
        (path, _short(value), _short(fit.low[path]), _short(fit.high[path])) for path, value in fit.variables.items()
    ]
    title = "fitted" if fit.success else fit.message
    values = {path: float(value) for path, value in fit.variables.items()}
    return Table(title, ("parameter", "value", "low (95 %)", "high (95 %)"), tuple(rows), (), values)


def performance(goal: Goal) -> Any:
    """A number of a run, by its name in the form."""
    if goal.number not in NUMBERS:
        raise tg.DocumentError("E898", f"{goal.number!r} is none of {', '.join(NUMBERS)}")
    return NUMBERS[goal.number](goal.curve)


def number(stop: str) -> float | str | None:
    """A plain number is seconds; anything else has a unit; nothing is what the model asks for."""
    try:
        value = float(stop)
    except ValueError:
        return stop or None
    return value if math.isfinite(value) else stop


def _bounds(ranges: Iterable[Range]) -> dict[str, tuple[float, float]]:
    return {one.path: (one.low, one.high) for one in ranges}


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, int | float | np.number) else str(value)
