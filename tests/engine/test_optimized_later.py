"""Straight-line code is compiled quickly at first, and optimized once a model has been run for long."""

from __future__ import annotations

import numpy as np
import pytest

import tellegen as tg
from tellegen.engine.loaded import ode_system


class Oscillators(tg.Component):
    """Rows computed one from the other, an event among them."""

    x = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)
    a = tg.variable(shape=(8,))

    def equations(self):
        yield self.a[0] == tg.sin(self.x) * self.v
        for k in range(1, 8):
            yield self.a[k] == self.a[k - 1] * (1.0 - 0.1 * k * self.x) + tg.where(self.x > 0.2, self.v, 0.5 * self.v)
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == -4.0 * self.x + 0.01 * self.a[7]


@pytest.mark.parametrize("solver", ["rk45", "cvode"])
def test_optimized_code_gives_the_same_bits(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ode_system, "_LONG", np.inf)
    compiled = tg.compile(Oscillators())
    first = compiled.simulate(stop=5.0, solver=solver)
    entries = compiled.ode.entries
    quick = {name: entry.addresses.copy() for name, entry in entries.items()}
    again = compiled.simulate(stop=5.0, solver=solver)
    assert all((entry.addresses == quick[name]).all() for name, entry in entries.items()), "a short run"
    monkeypatch.setattr(ode_system, "_LONG", 0.0)
    during = compiled.simulate(stop=5.0, solver=solver)
    assert any((entry.addresses != quick[name]).any() for name, entry in entries.items()), (
        "in the place of the old code"
    )
    after = compiled.simulate(stop=5.0, solver=solver)
    assert np.array_equal(first.time, after.time)
    for path in ("x", "v", "a[7]"):
        assert np.array_equal(again[path], during[path])
        assert np.array_equal(again[path], after[path])
