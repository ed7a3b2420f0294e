"""Printed equations mean what was written: read back, they have the same value.

Python reads what is printed; both trees are evaluated at random points. Sums and products may be grouped in another
way, and numbers are printed to ten digits; differences of these are a little worse, so values agree to 1e-7.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
from typing import Any

import numpy as np

import tellegen as tg
import tellegen.library
from seeds import each_seed
from tellegen.class_reference.entry import _kind  # the templates of a class of the library
from tellegen.ir.expressions.expr import Apply, Call, Const, Der, Expr, Lookup, Slot, walk
from tellegen.ir.expressions.ops import OPS
from tellegen.ir.expressions.template import EquationTemplate, ModalTemplate
from tellegen.ir.show.shorten import plain
from tellegen.ir.show.statements import Names, show_expr

ARITHMETIC = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Pow: "pow"}
LOGIC = {ast.BitAnd: "and", ast.BitOr: "or"}
UNARY = {ast.USub: "neg", ast.Invert: "not"}
COMPARED = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne"}


def read(text: str, names: list[str]) -> Expr:
    """What a reader of Python understands by a printed expression."""
    return _read(ast.parse(text, mode="eval").body, names)


def _read(node: ast.expr, names: list[str]) -> Expr:
    if isinstance(node, ast.Constant):
        return Const(node.value)  # type: ignore[arg-type]
    if isinstance(node, ast.Name):
        return Slot(names.index(node.id))
    if isinstance(node, ast.UnaryOp):
        return Call(UNARY[type(node.op)], (_read(node.operand, names),))
    if isinstance(node, ast.BinOp):
        op = (ARITHMETIC | LOGIC)[type(node.op)]  # type: ignore[index]
        return Call(op, (_read(node.left, names), _read(node.right, names)))
    if isinstance(node, ast.Compare):
        (op,) = node.ops  # a chain has another meaning
        return Call(COMPARED[type(op)], (_read(node.left, names), _read(node.comparators[0], names)))
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    return Call(node.func.id, tuple(_read(arg, names) for arg in node.args))


def value(expr: Expr, at: Any) -> Any:
    """The expression at a point, by the table of operations."""
    done: dict[Expr, Any] = {}
    for node in walk(expr):
        if isinstance(node, Const):
            done[node] = node.value if isinstance(node.value, bool) else float(node.value)
        elif isinstance(node, Slot):
            done[node] = at[node.index]
        else:
            assert isinstance(node, Call)
            numeric = OPS[node.op].numeric
            assert numeric is not None
            done[node] = numeric(*(done[arg] for arg in node.args))
    return done[expr]


def assert_same(one: Expr, other: Expr, slots: int, seed: int) -> None:
    at = np.random.default_rng(seed).uniform(-2.0, 2.0, (slots, 16))
    with np.errstate(all="ignore"):
        expected = np.asarray(value(one, at), float) * np.ones(16)
        found = np.asarray(value(other, at), float) * np.ones(16)
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-7)


def random_number(rng: np.random.Generator, depth: int) -> Expr:
    """An arithmetic expression of three slots, full of ones, zeros and negative numbers."""
    if depth == 0 or rng.random() < 0.1:
        return Slot(int(rng.integers(3))) if rng.random() < 0.6 else Const(float(rng.choice([0, 1, -1, 2, -2.5])))
    op = str(rng.choice(["add", "sub", "mul", "div", "pow", "neg", "where", "max"]))
    if op == "neg":
        return Call("neg", (random_number(rng, depth - 1),))
    if op == "where":
        return Call("where", (random_truth(rng, depth - 1), *(random_number(rng, depth - 1) for _ in range(2))))
    count = int(rng.integers(2, 4)) if op == "add" else 2
    return Call(op, tuple(random_number(rng, depth - 1) for _ in range(count)))


def random_truth(rng: np.random.Generator, depth: int) -> Expr:
    if depth > 0 and rng.random() < 0.5:
        op = str(rng.choice(["and", "or", "not"]))
        return Call(op, tuple(random_truth(rng, depth - 1) for _ in range(1 if op == "not" else 2)))
    left = random_truth(rng, depth - 1) if depth > 0 and rng.random() < 0.2 else random_number(rng, depth)
    op = str(rng.choice(["lt", "ge", "eq", "ne"]))
    return Call(op, (left, random_number(rng, depth)))


@each_seed(range(400))
def test_random_expressions_read_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    expr = random_number(rng, int(rng.integers(1, 5)))
    names = ["a", "b", "c"]
    assert_same(expr, read(show_expr(expr, names), names), 3, seed)
    assert_same(expr, read(show_expr(plain(expr), names), names), 3, seed)


def test_what_is_left_out() -> None:
    a, b, c = (Slot(k) for k in range(3))
    one, zero = Const(1.0), Const(0.0)
    names = ["a", "b", "c"]
    shown = {
        Call("add", (Call("mul", (b, zero)), c)): "b*0 + c",
        Call("add", (Call("sub", (b, zero)), c)): "b + c",
        Call("mul", (Call("pow", (b, one)), c)): "b**1*c",
        Call("mul", (Call("div", (b, one)), c)): "b/1*c",
        Call("add", (zero, Call("mul", (one, a)), b)): "a + b",
        Call("pow", (Call("pow", (a, Const(3.0))), Const(2.0))): "(a**3)**2",
    }
    for expr, text in shown.items():
        assert show_expr(plain(expr), names) == text


def library_classes() -> list[Any]:
    found: dict[Any, None] = {}
    for module in pkgutil.walk_packages(tellegen.library.__path__, "tellegen.library."):
        for member in vars(importlib.import_module(module.name)).values():
            if isinstance(member, type) and issubclass(member, tg.Component) and member.__module__ == module.name:
                found[member] = None
    return list(found)


def sides(template: Any) -> list[Expr]:
    """The expressions of an equation that the reader above knows: no tables, functions and derivatives."""
    if isinstance(template, ModalTemplate):
        pairs = [(lhs, rhs) for _, lhs, rhs in template.cases]
    else:
        pairs = [(template.lhs, template.rhs)]
    known = [side for pair in pairs for side in pair]
    return [side for side in known if not any(isinstance(node, Apply | Lookup | Der) for node in walk(side))]


def is_readable(expr: Expr) -> bool:
    """Whether all operations can be evaluated: not those of events."""
    calls = [node for node in walk(expr) if isinstance(node, Call)]
    return not any(type(node).__name__ == "Time" for node in walk(expr)) and all(
        OPS[node.op].numeric is not None for node in calls
    )


def test_the_library_reads_back() -> None:
    """All equations of all classes that can be built without arguments, those that classes share once."""
    count = 0
    done: set[Expr] = set()
    for cls in library_classes():
        try:
            kind = _kind(cls())
        except (tg.TellegenError, TypeError, NotImplementedError, KeyError):
            continue
        for stamp in kind.stamps:
            if not isinstance(stamp.template, EquationTemplate):
                continue
            n = len(stamp.template.slots)
            names = Names([f"x{k}" for k in range(n)], stamp.template.slots)
            for side in filter(is_readable, sides(stamp.template)):
                count += 1
                if side in done:
                    continue
                assert_same(side, read(show_expr(side, list(names)), list(names)), n, len(done))
                assert_same(side, read(show_expr(plain(side), list(names)), list(names)), n, len(done))
                done.add(side)
    assert count > 1000
    assert len(done) > 700
