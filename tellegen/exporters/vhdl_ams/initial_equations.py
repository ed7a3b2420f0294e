"""Initial equations, as far as VHDL-AMS has them: `der(x) == 0`, and `x == value` of parameters, for states x.

At the quiescent point every derivative is zero unless a break gives its quantity a value. So `der(x) == 0` needs no
statement, and `x == value` is a break. That holds only where each state has exactly one condition.

    x == x0             break x => x0;
    der(y) == 0         (nothing)
"""

from __future__ import annotations

import numpy as np

from tellegen.exporters.source.tidy import tidy
from tellegen.exporters.vhdl_ams.expressions import Printer
from tellegen.exporters.vhdl_ams.names import refused
from tellegen.ir.expressions.expr import Const, Der, Expr, Slot, Time, walk
from tellegen.ir.expressions.template import EquationTemplate, Template
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import Kind
from tellegen.structure.passes import reduce


def initial_statements(printer: Printer, template: Template, kind: Kind) -> list[str]:
    """The statements for an initial equation."""
    condition = _condition(template)
    if condition is None:
        raise refused("an initial equation other than der(x) == 0 and x == value", kind)
    slot, value = condition
    return [] if value is None else [f"break {printer.names[slot]} => {printer.text(value)};"]


def check_initial_equations(flat: FlatModel, root: Kind) -> None:
    """E430 unless each state has exactly one condition: an initial equation, or a start value that is fixed."""
    conditions = [_condition(group.template) for group in flat.initial_equations]
    slots = [condition[0] for condition in conditions if condition is not None]
    if len(slots) < len(conditions) or not slots:
        return  # none, or one that is rejected at its class, where it is written
    reduced = reduce(flat)
    states = set(reduced.unknowns[reduced.is_state].tolist())
    fixed = np.flatnonzero(flat.variables.column("fixed", 0.0) > 0)
    settled = sorted(set(reduced.representative[fixed].tolist()))
    for group, slot in zip(flat.initial_equations, slots, strict=True):
        settled += reduced.representative[group.bindings[:, slot]].tolist()
    if len(settled) != len(states) or set(settled) != states:
        raise refused("initial equations that are not one condition for each state", root)


def _condition(template: Template) -> tuple[int, Expr | None] | None:
    """The slot of a state and its value, None for a derivative of zero; None for any other equation."""
    if not isinstance(template, EquationTemplate):
        return None
    sides = tidy(template.lhs), tidy(template.rhs)
    for one, other in (sides, sides[::-1]):
        if isinstance(one, Der) and isinstance(other, Const) and other.value == 0:
            return one.index, None
        if isinstance(one, Slot) and not template.slots[one.index].parameter and _is_constant(template, other):
            return one.index, other
    return None


def _is_constant(template: EquationTemplate, expr: Expr) -> bool:
    leaves = list(walk(expr))
    if any(isinstance(leaf, Der | Time) for leaf in leaves):
        return False
    return all(template.slots[leaf.index].parameter for leaf in leaves if isinstance(leaf, Slot))
