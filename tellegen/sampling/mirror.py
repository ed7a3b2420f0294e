"""The members of a model under the same names in another component, whatever part of it they belong to.

    cascade.speed.Ti (parameter)        a part `speed` of the new component with a parameter Ti
    cascade.speed.x (state)             a discrete variable speed_x, which is also the input x of that part

Parts of the new component have no equations: they hold the members, so that paths in runs, plots and parameters= are
those of the model they come from.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg
from tellegen.errors import NotSampledError
from tellegen.frontends.python.declarations.declare import ParameterDecl, VariableDecl
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass


@dataclass(frozen=True)
class Place:
    """A scalar of a component: the part it belongs to, the member, and its element where that is an array."""

    path: tuple[str, ...]
    name: str
    element: tuple[int, ...] = ()

    def symbol(self, component: Any) -> Any:
        """What stands for it in equations of the component."""
        for part in self.path:
            component = getattr(component, part)
        return self._element(getattr(component, self.name))

    def declared(self, body: dict[str, Any]) -> Any:
        """What stands for it in the body of a class."""
        if not self.path:
            return self._element(body[self.name])
        return Place(self.path[1:], self.name, self.element).symbol(body[self.path[0]])

    def _element(self, found: Any) -> Any:
        for index in self.element:
            found = found[index]
        return found


class Mirror:
    """Declarations for the members of a FlatModel, gathered one by one."""

    def __init__(self, flat: FlatModel) -> None:
        self.flat = flat
        self.members: dict[tuple[str, ...], dict[str, Any]] = {(): {}}
        self.shown: dict[Place, Place] = {}  # in a part -> of the whole, where it is assigned

    def parameter(self, index: int, values: FloatArray) -> Place:
        """A parameter with its value in the model."""
        place, member, first = self._locate(self.flat.parameters, index)
        if self._is_new(place):
            numbers = np.asarray(member.unit.from_si(values[first : first + member.size]), float)
            value = numbers.reshape(member.shape) if member.shape else float(numbers[0])
            bounds = tuple(member.attributes.get(bound) for bound in ("min", "max"))
            limits = tuple(None if bound is None else member.unit.from_si(bound) for bound in bounds)
            declared = ParameterDecl(
                value, None, member.description, structural=False, bounds=(limits[0], limits[1]), shape=member.shape
            )
            self._put(place, declared, member)
        return place

    def variable(self, index: int, start: FloatArray | None = None, default: float | None = None) -> Place:
        """A variable: inputs and outputs as such, all others discrete; numbers are in SI units."""
        inside, member, first = self._locate(self.flat.variables, index)
        place = Place((), "_".join((*inside.path, inside.name)), inside.element)
        if self._is_new(place):
            attributes: dict[str, Any] = {}
            if start is not None and (member.role != "input" or inside.path):
                numbers = np.asarray(member.unit.from_si(start[first : first + member.size]), float)
                attributes["start"] = numbers.reshape(member.shape) if member.shape else float(numbers[0])
            if default is not None:
                attributes["default"] = float(member.unit.from_si(default))
            role = member.role if member.role in ("input", "output") and not inside.path else "local"
            kind = {"discrete": True} if role == "local" else {}
            self._put(place, VariableDecl(None, member.description, member.shape, role, attributes, **kind), member)
            if inside.path:
                self._show(Place((), place.name), Place(inside.path, inside.name), member)
        return place

    def _show(self, place: Place, inside: Place, member: Any) -> None:
        """A variable of a part is assigned by the whole, so there it is an input."""
        self.members.setdefault(inside.path, {})
        self._put(inside, VariableDecl(None, member.description, member.shape, "input", {}), member)
        self.shown[inside] = place

    def add(self, name: str, declared: Any) -> Place:
        """A member of the new component itself."""
        if name in self.members[()]:
            what = f"two members of the component would be called '{name}'"
            raise NotSampledError("E684", what, location=here(), advice="give one of them another name in the model")
        self.members[()][name] = declared
        return Place((), name)

    def new(self, place: Place, name: str, **how: Any) -> Place:
        """A discrete variable beside another member, under a name that is still free."""
        held = self.members.setdefault(place.path, {})
        while name in held:
            name += "_"
        held[name] = tg.variable(discrete=True, **how)
        return Place(place.path, name)

    def body(self, path: tuple[str, ...] = ()) -> dict[str, Any]:
        """The body of a class with all members declared so far, of the whole or of a part."""
        parts = dict.fromkeys(other[len(path)] for other in self.members if other[: len(path)] == path != other)
        held = {part: type(part, (tg.Component,), self.body((*path, part)))() for part in parts}
        return {**self.members.get(path, {}), **held}

    def _locate(self, table: Any, index: int) -> tuple[Place, Any, int]:
        node, _, instance, element = table.locate(index)
        member = table.declaration(index)
        path = table.tree.path(node, instance)
        parts = tuple(path.split(".")) if path else ()
        odd = next((part for part in (*parts, *member.name.split(".")) if not part.isidentifier()), None)
        if odd is not None or member.array >= 0:
            what = f"'{table.name(index)}' belongs to an array of components or connectors"
            advice = "give the controller arrays of numbers instead: tg.variable(shape=3)"
            raise NotSampledError("E684", what, location=here(), advice=advice)
        *inner, name = member.name.split(".")
        where = tuple(int(k) for k in np.unravel_index(element, member.shape)) if member.shape else ()
        return Place((*parts, *inner), name, where), member, index - element

    def _is_new(self, place: Place) -> bool:
        return place.name not in self.members.setdefault(place.path, {})

    def _put(self, place: Place, declared: Any, member: Any) -> None:
        declared.unit = member.unit
        declared.location = member.location
        self.members[place.path][place.name] = declared
