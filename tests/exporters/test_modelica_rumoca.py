"""Exported Modelica text, compiled and simulated by rumoca, against our own runs.

rumoca (https://pypi.org/project/rumoca) shares nothing with Tellegen: its parser, flattening, index reduction and
solvers are its own. Both run with relative tolerances of 1e-9; differences are relative to the largest value that a
variable has in the run (at least 1e-6), and 1e-5 is what two solvers of that tolerance may be apart after an event.
"""

from __future__ import annotations

from typing import Any

import pytest

import tellegen as tg
import tellegen.library.blocks as blocks
import tellegen.library.electrical as el
import tellegen.library.hydraulic as hyd
import tellegen.library.rotational as rot
import tellegen.library.thermal as th
import tellegen.library.translational as tr
from exporters.modelica_reader import compare
from exporters.random_networks import random_system
from exporters.whole_examples import example

pytest.importorskip("rumoca", reason="the independent reader of Modelica: pip install 'tellegen[dev]'")


@pytest.mark.parametrize(
    ("path", "stop", "compared"),
    [
        ("dc_drive:Drive", 2.0, 23),
        ("op_amp_drive:Amplified", 5.0, 52),  # a limited integrator: modes and transitions
        ("rectifier:Rectifier", 0.04, 59),  # ideal diodes
        ("buck_converter:Buck", 2e-4, 45),  # PWM
        ("suspension:QuarterCar", 2.0, 29),
        ("positioning:Positioning", 1.0, 49),
        ("gear_ratio:Move", 1.0, 21),
        ("pendulum:Pendulum", 1.5, 5),  # index 3
        ("four_bar:FourBar", 1.0, 139),  # a planar mechanism with a loop
        ("bouncing_ball:Ball", 1.2, 3),
        ("two_tanks:Tanks", 600.0, 10),  # a state machine
        ("thermostat_house:House", 7200.0, 129),
        ("refrigerators:Refrigerator", 3600.0, 2),
        ("fan:Cooled", 300.0, 46),
        ("heat_rod:Rod", 350.0, 1000),  # arrays and loops
        ("tune_controller:Drive", 1.0, 58),
    ],
)
def test_examples(path: str, stop: float, compared: int) -> None:
    found = compare(example(path), stop)
    assert len(found.differences) == compared
    assert found.worst[1] < 1e-4 if "four_bar" in path else found.worst[1] < 1e-5, found.worst


class Ladder(tg.Component):
    """Arrays of parts with values of their own, and a ramp."""

    source = el.SignalVoltage()
    ramp = blocks.Ramp(height=3.0, duration=0.3)
    r = el.Resistor.array(4, R=[1.0, 2.0, 3.0, 4.0])
    c = el.Capacitor.array(4, C=0.1, v=tg.variable(start=[0.1, 0.2, 0.3, 0.4], fixed=True))
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.ramp.y, self.source.u
        yield self.source.p, self.r[0].p
        yield self.r[:3].n, self.r[1:].p
        yield self.r.n, self.c.p
        yield self.c.n, self.ground.p
        yield self.source.n, self.ground.p


class Sampled(tg.Component):
    """A sampled controller with a table, an integer counter and a delayed measurement."""

    clock = tg.Clock("50 ms")
    x = tg.variable(start=0.5, fixed=True)
    u = tg.variable(discrete=True, start=0.0)
    ticks = tg.integer("samples so far")
    late = tg.variable()

    def equations(self) -> Any:
        yield tg.der(self.x) == self.u - 0.2 * self.x
        yield tg.when(
            self.clock.tick,
            self.u == -tg.interpolate(self.x - 0.1, [-1.0, 0.0, 1.0], [-2.0, 0.0, 1.0]),
            self.ticks == tg.pre(self.ticks) + 1,
        )
        yield self.late == tg.delay(self.x, 0.17)


