"""What a component uses of enclosing ones must be there, wherever in the model the component stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tellegen.errors import DocumentError
from tellegen.ir.model import Kind
from tellegen.ir.source_location import SourceLocation


@dataclass(frozen=True)
class _Use:
    """What a component uses of an enclosing one."""

    outer: str
    member: str
    sort: str  # parameter, variable, port
    last: int  # the last element that is used


def check_outers(root: Kind, locations: dict[int, SourceLocation]) -> None:
    """Raise E846 where a member or port of an enclosing component is missing; `locations` are those of the kinds."""
    waiting: list[tuple[Kind, tuple[Kind, ...]]] = [(root, ())]
    needs: dict[int, bool] = {}
    while waiting:
        kind, around = waiting.pop()
        for use in _uses(kind):
            if not _is_there(around, use):
                what = f"{kind.name} uses the {use.sort} '{use.member}' of an enclosing '{use.outer}', which has none"
                advice = f"add a part '{use.outer}' that has it"
                raise DocumentError("E846", what, location=locations[id(kind)], advice=advice)
        inside = (*around, kind)
        waiting += [(group.kind, inside) for group in kind.groups if _needs(group.kind, needs)]


def _needs(kind: Kind, known: dict[int, bool]) -> bool:
    """Whether a kind, or one below it, uses anything of enclosing components."""
    if id(kind) not in known:
        known[id(kind)] = any(True for _ in _uses(kind)) or any(_needs(group.kind, known) for group in kind.groups)
    return known[id(kind)]


def _uses(kind: Kind) -> Iterator[_Use]:
    for stamp in kind.stamps:
        for ref in stamp.refs:
            if ref.outer:
                sort = "parameter" if ref.parameter else "variable"
                last = int(ref.elements.max(initial=-1))
                yield _Use(ref.outer, ref.outer_member, sort, last)
    for connection in kind.connections:
        for end in (connection.a, connection.b):
            if end.outer:
                last = int(end.elements.max(initial=-1))
                yield _Use(end.outer, end.outer_port, "port", last)


def _is_there(around: tuple[Kind, ...], use: _Use) -> bool:
    for kind in reversed(around):
        position = kind.child_index.get(use.outer)
        if position is None:
            continue
        found = kind.groups[position[0]].kind
        if use.sort == "port":
            number = found.port_index.get(use.member)
            return number is not None and use.last < found.ports[number].count
        members = found.parameters if use.sort == "parameter" else found.variables
        numbers = found.parameter_index if use.sort == "parameter" else found.variable_index
        return use.member in numbers and use.last < members[numbers[use.member]].size
    return False
