"""From one sample to the next, as functions of states, inputs and parameters: what can be computed once, or per tick.

    implicit      x = w + a T f(x, u)          Newton's method, so many iterations and no more
    rosenbrock    ROS2: (I - g T J) k1 = f(x),  (I - g T J) k2 = f(x + T k1) - 2 k1,  x + 3/2 T k1 + 1/2 T k2

ROS2 is of order two and L-stable with g = 1 - 1/sqrt(2) (J. G. Verwer, E. J. Spee, J. G. Blom and W. Hundsdorfer, "A
second-order Rosenbrock method applied to photochemical dispersion problems", SIAM J. Sci. Comput. 20, 1999).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import sqrt

from tellegen.dataflow.scalar_rows import substituted
from tellegen.ir.expressions.expr import ZERO, Apply, Const, Expr, Function, Slot
from tellegen.sampling.continuous_model import ContinuousModel
from tellegen.sampling.exponential import exact_step
from tellegen.sampling.linear_system import LinearSystem, jacobian
from tellegen.sampling.tape import Matrix, Tape, combined, identity, product, scaled, solve
from tellegen.start.records import dataclass
from tellegen.symbolic.build import add, call, div, mul, sub

_OF_WAY = 1e-2  # Newton's method squares what is left: the next correction would be far smaller
_OF_VALUE = 1e-6
_TINY = 1e-300
_GAMMA = 1.0 - 1.0 / sqrt(2.0)


@dataclass(frozen=True, eq=False)
class StepFunction:
    """A function of cells, with a result for each state."""

    function: Function
    arguments: tuple[int, ...]

    def result(self, number: int) -> Expr:
        """The call, in terms of cells."""
        return Apply(self.function, tuple(map(Slot, self.arguments)), number)


def implicit_step(model: ContinuousModel, share: float, period: float, iterations: int) -> Function:
    """x and the tears from a guess of both, w, the inputs and `parameters_of`, in this order.

    The last result is how large the last correction is, in parts of what it may be: above one the iterations were too
    few.
    """
    n = len(model.states)
    sought = (*model.states, *model.tears)
    size = len(sought)
    given = (*model.input_cells, *parameters_of(model))
    tape = Tape(size + n + len(given))
    known: dict[int, Expr] = {cell: Slot(size + n + k) for k, cell in enumerate(given)}
    step = Const(share * period)
    found: list[Expr] = [tape.copied(Slot(k)) for k in range(size)]
    last: list[Expr] = [tape.slot() for _ in range(size)]

    def improve() -> None:
        at = {**known, **dict(zip(sought, found, strict=True))}
        values, slopes = _at(tape, (*model.rate_values, *model.misses), sought, at)
        moved = [[sub(sub(found[k], Slot(size + k)), mul(step, values[k]))] for k in range(n)]
        missed = [*moved, *([value] for value in values[n:])]
        ahead = combined(identity(size)[:n], scaled(step, slopes[:n]), sub)
        change = solve(tape, [*ahead, *slopes[n:]], missed)
        for k in range(size):
            tape.store(last[k], change[k][0])
            tape.store(found[k], sub(found[k], last[k]))

    tape.repeat(iterations, improve)
    parts = [_part_of_allowed(last[k], found[k], Slot(k)) for k in range(size)]
    return tape.function("implicit_step", [*found, reduce(lambda a, b: call("max", a, b), parts, ZERO)])


def _part_of_allowed(change: Expr, found: Expr, guess: Expr) -> Expr:
    """A correction in parts of what it may be: some of the whole way, or little of what is there."""
    way = mul(Const(_OF_WAY), call("abs", sub(found, guess)))
    there = mul(Const(_OF_VALUE), add(call("abs", found), call("abs", guess)))
    return div(call("abs", change), add(way, there, Const(_TINY)))


def rosenbrock_step(model: ContinuousModel, period: float) -> StepFunction:
    """The states at the next tick, with inputs that are held until then."""
    n = len(model.states)
    given = (*model.states, *model.input_cells, *parameters_of(model))
    tape = Tape(len(given))
    known: dict[int, Expr] = {cell: Slot(k) for k, cell in enumerate(given)}
    rates, slopes = _at(tape, model.rate_values, model.states, known)
    matrix = combined(identity(n), scaled(Const(_GAMMA * period), slopes), sub)
    inverse = solve(tape, matrix, identity(n))
    first = tape.let_all(product(inverse, [[rate] for rate in rates]))
    ahead = {cell: tape.let(add(known[cell], mul(Const(period), first[k][0]))) for k, cell in enumerate(model.states)}
    there = tape.shared([substituted(value, {**known, **ahead}) for value in model.rate_values])
    rest = [[sub(there[k], mul(Const(2.0), first[k][0]))] for k in range(n)]
    second = tape.let_all(product(inverse, rest))
    results = [
        add(known[cell], mul(Const(1.5 * period), first[k][0]), mul(Const(0.5 * period), second[k][0]))
        for k, cell in enumerate(model.states)
    ]
    return StepFunction(tape.function("rosenbrock_step", results), given)


def parameters_of(model: ContinuousModel) -> tuple[int, ...]:
    """The parameters and discrete variables that the rates and loops read."""
    every = (*model.rate_values, *model.misses)
    return (*model.parameter_cells(*every), *model.discrete_cells(*every))


def _at(tape: Tape, values: Sequence[Expr], by: Sequence[int], known: dict[int, Expr]) -> tuple[list[Expr], Matrix]:
    """Values and their derivatives by some cells, at what is known."""
    n = len(values)
    width = len(by)
    every = [*values, *(entry for row in jacobian(values, by) for entry in row)]
    shared = tape.shared([substituted(value, known) for value in every])
    return shared[:n], [shared[n + width * k : n + width * (k + 1)] for k in range(n)]


@dataclass(frozen=True, eq=False)
class MatrixFunction:
    """Two matrices of a linear step, row by row, from parameters."""

    function: Function
    arguments: tuple[int, ...]
    rows: int
    inputs: int

    def entry(self, row: int, column: int) -> Expr:
        """An entry of the matrix by states and, to the right of it, of that by inputs."""
        number = row * (self.rows + self.inputs) + column
        return Apply(self.function, tuple(map(Slot, self.arguments)), number)


def exact_matrices(model: ContinuousModel, system: LinearSystem, period: float) -> MatrixFunction:
    """x+ = F x + G u for inputs that are held."""
    tape, a, b, arguments = _linear(model, system)
    step = exact_step(tape, a, Const(period))
    by_input = product(step.integral, b)
    return _function(tape, "exact_step", step.transition, by_input, arguments)


def implicit_matrices(model: ContinuousModel, system: LinearSystem, share: float, period: float) -> MatrixFunction:
    """x = P w + R u, the solution of x = w + a T (A x + B u)."""
    tape, a, b, arguments = _linear(model, system)
    n = len(a)
    part = Const(share * period)
    left = combined(identity(n), scaled(part, a), sub)
    right = [[*unit, *row] for unit, row in zip(identity(n), scaled(part, b), strict=True)]
    found = solve(tape, left, right)
    return _function(tape, "implicit_step", [row[:n] for row in found], [row[n:] for row in found], arguments)


def _linear(model: ContinuousModel, system: LinearSystem) -> tuple[Tape, Matrix, Matrix, tuple[int, ...]]:
    entries = [value for row in (*system.a, *system.b) for value in row]
    arguments = model.parameter_cells(*entries)
    tape = Tape(len(arguments))
    known: dict[int, Expr] = {cell: Slot(k) for k, cell in enumerate(arguments)}

    def placed(matrix: Matrix) -> Matrix:
        return [[substituted(value, known) for value in row] for row in matrix]

    return tape, tape.let_all(placed(system.a)), tape.let_all(placed(system.b)), arguments


def _function(tape: Tape, name: str, by_state: Matrix, by_input: Matrix, arguments: Sequence[int]) -> MatrixFunction:
    results = [value for one, other in zip(by_state, by_input, strict=True) for value in (*one, *other)]
    columns = len(by_input[0]) if by_input else 0
    return MatrixFunction(tape.function(name, results), tuple(arguments), len(by_state), columns)
