"""Networks of friction elements written as in the Modelica library, against motion computed event by event."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from engine.friction_networks import GROUND, Friction, drawn, exact, network, values_of
from shared_models import shared_model

_NETWORKS = {
    "brake": (((0, GROUND),), 1),
    "clutches": (((0, 1), (1, 2), (2, GROUND)), 3),
    "tree": (((0, 1), (0, 2), (0, GROUND), (2, 3)), 4),
}
_STEPS = 4
_STOP = 3.0
_TIMES = np.linspace(0.0, _STOP, 31)


@pytest.mark.parametrize("name", _NETWORKS)
def test_random_friction_networks(name: str) -> None:
    """Speeds are piecewise linear, which every method integrates to rounding; events are found to 1e-12 s or so."""
    ends, bodies = _NETWORKS[name]
    compiled = tg.compile(network(ends, bodies, _STEPS)())
    for seed in range(12):
        numbers = drawn(np.random.default_rng([seed, bodies]), ends, bodies, _STEPS)
        solver = ("rk45", "cvode", "ida", "rodas")[seed % 4]
        run = compiled.simulate(
            _STOP,
            parameters=values_of(numbers),
            initial={"w": numbers.speeds},
            solver=solver,
            rtol=1e-8,
            points=_TIMES,
        )
        found = np.array([run.at(t)["w"] for t in _TIMES[1:]])
        np.testing.assert_allclose(found, exact(numbers, _STOP, _TIMES)[1:], atol=1e-8, err_msg=f"seed {seed}")


class OpenClutch(tg.Component):
    """A brake, and a released clutch to a body that nothing drives: its relations compare zeros and roundings."""

    w = tg.variable(shape=3, start=0.0, fixed=True)
    J = tg.parameter([1.0, 0.7, 0.3], shape=3)
    brake = Friction(most=2.0)
    clutch = Friction(most=1.0)
    second = Friction(most=0.0)

    def equations(self) -> Any:
        yield self.brake.w == self.w[0]
        yield self.brake.pressed == 1.0
        yield self.clutch.w == self.w[0] - self.w[1]
        yield self.clutch.pressed == tg.where(tg.time < 1.0, 0.0, 1.0)
        yield self.second.w == self.w[1] - self.w[2]
        yield self.second.pressed == 0.0
        load = 3.0 * tg.sin(2.0 * tg.time) - self.brake.tau - self.clutch.tau
        yield self.J[0] * tg.der(self.w[0]) == load
        yield self.J[1] * tg.der(self.w[1]) == self.clutch.tau - self.second.tau - 1e-30 * tg.sin(9.0 * self.w[0])
        yield self.J[2] * tg.der(self.w[2]) == self.second.tau


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida", "rodas"])
def test_relations_that_do_not_matter_make_no_events(solver: str) -> None:
    """Starting, sticking and engaging are a few events; relations of what is released switch all the time."""
    with pytest.warns(UserWarning, match=r"all values of w\[2\] are below 1e-15 of others of their kind"):
        run = tg.simulate(OpenClutch(), 3.0, solver=solver)
    assert len(run.events) < 20
    np.testing.assert_allclose(run["w[2]"], 0.0, atol=1e-12)


class Firing(tg.Component):
    """A voltage from zero on, and a timer that begins with it: what it fires waits for both, at the same instant."""

    x = tg.variable(start=0.0, fixed=True)
    begun = tg.variable(start=0.0, discrete=True)
    positive = tg.boolean()
    fires = tg.boolean()
    off = tg.boolean(start=True)
    s = tg.variable()

    def equations(self) -> Any:
        yield self.positive == (tg.sin(self.x) > 0.0)
        yield tg.when(self.positive, self.begun == tg.time)
        clock = tg.where(self.positive, tg.time - self.begun, 0.0)
        yield self.fires == (clock > 0.1 * self.x)
        yield self.off == (self.s < 0.0) | (tg.pre(self.off) & ~self.fires)
        voltage = self.s * tg.where(self.off, 1.0, 1e-5)
        current = self.s * tg.where(self.off, 1e-5, 1.0)
        yield tg.sin(self.x) == voltage + current
        yield tg.der(self.x) == 1.0


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida", "rodas"])
def test_a_thyristor_fired_where_its_voltage_starts(solver: str) -> None:
    """It conducts from t = 0 to pi, and from 2 pi + 0.1 t on: t = 2 pi/0.9."""
    run = shared_model(Firing).simulate(8.0, solver=solver, rtol=1e-8)
    switched = run.time[1:][np.diff(run["off"]) != 0]
    np.testing.assert_allclose(switched[-2:], [np.pi, 2.0 * np.pi / 0.9], atol=1e-6)
    np.testing.assert_allclose(run.at([1.0, 4.0, 7.5])["off"], [0.0, 1.0, 0.0])
