"""tg.bind: another component, with implementations in the place of its interfaces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from tellegen.errors import BindingError, nearest, users_call
from tellegen.frontends.python.components.component import Component
from tellegen.frontends.python.interfaces.choice import Choice, chosen, needed_default
from tellegen.frontends.python.interfaces.duplicate import duplicate
from tellegen.frontends.python.interfaces.interface import default_of
from tellegen.ir.model import BoundPart, Model
from tellegen.ir.source_location import here

_MADE_BY_BUILD = ("_children", "_dynamic_ports", "_own", "_built")


@users_call
def bind(system: Any, choices: Mapping[str, Any]) -> Any:
    """A copy of a system with implementations bound to its interfaces; the system itself stays as it is.

    A path leads to an interface at any depth, also inside what another choice brings in ("controller.pwm"); "cells" is
    a whole array. A choice is the name of an implementation, its class, a component of it with values, or a catalogue
    part.
    """
    if not isinstance(system, Component):
        is_model = isinstance(system, Model)
        what = f"tg.bind needs a component, not {f'the Model {system.name}' if is_model else repr(system)}"
        advice = 'tg.read_markup(path, bind={"motor": "ideal"})' if is_model else 'tg.bind(Drive(), {"motor": "ideal"})'
        raise BindingError("E803", what, location=here(), advice=advice)
    bound = duplicate(system)
    for path in sorted(choices, key=lambda path: path.count(".")):
        _bind_one(bound, path, choices[path])
    bound.__dict__["_exchanged"] = (*bound._exchanged, *(path.partition(".")[0] for path in choices))
    return bound


def _bind_one(root: Any, path: str, given: Any) -> None:
    *above, name = path.split(".")
    parent = root
    for step in above:
        child = _part(root, parent, step, path)
        if child._is_interface or child._view_of is not None:  # what stands inside its implementation is meant
            child = bound_to(child, Choice(model_of(child)))
            _put(parent, step, child)
        parent = child
    child = _part(root, parent, name, path)
    slot = slot_of(child)
    if slot is None:
        raise BindingError(
            "E803",
            f"'{path}' is of class {type(child).__name__}, not an interface, so nothing can be bound to it",
            location=here(),
            advice=_interfaces_text(root),
        )
    _put(parent, name, bound_to(child, chosen(slot, given, path)))


def _put(parent: Any, name: str, child: Any) -> None:
    """Put a component in the place of a child, or of an element of an array."""
    if name in parent._children or name in parent._info.children:
        kept = {own: element for own, element in parent._elements.items() if own.rpartition("[")[0] != name}
        parent.__dict__["_elements"] = kept  # all elements are meant, also those that were bound alone
        parent._exchange(name, child)
        return
    child.__dict__.update(_name=name, _parent=parent, _count=None, _index=None, _view_of=None)
    parent.__dict__["_elements"] = {**parent._elements, name: child}


def _part(root: Any, parent: Any, name: str, path: str) -> Any:
    parent._materialize()
    if name in parent._children or name in parent._info.children:
        return parent._child(name)
    known = dict.fromkeys([*parent._info.children, *parent._children])
    array, bracket, _ = name.partition("[")
    if name in parent._elements:
        return parent._elements[name]
    if bracket and array in known and parent._child(array)._count is not None:
        return _element(parent._child(array), name, path)
    where = f"'{parent._path()}' ({type(parent).__name__})" if parent._parent is not None else type(root).__name__
    raise BindingError(
        "E803",
        f"there is no part '{name}' in {where}, so '{path}' cannot be bound; {nearest(name, known)}",
        location=here(),
        advice=_interfaces_text(root),
    )


def _element(array: Any, name: str, path: str) -> Any:
    """A view of an element of an array, without the values that were given to all of them."""
    index = name.rstrip("]").rpartition("[")[2]
    count = array._size()
    if not index.isdecimal() or int(index) >= count:
        raise BindingError(
            "E803",
            f"'{path}' cannot be bound: '{array._name}' has {count} elements",
            location=here(),
            advice=f"elements are numbered from 0: {array._name}[0] ... {array._name}[{count - 1}]",
        )
    if array._part is not None:
        raise BindingError(
            "E803",
            f"'{path}' cannot be bound: the part '{array._part.name}' is bound to all of '{array._name}'",
            location=here(),
            advice=f"bind '{array._name}' to an implementation, and its elements to parts",
        )
    view = array[int(index)]
    view.__dict__.update(_values={}, _base={}, _levels={})
    return view


def slot_of(component: Any) -> Any:
    """The interface that a component stands for or was bound to; None for other components."""
    if component._slot is not None:
        return component._slot
    return type(component) if component._is_interface else component._implements


def slot_at(root: Any, path: str) -> Any:
    """The interface at a path, also inside default implementations; None where there is no interface."""
    component = root
    for name in path.split("."):
        if component._is_interface and default_of(type(component)) is None:
            return None
        component = concrete(component)
        component._materialize()
        array, bracket, _ = name.partition("[")
        if name in component._elements:
            component = component._elements[name]
        elif name in {*component._info.children, *component._children}:
            component = component._child(name)
        elif bracket and array in {*component._info.children, *component._children}:
            component = component._child(array)
            if component._count is None:
                return None
        else:
            return None
    return slot_of(component)


def concrete(component: Any) -> Any:
    """The component, or its default implementation if it is an interface; E800 if that has none."""
    return stand_in(component, model_of(component)) if component._is_interface else component


def model_of(component: Any) -> Any:
    """The class of a component, or of the default implementation of an interface; E800 if that has none."""
    if not component._is_interface:
        return type(component)
    return needed_default(type(component), component)


def stand_in(component: Any, model: Any) -> Any:
    """The component as one of another class: its place and its values as far as the class has their members."""
    new = object.__new__(model)
    state = new.__dict__
    state.update((key, value) for key, value in component.__dict__.items() if key.startswith("_"))
    for key in _MADE_BY_BUILD:
        state.pop(key, None)
    known = model._info.order
    for key in ("_values", "_base", "_levels"):
        if key in state:
            state[key] = {name: value for name, value in state[key].items() if name.partition(":")[0] in known}
    state["_slot"] = slot_of(component)
    return new


def bound_to(component: Any, choice: Choice) -> Any:
    """The component that a choice puts in the place of another one.

    A name or a class changes the model of a part and keeps its values; another part, or a component with values of its
    own, begins with the values that the system gives.
    """
    if choice.example is None and choice.part is None:
        new = stand_in(component, choice.model)
        new.__dict__["_replaced"] = True
        return new
    before = _own_values(component)
    new = stand_in(component, choice.model)
    known = choice.model._info.order
    new.__dict__["_values"] = {name: value for name, value in before.items() if name.partition(":")[0] in known}
    if choice.example is None:
        for name, value in choice.values.items():
            new._configure(name, value)
    else:
        place = {key: value for key, value in new.__dict__.items() if key != "_values"}
        values = {**new._values, **choice.values}
        new = duplicate(choice.example)
        new.__dict__.update(place, _values=values)
    by_choice = {name: new._values[name] for name in choice.values if name in new._values}
    new.__dict__.update(_replaced=True, _part=choice.part, _values_before=before, _values_chosen=by_choice)
    return new


def _own_values(component: Any) -> dict[str, Any]:
    """The values that the system gives to a component, without those of the choice that is bound to it."""
    by_choice = component.__dict__.get("_values_chosen", {})
    before = component.__dict__.get("_values_before", {})
    given = component._values.items()
    since = {name: value for name, value in given if name not in by_choice or not _is_same(value, by_choice[name])}
    return {**before, **since}


def _is_same(value: Any, other: Any) -> bool:
    """Whether a value is the one that was chosen; == of symbols would be an equation."""
    return value is other or (isinstance(value, (int, float, str)) and type(value) is type(other) and value == other)


def bound_parts(component: Any, above: str = "") -> Iterator[tuple[str, BoundPart]]:
    """The catalogue parts that were bound, with their paths."""
    for name, child in (*component._children.items(), *component._elements.items()):
        if child._part is not None:
            yield f"{above}{name}", child._part
        if child._children or child._elements:
            yield from bound_parts(child, f"{above}{name}.")


def slots(component: Any, above: str = "") -> Iterator[tuple[str, Any]]:
    """Paths and interfaces of the parts that an implementation can be bound to, without looking into these."""
    component._materialize()
    for name in dict.fromkeys([*component._info.children, *component._children]):
        child = component._child(name)
        if not isinstance(child, Component):  # switched off
            continue
        path = f"{above}{name}"
        if slot_of(child) is not None:
            yield path, slot_of(child)
        if not child._is_interface:
            yield from slots(child, f"{path}.")


def _interfaces_text(root: Any) -> str:
    found = [path for path, _ in islice(slots(root), 13)]
    if not found:
        return f"{type(root).__name__} contains no interfaces"
    return f"the interfaces here are: {', '.join(found[:12])}{', ...' if len(found) > 12 else ''}"
