"""Dataclasses of tellegen.start.records are those of the standard library, but for when their methods are made."""

from __future__ import annotations

import dataclasses
import gc
import inspect
import pickle
import random
import subprocess
import sys
from typing import Any

import pytest

from seeds import each_seed
from tellegen.start import records
from tellegen.start.garbage_collection import collection_paused


@records.dataclass(frozen=True, slots=True)
class Point:
    """Frozen, with slots."""

    x: float
    y: float = 0.0


@records.dataclass(frozen=True)
class Named:
    """Frozen, with a field that does not count and one that follows."""

    name: str
    note: str = dataclasses.field(default="", compare=False, repr=False)
    length: int = dataclasses.field(init=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", len(self.name))


@records.dataclass(frozen=True, kw_only=True)
class Longer(Named):
    """A class that adds a field."""

    parts: list[int] = dataclasses.field(default_factory=list)


@pytest.mark.parametrize("value", [Point(1.0), Point(1.0, y=2.0), Named("ab", "c"), Longer(name="a", parts=[1])])
def test_copies_by_pickle_and_replace_are_equal(value: Any) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(value, protocol)) == value
    assert dataclasses.replace(value) == value


def test_frozen_fields_are_refused() -> None:
    point = Point(1.0)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 2.0  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x
    assert repr(point) == "Point(x=1.0, y=0.0)"
    assert hash(point) == hash(Point(1.0))
    assert point != Point(1.0, 1.0)
    assert point != (1.0, 0.0)


def test_fields_that_do_not_count() -> None:
    assert Named("ab", "one") == Named("ab", "two")
    assert repr(Named("ab", "one")) == "Named(name='ab', length=2)"


def test_the_constructor_is_made_by_the_first_use() -> None:
    @records.dataclass
    class Fresh:
        """Nothing is compiled for it so far."""

        size: int
        names: list[str] = dataclasses.field(default_factory=list)

    assert not inspect.isfunction(vars(Fresh)["__init__"])
    assert str(inspect.signature(Fresh)) == "(size: 'int', names: 'list[str]' = <factory>) -> None"
    first, second = Fresh(1), Fresh(1)
    assert first == second
    assert first.names is not second.names
    with pytest.raises(TypeError, match="unhashable"):
        hash(first)


def test_the_constructor_is_compiled_for_many_instances() -> None:
    @records.dataclass(frozen=True)
    class Fresh:
        """Made field by field, until there are many."""

        size: int
        name: str = ""

    made = [Fresh(1) for _ in range(3)]
    assert not inspect.isfunction(vars(Fresh)["__init__"])
    made += [Fresh(1) for _ in range(20)]
    assert inspect.isfunction(vars(Fresh)["__init__"])
    assert len(set(made)) == 1


def test_wrong_arguments_of_a_first_instance_are_those_of_the_constructor() -> None:
    @records.dataclass
    class Fresh:
        """Never made."""

        size: int

    with pytest.raises(TypeError, match=r"Fresh.__init__\(\) missing 1 required positional argument: 'size'"):
        Fresh()  # type: ignore[call-arg]


def test_own_methods_stay() -> None:
    @records.dataclass(frozen=True)
    class Circle:
        """Equal by size alone."""

        radius: float
        name: str = ""

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Circle) and self.radius == other.radius

        def __hash__(self) -> int:
            return hash(self.radius)

        def __repr__(self) -> str:
            return f"circle {self.radius:g}"

    assert Circle(1.0, "a") == Circle(1.0, "b")
    assert len({Circle(1.0, "a"), Circle(1.0, "b")}) == 1
    assert repr(Circle(1.0)) == "circle 1"


def _class(made_by: Any, seed: int) -> tuple[type, dict[str, bool]]:
    """A class drawn at random: fields with and without defaults, options, a base class."""
    draw = random.Random(seed)
    options = {name: draw.random() < 0.5 for name in ("frozen", "eq", "repr", "slots", "kw_only")}
    bases: tuple[type, ...] = ()
    made: type = object
    for level in range(draw.choice([1, 1, 2])):
        body: dict[str, Any] = {"__annotations__": {}, "__doc__": "Drawn.", "__qualname__": f"Drawn{level}"}
        has_default = bool(bases)
        for number in range(draw.randint(0, 4)):
            name = f"f{level}{number}"
            body["__annotations__"][name] = "Any"
            has_default |= draw.random() < 0.4
            how: dict[str, Any] = {"compare": draw.random() < 0.8, "repr": draw.random() < 0.8}
            if has_default:
                how |= draw.choice([{"default": number}, {"default_factory": list}])
                how["init"] = draw.random() < 0.8
            body[name] = dataclasses.field(**how)
        if draw.random() < 0.3:
            body["__post_init__"] = lambda self: seen.append(type(self).__name__)
        made = made_by(**options)(type(f"Drawn{level}", bases, body))
        bases = (made,)
    return made, options


seen: list[str] = []


def _behaviour(cls: type, options: dict[str, bool], seed: int) -> list[Any]:
    """What can be observed of a class: construction with arguments drawn at random, comparison, text, assignment."""
    draw = random.Random(seed)
    names = [field.name for field in dataclasses.fields(cls) if field.init]
    observed: list[Any] = [[field.name for field in dataclasses.fields(cls)], getattr(cls, "__match_args__", ())]
    made: list[Any] = []
    for _ in range(12):  # the first ones without a compiled method
        positional = [draw.randint(0, 1) for _ in range(draw.randint(0, len(names)))]
        if options["kw_only"]:
            positional = []
        named = {name: draw.randint(0, 1) for name in names[len(positional) :] if draw.random() < 0.8}
        seen.clear()
        try:
            made.append(cls(*positional, **named))
            observed.append(list(seen))
        except TypeError:
            observed.append("TypeError")
    for one in made:
        observed.append([getattr(one, field.name) for field in dataclasses.fields(cls)])
        observed.append(options["repr"] and repr(one))
        observed.append(options["eq"] and [one == other for other in made])
        for field in dataclasses.fields(cls):
            try:
                setattr(one, field.name, 5)
                observed.append(getattr(one, field.name))
            except dataclasses.FrozenInstanceError as error:
                observed.append(str(error))
    return observed


@each_seed(range(60))
def test_classes_drawn_at_random_behave_as_those_of_the_standard_library(seed: int) -> None:
    expected = _behaviour(*_class(dataclasses.dataclass, seed), seed)
    assert _behaviour(*_class(records.dataclass, seed), seed) == expected


def test_collection_is_resumed_if_it_was_on() -> None:
    with collection_paused():
        assert not gc.isenabled()
        with collection_paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


AGED = """
import gc
from tellegen.start.garbage_collection import lasting

with lasting():
    first = [[] for _ in range(10_000)]
    assert not gc.isenabled()
assert gc.isenabled()
assert gc.get_freeze_count() == 0
assert any(old is first for old in gc.get_objects(generation=2))

gc.freeze()  # by the user
frozen = gc.get_freeze_count()
with lasting():
    second = [[] for _ in range(10_000)]
assert gc.get_freeze_count() == frozen
assert not any(old is second for old in gc.get_objects(generation=2))
"""


def test_what_was_imported_is_old_at_once_and_what_the_user_froze_stays_frozen() -> None:
    """In an interpreter of its own: the suite itself freezes what it has imported."""
    subprocess.run([sys.executable, "-c", AGED], check=True)
