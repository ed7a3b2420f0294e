"""What the body of a component class says, with the places where it says so: members and connections."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from tellegen.start.records import dataclass
from tellegen.studio.document.text.source_file import SourceFile
from tellegen.studio.document.text.splice import Span, dotted

PATH = re.compile(r"(?P<part>\w+)(?P<index>\[[^\]]*\])?(?:\.(?P<port>.+))?")


@dataclass(frozen=True)
class Argument:
    """A keyword argument of a call."""

    name: str
    text: str
    whole: Span
    value: Span


@dataclass(frozen=True)
class Member:
    """`name = Class(...)` in a class body."""

    name: str
    written: str
    """The class as written: `el.Resistor`."""
    meaning: str
    """Its full name: `tellegen.library.electrical.Resistor`, or that of a class in the file."""
    arguments: tuple[Argument, ...]
    positional: tuple[str, ...]
    node: ast.Assign
    call: ast.Call
    """The call that names the class: of `el.Resistor.array(n, R=1.0).only_if(hot)` without `.only_if(hot)`."""
    count: str = ""
    """How many there are, of an array."""
    condition: str = ""
    """What it exists for, of a conditional one."""
    plain: bool = True
    """Whether nothing else stands around the call."""


@dataclass(frozen=True)
class End:
    """One end of a connection: `self.motor.p` is `motor.p`; the path is empty where it is computed."""

    path: str
    span: Span

    @property
    def part(self) -> str:
        """The name of the part, or of a port of the class itself."""
        found = PATH.fullmatch(self.path)
        return found["part"] if found else ""

    @property
    def port(self) -> str:
        """The port of the part; empty for a port of the class itself."""
        found = PATH.fullmatch(self.path)
        return (found["port"] or "") if found else ""


@dataclass(frozen=True)
class Connection:
    """A `yield` in `connections`; `by_code` where it stands in a loop or a condition."""

    ends: tuple[End, ...]
    node: ast.Expr
    by_code: bool


@dataclass(frozen=True)
class ClassSource:
    """A class of a file."""

    file: SourceFile
    node: ast.ClassDef
    members: tuple[Member, ...]
    connections: tuple[Connection, ...]
    method: ast.FunctionDef | None
    """The method `connections`, where there is one."""

    def member(self, name: str) -> Member | None:
        """The member of a name."""
        return next((member for member in self.members if member.name == name), None)


@lru_cache(maxsize=256)  # asked for again by everything that refers to the class
def read_class(file: SourceFile, name: str) -> ClassSource:
    """A class by its name."""
    node = file.classes[name]
    methods = [item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "connections"]
    method = methods[-1] if methods else None
    wires = tuple(_connections(file, method.body, by_code=False)) if method is not None else ()
    return ClassSource(file, node, tuple(_members(file, node)), wires, method)


def _members(file: SourceFile, node: ast.ClassDef) -> Iterator[Member]:
    for item in node.body:
        if not isinstance(item, ast.Assign) or len(item.targets) != 1 or not isinstance(item.targets[0], ast.Name):
            continue
        call = _innermost_call(item.value)
        if call is not None:
            yield _member(file, item.targets[0].id, item, call)


def _member(file: SourceFile, name: str, item: ast.Assign, call: ast.Call) -> Member:
    whole = dotted(call.func)
    written = whole.removesuffix(".array")
    positional = [ast.unparse(argument) for argument in call.args]
    count = positional.pop(0) if written != whole and positional else ""
    condition = _condition(item.value, call)
    return Member(
        name,
        written,
        file.meaning(written),
        tuple(_argument(file, keyword) for keyword in call.keywords if keyword.arg),
        tuple(positional),
        item,
        call,
        count,
        condition,
        plain=item.value is call or condition != "",
    )


def _condition(value: ast.expr, call: ast.Call) -> str:
    """`hot` of `Heater().only_if(hot)`; empty where there is none, or one with options."""
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute) or value.func.value is not call:
        return ""
    plain = value.func.attr == "only_if" and len(value.args) == 1 and not value.keywords
    return ast.unparse(value.args[0]) if plain else ""


def _innermost_call(value: ast.expr) -> ast.Call | None:
    """The call that names a class; `el.Resistor(R=1.0).only_if(...)` and `Cell(...)[4]` have it inside."""
    if isinstance(value, ast.Call):
        inner = value.func.value if isinstance(value.func, ast.Attribute) else None
        return _innermost_call(inner) if isinstance(inner, ast.Call) else value
    if isinstance(value, ast.Subscript):
        return _innermost_call(value.value)
    return None


def _argument(file: SourceFile, keyword: ast.keyword) -> Argument:
    value = file.positions.span(keyword.value)
    assert keyword.arg is not None
    return Argument(keyword.arg, value.of(file.text), file.positions.span(keyword), value)


def _connections(file: SourceFile, body: list[ast.stmt], by_code: bool) -> Iterator[Connection]:
    for item in body:
        if isinstance(item, ast.Expr) and isinstance(item.value, ast.Yield) and isinstance(item.value.value, ast.Tuple):
            ends = tuple(End(_path(end), file.positions.span(end)) for end in item.value.value.elts)
            yield Connection(ends, item, by_code)
        elif isinstance(item, ast.For | ast.While | ast.If | ast.With):
            yield from _connections(file, [*item.body, *getattr(item, "orelse", [])], by_code=True)


def _path(end: ast.expr) -> str:
    text = dotted(end)
    known = text.startswith("self.") and PATH.fullmatch(text.removeprefix("self."))
    return text.removeprefix("self.") if known and "(" not in text else ""
