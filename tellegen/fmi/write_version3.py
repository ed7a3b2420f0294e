"""Records -> modelDescription.xml of FMI 3.0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tellegen.fmi.attributes import flag_text
from tellegen.fmi.description import (
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
    optional,
    origin_attributes,
    section,
    unit_elements,
    value_attributes,
    word,
)
from tellegen.xml.elements import Element
from tellegen.xml.writer import document_text, made


def write_version3(description: ModelDescription) -> str:
    """The text of the file."""
    attributes = {
        "fmiVersion": "3.0",
        "modelName": description.name,
        "instantiationToken": description.token,
        **origin_attributes(description),
    }
    sections = [
        *interface_elements(description, _model_exchange, _co_simulation),
        *unit_elements(description.units, inverse=True),
        *section("TypeDefinitions", map(_type, description.types)),
        *log_elements(description.log_categories),
        *experiment_elements(description.experiment),
        *section("ModelVariables", (_variable(one, description.variables) for one in description.variables)),
        made("ModelStructure", {}, *_structure(description)),
    ]
    return document_text(made("fmiModelDescription", attributes, *sections))


def _common(interface: Interface) -> dict[str, str | None]:
    return {
        "modelIdentifier": interface.identifier,
        "needsExecutionTool": flag_text(interface.needs_execution_tool),
        "canBeInstantiatedOnlyOncePerProcess": flag_text(interface.only_one_instance),
        "canGetAndSetFMUState": flag_text(interface.keeps_state),
        "canSerializeFMUState": flag_text(interface.serializes_state),
        "providesDirectionalDerivatives": flag_text(interface.directional_derivatives),
        "providesAdjointDerivatives": flag_text(interface.adjoint_derivatives),
        "providesPerElementDependencies": flag_text(interface.element_dependencies),
    }


def _model_exchange(exchange: ModelExchange) -> Element:
    needs = {"needsCompletedIntegratorStep": flag_text(exchange.needs_completed_step)}
    return made("ModelExchange", {**_common(exchange), **needs})


def _co_simulation(simulation: CoSimulation) -> Element:
    order = simulation.output_derivative_order
    attributes = {
        **_common(simulation),
        "canHandleVariableCommunicationStepSize": flag_text(simulation.variable_step),
        "fixedInternalStepSize": optional(simulation.fixed_internal_step),
        "maxOutputDerivativeOrder": str(order) if order else None,
        "providesIntermediateUpdate": flag_text(simulation.intermediate_update),
        "mightReturnEarlyFromDoStep": flag_text(simulation.might_return_early),
        "canReturnEarlyAfterIntermediateUpdate": flag_text(simulation.can_return_early),
        "hasEventMode": flag_text(simulation.event_mode),
    }
    return made("CoSimulation", attributes)


def _type(definition: TypeDefinition) -> Element:
    attributes = {
        "name": definition.name,
        "description": definition.description or None,
        **value_attributes(definition.base, definition.attributes),
    }
    return made(f"{definition.base}Type", attributes, *item_elements(definition.items))


def _variable(variable: Variable, variables: Sequence[Variable]) -> Element:
    derivative = variable.derivative_of
    of_text = variable.base in ("String", "Binary")
    attributes = {
        "name": variable.name,
        "valueReference": str(variable.reference),
        "description": variable.description or None,
        "causality": variable.causality,
        "variability": variable.variability,
        "canHandleMultipleSetPerTimeInstant": "false" if variable.set_once_per_instant else None,
        "declaredType": variable.declared_type or None,
        "initial": variable.initial,
        **value_attributes(variable.base, variable.attributes),
        "start": None if variable.start is None or of_text else " ".join(map(word, variable.start)),
        "derivative": None if derivative is None else str(variables[derivative].reference),
        "reinit": flag_text(variable.may_jump),
    }
    starts = [made("Start", {"value": str(value)}) for value in variable.start or ()] if of_text else []
    return made(variable.base, attributes, *_dimensions(variable, variables), *starts, *_aliases(variable))


def _dimensions(variable: Variable, variables: Sequence[Variable]) -> Iterator[Element]:
    for dimension in variable.dimensions:
        named = None if dimension.variable is None else str(variables[dimension.variable].reference)
        size = None if dimension.size is None else str(dimension.size)
        yield made("Dimension", {"start": size, "valueReference": named})


def _aliases(variable: Variable) -> Iterator[Element]:
    for alias in variable.aliases:
        shown = alias.display_unit or None
        yield made("Alias", {"name": alias.name, "description": alias.description or None, "displayUnit": shown})


def _structure(description: ModelDescription) -> Iterator[Element]:
    def reference(position: int) -> int:
        return description.variables[position].reference

    def elements(tag: str, unknowns: tuple[Unknown, ...]) -> Iterator[Element]:
        for unknown in unknowns:
            named = {"valueReference": str(reference(unknown.variable))}
            yield made(tag, {**named, **dependency_attributes(unknown, reference)})

    structure = description.structure
    yield from elements("Output", structure.outputs)
    yield from elements("ContinuousStateDerivative", structure.derivatives)
    yield from elements("InitialUnknown", structure.initial_unknowns)
    yield from elements("EventIndicator", structure.event_indicators)
