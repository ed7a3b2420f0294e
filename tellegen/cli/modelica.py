"""`tellegen modelica`: the Modelica libraries that this user's sessions find by name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tellegen.cli.target import TargetError, modelica_class
from tellegen.errors import TellegenError
from tellegen.frontends.modelica.library import ModelicaClass, load_modelica
from tellegen.frontends.modelica.store.folders import libraries_at
from tellegen.frontends.modelica.store.installed import places, register
from tellegen.frontends.modelica.store.store import Store
from tellegen.frontends.modelica.unsupported import unsupported_in
from tellegen.stages import reduce_model, unit_contradictions


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
        console.print(Text(str(one)), soft_wrap=True)
    library = load_modelica(file)
    said = {f"{one.location.file}:{one.location.line}" for one in found}
    wrong = 0
    for name in (name for loaded in library.loaded for name in library.models(loaded)):
        try:
            check_alone(library[name])
        except TellegenError as error:
            place = "" if error.location is None else f"{error.location.file}:{error.location.line}"
            if place not in said:
                said.add(place)
                wrong += 1
                console.print(Text(f"{name}: {error}"), soft_wrap=True)
    return bool(found or wrong)


def unit_notes(file: Path) -> Iterator[str]:
    """Where the units in a file contradict each other. A run does not look at them: these are remarks."""
    library = load_modelica(file)
    for name in (name for loaded in library.loaded for name in library.models(loaded)):
        for found in unit_contradictions(library[name]):
            if found.location is not None and Path(found.location.file).resolve() == file.resolve():
                yield found.text()


def check_alone(found: ModelicaClass) -> None:
    """Raise what is wrong with a model; whether it has as many equations as unknowns is asked where it stands alone."""
    if not found.model.root.ports:
        reduce_model(found)


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
