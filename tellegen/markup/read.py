"""`tg.read_markup`: a document as what it describes."""

from __future__ import annotations

import os
from collections.abc import Mapping

from tellegen.errors import DocumentError, users_call
from tellegen.ir.model import Model
from tellegen.ir.source_location import here
from tellegen.markup.document_source import open_source
from tellegen.markup.version1.convert import OUTERMOST, read_document
from tellegen.markup.version1.library import MarkupDocument
from tellegen.markup.version2.read_model import read_model
from tellegen.markup.version2.rebind import rebound
from tellegen.xml.elements import Element
from tellegen.xml.reader import parse


@users_call
def read_markup(
    path: str | os.PathLike[str] | None = None,
    *,
    text: str | None = None,
    bind: Mapping[str, str] | None = None,
    allow_code: bool = False,
    allow_urls: bool = False,
) -> Model | MarkupDocument:
    """The model of a document of version 2, to simulate, or what a document of version 1 describes.

    `text` is a document as a string. A document may name code, in Python modules and C libraries: it is neither
    imported nor loaded unless `allow_code` says so. One of version 1 may name other documents: files and data of
    packages are read, others only with `allow_urls`. `bind` chooses implementations that a document of version 2 has
    for its interfaces: {"motor": "complex"}. tg.component_class(model) makes such a model a part of others.
    """
    source = open_source(path, text)
    root = parse(source)
    if version_of(root) == 2:
        return read_model(rebound(root, bind or {}), allow_code)
    if bind:
        advice = "its interfaces and implementations are classes: tg.bind(document.components[...], {...})"
        raise DocumentError("E844", "bind is for documents of version 2", location=here(), advice=advice)
    return MarkupDocument(read_document(root), source.folder, allow_urls)


def version_of(root: Element) -> int:
    """The version of a document; definitions by themselves are of version 1."""
    if root.tag != "document" or root.tag not in OUTERMOST:
        return 1
    version = root.word("version")
    major = version.partition(".")[0]
    if major not in ("1", "2"):
        what = f"version='{version}' of the document is not known"
        raise DocumentError("E844", what, location=root.location, advice="versions 1 and 2 are read")
    return int(major)
