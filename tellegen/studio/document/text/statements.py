"""A file as a list of statements with their lines: what two people may change without touching each other's."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator

from tellegen.start.records import dataclass
from tellegen.studio.document.text.splice import LINE


@dataclass(frozen=True)
class Statement:
    """Whole lines: a statement, the head of a class or function, or a line of a comment or of nothing.

    `order_matters` is false for what means the same wherever it stands among its like: imports, declarations of a
    class, equations and connections.
    """

    text: str
    order_matters: bool

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing to Python."""
        return not self.text.strip() or self.text.lstrip().startswith("#")

    @property
    def is_import(self) -> bool:
        """Whether it may be there twice, or once for two who need it."""
        return self.text.startswith(("import ", "from "))


def statements(text: str) -> list[Statement]:
    """All lines of a text in order; SyntaxError or ValueError where Python cannot read it."""
    lines = LINE.findall(text)
    found: list[Statement] = []
    reached = 0
    for node, end, in_class in _pieces(ast.parse(text).body, False):
        first = max(_first_line(node) - 1, reached)  # two statements may share a line
        if end <= reached:
            continue
        found += [Statement(line, False) for line in lines[reached:first]]
        found.append(Statement("".join(lines[first:end]), _order_matters(node, in_class)))
        reached = end
    return [*found, *(Statement(line, False) for line in lines[reached:])]


def _pieces(body: Iterable[ast.stmt], in_class: bool) -> Iterator[tuple[ast.stmt, int, bool]]:
    """Statements with the lines they end with; of classes and functions the head, then what is in them."""
    for node in body:
        assert node.end_lineno is not None
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and _first_line(node.body[0]) > node.lineno:
            yield node, _first_line(node.body[0]) - 1, in_class
            yield from _pieces(node.body, isinstance(node, ast.ClassDef))
        else:
            yield node, node.end_lineno, in_class


def _first_line(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _order_matters(node: ast.stmt, in_class: bool) -> bool:
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Yield)
    declares = isinstance(node, ast.Assign | ast.AnnAssign) and in_class
    return not (declares or isinstance(node, ast.Import | ast.ImportFrom))


def bound_names(text: str) -> set[tuple[str, str]]:
    """Names that stand for something at the top and in classes, with the class that they are in."""
    return set(_bindings(text))


def names_bound_twice(text: str) -> set[tuple[str, str]]:
    """Those that more than one statement at the top, or in a class, binds."""
    return {pair for pair, count in Counter(_bindings(text)).items() if count > 1}


def _bindings(text: str) -> Iterator[tuple[str, str]]:
    for node in ast.parse(text).body:
        yield from (("", name) for name in _bound(node))
        if isinstance(node, ast.ClassDef):
            yield from ((node.name, name) for inner in node.body for name in _bound(inner))


def _bound(node: ast.stmt) -> list[str]:
    match node:
        case ast.Assign(targets=targets):
            return [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
            return [name]
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [alias.asname or alias.name.partition(".")[0] for alias in names]
    return []
