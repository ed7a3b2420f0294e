"""The parts of a model description that FMI 2.0 and 3.0 write alike: origin, units, log categories, experiment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import cast

from tellegen.fmi.attributes import flag, integer, number, one_of, reference
from tellegen.fmi.description import (
    CAUSALITIES,
    INITIALS,
    KINDS,
    SI_BASE_UNITS,
    VARIABILITIES,
    Attributes,
    BaseUnit,
    Causality,
    DefaultExperiment,
    DisplayUnit,
    EnumerationItem,
    Initial,
    Interface,
    Kind,
    LogCategory,
    Origin,
    TypeDefinition,
    Unit,
    Unknown,
    Variability,
    Variable,
)
from tellegen.xml.elements import Element


def inside(root: Element, section: str, *tags: str) -> Iterator[Element]:
    """The elements of a section that need not be there; of these tags only, if any are given."""
    for found in root.all(section):
        yield from found.all(*tags) if tags else found.children


def read_origin(root: Element) -> Origin:
    """Who made the FMU."""
    named = root.attributes.get
    return Origin(
        author=named("author", ""),
        version=named("version", ""),
        copyright=named("copyright", ""),
        license=named("license", ""),
        tool=named("generationTool", ""),
        time=named("generationDateAndTime", ""),
    )


def read_units(root: Element) -> tuple[Unit, ...]:
    """The units that variables refer to."""
    return tuple(_unit(element) for element in inside(root, "UnitDefinitions", "Unit"))


def _unit(element: Element) -> Unit:
    base = next(element.all("BaseUnit"), None)
    shown = tuple(_display_unit(child) for child in element.all("DisplayUnit"))
    return Unit(element.word("name"), None if base is None else _base_unit(base), shown)


def _base_unit(element: Element) -> BaseUnit:
    exponents = tuple(integer(element, name) or 0 for name in SI_BASE_UNITS)
    return BaseUnit(exponents, _factor(element), number(element, "offset") or 0.0)


def _display_unit(element: Element) -> DisplayUnit:
    inverse = flag(element, "inverse")
    return DisplayUnit(element.word("name"), _factor(element), number(element, "offset") or 0.0, inverse)


def _factor(element: Element) -> float:
    found = number(element, "factor")
    return 1.0 if found is None else found


def read_attributes(element: Element) -> Attributes:
    """The attributes that variables and types have in common."""
    named = element.attributes.get
    return Attributes(
        quantity=named("quantity", ""),
        unit=named("unit", ""),
        display_unit=named("displayUnit", ""),
        relative=flag(element, "relativeQuantity"),
        minimum=number(element, "min"),
        maximum=number(element, "max"),
        nominal=number(element, "nominal"),
    )


def read_items(element: Element) -> tuple[EnumerationItem, ...]:
    """The values of an enumeration."""
    return tuple(
        EnumerationItem(item.word("name"), integer(item, "value") or 0, item.attributes.get("description", ""))
        for item in element.all("Item")
    )


def read_log_categories(root: Element) -> tuple[LogCategory, ...]:
    """The kinds of messages of the FMU."""
    found = inside(root, "LogCategories", "Category")
    return tuple(LogCategory(element.word("name"), element.attributes.get("description", "")) for element in found)


def read_experiment(root: Element) -> DefaultExperiment:
    """How its author would run it."""
    element = next(root.all("DefaultExperiment"), None)
    if element is None:
        return DefaultExperiment()
    return DefaultExperiment(
        start=number(element, "startTime"),
        stop=number(element, "stopTime"),
        tolerance=number(element, "tolerance"),
        step=number(element, "stepSize"),
    )


def read_interface(element: Element, state: str, derivatives: str) -> Interface:
    """What both ways to use an FMU have; `state` and `derivatives` end names that changed between versions."""
    files = tuple(file.word("name") for file in inside(element, "SourceFiles", "File"))
    return Interface(
        identifier=element.word("modelIdentifier"),
        needs_execution_tool=flag(element, "needsExecutionTool"),
        only_one_instance=flag(element, "canBeInstantiatedOnlyOncePerProcess"),
        keeps_state=flag(element, f"canGetAndSetFMU{state}"),
        serializes_state=flag(element, f"canSerializeFMU{state}"),
        directional_derivatives=flag(element, f"providesDirectional{derivatives}"),
        adjoint_derivatives=flag(element, f"providesAdjoint{derivatives}"),
        source_files=files,
        element_dependencies=flag(element, "providesPerElementDependencies"),
    )


def read_kinds(element: Element, count: int | None) -> tuple[Kind, ...] | None:
    """How an unknown depends on each of the variables it depends on."""
    words = element.attributes.get("dependenciesKind")
    if words is None or count is None:
        return None
    name = "dependenciesKind"
    found = [replace(element, attributes={name: word}).choice(name, KINDS) for word in words.split()]
    if len(found) != count:
        what = f"{element} has {count} dependencies and {len(found)} kinds of them"
        raise element.wrong(what, "dependenciesKind has a word for each of the dependencies")
    return cast(tuple[Kind, ...], tuple(found))


def read_type(element: Element, typed: Element, base: str) -> TypeDefinition:
    """A type by its name; `typed` has the attributes of its values."""
    return TypeDefinition(
        name=element.word("name"),
        base=base,
        attributes=read_attributes(typed),
        description=element.attributes.get("description", ""),
        items=read_items(typed),
    )


def read_variable(element: Element, typed: Element, base: str, varies: str) -> Variable:
    """A variable without what it refers to; `varies` is the variability where the file says nothing."""
    return Variable(
        name=element.word("name"),
        reference=reference(element),
        base=base,
        causality=cast(Causality, one_of(element, "causality", CAUSALITIES, "local")),
        variability=cast(Variability, one_of(element, "variability", VARIABILITIES, varies)),
        initial=cast(Initial | None, one_of(element, "initial", INITIALS, None)),
        description=element.attributes.get("description", ""),
        declared_type=typed.attributes.get("declaredType", ""),
        attributes=read_attributes(typed),
        may_jump=flag(typed, "reinit"),
        set_once_per_instant=not flag(element, "canHandleMultipleSetPerTimeInstant", True),
    )


def read_unknown(element: Element, name: str, position: Callable[[str, str], int]) -> Unknown:
    """An output, derivative or initial unknown; `position` finds the variable that a word of an attribute names."""
    words = element.attributes.get("dependencies")
    found = None if words is None else tuple(position("dependencies", word) for word in words.split())
    variable = position(name, element.word(name))
    return Unknown(variable, found, read_kinds(element, None if found is None else len(found)))
