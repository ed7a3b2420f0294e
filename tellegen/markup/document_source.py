"""The bytes of a document that a user names by its path, or gives as a string."""

from __future__ import annotations

import linecache
import os
from pathlib import Path
from zlib import crc32

from tellegen.errors import DocumentError
from tellegen.ir.source_location import SourceLocation, here
from tellegen.xml.reader import LARGEST, Source, too_much


def open_source(path: str | os.PathLike[str] | None, text: str | None) -> Source:
    """The bytes of a file, or of a string in its place."""
    if (path is None) == (text is None):
        raise _unreadable("a document is a file or a string, one of them", "tg.read_markup('model.xml')")
    if text is not None:
        if not isinstance(text, str):
            raise _unreadable(f"text is a string, not {text!r}", "tg.read_markup(text='<document ...>')")
        return _string(text)
    if not isinstance(path, str | os.PathLike):
        raise _unreadable(f"the path of a file is a string, not {path!r}", "tg.read_markup('model.xml')")
    if isinstance(path, str) and path.lstrip().startswith("<"):
        raise _unreadable("a document was given in the place of its path", "tg.read_markup(text='<document ...>')")
    try:
        size = os.path.getsize(path)
        if size > LARGEST:
            raise too_much(SourceLocation(os.fspath(path), 1), f"the file has {size} bytes, more than {LARGEST}")
        return Source(Path(path).read_bytes(), os.fspath(path), Path(path).parent)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise _unreadable(f"'{os.fspath(path)}' cannot be read: {reason}", "check the path of the file") from None


def _string(text: str) -> Source:
    data = text.encode("utf-8", "replace")
    file = f"<markup {crc32(data):x}>"
    if len(data) > LARGEST:
        raise too_much(SourceLocation(file, 1), f"the string has {len(data)} bytes, more than {LARGEST}")
    linecache.cache[file] = (len(text), None, [f"{line}\n" for line in text.splitlines()], file)  # for messages
    return Source(data, file, Path())


def _unreadable(what: str, advice: str) -> DocumentError:
    return DocumentError("E840", what, location=here(), advice=advice)
