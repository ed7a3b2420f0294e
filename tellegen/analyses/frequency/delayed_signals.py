"""Delays in small oscillations: what was T ago is e^(-sT) times what is now.

    F(y, y', p, d) == 0, d == u(y, y', p, d) T ago    ->    a row for each d:   d - e^(-sT) (du/dy + s du/dy') y ...

The entries of parameters that hold the past (ir/events.py) become unknowns of the linear system at each frequency, so
nothing is approximated. At an operating point that was found with tg.initial() true they have the values of now.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.analyses.sensitivities.parameter_derivatives import Instant, residual_by_parameters
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.readout.snapshot import Snapshot
from tellegen.engine.request.consistent import Consistent
from tellegen.errors import NumericError
from tellegen.ir.expressions.expr import Der, Expr, Slot, walk
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import PARAMETER, UNKNOWN, ReducedGroup, ReducedModel
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass
from tellegen.symbolic.evaluate import evaluate
from tellegen.symbolic.partial import partial


@dataclass(frozen=True, eq=False)
class DelayedSignals:
    """What delays add to the linear system, for s = j w.

    The equations depend on them by `slope` at (row, column), and they on unknowns and on each other at `places`, by
    `by_value` + s `by_rate`. The first places are those of the delays themselves.
    """

    times: FloatArray
    row: IntArray  # of an equation
    column: IntArray  # a delay
    slope: FloatArray
    places: IntArray  # pairs: a delay, an unknown or a delay after these
    by_value: FloatArray
    by_rate: FloatArray
    by_inputs: FloatArray

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.times)

    def past_of_unknowns(self, w: float) -> Any:
        """The entries at `places`."""
        past = -np.exp(-1j * w * self.times[self.places[:, 0]]) * (self.by_value + 1j * w * self.by_rate)
        past[: self.count] += 1.0
        return past

    def past_of_inputs(self, w: float) -> Any:
        """What the rows of delays have of the inputs, a column for each."""
        return -np.exp(-1j * w * self.times)[:, None] * self.by_inputs


def refuse_varying_delays(model: NativeModel) -> None:
    """E304 for delays whose time varies: small oscillations of that are another question."""
    events = model.reduced.events
    if events is not None and events.delays.varies.any():
        what = f"{model.flat.name} has delays whose time varies, and their response is not computed"
        advice = "give tg.delay a time that does not change during a run, or use a Padé approximation"
        raise NumericError("E304", what, location=here(), advice=advice)


def delayed_signals(model: ReducedModel, point: Snapshot, chosen: IntArray) -> DelayedSignals | None:
    """The delays of a model around a point, for inputs at the `chosen` positions; None where there are none."""
    if model.events is None or not len(model.events.delays.index):
        return None
    delays = model.events.delays
    at = Instant(point.t, point.unknowns, point.rates, point._p)
    count = len(delays.index)
    times = np.zeros(delays.values.count)
    place = np.full(delays.values.count, -1)  # of a number that is delayed, among the delays
    place[delays.number] = np.arange(count)
    own = np.full(len(point._p), -1)  # of a parameter, among the delays
    own[delays.index] = np.arange(count)
    size = len(model.unknowns)
    by_inputs = np.zeros((count, len(chosen)))
    column_of_input = np.full(len(point._p), -1)
    column_of_input[chosen] = np.arange(len(chosen))
    places: dict[tuple[int, int], list[float]] = {(k, size + k): [0.0, 0.0] for k in range(count)}

    def add(rows: Any, columns: Any, slopes: Any, kind: int) -> None:
        for row, column, slope in zip(rows.tolist(), columns.tolist(), slopes.tolist(), strict=True):
            places.setdefault((row, column), [0.0, 0.0])[kind] += slope

    for group, indices in zip(delays.values.groups, delays.values.indices, strict=True):
        times[indices] = _of(model, group, group.residual, at)
        is_signal = place[indices] >= 0
        row = place[indices][is_signal]
        if not len(row):
            continue
        for node in {leaf for leaf in walk(group.residual) if isinstance(leaf, Der | Slot)}:
            slope = np.broadcast_to(_of(model, group, partial(group.residual, node), at), len(indices))[is_signal]
            bound = group.bindings[is_signal, node.index]
            if isinstance(node, Der) or group.kinds[node.index] == UNKNOWN:
                add(row, model.position[bound], slope, int(isinstance(node, Der)))
                continue
            position = bound if group.kinds[node.index] == PARAMETER else model.known_position[bound]
            before = own[position] >= 0
            add(row[before], size + own[position][before], slope[before], 0)
            given = column_of_input[position] >= 0
            np.add.at(by_inputs, (row[given], column_of_input[position][given]), slope[given])
    of_equations = residual_by_parameters(model, at, delays.index.astype(np.int64))
    rows, columns = np.nonzero(of_equations)
    numbers = np.array(list(places.values()))
    return DelayedSignals(
        times=times[delays.number + 1],
        row=rows,
        column=columns,
        slope=of_equations[rows, columns],
        places=np.array(list(places)),
        by_value=numbers[:, 0],
        by_rate=numbers[:, 1],
        by_inputs=by_inputs,
    )


def with_the_present(model: ReducedModel, point: Snapshot) -> Snapshot:
    """The point as equations have it after the start: the past as it is now, where the point is the start of a run."""
    events = model.events
    if events is None or not len(events.delays.index) or not point._p[model.initial_index]:
        return point
    p = point._p.copy()
    p[model.initial_index] = 0.0
    delays = events.delays
    for _ in range(len(delays.index) + 1):  # a delay of a delay has its value one step later
        at = Instant(point.t, point.unknowns, point.rates, p)
        numbers = np.zeros(delays.values.count)
        for group, indices in zip(delays.values.groups, delays.values.indices, strict=True):
            numbers[indices] = _of(model, group, group.residual, at)
        before = p[delays.index].copy()
        p[delays.index] = numbers[delays.number]
        if (p[delays.index] == before).all():
            break
    return Snapshot(model, point.t, Consistent(point.unknowns, point.rates), p)


def _of(model: ReducedModel, group: ReducedGroup, expr: Expr, at: Instant) -> Any:
    """An expression over the slots of a group, for all of its rows."""
    slots: dict[int, Any] = {}
    ders: dict[int, Any] = {}
    for leaf in walk(expr):
        if isinstance(leaf, Der):
            ders[leaf.index] = at.yp[model.position[group.bindings[:, leaf.index]]]
        elif isinstance(leaf, Slot):
            bound = group.bindings[:, leaf.index]
            kind = group.kinds[leaf.index]
            if kind == UNKNOWN:
                slots[leaf.index] = at.y[model.position[bound]]
            else:
                slots[leaf.index] = at.p[bound if kind == PARAMETER else model.known_position[bound]]
    return evaluate(expr, slots, time=at.t, ders=ders)
