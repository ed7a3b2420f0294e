"""Which parts and ports of a diagram a message is about: those it names, and those of the line it points to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tellegen.studio.document.diagram import Diagram
from tellegen.studio.library.shapes import Shapes
from tellegen.studio.messages.diagnostic import Diagnostic

PATH = re.compile(r"(?P<quote>'?)(?P<part>[A-Za-z_]\w*)(?:\[[^\]]*\])?(?P<rest>(?:\.\w+)*)")
ENGLISH = {
    "a",
    "an",
    "and",
    "are",
    "as",
    "at",
    "be",
    "by",
    "for",
    "form",
    "in",
    "is",
    "it",
    "no",
    "of",
    "on",
    "or",
    "the",
    "to",
}


def located(found: Diagnostic, diagram: Diagram, library: Shapes) -> Diagnostic:
    """The message with the paths that it is about."""
    named = [*_named(found, diagram, library), *_at_line(found.line, diagram)]
    return replace(found, about=tuple(dict.fromkeys(named)))


def _named(found: Diagnostic, diagram: Diagram, library: Shapes) -> Iterator[str]:
    shapes = {**library, **diagram.shapes}
    for text in (found.message, *found.details):
        for word in PATH.finditer(text):
            part = diagram.part(word["part"])
            bare = not word["quote"] and not word["rest"]
            if part is None or (bare and part.name in ENGLISH):
                continue
            port = word["rest"].lstrip(".").split(".")[0]
            known = port and shapes[part.cls].port(port) is not None
            yield f"{part.name}.{port}" if known else part.name


def _at_line(line: int, diagram: Diagram) -> Iterator[str]:
    yield from (part.name for part in diagram.parts if line and part.line == line)
    yield from (end for wire in diagram.wires if line and wire.line == line for end in wire.ends)
