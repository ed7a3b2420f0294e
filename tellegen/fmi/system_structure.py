"""A system of FMUs as SSP describes it: its parts, connections and parameter values (SystemStructure.ssd)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from tellegen.errors import DocumentError
from tellegen.fmi.archive import Archive
from tellegen.fmi.attributes import flag_of, integer_of, number, number_of
from tellegen.fmi.description import DefaultExperiment, Value
from tellegen.xml.elements import Element
from tellegen.xml.reader import Source, parse

FILE = "SystemStructure.ssd"
FMU_TYPE = "application/x-fmu-sharedlibrary"
_TYPES = ("Real", "Float64", "Float32", "Integer", "Boolean", "String", "Enumeration", "Binary")
_NO_EXPERIMENT = DefaultExperiment()


@dataclass(frozen=True)
class Transformation:
    """Of a connection: factor * value + offset."""

    factor: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True)
class Connection:
    """From a connector to another; the name of a part is empty where the system itself is meant."""

    start_part: str
    start: str
    end_part: str
    end: str
    transformation: Transformation = Transformation()


@dataclass(frozen=True)
class Connector:
    """A connector of a system or a part; its type where it is given."""

    name: str
    kind: str
    type: str = ""


@dataclass(frozen=True)
class FmuPart:
    """An FMU in a system: where it is in the archive, and the values of its parameters."""

    name: str
    source: str
    kind: str
    values: tuple[tuple[str, Value], ...] = ()
    connectors: tuple[Connector, ...] = ()


@dataclass(frozen=True)
class SystemStructure:
    """A system of FMUs and other systems."""

    name: str
    connectors: tuple[Connector, ...] = ()
    fmus: tuple[FmuPart, ...] = ()
    systems: tuple[SystemStructure, ...] = ()
    connections: tuple[Connection, ...] = ()
    experiment: DefaultExperiment = _NO_EXPERIMENT


def read_system(archive: Archive) -> SystemStructure:
    """The system of an archive."""
    return _Reader(archive).read()


class _Reader:
    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    def read(self) -> SystemStructure:
        root = self._file(FILE)
        if _tag(root) != "SystemStructureDescription":
            raise root.misplaced(f"{root} does not describe a system", "it begins with <ssd:SystemStructureDescription")
        system = next(_inside(root, "System"), None)
        if system is None:
            raise root.misplaced("there is no system in this file", "write <ssd:System name='...'>")
        found = self._system(system, ())
        for experiment in _inside(root, "DefaultExperiment"):
            times = DefaultExperiment(number(experiment, "startTime"), number(experiment, "stopTime"))
            return replace(found, experiment=times)
        return found

    def _file(self, name: str) -> Element:
        return parse(Source(self.archive.read(name), f"{self.archive.path.name}/{name}", Path()))

    def _system(self, element: Element, outer: tuple[tuple[str, Value], ...]) -> SystemStructure:
        values = (*self._values(element), *outer)
        fmus: list[FmuPart] = []
        systems: list[SystemStructure] = []
        for elements in _inside(element, "Elements"):
            for child in elements.children:
                name = child.word("name")
                given = tuple(_below(name, values))
                if _tag(child) == "Component":
                    fmus.append(self._fmu(child, given))
                elif _tag(child) == "System":
                    systems.append(self._system(child, given))
                else:
                    what = f"{child} is an element that is not supported"
                    raise child.misplaced(what, "systems of FMUs and of other systems can be read")
        return SystemStructure(
            name=element.attributes.get("name", "System"),
            connectors=tuple(_connectors(element)),
            fmus=tuple(fmus),
            systems=tuple(systems),
            connections=tuple(_connection(one) for part in _inside(element, "Connections") for one in part.children),
        )

    def _fmu(self, element: Element, outer: tuple[tuple[str, Value], ...]) -> FmuPart:
        if element.attributes.get("type", FMU_TYPE) != FMU_TYPE:
            raise element.wrong(f"{element} is not an FMU", f'type="{FMU_TYPE}"')
        source = str(PurePosixPath(unquote(element.word("source"))))
        if source not in self.archive:
            raise element.wrong(f"'{source}' of {element} is not in the archive", "pack the FMU with the system")
        kind = {"ModelExchange": "me", "CoSimulation": "cs"}.get(element.attributes.get("implementation", ""), "auto")
        own = dict(self._values(element))
        own.update(outer)
        return FmuPart(element.word("name"), source, kind, tuple(own.items()), tuple(_connectors(element)))

    def _values(self, element: Element) -> list[tuple[str, Value]]:
        """Values of parameters that stand here, inside or in a file of their own; later ones win."""
        found: dict[str, Value] = {}
        for bindings in _inside(element, "ParameterBindings"):
            for binding in _inside(bindings, "ParameterBinding"):
                prefix = binding.attributes.get("prefix", "")
                names = self._mapping(binding)
                for name, value in self._set(binding):
                    for target in names.get(name, [] if names else [name]):
                        found[prefix + target] = value
        return list(found.items())

    def _set(self, binding: Element) -> Iterator[tuple[str, Value]]:
        source = binding.attributes.get("source")
        if source is not None:
            sets = [self._file(unquote(source))]
        else:
            sets = [one for part in _inside(binding, "ParameterValues") for one in _inside(part, "ParameterSet")]
        for one in sets:
            for parameters in _inside(one, "Parameters"):
                for parameter in _inside(parameters, "Parameter"):
                    yield parameter.word("name"), _value(parameter)

    def _mapping(self, binding: Element) -> dict[str, list[str]]:
        """By which names parameters are known here; empty where there is no mapping."""
        names: dict[str, list[str]] = {}
        for part in _inside(binding, "ParameterMapping"):
            source = part.attributes.get("source")
            sets = [self._file(unquote(source))] if source else list(part.children)
            for one in sets:
                for entry in _inside(one, "MappingEntry"):
                    if next(entry.children, None) is not None:
                        raise entry.misplaced("mappings that change values are not supported", "write values as needed")
                    names.setdefault(entry.word("source"), []).append(entry.word("target"))
        return names


def _tag(element: Element) -> str:
    """The name of an element without its namespace."""
    return element.tag.rpartition(":")[2]


def _inside(element: Element, tag: str) -> Iterator[Element]:
    return (child for child in element.children if _tag(child) == tag)


def _below(part: str, values: tuple[tuple[str, Value], ...]) -> Iterator[tuple[str, Value]]:
    """The values that belong to a part, by their names in it."""
    for name, value in values:
        if name.startswith(f"{part}."):
            yield name.removeprefix(f"{part}."), value


def _connectors(element: Element) -> Iterator[Connector]:
    for part in _inside(element, "Connectors"):
        for connector in _inside(part, "Connector"):
            typed = next((child for child in connector.children if _tag(child) in _TYPES), None)
            yield Connector(connector.word("name"), connector.word("kind"), "" if typed is None else _tag(typed))


def _connection(element: Element) -> Connection:
    named = element.attributes.get
    transformation = Transformation()
    for child in element.children:
        if _tag(child) != "LinearTransformation":
            raise child.misplaced(f"{child} is a transformation that is not supported", "linear ones can be read")
        factor = number(child, "factor")
        transformation = Transformation(1.0 if factor is None else factor, number(child, "offset") or 0.0)
    return Connection(
        start_part=named("startElement", ""),
        start=element.word("startConnector"),
        end_part=named("endElement", ""),
        end=element.word("endConnector"),
        transformation=transformation,
    )


def _value(parameter: Element) -> Value:
    typed = next(parameter.children, None)
    if typed is None:
        raise parameter.misplaced(f"{parameter} has no value", "write <ssv:Real value='...'/> inside")
    word = typed.word("value")
    match _tag(typed):
        case "Real" | "Float64" | "Float32":
            return number_of(typed, "value", word)
        case "Boolean":
            return flag_of(typed, "value", word)
        case "String" | "Enumeration":
            return word
    return integer_of(typed, "value", word)


def open_system(path: Path) -> SystemStructure:
    """The system of a file with the extension .ssp."""
    archive = Archive(path)
    if FILE not in archive:
        raise DocumentError("E890", f"{path.name} holds no {FILE}", advice="an SSP archive holds a system of FMUs")
    return read_system(archive)
