"""`tg.read_ssp`: a component class made from a system of FMUs.

Connections are equations: the connector at the end equals the one at the start, times a factor, plus an offset.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tellegen.cache import cache_folder
from tellegen.errors import DocumentError, users_call
from tellegen.fmi.archive import Archive
from tellegen.fmi.system_structure import Connection, FmuPart, SystemStructure, open_system
from tellegen.importers.fmu.quantities import has_start
from tellegen.importers.fmu.read_fmu import read_fmu
from tellegen.ir.source_location import SourceLocation


@users_call
def read_ssp(path: str | os.PathLike[str]) -> Any:
    """A component class made from a system of FMUs: an archive of SSP, with the extension .ssp.

    Its parts are components of the names they have in the system; parameters of the system are set in them. The code
    of the FMUs runs in this process and may do anything.
    """
    file = Path(path).absolute()
    structure = open_system(file)
    return _system_class(structure, _Fmus(file))


class _Fmus:
    """The FMUs of an archive, unpacked where they are found again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.archive = Archive(path)
        base = cache_folder() or Path(tempfile.gettempdir())
        self.folder = base / "ssp" / f"{path.stem}-{path.stat().st_mtime_ns}-{path.stat().st_size}"

    def component(self, part: FmuPart) -> Any:
        """An FMU as a component with its values."""
        target = self.folder / part.source
        if not target.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(self.archive.read(part.source))
        texts = {name: value for name, value in part.values if isinstance(value, str)}
        named = {name for name, _ in part.values}
        variables = read_fmu(target, kind=part.kind).fmu.file.description.variables  # type: ignore[arg-type]
        starts = [each.name for each in variables if each.name in named and has_start(each)]
        made = read_fmu(target, kind=part.kind, strings=texts, starts=starts)  # type: ignore[arg-type]
        members = {each.variable.name: each.member for each in made.fmu.quantities.parameters}
        given: dict[str, Any] = {}
        for name, value in part.values:
            if isinstance(value, str):
                continue
            if name not in members:
                raise self.wrong(f"the FMU '{part.name}' has no parameter '{name}'", "check the parameter values")
            given[members[name]] = float(value)
        return made(**given)

    def wrong(self, what: str, advice: str) -> DocumentError:
        """A system that does not fit its FMUs."""
        location = SourceLocation(str(self.path), 0)
        return DocumentError("E890", f"{self.path.name}: {what}", location=location, advice=advice)


def _system_class(structure: SystemStructure, fmus: _Fmus) -> Any:
    """The class of a system; systems inside become components of their own classes."""
    import tellegen as tg

    parts: dict[str, Any] = {part.name: fmus.component(part) for part in structure.fmus}
    parts |= {inner.name: _system_class(inner, fmus)() for inner in structure.systems}
    ports = {
        connector.name: tg.input() if connector.kind == "input" else tg.output()
        for connector in structure.connectors
        if connector.kind in ("input", "output")
    }

    def equations(self: Any) -> Iterator[Any]:
        for connection in structure.connections:
            yield _equation(self, connection, fmus)

    name = "".join(c if c.isalnum() else "_" for c in structure.name)
    return type(
        name, (tg.Component,), {**parts, **ports, "equations": equations, "__doc__": f"The system {structure.name}."}
    )


def _equation(system: Any, connection: Connection, fmus: _Fmus) -> Any:
    """A connection as an equation."""
    start = _connector(system, connection.start_part, connection.start, fmus)
    end = _connector(system, connection.end_part, connection.end, fmus)
    by = connection.transformation
    plain = by.factor == 1.0 and by.offset == 0.0
    return end == (start if plain else by.factor * start + by.offset)


def _connector(system: Any, part: str, name: str, fmus: _Fmus) -> Any:
    owner = getattr(system, part, None) if part else system
    if owner is None:
        raise fmus.wrong(f"there is no part '{part}', but a connection names it", "correct the connection")
    member = name
    used = getattr(type(owner), "fmu", None)
    if used is not None:
        quantities = used.quantities
        ports = (*quantities.inputs, *quantities.discrete_inputs, *quantities.outputs, *quantities.discrete_outputs)
        names = {each.variable.name: each.member for each in (*ports, *quantities.states)}
        member = names.get(name, "")
    if not member or not hasattr(owner, member):
        raise fmus.wrong(f"'{part or 'the system'}' has no connector '{name}'", "correct the connection")
    return getattr(owner, member)
