"""Messages as the page shows them: with the parts that they are about, and with what a button can do."""

from __future__ import annotations

from collections.abc import Iterable

from tellegen.studio.fixes.offered import with_fixes
from tellegen.studio.messages.diagnostic import Diagnostic
from tellegen.studio.server.about import on_sheet
from tellegen.studio.server.open_document import OpenDocument


def located(found: Iterable[Diagnostic], document: OpenDocument) -> tuple[Diagnostic, ...]:
    """The messages, for the sheet that is shown."""
    diagram = document.diagram
    library = document.library
    placed = [on_sheet(row, diagram, library) for row in found]
    return tuple(with_fixes(row, document.model, diagram, library) for row in placed)
