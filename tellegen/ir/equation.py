"""The equations of a ReducedModel one by one, with what stands in their slots: what texts and exports are made from.

group  C*der(v) - i, row (c.C, c.v, r.i)   ->   Equation(residual, leaves=(parameter c.C, variable c.v, variable r.i))
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tellegen.ir.expressions.expr import Call, Const, Expr, Slot
from tellegen.ir.model import Parameter
from tellegen.ir.reduced import INTEGRATION, PARAMETER, UNUSED, ReducedGroup, ReducedModel
from tellegen.start.records import dataclass

VARIABLE = "variable"
PARAMETER_LEAF = "parameter"
NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Leaf:
    """What a slot holds: a variable or parameter (its base name and how often it is differentiated), or a number."""

    kind: str
    name: str = ""
    order: int = 0
    value: float = 0.0


@dataclass(frozen=True, slots=True)
class Equation:
    """residual == 0 over leaves."""

    residual: Expr
    leaves: tuple[Leaf, ...]

    def sides(self) -> tuple[Expr, Expr | None]:
        """Left and right side; no right side when the residual is not a difference."""
        node = self.residual
        if isinstance(node, Call) and node.op == "sub":
            return node.args[0], node.args[1]
        return node, None


def variable_leaf(model: ReducedModel, variable: int) -> Leaf:
    """A variable, or the derivative that index reduction made a variable."""
    count = model.flat.variables.count
    if variable < count:
        return Leaf(VARIABLE, model.flat.variables.name(variable))
    base = model.derivatives.base[variable - count]
    order = model.derivatives.order[variable - count]
    return Leaf(VARIABLE, model.flat.variables.name(int(base)), int(order))


def group_equation(model: ReducedModel, group: ReducedGroup, row: int) -> Equation:
    """One row of a group."""
    leaves = []
    for kind, bound in zip(group.kinds, group.bindings[row], strict=True):
        if kind == UNUSED:
            leaves.append(Leaf(NUMBER))
        elif kind == PARAMETER:
            leaves.append(parameter_leaf(model, int(bound)))
        else:
            leaves.append(variable_leaf(model, int(bound)))
    return Equation(group.residual, tuple(leaves))


def parameter_leaf(model: ReducedModel, index: int) -> Leaf:
    """A parameter, a number written in an equation, or what events change."""
    table = model.flat.parameters
    if index >= table.count:
        return Leaf(PARAMETER_LEAF, _position(model, index))
    declared = table.declaration(index)
    if isinstance(declared, Parameter) and declared.literal:
        return Leaf(NUMBER, value=float(table.column("value")[index]))
    return Leaf(PARAMETER_LEAF, table.name(index))


def _position(model: ReducedModel, index: int) -> str:
    """A place beyond the parameters: the blend that initialization moves, or something that events change."""
    events = model.events
    if index == model.homotopy_index or events is None:
        return "homotopy"
    if index in (events.initial_index, events.terminal_index):
        return "initial" if index == events.initial_index else "terminal"
    for variable in events.pre_variable[events.pre_index == index].tolist():
        return f"pre({model.flat.variables.name(variable)})"
    named = {
        "flag": np.concatenate([events.relations.flag, events.instants.flag]),
        "sample": events.samples.flag,
        "delay": events.delays.index,
        "level": events.levels.index,
    }
    for name, positions in named.items():
        for k in np.flatnonzero(positions == index):
            return f"{name}{k + 1}"
    k = int(np.flatnonzero(events.delays.varies & (events.delays.index < index))[-1])  # allocated in this order
    return f"delay{k + 1}[{index - int(events.delays.index[k])}]"


def linear_equation(model: ReducedModel, row: int) -> Equation:
    """One of the linear rows; what is subtracted stands on the right when something is left on the left."""
    linear = model.linear
    entries = range(int(linear.indptr[row]), int(linear.indptr[row + 1]))
    leaves = tuple(variable_leaf(model, int(linear.indices[k])) for k in entries)
    total: Expr | None = None
    for slot, k in enumerate(entries):
        weight = int(linear.weights[k])
        term: Expr = Slot(slot) if abs(weight) == 1 else Call("mul", (Const(float(abs(weight))), Slot(slot)))
        if total is None:
            total = term if weight > 0 else Call("neg", (term,))
        else:
            total = Call("add" if weight > 0 else "sub", (total, term))
    return Equation(Call("sub", (total or Const(0.0), Const(0.0))), leaves)


def equations(model: ReducedModel) -> Iterator[Equation]:
    """All equations in the order of the residual; that the rate of x is x' goes without saying."""
    for group in model.groups:
        for row in range(group.rows if group.source != INTEGRATION else 0):
            yield group_equation(model, group, row)
    for row in range(model.linear.rows):
        yield linear_equation(model, row)
