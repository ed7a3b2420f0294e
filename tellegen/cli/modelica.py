"""`tellegen modelica`: the Modelica libraries that this user's sessions find by name."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table

from tellegen.frontends.modelica.store.folders import libraries_at
from tellegen.frontends.modelica.store.installed import places, register
from tellegen.frontends.modelica.store.store import Store


def add(path: Path, console: Console) -> None:
    """Make a library, or all libraries in a folder, known for good."""
    found = Store(searched=[]).add(path)
    register(path)
    names = ", ".join(f"{library.name} {library.version}".strip() for library in found)
    console.print(f"added {names}; tg.load_modelica() finds their classes by name", highlight=False, soft_wrap=True)


def show(console: Console) -> None:
    """Print the libraries that are found, with where they are."""
    table = Table("library", "version", "folder")
    for place in places():
        for entry in libraries_at(place):
            table.add_row(entry.name, entry.version, str(entry.file.parent))
    if not table.row_count:
        console.print("no Modelica library is known here; tellegen modelica add PATH makes one known")
        return
    console.print(table)
