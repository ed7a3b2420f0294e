"""Other documents that a document names: files beside it and data of packages, others only if that is allowed.

motors.xml, ../parts/motors.xml, file:///data/motors.xml        files
package:mycompany.models/motors.xml                             data of an installed package
https://example.org/motors.xml                                  only with allow_urls=True
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import urlopen

from tellegen.errors import DocumentError
from tellegen.ir.source_location import SourceLocation
from tellegen.markup.document_source import open_source
from tellegen.xml.reader import LARGEST, Source

_SECONDS = 20.0


def open_url(url: str, folder: Path, location: SourceLocation, allow_urls: bool) -> Source:
    """The document that a URL means, seen from a document in `folder`."""
    parts = urlsplit(url)
    if parts.scheme in ("http", "https"):
        if not allow_urls:
            raise DocumentError(
                "E847",
                f"the document refers to '{url}', and nothing is fetched from a network unless you allow it",
                location=location,
                advice="save it beside this document and name the file, or tg.read_markup(..., allow_urls=True)",
            )
        return _fetched(url, location)
    try:
        if parts.scheme == "package":
            package, _, name = parts.path.partition("/")
            data = resources.files(package).joinpath(name).read_bytes()
            return Source(data, f"{package}/{name}", folder)
        if parts.scheme not in ("", "file") and len(parts.scheme) > 1:  # a single letter is a drive
            raise _missing(url, location, f"'{parts.scheme}:' is not known")
        path = Path(unquote(parts.path)) if parts.scheme == "file" else folder / url
        return open_source(path, None)
    except DocumentError as error:
        raise _missing(url, location, error.message) from None
    except (ImportError, OSError, ValueError, TypeError) as error:
        raise _missing(url, location, str(error)) from None


def _fetched(url: str, location: SourceLocation) -> Source:
    try:
        with urlopen(url, timeout=_SECONDS) as answer:
            data = answer.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise _missing(url, location, str(error)) from None
    if len(data) > LARGEST:
        raise DocumentError("E841", f"'{url}' has more than {LARGEST} bytes", location=location, advice="split it")
    return Source(data, url, Path())


def _missing(url: str, location: SourceLocation, why: str) -> DocumentError:
    what = f"the document '{url}' cannot be read: {why}"
    return DocumentError("E847", what, location=location, advice="paths are relative to the document that names them")
