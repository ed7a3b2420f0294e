"""A system of FMUs as the files of an SSP archive: SystemStructure.ssd, parameter values (SSV), their names (SSM)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tellegen.fmi.attributes import number_text
from tellegen.fmi.description import DefaultExperiment, Value
from tellegen.fmi.system_structure import FILE, FMU_TYPE, Connection, Connector, FmuPart, SystemStructure
from tellegen.fmi.write_common import optional, section
from tellegen.xml.elements import Element
from tellegen.xml.writer import document_text, made

_BASE = "http://ssp-standard.org/SSP1/SystemStructure"
_NAMESPACES: Mapping[str, str] = {
    "xmlns:ssd": f"{_BASE}Description",
    "xmlns:ssv": f"{_BASE}ParameterValues",
    "xmlns:ssm": f"{_BASE}ParameterMapping",
    "xmlns:ssc": f"{_BASE}Common",
}
_VERSION = "1.0"
_KINDS = {"me": "ModelExchange", "cs": "CoSimulation"}


@dataclass(frozen=True)
class ValuesFile:
    """A file of all parameter values. A value is called `part.name` there, as SSP has it, unless `names` gives one name
    to several of them; a second file, with the extension .ssm, then says which."""

    stem: str
    names: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def values(self) -> str:
        """The file of the values."""
        return f"{self.stem}.ssv"

    @property
    def mapping(self) -> str:
        """The file of the names."""
        return f"{self.stem}.ssm"


def system_files(system: SystemStructure, apart: ValuesFile | None = None) -> dict[str, bytes]:
    """The files of a system by their names; with `apart` the values of parameters are in files of their own."""
    attributes = {**_NAMESPACES, "version": _VERSION, "name": system.name, "generationTool": "Tellegen"}
    inside = _system(system, apart)
    root = made("ssd:SystemStructureDescription", attributes, inside, *_experiment(system.experiment))
    files = {FILE: document_text(root).encode("utf-8")}
    if apart is not None:
        values = dict(all_values(system))
        shared = {name: values[targets[0]] for name, targets in apart.names}
        taken = {target for _, targets in apart.names for target in targets}
        plain = {name: value for name, value in values.items() if name not in taken}
        entries = [(name, target) for name, targets in apart.names for target in targets]
        listed = _set(system.name, [*shared.items(), *plain.items()], _NAMESPACES)
        files[apart.values] = document_text(listed).encode("utf-8")
        if apart.names:
            mapped = [*entries, *((name, name) for name in plain)]  # a mapping is complete: others would be left out
            files[apart.mapping] = document_text(_mapping(mapped)).encode("utf-8")
    return files


def _mapping(entries: Iterable[tuple[str, str]]) -> Element:
    listed = [made("ssm:MappingEntry", {"source": source, "target": target}) for source, target in entries]
    return made("ssm:ParameterMapping", {**_NAMESPACES, "version": _VERSION}, *listed)


def _system(system: SystemStructure, apart: ValuesFile | None, is_inner: bool = False) -> Element:
    parts = [_fmu(part, apart is None) for part in system.fmus]
    parts += [_system(inner, apart, True) for inner in system.systems]
    return made(
        "ssd:System",
        {"name": system.name},
        *section("ssd:Connectors", map(_connector, system.connectors)),
        *([] if apart is None or is_inner else [_bindings(_binding(apart))]),
        *section("ssd:Elements", parts),
        *section("ssd:Connections", map(_connection, system.connections)),
    )


def _fmu(part: FmuPart, values_inside: bool) -> Element:
    attributes = {
        "name": part.name,
        "type": FMU_TYPE,
        "source": part.source,
        "implementation": _KINDS.get(part.kind),
    }
    bindings: list[Element] = []
    if part.values and values_inside:
        values = made("ssd:ParameterValues", {}, _set(part.name, part.values, {}))
        bindings = [_bindings(made("ssd:ParameterBinding", {}, values))]
    return made("ssd:Component", attributes, *section("ssd:Connectors", map(_connector, part.connectors)), *bindings)


def _binding(apart: ValuesFile) -> Element:
    mapping = [made("ssd:ParameterMapping", {"source": apart.mapping})] if apart.names else []
    return made("ssd:ParameterBinding", {"source": apart.values}, *mapping)


def _bindings(binding: Element) -> Element:
    return made("ssd:ParameterBindings", {}, binding)


def _connector(connector: Connector) -> Element:
    typed = [made(f"ssc:{connector.type}")] if connector.type else []
    return made("ssd:Connector", {"name": connector.name, "kind": connector.kind}, *typed)


def _connection(connection: Connection) -> Element:
    by = connection.transformation
    attributes = {
        "startElement": connection.start_part or None,
        "startConnector": connection.start,
        "endElement": connection.end_part or None,
        "endConnector": connection.end,
    }
    if by.factor == 1.0 and by.offset == 0.0:
        return made("ssd:Connection", attributes)
    numbers = {"factor": number_text(by.factor), "offset": number_text(by.offset)}
    return made("ssd:Connection", attributes, made("ssc:LinearTransformation", numbers))


def _set(name: str, values: Iterable[tuple[str, Value]], namespaces: Mapping[str, str]) -> Element:
    parameters = [made("ssv:Parameter", {"name": key}, _value(value)) for key, value in values]
    return made(
        "ssv:ParameterSet",
        {**namespaces, "version": _VERSION, "name": name},
        made("ssv:Parameters", {}, *parameters),
    )


def _value(value: Value) -> Element:
    if isinstance(value, bool):
        return made("ssv:Boolean", {"value": "true" if value else "false"})
    if isinstance(value, str):
        return made("ssv:String", {"value": value})
    if isinstance(value, int):
        return made("ssv:Integer", {"value": str(value)})
    return made("ssv:Real", {"value": number_text(value)})


def all_values(system: SystemStructure, path: str = "") -> list[tuple[str, Value]]:
    """Those of all parts, by their names in the outermost system."""
    found = [(f"{path}{part.name}.{name}", value) for part in system.fmus for name, value in part.values]
    return found + [pair for inner in system.systems for pair in all_values(inner, f"{path}{inner.name}.")]


def _experiment(experiment: DefaultExperiment) -> list[Element]:
    if experiment.start is None and experiment.stop is None:
        return []
    times = {"startTime": optional(experiment.start), "stopTime": optional(experiment.stop)}
    return [made("ssd:DefaultExperiment", times)]
