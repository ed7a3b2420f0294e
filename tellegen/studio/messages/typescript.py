"""The records of all messages as types of TypeScript: one schema for both sides.

python -m tellegen.studio.messages.typescript > studio_client/src/protocol.ts
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterator, Mapping
from typing import Any, Union, get_args, get_origin

from tellegen.studio.messages.answers import Answer
from tellegen.studio.messages.codec import hints_of
from tellegen.studio.messages.requests import Request

PLAIN = {str: "string", int: "number", float: "number", bool: "boolean"}
HEAD = "// Made from the records in tellegen/studio/messages by their typescript.py: do not edit.\n"


def typescript() -> str:
    """The whole file."""
    found: dict[str, type] = {}
    for union in (Request, Answer):
        for kind in get_args(union):
            _collect(kind, found)
    texts = [_interface(kind) for kind in found.values()]
    unions = [f"export type {name} = {_names(union)};\n" for name, union in (("Request", Request), ("Answer", Answer))]
    return HEAD + "\n" + "\n".join([*texts, *unions])


def _collect(kind: type, found: dict[str, type]) -> None:
    """The record and those that its fields hold, these first."""
    if kind.__name__ in found:
        return
    for hint in hints_of(kind).values():
        for inner in _inside(hint):
            _collect(inner, found)
    found[kind.__name__] = kind


def _inside(hint: Any) -> Iterator[type]:
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        yield hint
    for argument in get_args(hint):
        yield from _inside(argument)


def _interface(kind: type) -> str:
    hints = hints_of(kind)
    rows = [f'  kind: "{kind.__name__}";']
    rows += [f"  {field.name}: {_type(hints[field.name])};" for field in dataclasses.fields(kind)]
    note = (kind.__doc__ or "").split("\n")[0]
    return f"/** {note} */\nexport interface {kind.__name__} {{\n" + "\n".join(rows) + "\n}\n"


def _type(hint: Any) -> str:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return _names(hint)
    if origin is tuple:
        inner = _type(get_args(hint)[0])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if origin is Mapping:
        return f"Record<string, {_type(get_args(hint)[1])}>"
    return PLAIN.get(hint) or hint.__name__


def _names(union: Any) -> str:
    return " | ".join(kind.__name__ for kind in get_args(union))


if __name__ == "__main__":
    print(typescript(), end="")
