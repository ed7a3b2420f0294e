"""A Model as a document of version 2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

from tellegen.ir.model import BoundPart, Kind, Model
from tellegen.markup.expressions.text import number_text
from tellegen.markup.version2.callables import callable_elements
from tellegen.markup.version2.write_component import Identifiers, component_element, set_elements
from tellegen.xml.elements import Element
from tellegen.xml.writer import made

VERSION = "2"


def model_document(model: Model, candidates: Sequence[Kind] = ()) -> Element:
    """The outermost element: the model, the tables and functions it uses, and its components, parents first.

    Kinds that could stand in the model, but do not, come last.
    """
    identifiers = Identifiers()
    kinds = list(_all_kinds([model.root, *candidates]))
    for kind in kinds:
        identifiers.component(kind)
    components = [component_element(kind, identifiers) for kind in kinds]
    callables = callable_elements(identifiers.names)
    return made("document", {"version": VERSION}, _model(model, identifiers), *callables, *components)


def _all_kinds(roots: Sequence[Kind]) -> Iterator[Kind]:
    """Every kind once, those included from which mechanisms are composed."""
    seen: set[int] = set()
    waiting = list(reversed(roots))
    while waiting:
        kind = waiting.pop()
        if id(kind) in seen:
            continue
        seen.add(id(kind))
        yield kind
        inside = [group.kind for group in kind.groups]
        inside += [part for what in kind.mechanics for part in what.parts.values()]
        waiting += reversed(inside)


def _model(model: Model, identifiers: Identifiers) -> Element:
    experiment = model.experiment
    attributes = {
        "name": model.name,
        "component": identifiers.component(model.root),
        "stop": _given(experiment.stop),
        "initial": experiment.initial,
        "start": _given(experiment.start or None),
        "tolerance": _given(experiment.tolerance),
        "longest-step": _given(experiment.longest_step),
        "waived": " ".join(field.name for field in fields(model.rules) if not getattr(model.rules, field.name)) or None,
    }
    shown = [made("show", {}, path) for path in experiment.shown]
    numbers = [element for setting in model.settings for element in set_elements(model.root, setting)]
    parts = [_part(path, part) for path, part in model.parts.items()]
    return made("model", attributes, *shown, *parts, *numbers)


def _given(number: float | None) -> str | None:
    return None if number is None else number_text(float(number))


def _part(path: str, part: BoundPart) -> Element:
    ratings = [
        made("rating", {"name": r.name, "value": number_text(r.value), "unit": r.unit, "of": r.quantity or None})
        for r in part.ratings
    ]
    return made("catalogue-part", {"of": path, "name": part.name}, *ratings)
