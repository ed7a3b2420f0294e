"""tg.write_vhdl_ams: a model as entities and architectures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tellegen.errors import users_call
from tellegen.exporters.source.files import save
from tellegen.exporters.source.identifiers import joined
from tellegen.exporters.source.open_inputs import OpenInputs
from tellegen.exporters.source.prepared import parts_first, prepared
from tellegen.exporters.source.targets import follow
from tellegen.exporters.vhdl_ams.architectures import Architecture, Text
from tellegen.exporters.vhdl_ams.entities import GivenAround
from tellegen.exporters.vhdl_ams.initial_equations import check_initial_equations
from tellegen.exporters.vhdl_ams.initial_values import initial_values
from tellegen.exporters.vhdl_ams.names import LibraryNames
from tellegen.exporters.vhdl_ams.tables import TableFunctions
from tellegen.ir.model import Kind, Model, Ref
from tellegen.stages import build_model

_CHOOSE = [
    "function choose (condition : boolean; yes, no : real) return real;",
    "function choose (condition : boolean; yes, no : integer) return integer;",
    "function choose (condition : boolean; yes, no : boolean) return boolean;",
]


@users_call
def write_vhdl_ams(model: Any, path: str | Path | None = None) -> str:
    """A model as VHDL-AMS source (IEEE 1076.1): an entity and an architecture for every class, the model last.

    Returns the text, and writes it to `path` if one is given. Numbers are in SI units, with all their digits.
    """
    ready = prepared(build_model(model))
    check_initial_equations(ready.flat, ready.model.root)
    library = LibraryNames(ready.model, f"{joined(ready.model.name)}_support")
    tables = TableFunctions(library.scope)
    text = Text(library, tables, OpenInputs(ready.model), initial_values(ready.flat, library), {})
    around = _given_around(ready.model)
    units: list[list[str]] = []
    for kind in parts_first(ready.model):
        outermost = ready.settings if kind is ready.model.root else ()
        made = Architecture(text, kind, outermost, around[id(kind)])
        units.append([*made.entity.lines(), "", *made.lines()])
    context = _context(library)
    blocks = [_package(library, tables), *([*context, *unit] for unit in units)]
    source = "\n\n".join("\n".join(block) for block in blocks) + "\n"
    if path is not None:
        save(source, path)
    return source


def _given_around(model: Model) -> dict[int, GivenAround]:
    """By id(kind): what components around its instances give."""
    found = {id(kind): GivenAround() for kind in model.kinds()}

    def enter(kind: Kind, ref: Ref) -> None:
        if ref.path:
            target = follow(kind, ref, {})
            given = found[id(target.kind)]
            (given.parameters if ref.parameter else given.starts).add(target.number)

    for kind in model.kinds():
        for setting in (*kind.settings, *(model.settings if kind is model.root else ())):
            if setting.attribute in ("start", "value"):
                enter(kind, setting.ref)
        for stamp in kind.stamps:
            if stamp.section in ("start", "parameter"):
                enter(kind, stamp.refs[0])
    return found


def _context(library: LibraryNames) -> list[str]:
    standard = [f"use IEEE.{name}.all;" for name in sorted(library.natures.packages)]
    return ["library IEEE;", "use IEEE.math_real.all;", *standard, f"use work.{library.package}.all;"]


def _package(library: LibraryNames, tables: TableFunctions) -> list[str]:
    inside = [*library.natures.declarations()]
    inside += ["type integer_vector is array (natural range <>) of integer;"]
    inside += ["type boolean_vector is array (natural range <>) of boolean;"]
    inside += [*_CHOOSE, *tables.declarations()]
    bodies: list[str] = []
    for declaration in _CHOOSE:
        bodies += [f"{declaration[:-1]} is", "begin", "  if condition then", "    return yes;", "  end if;"]
        bodies += ["  return no;", "end function choose;"]
    bodies += tables.bodies()
    return [
        f"package {library.package} is",
        *(f"  {line}" for line in inside),
        f"end package {library.package};",
        "",
        f"package body {library.package} is",
        *(f"  {line}" for line in bodies),
        f"end package body {library.package};",
    ]
