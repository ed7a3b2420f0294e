"""`tellegen modelica`: the Modelica libraries that this user's sessions find by name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tellegen.cli.target import TargetError, modelica_class
from tellegen.errors import TellegenError
from tellegen.frontends.modelica.library import load_modelica
from tellegen.frontends.modelica.store.folders import libraries_at
from tellegen.frontends.modelica.store.installed import places, register
from tellegen.frontends.modelica.store.store import Store
from tellegen.frontends.modelica.unsupported import unsupported_in


def add(path: Path, console: Console) -> None:
    """Make a library, or all libraries in a folder, known for good."""
    found = Store(searched=[]).add(path)
    register(path)
    names = ", ".join(f"{library.name} {library.version}".strip() for library in found)
    console.print(f"added {names}; tg.load_modelica() finds their classes by name", highlight=False, soft_wrap=True)


def check(file: Path, console: Console) -> bool:
    """Print what is not supported in a file and what is wrong with its models, all of it; whether there is anything."""
    found = unsupported_in(file)
    for one in found:
        console.print(str(one), highlight=False, soft_wrap=True)
    library = load_modelica(file)
    said = {f"{one.location.file}:{one.location.line}" for one in found}
    wrong = 0
    for name in (name for loaded in library.loaded for name in library.models(loaded)):
        try:
            _ = library[name].model
        except TellegenError as error:
            place = "" if error.location is None else f"{error.location.file}:{error.location.line}"
            if place not in said:
                said.add(place)
                wrong += 1
                console.print(f"{name}: {error}", highlight=False, soft_wrap=True)
    return bool(found or wrong)


def drawn(target: str, diagram: Path | None, icon: Path | None) -> Iterator[str]:
    """Draw a class; a line for each file."""
    found = modelica_class(target)
    if found is None:
        raise TargetError(
            f"{target} is not a class of Modelica\nlinear graphs of all models: tellegen explain --plot FILE"
        )
    for file, drawing in ((diagram, "diagram"), (icon, "icon")):
        if file is not None:
            (found.icon if drawing == "icon" else found.diagram).save(file)
            yield f"{drawing}: {file}"


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
