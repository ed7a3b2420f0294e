"""Records -> modelDescription.xml of FMI 2.0."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tellegen.fmi.attributes import flag_text
from tellegen.fmi.description import (
    FLOATS,
    CoSimulation,
    Interface,
    ModelDescription,
    ModelExchange,
    TypeDefinition,
    Unknown,
    Variable,
)
from tellegen.fmi.write_common import (
    dependency_attributes,
    experiment_elements,
    interface_elements,
    item_elements,
    log_elements,
    origin_attributes,
    section,
    unit_elements,
    value_attributes,
    word,
)
from tellegen.xml.elements import Element
from tellegen.xml.writer import document_text, made


def write_version2(description: ModelDescription) -> str:
    """The text of the file; aliases become variables of their own, after all others."""
    indicators = description.event_indicator_count
    attributes = {
        "fmiVersion": "2.0",
        "modelName": description.name,
        "guid": description.token,
        **origin_attributes(description),
        "numberOfEventIndicators": str(indicators) if indicators or description.model_exchange else None,
    }
    sections = [
        *interface_elements(description, _model_exchange, _co_simulation),
        *unit_elements(description.units, inverse=False),
        *section("TypeDefinitions", map(_type, description.types)),
        *log_elements(description.log_categories),
        *experiment_elements(description.experiment),
        *section("ModelVariables", _variables(description.variables)),
        _structure(description),
    ]
    return document_text(made("fmiModelDescription", attributes, *sections))


def _common(interface: Interface) -> dict[str, str | None]:
    return {
        "canBeInstantiatedOnlyOncePerProcess": flag_text(interface.only_one_instance),
        "canGetAndSetFMUstate": flag_text(interface.keeps_state),
        "canSerializeFMUstate": flag_text(interface.serializes_state),
        "providesDirectionalDerivative": flag_text(interface.directional_derivatives),
    }


def _sources(interface: Interface) -> list[Element]:
    return section("SourceFiles", (made("File", {"name": name}) for name in interface.source_files))


def _model_exchange(exchange: ModelExchange) -> Element:
    attributes = {
        "modelIdentifier": exchange.identifier,
        "needsExecutionTool": flag_text(exchange.needs_execution_tool),
        "completedIntegratorStepNotNeeded": flag_text(not exchange.needs_completed_step),
        **_common(exchange),
    }
    return made("ModelExchange", attributes, *_sources(exchange))


def _co_simulation(simulation: CoSimulation) -> Element:
    order = simulation.output_derivative_order
    attributes = {
        "modelIdentifier": simulation.identifier,
        "needsExecutionTool": flag_text(simulation.needs_execution_tool),
        "canHandleVariableCommunicationStepSize": flag_text(simulation.variable_step),
        "canInterpolateInputs": flag_text(simulation.interpolates_inputs),
        "maxOutputDerivativeOrder": str(order) if order else None,
        **_common(simulation),
    }
    return made("CoSimulation", attributes, *_sources(simulation))


def tag_of(base: str) -> str:
    """What FMI 2.0 calls a type."""
    if base in FLOATS:
        return "Real"
    return base if base in ("Boolean", "String", "Enumeration") else "Integer"


def _type(definition: TypeDefinition) -> Element:
    attributes = value_attributes(definition.base, definition.attributes)
    if definition.items:  # the limits of an enumeration are those of its items
        attributes = {"quantity": attributes.get("quantity")}
    typed = made(tag_of(definition.base), attributes, *item_elements(definition.items))
    return made("SimpleType", {"name": definition.name, "description": definition.description or None}, typed)


def _variables(variables: Iterable[Variable]) -> Iterator[Element]:
    known = list(variables)
    for variable in known:
        yield _variable(variable, variable.name, variable.description, variable.attributes.display_unit)
    for variable in known:
        for alias in variable.aliases:
            yield _variable(variable, alias.name, alias.description, alias.display_unit)


def _variable(variable: Variable, name: str, description: str, display_unit: str) -> Element:
    tag = tag_of(variable.base)
    is_itself = name == variable.name
    outer = {
        "name": name,
        "valueReference": str(variable.reference),
        "description": description or None,
        "causality": variable.causality if is_itself else "local",
        "variability": variable.variability,
        "initial": variable.initial,
        "canHandleMultipleSetPerTimeInstant": "false" if variable.set_once_per_instant else None,
    }
    derivative = variable.derivative_of
    values = value_attributes(variable.base, variable.attributes)
    if tag == "Real":
        values["displayUnit"] = display_unit or None
    typed = {
        "declaredType": variable.declared_type or None,
        **values,
        "start": _start(variable),
        "derivative": str(derivative + 1) if derivative is not None and is_itself else None,
        "reinit": flag_text(variable.may_jump),
    }
    return made("ScalarVariable", outer, made(tag, typed))


def _start(variable: Variable) -> str | None:
    if variable.start is None:
        return None
    return word(variable.start[0])


def _structure(description: ModelDescription) -> Element:
    structure = description.structure

    def unknowns(tag: str, found: tuple[Unknown, ...]) -> list[Element]:
        return section(tag, map(_unknown, found))

    return made(
        "ModelStructure",
        {},
        *unknowns("Outputs", structure.outputs),
        *unknowns("Derivatives", structure.derivatives),
        *unknowns("InitialUnknowns", structure.initial_unknowns),
    )


def _unknown(unknown: Unknown) -> Element:
    index = {"index": str(unknown.variable + 1)}
    return made("Unknown", {**index, **dependency_attributes(unknown, lambda position: position + 1)})
