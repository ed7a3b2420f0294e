"""Equations of a sorted model as SymPy objects: variables are functions of t, parameters are symbols."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

from tellegen.errors import ExportError
from tellegen.ir.equation import NUMBER, PARAMETER_LEAF, Equation, Leaf, equations
from tellegen.ir.expressions.expr import Apply, Call, Const, Der, Expr, Lookup, Slot, walk
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here

_ALIKE = "sin cos tan asin acos atan sinh cosh tanh exp log sqrt sign floor atan2"
_SAME_NAME = frozenset(_ALIKE.split())
_OTHER_NAME = {"abs": "Abs", "min": "Min", "max": "Max", "ceil": "ceiling", "mod": "Mod"}
_RELATIONS = {"lt": "Lt", "le": "Le", "gt": "Gt", "ge": "Ge", "eq": "Eq", "ne": "Ne", "and": "And", "or": "Or"}


def to_sympy(model: ReducedModel) -> list[Any]:
    """The equations as a list of sympy.Eq; `t` is time."""
    sympy = the_package("compiled.equations('text') and ('latex') work without it")
    return [_equation(sympy, equation) for equation in equations(model)]


def the_package(otherwise: str) -> Any:
    """SymPy, or an error that says what works without it."""
    if importlib.util.find_spec("sympy") is None:
        raise ExportError(
            "E403",
            "this needs the package sympy, which is not installed",
            location=here(),
            advice=f"pip install 'tellegen[sympy]'; {otherwise}",
        )
    import sympy  # pyright: ignore[reportMissingImports]

    return sympy


def expressions(sympy: Any, roots: tuple[Expr, ...], leaf: Callable[[Slot | Der], Any]) -> list[Any]:
    """Expressions with their leaves as `leaf` gives them."""
    values: dict[Expr, Any] = {}
    for node in walk(*roots):
        inside = [values[arg] for arg in node.args]
        values[node] = leaf(node) if isinstance(node, Slot | Der) else _value(sympy, node, inside)
    return [values[root] for root in roots]


def _equation(sympy: Any, equation: Equation) -> Any:
    left, right = equation.sides()

    def leaf(node: Slot | Der) -> Any:
        return _leaf(sympy, equation.leaves[node.index], int(isinstance(node, Der)))

    sides = expressions(sympy, (left,) if right is None else (left, right), leaf)
    return sympy.Eq(sides[0], sides[1] if right is not None else sympy.Integer(0), evaluate=False)


def _leaf(sympy: Any, leaf: Leaf, further: int) -> Any:
    if leaf.kind == NUMBER:
        return _number(sympy, leaf.value)
    if leaf.kind == PARAMETER_LEAF:
        return sympy.Symbol(leaf.name, real=True)
    t = sympy.Symbol("t", real=True)
    variable = sympy.Function(leaf.name, real=True)(t)
    order = leaf.order + further
    return sympy.Derivative(variable, (t, order)) if order else variable


def _number(sympy: Any, value: float | bool) -> Any:
    if isinstance(value, bool):
        return sympy.true if value else sympy.false
    return sympy.Integer(int(value)) if float(value).is_integer() and abs(value) < 1e15 else sympy.Float(value)


def _value(sympy: Any, node: Expr, args: list[Any]) -> Any:
    if isinstance(node, Const):
        return _number(sympy, node.value)
    if isinstance(node, Apply):
        suffix = f"_{node.output}" if node.function.outputs > 1 else ""
        return sympy.Function(node.function.name + suffix)(*args)
    if isinstance(node, Lookup):
        return sympy.Function(node.table.name)(*args)
    return _call(sympy, node.op, args) if isinstance(node, Call) else sympy.Symbol("t", real=True)


def _call(sympy: Any, op: str, args: list[Any]) -> Any:
    simple = {
        "add": lambda *terms: sympy.Add(*terms),
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "div": lambda a, b: a / b,
        "pow": lambda a, b: a**b,
        "neg": lambda a: -a,
        "log10": lambda a: sympy.log(a, 10),
        "where": lambda condition, yes, no: sympy.Piecewise((yes, condition), (no, True)),
        "not": lambda a: sympy.Not(a),
        "no_event": lambda a: a,
        "smooth": lambda _, a: a,
        "homotopy": lambda actual, _: actual,
        "with_derivatives": lambda value, *_: value,
    }
    if op in simple:
        return simple[op](*args)
    if op in _SAME_NAME:
        return getattr(sympy, op)(*args)
    name = _OTHER_NAME.get(op) or _RELATIONS.get(op)
    return getattr(sympy, name)(*args) if name else sympy.Function(op)(*args)
