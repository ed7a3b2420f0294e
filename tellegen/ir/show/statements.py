"""Text forms: expressions and statements in the user's notation, models and flat models as readable pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.ir.expressions.expr import Apply, Call, Const, Der, Expr, Lookup, Slot
from tellegen.ir.expressions.ops import OPS
from tellegen.ir.expressions.template import (
    Action,
    AssertTemplate,
    Branch,
    EquationTemplate,
    InvariantTemplate,
    ModalTemplate,
    SlotInfo,
    Template,
    ValueTemplate,
    WhenTemplate,
    formatted,
)
from tellegen.ir.model import NOT_ZERO, Kind, Model, Parameter
from tellegen.units import Unit

_VECTORS = "(a direction needs a length, and two that span a plane must not be parallel)"
_LONG_FORMULA = 300  # letters; values alone say more than a longer one

if TYPE_CHECKING:
    from tellegen.ir.flat import FlatModel, Group, Table


class Names(list[str]):
    """The names of slots, and of those that hold an enumeration the names of its values."""

    def __init__(self, names: Iterable[str], slots: Sequence[SlotInfo]) -> None:
        super().__init__(names)
        self.literals = [slot.literals for slot in slots]

    def value(self, slot: Expr, value: Expr) -> str:
        """The name of a number that a slot (or its past) is compared with or set to; empty if it has none."""
        if isinstance(slot, Call) and slot.op == "pre":
            slot = slot.args[0]
        literals = self.literals[slot.index] if isinstance(slot, Slot) else ()
        if not literals or not isinstance(value, Const) or not 0 <= value.value < len(literals):
            return ""
        return literals[int(value.value)]


def show_number(value: Any) -> str:
    """A number without needless digits."""
    return str(value) if isinstance(value, (bool, np.bool_)) else f"{float(value):.10g}"


def show_value(si: Any, unit: Unit) -> str:
    """A number held in SI units, in its declared unit."""
    return f"{show_number(unit.from_si(si))} {unit.text if unit.text != '1' else ''}".rstrip()


def beyond_bound(bound: str, limit: Any, unit: Unit) -> str:
    """How a value is beyond its bound; `limit` is in SI units."""
    least = float(np.ravel(limit)[0])
    return "but must be above 0" if 0.0 < least <= NOT_ZERO else f"beyond its {bound}imum {show_value(least, unit)}"


def show_expr(expr: Expr, names: Sequence[str], above: int = 0) -> str:
    """An expression with the slots' names; parentheses only where precedence asks for them."""
    if isinstance(expr, Const):
        text = show_number(expr.value)
        return f"({text})" if text.startswith("-") and above > 50 else text
    if isinstance(expr, Slot):
        name = names[expr.index]
        return f"({name})" if name.startswith("-") and above > 50 else name  # a number that stands for itself
    if isinstance(expr, Der):
        return f"der({names[expr.index]})"
    if isinstance(expr, Lookup):
        return f"{expr.table.name}({', '.join(show_expr(arg, names) for arg in expr.args)})"
    if isinstance(expr, Apply):
        inner = ", ".join(show_expr(arg, names) for arg in expr.args)
        suffix = f"[{expr.output}]" if expr.function.outputs > 1 else ""
        return f"{expr.function.name}({inner}){suffix}"
    return _show_call(expr, names, above) if isinstance(expr, Call) else "time"


def _show_call(expr: Call, names: Sequence[str], above: int) -> str:
    op = OPS[expr.op]
    if not op.infix:
        return f"{expr.op}({', '.join(show_expr(arg, names) for arg in expr.args)})"
    rank = op.precedence
    if expr.op in ("eq", "ne") and isinstance(names, Names) and (name := names.value(*expr.args)):
        text = f"{show_expr(expr.args[0], names, rank)} {op.infix} {name}"
    elif len(expr.args) == 1:
        text = f"{op.infix}{show_expr(expr.args[0], names, rank)}"
    else:
        parts = [show_expr(arg, names, rank + _tighter(expr.op, k)) for k, arg in enumerate(expr.args)]
        text = f" {op.infix} ".join(parts) if rank < 60 else op.infix.join(parts)
    return f"({text})" if rank < above else text


def _tighter(op: str, operand: int) -> int:
    """1 if that operand needs parentheses where it has the same precedence: a - (b - c), (a**b)**c, (a < b) < c."""
    if op in ("add", "mul", "and", "or"):
        return 0
    if op in ("sub", "div"):
        return int(operand > 0)
    return int(operand == 0) if op == "pow" else 1


def show_template(template: Template, names: Sequence[str] | None = None) -> str:
    """A statement; without names, in the words of the class that wrote it."""
    names = names or Names([slot.name for slot in template.slots], template.slots)
    if isinstance(template, ModalTemplate):
        return " | ".join(
            f"{mode}: {show_expr(lhs, names, 31)} == {show_expr(rhs, names, 31)}" for mode, lhs, rhs in template.cases
        )
    if isinstance(template, EquationTemplate):
        return f"{show_expr(template.lhs, names, 31)} == {show_expr(template.rhs, names, 31)}"  # (a < b) == c
    if isinstance(template, ValueTemplate):
        return f"{names[0]} := {show_expr(template.value, names)}"
    if isinstance(template, AssertTemplate):
        verb = "warn unless" if template.warning else "assert"
        message = formatted(template.message, template.values, lambda value: show_expr(value, names))
        return f"{verb} {show_expr(template.condition, names)}: {message}"
    if isinstance(template, InvariantTemplate):
        return f"{names[0]} stays 0; its derivative by {names[1]} is {names[2]}"
    assert isinstance(template, WhenTemplate)
    parts = [show_branch(branch, names) for branch in template.branches]
    return "when " + " elsewhen ".join(parts)


