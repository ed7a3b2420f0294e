"""A document of version 2 to a Model."""

from __future__ import annotations

import math
from dataclasses import fields

from tellegen.errors import DocumentError, nearest
from tellegen.ir.model import BoundPart, Experiment, Kind, Model, Rating, Rules
from tellegen.markup.version2.callables import read_callables
from tellegen.markup.version2.check_outers import check_outers
from tellegen.markup.version2.quantities import read_quantity
from tellegen.markup.version2.read_component import read_component, read_settings
from tellegen.units import NO_UNIT
from tellegen.xml.elements import Element

_OF_EXPERIMENTS = ("stop", "initial", "start", "tolerance", "longest-step")


def read_model(root: Element, allow_code: bool) -> Model:
    """The model of a document."""
    root.check_attributes(("version",))
    root.check_children(("model", "table", "function", "component"))
    models = list(root.all("model"))
    if len(models) != 1:
        raise root.misplaced(f"the document has {len(models)} <model>", "it needs one, which names its component")
    (element,) = models
    element.check_attributes(("name", "component", *_OF_EXPERIMENTS, "waived"))
    element.check_children(("show", "catalogue-part", "set"))
    callables = read_callables(root, allow_code)
    components = _components(root)
    kinds: dict[str, Kind] = {}
    for identifier in _parts_first(components, element):
        kinds[identifier] = read_component(components[identifier], kinds, callables)
    kind = kinds[element.word("component")]
    check_outers(kind, {id(kinds[identifier]): components[identifier].location for identifier in kinds})
    parts = {child.word("of"): _part(child) for child in element.all("catalogue-part")}
    settings = read_settings(element, kind)
    return Model(
        element.word("name"), kind, settings, experiment=_experiment(element), parts=parts, rules=_rules(element)
    )


def _components(root: Element) -> dict[str, Element]:
    found: dict[str, Element] = {}
    for element in root.all("component"):
        identifier = element.word("id")
        if identifier in found:
            raise element.wrong(f"two components have the id '{identifier}'", "rename one of them")
        found[identifier] = element
    return found


def _parts_first(components: dict[str, Element], model: Element) -> list[str]:
    """Components that the model needs, each after its parts."""
    order: dict[str, None] = {}
    opened: set[str] = set()
    waiting: list[tuple[str, Element, bool]] = [(model.word("component"), model, False)]
    while waiting:
        identifier, user, ready = waiting.pop()
        if ready:
            order[identifier] = None
            continue
        if identifier in order:
            continue
        if identifier in opened:
            what = f"the component '{identifier}' contains itself"
            raise DocumentError("E846", what, location=user.location, advice="remove the part")
        opened.add(identifier)
        element = components.get(identifier)
        if element is None:
            some = f"; {nearest(identifier, list(components))}" if components else ""
            what = f"there is no component '{identifier}'{some}"
            raise DocumentError("E846", what, location=user.location, advice="add it to the document")
        waiting.append((identifier, user, True))
        inside = [*element.all("part")]
        inside += [support for frames in element.all("frames") for support in frames.all("support")]
        waiting += [(child.word("component"), child, False) for child in inside]
    return list(order)


def _experiment(element: Element) -> Experiment:
    shown = tuple(child.text().value for child in element.all("show"))
    return Experiment(
        _number(element, "stop"),
        element.attributes.get("initial"),
        shown,
        _number(element, "start") or 0.0,
        _number(element, "tolerance"),
        _number(element, "longest-step"),
    )


def _number(element: Element, name: str) -> float | None:
    if name not in element.attributes:
        return None
    values = read_quantity(element, name, element.word(name), NO_UNIT)
    if len(values) != 1 or not math.isfinite(values[0]):
        what = "a number" if name == "tolerance" else "a time"
        raise element.wrong(f"{name}='{element.word(name)}' is not {what}", "in seconds")
    return float(values[0])


def _rules(element: Element) -> Rules:
    waived = element.word("waived", "").split()
    known = [field.name for field in fields(Rules)]
    for name in waived:
        if name not in known:
            raise element.wrong(f"there is no rule '{name}'", f"those that can be waived: {', '.join(known)}")
    return Rules(**dict.fromkeys(waived, False))


def _part(element: Element) -> BoundPart:
    element.check_attributes(("of", "name"))
    element.check_children(("rating",))
    return BoundPart(element.word("name"), tuple(_rating(child) for child in element.children))


def _rating(element: Element) -> Rating:
    element.check_attributes(("name", "value", "unit", "of"))
    values = read_quantity(element, "value", element.word("value"), NO_UNIT)
    if len(values) != 1:
        raise element.wrong(f"value of {element} is not one number", "correct it")
    return Rating(element.word("name"), float(values[0]), element.word("unit"), element.word("of", ""))
