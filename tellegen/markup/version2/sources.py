"""Where something was written before it was written to a document: `source="dc_drive.py:23"`.

Like #line in C, it is what later errors show. What a document says for itself has its own line and column.
"""

from __future__ import annotations

import os

from tellegen.ir.source_location import SourceLocation
from tellegen.xml.elements import Element


def source_text(file: str, line: int) -> str | None:
    """File and line; nothing where they are unknown. Folders are left out, for they differ between machines."""
    return f"{os.path.basename(file)}:{line}" if line else None


def read_source(element: Element, scope: str = "") -> SourceLocation:
    """Where an element was written."""
    text = element.attributes.get("source")
    if text is None:
        return element.location.within(scope)
    file, _, line = text.rpartition(":")
    if not file or not line.isdecimal() or len(line) > 9:
        raise element.wrong(f"source='{text}' of {element} is not a file and a line", 'source="drive.py:23"')
    return SourceLocation(file, int(line), scope)
