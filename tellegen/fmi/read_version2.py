"""modelDescription.xml of FMI 2.0 as records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import cast

from tellegen.fmi.attributes import flag, flag_of, integer, integer_of, number_of, one_of, reference
from tellegen.fmi.description import (
    CAUSALITIES,
    INITIALS,
    VARIABILITIES,
    Causality,
    CoSimulation,
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

BASE_OF = {
    "Real": "Float64",
    "Integer": "Int32",
    "Boolean": "Boolean",
    "String": "String",
    "Enumeration": "Enumeration",
}


def read_version2(root: Element) -> ModelDescription:
    """The description below <fmiModelDescription fmiVersion="2.0">."""
    variables = tuple(_variables(root))
    return ModelDescription(
        version="2.0",
        name=root.word("modelName"),
        token=root.word("guid"),
        variables=variables,
        structure=_structure(root, len(variables)),
        model_exchange=_model_exchange(root),
        co_simulation=_co_simulation(root),
        description=root.attributes.get("description", ""),
        origin=read_origin(root),
        structured_names=root.attributes.get("variableNamingConvention") == "structured",
        units=read_units(root),
        types=tuple(_type(element) for element in inside(root, "TypeDefinitions", "SimpleType")),
        log_categories=read_log_categories(root),
        experiment=read_experiment(root),
        event_indicator_count=integer(root, "numberOfEventIndicators") or 0,
    )


def _model_exchange(root: Element) -> ModelExchange | None:
    element = next(root.all("ModelExchange"), None)
    if element is None:
        return None
    common = asdict(read_interface(element, "state", "Derivative"))
    return ModelExchange(**common, needs_completed_step=not flag(element, "completedIntegratorStepNotNeeded"))


def _co_simulation(root: Element) -> CoSimulation | None:
    element = next(root.all("CoSimulation"), None)
    if element is None:
        return None
    return CoSimulation(
        **asdict(read_interface(element, "state", "Derivative")),
        variable_step=flag(element, "canHandleVariableCommunicationStepSize"),
        interpolates_inputs=flag(element, "canInterpolateInputs"),
        output_derivative_order=integer(element, "maxOutputDerivativeOrder") or 0,
    )


def _type(element: Element) -> TypeDefinition:
    typed = _typed(element)
    return TypeDefinition(
        name=element.word("name"),
        base=BASE_OF[typed.tag],
        attributes=read_attributes(typed),
        description=element.attributes.get("description", ""),
        items=read_items(typed),
    )


def _typed(element: Element) -> Element:
    """The element inside that says what type it is of."""
    typed = next(element.all(*BASE_OF), None)
    if typed is None:
        raise element.misplaced(f"{element} has no type", f"one of <{'/>, <'.join(BASE_OF)}/> belongs inside")
    return typed


def _variables(root: Element) -> Iterator[Variable]:
    elements = list(inside(root, "ModelVariables", "ScalarVariable"))
    for element in elements:
        typed = _typed(element)
        base = BASE_OF[typed.tag]
        yield Variable(
            name=element.word("name"),
            reference=reference(element),
            base=base,
            causality=cast(Causality, one_of(element, "causality", CAUSALITIES, "local")),
            variability=cast(Variability, one_of(element, "variability", VARIABILITIES, "continuous")),
            initial=cast(Initial | None, one_of(element, "initial", INITIALS, None)),
            description=element.attributes.get("description", ""),
            declared_type=typed.attributes.get("declaredType", ""),
            attributes=read_attributes(typed),
            start=_start(typed, base),
            derivative_of=_position(typed, "derivative", len(elements)),
            may_jump=flag(typed, "reinit"),
            set_once_per_instant=not flag(element, "canHandleMultipleSetPerTimeInstant", True),
        )


def _start(typed: Element, base: str) -> tuple[Value, ...] | None:
    word = typed.attributes.get("start")
    if word is None:
        return None
    match base:
        case "Float64":
            return (number_of(typed, "start", word),)
        case "Int32" | "Enumeration":
            return (integer_of(typed, "start", word),)
        case "Boolean":
            return (flag_of(typed, "start", word),)
    return (word,)


def _position(element: Element, name: str, count: int) -> int | None:
    """A position that the file counts from 1."""
    word = element.attributes.get(name)
    return None if word is None else _position_of(element, name, word, count)


def _position_of(element: Element, name: str, word: str, count: int) -> int:
    found = integer_of(element, name, word)
    if not 1 <= found <= count:
        raise element.wrong(f"{name}='{word}' of {element} names no variable", f"there are {count} variables")
    return found - 1


def _structure(root: Element, count: int) -> Structure:
    sections = list(root.all("ModelStructure"))

    def unknowns(section: str) -> tuple[Unknown, ...]:
        found = [element for part in sections for element in inside(part, section, "Unknown")]
        return tuple(_unknown(element, count) for element in found)

    return Structure(unknowns("Outputs"), unknowns("Derivatives"), unknowns("InitialUnknowns"))


def _unknown(element: Element, count: int) -> Unknown:
    words = element.attributes.get("dependencies")
    found = None if words is None else tuple(_position_of(element, "dependencies", w, count) for w in words.split())
    variable = _position_of(element, "index", element.word("index"), count)
    return Unknown(variable, found, read_kinds(element, None if found is None else len(found)))
