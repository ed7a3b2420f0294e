"""Components: classes of parameters, variables, ports, children and equations.

An instance is a light object that holds only what was given to it. Its children and ports come into being when
somebody looks at them; a model of many like instances is traced through one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from tellegen.errors import LanguageError, NotAnArrayError, UnknownNameError, users_call
from tellegen.frontends.python.components.assembly import Assembly
from tellegen.frontends.python.components.connector import Connector
from tellegen.frontends.python.components.implementing import said_of_implementation
from tellegen.frontends.python.components.surroundings import Disabled, Outer, find_outer
from tellegen.frontends.python.declarations.class_info import (
    ClassInfo,
    check_still_declared,
    collect,
    own_first,
    section_of_declaration,
)
from tellegen.frontends.python.declarations.configure import Configurable
from tellegen.frontends.python.declarations.declare import Declaration, ParameterDecl
from tellegen.frontends.python.declarations.describe import describe, describe_html
from tellegen.frontends.python.declarations.leaf import Leaf
from tellegen.frontends.python.declarations.structural import decided, is_count, known_count, known_shape, known_value
from tellegen.frontends.python.expressions.refusal import (
    NotAQuantity,
    check_needs_no_arguments,
    needs_names,
    no_quantity,
    unknown_name,
)
from tellegen.ir.model import Experiment
from tellegen.ir.source_location import SourceLocation, here, mark

_NOTHING: Any = MappingProxyType({})
_put = object.__setattr__


if TYPE_CHECKING:
    of_class = classmethod
else:

    class of_class(classmethod):
        """A method of classes only: of an instance, what was given to it would be lost."""

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return super().__get__(None, owner)
            name = type(instance).__name__
            raise NotAnArrayError(
                "E115",
                f"array(...) of one {name}: the values given to it would be lost",
                location=here(),
                advice=f"make it from the class, with the values: {name}.array(3, ...)",
            )


class Component(Assembly, Configurable, NotAQuantity):
    """Base of all components. Subclasses declare members in the class body and define any of

    `equations()`, `initial_equations()`, `connections()` (generators) and `build()` (structure that depends on
    structural parameters). All of them add up along inheritance.
    """

    _info: ClassInfo = ClassInfo()
    _parent: Any = None
    _name = ""
    _count: Any = None  # number of elements, for an array of components
    _index: Any = None  # the chosen elements, for a view of an array
    _view_of: Any = None
    _condition: Any = None
    _base: Any = _NOTHING  # values that belong to the parent's kind
    _open = False  # may get children from outside (System)
    _mark: tuple[str, int] = ("<unknown>", 0)
    _experiment = Experiment()  # how it is run where nobody says otherwise
    _is_interface = False
    _implements: Any = None  # the interface, of a class that implements one
    _implementation: Any = None  # what it says of itself as an implementation
    _slot: Any = None  # the interface in whose place a component was bound
    _part: Any = None  # the catalogue part that was bound
    _elements: Any = _NOTHING  # elements of arrays in it that were bound alone, by name: "cells[3]"
    _frozen: Any = None  # of a System: what was found when it was frozen (building/frozen_system.py)
    _exchanged: tuple[str, ...] = ()  # children that were bound since then
    _freed: tuple[str, ...] = ()  # variables that are inputs here, without the equations that said what they are
    _kind: Any = None  # of a component that was made from a Model: nothing is left to trace
    _inherited_by: type | None = None  # of a copy that shows a declared part of a base: the class it was read from

    @users_call
    def __init__(self, *unnamed: Any, **values: Any) -> None:
        if unnamed:
            raise needs_names(type(self).__name__, unnamed, own_first(type(self)))
        _put(self, "_mark", mark())  # set directly: an instance without a dict of its own is half the size
        _put(self, "_values", {})
        for name, value in values.items():
            self._configure(name, value)

    @users_call
    def __init_subclass__(cls, implements: Any = None, **kwargs: Any) -> None:
        said = said_of_implementation(cls, kwargs, implements)
        super().__init_subclass__(**kwargs)
        cls._info = collect(cls, Component, _section)
        if said is not None:
            implements._register(cls, said)

    # -- what a subclass may define -----------------------------------------------------------------------------
    def build(self) -> None:
        """Make the structure that depends on structural parameters: assign components, lists, dicts to self."""

    @of_class
    def array(cls, count: object, **values: Any) -> Self:  # noqa: N805 - a classmethod
        """`count` components under one name; a value may be an array with one entry for each."""
        if cls.__init__ is not Component.__init__:
            check_needs_no_arguments(cls)
        out = cls()
        out.__dict__["_count"] = count
        for name, value in values.items():
            out._configure(name, value)
        return out

    def only_if(self, condition: object) -> Self:
        """The component exists only where a structural condition holds."""
        self.__dict__["_condition"] = condition
        return self

    # -- reading members ----------------------------------------------------------------------------------------
    def __set_name__(self, owner: type, name: str) -> None:
        if not self._name:
            self.__dict__["_name"] = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is not None:
            if not self._name:
                check_still_declared(type(instance))
            return instance._child(self._name)
        if owner is None or owner.__dict__.get(self._name) is self:
            return self
        return self._as_inherited_by(owner)

    def _as_inherited_by(self, owner: type) -> Self:
        """What `Derived.part` shows: a copy to read, for the part belongs to the base and all derived from it."""
        copy = self._clone(None, self._name)
        copy.__dict__["_inherited_by"] = owner
        return copy

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        self._materialize()
        if name in self.__dict__:
            return self.__dict__[name]
        if name in self._children:
            return self._child(name)
        if self._dynamic_ports is not None and name in self._dynamic_ports:
            return self._bound_port(self._dynamic_ports[name])
        raise self._unknown(name)

    def _unknown(self, name: str) -> UnknownNameError:
        what = f"'{self._path()}' ({type(self).__name__})" if self._path() else type(self).__name__
        others = dict.fromkeys([*self._children, *self._plain_names()], "")
        return unknown_name(what, name, {**self._info.descriptions(), **others})

    def _no_quantity(self) -> LanguageError:
        members = [*self._info.variables, *self._info.parameters]
        return no_quantity("component", type(self).__name__, self._path() or type(self).__name__, members)

    def _plain_names(self) -> list[str]:
        return [name for name in self.__dict__ if not name.startswith("_")]

    def _member(self, decl: Declaration) -> Any:
        if isinstance(decl, ParameterDecl) and decl.structural:
            return known_value(self, decl)
        if self._building and isinstance(decl, ParameterDecl) and self._axes():
            return decl  # its shape is known where it is used: for one element, or for all of the array
        return self._leaf(decl, decl.name, None)

    def _leaf(self, decl: Declaration, member: str, port_count: int | None) -> Leaf:
        """The symbol of a member, with the axes of all arrays around it."""
        shape = self._shape_of(decl)
        full = shape if port_count is None else (int(port_count), *shape)
        axes = self._axes()
        if not axes:
            return Leaf(self, decl, member, full)
        leaf = Leaf(self, decl, member, (*(count for count, _ in axes), *full))
        for axis in range(len(axes) - 1, -1, -1):  # from the last, so that earlier axes keep their number
            chosen = axes[axis][1]
            if chosen is not None:
                where = np.arange(int(np.prod(leaf.shape))).reshape(leaf.shape)
                leaf = leaf.picked(where[(slice(None),) * axis + (chosen,)])
        return leaf

    def _shape_of(self, decl: Declaration) -> tuple[int, ...]:
        if all(type(n) is int and is_count(n) for n in decl.shape_text):
            return decl.shape_text
        return known_shape(self, decl)

    def _axes(self) -> list[tuple[int, Any]]:
        """Size and chosen elements of each array on the way from the top to this component."""
        if self._parent is None and self._count is None:
            return []
        above = self._parent._axes() if self._parent is not None else []
        return [*above, (self._size(), self._index)] if self._count is not None else above

    def _size(self) -> int:
        """How many elements this array has; its count may be a structural parameter of the component around it."""
        return int(self._count) if self._parent is None else known_count(self._parent, self)

    def _is_array(self) -> bool:
        return self._count is not None and (self._index is None or self._index.ndim > 0)

    def _bound_port(self, port: Connector) -> Any:
        if port._condition is not None and not decided(self, port._condition):
            condition = getattr(port._condition, "name", "")
            return Disabled(f"{self._path()}.{port._name}".lstrip("."), self, condition)
        count = None if port._count is None else known_count(self, port)
        return port._typed(self)._bind(self, port._name, count, None)

    def _child(self, name: str) -> Any:
        if self._view_of is not None:
            return self._view_of._child(name)._seen_from(self)
        child = self._children.get(name)
        if child is None:
            child = self._info.children[name]._clone(self, name)
            self._keep(name, child)
        if isinstance(child, Component) and child._condition is not None and not decided(self, child._condition):
            return Disabled(f"{self._path()}.{name}".lstrip("."))
        return child

    def _find_outer(self, wanted: Outer) -> Any:
        return find_outer(self, wanted)

    # -- arrays of components -------------------------------------------------------------------------------------
    def __len__(self) -> int:
        if not self._is_array():
            what = f"component '{self._path() or type(self).__name__}' is not an array"
            raise NotAnArrayError("E115", what, location=here())
        return self._size() if self._index is None else len(self._index)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return describe(self)

    def _repr_html_(self) -> str:
        return describe_html(self)

    def __iter__(self) -> Iterator[Self]:
        return (self[k] for k in range(len(self)))

    def __getitem__(self, key: Any) -> Self:
        if not self._is_array():
            raise LanguageError("E115", f"component '{self._path()}' is not an array", location=here())
        index = np.arange(self._size()) if self._index is None else self._index
        try:
            chosen = np.asarray(index[key])
        except IndexError:
            raise LanguageError(
                "E115",
                f"'{self._path()}' has {len(index)} elements, so there is no [{key}]",
                location=here(),
                advice="indices start at 0",
            ) from None
        view = self._seen_from(self._parent)
        view.__dict__["_index"] = chosen
        return view

    def _seen_from(self, parent: object) -> Self:
        """A view of this component (or of the elements of this array) below another view."""
        view = object.__new__(type(self))
        view.__dict__.update(self.__dict__)
        view.__dict__.update(_parent=parent, _view_of=self if self._view_of is None else self._view_of)
        return view

    def _path(self) -> str:
        """The dotted path from the top of the tree."""
        if self._parent is None:
            return ""
        above = self._parent._path()
        name = self._name
        if self._index is not None:
            name += f"[{int(self._index)}]" if self._index.ndim == 0 else "[...]"
        return f"{above}.{name}" if above else name

    @property
    def _location(self) -> SourceLocation:
        return SourceLocation(*self._mark)


def _section(value: object) -> str | None:
    if isinstance(value, Connector):
        return "ports"
    if isinstance(value, Component):
        return "children"
    if isinstance(value, Outer):
        return "outers"
    return section_of_declaration(value)
