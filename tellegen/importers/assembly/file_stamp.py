"""Files as they were when they were read."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from tellegen.errors import NetlistError
from tellegen.importers.assembly.records import FileStamp
from tellegen.ir.source_location import here


def stamped(path: str | os.PathLike[str]) -> tuple[bytes, FileStamp]:
    """The bytes of a file, and what identifies them."""
    file = Path(path)
    try:
        data = file.read_bytes()
        stat = file.stat()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        problem = f"'{path}' cannot be read: {reason}"
        raise NetlistError("E510", problem, location=here(), advice="check the path") from None
    return data, FileStamp(str(file), hashlib.sha256(data).hexdigest(), stat.st_mtime, stat.st_size)
