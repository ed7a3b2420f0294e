"""Ports that know what they carry: sizes by medium, families by medium, and caches that tell media apart."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tellegen as tg


@dataclass(frozen=True)
class Mixture:
    n_X: int = 0
    c: float = 1e-5


class Port(tg.Connector):
    p = tg.across("Pa")
    m = tg.through("kg/s")
    h = tg.stream("J/kg")
    X = tg.stream("1", shape=lambda medium: medium.n_X)


class Source(tg.Component):
    medium = tg.parameter(Mixture(), structural=True)
    port = Port().of(medium)
    X = tg.parameter(0.3, "1", shape=lambda self: self.medium.n_X)

    def equations(self) -> Any:
        yield self.port.p == 1e5
        yield self.port.h == 1e3
        yield self.port.X == self.X


class Vessel(tg.Component):
    """Several ports, so that streams of arrays of ports are exercised."""

    medium = tg.parameter(Mixture(), structural=True)
    ports = Port.array(2).of(medium)
    M = tg.variable("kg", start=0.5)
    MX = tg.variable("kg", shape=lambda self: self.medium.n_X, start=0.0)

    def equations(self) -> Any:
        yield tg.der(self.M) == tg.sum(self.ports.m)
        yield self.ports.h == 3.0
        yield self.ports.p * self.medium.c == self.M
        carried = tg.actual_stream(self.ports.X)
        for k in range(self.medium.n_X):
            yield tg.der(self.MX[k]) == tg.sum(self.ports.m * carried[:, k])
            yield self.ports.X[:, k] == self.MX[k] / self.M


class Valve(tg.Component):
    medium = tg.parameter(Mixture(), structural=True)
    a = Port().of(medium)
    b = Port().of(medium)

    def equations(self) -> Any:
        yield self.a.m == 1e-5 * (self.a.p - self.b.p)
        yield self.a.m + self.b.m == 0
        yield self.a.h == tg.in_stream(self.b.h)
        yield self.b.h == tg.in_stream(self.a.h)
        yield self.a.X == tg.in_stream(self.b.X)
        yield self.b.X == tg.in_stream(self.a.X)


class Filling(tg.Component):
    medium = tg.parameter(Mixture(), structural=True)
    source = Source(medium=medium)
    vessel = Vessel(medium=medium)
    left = Valve(medium=medium)
    right = Valve(medium=medium)

    def connections(self) -> Any:
        yield self.source.port, self.left.a, self.right.a
        yield self.left.b, self.vessel.ports[0]
        yield self.right.b, self.vessel.ports[1]


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("c", [1e-5, 2e-5])
def test_media_decide_sizes_and_numbers(n: int, c: float) -> None:
    """M -> c p with the rate 2e-5/c; cached code of one medium must not serve the other."""
    s = tg.simulate(Filling(medium=Mixture(n, c)), 1.0, rtol=1e-9)
    expected = c * 1e5 + (0.5 - c * 1e5) * np.exp(-2e-5 / c)
    assert s["vessel.M"][-1] == pytest.approx(expected, rel=1e-7)
    assert s["vessel.MX"].shape[1:] == (n,)
    assert s["vessel.MX"][-1] == pytest.approx(np.full(n, 0.3 * (expected - 0.5)), rel=1e-6)


def test_media_travel_with_compiled_models() -> None:
    compiled = tg.compile(Filling(medium=Mixture(2)))
    again = pickle.loads(pickle.dumps(compiled))
    assert again.simulate(1.0)["vessel.M"][-1] == compiled.simulate(1.0)["vessel.M"][-1]


def test_a_medium_needs_a_hash() -> None:
    class Loose:
        n_X = 0
        __hash__ = None  # type: ignore[assignment]

    with pytest.raises(tg.LanguageError, match="not hashable"):
        tg.flatten(Source(medium=Loose()))


def test_conditions_may_be_functions() -> None:
    class Optional(tg.Component):
        medium = tg.parameter(Mixture(), structural=True)
        port = Port().of(medium).only_if(lambda self: self.medium.n_X > 0)
        x = tg.variable(shape=lambda self: 2 + self.medium.n_X)

        def equations(self) -> Any:
            yield self.x == 1.0
            if self.medium.n_X:
                yield self.port.p == 1.0
                yield self.port.h == 1.0
                yield self.port.X == 0.5

    assert tg.flatten(Optional()).variables.count == 2
    assert tg.flatten(Optional(medium=Mixture(1))).variables.count == 3 + 6


def test_a_structural_parameter_may_still_be_a_function() -> None:
    class Curve(tg.Component):
        law = tg.parameter(lambda x: 2.0 * x, structural=True)
        y = tg.variable()

        def equations(self) -> Any:
            yield self.y == self.law(3.0)

    assert tg.steady_state(Curve())["y"] == 6.0
