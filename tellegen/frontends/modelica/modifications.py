"""Modifications given from Python: a class that extends another one with them.

    modified_view(motor, {"R": 2.0, "load.J": 0.1, "medium": Water})

    model Motor
      extends Lib.Motor(R=2.0, load(J=0.1), redeclare package medium = Lib.Water);
    end Motor;

The text is parsed like any other, so mistakes are reported with the line that they stand in.
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
from tellegen.frontends.modelica.syntax.parser import parse
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass

ATTRIBUTES = ("start", "fixed", "min", "max", "nominal", "unit", "displayUnit", "quantity", "stateSelect")
_SHORT = frozenset(("model", "block", "class"))


@dataclass
class _Given:
    """What is given to one element: a value, and values for the elements inside."""

    value: Any = None
    inside: dict[str, _Given] = field(default_factory=dict)


def modified_view(view: ClassView, values: Mapping[str, Any]) -> ClassView:
    """The class with modifications; the view itself where there are none."""
    if not values:
        return view
    name = view.path.rpartition(".")[2]
    kind = view.restriction if view.restriction in _SHORT else "model"
    arguments = _arguments(view, _nested(values))
    text = f"{kind} {name}\n  extends .{view.path}({arguments});\nend {name};\n"
    file = SourceFile(f"<{name} as modified>", text)
    definition = parse(file).classes[0]
    return view.views.view(ClassContents(definition, file, name), view.views.root, InForce())


def _nested(values: Mapping[str, Any]) -> dict[str, _Given]:
    """Values by the names of elements: {"a.b": 1} and {"a": {"b": 1}} are the same."""
    root = _Given()
    for path, value in values.items():
        at = root
        for name in str(path).split("."):
            at = at.inside.setdefault(name, _Given())
        if isinstance(value, Mapping):
            for name, given in _nested(value).items():
                at.inside[name] = given
        else:
            at.value = value
    return root.inside


def _arguments(view: ClassView | None, given: dict[str, _Given]) -> str:
    return ", ".join(_argument(view, name, value) for name, value in given.items())


def _argument(view: ClassView | None, name: str, given: _Given) -> str:
    found = view.find(name) if view is not None else None
    inner = type_of(found) if isinstance(found, ElementView) else None
    inside = inner if isinstance(inner, ClassView) else None
    nested = f"({_arguments(inside, given.inside)})" if given.inside else ""
    if isinstance(found, ClassView):
        return f"redeclare {found.restriction} {name} = {_class_name(given.value, name)}{nested}"
    simple = simple_type(inner) if inner is not None else None
    if isinstance(found, ElementView) and simple is None and _names_class(given.value):
        return f"redeclare {_class_name(given.value, name)} {name}{nested}"
    if given.value is None:
        return f"{name}{nested}"
    is_string = simple is not None and simple.base == "String"
    return f"{name}{nested} = {_literal(given.value, name, is_string)}"


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
