"""Interfaces: what a family of models has in common. Systems are composed of them; implementations are bound later.

An implementation derives from its interface, so it has the ports, parameters, signals and assertions of it, and
statements add up as along any inheritance. `_is_interface` says which of the two a class is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Any

from tellegen.errors import BindingError, UnknownNameError
from tellegen.frontends.python.components.component import Component
from tellegen.frontends.python.components.implementing import Implementation
from tellegen.frontends.python.declarations.class_info import class_location
from tellegen.frontends.python.interfaces.conformance import differences
from tellegen.frontends.python.interfaces.semantics import Semantics
from tellegen.start.records import dataclass


@dataclass
class Family:
    """The implementations and the direct subtypes of an interface, in the order they were written."""

    members: dict[str, Implementation] = field(default_factory=dict)
    subtypes: list[Any] = field(default_factory=list)


class _Implementations:
    """`MotorInterface.implementations`: the classes by name."""

    def __get__(self, instance: object, owner: Any) -> Mapping[str, Any]:
        return MappingProxyType({name: one.model for name, one in family_of(owner).members.items()})


class _Subtypes:
    """`DiodeInterface.subtypes`: all interfaces derived from it, nearest first."""

    def __get__(self, instance: object, owner: Any) -> tuple[Any, ...]:
        found: dict[Any, None] = {}
        waiting = list(family_of(owner).subtypes)
        while waiting:
            one = waiting.pop(0)
            found[one] = None
            waiting += one._family.subtypes
        return tuple(found)


class _Supertypes:
    """`DiodeInterface.supertypes`: all interfaces it is derived from, nearest first."""

    def __get__(self, instance: object, owner: Any) -> tuple[Any, ...]:
        above = owner.__mro__[1:] if owner._is_interface else owner.__mro__
        return tuple(base for base in above if getattr(base, "_is_interface", False) and base is not Interface)


class Interface(Component):
    """Base of all interfaces. A subclass declares ports, parameters (with `semantics=` tokens), signals, variables
    and assertions that all implementations have, and says what it means by `semantics = tg.Semantics(...)`.

    class IdealMotor(tg.Component, implements=MotorInterface, name="ideal", default=True): ...
    """

    _is_interface = True
    _family = Family()
    semantics = Semantics()
    implementations = _Implementations()
    subtypes = _Subtypes()
    supertypes = _Supertypes()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not cls._is_interface:
            return  # a subclass of an implementation
        location = class_location(cls)
        if cls._info.children:
            name, child = next(iter(cls._info.children.items()))
            raise BindingError(
                "E801",
                f"the interface {cls.__name__} contains the component '{name}' ({type(child).__name__})",
                location=location,
                advice="components belong into an implementation: class "
                f"{cls.__name__}Network(tg.Component, implements={cls.__name__})",
            )
        if not isinstance(cls.semantics, Semantics):
            what = f"'semantics' of {cls.__name__} is {cls.semantics!r}"
            raise BindingError("E806", what, location=location, advice="write semantics = tg.Semantics(...)")
        cls.semantics.check(cls, location)
        cls._family = Family()
        for base in cls.__bases__:
            if getattr(base, "_is_interface", False) and base is not Interface:
                _refuse_differences(cls, base, "derives from")
                base._family.subtypes.append(cls)

    def _unknown(self, name: str) -> UnknownNameError:
        error = super()._unknown(name)
        owners = [one.name for one in family_of(type(self)).members.values() if name in one.model._info.order]
        if self._is_interface and owners:
            path = self._path() or "..."
            error.advice = f'\'{name}\' belongs to an implementation; bind it first: {{"{path}": "{owners[0]}"}}'
        return error

    @classmethod
    def _register(cls, model: Any, said: Implementation) -> None:
        """Take a class that says it implements this interface."""
        _refuse_differences(model, cls, "implements")
        members = cls._family.members
        same = members.get(said.name)
        if same is not None and not _is_again(same.model, model):
            raise BindingError(
                "E802",
                f"{cls.__name__} already has an implementation named '{said.name}': {same.model.__name__}",
                location=class_location(model),
                advice=f'give another name: implements={cls.__name__}, name="..."',
            )
        default = next((one for one in members.values() if one.default and one is not same), None)
        if said.default and default is not None and not _is_again(default.model, model):
            raise BindingError(
                "E802",
                f"{cls.__name__} has two defaults: {default.model.__name__} and {model.__name__}",
                location=class_location(model),
                advice="leave default=True to one of them",
            )
        members[said.name] = said


def _is_again(known: Any, model: Any) -> bool:
    """Whether a class is another version of a known one: a cell or a module that was run again."""
    return (known.__module__, known.__qualname__) == (model.__module__, model.__qualname__)


def _refuse_differences(given: Any, wanted: Any, verb: str) -> None:
    found = differences(given, wanted)
    if found:
        raise BindingError(
            "E801",
            f"{given.__name__} {verb} {wanted.__name__}, but does not fit it",
            location=class_location(given),
            details=found,
            advice="leave the members of the interface as they are, and add others",
        )


def family_of(cls: Any) -> Family:
    """The family of an interface, or of the one that a class implements."""
    return cls._family if cls._is_interface else cls._implements._family


def default_of(interface: Any) -> Implementation | None:
    """The implementation that stands for an interface where none is bound."""
    return next((one for one in interface._family.members.values() if one.default), None)


def implementation_name(model: Any) -> str:
    """The name of a class in bindings; that of a class that only derives from an implementation is its own."""
    said = model._implementation
    return said.name if said is not None and said.model is model else model.__name__
