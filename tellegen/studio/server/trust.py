"""Folders whose code may be run: a list of the user, asked for once per folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def is_trusted(folder: Path) -> bool:
    """Whether the user agreed to this folder or to one that it is in."""
    return any(folder.is_relative_to(known) for known in _known())


def trust(folder: Path) -> None:
    """Remember that the code of a folder may be run."""
    if not is_trusted(folder):
        _list().parent.mkdir(parents=True, exist_ok=True)
        with _list().open("a", encoding="utf-8") as file:
            file.write(f"{folder}\n")


def _known() -> list[Path]:
    try:
        lines = _list().read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    return [Path(line) for line in lines if line]


def _list() -> Path:
    usual = Path.home() / ("Library/Application Support" if sys.platform == "darwin" else ".config")
    base = os.environ.get("XDG_CONFIG_HOME") or os.environ.get("APPDATA") or usual
    return Path(base) / "tellegen" / "trusted_folders.txt"
