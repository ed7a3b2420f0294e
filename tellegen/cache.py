"""The folder on disk where what takes time to make is kept: machine code, compiled C sources.

Set TELLEGEN_CACHE to a folder, or to an empty text to keep nothing.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

_FORMAT = 2  # of the files; a new one lives in a folder of its own, where older code does not look


def cache_folder() -> Path | None:
    """Where objects are kept; None when they are not."""
    chosen = os.environ.get("TELLEGEN_CACHE")
    if chosen is not None:
        return Path(chosen) / f"format-{_FORMAT}" if chosen else None
    usual = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or usual
    return Path(base) / "tellegen" / "objects" / f"format-{_FORMAT}"
