"""Which parts and ports of a diagram a message is about: its paths as data, and what stands in its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tellegen.studio.document.diagram import Diagram
from tellegen.studio.library.shapes import Shapes
from tellegen.studio.messages.diagnostic import Diagnostic


def on_sheet(found: Diagnostic, diagram: Diagram, library: Shapes) -> Diagnostic:
    """The message with the parts and ports of the sheet for the paths in the model that it is about."""
    shown = [place for path in found.about for place in _on_sheet(path, diagram, library)]
    return replace(found, about=tuple(dict.fromkeys([*shown, *_at_line(found.line, diagram)])))


def _on_sheet(path: str, diagram: Diagram, library: Shapes) -> Iterator[str]:
    """`motor.p.v` is the port `motor.p`, `motor.armature.R` the part `motor`, `cells[3].p` the part `cells`."""
    names = [re.sub(r"\[.*", "", name) for name in path.split(".")]
    part = diagram.part(names[0])
    if part is None:
        return
    shape = diagram.shapes.get(part.cls) or library[part.cls]
    is_port = len(names) > 1 and shape.port(names[1]) is not None
    yield f"{names[0]}.{names[1]}" if is_port else names[0]


def _at_line(line: int, diagram: Diagram) -> Iterator[str]:
    yield from (part.name for part in diagram.parts if line and part.line == line)
    yield from (end for wire in diagram.wires if line and wire.line == line for end in wire.ends)
