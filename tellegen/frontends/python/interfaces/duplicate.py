"""A copy of a component with all it contains, so that a binding leaves the system it was made from untouched."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from tellegen.frontends.python.components.component import Component
from tellegen.frontends.python.components.connector import Connector
from tellegen.frontends.python.components.system import Connected
from tellegen.frontends.python.declarations.declare import has_symbols
from tellegen.frontends.python.declarations.leaf import Leaf
from tellegen.frontends.python.expressions.symbol import Operation, Symbol
from tellegen.start.garbage_collection import collection_paused


def duplicate(root: Any) -> Any:
    """The component again, as a component of its own: the same values, children, connections and equations."""
    copies: dict[int, Any] = {}
    holders: list[Any] = []
    with collection_paused():
        new = _shell(root, None, copies, holders)
        new.__dict__["_name"] = ""
        relink = Relink(copies)
        for copy in holders:
            relink.component(copy)
    return new


_PLAIN = 4  # entries of a component that was made and added to another: _mark, _values, _parent, _name


def _shell(old: Any, parent: Any, copies: dict[int, Any], holders: list[Any]) -> Any:
    """The tree of components, each with what its original holds; `holders` of it may refer to other components."""
    new = object.__new__(type(old))
    state = new.__dict__
    state.update(old.__dict__)
    state["_parent"] = parent
    copies[id(old)] = new
    holders.append(new)
    if old._children:
        state["_children"] = children = {}
        for name, child in old._children.items():
            given = child.__dict__
            if len(given) == _PLAIN and "_mark" in given and "_values" in given and "_name" in given:
                for value in given["_values"].values():
                    if type(value) is not float:
                        break
                else:  # thousands of these in a row are frequent: nothing in them refers to others
                    children[name] = twin = object.__new__(type(child))
                    held = twin.__dict__
                    held.update(given)
                    held["_parent"] = new
                    held["_values"] = given["_values"].copy()
                    continue
            children[name] = _shell(child, new, copies, holders)
    if old._elements:
        state["_elements"] = {name: _shell(element, new, copies, holders) for name, element in old._elements.items()}
    return new


_GIVEN = ("_values", "_base", "_own", "_values_before", "_values_chosen")


class Relink:
    """Makes what a copy holds refer to copies, wherever its original referred to originals."""

    def __init__(self, copies: dict[int, Any]) -> None:
        self.copies = copies

    def component(self, copy: Any) -> None:
        """The values, connections and equations of one copy."""
        state = copy.__dict__
        for key in _GIVEN:
            if key in state:
                given = state[key]
                state[key] = {name: v if type(v) is float else self.value(v) for name, v in given.items()}
        if "_joined" in state:
            by_names = copy._is_joined_by_names
            state["_joined"] = [*copy._joined] if by_names else [self._connected(one) for one in copy._joined]
            state["_written"] = [(self.value(statement), location) for statement, location in copy._written]
        if copy._dynamic_ports is not None:
            state["_dynamic_ports"] = dict(copy._dynamic_ports)
        if copy._built or copy._open:
            for name in [name for name in state if not name.startswith("_")]:
                state[name] = self.value(state[name])

    def _connected(self, one: Connected) -> Connected:
        return Connected(tuple(end if type(end) is tuple else self.value(end) for end in one.ends), one.mark)

    def value(self, value: Any) -> Any:
        """A value that may name components, ports or quantities."""
        if isinstance(value, Symbol):
            return self.symbol(value)
        if isinstance(value, Component):
            return self._component(value)
        if isinstance(value, Connector) and value._component is not None:
            port = object.__new__(type(value))
            port.__dict__.update(value.__dict__, _component=self._component(value._component))
            return port
        if isinstance(value, (list, tuple)) and (has_symbols(value) or any(map(_may_refer, value))):
            return type(value)(map(self.value, value))
        if isinstance(value, dict) and any(map(_may_refer, value.values())):
            return {key: self.value(item) for key, item in value.items()}
        if is_dataclass(value) and not isinstance(value, type):  # a statement: when, reinit, assert_
            return replace(value, **{one.name: self.value(getattr(value, one.name)) for one in fields(value)})
        return value

    def _component(self, component: Any) -> Any:
        """The copy of a component; a view of elements of an array becomes a view of the copy.

        A plain child is found by its name; so is the one that another was exchanged for.
        """
        own = self.copies.get(id(component))
        if own is not None:
            return own
        if component._view_of is None:
            parent: Any = component._parent if component._parent is None else self._component(component._parent)
            return component if parent is component._parent else parent._children.get(component._name, component)
        array = self._component(component._view_of)
        if array is component._view_of:
            return component  # of another model
        view = object.__new__(type(component))
        view.__dict__.update(component.__dict__, _view_of=array)
        if component._parent is not None:
            view.__dict__["_parent"] = self._component(component._parent)
        return view

    def symbol(self, root: Symbol) -> Symbol:
        """An expression whose members belong to copies; without recursion, because sums can be long."""
        done: dict[int, Symbol] = {}
        stack = [root]
        while stack:
            node = stack[-1]
            waiting = [arg for arg in node.args if id(arg) not in done]
            if waiting:
                stack.extend(waiting)
                continue
            done[id(node)] = self._node(node, tuple(done[id(arg)] for arg in node.args))
            stack.pop()
        return done[id(root)]

    def _node(self, node: Symbol, args: tuple[Symbol, ...]) -> Symbol:
        if isinstance(node, Leaf):
            leaf = Leaf(self._component(node.owner), node.decl, node.member, node.full)
            leaf.shape = node.shape
            leaf.chosen = node.chosen
            return leaf
        return Operation(node.op, args, node.shape, node.extra) if args else node


def _may_refer(value: object) -> bool:
    return isinstance(value, (Component, Connector, Symbol, list, tuple, dict)) or is_dataclass(value)
