"""`tg.write_markup`: models as documents."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import tellegen as tg
from tellegen.errors import DocumentError, users_call
from tellegen.ir.model import Kind
from tellegen.ir.source_location import here
from tellegen.markup.version1.convert import write_record
from tellegen.markup.version1.from_model import version1_document
from tellegen.markup.version1.library import MarkupDocument
from tellegen.markup.version1.records import Document
from tellegen.markup.version2.candidates import candidate_kinds
from tellegen.markup.version2.write_model import model_document
from tellegen.stages import build_model
from tellegen.xml.writer import document_text


def _candidates(model: Any) -> list[Kind]:
    if not isinstance(model, tg.Component):
        what = "candidates are those of a component with interfaces; a Model has none"
        raise DocumentError("E849", what, location=here(), advice="write the component: tg.write_markup(Drive(), path)")
    return candidate_kinds(model)


@users_call
def write_markup(
    model: Any, path: str | os.PathLike[str] | None = None, *, candidates: bool = False, version: int = 2
) -> str:
    """A component as a document of version 2: its classes with the structural parameters it has, equations as text.

    Returns the document, and writes it to `path` if one is given. A document of version 1 is written as such, and with
    `version=1` so is any other model, as far as version 1 has words for it (E852). The same
    model always gives the same bytes. With `candidates`, all implementations of its interfaces are written too, so
    that `tg.read_markup(path, bind={...})` can choose among them; without, those that are bound, or defaults.
    """
    if version not in (1, 2):
        what = f"version={version!r}: documents are of version 1 or 2"
        raise DocumentError("E849", what, location=here(), advice="leave it out for version 2")
    if candidates and version == 1:
        what = "documents of version 1 are written with the implementations that are bound, not with candidates"
        raise DocumentError("E849", what, location=here(), advice="leave out candidates=True, or version=1")
    records = model.document if isinstance(model, MarkupDocument) else model
    if isinstance(records, Document):
        root = write_record(records)
    elif version == 1:
        root = write_record(version1_document(build_model(model)))
    else:
        root = model_document(build_model(model), _candidates(model) if candidates else ())
    text = document_text(root)
    if path is not None:
        try:
            Path(path).write_bytes(text.encode("utf-8"))
        except (OSError, TypeError, ValueError) as error:
            what = f"the document cannot be written to {path!r}: {error}"
            raise DocumentError("E849", what, location=here(), advice="check the path of the file") from None
    return text
