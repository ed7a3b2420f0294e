"""Models written as documents of version 1: the same curves when they are read, and refusals by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks, fluid, multibody, rotational
from tellegen.library import electrical as el


class Drive(tg.Component):
    """A motor that turns a wheel."""

    V = tg.parameter(12.0, "V")
    k = tg.parameter(50.0, "mN.m/A", "torque constant", min=0.0)
    source = el.ConstantVoltage(V=V)
    r = el.Resistor(R=2.4)
    coil = el.Inductor(L=0.5e-3)
    emf = el.EMF(k=2.0 * k)
    ground = el.Ground()
    wheel = rotational.Inertia(J=2e-4)
    brake = rotational.Damper(d=1e-4)
    wall = rotational.Fixed()

    def connections(self) -> Any:
        yield self.source.p, self.r.p
        yield self.r.n, self.coil.p
        yield self.coil.n, self.emf.p
        yield self.emf.n, self.source.n, self.ground.p
        yield self.emf.flange, self.wheel.flange_a
        yield self.wheel.flange_b, self.brake.flange_a
        yield self.brake.flange_b, self.wall.flange


class Lag(tg.Component):
    """A state between two signals."""

    u = tg.input()
    y = tg.output()
    x = tg.variable(start=0.5)

    def equations(self) -> Any:
        yield 0.5 * tg.der(self.x) == self.u - self.x
        yield self.y == self.x


class Loop(tg.Component):
    """Signals: a first-order lag that follows its input."""

    wanted = blocks.Constant(k=3.0)
    difference = blocks.Feedback()
    regulator = blocks.Gain(k=4.0)
    plant = Lag()

    def connections(self) -> Any:
        yield self.wanted.y, self.difference.u1
        yield self.plant.y, self.difference.u2
        yield self.difference.y, self.regulator.u
        yield self.regulator.y, self.plant.u


class Rectifier(tg.Component):
    """A diode: parameters that are computed from others, and written in their order."""

    source = el.ConstantVoltage(V=5.0)
    r = el.Resistor(R=10.0)
    diode = el.Diode()
    c = el.Capacitor(C=1e-4)
    load = el.Resistor(R=100.0)
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.r.p
        yield self.r.n, self.diode.p
        yield self.diode.n, self.c.p, self.load.p
        yield self.source.n, self.c.n, self.load.n, self.ground.p


class Falling(tg.Component):
    """Its own numbers, literals among them, and an assertion."""

    g = tg.parameter(981.0, "cm/s2")
    h = tg.variable("m", start=10.0, fixed=True)
    v = tg.variable("m/s", start=-0.5, fixed=True)
    flange_v = tg.variable("m/s")

    def equations(self) -> Any:
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -self.g - 0.25 * self.v
        yield self.flange_v == -3.0 * self.v
        yield tg.assert_(self.h > -100.0, "below the ground")  # noqa: PT009


@pytest.mark.parametrize(
    ("model", "stop", "paths"),
    [
        (Drive(), 0.3, ["wheel.w", "coil.i"]),
        (Drive(k=30.0), 0.3, ["wheel.w", "coil.i"]),
        (Loop(), 2.0, ["plant.y", "difference.y"]),
        (Rectifier(), 0.05, ["load.v"]),
        (Falling(), 1.0, ["h", "v", "flange_v"]),
    ],
    ids=["drive", "drive with another constant", "signals", "diode", "one component"],
)
def test_the_same_curves(model: Any, stop: float, paths: list[str]) -> None:
    text = tg.write_markup(model, version=1)
    assert text == tg.write_markup(model, version=1)
    read = tg.read_markup(text=text)
    again = read.implementations[type(model).__name__]()
    expected = tg.simulate(model, stop, rtol=1e-8)
    found = tg.simulate(again, stop, rtol=1e-8)
    for path in paths:
        np.testing.assert_allclose(found[path], expected[path], rtol=1e-6, atol=1e-9)
    assert tg.write_markup(read) == text


def test_numbers_are_in_si_units() -> None:
    """Version 1 knows no units."""
    drive = tg.read_markup(text=tg.write_markup(Drive(k=30.0), version=1)).implementations["Drive"]()
    assert tg.simulate(drive, 0.01)["k"] == 0.03


class Arrays(tg.Component):
    T = tg.variable("K", shape=3, start=300.0)

    def equations(self) -> Any:
        yield tg.der(self.T) == -self.T


class Jumping(tg.Component):
    x = tg.variable(start=1.0)

    def equations(self) -> Any:
        yield tg.der(self.x) == 1.0
        yield tg.when(self.x > 2.0, tg.reinit(self.x, 0.0))


class Resting(tg.Component):
    x = tg.variable(start=1.0)

    def equations(self) -> Any:
        yield tg.der(self.x) == 1.0 - self.x

    def initial_equations(self) -> Any:
        yield tg.der(self.x) == 0.0


class Reading(tg.Component):
    """An equation over the members of a part."""

    r = el.Resistor(R=1.0)
    power = tg.variable("W")

    def equations(self) -> Any:
        yield self.power == self.r.v * self.r.i


class Started(tg.Component):
    """A start value that a quantity of a port has."""

    y = tg.output(start=2.0)

    def equations(self) -> Any:
        yield tg.der(self.y) == -self.y


class Row(tg.Component):
    cells = el.Resistor.array(3, R=1.0)


class Held(tg.Component):
    """A fixed start of something that is no state."""

    x = tg.variable(start=1.0)
    y = tg.variable(start=2.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == -self.x
        yield self.y == 2.0 * self.x


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (Arrays(), "array"),
        (Jumping(), "a when-statement"),
        (Resting(), "an initial equation"),
        (Reading(), "an equation that reads members of 'r'"),
        (Started(), "the start value of 'y', which belongs to a port"),
        (blocks.FirstOrder(), "a start value that is computed"),
        (el.SineVoltage(), "an equation that reads members of 'signal_source'"),
        (Row(), "the array of components 'cells'"),
        (Held(), "the fixed start of 'y', which is not a state"),
        (multibody.World(), "World"),
        (fluid.MassFlowSource_h(), "MassFlowSource_h"),
        (el.IdealDiode(), "IdealDiode"),
        (blocks.Pulse(), "Pulse"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_what_version_1_cannot_say(model: Any, words: str) -> None:
    with pytest.raises(tg.DocumentError) as caught:
        tg.write_markup(model, version=1)
    assert caught.value.code == "E852"
    assert caught.value.message.startswith("version 1 has no words for ")
    assert words in caught.value.message


def test_candidates_are_not_left_out_silently() -> None:
    with pytest.raises(tg.DocumentError, match="not with candidates"):
        tg.write_markup(Drive(), candidates=True, version=1)


def test_an_unknown_version() -> None:
    with pytest.raises(tg.DocumentError, match="version 1 or 2"):
        tg.write_markup(Drive(), version=3)
