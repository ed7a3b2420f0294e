"""modelDescription.xml of FMI 3.0 as records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import cast

from tellegen.fmi.attributes import flag, flag_of, integer, integer_of, number, number_of, one_of, reference
from tellegen.fmi.description import (
    BASES,
    CAUSALITIES,
    FLOATS,
    INITIALS,
    INTEGERS,
    VARIABILITIES,
    Alias,
    Causality,
    CoSimulation,
    Dimension,
    Initial,
    ModelDescription,
    ModelExchange,
    Structure,
    TypeDefinition,
    Unknown,
    Value,
    Variability,
    Variable,
)
from tellegen.fmi.read_common import (
    inside,
    read_attributes,
    read_experiment,
    read_interface,
    read_items,
    read_kinds,
    read_log_categories,
    read_origin,
    read_units,
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
    return TypeDefinition(
        name=element.word("name"),
        base=element.tag.removesuffix("Type"),
        attributes=read_attributes(element),
        description=element.attributes.get("description", ""),
        items=read_items(element),
    )


def _variable(element: Element, positions: Mapping[int, int]) -> Variable:
    base = element.tag
    varies = "continuous" if base in FLOATS else "discrete"
    causality = cast(Causality, one_of(element, "causality", CAUSALITIES, "local"))
    if causality in ("parameter", "calculatedParameter", "structuralParameter"):
        varies = "fixed"
    return Variable(
        name=element.word("name"),
        reference=reference(element),
        base=base,
        causality=causality,
        variability=cast(Variability, one_of(element, "variability", VARIABILITIES, varies)),
        initial=cast(Initial | None, one_of(element, "initial", INITIALS, None)),
        description=element.attributes.get("description", ""),
        declared_type=element.attributes.get("declaredType", ""),
        attributes=read_attributes(element),
        start=_start(element, base),
        derivative_of=_named(element, "derivative", positions),
        may_jump=flag(element, "reinit"),
        dimensions=tuple(_dimension(child, positions) for child in element.all("Dimension")),
        aliases=tuple(_alias(child) for child in element.all("Alias")),
        set_once_per_instant=not flag(element, "canHandleMultipleSetPerTimeInstant", True),
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
    words = element.attributes.get("dependencies")
    found: tuple[int, ...] | None = None
    if words is not None:
        found = tuple(_named_by(element, "dependencies", word, positions) for word in words.split())
    variable = _named_by(element, "valueReference", element.word("valueReference"), positions)
    return Unknown(variable, found, read_kinds(element, None if found is None else len(found)))
