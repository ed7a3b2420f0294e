"""What a user gives for an interface, as a class and values: a name, a class, a component, a catalogue part."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from tellegen.errors import BindingError, nearest, warn_user
from tellegen.frontends.python.components.component import Component
from tellegen.frontends.python.interfaces.interface import default_of
from tellegen.frontends.python.interfaces.subtype import subtype
from tellegen.ir.model import BoundPart, Rating
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass

_ALIKE = 0.85  # of a name without its underscores, to be a misspelt one


@dataclass(frozen=True, eq=False)
class Choice:
    """What is bound to an interface: the class, and values for its members."""

    model: Any
    values: Mapping[str, Any] = field(default_factory=dict)
    example: Any = None  # a component whose children were configured, too
    part: BoundPart | None = None  # the catalogue part that the values are of


def chosen(slot: Any, given: Any, path: str) -> Choice:
    """The choice for the interface `slot` at a path."""
    if isinstance(given, str):
        return Choice(named(slot, given, path))
    if isinstance(given, Component):
        return Choice(_fitting(slot, type(given), path), {**given._base, **given._values}, given)
    if isinstance(given, type) and issubclass(given, Component):
        return Choice(_fitting(slot, given, path))
    if all(hasattr(given, name) for name in ("interface", "implementation", "parameters")):
        return _of_part(slot, given, path)
    raise BindingError(
        "E804",
        f"'{path}' cannot be bound to {given!r}",
        location=here(),
        advice="give the name of an implementation, its class, a component of it or a catalogue part; "
        f"{choices_text(slot)}",
    )


def named(slot: Any, name: str, path: str) -> Any:
    """The implementation of this name, of the interface or of one derived from it."""
    known: dict[str, Any] = {}
    for interface in (slot, *slot.subtypes):
        for own, one in interface._family.members.items():
            known.setdefault(own, one.model)
    if name in known:
        return known[name]
    what = f"{slot.__name__} has no implementation '{name}', so '{path}' cannot be bound to it"
    hint = nearest(name, known) if known else "it has none yet"
    raise BindingError("E804", f"{what}; {hint}", location=here(), advice=choices_text(slot))


def choices_text(slot: Any) -> str:
    """A half sentence with the names that may be bound to an interface."""
    names = list(slot._family.members)
    if names:
        return f"the implementations of {slot.__name__} are: {', '.join(names)}"
    return f"write one: class My{slot.__name__}(tg.Component, implements={slot.__name__})"


def needed_default(interface: Any, component: Any, path: str = "") -> Any:
    """The class of the default implementation, or E800 at the component that stands for the interface."""
    default = default_of(interface)
    if default is not None:
        return default.model
    path = path or (component._path() if component is not None else "")
    location = component._location if component is not None else here()
    what = f"'{path}'" if path else "the model"
    members = interface._family.members
    example = f'tg.bind(system, {{"{path}": "{next(iter(members))}"}})' if members and path else ""
    raise BindingError(
        "E800",
        f"{what} is the interface {interface.__name__}, to which no implementation is bound, and it has no default",
        location=location,
        advice=f"bind one: {example}; {choices_text(interface)}" if example else choices_text(interface),
    )


def _fitting(slot: Any, model: Any, path: str) -> Any:
    """The class if it implements the interface or a subtype of it; E805 in words if not."""
    if model._is_interface:
        _check_family(slot, model, path, f"the interface {model.__name__}")
        return needed_default(model, None, path)
    if model._implements is None:
        raise BindingError(
            "E805",
            f"{model.__name__} implements no interface, so it cannot be bound to '{path}' ({slot.__name__}); "
            "equal ports are not enough",
            location=here(),
            advice=f"class {model.__name__}(..., implements={slot.__name__}); {choices_text(slot)}",
        )
    _check_family(slot, model, path, f"{model.__name__}, which implements {model._implements.__name__}")
    return model


def _check_family(slot: Any, given: Any, path: str, shown: str) -> None:
    answer = subtype(given, slot)
    if not answer:
        raise BindingError(
            "E805",
            f"'{path}' is the interface {slot.__name__} and cannot be bound to {shown}",
            location=here(),
            details=answer.missing,
            advice=choices_text(slot),
        )


def _of_part(slot: Any, part: Any, path: str) -> Choice:
    """A catalogue part: its implementation with its numbers."""
    name = str(getattr(part, "name", "part"))
    interface = part.interface
    if isinstance(interface, str):
        interface = _interface_named(slot, interface, path, name)
    elif isinstance(interface, type) and getattr(interface, "_is_interface", False):
        _check_family(slot, interface, path, f"the part {name}, a {interface.__name__}")
    else:
        raise _no_part(path, part, f"its interface is {interface!r}")
    model = part.implementation
    if model is not None and not isinstance(model, str):
        raise _no_part(path, part, f"its implementation is {model!r}, not a name")
    if model is None:
        model = needed_default(interface, None, path)
    else:
        model = named(interface, model, path)
    try:
        ratings = tuple(_rating(interface, key, given) for key, given in getattr(part, "limits", {}).items())
    except (TypeError, ValueError) as error:
        raise _no_part(path, part, f"its limits: {error}") from None
    _warn_of_misspelt(interface, model, name, [rating.name for rating in ratings])
    return Choice(model, dict(part.parameters), part=BoundPart(name, ratings))


def _warn_of_misspelt(interface: Any, model: Any, part: str, stated: list[str]) -> None:
    """Warn of ratings that limit nothing but are written almost like one that would."""
    known = {*interface.semantics.limits}
    known |= {f"{name}_{end}" for name in model._info.variables for end in ("max", "min")}
    plain = {_plain(name): name for name in known.difference(stated)}
    for name in stated:
        alike = [] if name in known else difflib.get_close_matches(_plain(name), plain, 1, _ALIKE)
        if alike:
            warn_user(f"'{name}' of the part {part} limits nothing; perhaps '{plain[alike[0]]}' is meant")


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _no_part(path: str, part: Any, why: str) -> BindingError:
    what = f"'{path}' cannot be bound to {getattr(part, 'name', part)!r}: {why}"
    return BindingError("E804", what, location=here(), advice="tg.Part(name, interface, parameters={...}, ...)")


def _rating(interface: Any, name: str, given: Any) -> Rating:
    """A limit of a part, a number or a number with a unit, and the quantity that the interface says it limits."""
    value = float(getattr(given, "value", given))
    return Rating(name, value, str(getattr(given, "unit", "")), interface.semantics.limits.get(name, ""))


def _interface_named(slot: Any, wanted: str, path: str, part: str) -> Any:
    known = {}
    for interface in (slot, *slot.subtypes):
        known[interface.__name__] = known[f"{interface.__module__}.{interface.__qualname__}"] = interface
    if wanted not in known:
        raise BindingError(
            "E805",
            f"'{path}' is the interface {slot.__name__}; the part {part} is a {wanted}",
            location=here(),
            advice=f"take a part whose interface is {slot.__name__} or derived from it",
        )
    return known[wanted]
