"""Lines without losses: waves that run to and fro between resistors, as the bounce diagram gives them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el

LINE = """line
v1 s 0 pwl(0 {low} 1n {low} 1.5n {high})
rs s a {rs}
t1 a 0 b 0 z0={z0} {length}
rl b 0 {rl}
.tran 0.1n 20n
.end
"""


def bounced(times: Any, numbers: dict[str, float], delay: float) -> tuple[Any, Any]:
    """Voltages of both ends: every wave that has arrived, each reflected as often as it had the time."""
    z, rs, rl = numbers["z0"], numbers["rs"], numbers["rl"]
    near = (rs - z) / (rs + z)
    far = (rl - z) / (rl + z)
    step = numbers["high"] - numbers["low"]

    def wave(shift: float) -> Any:
        return step * z / (z + rs) * np.clip((times - shift - 1e-9) / 0.5e-9, 0.0, 1.0)

    steady = numbers["low"] * rl / (rl + rs)
    a = steady + wave(0.0)
    b = np.full(len(times), steady)
    for k in range(1, 100):
        gain = (near * far) ** (k - 1)
        a = a + gain * far * (1.0 + near) * wave(2 * k * delay)
        b = b + gain * (1.0 + far) * wave((2 * k - 1) * delay)
    return a, b


@pytest.mark.parametrize("solver", ["auto", "ida"])
@pytest.mark.parametrize(
    ("numbers", "length", "delay"),
    [
        ({"low": 0.0, "high": 2.0, "z0": 50.0, "rs": 10.0, "rl": 2000.0}, "td=2n", 2e-9),
        ({"low": 1.0, "high": -1.0, "z0": 75.0, "rs": 300.0, "rl": 5.0}, "f=0.5g nl=0.65", 1.3e-9),
        ({"low": 0.5, "high": 2.0, "z0": 50.0, "rs": 50.0, "rl": 80.0}, "f=100meg", 2.5e-9),
    ],
)
def test_reflections(numbers: dict[str, float], length: str, delay: float, solver: str) -> None:
    """Ramps have corners, near which an interpolated past is a little off: 1e-3 of a wave."""
    circuit = tg.read_spice(text=LINE.format(length=length, **numbers))
    times = np.linspace(0.0, 20e-9, 201)
    found = tg.simulate(circuit, solver=solver, rtol=1e-8, points=times).at(times)
    a, b = bounced(times, numbers, delay)
    np.testing.assert_allclose(found["a.v"], a, atol=3e-3)
    np.testing.assert_allclose(found["b.v"], b, atol=3e-3)


def test_a_matched_line_only_delays() -> None:
    """Half of the source's voltage, a delay later; no power comes back."""
    s = tg.System("matched")
    s.add(source=el.SineVoltage(V=2.0, f=1e8), inner=el.Resistor(R=60.0), line=el.TLine(Z0=60.0, TD=3e-9))
    s.add(load=el.Resistor(R=60.0), ground=el.Ground())
    s.connect(s.source.p, s.inner.p)
    s.connect(s.inner.n, s.line.p1)
    s.connect(s.line.p2, s.load.p)
    s.connect(s.source.n, s.line.n1, s.line.n2, s.load.n, s.ground.p)
    times = np.linspace(4e-9, 3e-8, 40)
    found = tg.simulate(s, 3e-8, rtol=1e-8, points=times).at(times)
    np.testing.assert_allclose(found["load.v"], np.sin(2 * np.pi * 1e8 * (times - 3e-9)), atol=2e-4)


def test_operating_points() -> None:
    text = LINE.format(low=0, high=1, z0=50, rs=50, rl=150, length="td=1n").replace(".tran", ".op\n.tran")
    run = tg.run_spice(text=text.replace("pwl(", "dc 4 pwl("))
    assert run.op is not None
    assert run.op["b.v"] == pytest.approx(3.0)
    assert run.op["t1.i2"] == pytest.approx(-0.02)


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ("t1 a 0 b 0 z0=50", "an impedance and a delay"),
        ("t1 a 0 b 0 td=1n", "an impedance and a delay"),
        ("t1 a 0 b 0 z0=50 td=1n ic=1", "'ic' of 't1'"),
        ("t1 a 0 b z0=50 td=1n", "needs 4 nodes"),
    ],
)
def test_lines_that_are_none(card: str, words: str) -> None:
    with pytest.raises(tg.NetlistError, match=words):
        tg.read_spice(text=f"t\nv1 a 0 1\n{card}\nrl b 0 50\n")


def test_small_signals() -> None:
    """The telegrapher's equations without losses, in a subcircuit; noise of the load as a divider of impedances."""
    text = """line
v1 s 0 dc 2 ac 1
rs s a 20
x1 a b s
rl b 0 150
cl b 0 5p
.subckt s a b
t1 a 0 b 0 z0=60 td=3n
.ends
.ac dec 20 1meg 1g
.noise v(b) v1 dec 20 1meg 1g
.end
"""
    run = tg.run_spice(text=text)
    assert run.ac is not None
    assert run.noise is not None
    s = 2j * np.pi * np.asarray(run.ac.frequencies)
    load = 1.0 / (1.0 / 150.0 + s * 5e-12)
    tanh = np.tanh(3e-9 * s)
    entry = 60.0 * (load + 60.0 * tanh) / (60.0 + load * tanh)
    far = entry / (20.0 + entry) / (np.cosh(3e-9 * s) + 60.0 / load * np.sinh(3e-9 * s))
    np.testing.assert_allclose(run.ac_value("b.v"), far, rtol=1e-12)
    seen = 60.0 * (20.0 + 60.0 * tanh) / (60.0 + 20.0 * tanh)
    thermal = 4.0 * 1.380649e-23 * 300.15
    density = thermal * (1.0 / (1.0 / load + 1.0 / seen)).real  # of a passive circuit: 4 k T Re(Z)
    np.testing.assert_allclose(run.noise.density, density, rtol=1e-6)
