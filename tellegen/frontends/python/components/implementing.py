"""Classes that implement an interface: `class IdealMotor(tg.Component, implements=MotorInterface)`.

The interface becomes a base of the class, so that whatever adds up along inheritance (members, equations,
connections) needs no second rule. What interfaces are is in the room of that name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from tellegen.errors import BindingError, nearest
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass


@dataclass(frozen=True, eq=False)
class Implementation:
    """A model that stands for an interface: its name in bindings, its class, and what is said of it.

    Tags are free words for choosing: cost, accuracy, phenomena, domain.
    """

    name: str
    model: Any  # the class
    default: bool = False
    tags: Mapping[str, Any] = field(default_factory=dict)


_KINDS: dict[str, type] = {"name": str, "default": bool, "tags": Mapping}


def said_of_implementation(cls: Any, keywords: dict[str, Any], interface: Any) -> Implementation | None:
    """What a class statement says of an implementation, taken from its keywords; the interface becomes a base."""
    said = {key: keywords.pop(key) for key in ("name", "default", "tags") if key in keywords}
    if keywords:
        known = ["implements", *_KINDS]
        first = next(iter(keywords))
        raise BindingError(
            "E801",
            f"{cls.__name__} says {first}=..., which means nothing here; {nearest(first, known)}",
            location=here().within(cls.__name__),
            advice='implements=MotorInterface, name="ideal", default=True, tags={"cost": 1}',
        )
    wrong = [key for key, value in said.items() if not isinstance(value, _KINDS[key])]
    if wrong or said.get("name") == "":
        raise BindingError(
            "E801",
            f"{cls.__name__} says {', '.join(f'{key}={said[key]!r}' for key in wrong or ['name'])}",
            location=here().within(cls.__name__),
            advice='name="ideal", default=True, tags={"cost": 1}',
        )
    if interface is not None:
        _join_interface(cls, interface)
        cls._implementation = Implementation(said.pop("name", cls.__name__), cls, **said)
        return cls._implementation
    if said:
        raise BindingError(
            "E801",
            f"{cls.__name__} says {', '.join(said)}, but not which interface it implements",
            location=here().within(cls.__name__),
            advice=f"class {cls.__name__}(tg.Component, implements=..., {next(iter(said))}=...)",
        )
    return None


def _join_interface(cls: Any, interface: Any) -> None:
    if not (isinstance(interface, type) and getattr(interface, "_is_interface", False)):
        shown = interface.__name__ if isinstance(interface, type) else repr(interface)
        raise BindingError(
            "E801",
            f"{cls.__name__} implements {shown}, which is not an interface",
            location=here().within(cls.__name__),
            advice=f"an interface derives from tg.Interface; a component is extended by class {cls.__name__}({shown})",
        )
    cls._is_interface = False
    cls._implements = interface
    if not issubclass(cls, interface):
        kept = [base for base in cls.__bases__ if not issubclass(interface, base)]
        cls.__bases__ = (*kept, interface)
