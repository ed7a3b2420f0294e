"""VHDL-AMS text: golden files, and what a reader written from the rules of IEEE 1076.1 says about exported models.

The reader (vhdl_ams_reader.py) checks syntax, declarations and associations, and that every architecture has as many
simultaneous statements as unknowns, the rule of solvability.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import tellegen as tg
import tellegen.library.electrical as el
import tellegen.library.fluid as fluid
from exporters.random_networks import random_system
from exporters.test_modelica_text import Everything
from golden import check_golden
from golden_models.electric import RC
from tellegen.markup.formats import convert

pytest.importorskip("lark", reason="the parser of the VHDL-AMS reader: pip install 'tellegen[dev]'")

from exporters.vhdl_ams_reader import read
from exporters.whole_examples import example


class Measured(tg.Component):
    """A composite whose equations read the current through its own port and a variable of a part."""

    p = el.Pin()
    n = el.Pin()
    r = el.Resistor(R=2.0)
    c = el.Capacitor(C=0.5, v=tg.variable(start=1.0, fixed=True))
    charge = tg.variable("C", start=0.0, fixed=True)
    power = tg.variable("W")

    def equations(self) -> Any:
        yield tg.der(self.charge) == self.p.i
        yield self.power == self.r.v * self.r.i

    def connections(self) -> Any:
        yield self.p, self.r.p
        yield self.r.n, self.c.p
        yield self.c.n, self.n


class Bench(tg.Component):
    """Two of them between a source and ground."""

    source = el.SineVoltage(V=5.0, f=50.0)
    first = Measured()
    second = Measured()
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.first.p
        yield self.first.n, self.second.p
        yield self.second.n, self.source.n, self.ground.p


@pytest.mark.golden
@pytest.mark.parametrize("model", [RC, Everything, Bench])
def test_golden(model: type[tg.Component]) -> None:
    text = tg.write_vhdl_ams(model())
    read(text)
    check_golden(f"vhdl_ams/{model.__name__.lower()}", text)


def test_a_current_into_parts_is_measured_by_a_branch_without_voltage() -> None:
    text = tg.write_vhdl_ams(Bench())
    assert "quantity p_drop across p_i through p to p_inside;" in text
    assert "p_drop == 0.0;" in text
    assert read(text)["measured"] == 3  # charge, power, p_i; what the resistor shows is determined there


@pytest.mark.parametrize(
    ("path", "unknowns"),
    [
        ("dc_drive:Drive", 16),
        ("rectifier:Rectifier", 21),
        ("buck_converter:Buck", 34),
        ("grid_inverter:Feeding", 106),  # three phases: arrays of connectors, a controller
        ("op_amp_drive:Amplified", 39),
        ("bouncing_ball:Ball", 3),
        ("two_tanks:Tanks", 13),  # a state machine
        ("stick_slip:Belt", 23),
        ("clutch_drive_train:Car", 86),
        ("solenoid_valve:Valve", 65),
        ("heat_rod:Rod", 1000),
        ("cascade_drive:Servo", 51),  # sampled controllers
        ("tune_controller:Drive", 42),
    ],
)
def test_examples(path: str, unknowns: int) -> None:
    assert sum(read(tg.write_vhdl_ams(example(path))).values()) == unknowns


@pytest.mark.parametrize("seed", range(12))
def test_random_networks(seed: int) -> None:
    assert sum(read(tg.write_vhdl_ams(random_system(seed))).values()) > 3


def test_written_twice_is_the_same_text(tmp_path: Path) -> None:
    first = tg.write_vhdl_ams(random_system(3), tmp_path / "a.vhd")
    tg.write_vhdl_ams(random_system(3), tmp_path / "b.vhd")
    assert (tmp_path / "a.vhd").read_bytes() == (tmp_path / "b.vhd").read_bytes() == first.encode()


def test_the_ending_of_a_file_decides(tmp_path: Path) -> None:
    for ending, text in ((".vhd", tg.write_vhdl_ams(RC())), (".mo", tg.write_modelica(RC()))):
        convert(RC(), tmp_path / f"rc{ending}")
        assert (tmp_path / f"rc{ending}").read_text(encoding="utf-8") == text


def test_names_are_unique_without_case_and_reserved_words_are_extended() -> None:
    class Names(tg.Component):
        signal = tg.variable(start=0.0, fixed=True)
        R = tg.parameter(2.0)
        r = tg.variable()
        x__y = tg.variable()

        def equations(self) -> Any:
            yield tg.der(self.signal) == self.R
            yield self.r == self.signal
            yield self.x__y == 1e-5 * self.r

    text = tg.write_vhdl_ams(Names())
    read(text)
    assert "quantity \\signal\\ : real;" in text
    assert "R : real := 2.0" in text
    assert "quantity r_2 : real;" in text
    assert "\\x__y\\ == 1.0e-05*r_2;" in text


def test_ticks_and_table_functions() -> None:
    class Sampled(tg.Component):
        x = tg.variable(start=0.5, fixed=True)
        u = tg.variable(discrete=True, start=0.0)
        n = tg.integer()

        def equations(self) -> Any:
            yield tg.der(self.x) == self.u
            yield tg.when(
                tg.sample(0.0, 0.1),
                self.n == tg.pre(self.n) + 1,
                self.u == -tg.interpolate(self.x, [0.0, 1.0], [0.0, 2.0]) * self.n,
            )

    text = tg.write_vhdl_ams(Sampled())
    read(text)
    assert re.search(r"wait for 0\.1;", text)
    assert "n <= n + 1;" in text
    assert "u <= -interpolate(x)*(real(n) + 1.0);" in text  # the new value of n
    assert "break on u;" in text


def test_a_tick_at_the_start_is_part_of_the_start() -> None:
    class Ticks(tg.Component):
        later = tg.integer()
        once = tg.integer()

        def equations(self) -> Any:
            tick = tg.sample(0.0, 0.1)
            yield tg.when(tick & ~tg.initial(), self.later == tg.pre(self.later) + 1)
            yield tg.when(tick | tg.initial(), self.once == tg.pre(self.once) + 1)

    text = tg.write_vhdl_ams(Ticks())
    read(text)
    assert "if (tick'event and now > 0.0) then" in text
    assert "if (tick_2'event and now > 0.0) or started'event then" in text


def _refused(code: str, model: tg.Component) -> str:
    with pytest.raises(tg.ExportError) as caught:
        tg.write_vhdl_ams(model)
    assert caught.value.code == code
    return str(caught.value)


@tg.function
def _unreadable(x: float) -> float:
    return x if x > 0 else 2.0 * x


class Tanks(tg.Component):
    """Two levels; what is said of the second one at the start depends on `half`."""

    half = tg.parameter("steady", structural=True)
    a0 = tg.parameter(2.0)
    a = tg.variable()
    b = tg.variable()

    def equations(self) -> Any:
        yield tg.der(self.a) == -self.a
        yield tg.der(self.b) == self.a - self.b

    def initial_equations(self) -> Any:
        yield 2.0 * self.a0 == self.a
        if self.half == "steady":
            yield tg.der(self.b) == 0.0
        if self.half == "sum":
            yield self.a + self.b == 5.0


def test_initial_equations_are_breaks_and_the_quiescent_point() -> None:
    text = tg.write_vhdl_ams(Tanks())
    read(text)
    assert text.count("break ") == 1
    assert re.search(r"break a => 2\.0\*a0;", text)
    assert not re.search(r"b'dot == 0", text)


def test_what_is_refused() -> None:
    class Opaque(tg.Component):
        x = tg.variable(start=1.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == _unreadable(self.x)

    assert "'_unreadable'" in _refused("E420", Opaque())
    assert "initial equation other than" in _refused("E430", Tanks(half="sum"))
    assert "one condition for each state" in _refused("E430", Tanks(half="no"))
    assert "stream connector" in _refused("E430", fluid.ClosedVolume())


def test_the_reader_rejects_what_is_wrong() -> None:
    text = tg.write_vhdl_ams(RC())
    for wrong, right in (
        ("== R*i", "= R*i"),
        ("v == p_v - n_v;", ""),
        ("v == p_v - n_v;", "v == p_v - n_w;"),
        ("R => R", "RR => R"),
        ("end entity Ground;", "end Ground"),
    ):
        assert wrong in text, wrong
        with pytest.raises(Exception):  # noqa: B017, PT011
            read(text.replace(wrong, right))
