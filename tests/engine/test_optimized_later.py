"""Code that takes long to optimize is compiled quickly at first, and optimized once a model has been run for long."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg


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


class ManyKinds(tg.Component):
    """Loops of thirty kinds with nine rows each: more code than rows."""

    x = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)
    a = tg.variable(shape=(30, 9))

    def equations(self):
        n = np.arange(1.0, 10.0)
        yield self.a[0] == n * tg.sin(self.x)
        for k in range(1, 30):
            yield self.a[k] == self.a[k - 1] * (1.0 - 0.01 * k * self.x) + n ** (k % 3) * tg.cos(k * self.v)
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == -4.0 * self.x + 1e-6 * self.a[29][8]


@pytest.mark.parametrize(
    ("kind", "solver"), [(Oscillators, "rk45"), (Oscillators, "cvode"), (ManyKinds, "rk45"), (ManyKinds, "ida")]
)
def test_optimized_code_gives_the_same_bits(kind: Any, solver: str) -> None:
    compiled = tg.compile(kind())
    entries = compiled.entries if solver == "ida" else compiled.ode.entries
    entries.patience = np.inf
    first = compiled.simulate(stop=5.0, solver=solver)
    quick = {name: entry.addresses.copy() for name, entry in entries.items()}
    again = compiled.simulate(stop=5.0, solver=solver)
    assert all((entry.addresses == quick[name]).all() for name, entry in entries.items()), "a short run"
    entries.patience = 0.0
    during = compiled.simulate(stop=5.0, solver=solver)
    assert any((entry.addresses != quick[name]).any() for name, entry in entries.items()), (
        "in the place of the old code"
    )
    after = compiled.simulate(stop=5.0, solver=solver)
    assert np.array_equal(first.time, after.time)
    for path in ("x", "v", "a[7]" if kind is Oscillators else "a[29,8]"):
        assert np.array_equal(again[path], during[path])
        assert np.array_equal(again[path], after[path])
