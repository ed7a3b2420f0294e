"""Modifications given from Python: a class that extends another one with them.

    modified_view(motor, {"R": 2.0, "load.J": 0.1, "medium": Water})

    model Motor
      extends Lib.Motor(R=2.0, load(J=0.1), redeclare package medium = Lib.Water);
    end Motor;

The text is parsed like any other, so mistakes are reported with the line that they stand in. A component of Python is a
class in this text (python_class.py). It keeps its own values: modifiers of what it replaces do not apply to it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.lookup.base_class import InForce
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.contents import ClassContents
from tellegen.frontends.modelica.lookup.element_view import ElementView
from tellegen.frontends.modelica.lookup.types import simple_type, type_of
from tellegen.frontends.modelica.python_class import PythonClass, python_class
from tellegen.frontends.modelica.syntax.classes import ClassDefinition
from tellegen.frontends.modelica.syntax.parser import parse
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.frontends.python.components.component import Component
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass

ATTRIBUTES = ("start", "fixed", "min", "max", "nominal", "unit", "displayUnit", "quantity", "stateSelect")
_SHORT = frozenset(("model", "block", "class"))


@dataclass
class _Given:
    """What is given to one element: a value, and values for the elements inside."""

    value: Any = None
    inside: dict[str, _Given] = field(default_factory=dict)


def modified_view(view: ClassView, *values: Mapping[str, Any]) -> ClassView:
    """The class with modifications, later ones on top of earlier ones; the view itself where there are none."""
    given = _Given()
    for mapping in values:
        _gather(mapping, given)
    if not given.inside:
        return view
    name = view.path.rpartition(".")[2]
    kind = view.restriction if view.restriction in _SHORT else "model"
    writer = _Writer()
    arguments = writer.arguments(view, given.inside)
    classes = "".join(f"protected\n{written.text}\n" for written in writer.classes)
    text = f"{kind} {name}\n  extends .{view.path}({arguments});\n{classes}end {name};\n"
    file = SourceFile(f"<{name} as modified>", text, is_of_python=True)
    definition = parse(file).classes[0]
    modified = view.views.view(ClassContents(definition, file, name), view.views.root, InForce())
    for written in writer.classes:
        inner = modified.contents.elements[written.name]
        assert isinstance(inner, ClassDefinition)
        view.views.implement(inner, modified, written.kind)
    return modified


def _gather(values: Mapping[str, Any], given: _Given) -> None:
    """Values by the names of elements: {"a.b": 1} and {"a": {"b": 1}} are the same."""
    for path, value in values.items():
        at = given
        for name in str(path).split("."):
            at = at.inside.setdefault(name, _Given())
        if isinstance(value, Mapping):
            _gather(value, at)
        else:
            at.value = value


class _Writer:
    """Writes modifications as text, and the classes of Python's components that are in it."""

    def __init__(self) -> None:
        self.classes: list[PythonClass] = []

    def arguments(self, view: ClassView | None, given: dict[str, _Given]) -> str:
        return ", ".join(self._argument(view, name, value) for name, value in given.items())

    def _argument(self, view: ClassView | None, name: str, given: _Given) -> str:
        found = view.find(name) if view is not None else None
        inner = type_of(found) if isinstance(found, ElementView) else None
        if isinstance(found, ClassView | ElementView) and _is_python(given.value):
            return self._replaced(found, name, given)
        inside = inner if isinstance(inner, ClassView) else None
        nested = f"({self.arguments(inside, given.inside)})" if given.inside else ""
        if isinstance(found, ClassView):
            return f"redeclare {found.restriction} {name} = {_class_name(given.value, name)}{nested}"
        simple = simple_type(inner) if inner is not None else None
        if isinstance(found, ElementView) and simple is None and _names_class(given.value):
            return f"redeclare {_class_name(given.value, name)} {name}{nested}"
        if given.value is None:
            return f"{name}{nested}"
        is_string = simple is not None and simple.base == "String"
        return f"{name}{nested} = {_literal(given.value, name, is_string)}"

    def _replaced(self, found: ClassView | ElementView, name: str, given: _Given) -> str:
        """A component of Python instead of one of Modelica; the constraining clause sets aside earlier modifiers."""
        own = python_class(given.value, len(self.classes))
        self.classes.append(own)
        nested = f"({self.arguments(None, given.inside)})" if given.inside else ""
        if isinstance(found, ClassView):
            return f"redeclare {found.restriction} {name} = {own.name}{nested}"
        return f"redeclare replaceable {own.name} {name}{nested} constrainedby {own.name}"


def _is_python(value: Any) -> bool:
    return isinstance(value, Component) or (isinstance(value, type) and issubclass(value, Component))


def _names_class(value: Any) -> bool:
    return isinstance(value, str) or hasattr(value, "view")


def _class_name(value: Any, name: str) -> str:
    """The full name of a class that is given by its name or as what `library[...]` returns."""
    path = value if isinstance(value, str) else getattr(getattr(value, "view", None), "path", None)
    if not isinstance(path, str) or not path:
        what = f"'{name}' is a class, which {value!r} cannot replace"
        raise ModelicaError("E594", what, location=here(), advice=f'give a class by its name: {name}="Lib.Other"')
    return f".{path.removeprefix('.')}"


def _literal(value: Any, name: str, is_string: bool) -> str:
    """A Python value as Modelica text; strings are expressions except where a String is wanted."""
    if isinstance(value, str):
        return _quoted(value) if is_string else value
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating) and math.isfinite(value):
        return repr(float(value))
    if isinstance(value, list | tuple | np.ndarray):
        return f"{{{', '.join(_literal(item, name, is_string) for item in value)}}}"
    what = f"'{name}' cannot be {value!r} (a {type(value).__name__})"
    advice = "give a number, True or False, a list of these, or the text of a Modelica expression"
    raise ModelicaError("E594", what, location=here(), advice=advice)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
