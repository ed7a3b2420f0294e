"""Statements about frames become records of the Kind: ports and members by number, parts as kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tellegen.errors import LanguageError
from tellegen.frontends.python.building.hidden_kinds import HiddenKinds
from tellegen.frontends.python.components.connector import Connector
from tellegen.frontends.python.declarations.leaf import Leaf
from tellegen.frontends.python.tracing.trace import Naming
from tellegen.ir.model import Kind, Mechanical, Port, Ref
from tellegen.ir.source_location import SourceLocation


def trace_mechanics(kind_of: Callable[[Any], Kind], naming: Naming, ports: list[Port]) -> Iterator[Mechanical]:
    """The records of all statements about frames that a component has made."""
    numbers = {port.name: k for k, port in enumerate(ports)}
    for statement, location in naming.mechanics:
        frames = tuple(numbers[_path(frame, naming.instance, location)] for frame in statement.frames)
        members = {word: _ref(naming, word, given, location) for word, given in statement.members.items()}
        yield Mechanical(
            verb=statement.verb,
            ports=frames,
            members=members,
            parts=HiddenKinds(statement.parts, kind_of) if statement.parts else {},
            look=statement.look,
            motion=statement.motion,
            location=location,
        )


def _path(frame: Any, instance: Any, location: SourceLocation) -> str:
    if isinstance(frame, Connector) and frame._component is instance and frame._count is None:
        return frame._path
    raise LanguageError(
        "E137",
        f"'{frame}' is not a frame of {type(instance).__name__} itself",
        location=location,
        advice="a component speaks of its own frames; connect the frames of its parts",
    )


def _ref(naming: Naming, word: str, given: Any, location: SourceLocation) -> Ref:
    if isinstance(given, Leaf):
        ref, _, _ = naming.ref(given)
        return Ref(ref.path, ref.member, ref.elements.ravel(), ref.parameter)
    raise LanguageError(
        "E148",
        f"'{given}' is given for {word}, which must be a declared quantity",
        location=location,
        advice="declare a parameter with that value and name it here",
    )
