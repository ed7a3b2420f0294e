"""Subtyping: whether one interface may stand where another is asked for, and why not."""

from __future__ import annotations

from typing import Any

from tellegen.errors import BindingError, users_call
from tellegen.frontends.python.interfaces.conformance import differences, tokens
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass


@dataclass(frozen=True)
class Subtyping:
    """The answer of tg.subtype: true or false, and in words what is missing."""

    given: str
    wanted: str
    missing: tuple[str, ...]

    def __bool__(self) -> bool:
        return not self.missing

    def __str__(self) -> str:
        if not self.missing:
            return f"{self.given} is a subtype of {self.wanted}"
        return "\n".join([f"{self.given} is not a subtype of {self.wanted}:", *(f"  {one}" for one in self.missing)])

    __repr__ = __str__


@users_call
def subtype(given: Any, wanted: Any) -> Subtyping:
    """Whether the interface `given` is a subtype of `wanted`; of an implementation or a component its interface counts.

    A subtype has all ports, signals and parameters of the other interface, of the same types and with the same
    semantics tokens, and possibly more; or it derives from the other one. Equal ports alone say nothing about the
    family: if `wanted` gives no parameter a token, only interfaces derived from it, and their subtypes, are its
    subtypes. The relation is reflexive and transitive.
    """
    a = interface_of(given)
    b = interface_of(wanted)
    if issubclass(a, b) or any(tokens(family) and not differences(a, family) for family in (b, *b.subtypes)):
        return Subtyping(a.__name__, b.__name__, ())
    missing = differences(a, b)
    if not missing:
        missing = [
            f"it has the same ports, but {b.__name__} gives no parameter a semantics token: "
            "only interfaces derived from it are of its family"
        ]
    return Subtyping(a.__name__, b.__name__, tuple(missing))


def interface_of(given: Any) -> Any:
    """The interface that a class or component is, or implements."""
    cls = given if isinstance(given, type) else type(given)
    if getattr(cls, "_is_interface", False):
        return cls
    interface = getattr(cls, "_implements", None)
    if interface is None:
        raise BindingError(
            "E805",
            f"{cls.__name__} is not an interface and implements none",
            location=here(),
            advice=f"class {cls.__name__}(tg.Component, implements=...)",
        )
    return interface