class Thermostat(tg.Component):
    """A mode, an enumeration and a condition that holds at the start."""

    T = tg.variable("degC", start=15.0, fixed=True)
    state = tg.enumeration(["off", "heating", "full"])
    started = tg.integer()

    def equations(self) -> Any:
        power = tg.where(self.state == "off", 0.0, tg.where(self.state == "heating", 1.0, 2.0))
        yield tg.der(self.T) == 0.3 * power - 0.02 * (self.T - 278.15)
        yield (
            tg.when(self.T > 295.15, self.state == "off")
            .elsewhen(self.T < 291.15, self.state == "heating", self.started == tg.pre(self.started) + 1)
            .elsewhen(self.T < 285.15, self.state == "full")
        )


class Levels(tg.Component):
    """Hydraulics: two open tanks, and an orifice between them; the oil is an outer component."""

    oil = hyd.Oil()
    high = hyd.OpenTank(A=0.5, level=tg.variable(start=2.0, fixed=True))
    orifice = hyd.Orifice(A="2 cm2")
    low = hyd.OpenTank(A=0.2, level=tg.variable(start=0.5, fixed=True))

    def connections(self) -> Any:
        yield self.high.port, self.orifice.port_a
        yield self.orifice.port_b, self.low.port


class Ticks(tg.Component):
    """Samples at the start, counted and excluded, and a condition that holds at the start."""

    x = tg.variable(start=0.0, fixed=True)
    all = tg.integer()
    later = tg.integer()
    crossings = tg.integer("of a condition that holds at the start")

    def equations(self) -> Any:
        tick = tg.sample(0.0, 0.1)
        yield tg.der(self.x) == tg.cos(9.0 * tg.time)
        yield tg.when(tick, self.all == tg.pre(self.all) + 1)
        yield tg.when(tick & ~tg.initial(), self.later == tg.pre(self.later) + 1)
        yield tg.when(self.x > -0.05, self.crossings == tg.pre(self.crossings) + 1)


class Heated(tg.Component):
    """Settled initially: initial equations, and a resistance that depends on temperature."""

    plate = th.HeatCapacitor(C=20.0)
    to_air = th.ThermalConductor(G=2.0)
    air = th.FixedTemperature(T=293.15)
    heater = th.PrescribedHeatFlow()
    power = blocks.Step(height=10.0, start_time=1.0, offset=5.0)

    def connections(self) -> Any:
        yield self.power.y, self.heater.Q_flow
        yield self.heater.port, self.plate.port, self.to_air.port_a
        yield self.to_air.port_b, self.air.port

    def initial_equations(self) -> Any:
        yield tg.der(self.plate.T) == 0


class Coupled(tg.Component):
    """Rotation and translation through a rack, a spring and a stop with an elastic contact."""

    shaft = rot.Inertia(J=0.01, w=tg.variable(start=20.0, fixed=True))
    damper = rot.Damper(d=0.02)
    wall = rot.Fixed()
    rack = rot.IdealGearR2T(ratio=20.0)
    cart = tr.Mass(m=0.5)
    spring = tr.Spring(c=200.0)
    end = tr.Fixed()

    def connections(self) -> Any:
        yield self.shaft.flange_b, self.damper.flange_a, self.rack.flange_r
        yield self.damper.flange_b, self.wall.flange
        yield self.rack.flange_t, self.cart.flange_a
        yield self.cart.flange_b, self.spring.flange_a
        yield self.spring.flange_b, self.end.flange


@pytest.mark.parametrize(
    ("model", "stop"),
    [
        (Ladder, 1.0),
        (Sampled, 1.0),
        (Thermostat, 60.0),
        (Levels, 100.0),
        (Heated, 20.0),
        (Ticks, 2.05),
        (Coupled, 1.0),
    ],
)
def test_small_models(model: type[tg.Component], stop: float) -> None:
    found = compare(model(), stop)
    assert len(found.differences) >= 2
    assert found.worst[1] < 1e-5, found.worst


@pytest.mark.parametrize("seed", range(8))
def test_random_networks(seed: int) -> None:
    found = compare(random_system(seed), 1.0)
    assert found.worst[1] < 1e-5, found.worst
