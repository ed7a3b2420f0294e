"""What is kept of every run.

    "load.w"                    the curve, at the output points of the study
    "final(load.w)"             one number: final, max, min, mean or rms of the curve
    lambda s: s["motor.i"][0]   what a function makes of the Solution: a number or an array

All of them in a list, or in a dict that gives them names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.analyses.performance.instants import Value
from tellegen.engine.readout.quantity import columns, quantity
from tellegen.engine.results.solution import Solution
from tellegen.errors import DesignError, nearest
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here

_CALL = re.compile(r"\s*([A-Za-z_]\w*)\s*\(\s*(.+?)\s*\)\s*")


def _mean(time: FloatArray, values: FloatArray) -> Any:
    """The mean over time; both sides of jumps are among the samples, so they are not ramps."""
    return np.trapezoid(values, time, axis=0) / (time[-1] - time[0])


REDUCTIONS: dict[str, Callable[[FloatArray, FloatArray], Any]] = {
    "final": lambda _, values: values[-1],
    "max": lambda _, values: values.max(axis=0),
    "min": lambda _, values: values.min(axis=0),
    "mean": _mean,
    "rms": lambda time, values: np.sqrt(_mean(time, values**2)),
}


@dataclass(frozen=True)
class Output:
    """One of them. `how` is "curve", a name in REDUCTIONS, "value" (of a parameter) or "function"."""

    name: str
    how: str
    path: str = ""
    function: Callable[[Solution], Any] | None = None
    factor: float = 1.0  # that the values of the path are multiplied by
    units: str | None = None  # where they are not those of the path

    def read(self, solution: Solution, grid: FloatArray) -> FloatArray:
        """What it is of a run. A curve of a run that ended early continues as nan."""
        if self.function is not None:
            return np.asarray(self.function(solution), float)
        values = self.factor * np.asarray(solution[self.path], float)
        if self.how == "curve":
            return _on_grid(solution.time, values, grid)
        return values if self.how == "value" else np.asarray(REDUCTIONS[self.how](solution.time, values), float)

    def describe(self, model: ReducedModel) -> tuple[tuple[str, ...], dict[str, str]]:
        """The dimensions besides those of the study (function: not known yet), and unit and description."""
        if self.function is not None:
            return (), {"description": ((self.function.__doc__ or "").strip().splitlines() or [""])[0]}
        what = quantity(model, self.path)
        axes = ("time", *what.axes) if self.how == "curve" else what.axes
        units = what.unit.text if self.units is None else self.units
        return axes, {"units": units, "description": what.description}


def _on_grid(time: FloatArray, values: FloatArray, grid: FloatArray) -> FloatArray:
    """The rows at the output points; at an event there are two rows, and the later one counts."""
    if len(time) == len(grid) and np.array_equal(time, grid):
        return values
    out = np.full((len(grid), *values.shape[1:]), np.nan)
    slack = 1e-12 * max(abs(grid[0]), abs(grid[-1]))
    reached = grid <= time[-1] + slack
    out[reached] = values[np.searchsorted(time, grid[reached] + slack, side="right") - 1]
    return out


def read_outputs(model: ReducedModel, given: object, taken: tuple[str, ...] = ()) -> tuple[Output, ...]:
    """The outputs as written, checked against the model; without any, what the model shows or its states.

    `taken` are names of something else in the result.
    """
    if given is None:
        given = list(_usual(model))
    if isinstance(given, str) or callable(given):
        given = [given]
    if isinstance(given, Mapping):
        named = list(given.items())
    elif isinstance(given, list | tuple):
        named = [(_name(one), one) for one in given]
    else:
        raise _wrong(f"outputs is a list of paths and functions, not {given!r}")
    if not named:
        raise _wrong("there are no outputs: nothing would be stored")
    found = tuple(_output(model, str(name), one) for name, one in named)
    if (wrong := next((one.name for one in found if one.name in taken), None)) is not None:
        what = f"an output cannot be called '{wrong}': the result uses that name for something else"
        raise _wrong(what, "give it another name: outputs={'my_name': ...}; varied parameters are in the result anyway")
    if len({one.name for one in found}) < len(found):
        raise _wrong("two outputs have the same name", "give names of your own: outputs={'peak': ..., 'end': ...}")
    return found


def _usual(model: ReducedModel) -> tuple[str, ...]:
    from tellegen.ir.show.reduced_rows import variable_text

    chosen = model.unknowns[model.is_state] if model.is_state.any() else model.unknowns
    return model.flat.experiment.shown or tuple(variable_text(model, int(v)) for v in chosen[:8])


def _name(one: object) -> str:
    if isinstance(one, str):
        return one.strip()
    name = getattr(one, "__name__", "") or getattr(one, "name", "")  # a performance function is called what it is
    if not callable(one) or not isinstance(name, str) or not name or name == "<lambda>":
        advice = "" if not callable(one) else "give it a name: outputs={'peak': lambda s: s['motor.i'].max()}"
        raise _wrong("a function without a name" if callable(one) else f"an output cannot be {one!r}", advice)
    return name


def _output(model: ReducedModel, name: str, one: object) -> Output:
    path = _final_path(model, one)
    if path is not None:
        return Output(name, "final", path)
    if callable(one):
        return Output(name, "function", function=one)
    if not isinstance(one, str):
        raise _wrong(f"the output '{name}' cannot be {one!r}")
    how = "curve"
    path = one.strip()
    call = _CALL.fullmatch(path)
    if call is not None and call[1] != "der":
        if call[1] not in REDUCTIONS:
            what = f"'{path}': there is no {call[1]}(); {nearest(call[1], REDUCTIONS)}"
            raise _wrong(what, f"one of {', '.join(REDUCTIONS)}, or a function of the solution")
        how = call[1]
        path = call[2]
    what = quantity(model, path)
    if not what.parameter and what.order:
        columns(model, what.selection.indices.ravel(), what.order, path)
    return Output(name, "value" if what.parameter else how, path)


def _final_path(model: ReducedModel, one: object) -> str | None:
    """The path of tg.final("path"), which is "final(path)": so it is computed on devices as well."""
    if not isinstance(one, Value) or one.at is not None or one.before or one.curve.path is None:
        return None
    what = quantity(model, one.curve.path)
    return None if what.parameter or what.shape else one.curve.path


def _wrong(what: str, advice: str = "") -> DesignError:
    usual = "outputs=['load.w', 'final(load.phi)'] or outputs={'peak': lambda s: s['motor.i'].max()}"
    return DesignError("E603", what, location=here(), advice=advice or usual)
