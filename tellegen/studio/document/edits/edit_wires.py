"""Operations on wires as splices of the text: statements `yield self.a.p, self.b.n` in the method `connections`."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from tellegen.errors import DocumentError
from tellegen.studio.document.text.class_source import ClassSource, Connection, End
from tellegen.studio.document.text.splice import Span, Splice

PATH = re.compile(r"\w+(\[[^\]]*\])?(\.\w+(\[[^\]]*\])?)*")


def connect(source: ClassSource, first: str, second: str) -> list[Splice]:
    """A wire between two ports: one more end of a wire that one of them has, or a wire of its own."""
    for path in (first, second):
        if not PATH.fullmatch(path):
            raise DocumentError("E898", f"{path!r} is not a port", advice="name a port as motor.p")
    if first == second:
        raise DocumentError("E898", f"{first} cannot be connected to itself", advice="end the wire at another port")
    own = [wire for wire in source.connections if _is_plain(wire)]
    if any({first, second} <= _paths(wire) for wire in own):
        raise DocumentError("E898", f"{first} and {second} are connected already", advice="nothing is left to do")
    at_first = next((wire for wire in own if first in _paths(wire)), None)
    at_second = next((wire for wire in own if second in _paths(wire)), None)
    if (at_first is None) != (at_second is None):
        wire, new = (at_first, second) if at_first is not None else (at_second, first)
        assert wire is not None
        end = wire.ends[-1].span.end
        return [Splice(Span(end, end), f", self.{new}")]
    return [new_statement(source, f"yield self.{first}, self.{second}")]


def disconnect(source: ClassSource, number: int, path: str) -> list[Splice]:
    """A wire without one of its ends, or no longer there if only one would be left."""
    if not 0 <= number < len(source.connections) or path not in _paths(source.connections[number]):
        raise DocumentError("E898", f"there is no wire {number} with an end {path!r}", advice="open the model again")
    wire = source.connections[number]
    if not _is_plain(wire):
        advice = f"edit line {wire.node.lineno} of the text"
        raise DocumentError("E898", "this connection is made by code and is not edited here", advice=advice)
    if len(wire.ends) > 2:
        return list(_shortened(wire, [end for end in wire.ends if end.path == path][:1]))
    return _without_statement(source, wire)


def without_ends(source: ClassSource, gone: Callable[[End], bool]) -> list[Splice]:
    """All wires without some of their ends."""
    splices: list[Splice] = []
    empty = [wire for wire in source.connections if sum(not gone(end) for end in wire.ends) < 2]
    for wire in source.connections:
        if wire in empty:
            splices.append(Splice(source.file.positions.whole_lines(wire.node), ""))
        else:
            splices += _shortened(wire, [end for end in wire.ends if gone(end)])
    blocks = _emptied_blocks(source, empty)
    return [*splices, *blocks]


def _emptied_blocks(source: ClassSource, empty: list[Connection]) -> Iterator[Splice]:
    """`pass` where a loop or condition would be left without a statement."""
    gone = [wire.node for wire in empty]
    for node in ast.walk(source.node):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if isinstance(node, ast.stmt) and isinstance(block, list) and block and all(item in gone for item in block):
                start = source.file.positions.whole_lines(block[0]).start
                yield Splice(Span(start, start), f"{source.file.positions.indent(block[0])}pass\n")


def _shortened(wire: Connection, gone: list[End]) -> Iterator[Splice]:
    """The ends without some, each with the comma before it, the first ones with the comma after."""
    kept = [end for end in wire.ends if end not in gone]
    for end in gone:
        k = wire.ends.index(end)
        if end.span.start < kept[0].span.start:
            yield Splice(Span(end.span.start, wire.ends[k + 1].span.start), "")
        else:
            yield Splice(Span(wire.ends[k - 1].span.end, end.span.end), "")


def _without_statement(source: ClassSource, wire: Connection) -> list[Splice]:
    """Without a statement; the method goes with its last one."""
    assert source.method is not None
    positions = source.file.positions
    body = source.method.body[1:] if ast.get_docstring(source.method) else source.method.body
    if body != [wire.node] or len(source.node.body) == 1:
        last = [Splice(positions.span(wire.node), "pass")]
        return last if body == [wire.node] else [Splice(positions.whole_lines(wire.node), "")]
    span = positions.whole_lines(source.method)
    start = len(source.file.text[: span.start].rstrip(" \t\n")) + 1
    return [Splice(Span(start, span.end), "")]


def new_statement(source: ClassSource, *statements: str) -> Splice:
    """Statements at the end of `connections`, which is added where there is none."""
    positions = source.file.positions
    if source.method is None:
        return _new_method(source, statements)
    _check_yields(source, source.method)
    body = source.method.body
    statement = f"\n{positions.indent(body[0])}".join(statements)
    if len(body) == 1 and isinstance(body[0], ast.Pass):
        return Splice(positions.span(body[0]), statement)
    end = positions.end_of_line(body[-1])
    return Splice(Span(end, end), f"\n{positions.indent(body[0])}{statement}")


def _check_yields(source: ClassSource, method: ast.FunctionDef) -> None:
    """E898 where a `yield` would not be reached, or make what is returned be forgotten."""
    returned = next((node for node in ast.walk(method) if isinstance(node, ast.Return)), None)
    if returned is not None:
        message = (
            f"connections of {source.node.name} returns in line {returned.lineno}: a line added to it would be lost"
        )
        raise DocumentError("E898", message, advice="edit the text: give each connection as a statement `yield a, b`")


def _new_method(source: ClassSource, statements: tuple[str, ...]) -> Splice:
    """`connections` after the declarations, before the other methods."""
    positions = source.file.positions
    body = source.node.body
    indent = positions.indent(body[0])
    plain = [item for item in body if not isinstance(item, ast.FunctionDef | ast.ClassDef)]
    rows = f"\n{indent}{indent}".join(statements)
    text = f"{indent}def connections(self):\n{indent}{indent}{rows}"
    if plain:
        end = positions.end_of_line(plain[-1])
        return Splice(Span(end, end), f"\n\n{text}")
    start = positions.line_start(body[0].lineno)
    return Splice(Span(start, start), f"{text}\n\n")


def _is_plain(wire: Connection) -> bool:
    return not wire.by_code and all(end.path for end in wire.ends)


def _paths(wire: Connection) -> set[str]:
    return {end.path for end in wire.ends}
