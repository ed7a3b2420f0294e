"""Explicit rows in which parameters make the coefficient of the unknown zero: refused, not answered with zero."""

from __future__ import annotations

from typing import Any

import pytest

import tellegen as tg
from network.random_circuits import Oracle, random_parts, system_of, with_ones


@pytest.mark.parametrize("seed", [42, 515])
@pytest.mark.parametrize("solver", ["auto", "rk45", "cvode", "ida"])
def test_a_circuit_without_a_unique_solution_is_refused(seed: int, solver: str) -> None:
    """v == gain*v with a gain of one: any voltage would do, and rk45 answered with zero."""
    parts = with_ones(random_parts(seed, most_nodes=12, two_ports=True))
    assert not Oracle(parts).regular
    with pytest.raises(tg.TellegenError):
        tg.simulate(system_of(parts), 0.5, solver=solver)


class Follower(tg.Component):
    """The smallest of them."""

    gain = tg.parameter(0.5)
    v = tg.variable()
    x = tg.variable(start=1.0, fixed=True)

    def equations(self) -> Any:
        yield self.v == self.gain * self.v
        yield tg.der(self.x) == self.v - self.x


def test_an_unknown_that_nothing_determines() -> None:
    """Only with a gain of exactly one."""
    assert tg.simulate(Follower(), 1.0, solver="rk45")["v"][-1] == 0.0
    with pytest.raises(tg.TellegenError, match="v"):
        tg.simulate(Follower(gain=1.0), 1.0, solver="rk45")
