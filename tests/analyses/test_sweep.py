"""Steady states over a parameter: closed solutions, folds, hysteresis, and mistakes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy

import tellegen as tg
from tellegen.library import electrical as el


class Cubic(tg.Component):
    """x' = u + 3 x - x^3: three steady states between the folds at u = -2 (x = 1) and u = 2 (x = -1)."""

    u = tg.parameter(-4.0)
    x = tg.variable(start=-2.0)

    def equations(self):
        yield tg.der(self.x) == self.u + 3.0 * self.x - self.x**3


class Relay(tg.Component):
    """On above 1, off below -1: what it is between depends on what it was."""

    u = tg.parameter(0.0)
    on = tg.boolean("whether it is on", start=False)
    x = tg.variable(start=0.0)

    def equations(self):
        yield tg.der(self.x) == tg.where(self.on, 5.0, 0.0) + self.u - self.x
        yield tg.when(self.u > 1.0, self.on == True).elsewhen(self.u < -1.0, self.on == False)  # noqa: E712


class DiodeCircuit(tg.Component):
    source = el.ConstantVoltage(V=1.0)
    r = el.Resistor(R=1000.0)
    d = el.Diode()
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.r.n, self.d.p
        yield self.d.n, self.source.n, self.ground.p


class EndOfTheBranch(tg.Component):
    """x' = u - x^2: no steady state below u = 0."""

    u = tg.parameter(1.0)
    x = tg.variable(start=1.0)

    def equations(self):
        yield tg.der(self.x) == self.u - self.x**2


class TwoTanks(tg.Component):
    """What is in both tanks together is conserved; a share k of it is in the first."""

    k = tg.parameter(1.0)
    a = tg.variable(start=3.0, fixed=True)
    b = tg.variable(start=1.0, fixed=True)

    def equations(self):
        flow = self.a - self.k * self.b
        yield tg.der(self.a) == -flow
        yield tg.der(self.b) == flow


def test_both_folds_of_a_cubic_up_and_down() -> None:
    up = np.linspace(-4.0, 4.0, 33)
    found = tg.sweep(Cubic(), {"u": np.concatenate([up, up[::-1]])})
    assert found.success
    assert [jump.value for jump in found.jumps] == pytest.approx([2.0, -2.0], abs=2e-5)  # 1e-6 of the range
    assert found.jumps[0].before["x"] == pytest.approx(-1.0, abs=3e-3)  # a square root of the distance
    assert found.jumps[0].after["x"] == pytest.approx(2.0, abs=1e-4)
    assert found["u"] + 3.0 * found["x"] - found["x"] ** 3 == pytest.approx(np.zeros(66), abs=1e-6)
    between = np.abs(up) < 1.9
    assert (found["x"][:33][between] < -1.0).all()
    assert (found["x"][33:][between] > 1.0).all()
    assert "jump at u" in str(found)


class TinyBesideLarge(tg.Component):
    """The cubic in billionths, beside an unknown of a thousand."""

    u = tg.parameter(-4e-9)
    x = tg.variable(start=-2e-9)
    y = tg.variable()

    def equations(self):
        yield tg.der(self.x) == self.u + 3.0 * self.x - 1e18 * self.x**3
        yield self.y == 1e3 + 1e9 * self.u


def test_a_jump_of_a_tiny_unknown_is_reported() -> None:
    found = tg.sweep(TinyBesideLarge(), {"u": np.linspace(-4e-9, 4e-9, 9)})
    assert [jump.value for jump in found.jumps] == pytest.approx([2e-9], rel=1e-4)


AMPLIFIER = """amplifier
vcc vcc 0 12
vin in 0 0
cin in b 1u
r1 vcc b 47k
r2 b 0 10k
rc vcc c 2.2k
re e 0 470
q1 c b e qm
.model qm npn(bf=150 is=1e-15 cjc=4p cje=8p tf=0.4n vaf=80 rb=100)
.end
"""


@pytest.mark.parametrize("values", [np.linspace(0.0, 12.0, 7), np.linspace(12.0, 0.0, 7)])
def test_roundings_are_no_jumps(values: np.ndarray) -> None:
    """Currents of capacitors are zero but for roundings, and at 0 V all unknowns are."""
    found = tg.sweep(tg.read_spice(text=AMPLIFIER), {"vcc.V": values})
    assert found.success
    assert found.jumps == ()


