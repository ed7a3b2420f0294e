"""A compiled model has the values of the moment it was compiled: a run says so when the model has changed since."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable

import pytest

import tellegen as tg
from tellegen.library import electrical as el


class Divider(tg.Component):
    v = el.ConstantVoltage(V=10.0)
    r1 = el.Resistor(R=1.0)
    r2 = el.Resistor(R=1.0)
    c = el.Capacitor(C=1.0, v=tg.variable(start=0.0, fixed=True))
    ground = el.Ground()

    def connections(self):
        yield self.v.p, self.r1.p
        yield self.r1.n, self.r2.p, self.c.p
        yield self.v.n, self.r2.n, self.c.n, self.ground.p


def _resistance(model: Divider) -> None:
    model.r2.R = 3.0


def _start(model: Divider) -> None:
    model.c.v.start = 2.0


def _child(model: Divider) -> None:
    model.r2 = el.Resistor(R=5.0)


@pytest.mark.parametrize("change", [_resistance, _start, _child])
def test_a_change_after_compiling_is_reported_once(change: Callable[[Divider], None]) -> None:
    model = Divider()
    compiled = tg.compile(model)
    before = compiled.simulate(1.0)["c.v"][-1]
    change(model)
    with pytest.warns(UserWarning, match=r"Divider was changed after it was compiled.*tg\.compile"):
        assert compiled.simulate(1.0)["c.v"][-1] == before
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled.simulate(1.0)
        assert tg.simulate(model, 1.0)["c.v"][-1] != before


def test_a_part_added_to_a_system_is_reported() -> None:
    s = tg.System("circuit")
    s.add(v=el.ConstantVoltage(V=1.0), r=el.Resistor(R=1.0), g=el.Ground())
    s.connect(s.v.p, s.r.p)
    s.connect(s.v.n, s.r.n, s.g.p)
    compiled = tg.compile(s)
    s.add(r2=el.Resistor(R=1.0))
    s.connect(s.r2.p, s.r.p)
    with pytest.warns(UserWarning, match="circuit was changed"):
        tg.simulate(compiled, 1.0)


def test_nothing_is_said_of_models_that_stayed_as_they_were() -> None:
    """Reading a model, and giving parameters to a run, changes nothing."""
    model = Divider()
    compiled = tg.compile(model)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "r1" in repr(model)
        assert model.r1.R is not None
        tg.flatten(model)
        tg.simulate(compiled, 1.0, parameters={"r2.R": 2.0})
        pickle.loads(pickle.dumps(compiled)).simulate(1.0)
