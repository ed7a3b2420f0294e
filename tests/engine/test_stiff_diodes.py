"""Bridges of ideal diodes that were hard to begin with: no rest under explicit steps, roundings taken for signals."""

from __future__ import annotations

from typing import Any

import pytest

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import photovoltaic as pv
from tellegen.library import polyphase as pp
from tellegen.library import power_converters as pc


class Bridge(tg.Component):
    """Six diodes behind inductances: all currents begin at zero, on the corner of every diode."""

    grid = pp.Grid(use_impedance=True)
    bridge = pc.DiodeBridge2mPulse()
    choke = el.Inductor(L=0.05)
    load = el.Resistor(R=10.0)
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.grid.plug_p, self.bridge.ac
        yield self.grid.pin_n, self.ground.p
        yield self.bridge.dc_p, self.choke.p
        yield self.choke.n, self.load.p
        yield self.load.n, self.bridge.dc_n


def test_cvode_goes_where_explicit_steps_find_no_rest() -> None:
    """Explicit steps overshoot the corner, so CVODE makes the run; asked for, they are many, and a warning says so."""
    with pytest.warns(UserWarning, match="looks stiff"):
        explicit = tg.simulate(Bridge(), 0.001, solver="rk45")
    assert explicit.outcome.ok
    s = tg.simulate(Bridge(), 0.01)
    assert s.outcome.ok
    assert s.stats["solver"] == "cvode"


def test_rounding_of_a_loop_is_no_fast_signal() -> None:
    """The angle of the grid is a state, so with states held only rounding moves the diodes; steps stay long."""

    class Driven(tg.Component):
        grid = pp.Grid()
        bridge = pc.DiodeBridge2mPulse(Ron=1e-6, Goff=1e-7)
        load = el.ConstantCurrent(I=50.0)
        x = tg.variable("V.s", start=0.0)
        ground = el.Ground()

        def equations(self) -> Any:
            yield tg.der(self.x) == self.load.v * tg.cos(1885.0 * tg.time)

        def connections(self) -> Any:
            yield self.grid.plug_p, self.bridge.ac
            yield self.grid.pin_n, self.ground.p
            yield self.bridge.dc_p, self.load.p
            yield self.bridge.dc_n, self.load.n

    s = tg.simulate(Driven(), 0.02, max_steps=2000)
    assert s.outcome.ok
    assert s.stats["steps"] < 2000


def test_a_sampled_unknown_of_a_loop_comes_to_rest() -> None:
    """The current of a solar module is iterated: its last digits may change in every round of an instant."""

    class Sampled(tg.Component):
        module = pv.Module()
        converter = pv.TrackingConverter(v1=tg.variable(start=22.0, fixed=True))
        battery = el.ConstantVoltage(V=48.0)
        i = tg.variable("A", "sampled", discrete=True)
        ground = el.Ground()

        def equations(self) -> Any:
            yield self.converter.v_ref == 22.0 + 10.0 * tg.sin(tg.time)
            yield tg.when(tg.sample(0.0, 1e-3), self.i == self.module.i)

        def connections(self) -> Any:
            yield self.module.p, self.converter.p1
            yield self.module.n, self.converter.n1, self.ground.p
            yield self.converter.p2, self.battery.p
            yield self.converter.n2, self.battery.n, self.ground.p

    s = tg.simulate(Sampled(), 2.0)  # it came to none at 0.921 s
    assert s.outcome.ok
    assert s["i"][-1] == pytest.approx(s["module.i"][-1], rel=1e-12)