def test_a_diode_against_its_equation() -> None:
    """V = R i + vt log(1 + i/Is), by bisection."""
    found = tg.sweep(DiodeCircuit(), {"source.V": ("-1 V", "5 V")})
    assert len(found.values) == 101
    assert not found.jumps
    kept = found.values > 0.5
    law = tg.sweep(DiodeCircuit(), {"source.V": found.values[kept]}, initial={"d.v": 0.5})
    assert law["d.i"] == pytest.approx(found["d.i"][kept], rel=1e-6)
    saturation = float(found.points[0]["d.Is"])
    thermal = [_thermal_voltage(found, k, saturation) for k in (40, 100)]
    assert thermal[0] == pytest.approx(thermal[1], rel=1e-4)


def _thermal_voltage(found: tg.Sweep, k: int, saturation: float) -> float:
    v = float(found["d.v"][k])
    i = float(found["d.i"][k])
    leak = 1e-12 * v  # the smallest conductance beside the junction
    return scipy.optimize.brentq(lambda vt: saturation * np.expm1(v / vt) + leak - i, 0.02, 0.06)


def test_a_relay_remembers() -> None:
    up = np.linspace(-2.0, 2.0, 17)
    found = tg.sweep(Relay(), {"u": np.concatenate([up, up[::-1]])})
    on = found["x"] - found["u"]
    assert on[:17] == pytest.approx(np.where(up > 1.0, 5.0, 0.0), abs=1e-9)
    assert on[17:] == pytest.approx(np.where(up[::-1] < -1.0, 0.0, 5.0), abs=1e-9)
    assert [jump.value for jump in found.jumps] == pytest.approx([1.0, -1.0], abs=1e-5)


def test_a_branch_that_ends_for_good() -> None:
    found = tg.sweep(EndOfTheBranch(), {"u": np.linspace(1.0, -1.0, 21)})
    assert not found.success
    assert "beyond u =" in found.message
    assert found.values[-1] == pytest.approx(0.0, abs=0.1)
    assert found["x"] == pytest.approx(np.sqrt(np.maximum(found.values, 0.0)), abs=1e-4)


def test_what_is_conserved_comes_from_the_first_point() -> None:
    found = tg.sweep(TwoTanks(), {"k": [1.0, 2.0, 3.0]})
    assert found["a"] + found["b"] == pytest.approx([4.0] * 3, rel=1e-9)
    assert found["a"] == pytest.approx(found["k"] * found["b"], rel=1e-9)


def test_tables_and_plots() -> None:
    found = tg.sweep(Cubic(), {"u": (-4, -3)})
    assert list(found.to_pandas().columns) == ["x"]
    assert found.plot("x").axes
    with pytest.raises(tg.LanguageError, match="needs variables"):
        found.plot()


@pytest.mark.parametrize(
    ("over", "word"),
    [
        ({}, "one parameter"),
        ({"u": [1.0], "x": [1.0]}, "one parameter"),
        ({"u": [1.0]}, "at least two"),
        ({"u": [1.0, np.nan]}, "at least two finite"),
        ({"u": "fast"}, "numbers or two ends"),
        ({"v": [1.0, 2.0]}, "no 'v'"),
    ],
)
def test_mistakes(over: Any, word: str) -> None:
    with pytest.raises(tg.TellegenError, match=word):
        tg.sweep(Cubic(), over)


def test_a_branch_without_current_does_not_jump() -> None:
    """Newton's method leaves 1e-37 A of zero, another number each time: no jump, and no reason for small steps."""
    circuit = tg.read_spice(
        text="""dead branch
v1 1 0 dc 0.22
v2 2 0 dc 7.36
.model d1 d(is=7.22e-13 n=1.76 rs=1.17)
rg3 3 0 495.1
rg4 4 2 222.5
rg6 6 4 2965
r1 4 3 11.02k
c0 2 6 72.9n
c1 6 4 28.93n
d0 3 1 d1
.end
"""
    )
    found = tg.sweep(circuit, {"v2.V": np.linspace(-2.0, 4.0, 25)})
    assert not found.jumps
    assert len(found["rg6.i"]) == 25
    assert np.abs(found["rg6.i"]).max() < 1e-15
