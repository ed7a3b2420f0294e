"""Classes that files of other languages hold, as shapes: FMUs, Modelica, netlists. No code of FMUs is run for it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import tellegen as tg
from tellegen.class_reference import Row, describe_class, describe_modelica, sides_of_rows
from tellegen.class_reference.symbol import COLOURS
from tellegen.studio.document.text.origins import Origin, whole
from tellegen.studio.library.catalogue import shape_of
from tellegen.studio.library.shapes import ClassShape, height_of, placed_ports
from tellegen.studio.messages.work import ReadSources, SourcesRead

MOST_CLASSES = 100
MOST_PARAMETERS = 60
MOST_PINS = 24
HANDLE = "key"
"""A parameter of imported FMUs that finds the instance; it is none of the file's."""


def read_sources(task: ReadSources) -> SourcesRead:
    """The classes of all files; those that cannot be read are said why."""
    found: list[ClassShape] = []
    notes: list[str] = []
    for file in task.files:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found += list(_classes(Path(task.folder) / file, file))[:MOST_CLASSES]
        except Exception as error:  # whatever is in the file
            notes.append(f"{file}: {error}".partition("\n")[0])
    return SourcesRead(tuple(found), tuple(notes))


def _classes(path: Path, file: str) -> Iterator[ClassShape]:
    match path.suffix:
        case ".fmu":
            yield _named(shape_of(describe_class(tg.read_fmu(path), "fmu")), file, whole(file))
        case ".mo":
            yield from _of_modelica(path, file)
        case _:
            yield from _of_netlist(path, file)


def _named(shape: ClassShape, file: str, cls: str) -> ClassShape:
    parameters = tuple(row for row in shape.parameters if not row.structural and row.name != HANDLE)[:MOST_PARAMETERS]
    return replace(shape, key=Origin(file, cls).key, domain=file, parameters=parameters, drawing="", boxed=True)


def _of_modelica(path: Path, file: str) -> Iterator[ClassShape]:
    library = tg.load_modelica(path)
    text = path.read_text(encoding="utf-8")
    names = re.findall(r"(?m)^\s*(?:partial\s+)?(?:package|model|block|class)\s+(\w+)", text)
    known = set(library.classes())
    for top in dict.fromkeys(name for name in names if name in known):
        for name in library.models(top):
            yield _named(shape_of(describe_modelica(library[name])), file, name)


def _of_netlist(path: Path, file: str) -> Iterator[ClassShape]:
    text = path.read_text(encoding="utf-8", errors="replace")
    names = [name.lower() for name in re.findall(r"(?im)^\s*\.subckt\s+(\S+)", text)]
    for name in dict.fromkeys(names):
        yield _circuit(tg.read_spice(path, subcircuit=name), file, name, f"subcircuit of {file}")
    outside = re.sub(r"(?ims)^\s*\.subckt\b.*?^\s*\.ends\b[^\n]*$", "", "\n".join(text.splitlines()[1:]))
    if re.search(r"(?im)^[a-z]\w*\s+\S+\s+\S+", outside):
        circuit = tg.read_spice(path, ports="*")
        if len(type(circuit)._ports) <= MOST_PINS:
            yield _circuit(circuit, file, whole(file), type(circuit).__doc__ or file)


def _circuit(circuit: Any, file: str, cls: str, headline: str) -> ClassShape:
    """A box with a pin for each port."""
    pins = [circuit.nodes[node] for node in type(circuit)._ports]
    sides = sides_of_rows([Row(pin, "port", "Pin") for pin in pins])
    colour = COLOURS["electrical"]
    ports = placed_ports(sides, dict.fromkeys(pins, colour))
    return ClassShape(Origin(file, cls).key, file, headline, ports, (), "", True, height_of(sides), colour)
