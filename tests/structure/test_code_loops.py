"""Algebraic loops through code: allowed, forbidden, and not there where outputs do not read the inputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import tellegen as tg


class Direct(tg.Software):
    u = tg.input()
    y = tg.output()

    def outputs(self) -> float:
        return 0.5 * self.u


class Strict(Direct):
    in_loops = False


class Delayed(tg.Software):
    """The same promise, but the output is a state."""

    u = tg.input()
    y = tg.output()
    x = tg.variable()
    in_loops = False

    def outputs(self) -> float:
        return self.x

    def derivatives(self) -> float:
        return self.u - self.x


def loop(block: Any) -> Any:
    class Ring(tg.Component):
        a = block
        b = Direct()
        w = tg.variable(start=1.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield self.a.u == self.b.y + self.w
            yield self.b.u == self.a.y
            yield tg.der(self.w) == -self.a.y

    return Ring()


def test_a_forbidden_loop_is_named() -> None:
    with pytest.raises(tg.StructureError) as caught:
        tg.compile(loop(Strict()))
    error = caught.value
    assert error.code == "E211"
    assert "goes through Strict.outputs, which says in_loops = False" in error.message
    assert error.message.endswith(("a -> b -> Ring -> a", "b -> Ring -> a -> b"))
    assert "  a.y == Strict.outputs(a.u)" in error.details
    assert "in_loops = True" in error.advice


def test_without_a_loop_nothing_is_said() -> None:
    assert not tg.compile(loop(Delayed())).schedule().loops
    assert len(tg.compile(loop(Direct())).schedule().loops) == 1

    class Chain(tg.Component):
        a = Strict()
        w = tg.variable(start=1.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield self.a.u == self.w
            yield tg.der(self.w) == -self.a.y

    assert not tg.compile(Chain()).schedule().loops


def test_an_inverse_of_code_is_a_loop() -> None:
    class Inverse(tg.Component):
        a = Strict()
        w = tg.variable(start=1.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield self.a.y == self.w
            yield tg.der(self.w) == -self.a.u

    with pytest.raises(tg.StructureError, match="in_loops = False: a -> a"):
        tg.compile(Inverse())
