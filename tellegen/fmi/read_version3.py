"""modelDescription.xml of FMI 3.0 as records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace

from tellegen.fmi.attributes import flag, flag_of, integer, integer_of, number, number_of, reference
from tellegen.fmi.description import (
    BASES,
    FLOATS,
    INTEGERS,
    Alias,
    CoSimulation,
    Dimension,
    ModelDescription,
    ModelExchange,
    Structure,
    TypeDefinition,
    Unknown,
    Value,
    Variable,
)
from tellegen.fmi.read_common import (
    inside,
    read_experiment,
    read_interface,
    read_log_categories,
    read_origin,
    read_type,
    read_units,
    read_unknown,
    read_variable,
)
from tellegen.xml.elements import Element

_TYPES = tuple(f"{base}Type" for base in BASES)


def read_version3(root: Element) -> ModelDescription:
    """The description below <fmiModelDescription fmiVersion="3.0">."""
    elements = list(inside(root, "ModelVariables", *BASES))
    positions = _positions(elements)
    structure = _structure(root, positions)
    return ModelDescription(
        version="3.0",
        name=root.word("modelName"),
        token=root.word("instantiationToken"),
        variables=tuple(_variable(element, positions) for element in elements),
        structure=structure,
        model_exchange=_model_exchange(root),
        co_simulation=_co_simulation(root),
        scheduled_execution=next(root.all("ScheduledExecution"), None) is not None,
        description=root.attributes.get("description", ""),
        origin=read_origin(root),
        structured_names=root.attributes.get("variableNamingConvention") == "structured",
        units=read_units(root),
        types=tuple(_type(element) for element in inside(root, "TypeDefinitions", *_TYPES)),
        log_categories=read_log_categories(root),
        experiment=read_experiment(root),
        event_indicator_count=len(structure.event_indicators),
    )


def _positions(elements: list[Element]) -> dict[int, int]:
    """The position of each variable by its value reference."""
    positions: dict[int, int] = {}
    for position, element in enumerate(elements):
        found = reference(element)
        if found in positions:
            what = f"{element} has the value reference of {elements[positions[found]]}, {found}"
            raise element.wrong(what, "value references are unique in FMI 3.0")
        positions[found] = position
    return positions


def _model_exchange(root: Element) -> ModelExchange | None:
    element = next(root.all("ModelExchange"), None)
    if element is None:
        return None
    common = asdict(read_interface(element, "State", "Derivatives"))
    return ModelExchange(**common, needs_completed_step=flag(element, "needsCompletedIntegratorStep"))


def _co_simulation(root: Element) -> CoSimulation | None:
    element = next(root.all("CoSimulation"), None)
    if element is None:
        return None
    return CoSimulation(
        **asdict(read_interface(element, "State", "Derivatives")),
        variable_step=flag(element, "canHandleVariableCommunicationStepSize"),
        fixed_internal_step=number(element, "fixedInternalStepSize"),
        output_derivative_order=integer(element, "maxOutputDerivativeOrder") or 0,
        intermediate_update=flag(element, "providesIntermediateUpdate"),
        might_return_early=flag(element, "mightReturnEarlyFromDoStep"),
        can_return_early=flag(element, "canReturnEarlyAfterIntermediateUpdate"),
        event_mode=flag(element, "hasEventMode"),
    )


def _type(element: Element) -> TypeDefinition:
    return read_type(element, element, element.tag.removesuffix("Type"))


def _variable(element: Element, positions: Mapping[int, int]) -> Variable:
    base = element.tag
    varies = "continuous" if base in FLOATS else "discrete"
    if element.attributes.get("causality") in ("parameter", "calculatedParameter", "structuralParameter"):
        varies = "fixed"
    return replace(
        read_variable(element, element, base, varies),
        start=_start(element, base),
        derivative_of=_named(element, "derivative", positions),
        dimensions=tuple(_dimension(child, positions) for child in element.all("Dimension")),
        aliases=tuple(_alias(child) for child in element.all("Alias")),
    )


def _alias(element: Element) -> Alias:
    named = element.attributes.get
    return Alias(element.word("name"), named("description", ""), named("displayUnit", ""))


def _dimension(element: Element, positions: Mapping[int, int]) -> Dimension:
    return Dimension(integer(element, "start"), _named(element, "valueReference", positions))


def _start(element: Element, base: str) -> tuple[Value, ...] | None:
    if base in ("String", "Binary"):
        found = [child.word("value") for child in element.all("Start")]
        return tuple(found) if found else None
    text = element.attributes.get("start")
    if text is None:
        return None
    if base in FLOATS:
        return tuple(number_of(element, "start", word) for word in text.split())
    if base in INTEGERS or base == "Enumeration":
        return tuple(integer_of(element, "start", word) for word in text.split())
    return tuple(flag_of(element, "start", word) for word in text.split())


def _named(element: Element, name: str, positions: Mapping[int, int]) -> int | None:
    """The position of the variable that an attribute names by its value reference."""
    word = element.attributes.get(name)
    return None if word is None else _named_by(element, name, word, positions)


def _named_by(element: Element, name: str, word: str, positions: Mapping[int, int]) -> int:
    position = positions.get(integer_of(element, name, word))
    if position is None:
        raise element.wrong(f"{name}='{word}' of {element} names no variable", "use the value reference of one")
    return position


def _structure(root: Element, positions: Mapping[int, int]) -> Structure:
    def unknowns(tag: str) -> tuple[Unknown, ...]:
        return tuple(_unknown(element, positions) for element in inside(root, "ModelStructure", tag))

    return Structure(
        outputs=unknowns("Output"),
        derivatives=unknowns("ContinuousStateDerivative"),
        initial_unknowns=unknowns("InitialUnknown"),
        event_indicators=unknowns("EventIndicator"),
    )


def _unknown(element: Element, positions: Mapping[int, int]) -> Unknown:
    return read_unknown(element, "valueReference", lambda name, word: _named_by(element, name, word, positions))
