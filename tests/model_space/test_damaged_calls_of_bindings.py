"""Whatever is given to the functions on interfaces: an answer, or an error of ours."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest

import tellegen as tg
from motors import Armature, Drive, IdealMotor, Motor

NO_PART = SimpleNamespace(name="q", interface=3, implementation=4, parameters=5)
HALF_PART = SimpleNamespace(name="q", interface=Motor, implementation="ideal", parameters={"Q": 1.0}, limits={"a": "b"})
JUNK: list[Any] = [None, 3, -1, 2.5, "", "motor", "x.y", b"x", [], [1], {}, {"a": 1}, {3: 4}, object(), int, NO_PART]
JUNK += [{"motor": one} for one in (None, 3, [], {}, Drive, Motor, Armature, int, NO_PART, HALF_PART)]
JUNK += [{"": "ideal"}, {"motor.": "ideal"}, Drive, Motor, Motor(), IdealMotor()]
SPACE = tg.model_space(Drive())


def interface(**members: Any) -> Any:
    """An interface made here and now."""
    return type("Made", (tg.Interface,), members)


CALLS: dict[str, Callable[[Any], Any]] = {
    "bind": lambda given: tg.bind(Drive(), given),
    "bind a system": lambda given: tg.bind(given, {"motor": "ideal"}),
    "bind a choice": lambda given: tg.bind(Drive(), {"motor": given}),
    "subtype": lambda given: tg.subtype(given, Motor),
    "supertype": lambda given: tg.subtype(Motor, given),
    "space": lambda given: tg.model_space(given),
    "candidates": lambda given: tg.model_space(Drive(), given),
    "only": lambda given: SPACE.restrict(given),
    "names": lambda given: SPACE.restrict({"motor": given}),
    "tags": lambda given: SPACE.restrict(tags=given),
    "domains": lambda given: SPACE.restrict(domains=given),
    "phenomena": lambda given: SPACE.restrict(phenomena=given),
    "sample": lambda given: SPACE.sample(given),
    "bind of a space": lambda given: SPACE.bind(given),
    "colors": lambda given: SPACE.svg(colors=given),
    "proportional": lambda given: interface(semantics=tg.Semantics(proportional=given)),
    "functions": lambda given: interface(semantics=tg.Semantics(functions=given)),
    "limits": lambda given: interface(semantics=tg.Semantics(limits=given)),
    "assumptions": lambda given: interface(semantics=tg.Semantics(assumptions=given)),
    "semantics": lambda given: interface(semantics=given),
    "implements": lambda given: type("Made", (tg.Component,), {}, implements=interface() if given is Motor else given),
    "name": lambda given: type("Made", (tg.Component,), {}, implements=interface(), name=given),
    "tags of a class": lambda given: type("Made", (tg.Component,), {}, implements=interface(), tags=given),
    "reference": lambda given: tg.compare({}, of=given),
    "tolerance": lambda given: tg.compare({}, of="x", tolerance=given),
    "feasibility": lambda given: tg.feasibility(given),
}


@pytest.mark.parametrize("name", CALLS)
def test_only_errors_of_ours(name: str) -> None:
    for given in JUNK:
        with suppress(tg.TellegenError):
            CALLS[name](given)
