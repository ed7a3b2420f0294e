"""What an equation says at a point, for messages: its variables with their values, and the operation at fault.

    der(h) == -sqrt(h) - 0.5    at h = -1e-9:    sqrt(h), a root of a negative number

Evaluated with NumPy and in the words of the FlatModel, because it is asked only when something has failed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tellegen.engine.diagnostics.switched_relations import State
from tellegen.engine.native.user_functions import Raised
from tellegen.engine.readout.quantity import columns
from tellegen.engine.readout.snapshot import Snapshot
from tellegen.engine.request.consistent import Consistent
from tellegen.errors import LanguageError, TellegenError
from tellegen.ir.expressions.expr import Apply, Call, Der, Expr, Function, Slot, walk
from tellegen.ir.flat import Group
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.show.reduced_rows import equation_text, written_row
from tellegen.ir.show.statements import row_names, show_expr
from tellegen.start.records import dataclass
from tellegen.symbolic.evaluate import evaluate

_SHOWN = 5
_VALUES = 10

ADVICE = {
    "division": "keep the divisor away from zero",
    "root": "keep the argument of the root from becoming negative, for example with tg.maximum(..., 0)",
    "logarithm": "keep the argument of the logarithm positive",
    "range": "keep the argument between -1 and 1",
    "overflow": "look for what makes it grow: a wrong sign, a feedback that is too strong, a poor start value",
    "function": "check the function: it did not return a finite number\n"
    "(C code gets NaN for inputs that feedthrough = False hides from it)",
}
"""What to try, by the sort of fault."""

NAMES = {
    "division": "division by zero",
    "root": "root of a negative number",
    "logarithm": "logarithm of a number that is not positive",
    "range": "argument outside -1 ... 1",
    "overflow": "a value grows beyond all finite numbers",
    "function": "a function did not return a finite number",
}
_SORTS = {"sqrt": "root", "log": "logarithm", "log10": "logarithm", "asin": "range", "acos": "range"}


@dataclass(frozen=True, slots=True)
class Fault:
    """An operation without a finite value: its sort (see NAMES) and its text in the user's words."""

    sort: str
    text: str
    error: TellegenError | None = None  # what the user's function raised

    def __str__(self) -> str:
        return self.error.message if self.error is not None else f"{NAMES[self.sort]}: {self.text}"

    @property
    def advice(self) -> str:
        """What to try."""
        return self.error.advice if self.error is not None else ADVICE[self.sort]


def equations(model: ReducedModel, rows: Iterable[int], at: State, title: str) -> list[str]:
    """The first equations under a title, and the variables and parameters in them with their values."""
    shown = list(rows)[:_SHOWN]
    values = list(dict.fromkeys(text for row in shown for text in _values(model, row, at)))
    more = [f"  ... and {len(values) - _VALUES} more"] if len(values) > _VALUES else []
    listed = [f"  {equation_text(model, row)}" for row in shown]
    values = [f"with these values at t = {at.t:.6g}:", *(f"  {text}" for text in values[:_VALUES])] if values else []
    return [title, *listed, *values, *more]


def _values(model: ReducedModel, row: int, at: State) -> Iterator[str]:
    """`name = value unit` of all that an equation contains; numbers written in it stand for themselves."""
    flat = model.flat
    now = Snapshot(model, at.t, Consistent(at.y, at.yp), at.p)
    written = written_row(model, row)
    if written is None:
        origin = model.origin(row)
        variables: Any = ()
        if origin.kind == "sum":
            first, last = flat.sums.indptr[origin.number : origin.number + 2]
            variables = flat.sums.indices[first:last]
        elif origin.kind == "equality":
            variables = flat.equalities[origin.number]
        names = [flat.variables.name(int(k)) for k in variables]
    else:
        names = list(_names(model, *written))
    for name in names:
        try:
            yield f"{name} = {now[name]:.6g} {now.unit(name)}".rstrip()
        except LanguageError:  # a derivative that is not computed
            continue


def _names(model: ReducedModel, group: Group, row: int) -> Iterator[str]:
    names = row_names(model.flat, group, row)
    leaves = [node for node in walk(*group.template.expressions()) if isinstance(node, Slot | Der)]
    for leaf in sorted(leaves, key=lambda leaf: group.template.slots[leaf.index].parameter):
        if group.template.slots[leaf.index].parameter:
            declared = model.flat.parameters.declaration(int(group.bindings[row, leaf.index]))
            if declared.literal:
                continue
        yield f"der({names[leaf.index]})" if isinstance(leaf, Der) else names[leaf.index]


