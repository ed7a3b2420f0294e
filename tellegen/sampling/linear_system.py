"""Whether a component is linear, and its matrices as formulas of parameters: x' = A x + B u, y = C x + D u.

A constant that stands beside them is one more input, which is always one.
"""

from __future__ import annotations

from collections.abc import Sequence

from tellegen.dataflow.scalar_rows import substituted
from tellegen.ir.expressions.expr import ZERO, Call, Expr, Slot, Time, rebuild, same_with, walk
from tellegen.sampling.continuous_model import ContinuousModel
from tellegen.sampling.tape import Matrix
from tellegen.start.records import dataclass
from tellegen.symbolic.build import call, is_zero
from tellegen.symbolic.partial import partials


@dataclass(frozen=True, eq=False)
class LinearSystem:
    """Entries are expressions of parameters; `has_constant` where the last column of B and D is that of the one."""

    a: Matrix
    b: Matrix
    c: Matrix
    d: Matrix
    has_constant: bool


def linear_system(model: ContinuousModel) -> LinearSystem | None:
    """The matrices, or nothing where the component is not linear."""
    states = tuple(map(Slot, model.states))
    inputs = tuple(map(Slot, model.input_cells))
    rates = _derivatives(model.rate_values, (*states, *inputs))
    outputs = _derivatives(model.output_values, (*states, *inputs))
    signals = {*model.states, *model.input_cells}
    every = [value for row in (*rates, *outputs) for value in row]
    if any((isinstance(node, Slot) and node.index in signals) or isinstance(node, Time) for node in walk(*every)):
        return None
    if model.tears or model.discrete_cells(*model.rate_values, *model.output_values):
        return None
    still: dict[int, Expr] = dict.fromkeys(signals, ZERO)
    constants = [_folded(substituted(value, still)) for value in (*model.rate_values, *model.output_values)]
    if any(isinstance(node, Time) for node in walk(*constants)):
        return None
    has_constant = not all(map(is_zero, constants))
    if has_constant:
        count = len(model.states)
        rates = [[*row, value] for row, value in zip(rates, constants[:count], strict=True)]
        outputs = [[*row, value] for row, value in zip(outputs, constants[count:], strict=True)]
    n = len(states)
    return LinearSystem(
        [row[:n] for row in rates],
        [row[n:] for row in rates],
        [row[:n] for row in outputs],
        [row[n:] for row in outputs],
        has_constant,
    )


def _derivatives(values: Sequence[Expr], by: tuple[Slot, ...]) -> Matrix:
    """A row for each value."""
    rows = []
    for value in values:
        found = partials(value, by)
        rows.append([found.get(leaf, ZERO) for leaf in by])
    return rows


def jacobian(values: Sequence[Expr], by: Sequence[int]) -> Matrix:
    """The derivatives of values by slots."""
    return _derivatives(values, tuple(map(Slot, by)))


def _folded(value: Expr) -> Expr:
    """With what is known computed: a sum of zeros is zero."""

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        return call(node.op, *args) if isinstance(node, Call) else same_with(node, args)

    return rebuild(value, change)
