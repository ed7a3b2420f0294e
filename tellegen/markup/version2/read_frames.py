"""<frames> elements: what a component says about its frames."""

from __future__ import annotations

import numpy as np

from tellegen.ir.model import Kind, Look, Mechanical, Ref, Surface
from tellegen.markup.expressions.references import ReferenceTextError, Scope, find_member
from tellegen.markup.version2.quantities import read_quantity
from tellegen.markup.version2.read_statements import unknown_name
from tellegen.markup.version2.sources import read_source
from tellegen.units import NO_UNIT
from tellegen.xml.elements import Element

VERBS = ("world", "fixed", "rigid", "mass", "joint", "visual")


def read_frames(element: Element, scope: Scope, kinds: dict[str, Kind]) -> Mechanical:
    """One statement about frames; `kinds` are those its sweeps are composed from."""
    element.check_attributes(("verb", "ports", "shape", "color", "opacity", "marked", "motion", "source"))
    element.check_children(("quantity", "support", "surface"))
    ports = [name.strip("`") for name in element.word("ports").split()]
    for name in ports:
        if name not in scope.kind.port_index:
            raise element.wrong(f"'{name}' of {element} is not a port of the component", "declare it")
    return Mechanical(
        verb=element.choice("verb", VERBS),
        ports=tuple(scope.kind.port_index[name] for name in ports),
        members={child.word("word"): _quantity(child, scope) for child in element.all("quantity")},
        parts={child.word("role"): kinds[child.word("component")] for child in element.all("support")},
        look=_look(element),
        motion=element.word("motion", ""),
        location=read_source(element, scope.kind.name),
    )


def _quantity(element: Element, scope: Scope) -> Ref:
    try:
        return find_member(scope, element.word("of")).ref
    except ReferenceTextError as problem:
        raise unknown_name(element, problem) from None


def _look(element: Element) -> Look:
    opacity = read_quantity(element, "opacity", element.word("opacity", "1"), NO_UNIT)
    if len(opacity) != 1 or not 0.0 <= opacity[0] <= 1.0:
        raise element.wrong(f"opacity of {element} is not a number from 0 to 1", "correct it")
    surfaces = [_surface(child) for child in element.all("surface")]
    return Look(
        element.word("shape", ""),
        element.word("color", ""),
        float(opacity[0]),
        element.flag("marked"),
        surfaces[0] if surfaces else None,
    )


def _surface(element: Element) -> Surface:
    element.check_children(("vertices", "faces"))
    numbers = {child.tag: read_quantity(child, child.tag, child.text().value, NO_UNIT) for child in element.children}
    vertices = numbers.get("vertices", np.zeros(0))
    faces = numbers.get("faces", np.zeros(0))
    in_range = bool(((faces >= 0) & (faces < len(vertices) // 3) & (faces == np.floor(faces))).all())
    if len(vertices) % 3 or len(faces) % 3 or not in_range:
        what = "a <surface> has three numbers for each of its <vertices>, and three of these for each of its <faces>"
        raise element.misplaced(what, "correct the numbers")
    return Surface(vertices.reshape(-1, 3), faces.astype(np.int64).reshape(-1, 3))
