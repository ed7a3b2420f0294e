"""How it reacts to small changes: a linear model at a point, exact from the templates.

    F(t, x, x', z, u) = 0      [dz; dx'] = -M^-1 (dF/dx dx + dF/du du),   M = [dF/dz  dF/dx']

One sparse factorization of M and one solve for each state and input eliminate the algebraic unknowns: no step sizes,
no differences. Where sampled parts act on states or outputs, the model goes from tick to tick (sampled_map.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Unpack

import numpy as np

from tellegen.analyses.linearization.independent_states import Matrices, independent
from tellegen.analyses.linearization.input_derivatives import (
    refuse_improper,
    residual_by_input_derivatives,
    without_input_derivatives,
)
from tellegen.analyses.linearization.linear_model import LinearModel
from tellegen.analyses.linearization.operating_point import operating_point
from tellegen.analyses.linearization.sampled_map import Deviations, TickMap, held_positions
from tellegen.analyses.linearization.signals import Signals, inputs_of, outputs_of, read
from tellegen.analyses.sensitivities.parameter_derivatives import Instant, residual_by_parameters, tangent
from tellegen.compile import compiled_for
from tellegen.engine.integrators.choose_solver import has_delays
from tellegen.engine.linear_algebra.pivoted_lu import SparseLU
from tellegen.engine.linear_algebra.pivots import SingularMatrixError, choose_pivots
from tellegen.engine.loaded.local_equations import LocalSystem
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.readout.quantity import quantity
from tellegen.engine.readout.snapshot import Snapshot
from tellegen.engine.request.run_request import RunKeywords, run_call
from tellegen.errors import NumericError
from tellegen.ir.model import FloatArray
from tellegen.ir.program import Pattern
from tellegen.ir.show.reduced_rows import unknown_text, variable_text
from tellegen.ir.source_location import here


@run_call(points=None)
def linearize(
    model: Any,
    *,
    at: Snapshot | str | float | None = None,
    inputs: Sequence[str] | str | None = None,
    outputs: Sequence[str] | str | None = None,
    **run: Unpack[RunKeywords],
) -> LinearModel:
    """The linear model x' = A x + B u, y = C x + D u for small deviations; with sampled parts, one in discrete time.

    `at` is where: the initial values (None), `"steady"`, a time to simulate to (0.5, "20 ms"), or a Snapshot
    (`solution.at(0.5)`, `tg.steady_state(model)`). `inputs` are inputs of the model or parameters (by default all
    inputs of the model), `outputs` any variables (by default the outputs of the model, or the states if it has none).
    States that jump with an input, as the voltages of capacitors across a source do, are counted from where the input
    puts them. The keywords from `start` on are those of tg.simulate.
    """
    with compiled_for(model) as compiled:
        if has_delays(compiled):
            raise NumericError(
                "E304",
                f"{compiled.flat.name} has delays, and no linear model with finitely many states is equal to a delay",
                location=here(),
                advice="use a Padé approximation instead of tg.delay, for example x' == (u - x)*2/T, late == 2*x - u",
            )
        there, point = operating_point(compiled, at, run)
        return linear_model(there, point, inputs_of(there.reduced, inputs), outputs_of(there.reduced, outputs))


def linear_model(compiled: NativeModel, point: Snapshot, given: Signals, shown: Signals) -> LinearModel:
    """The linear model at a point."""
    reduced = compiled.reduced
    held = held_positions(compiled)
    states = int(reduced.is_state.sum())
    changes = _small_changes(compiled, point, np.concatenate([held, given.positions]))
    change = Deviations(changes[0].values, changes[0].rates, states, len(held))
    by_input = np.zeros((len(point._p), change.values.shape[1]))
    by_input[np.concatenate([held, given.positions]), states + np.arange(len(held) + len(given.positions))] = 1.0
    cd = read(reduced, shown, change.values, change.rates, by_input)
    names = [variable_text(reduced, int(v)) for v in reduced.unknowns[reduced.is_state]]
    names += [reduced.flat.variables.name(int(reduced.known[k - reduced.flat.parameters.count])) for k in held]
    of_held = slice(states, states + len(held))
    values = change.values
    dt = None
    if change.rates[:, of_held].any() or cd[:, of_held].any():
        _refuse_jumps(compiled, changes[1:])
        ticks = TickMap(compiled, point, held, tangent(reduced, point._p, given.positions))
        dt, ab, first = ticks.over_a_period(change)
        cd = cd @ first
        kept = np.flatnonzero(ab.any(axis=0) | cd.any(axis=0))
        kept = kept[kept < states + len(held)]
    else:  # clocks have nothing to do with it
        none = np.zeros((len(point._p), len(held) + len(given.positions)))
        cd = np.hstack([cd, *(read(reduced, shown, part.values, part.rates, none) for part in changes[1:])])
        ab = np.hstack([part.rates[reduced.is_state] for part in changes])
        values = np.hstack([part.values for part in changes])
        kept = np.arange(states)
    found = independent(reduced, values, Matrices(ab, cd, kept, dt))
    if len(changes) > 1 and dt is None:
        found = _proper(found, states, len(changes) - 1, shown, given)
    return _scaled(found, [names[k] for k in found.states], given, shown, point)


def _scaled(found: Matrices, states: list[str], given: Signals, shown: Signals, point: Snapshot) -> LinearModel:
    """The linear model in the declared units."""
    reduced = point._reduced
    x_scale = np.array([quantity(reduced, name).unit.scale for name in states])
    first = found.cd.shape[1] - len(given.names)
    columns = np.concatenate([found.states, np.arange(first, found.cd.shape[1])])
    right = np.concatenate([x_scale, given.scale])
    ab = found.ab[found.states][:, columns] * right / x_scale[:, None]
    cd = found.cd[:, columns] * right / shown.scale[:, None]
    count = len(states)
    units = {name: quantity(reduced, name).unit.text for name in (*states, *given.names, *shown.names)}
    parts = (ab[:, :count], ab[:, count:], cd[:, :count], cd[:, count:])
    return LinearModel(*parts, tuple(states), given.names, shown.names, units, point, found.dt)


@dataclass(frozen=True, eq=False)
class _Changes:
    """The derivatives of all unknowns and of all rates: one column for each of what they are derivatives by."""

    values: FloatArray
    rates: FloatArray


def _small_changes(compiled: NativeModel, point: Snapshot, positions: Any) -> list[_Changes]:
    """By states and inputs, in this order; then by first derivatives of inputs, second ones, as far as they count."""
    model = compiled.reduced
    p = point._p
    system = LocalSystem(compiled, p)
    system.t = point.t
    system.y = point.unknowns
    u = np.where(model.is_state, point.rates, point.unknowns)
    by_inputs = residual_by_parameters(model, Instant(point.t, point.unknowns, point.rates, p), positions)
    by_rates = residual_by_input_derivatives(model, by_inputs, positions)
    right = np.hstack([system.by_states(u).toarray(), by_inputs, *by_rates])
    try:
        change = -_solved(system.pattern, system.jacobian(u), right)
    except SingularMatrixError:
        raise _singular(compiled, system, u) from None
    values = np.where(model.is_state[:, None], 0.0, change)
    rates = np.where(model.is_state[:, None], change, 0.0)
    which = np.flatnonzero(model.is_state)
    values[which, np.arange(len(which))] = 1.0
    first = len(which) + len(positions)
    ends = [first + k * len(positions) for k in range(len(by_rates) + 1)]
    spans = [slice(0, first), *(slice(a, b) for a, b in pairwise(ends))]
    return [_Changes(values[:, span], rates[:, span]) for span in spans]


def _proper(found: Matrices, states: int, orders: int, shown: Signals, given: Signals) -> Matrices:
    """The matrices without the columns of derivatives of inputs, of so many orders: see input_derivatives.py."""
    b = np.split(found.ab[:, states:], orders + 1, axis=1)
    d = np.split(found.cd[:, states:], orders + 1, axis=1)
    a = found.ab[:, :states]
    c = found.cd[:, :states]
    if any(part.any() for part in (*b[1:], *d[1:])):
        b[0], d = without_input_derivatives(a, b, c, d)
        refuse_improper([part[:, part.shape[1] - len(given.names) :] for part in d], shown.names, given.names)
    return replace(found, ab=np.hstack([a, b[0]]), cd=np.hstack([c, d[0]]))


def _refuse_jumps(compiled: NativeModel, further: list[_Changes]) -> None:
    """A tick that lets states jump is not part of the map from tick to tick."""
    if any(part.values.any() or part.rates.any() for part in further):
        raise NumericError(
            "E304",
            f"in {compiled.flat.name} sampled values or inputs enter constraints between states, which jump with them",
            location=here(),
            advice="put a resistance, a compliance or a filter between the sampled value and the constraint",
        )


def _solved(pattern: Pattern, values: FloatArray, right: FloatArray) -> FloatArray:
    """The solution of a sparse system for each column of the right-hand side."""
    if not len(right):
        return right
    factors = SparseLU(pattern, choose_pivots(pattern, values))
    factors.factor(values)
    return np.stack([factors.solve(column) for column in right.T], axis=1) if right.shape[1] else right


def _singular(compiled: NativeModel, system: LocalSystem, u: FloatArray) -> NumericError:
    dense = system.matrix(u)
    weight = np.abs(dense).sum(axis=0)
    worst = [unknown_text(compiled.reduced, int(k)) for k in np.argsort(weight)[:5]]
    return NumericError(
        "E304",
        f"the model cannot be linearized at t = {system.t:g}: its equations do not determine all unknowns there",
        details=["unknowns with the least influence on the equations:", *(f"  {name}" for name in worst)],
        advice="linearize at another point: at=0.1 (a time), or at=tg.steady_state(model, initial={...})",
    )
