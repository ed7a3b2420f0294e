"""A copy of a model for its inverse: what drove it is open, small terms are gone, start values bind nobody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tellegen.errors import DesignError
from tellegen.frontends.python.building.freed_variables import freed_class
from tellegen.frontends.python.building.from_model import component_class
from tellegen.frontends.python.components.component import Component
from tellegen.frontends.python.declarations.declare import ParameterDecl
from tellegen.frontends.python.declarations.leaf import Leaf
from tellegen.frontends.python.interfaces.duplicate import duplicate
from tellegen.inversion.plant_members import owner_at
from tellegen.ir.model import Model
from tellegen.ir.source_location import here


def released(model: Any, find: Sequence[str], simplify: Mapping[str, Any]) -> Component:
    """See the top of this file."""
    plant = _copied(model)
    for path, value in simplify.items():
        _simplify(plant, path, value)
    for path in find:
        _free(plant, path)
    for component in _parts(plant):
        _loosen(component)
    return plant


def _copied(model: Any) -> Component:
    if isinstance(model, Component):
        return duplicate(model)
    if not isinstance(model, Model):
        model = getattr(model, "model", model)
    return component_class(model)()


def _free(plant: Component, path: str) -> None:
    owner, name, found = owner_at(plant, path)
    if not isinstance(found, Leaf) or not isinstance(owner, Component) or found.shape:
        advice = "name what drives the model: an input of it, or the voltage, force or signal of a source"
        what = f"'{path}' is not a scalar variable of a component, so an inverse model cannot find it"
        raise DesignError("E681", what, location=here(), advice=advice)
    if found.decl.role != "input":  # pyright: ignore[reportAttributeAccessIssue]
        _change_class(owner, freed_class(type(owner), name), path)


def _simplify(plant: Component, path: str, value: Any) -> None:
    """A parameter becomes a number that equations are written with: terms with a zero vanish."""
    owner, name, _ = owner_at(plant, path)
    declared = owner._info.parameters.get(name) if isinstance(owner, Component) else None
    if declared is None or declared.shape_text != ():
        what = f"'{path}' is not a parameter, so it cannot be simplified"
        raise DesignError("E681", what, location=here(), advice='give numbers for parameters: {"motor.L": 0}')
    number = float(declared.convert(value, f"'{path}'", here()))
    fixed = ParameterDecl(number, None, declared.description, structural=True, bounds=(None, None), shape=())
    cls = type(owner)
    body = {name: fixed, "__doc__": cls.__doc__, "__module__": cls.__module__}
    _change_class(owner, type(cls.__name__, (cls,), body), path)
    for given in ("_values", "_base", "_own"):
        owner.__dict__[given] = {key: number for key, number in getattr(owner, given).items() if key != name}


def _change_class(owner: Component, cls: Any, path: str) -> None:
    if owner._kind is not None or owner._count is not None or owner._view_of is not None or owner._open:
        what = f"'{path}' belongs to an array, a System or a class of another language, which stay as they are"
        advice = "connect an input of the model to it, and name that"
        raise DesignError("E681", what, location=here(), advice=advice)
    object.__setattr__(owner, "__class__", cls)  # components take all other attributes as their own
    if owner._parent is not None:
        owner.__dict__["_replaced"] = True


def _parts(component: Component) -> Iterator[Component]:
    """A component and all that it consists of."""
    yield component
    component._materialize()
    for name in dict.fromkeys((*component._info.children, *component._children)):
        child = component._child(name) if name in component._info.children else component._children[name]
        if isinstance(child, Component) and child._kind is None:
            yield from _parts(child)


def _loosen(component: Component) -> None:
    """The reference decides now what the states are at the start; what it leaves open begins at its start value."""
    for name, declared in component._info.variables.items():
        key = f"{name}:fixed"
        for given in (component._values, component._base, component._own):
            if key in given:
                is_fixed = bool(given[key])
                break
        else:
            is_fixed = bool(declared.attributes.get("fixed"))
        if is_fixed:
            component._values[key] = False
