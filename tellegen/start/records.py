"""Dataclasses whose methods are made when they are first used.

The decorator of the standard library compiles the text of up to six methods for each class, 0.4 ms, which was half of
the time that a start of Tellegen takes. `dataclass` here makes the same classes: their fields are read at once,
`__init__` is compiled when a class has more than a few instances, and the other methods are the same few functions for
all classes.
`fields`, `replace`, `is_dataclass` and `field` of the standard library work with them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError
from functools import cache, cached_property, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from tellegen.start import ARCHIVE
from tellegen.start.record_fields import with_fields

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, **options: bool) -> Any:
        """The decorator; its options are those of the standard library, but for orderings."""
        if cls is None:
            return lambda decorated: _made(decorated, **options)
        return _made(cls, **options)


def _made(
    cls: type,
    *,
    frozen: bool = False,
    eq: bool = True,
    repr: bool = True,
    init: bool = True,
    slots: bool = False,
    kw_only: bool = False,
) -> type:
    written = {name for name, value in vars(cls).items() if value is not None}  # what the class defines itself stays
    made = with_fields(cls, slots=slots, kw_only=kw_only)
    methods: dict[str, Any] = {}
    if init:
        methods["__init__"] = _Initializer(made, frozen)
    if repr:
        methods["__repr__"] = _represented
    if eq:
        methods |= _comparison(made, frozen)
    if frozen:
        methods |= {"__setattr__": _refuse_assignment, "__delattr__": _refuse_deletion}
        if slots:
            methods |= {"__getstate__": _state, "__setstate__": _set_state}
    for name, method in methods.items():
        if name not in written:
            setattr(made, name, method)
    return made


@cache
def _fields(cls: type) -> tuple[Field[Any], ...]:
    return dataclasses.fields(cls)


class _ByFactory:
    """Stands for the default of a parameter whose value a factory makes."""

    def __repr__(self) -> str:
        return "<factory>"


_BY_FACTORY = _ByFactory()
_FEW = 8
"""Instances that are made without a method of their class: to compile one takes as long as some ten of them."""


_MANY = 6
"""Fields that are assigned together rather than one by one."""


class _Initializer:
    """Stands for `__init__` of a class, and is replaced by it where somebody asks for it or makes many instances."""

    def __init__(self, cls: type, frozen: bool) -> None:
        self.cls = cls
        self.frozen = frozen
        self.instances = 0

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        self.instances += 1
        if instance is not None and self.instances <= _FEW:
            return partial(self.initialize, instance)
        function = self.compiled()
        return function if instance is None else function.__get__(instance, owner)

    def compiled(self) -> Callable[..., None]:
        """The method itself, which the class has from now on."""
        function = _initializer(self.cls, self.frozen)
        setattr(self.cls, "__init__", function)  # noqa: B010 (an assignment would be one to a method of `type`)
        return function

    @cached_property
    def plan(self) -> _Plan:
        """What `initialize` does."""
        return _plan(self.cls)

    def initialize(self, instance: object, /, *args: Any, **kwargs: Any) -> None:
        """What the method does, field by field; where arguments do not fit, the method has the words for it."""
        plan = self.plan
        given = dict(zip(plan.positional, args, strict=False))
        is_surplus = len(args) > len(plan.positional)
        if kwargs:
            is_surplus = is_surplus or not given.keys().isdisjoint(kwargs) or not kwargs.keys() <= plan.accepted
            given.update(kwargs)
        if is_surplus or not plan.required <= given.keys():
            self.compiled()(instance, *args, **kwargs)
            return
        assign = object.__setattr__ if self.frozen else setattr
        for name, default, factory in plan.items:
            if name in given:
                assign(instance, name, given[name])
            elif factory is not MISSING:
                assign(instance, name, factory())
            elif default is not MISSING:
                assign(instance, name, default)
        if plan.is_completed:
            instance.__post_init__()  # type: ignore[attr-defined]


class _Plan(NamedTuple):
    """How the first instances of a class are made."""

    positional: tuple[str, ...]
    accepted: frozenset[str]
    required: frozenset[str]
    items: tuple[tuple[str, Any, Any], ...]  # name, default and factory; MISSING where nothing is assigned
    is_completed: bool  # by __post_init__


def _plan(cls: type) -> _Plan:
    items = _fields(cls)
    accepted = [item for item in items if item.init]
    has_slots = "__slots__" in vars(cls)
    return _Plan(
        tuple(item.name for item in accepted if not item.kw_only),
        frozenset(item.name for item in accepted),
        frozenset(i.name for i in accepted if i.default is MISSING and i.default_factory is MISSING),
        tuple((i.name, i.default if i.init or has_slots else MISSING, i.default_factory) for i in items),
        hasattr(cls, "__post_init__"),
    )


def _initializer(cls: type, frozen: bool) -> Callable[..., None]:
    """`__init__` of a class: assigns its fields, then calls `__post_init__` where there is one."""
    known: dict[str, Any] = {"_BY_FACTORY": _BY_FACTORY, "_set": object.__setattr__}
    positional: list[str] = []
    keywords: list[str] = []
    values: dict[str, str] = {}
    for item in _fields(cls):
        name = item.name
        factory = item.default_factory is not MISSING
        if item.default is not MISSING:
            known[f"_default_{name}"] = item.default
        if factory:
            known[f"_factory_{name}"] = item.default_factory
        value = name
        if item.init:
            given = "=_BY_FACTORY" if factory else f"=_default_{name}" if f"_default_{name}" in known else ""
            (keywords if item.kw_only else positional).append(name + given)
            if factory:
                value = f"_factory_{name}() if {name} is _BY_FACTORY else {name}"
        elif factory:
            value = f"_factory_{name}()"
        elif item.default is not MISSING and "__slots__" in vars(cls):
            value = f"_default_{name}"
        else:
            continue  # without slots the default is an attribute of the class
        values[name] = value
    body = _assignments(values, frozen, "__slots__" in vars(cls))
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join(["self", *positional, *(["*", *keywords] if keywords else [])])
    text = f"def __init__({parameters}):\n " + "\n ".join(body or ["pass"])
    exec(ARCHIVE.compiled(text), known)
    function = known["__init__"]
    function.__qualname__ = f"{cls.__qualname__}.__init__"
    function.__module__ = cls.__module__
    function.__annotations__ = {item.name: item.type for item in _fields(cls) if item.init} | {"return": None}
    return function


def _assignments(values: dict[str, str], frozen: bool, slots: bool) -> list[str]:
    """Statements that give an instance its fields; through its dict where the class is frozen, in half the time."""
    if not frozen:
        return [f"self.{name} = {value}" for name, value in values.items()]
    if slots or len(values) < _MANY:
        return [f"_set(self, {name!r}, {value})" for name, value in values.items()]
    return [f"self.__dict__.update({', '.join(f'{name}={value}' for name, value in values.items())})"]


def _represented(self: Any) -> str:
    parts = ", ".join(f"{item.name}={getattr(self, item.name)!r}" for item in _fields(type(self)) if item.repr)
    return f"{type(self).__qualname__}({parts})"


def _comparison(cls: type, frozen: bool) -> dict[str, Any]:
    """Equality of the fields that count; a hash of them where they do not change, and none where they do."""
    compared = _read_together([item.name for item in _fields(cls) if item.compare])

    def equal(self: Any, other: Any) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return compared(self) == compared(other)

    if not frozen:
        return {"__eq__": equal, "__hash__": None}
    hashed = _read_together([item.name for item in _fields(cls) if (item.compare if item.hash is None else item.hash)])

    def hashed_value(self: Any) -> int:
        return hash(hashed(self))

    return {"__eq__": equal, "__hash__": hashed_value}


def _read_together(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Reads all these attributes as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda read: tuple(getattr(read, name) for name in names)


def _refuse_assignment(_self: Any, name: str, _value: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deletion(_self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> tuple[Any, ...]:
    return _all_read(type(self))(self)


@cache
def _all_read(cls: type) -> Callable[[Any], tuple[Any, ...]]:
    """Reads the fields of a class."""
    return _read_together([item.name for item in _fields(cls)])


def _set_state(self: Any, state: tuple[Any, ...]) -> None:
    for item, value in zip(_fields(type(self)), state, strict=True):
        object.__setattr__(self, item.name, value)
