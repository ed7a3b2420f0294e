"""tg.piecewise: an input of the model as a variable of a search, piece by piece over time.

    tg.optimize(Cart(), stop=1.0, minimize=tg.integral("force**2"),
                variables={"force": tg.piecewise(20, -10.0, 10.0)},
                subject_to=[tg.final("x") == 1.0, tg.final("v") == 0.0])

With `stop=(0.5, 5.0)` the end of the run is searched too, between these times; pieces stay equally long.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.analyses.optimization.formulation.driven_model import DrivenModel, wrong_signal
from tellegen.compile import compile_model
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.request.argument_checks import seconds
from tellegen.engine.request.parameter_and_start_vectors import si_values
from tellegen.engine.request.path_lookup import find
from tellegen.engine.request.run_options import until
from tellegen.errors import nearest, users_call
from tellegen.ir.flat import FlatModel
from tellegen.stages import flatten_model
from tellegen.variation.driven import FINAL_TIME, KINDS, Drive, Span, driven, open_inputs

_BEYOND = 1e-3  # of the longest run: the model ends itself before the run does


@dataclass(frozen=True, eq=False)
class Piecewise:
    """A signal of `pieces` equally long pieces between bounds: straight lines, or constant ones."""

    pieces: int
    low: Any
    high: Any
    kind: str

    @property
    def count(self) -> int:
        """How many values it takes: corners of lines, or constants."""
        return self.pieces + (self.kind == "linear")


@users_call
def piecewise(n: int, low: Any, high: Any, *, kind: str = "linear") -> Piecewise:
    """An input of the model as a variable of tg.optimize: `n` pieces of equal length, with values from low to high.

    `kind` is "linear" (n + 1 corners, joined by straight lines) or "constant" (n steps). The search begins in the
    middle between the bounds, or at the guess of tg.optimize: a number, as many as there are values, or a function of
    time, such as a signal that was found with fewer pieces.
    """
    if kind not in KINDS:
        raise wrong_signal(f"pieces cannot be {kind!r}", "kind='linear' or kind='constant'")
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
        raise wrong_signal(f"the number of pieces is an integer, not {n!r}", "tg.piecewise(20, -1.0, 1.0)")
    return Piecewise(int(n), low, high, kind)


def drive_inputs(model: Any, variables: Mapping[str, Any] | None, start: Any, stop: Any) -> DrivenModel:
    """The model as it is if no signal and no end is searched, else with pieces and a free end."""
    given = dict(variables or {})
    signals = {path: each for path, each in given.items() if isinstance(each, Piecewise)}
    free_end = isinstance(stop, list | tuple | np.ndarray)
    if not signals and not free_end:
        compiled = compile_model(model)
        return DrivenModel(compiled, given, until(compiled.flat.experiment.stop if stop is None else stop))
    flat = flatten_model(model.flat if isinstance(model, CompiledModel) else model)
    first = seconds("start", start)
    if free_end:
        low, high = _end_bounds(flat, first, stop)
        last = 0.5 * (low + high)
        longest = high + _BEYOND * (high - first)
        given[FINAL_TIME] = (low, high)
    else:
        last = longest = until(flat.experiment.stop if stop is None else stop)
    drives = tuple(_drive(flat, path, each) for path, each in signals.items())
    bounds: dict[str, Any] = {}
    for path, each in given.items():
        name = f"{path}.pieces" if path in signals else path
        bounds[name] = (each.low, each.high) if path in signals else each
    made = driven(flat, drives, Span(first, last), free_end)
    return DrivenModel(made, bounds, longest, first, last, drives, free_end)


def _end_bounds(flat: FlatModel, start: float, stop: Any) -> tuple[float, float]:
    if len(stop) != 2:
        raise wrong_signal(f"stop is a time, or a pair of bounds for it, not {stop!r}", "stop=(0.5, 5.0)")
    low, high = (seconds("stop", each) for each in stop)
    if not start < low < high:
        what = f"the run cannot end between {low:g} s and {high:g} s, it starts at {start:g} s"
        raise wrong_signal(what, "stop=(0.5, 5.0): the earliest stop time, which must be after start, then the latest")
    names = flat.tree.nodes[0].kind
    if FINAL_TIME in names.variable_index or FINAL_TIME in names.parameter_index or FINAL_TIME in names.child_index:
        what = f"the model has a '{FINAL_TIME}' of its own, which is the name of a free stop time"
        raise wrong_signal(what, "rename that of the model")
    return low, high


def _drive(flat: FlatModel, path: str, each: Piecewise) -> Drive:
    selection = find(flat, path)
    known = open_inputs(flat)
    if "[" in path or selection.parameter or not np.isin(selection.indices, known).all():
        names = sorted({flat.variables.name(int(k)).partition("[")[0] for k in known})
        why = "name the whole array" if "[" in path else "it is not an open input"
        known_names = nearest(path, names) if names else "this model has no open input"
        what = f"'{path}' cannot be a signal: {why}; {known_names}"
        raise wrong_signal(what, "declare it in the model: force = tg.input('N')")
    unit = selection.member.unit
    rows = max(selection.indices.size, 1)
    middle = 0.5 * sum(unit.from_si(float(si_values(selection, bound))) for bound in (each.low, each.high))
    values = np.full((rows, each.count), unit.to_si(middle))
    return Drive(path, selection.indices, each.kind, values, unit)
