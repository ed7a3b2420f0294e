"""Lines with losses against the telegrapher's equations: by frequency, and over time by a Fourier sum."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el

LINE = """line
v1 s 0 dc 1 ac 1 pulse(0 1 0 0.3n 0.3n 1 2)
rs s a {rs}
{card}
rl b 0 {rl}
.model line ltra(rel=1 r={r} g=0 l={l} c={c} len=0.1 steplimit compactrel=1e-3)
.model one txl(r={r} g=0 l={l} c={c} length=0.1)
{analysis}
.end
"""
PLAIN = {"r": 2000.0, "l": 250e-9, "c": 100e-12, "rs": 20.0, "rl": 300.0}  # 200 ohm of 50 ohm, 0.5 ns


def transfer(s: Any, at: dict[str, float]) -> Any:
    """From the source to the load, for a line of 0.1 m."""
    along = 0.1 * (at["r"] + s * at["l"])
    across = 0.1 * s * at["c"]
    wave, impedance = np.sqrt(along * across), np.sqrt(along / across)
    a, b, c = np.cosh(wave), impedance * np.sinh(wave), np.sinh(wave) / impedance
    return 1.0 / (a + b / at["rl"] + at["rs"] * (c + a / at["rl"]))


def over_time(times: Any, at: dict[str, float]) -> Any:
    """Of a ramp of 0.3 ns: the inverse Laplace transform as a damped Fourier sum, with the factors of Lanczos."""
    period = 4.0 * times[-1]
    count = 2**15
    damping = 25.0 / period
    s = damping + 2j * np.pi * np.arange(count) / period
    values = transfer(s, at) * (1.0 - np.exp(-0.3e-9 * s)) / (0.3e-9 * s**2) * np.sinc(np.arange(count) / count)
    values[0] *= 0.5
    sums = np.fft.ifft(np.concatenate([values, np.zeros(count)])).real * 4.0 * count / period
    grid = np.arange(2 * count) * period / (2 * count)
    return np.interp(times, grid, sums * np.exp(damping * grid))


@pytest.mark.parametrize("card", ["o1 a 0 b 0 line", "y1 a 0 b 0 one"])
def test_small_signals(card: str) -> None:
    """32 pieces: 2e-3 of the largest; at 10 Hz the divider of the resistances."""
    run = tg.run_spice(text=LINE.format(card=card, analysis=".ac dec 3 10 1g", **PLAIN))
    assert run.ac is not None
    exact = transfer(2j * np.pi * np.asarray(run.ac.frequencies), PLAIN)
    np.testing.assert_allclose(run.ac_value("b.v"), exact, atol=2e-3 * abs(exact).max())
    np.testing.assert_allclose(run.ac_value("b.v")[0], 300.0 / 520.0, rtol=1e-6)


def run_over_time(pieces: int, times: Any) -> Any:
    s = tg.System("line")
    s.add(source=el.RampVoltage(V=1.0, duration=0.3e-9), inner=el.Resistor(R=PLAIN["rs"]), ground=el.Ground())
    s.add(line=el.LossyTLine(Z0=50.0, TD=0.5e-9, R=200.0, N=pieces), load=el.Resistor(R=PLAIN["rl"]))
    s.connect(s.source.p, s.inner.p)
    s.connect(s.inner.n, s.line.p1)
    s.connect(s.line.p2, s.load.p)
    s.connect(s.source.n, s.line.n1, s.line.n2, s.load.n, s.ground.p)
    return tg.simulate(s, float(times[-1]), rtol=1e-7, points=times).at(times)["load.v"]


def test_it_converges_to_the_telegraphers_equations() -> None:
    """Errors fall with the square of the number of pieces; the rest is that of the Fourier sum, about 2e-4."""
    times = np.linspace(0.05e-9, 5e-9, 100)
    exact = over_time(times, PLAIN)
    errors = [np.abs(run_over_time(pieces, times) - exact).max() / exact.max() for pieces in (4, 8, 32)]
    assert errors[1] < errors[0] / 3.0
    assert errors[2] < 2e-3


def test_a_line_of_resistance_and_capacitance() -> None:
    """60 segments: of second order, 1e-3 up to where a hundredth is left."""
    at = PLAIN | {"l": 0.0, "c": 1e-9, "rs": 1e-3, "rl": 1e9}
    run = tg.run_spice(text=LINE.format(card="o1 a 0 b 0 line", analysis=".ac dec 4 1meg 300meg", **at))
    assert run.ac is not None
    exact = transfer(2j * np.pi * np.asarray(run.ac.frequencies), at)
    np.testing.assert_allclose(run.ac_value("b.v"), exact, atol=1e-3)


def test_lumps_that_grow() -> None:
    """All of the resistance, all of the capacitance, and as many lumps as asked for."""
    text = """lumps
v1 a 0 dc 1 ac 1
u1 a b 0 m l=50u n=4
rb b 0 5k
u2 a c 0 m l=50u
.model m urc(k=2 fmax=1g rperl=100meg cperl=20n)
.op
.ac lin 1 1 1
.end
"""
    run = tg.run_spice(text=text)
    assert run.op is not None
    assert run.op["b.v"] == pytest.approx(0.5)
    assert sum(
        run.op[f"u1_c{side}{k}.C"] for side, k in [("lo", k) for k in range(1, 5)] + [("hi", k) for k in range(1, 4)]
    ) == (pytest.approx(50e-6 * 20e-9))


@pytest.mark.parametrize(
    ("card", "numbers", "words"),
    [
        ("o1 a 0 b 0 line", {"c": 0.0}, "is not understood"),
        ("o1 a 0 b 0 line", {"r": 1e5}, "is not understood"),
        ("o1 a 0 b 0 one", {}, "of the type TXL"),
        ("u1 a b 0 line l=1", {}, "of the type LTRA"),
    ],
)
def test_lines_that_are_none(card: str, numbers: dict[str, float], words: str) -> None:
    with pytest.raises(tg.NetlistError, match=words):
        tg.read_spice(text=LINE.format(card=card, analysis="", **{**PLAIN, **numbers}))
