"""ARCHITECTURE.md describes the tree as it is: what it names exists, and every room is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "tellegen"
PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`([\w/]+(?:\.py|/))`")  # a file or a folder, by the end of its path


def paths() -> set[str]:
    """Every folder and module of the repository, folders with a slash at the end."""
    found = set()
    for top in ("tellegen", "tests", "examples", "benchmarks", "docs"):
        for path in (ROOT / top).rglob("*"):
            if path.is_dir() and path.name != "__pycache__":
                found.add(f"/{path.relative_to(ROOT).as_posix()}/")
            elif path.suffix == ".py":
                found.add(f"/{path.relative_to(ROOT).as_posix()}")
    return found | {f"/{top}/" for top in ("tellegen", "tests", "examples", "benchmarks", "docs")}


def rooms(folder: Path) -> list[str]:
    return sorted(path.parent.name for path in folder.glob("*/__init__.py"))


def test_files_and_folders_it_names_exist() -> None:
    there = paths()
    missing = [name for name in NAMED.findall(PAGE) if not any(path.endswith(f"/{name}") for path in there)]
    assert not missing


@pytest.mark.parametrize("folder", ["", "frontends/modelica", "structure", "analyses"])
def test_it_names_every_room(folder: str) -> None:
    missing = [room for room in rooms(PACKAGE / folder) if not re.search(rf"`{room}/?`", PAGE)]
    assert not missing