def show_branch(branch: Branch, names: Sequence[str]) -> str:
    """A condition and what is done when it becomes true, in brackets what that means."""
    actions = "; ".join(_show_action(action, names) for action in branch.actions)
    title = f"[{branch.title}] " if branch.title else ""
    return f"{title}{show_expr(branch.condition, names)}: {actions}"


def _show_action(action: Action, names: Sequence[str]) -> str:
    if action.verb == "terminate":
        return f"terminate({formatted(action.message, action.values, lambda value: show_expr(value, names))!r})"
    if action.verb == "assert":
        return f"assert {show_expr(action.value, names)}"
    named = names.value(Slot(action.target), action.value) if isinstance(names, Names) else ""
    value = named or show_expr(action.value, names)
    target = names[action.target]
    return f"reinit({target}, {value})" if action.verb == "reinit" else f"{target} := {value}"


def row_names(flat: FlatModel, group: Group, row: int) -> Names:
    """The full names of a row's slots; numbers written in equations stand for themselves."""
    out = []
    for slot, index in zip(group.template.slots, group.bindings[row], strict=True):
        table = flat.parameters if slot.parameter else flat.variables
        declared = table.declaration(int(index))
        if isinstance(declared, Parameter) and declared.literal:
            out.append(show_number(table.column("value")[index]))
        else:
            out.append(table.name(int(index)))
    return Names(out, group.template.slots)


def show_row(flat: FlatModel, group: Group, row: int) -> str:
    """One statement of a group with full names, as the user would write it at the top."""
    return show_template(group.template, row_names(flat, group, row))


def show_computed(parameters: Table, group: Group, row: Any, values: Any) -> str:
    """The expression of a parameter with the values in it; empty where it reads no other parameter."""
    names = [parameters.name(int(index)) for index in row]
    shown = [
        f"{name} = {show_value(values[index], parameters.declaration(int(index)).unit)}"
        for name, index in zip(names[1:], row[1:], strict=True)
    ]
    return f"{show_template(group.template, names)}   with {', '.join(shown)}" if shown else ""


def show_not_computed(parameters: Table, group: Group, row: Any, values: Any) -> tuple[str, list[str]]:
    """What is said of a parameter whose expression is not finite, and its details: arrays as one, long formulas not."""
    index = int(row[0])
    declared = parameters.declaration(index)
    what = f" ({declared.description})" if declared.description else ""
    message = f"parameter '{parameters.name(index)}'{what} is computed by an expression that is not finite"
    text = show_computed(parameters, group, row, values)
    if len(text) <= _LONG_FORMULA:
        return message, [text]
    read: dict[str, dict[int, str]] = {}
    for k in map(int, row[1:]):
        array = parameters.name(k).partition("[")[0]
        read.setdefault(array, {})[k] = show_value(values[k], parameters.declaration(k).unit)
    shown = [f"{array} = {', '.join(of[k] for k in sorted(of))}" for array, of in read.items()]
    return message, [f"with {', '.join(shown)}", _VECTORS]


def zero_vector(parameters: Table, row: Any, values: Any) -> str:
    """The parameter of which a row reads all of several components, and all of them are zero; empty for none."""
    read = np.unique(row[1:])
    names = {parameters.name(int(index)).rpartition("[")[0] for index in read}
    is_vector = len(read) > 1 and len(names) == 1 and not np.any(values[read])
    return names.pop() if is_vector else ""


def show_sum(flat: FlatModel, row: int) -> str:
    """One of Kirchhoff's sums."""
    first = int(flat.sums.indptr[row])
    last = int(flat.sums.indptr[row + 1])
    shown = range(first, last) if last - first <= 12 else [*range(first, first + 4), -1, last - 1]
    text = ""
    for k in shown:
        if k < 0:
            text += " + ..."
            continue
        name = flat.variables.name(int(flat.sums.indices[k]))
        minus = flat.sums.signs[k] < 0
        text += (" - " if minus else " + ") + name if text else ("-" if minus else "") + name
    return f"{text} == 0"


def show_equality(flat: FlatModel, row: int) -> str:
    """One pair of connected variables."""
    a, b = flat.equalities[row]
    return f"{flat.variables.name(int(a))} == {flat.variables.name(int(b))}"


def show_model(model: Model) -> str:
    """The tree of components as written."""
    lines = [f"model {model.name}"]

    def visit(kind: Kind, indent: str) -> None:
        for group in kind.groups:
            inside = f" ({', '.join(f'{k}={v}' for k, v in group.kind.structure)})" if group.kind.structure else ""
            if group.is_array:
                names = f"{group.names[0]}[{group.size}]"
            elif len(group.names) > 4:
                names = f"{group.names[0]}, {group.names[1]}, ... {group.names[-1]} ({len(group.names)})"
            else:
                names = ", ".join(group.names)
            lines.append(f"{indent}{names}: {group.kind.name}{inside}")
            visit(group.kind, indent + "  ")

    visit(model.root, "  ")
    lines.append(f"kinds: {len(model.kinds())}, each traced once ({model.traced} tracings)")
    for kind in model.kinds():
        lines.append(f"kind {kind.name}  ({kind.location})")
        lines += [f"  {show_template(stamp.template)}{_rows(stamp.rows)}" for stamp in kind.stamps]
    return "\n".join(lines)


def _rows(rows: int) -> str:
    return f"    x {rows}" if rows != 1 else ""
