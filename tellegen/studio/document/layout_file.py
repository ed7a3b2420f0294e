"""Where parts stand on the sheet: a file beside the model, one line per part, so that a move changes one line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tellegen.errors import DocumentError
from tellegen.start.records import dataclass

ORIENTATION = re.compile(r"(r90|r180|r270)?(m)?")


FARTHEST = 1_000_000


@dataclass(frozen=True)
class Place:
    """The centre of a part, and how it is turned: a multiple of 90 degrees (clockwise), then mirrored or not."""

    x: int
    y: int
    turned: str = ""
    note: str = ""
    """The text of a note; parts have none."""

    def as_json(self) -> list[int | str]:
        """`[120, 64]`, `[120, 64, "r90"]` or, for a note, `[120, 64, "", "a supply"]`."""
        if self.note:
            return [self.x, self.y, self.turned, self.note]
        return [self.x, self.y, self.turned] if self.turned else [self.x, self.y]


Layout = Mapping[str, Mapping[str, Place]]
"""The places of parts by class and name."""


def layout_path(model: Path) -> Path:
    """`drive.py` -> `drive.layout.json`."""
    return model.with_suffix(".layout.json")


def parse_layout(text: str, name: str = "layout") -> Layout:
    """The places that a text holds; E896 where it is not one of ours."""
    try:
        content: Any = json.loads(text) if text.strip() else {}
        return {cls: {part: _place(value) for part, value in places.items()} for cls, places in content.items()}
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        advice = "correct or remove the file: parts are then arranged again"
        raise DocumentError("E896", f"{name} does not hold places of parts: {error}", advice=advice) from None


def _place(value: Any) -> Place:
    x, y, *rest = value
    turned = rest[0] if rest else ""
    note = rest[1] if len(rest) > 1 else ""
    numbers = all(isinstance(k, int) for k in (x, y))
    words = isinstance(turned, str) and isinstance(note, str)
    if numbers and max(abs(x), abs(y)) > FARTHEST:
        raise ValueError(f"a place farther than {FARTHEST:,} from the origin")
    if len(rest) > 2 or not numbers or not words or not ORIENTATION.fullmatch(turned):
        raise ValueError(f"{value} is not [x, y], [x, y, turned] or [x, y, turned, note]")
    return Place(x, y, turned, note)


def layout_text(layout: Layout) -> str:
    """The file, with classes and parts in order; empty where there is nothing to keep."""
    kept = {cls: places for cls, places in sorted(layout.items()) if places}
    if not kept:
        return ""
    blocks = []
    for cls, places in kept.items():
        rows = [f"  {json.dumps(part)}: {json.dumps(place.as_json())}" for part, place in sorted(places.items())]
        blocks.append(f"{json.dumps(cls)}: {{\n" + ",\n".join(rows) + "}")
    return "{" + ",\n".join(blocks) + "}\n"
