"""The interface that a name in a catalogue stands for.

A catalogue is data: its names are looked up among the interfaces that exist, never imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from tellegen.errors import BindingError
from tellegen.frontends.python.interfaces.interface import Interface
from tellegen.frontends.python.interfaces.subtype import subtype
from tellegen.ir.source_location import here

LIBRARY = "tellegen.library.interfaces"


def qualified_name(interface: Any) -> str:
    """`module.Class`: unique where two modules have an interface of the same name."""
    return f"{interface.__module__}.{interface.__qualname__}"


def family_name(interface: Any) -> str:
    """How a catalogue names an interface: those of the library by their class, others by module and class."""
    if isinstance(interface, str):
        return interface
    return interface.__name__ if interface.__module__.startswith(LIBRARY) else qualified_name(interface)


def interface_named(name: str) -> Any | None:
    """The interface of a name; None where there is none, E826 where there are several.

    A name without a module is one of the library's, if it has it; so a class of the same name elsewhere does not change
    what a catalogue means.
    """
    own = getattr(import_module(LIBRARY), name, None) if name.isidentifier() else None
    if is_interface(own):
        return own
    last = {qualified_name(one): one for one in _interfaces(Interface) if name in (one.__name__, qualified_name(one))}
    found = list(last.values())  # of a class that was defined again, in a notebook say, the last version
    if len(found) > 1:
        what = f"several interfaces are called '{name}': {', '.join(last)}"
        raise BindingError("E826", what, location=here(), advice=f"use the qualified name '{next(iter(last))}'")
    return found[0] if found else None


def _interfaces(base: Any) -> Iterator[Any]:
    for one in base.__subclasses__():
        if one._is_interface:
            yield one
            yield from _interfaces(one)


def is_interface(given: Any) -> bool:
    """Whether something is an interface class."""
    return isinstance(given, type) and issubclass(given, Interface) and given._is_interface


def belongs(family: str, wanted: Any) -> bool:
    """Whether parts of a family may stand where an interface (or, if it has no class, its name) is wanted."""
    own = interface_named(family)
    if own is None or isinstance(wanted, str):
        return family == (wanted if isinstance(wanted, str) else qualified_name(wanted))
    return own is wanted or bool(subtype(own, wanted))


def short_name(family: str) -> str:
    """A family as people say it: `DCMotorInterface`, `DCMotor` and `dcmotor` are one."""
    return family.rpartition(".")[2].removesuffix("Interface").lower()
