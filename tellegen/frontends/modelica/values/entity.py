"""What a name stands for before it is read: a component, a variable, an array of them, a package constant.

    r.v[2]      scope.first("r").member("v").index((1,)).value()

`instances/` makes the entities of a model, `evaluation/` those of packages and functions. An entity that is a whole
component (no record) has no value; asking for it is an EvaluationError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tellegen.frontends.modelica.values.value import Value

if TYPE_CHECKING:
    from tellegen.frontends.modelica.lookup.class_view import ClassView

Subscript = int | slice | list[int]
"""Positions counted from 0: one, all (`slice(None)`), or several."""


class Entity:
    """Base of everything a reference can name."""

    __slots__ = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of its dimensions, known without computing values."""
        raise NotImplementedError

    def member(self, name: str) -> Entity | Value | ClassView | None:
        """The element of that name, of an array of components the array of their elements; None if there is none.

        A class declared in the component's class is returned as its view (functions are called through components)."""
        raise NotImplementedError

    @property
    def is_element(self) -> bool:
        """Whether it is one of an array of components."""
        return False

    def index(self, subscripts: tuple[Subscript, ...]) -> Entity | Value:
        """The elements at these positions; subscripts are as many as dimensions, or fewer."""
        raise NotImplementedError

    def value(self) -> Value:
        """What it evaluates to now."""
        raise NotImplementedError

    def index_type(self, dimension: int) -> Any:
        """The enumeration, or Boolean, that a dimension has one element for each value of; None of all others."""
        _ = dimension
        return None

    def is_conditional(self, seen_from: Any) -> bool:
        """Whether it, or a component around it inside of `seen_from`, is declared with a condition."""
        _ = seen_from
        return False

    @property
    def may_be_connected(self) -> bool:
        """Whether it is a connector, or an array of what may be one."""
        return True

    def scope_for(self, view: ClassView) -> Any:
        """The scope of names written in `view` seen from this component, or None to use the caller's."""
        _ = view
        return None
