"""Constants beyond the integers of the machine, and infinite ones."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, inf
from typing import Any

import pytest

import tellegen as tg


class Amount(tg.Component):
    """Particles of a substance that decays."""

    count = tg.parameter(1.0, structural=True)
    mol = tg.variable("mol", start=1.0, fixed=True)
    n = tg.variable("1", "particles")

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.mol) == -self.mol * 1.0
        yield self.n == self.count * self.mol


@pytest.mark.parametrize("count", [6.022e23, 2**63, 2**70, -(2**64), 1e300])
def test_a_large_coefficient(count: float) -> None:
    assert tg.simulate(Amount(count=count), 1.0, rtol=1e-8)["n"][-1] == pytest.approx(count * exp(-1.0), rel=1e-6)


class Written(tg.Component):
    """The same with the number in the equation."""

    mol = tg.variable("mol", start=1.0, fixed=True)
    n = tg.variable("1", "particles")

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.mol) == -self.mol * 1.0
        yield self.n == 602200000000000000000000 * self.mol


def test_a_large_integer_in_an_equation() -> None:
    assert tg.simulate(Written(), 1.0, rtol=1e-8)["n"][-1] == pytest.approx(6.022e23 * exp(-1.0), rel=1e-6)


class Jump(tg.Component):
    x = tg.variable(start=1.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == -self.x
        yield tg.when(tg.time > 0.5, tg.reinit(self.x, inf))


def test_a_jump_to_infinity_stops_the_run() -> None:
    with pytest.raises(tg.TellegenError, match=r"E310.*t = 0.5"):
        tg.simulate(Jump(), 1.0)


class Factor(tg.Component):
    x = tg.variable(start=1.0, fixed=True)
    y = tg.variable()

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == -self.x
        yield self.y == self.x * inf


def test_an_infinite_coefficient_stops_the_run() -> None:
    with pytest.raises(tg.TellegenError, match="finite"):
        tg.simulate(Factor(), 1.0)