def fault(model: ReducedModel, row: int, at: State, before: State | None = None) -> Fault | None:
    """The operation of an equation that has no finite value, or divides by what has changed its sign since `before`."""
    written = written_row(model, row)
    if written is None:
        return None
    group, local = written
    names = row_names(model.flat, group, local)
    errors: dict[Expr, TellegenError] = {}
    values = _evaluated(model, group, local, at, errors)
    earlier = _evaluated(model, group, local, before) if before is not None else values
    for node in _used(group.template.expressions(), values):
        if not isinstance(node, Call | Apply):
            continue
        arguments = [values[argument] for argument in node.args]
        given = [values[arg] for arg in node.args if not _is_parameter(group, arg)]
        if not np.isfinite(values[node]) and np.isfinite(given).all():
            return Fault(_sort(node, arguments), show_expr(node, names), errors.get(node))
        if isinstance(node, Call) and node.op == "div" and earlier[node.args[1]] * arguments[1] < 0.0:
            return Fault("division", show_expr(node, names))
    return None


def _is_parameter(group: Group, node: Expr) -> bool:
    return isinstance(node, Slot) and group.template.slots[node.index].parameter


def raised_in(model: ReducedModel, at: State, everything: dict[Function, Raised]) -> tuple[Fault, int] | None:
    """An exception of the user's code at a point nearby, and the equation that called it with such arguments."""
    for function, raised in everything.items():
        if not isinstance(raised.error, TellegenError):
            continue
        nearest: tuple[float, int] | None = None
        for offset, group in zip(model.offsets, model.groups, strict=False):
            call = next((n for n in walk(group.residual) if isinstance(n, Apply) and _is_of(n, function)), None)
            for row in range(group.rows if call is not None else 0):
                far = _distance(model, int(offset) + row, at, raised, function)
                nearest = min(nearest or (far, int(offset) + row), (far, int(offset) + row))
        if nearest is not None:
            return Fault("function", function.name, raised.error), nearest[1]
    return None


def _is_of(node: Apply, function: Function) -> bool:
    return function in (node.function, node.function.__dict__.get("_slopes"))


def _distance(model: ReducedModel, row: int, at: State, raised: Raised, function: Function) -> float:
    """How far the arguments of a row are from those that were given."""
    written = written_row(model, row)
    if written is None:
        return np.inf
    values = _evaluated(model, *written, at)
    node = next(n for n in values if isinstance(n, Apply) and _is_of(n, function))
    mine = np.array([values[arg] for arg in node.args], float)
    given = np.array(raised.arguments)
    return float(np.nansum(np.abs(mine - given) / np.maximum(np.abs(mine) + np.abs(given), 1e-300)))


def _sort(node: Expr, arguments: list[Any]) -> str:
    if isinstance(node, Apply):
        return "function"
    assert isinstance(node, Call)
    if node.op == "div" and arguments[1] == 0.0:
        return "division"
    if node.op == "pow" and arguments[0] <= 0.0:
        return "division" if arguments[0] == 0.0 else "root"
    return _SORTS.get(node.op, "overflow")


def _used(roots: Iterable[Expr], values: dict[Expr, Any]) -> Iterator[Expr]:
    """The nodes that count, operands first: of where(...) only the branch taken."""
    seen: set[Expr] = set()
    stack = [(root, False) for root in roots]
    while stack:
        node, ready = stack.pop()
        if ready:
            yield node
        elif node not in seen:
            seen.add(node)
            arguments = node.args
            if isinstance(node, Call) and node.op == "where":
                arguments = (arguments[0], arguments[1 if values[arguments[0]] else 2])
            stack += [(node, True), *((argument, False) for argument in reversed(arguments))]


def _evaluated(
    model: ReducedModel, group: Group, row: int, at: State, errors: dict[Expr, TellegenError] | None = None
) -> dict[Expr, Any]:
    """The value of every node of a statement; not a number where it has none, or raises one of `errors`."""
    values: dict[Expr, Any] = {}
    for node in walk(*group.template.expressions()):
        try:
            if isinstance(node, Slot | Der):
                values[node] = _leaf(model, group, row, node, at)
            else:
                values[node] = evaluate(node, None, time=at.t, special=values)
        except TellegenError as error:
            values[node] = np.nan
            if errors is not None and isinstance(node, Apply):
                errors[node] = error
        except (ArithmeticError, ValueError, TypeError):
            values[node] = np.nan
    return values


def _leaf(model: ReducedModel, group: Group, row: int, leaf: Slot | Der, at: State) -> Any:
    """The value of a slot or of its derivative, in SI units."""
    index = int(group.bindings[row, leaf.index])
    if group.template.slots[leaf.index].parameter:
        return at.p[index]
    where = columns(model, [index], 1 if isinstance(leaf, Der) else 0)
    return where.read(at.y[None, :], at.yp[None, :], at.p)[0, 0]
