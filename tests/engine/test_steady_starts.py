"""Runs that start from steady states with events: each set of discrete values is solved for once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.engine.initialization.steady import steady_values

NETLIST = """pulses into a diode
v1 in 0 pulse(0 3 1u 1u 1u 5u 20u)
r1 in out 1k
d1 out 0 dm
c1 out 0 1n
.model dm d(is=1e-14)
.tran 1u 30u
.end
"""


@pytest.mark.parametrize("first", [0.0, 2.0])
def test_a_steady_state_is_found_once(monkeypatch: pytest.MonkeyPatch, first: float) -> None:
    """The pulse has a clock, so event iteration and its tick ask for the steady state again: nothing has changed."""
    asked = 0
    solved = 0
    plain = steady_values.steady_values
    remembering = steady_values.SteadyValues.at

    def counted(*arguments: Any) -> Any:
        nonlocal solved
        solved += 1
        return plain(*arguments)

    def counted_at(self: Any, point: Any) -> Any:
        nonlocal asked
        asked += 1
        return remembering(self, point)

    monkeypatch.setattr(steady_values, "steady_values", counted)
    monkeypatch.setattr(steady_values.SteadyValues, "at", counted_at)
    circuit = tg.read_spice(text=NETLIST.replace("pulse(0", f"pulse({first}"))
    solution = tg.simulate(circuit, 30e-6)
    diode = 1e-14 * np.expm1(solution["d1.v"][0] / 0.025865)
    assert solution["r1.i"][0] == pytest.approx(diode, rel=1e-2, abs=1e-11)
    assert solved < asked
