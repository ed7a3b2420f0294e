"""Leaf: a parameter or variable of an instance, as equations see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.frontends.python.declarations.declare import Declaration
from tellegen.frontends.python.expressions.notation import shown_index
from tellegen.frontends.python.expressions.refusal import NamedAttributes
from tellegen.frontends.python.expressions.symbol import Shape, Symbol

if TYPE_CHECKING:
    from tellegen.frontends.python.components.component import Component


class Leaf(NamedAttributes, Symbol):
    """A parameter or variable of an instance, or some of its elements.

    `member` is the name below the owner (`p.v`); `chosen` numbers the elements, counted over the whole shape the
    owner's place in arrays and the declaration give together.
    """

    __slots__ = ("chosen", "decl", "full", "member", "owner")
    __hash__ = object.__hash__  # keys of tg.invariant(gap, {state: derivative}); == still makes equations

    def __init__(self, owner: Component, decl: Declaration, member: str, full: Shape) -> None:
        super().__init__("leaf", (), full)
        self.owner = owner
        self.decl = decl
        self.member = member
        self.full = full
        self.chosen: np.ndarray[Any, Any] | None = None

    def picked(self, chosen: np.ndarray[Any, Any]) -> Leaf:
        """The elements numbered `chosen`."""
        out = Leaf(self.owner, self.decl, self.member, self.full)
        out.shape = chosen.shape
        out.chosen = chosen if self.chosen is None else self.chosen.ravel()[chosen]
        return out

    def label(self) -> str:
        """The path from the top of the tree this leaf is in."""
        path = self.owner._path()
        name = f"{path}.{self.member}" if path else self.member
        if self.chosen is None:
            return name
        return f"{name}[{shown_index(self.chosen) if len(self.full) == 1 else '...'}]"

    def _set(self, attribute: str, value: object) -> None:
        self.owner._set_attribute(self, attribute, value)

    def _get(self, attribute: str) -> Any:
        return self.owner._get_attribute(self, attribute)

    start = property(lambda self: self._get("start"), lambda self, value: self._set("start", value))
    fixed = property(lambda self: self._get("fixed"), lambda self, value: self._set("fixed", value))
    nominal = property(lambda self: self._get("nominal"), lambda self, value: self._set("nominal", value))
    min = property(lambda self: self._get("min"), lambda self, value: self._set("min", value))
    max = property(lambda self: self._get("max"), lambda self, value: self._set("max", value))
