"""modelDescription.xml of FMI 2.0 as records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace

from tellegen.fmi.attributes import flag, flag_of, integer, integer_of, number_of
from tellegen.fmi.description import (
    CoSimulation,
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
    return read_type(element, typed, BASE_OF[typed.tag])


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
        yield replace(
            read_variable(element, typed, base, "continuous"),
            start=_start(typed, base),
            derivative_of=_position(typed, "derivative", len(elements)),
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
    return read_unknown(element, "index", lambda name, word: _position_of(element, name, word, count))
