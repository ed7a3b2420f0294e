"""Elements as an XML file: two blanks for each level, attributes in the order given, the same bytes every time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tellegen.errors import DocumentError
from tellegen.ir.source_location import NOWHERE, here
from tellegen.xml.elements import Element, Mark, Text

HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n'
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_IN_ATTRIBUTES = {**_ESCAPES, '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
_IN_TEXT = {**_ESCAPES, "\r": "&#13;"}
_IMPOSSIBLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # Char of XML 1.0


def made(tag: str, attributes: Mapping[str, str | None] | None = None, *content: Element | Text | str) -> Element:
    """An element to be written; attributes that are None are left out."""
    kept = {name: value for name, value in (attributes or {}).items() if value is not None}
    parts = [Text(part, (Mark(0, 0, 0),), NOWHERE.file) if isinstance(part, str) else part for part in content]
    return Element(tag, kept, NOWHERE, parts)


def document_text(root: Element) -> str:
    """The file of an outermost element."""
    return HEADER + "\n".join(_lines(root, "")) + "\n"


def _lines(element: Element, indent: str) -> Iterator[str]:
    attributes = "".join(f' {name}="{_escaped(value, _IN_ATTRIBUTES)}"' for name, value in element.attributes.items())
    begin = f"{indent}<{element.tag}{attributes}"
    if not element.content:
        yield f"{begin}/>"
    elif all(isinstance(part, Text) for part in element.content):
        yield f"{begin}>{_escaped(element.text().value, _IN_TEXT)}</{element.tag}>"
    else:
        yield f"{begin}>"
        for part in element.content:
            if isinstance(part, Text):
                yield f"{indent}  {_escaped(part.value, _IN_TEXT)}"
            else:
                yield from _lines(part, f"{indent}  ")
        yield f"{indent}</{element.tag}>"


def _escaped(value: str, escapes: dict[str, str]) -> str:
    if found := _IMPOSSIBLE.search(value):
        what = f"{value[:40]!r} contains {found[0]!r}, which XML cannot express"
        raise DocumentError("E849", what, location=here(), advice="remove the character from the name or description")
    return "".join(escapes.get(character, character) for character in value)
