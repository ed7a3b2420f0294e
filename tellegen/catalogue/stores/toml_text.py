"""TOML of a catalogue document: the same document is always the same text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_text(content: Mapping[str, Any]) -> str:
    """A document of `content_of` as TOML."""
    blocks = []
    for key, source in content["sources"].items():
        blocks.append("\n".join([f"[sources.{_key(key)}]", *_lines(source)]))
    for family in content["family"]:
        head = ["[[family]]", f"interface = {_value(family['interface'])}"]
        if family["units"]:
            head.append(f"units = {_value(family['units'])}")
        blocks.append("\n".join(head))
        for name, part in family["parts"].items():
            blocks.append("\n".join([f"[family.parts.{_key(name)}]", *_lines(part)]))
    return "\n\n".join(blocks) + "\n"


def _lines(table: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_value(value)}" for key, value in table.items()]


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _string(name)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(_lines(value)) + " }" if value else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return repr(value)  # the shortest text that reads as the same number


def _string(text: str) -> str:
    """A basic string; its escapes are those of JSON, but for DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
