"""Inputs of parts that equations of the class give: no connection leads there, and yet the sheet shows from where.

`yield self.amplifier.u == self.gain * self.error` and `yield self.error == self.wanted - self.sensor.w` lead from
`sensor.w` to `amplifier.u`: names of the method and variables of the class stand for what they are equal to.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from tellegen.start.records import dataclass

DEEPEST = 8
"""How many variables may stand for others in turn."""


@dataclass(frozen=True)
class EquatedInput:
    """An input, the variables of other parts that its equation leads back to, and the equation."""

    end: str
    sources: tuple[str, ...]
    text: str
    """What it is equal to, as written."""
    line: int


@dataclass(frozen=True)
class _Named:
    """What a name of the method stands for, and what names stood for before."""

    value: ast.expr
    before: Mapping[str, _Named]


@dataclass(frozen=True)
class _Equation:
    left: ast.expr
    right: ast.expr
    line: int
    local: Mapping[str, _Named]
    """What names of the method are, where it stands."""

    def sides(self) -> Iterator[tuple[str, ast.expr]]:
        """The path of a side, where it is one, and the other side."""
        for one, other in ((self.left, self.right), (self.right, self.left)):
            if path := _path(one):
                yield path, other


def equated_inputs(node: ast.ClassDef, is_input: Callable[[str], bool], parts: set[str]) -> Iterator[EquatedInput]:
    """Of one class; `is_input` is true for paths of inputs of parts."""
    equations = [found for item in node.body if _is_method(item) for found in _equations(item)]
    own: dict[str, _Equation] = {}
    for equation in equations:
        for path, _ in equation.sides():
            if "." not in path:
                own.setdefault(path, equation)
    for equation in equations:
        for path, other in equation.sides():
            if is_input(path):
                found = dict.fromkeys(_sources(other, equation, own, parts, DEEPEST))
                plain = ast.unparse(other).replace("self.", "")
                yield EquatedInput(path, tuple(end for end in found if end != path), plain, equation.line)
                break


def _is_method(item: ast.stmt) -> bool:
    return isinstance(item, ast.FunctionDef) and item.name == "equations"


def _equations(method: ast.stmt) -> Iterator[_Equation]:
    """The plain ones: in loops and conditions one text stands for several."""
    assert isinstance(method, ast.FunctionDef)
    local: dict[str, _Named] = {}
    for item in method.body:
        if isinstance(item, ast.Assign) and len(item.targets) == 1 and isinstance(item.targets[0], ast.Name):
            local = {**local, item.targets[0].id: _Named(item.value, local)}
        if isinstance(item, ast.Expr) and isinstance(item.value, ast.Yield):
            match item.value.value:
                case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                    yield _Equation(left, right, item.lineno, local)


def _sources(
    side: ast.expr, equation: _Equation, own: Mapping[str, _Equation], parts: set[str], depth: int
) -> Iterator[str]:
    """The variables of parts that an expression is made of."""
    for leaf in _leaves(side):
        path = _path(leaf)
        if isinstance(leaf, ast.Name) and leaf.id in equation.local and depth:
            named = equation.local[leaf.id]
            yield from _sources(named.value, replace(equation, local=named.before), own, parts, depth - 1)
        elif path.partition(".")[0].partition("[")[0] in parts and "." in path:
            yield path
        elif path in own and own[path].line != equation.line and depth:
            for other, value in own[path].sides():
                if other == path:
                    yield from _sources(value, own[path], own, parts, depth - 1)


def _leaves(node: ast.AST) -> Iterator[ast.expr]:
    """Names, and paths as a whole."""
    if isinstance(node, ast.Name) or (isinstance(node, ast.expr) and _path(node)):
        yield node
        return
    for child in ast.iter_child_nodes(node):
        yield from _leaves(child)


def _path(node: ast.expr) -> str:
    """`load.w` for `self.load.w`; empty for what is none."""
    inner: ast.expr = node
    while isinstance(inner, ast.Attribute | ast.Subscript):
        inner = inner.value
    is_path = inner is not node and isinstance(inner, ast.Name) and inner.id == "self"
    return ast.unparse(node).removeprefix("self.") if is_path else ""
