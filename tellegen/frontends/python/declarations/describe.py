"""Components in one line, for the prompt, debuggers and notebooks: `<Resistor r: R=3 ohm>`."""

from __future__ import annotations

import enum
from types import FunctionType
from typing import Any

import numpy as np

from tellegen.frontends.python.declarations.declare import Declaration
from tellegen.sheet import Table, page_html

MOST = 8  # members shown


def describe(component: Any) -> str:
    """Class, path, the parameters that were given and the names of children. Nothing is built or evaluated for it."""
    fields = vars(component)
    info = component._info
    given = {**component._base, **fields.get("_values", {})}
    parts = [
        f"{name}={value_text(given[name], decl)}"
        for name, decl in {**info.structural, **info.parameters}.items()
        if name in given
    ]
    parts += [_child_text(name, child) for name, child in _children(component).items()]
    if len(parts) > MOST:
        parts = [*parts[:MOST], "..."]
    name = component._path() or component._name
    count = component._count
    if count is not None and component._index is None:
        name += f"[{count}]" if isinstance(count, int) else "[...]"
    head = f"{type(component).__name__} {name}".rstrip()
    return f"<{head}: {', '.join(parts)}>" if parts else f"<{head}>"


def describe_html(component: Any) -> str:
    """For notebooks: parameters with their values, and the components inside. Nothing is built or evaluated for it."""
    info = component._info
    given = {**component._base, **vars(component).get("_values", {})}
    rows = [
        (name, value_text(given.get(name, decl.value), decl), decl.description)
        for name, decl in {**info.structural, **info.parameters}.items()
    ]
    parts = [(name, _class_text(child)) for name, child in _children(component).items()]
    title = describe(component)[1:-1].partition(":")[0]
    tables = [Table(("parameter", "value", "description"), rows), Table(("component", "class"), parts)]
    return page_html(title, [component.__doc__ or "", *(table for table in tables if table.rows)])


def _children(component: Any) -> dict[str, Any]:
    """All children, those of this instance in the place of declared ones."""
    return {**component._info.children, **(vars(component).get("_children") or {})}


def _child_text(name: str, child: Any) -> str:
    """The name of a child, and what was bound to it if it is an interface."""
    is_bound = child._replaced and child._implements is not None
    return f"{name}={_class_text(child)}" if is_bound else name


def _class_text(child: Any) -> str:
    """`Maxon118746`, the part; or the implementation by its name; or the class."""
    if child._part is not None:
        return f"{child._part.name} ({type(child).__name__})"
    said = type(child)._implementation
    return said.name if child._replaced and said is not None else type(child).__name__


def read_by(function: FunctionType) -> str:
    """What a function of the component reads: `medium.n_X` of `lambda self: self.medium.n_X`."""
    return ".".join(function.__code__.co_names)


def value_text(value: object, decl: Declaration) -> str:
    """A value as its user would write it: a number with the declared unit, a text or an expression as it is."""
    if value is None:
        return "?"
    if isinstance(value, FunctionType):
        return read_by(value)
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, (bool, np.bool_)):
        return str(value)
    if isinstance(value, (int, float, np.integer, np.floating)):
        number = f"{value:.10g}"
    elif isinstance(value, (list, tuple, np.ndarray)):
        number = np.array2string(np.asarray(value, dtype=object), separator=", ", threshold=6, edgeitems=2)
    else:
        return str(value)
    unit = decl.unit.text
    return f"{number} {unit}" if unit and unit != "1" else number
