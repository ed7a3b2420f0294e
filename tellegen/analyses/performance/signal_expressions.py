"""Curves by text: "c.v * motor.ia", "abs(load.w - 5)", "der(x)**2", any expression of paths of a model.

The text is read as a Python expression and only looked at, never run: paths, numbers, arithmetic and the functions of
`dual.RULES`, abs, min, max. Values are in the units the model declares.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf, pi
from typing import Any

import numpy as np

from tellegen.analyses.performance.dual_numbers import RULES, apply, larger
from tellegen.errors import DesignError
from tellegen.ir.source_location import here

_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_FUNCTIONS = {"abs": 1, "min": 2, "max": 2, **dict.fromkeys(RULES, 1)}


@dataclass(frozen=True, eq=False)
class Signal:
    """A curve: its text, and below it the expressions at whose zeros it has a kink."""

    text: str
    tree: ast.expr | str  # a text alone is a path
    kinks: tuple[Signal, ...] = field(default=())

    def evaluate(self, read: Callable[[str], Any]) -> Any:
        """The value for what `read` gives for paths: a Dual, or a number when no path is in it."""
        try:
            with np.errstate(all="ignore"):  # what is not a number shows in the result
                return read(self.tree) if isinstance(self.tree, str) else _evaluate(self.tree, read)
        except ZeroDivisionError:
            raise _not_understood(f"'{self.text}'", "it divides a number by zero") from None
        except OverflowError:
            raise _not_understood(f"'{self.text}'", "its numbers are too large") from None

    @property
    def path(self) -> str | None:
        """The path of a variable or parameter, where the curve is nothing else."""
        plain = isinstance(self.tree, str) or (_is_path(self.tree) and not isinstance(self.tree, ast.Call))
        return self.text if plain and self.text not in ("time", "pi") else None

    def __str__(self) -> str:
        return self.text


def signal(text: str | Signal) -> Signal:
    """The curve a text means."""
    if isinstance(text, Signal):
        return text
    if not isinstance(text, str):
        why = "a performance function measures a finished run and takes its signal as a string"
        raise _not_understood(repr(text), why, "'load.w'; inside equations integrate the quantity: tg.der(z) == x")
    return _parsed(text.strip())


def condition(text: str) -> Signal:
    """The curve that becomes positive where the condition `left > right` or `left < right` becomes true."""
    tree = _tree(text) if isinstance(text, str) else None
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1 or not isinstance(tree.ops[0], _COMPARISONS):
        raise _not_understood(repr(text), "a condition compares two signals", "'load.phi > 1.0', 'ball.h < 0'")
    sides = [tree.left, tree.comparators[0]]
    if isinstance(tree.ops[0], ast.Lt | ast.LtE):
        sides.reverse()
    difference = ast.BinOp(sides[0], ast.Sub(), sides[1])
    return _checked(difference, text)


_COMPARISONS = (ast.Gt, ast.GtE, ast.Lt, ast.LtE)


@lru_cache(maxsize=256)
def _parsed(text: str) -> Signal:
    return _checked(_tree(text), text)


def _tree(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise _not_understood(repr(text), error.msg) from None


def _checked(tree: ast.expr, text: str) -> Signal:
    return Signal(text, tree, tuple(Signal(ast.unparse(part), part) for part in _walk(tree, text)))


def _walk(node: ast.expr, text: str) -> Iterator[ast.expr]:
    """What makes kinks; rejects what is not arithmetic on paths."""
    if _is_path(node) or _is_number(node):
        return
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        yield from _walk(node.left, text)
        yield from _walk(node.right, text)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        yield from _walk(node.operand, text)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        if len(node.args) != _FUNCTIONS.get(node.func.id):
            raise _not_understood(repr(text), f"there is no function '{ast.unparse(node)}'")
        for argument in node.args:
            yield from _walk(argument, text)
        if node.func.id in ("abs", "min", "max"):
            yield node.args[0] if len(node.args) == 1 else ast.BinOp(node.args[0], ast.Sub(), node.args[1])
    else:
        power = isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor)
        why = f"'{ast.unparse(node)}' is not arithmetic" + ("; a power is written **" if power else "")
        raise _not_understood(repr(text), why)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float) and abs(node.value) < inf  # type: ignore[operator, arg-type]


def _is_path(node: ast.expr) -> bool:
    """`a`, `a.b`, `cells[2].T`, `der(a.b)`."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "der" and all(map(_is_path, node.args))
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return isinstance(node, ast.Name)


@lru_cache(maxsize=1024)
def _text(node: ast.expr) -> str:
    """The text of a path; curves are read thousands of times in a search."""
    return ast.unparse(node)


def _evaluate(node: ast.expr, read: Callable[[str], Any]) -> Any:
    if isinstance(node, ast.Constant):
        return float(node.value)  # type: ignore[arg-type]
    if _is_path(node):
        path = _text(node)
        return pi if path == "pi" else read(path)
    if isinstance(node, ast.UnaryOp):
        value = _evaluate(node.operand, read)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp):
        left = _evaluate(node.left, read)
        right = _evaluate(node.right, read)
        return _BINARY[type(node.op)](left, right)
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    return _call(node.func.id, [_evaluate(argument, read) for argument in node.args])


def _call(name: str, values: list[Any]) -> Any:
    if name == "abs":
        return abs(values[0])
    if name == "max":
        return larger(*values)
    if name == "min":
        return -larger(*(-value for value in values))
    return apply(values[0], *RULES[name])


def _not_understood(text: str, why: str, example: str = "'load.w', 'c.v * motor.i', 'abs(der(x))'") -> DesignError:
    return DesignError(
        "E646", f"the signal {text} is not understood: {why}", location=here(), advice=f"write {example}"
    )
