"""The Modelica text itself: golden packages, names, numbers, loops, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
import tellegen.library.blocks as blocks
from exporters.random_networks import Bank, Counter, random_system
from golden import check_golden
from golden_models.electric import RC


class Everything(tg.Component):
    """Arrays, nested parts, events and a table in one model."""

    k = tg.parameter(3.0, description="what the bank is given")
    bank = Bank(n=2, T=[0.2, 0.4], k=2 * k)
    count = Counter(level=0.25)
    sine = blocks.Sine(amplitude=2.0, f=1.0)
    x = tg.variable("m", start=1.0, fixed=True, shape=(2, 2))
    ball = tg.variable("m", start=1.0, fixed=True)
    speed = tg.variable("m/s", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == -self.k * self.x
        yield tg.der(self.ball) == self.speed
        yield tg.der(self.speed) == tg.interpolate(self.ball, [0.0, 1.0, 3.0], [-9.0, -9.5, -9.8])
        yield tg.when(self.ball < 0, tg.reinit(self.speed, -0.7 * tg.pre(self.speed)))
        yield tg.region(self.ball < 10.0, 'the "roof" is reached')

    def connections(self) -> Any:
        yield self.sine.y, self.bank.u
        yield self.bank.y, self.count.u


@pytest.mark.golden
@pytest.mark.parametrize("model", [RC, Everything])
def test_golden(model: type[tg.Component]) -> None:
    check_golden(f"modelica/{model.__name__.lower()}", tg.write_modelica(model()))


def test_written_twice_is_the_same_text(tmp_path: Path) -> None:
    for seed in range(3):
        first = tg.write_modelica(random_system(seed), tmp_path / "a.mo")
        tg.write_modelica(random_system(seed), tmp_path / "b.mo")
        assert (tmp_path / "a.mo").read_bytes() == (tmp_path / "b.mo").read_bytes() == first.encode()


def test_the_package_has_the_name_that_is_asked_for() -> None:
    text = tg.write_modelica(RC(), name="Filter")
    assert text.startswith("package Filter\n")
    assert text.endswith("end Filter;\n")


def test_numbers_keep_all_digits() -> None:
    values = [0.1 + 0.2, 1e-300, np.pi * 1e20, -1 / 3]

    class Numbers(tg.Component):
        p = tg.parameter(values, shape=4)
        x = tg.variable()

        def equations(self) -> Any:
            yield self.x == tg.sum(self.p) + 1e-17

    text = tg.write_modelica(Numbers())
    listed = re.search(r"parameter Real p\[4\] = \{(.*?)\}", text)
    assert listed is not None
    assert [float(number) for number in listed[1].split(",")] == values
    assert "1e-17" in text


def test_names_that_are_no_identifiers_are_quoted_and_unique() -> None:
    class Names(tg.Component):
        end = tg.variable("V")
        model = tg.parameter(2.0)
        Real = tg.variable()
        ω = tg.variable("rad/s", start=0.0, fixed=True)
        uω = tg.variable()
        x = tg.variable(start=0.0, fixed=True)
        x_der = tg.variable()

        def equations(self) -> Any:
            yield self.end == self.model
            yield self.Real == self.end
            yield tg.der(self.ω) == self.x_der
            yield self.uω == self.ω
            yield tg.der(tg.der(self.x)) == -self.x
            yield self.x_der == tg.time

    text = tg.write_modelica(Names())
    assert "parameter Real 'model' = 2.0;" in text
    assert "'end' = 'model';" in text
    assert "'Real' = 'end';" in text
    declared = re.findall(r"^    (?:parameter )?Real (\S+?)(?:\(.*)?(?: = .*)?;$", text, re.MULTILINE)
    assert len(declared) == len(set(declared)) == 8
    assert all(name.isascii() for name in declared)


def test_units_are_coherent_and_the_declared_ones_are_shown() -> None:
    class Units(tg.Component):
        T = tg.parameter("20 degC", "degC")
        R = tg.parameter("2.2 kohm", "kohm")
        w = tg.parameter(60.0, "rpm")
        h = tg.parameter(5.0, "W/(m2.K)")
        x = tg.variable("mm")

        def equations(self) -> Any:
            yield self.x == 1e-3 * (self.T - self.T)

    text = tg.write_modelica(Units())
    assert 'T(unit = "K", displayUnit = "degC") = 293.15' in text
    assert 'R(unit = "Ohm", displayUnit = "kOhm") = 2200.0' in text
    assert 'displayUnit = "rev/min"' in text
    assert 'h(unit = "W/(m2.K)") = 5.0' in text
    assert 'x(unit = "m", displayUnit = "mm")' in text


def test_rows_are_loops_where_subscripts_are_regular() -> None:
    class Chain(tg.Component):
        x = tg.variable(shape=5, start=1.0, fixed=True)
        y = tg.variable(shape=(2, 3))

        def equations(self) -> Any:
            yield tg.der(self.x[1:]) == self.x[:4] - self.x[1:]
            yield tg.der(self.x[0]) == -self.x[0]
            yield self.y == self.x[0] * np.arange(6.0).reshape(2, 3)

    text = tg.write_modelica(Chain())
    assert "for k in 1:4 loop" in text
    assert "der(x[k + 1]) = x[k] - x[k + 1];" in text
    assert re.search(r"for k in 1:2 loop\n +for l in 1:3 loop\n +y\[k, l\] = x\[1\]\*literal\d\[3\*k \+ l - 3\]", text)


def test_a_sample_at_the_start_is_part_of_the_start() -> None:
    class Ticks(tg.Component):
        once = tg.integer()

        def equations(self) -> Any:
            yield tg.when(tg.sample(0.0, 0.1) | tg.initial(), self.once == tg.pre(self.once) + 1)

    text = tg.write_modelica(Ticks())
    assert "parameter Real begins(fixed = false)" in text
    assert "begins = time;" in text
    assert "when {initial(), sample(0.0, 0.1) and time > begins} then" in text


@tg.function
def _unreadable(x: float) -> float:
    return x if x > 0 else 2.0 * x


def _refused(code: str, model: tg.Component) -> str:
    with pytest.raises(tg.ExportError) as caught:
        tg.write_modelica(model)
    assert caught.value.code == code
    return str(caught.value)


def test_code_that_cannot_be_read_is_refused() -> None:
    class Opaque(tg.Component):
        x = tg.variable(start=1.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == _unreadable(self.x)

    assert "'_unreadable'" in _refused("E420", Opaque())


def test_a_delay_that_varies_is_refused() -> None:
    class Varying(tg.Component):
        x = tg.variable(start=1.0, fixed=True)
        y = tg.variable()

        def equations(self) -> Any:
            yield tg.der(self.x) == 1.0
            yield self.y == tg.delay(self.x, 0.1 * self.x)

    assert "a delay" in _refused("E421", Varying())


def test_outer_components_are_inner_where_they_stand() -> None:
    class Air(tg.Component):
        T = tg.parameter(300.0)

    class Wind(Air):
        v = tg.parameter(2.0)

    class Part(tg.Component):
        air = tg.outer("air")
        x = tg.variable()

        def equations(self) -> Any:
            yield self.x == self.air.T

    class Room(tg.Component):
        air = Air()
        part = Part()

    class Both(tg.Component):
        room = Room()
        windy = Room(air=Wind())

    text = tg.write_modelica(Both())
    assert "inner Air air;" in text
    assert "inner Wind air;" in text
    assert "outer Wind air;" in text  # a part that sees another class is another class
    assert "model Part_2" in text


def test_a_file_that_cannot_be_written() -> None:
    with pytest.raises(tg.ExportError, match="E404"):
        tg.write_modelica(RC(), "/no/such/folder/rc.mo")
