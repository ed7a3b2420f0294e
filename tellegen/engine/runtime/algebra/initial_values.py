"""Native initial values: the equations at the initial time as entries of Solve steps (ir/ode.py).

initial_residual     all equations, then the initial equations
initial_jacobian     the derivatives by the unknowns of one step
initial_inner        unknowns of a block that follow from others in it, level by level
initial_values       from the guess, step after step

A step sees the residual and the Jacobian of DAE mode, of which it takes its own rows and columns: nothing more is
compiled for a model, whatever is free at its start.
"""

from __future__ import annotations

from tellegen.engine.runtime.algebra.ode_rhs import Entry, JacobianEntry, Ode, ode_again
from tellegen.procedures.language import Array, Record, f64, i32, i64, procedure


class InitialEquations(Record):
    """The equations of a model with its initial equations, if they count.

    `derivatives` is room for those by values, then by rates; of each the model's equations come first.
    """

    size: i64
    residual: Entry
    jacobian: JacobianEntry
    count: i64
    initial_residual: Entry | None
    initial_jacobian: JacobianEntry
    initial_count: i64
    derivatives: Array[f64]


class StepJacobian(Record):
    """Which of all derivatives belong to a step, in its order."""

    equations: InitialEquations
    count: i64
    chosen: Array[i32]


class InnerUnknowns(Record):
    """Unknowns with a plain number as factor in their own equation, level by level: positions in w and rows."""

    equations: InitialEquations
    levels: i64
    level_start: Array[i32]
    position: Array[i32]
    row: Array[i32]
    factor: Array[f64]


class InitialProblem(Record):
    """Steps to be done from a guess of the whole work vector."""

    ode: Ode
    guess: Array[f64]


@procedure
def initial_residual(
    t: f64, y: Array[f64], rates: Array[f64], parameters: Array[f64], r: Array[f64], equations: InitialEquations
) -> None:
    """All rows, whichever a step asks for."""
    own = equations.residual
    for k in range(own.count):
        own.calls[k](t, y, rates, parameters, r, own.tables)
    if equations.initial_residual is not None:
        extra = equations.initial_residual
        for k in range(extra.count):
            extra.calls[k](t, y, rates, parameters, r[equations.size :], extra.tables)


@procedure
def call_jacobian(
    t: f64,
    by_value: f64,
    y: Array[f64],
    rates: Array[f64],
    parameters: Array[f64],
    entry: JacobianEntry,
    out: Array[f64],
) -> None:
    """Derivatives by values, or else by rates."""
    for k in range(entry.count):
        entry.calls[k](t, by_value, 1.0 - by_value, y, rates, parameters, out, entry.tables)


@procedure
def initial_jacobian(
    t: f64, y: Array[f64], rates: Array[f64], parameters: Array[f64], values: Array[f64], step: StepJacobian
) -> None:
    """All derivatives by values and by rates, of which the step has its own."""
    equations = step.equations
    out = equations.derivatives
    first = 0
    for part in range(2):
        by_value = 1.0 - part
        call_jacobian(t, by_value, y, rates, parameters, equations.jacobian, out[first:])
        first += equations.count
        if equations.initial_residual is not None:
            call_jacobian(t, by_value, y, rates, parameters, equations.initial_jacobian, out[first:])
            first += equations.initial_count
    chosen = step.chosen
    for k in range(step.count):
        values[k] = out[chosen[k]]


@procedure
def initial_inner(
    t: f64, y: Array[f64], rates: Array[f64], parameters: Array[f64], r: Array[f64], inner: InnerUnknowns
) -> None:
    """Each level from those before: the work vector begins with y, so positions of rates are positions in it too."""
    position = inner.position
    row = inner.row
    factor = inner.factor
    for level in range(inner.levels):
        initial_residual(t, y, rates, parameters, r, inner.equations)
        for k in range(inner.level_start[level], inner.level_start[level + 1]):
            y[position[k]] -= r[row[k]] / factor[k]


@procedure
def initial_values(t: f64, problem: InitialProblem) -> i32:
    """Consistent values in the work vector; 1 when a block has no solution near the guess."""
    ode = problem.ode
    w = ode.w
    guess = problem.guess
    for k in range(2 * ode.size):
        w[k] = guess[k]
    return ode_again(t, ode)
