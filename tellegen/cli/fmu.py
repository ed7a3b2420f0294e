"""`tellegen fmu inspect FILE`: what an FMU says about itself; its code is not loaded."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table

from tellegen.fmi.archive import DESCRIPTION, Archive
from tellegen.fmi.description import ModelDescription, Variable
from tellegen.fmi.read_description import read_description

_KINDS = ("input", "output", "parameter", "structuralParameter", "calculatedParameter", "local")
_SHOWN = 40  # variables of a kind, unless all are asked for


def inspect(path: Path, everything: bool, console: Console) -> None:
    """Print the description of an FMU."""
    archive = Archive(path)
    description = read_description(archive.read(DESCRIPTION), f"{path.name}/{DESCRIPTION}")
    console.print(_overview(description, archive))
    for kind in _KINDS:
        found = [each for each in description.variables if each.causality == kind]
        if found and (everything or kind != "local"):
            console.print(_variables(kind, found, description, len(found) if everything else _SHOWN))
    hidden = sum(each.causality == "local" for each in description.variables)
    if hidden and not everything:
        console.print(f"{hidden} local variables: --all lists them", highlight=False)


def _overview(description: ModelDescription, archive: Archive) -> Table:
    table = Table(title=description.name, show_header=False, title_justify="left")
    offered = {"Model Exchange": description.model_exchange, "Co-Simulation": description.co_simulation}
    folders = sorted({name.split("/")[1] for name in archive.names() if name.startswith("binaries/")})
    experiment = description.experiment
    times = [f"{name} {value:g} s" for name, value in (("stop", experiment.stop), ("step", experiment.step)) if value]
    rows = {
        "description": description.description,
        "FMI": description.version,
        "kinds": ", ".join(name for name, found in offered.items() if found is not None),
        "platforms": ", ".join(folders) or "none: it has no libraries",
        "states": str(len(description.structure.derivatives)),
        "event indicators": str(description.event_indicator_count),
        "experiment": ", ".join(times),
        "made by": " ".join(filter(None, (description.origin.tool, description.origin.time))),
        "author": description.origin.author,
        "license": description.origin.license,
    }
    for name, value in rows.items():
        if value:
            table.add_row(name, value)
    return table


def _variables(kind: str, found: list[Variable], description: ModelDescription, most: int) -> Table:
    table = Table("name", "unit", "start", "description", title=f"{kind} ({len(found)})", title_justify="left")
    for variable in found[:most]:
        start = "" if variable.start is None else " ".join(f"{value}" for value in variable.start[:4])
        unit = description.attributes_of(variable).unit
        table.add_row(variable.name, unit, start, variable.description)
    if len(found) > most:
        table.add_row("...", "", "", f"{len(found) - most} more: --all lists them")
    return table
