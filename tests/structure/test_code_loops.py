"""Algebraic loops through external code: allowed, forbidden, and not there where outputs do not read the inputs."""

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
    assert "goes through Strict.outputs, which declares in_loops = False" in error.message
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


class Sampled(tg.Software):
    """Direct feedthrough at its instants."""

    u = tg.input()
    y = tg.output()
    period = tg.parameter(0.1, "s")
    in_loops = False

    def outputs(self) -> float:
        return 0.4 * self.u + 1.0


class Allowed(Sampled):
    in_loops = True


class Later(Sampled):
    """Gives what it read a sample before."""

    x = tg.variable()

    def outputs(self) -> float:
        return 0.4 * self.x + 1.0

    def next_states(self) -> float:
        return self.u


def ring(first: Any, second: Any) -> Any:
    class Ring(tg.Component):
        a = first
        b = second

        def connections(self) -> Iterator[Any]:
            yield self.a.y, self.b.u
            yield self.b.y, self.a.u

    return Ring()


def test_sampled_code_is_not_iterated_where_it_forbids_that() -> None:
    """Two blocks that need each other at the same instant; allowed, both come to 1/(1 - 0.4)."""
    with pytest.raises(tg.StructureError) as caught:
        tg.compile(ring(Sampled(), Sampled()))
    error = caught.value
    assert error.code == "E211"
    assert error.message.endswith("goes through Sampled.outputs, which declares in_loops = False: a -> b -> a")
    assert "  when sample(0, a.period): a.y := Sampled.outputs(a.u)" in error.details
    with pytest.raises(tg.StructureError, match="E211"):
        tg.compile(ring(Allowed(), Sampled(period=0.3)))
    assert tg.simulate(ring(Allowed(), Allowed()), stop=1.0)["a.y"][-1] == pytest.approx(1 / 0.6)


def test_a_sample_of_delay_breaks_a_loop() -> None:
    solution = tg.simulate(ring(Sampled(), Later()), stop=0.35)
    assert solution["b.y"][-1] == pytest.approx(1 + 0.4 * (1 + 0.4 * (1 + 0.4 * (1 + 0.4 * (1 + 0.4 * 1.4)))))


def test_a_loop_of_sampled_code_through_equations() -> None:
    def closed(write: Any) -> Any:
        class Closed(tg.Component):
            a = Sampled()
            x = tg.variable(start=1.0, fixed=True)
            z = tg.variable()

            def equations(self) -> Iterator[Any]:
                yield self.z == write(self)
                yield self.a.u == 2 * self.z
                yield tg.der(self.x) == -self.a.y

        return Closed()

    for through in (lambda m: m.x - m.a.y, lambda m: tg.where(m.a.y > 1.0, 1.0, 0.5)):
        with pytest.raises(tg.StructureError, match="in_loops = False: a -> Closed -> a"):
            tg.compile(closed(through))
    tg.compile(closed(lambda m: m.x))


def test_continuous_code_in_a_loop_with_sampled_code() -> None:
    class Both(tg.Component):
        a = Strict()
        b = Allowed()

        def equations(self) -> Iterator[Any]:
            yield self.a.u == self.b.y
            yield self.b.u == self.a.y

    with pytest.raises(tg.StructureError, match="goes through Strict") as caught:
        tg.compile(Both())
    assert {"a", "b", "Both"} >= set(caught.value.message.rpartition(": ")[2].split(" -> "))
