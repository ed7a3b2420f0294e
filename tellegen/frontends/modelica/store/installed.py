"""Where libraries are on this machine: MODELICAPATH, those made known by `tellegen modelica add`, OpenModelica's."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_FILE = "modelica-libraries.txt"


def places() -> list[Path]:
    """Folders and files to search for libraries, in this order."""
    listed = os.environ.get("MODELICAPATH", "").split(os.pathsep)
    openmodelica = Path.home() / ".openmodelica" / "libraries"
    return [*(Path(path) for path in listed if path), *registered(), openmodelica]


def registered() -> list[Path]:
    """What was made known by `register`, the latest first."""
    try:
        lines = _list().read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    return [Path(line) for line in lines if line]


def register(path: Path) -> None:
    """Make a library, or a folder with libraries, known to all later sessions of this user."""
    path = path.expanduser().resolve()
    others = [known for known in registered() if known != path]
    _list().parent.mkdir(parents=True, exist_ok=True)
    _list().write_text("".join(f"{known}\n" for known in [path, *others]), encoding="utf-8")


def _list() -> Path:
    usual = Path.home() / ("Library/Application Support" if sys.platform == "darwin" else ".config")
    base = os.environ.get("XDG_CONFIG_HOME") or os.environ.get("APPDATA") or usual
    return Path(base) / "tellegen" / _FILE
