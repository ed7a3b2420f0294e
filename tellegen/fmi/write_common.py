"""Elements that model descriptions of FMI 2.0 and 3.0 write alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tellegen.fmi.attributes import flag_text, number_text
from tellegen.fmi.description import (
    FLOATS,
    SI_BASE_UNITS,
    Attributes,
    BaseUnit,
    CoSimulation,
    DefaultExperiment,
    DisplayUnit,
    EnumerationItem,
    LogCategory,
    ModelDescription,
    ModelExchange,
    Unit,
    Unknown,
    Value,
)
from tellegen.xml.elements import Element
from tellegen.xml.writer import made


def section(tag: str, elements: Iterable[Element]) -> list[Element]:
    """A section, or nothing where it would be empty."""
    content = list(elements)
    return [made(tag, {}, *content)] if content else []


def optional(value: float | None) -> str | None:
    """A number that may be absent."""
    return None if value is None else number_text(value)


def origin_attributes(description: ModelDescription) -> dict[str, str | None]:
    """Who made it, and how its variables are named."""
    origin = description.origin
    return {
        "description": description.description or None,
        "author": origin.author or None,
        "version": origin.version or None,
        "copyright": origin.copyright or None,
        "license": origin.license or None,
        "generationTool": origin.tool or None,
        "generationDateAndTime": origin.time or None,
        "variableNamingConvention": "structured" if description.structured_names else "flat",
    }


def interface_elements(
    description: ModelDescription,
    model_exchange: Callable[[ModelExchange], Element],
    co_simulation: Callable[[CoSimulation], Element],
) -> list[Element]:
    """What the FMU can be used for, each written by a function of its version."""
    exchange = description.model_exchange
    simulation = description.co_simulation
    return [
        *([] if exchange is None else [model_exchange(exchange)]),
        *([] if simulation is None else [co_simulation(simulation)]),
    ]


def value_attributes(base: str, attributes: Attributes) -> dict[str, str | None]:
    """What is known of the values of a variable or type of this base."""
    if base in ("Boolean", "String", "Binary", "Clock"):
        return {}
    limits = {"min": optional(attributes.minimum), "max": optional(attributes.maximum)}
    quantity = {"quantity": attributes.quantity or None}
    if base not in FLOATS:
        return {**quantity, **limits}
    return {
        **quantity,
        "unit": attributes.unit or None,
        "displayUnit": attributes.display_unit or None,
        "relativeQuantity": flag_text(attributes.relative),
        **limits,
        "nominal": optional(attributes.nominal),
    }


def word(value: Value) -> str:
    """A start value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return number_text(value) if isinstance(value, float) else str(value)


def unit_elements(units: Iterable[Unit], inverse: bool) -> list[Element]:
    """<UnitDefinitions>; FMI 2.0 has no inverse display units."""

    def shown(unit: DisplayUnit) -> Element:
        attributes = {"name": unit.name, "factor": _factor(unit.factor), "offset": _offset(unit.offset)}
        return made("DisplayUnit", {**attributes, "inverse": flag_text(unit.inverse)})

    def one(unit: Unit) -> Element:
        base = [] if unit.base is None else [_base_unit(unit.base)]
        display = [shown(each) for each in unit.display if inverse or not each.inverse]
        return made("Unit", {"name": unit.name}, *base, *display)

    return section("UnitDefinitions", map(one, units))


def _base_unit(unit: BaseUnit) -> Element:
    attributes: dict[str, str | None] = {
        name: str(exponent) if exponent else None for name, exponent in zip(SI_BASE_UNITS, unit.exponents, strict=True)
    }
    return made("BaseUnit", {**attributes, "factor": _factor(unit.factor), "offset": _offset(unit.offset)})


def _factor(value: float) -> str | None:
    return None if value == 1.0 else number_text(value)


def _offset(value: float) -> str | None:
    return None if value == 0.0 else number_text(value)


def item_elements(items: Iterable[EnumerationItem]) -> list[Element]:
    """The values of an enumeration."""
    return [
        made("Item", {"name": item.name, "value": str(item.value), "description": item.description or None})
        for item in items
    ]


def log_elements(categories: Iterable[LogCategory]) -> list[Element]:
    """<LogCategories>."""
    return section(
        "LogCategories",
        (made("Category", {"name": one.name, "description": one.description or None}) for one in categories),
    )


def experiment_elements(experiment: DefaultExperiment) -> list[Element]:
    """<DefaultExperiment>."""
    if experiment == DefaultExperiment():
        return []
    attributes = {
        "startTime": optional(experiment.start),
        "stopTime": optional(experiment.stop),
        "tolerance": optional(experiment.tolerance),
        "stepSize": optional(experiment.step),
    }
    return [made("DefaultExperiment", attributes)]


def dependency_attributes(unknown: Unknown, name_of: Callable[[int], int]) -> dict[str, str | None]:
    """On which variables an unknown depends, by the numbers that the version gives them."""
    if unknown.dependencies is None:
        return {}
    dependencies = " ".join(str(name_of(position)) for position in unknown.dependencies)
    kinds = None if unknown.kinds is None else " ".join(unknown.kinds)
    return {"dependencies": dependencies, "dependenciesKind": kinds}
