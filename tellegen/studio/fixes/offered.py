"""The fixes that are offered with a message: by its code and the words that it names."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace

from tellegen.errors import TellegenError
from tellegen.studio.document.diagram import Diagram
from tellegen.studio.document.model_text import ModelText
from tellegen.studio.document.text.source_file import parsed_file
from tellegen.studio.fixes.by_parts import part_fixes
from tellegen.studio.fixes.by_text import text_fixes
from tellegen.studio.library.shapes import Shapes
from tellegen.studio.messages.diagnostic import Diagnostic, Fix

MOST = 4
"""More buttons than that are a list to read, not a fix."""


def with_fixes(found: Diagnostic, model: ModelText, diagram: Diagram, library: Shapes) -> Diagnostic:
    """The message with what a button can do about it."""
    fixes: dict[str, Fix] = {}
    for fix in _fixes(found, model, diagram, library):
        fixes.setdefault(fix.words, fix)
        if len(fixes) == MOST:
            break
    return replace(found, fixes=tuple(fixes.values()))


def _fixes(found: Diagnostic, model: ModelText, diagram: Diagram, library: Shapes) -> Iterator[Fix]:
    """What was probably meant comes before a value or part that merely is possible."""
    with contextlib.suppress(TellegenError):  # a text that cannot be read has to be corrected by hand
        yield from text_fixes(found, parsed_file(model.text, model.name), library)
    yield from part_fixes(found, diagram, library)
