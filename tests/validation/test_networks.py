"""Resistor networks (systems of linear equations) against NumPy, and networks that have no solution."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el
from validation.measured import relative, within


class ThreeNodes(tg.Component):
    """A voltage source feeds three nodes that are all connected with each other and with ground."""

    source = el.ConstantVoltage(V=9.0)
    r0 = el.Resistor(R=1.0)
    r12 = el.Resistor(R=2.0)
    r23 = el.Resistor(R=3.0)
    r13 = el.Resistor(R=4.0)
    r2 = el.Resistor(R=5.0)
    r3 = el.Resistor(R=6.0)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r0.p
        yield self.r0.n, self.r12.p, self.r13.p
        yield self.r12.n, self.r23.p, self.r2.p
        yield self.r13.n, self.r23.n, self.r3.p
        yield self.ground.p, self.source.n, self.r2.n, self.r3.n


def test_three_nodes() -> None:
    G = np.array(
        [
            [1.0 + 1 / 2 + 1 / 4, -1 / 2, -1 / 4],
            [-1 / 2, 1 / 2 + 1 / 3 + 1 / 5, -1 / 3],
            [-1 / 4, -1 / 3, 1 / 4 + 1 / 3 + 1 / 6],
        ]
    )
    exact = np.linalg.solve(G, [9.0, 0.0, 0.0])
    s = tg.simulate(ThreeNodes(), 1.0, points=2)
    values = [s[f"{name}.p.v"][-1] for name in ("r12", "r23", "r3")]
    within("Resistors between three nodes", relative(values, exact), 1e-12, "numpy.linalg.solve")


class Wheatstone(tg.Component):
    source = el.ConstantVoltage(V=10.0)
    r1 = el.Resistor(R=100.0)
    r2 = el.Resistor(R=200.0)
    r3 = el.Resistor(R=300.0)
    r4 = el.Resistor(R=600.0)
    meter = el.Resistor(R=50.0)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r1.p, self.r3.p
        yield self.r1.n, self.r2.p, self.meter.p
        yield self.r3.n, self.r4.p, self.meter.n
        yield self.ground.p, self.source.n, self.r2.n, self.r4.n


def test_wheatstone_bridge() -> None:
    """Balanced: no current. Unbalanced: Thevenin's voltage over its resistance, in closed form."""
    s = tg.simulate(Wheatstone(), 1.0, points=2)
    within("Wheatstone bridge, balanced", s["meter.i"], 1e-15, "zero, A")
    s = tg.simulate(Wheatstone(), 1.0, points=2, parameters={"r4.R": 500.0})
    voltage = 10.0 * (200.0 / 300.0 - 500.0 / 800.0)
    resistance = 100.0 * 200.0 / 300.0 + 300.0 * 500.0 / 800.0
    within("Wheatstone bridge, unbalanced", relative(s["meter.i"], voltage / (resistance + 50.0)), 1e-11, "Thevenin")


def grid(n: int, rng: Any) -> tuple[tg.System, Any]:
    """n x n nodes with random resistors between neighbours; 1 A into one corner, the opposite one grounded."""
    s = tg.System("grid")
    s.add(ground=el.Ground(), source=el.ConstantCurrent(I=-1.0))
    pins: dict[int, Any] = {0: s.source.p, n * n - 1: s.ground.p}
    G = np.zeros((n * n, n * n))
    s.connect(s.source.n, s.ground.p)
    for row in range(n):
        for column in range(n):
            here = row * n + column
            for there in ([here + 1] if column + 1 < n else []) + ([here + n] if row + 1 < n else []):
                R = float(rng.uniform(0.5, 2.0))
                part = el.Resistor(R=R)
                s.add(**{f"r{here}_{there}": part})
                for node, pin in ((here, part.p), (there, part.n)):
                    if node in pins:
                        s.connect(pins[node], pin)
                    else:
                        pins[node] = pin
                G[here, here] += 1 / R
                G[there, there] += 1 / R
                G[here, there] -= 1 / R
                G[there, here] -= 1 / R
    return s, G


def test_resistor_grid() -> None:
    """900 nodes, 1740 resistors: one sparse linear block."""
    system, G = grid(30, np.random.default_rng(0))
    exact = np.linalg.solve(G[:-1, :-1], np.eye(899)[0])
    s = tg.simulate(system, 1.0, points=2)
    values = [s[f"r{k}_{k + 1}.p.v"][-1] for k in range(899) if (k + 1) % 30]
    right = [exact[k] for k in range(899) if (k + 1) % 30]
    within("Resistor grid of 30 x 30 nodes", np.subtract(values, right), 1e-11, "numpy.linalg.solve, V of 4 V")


def refused(parts: dict[str, Any], wires: list[str]) -> str:
    """The text of the error of a network; wires are like "a.p b.p"."""
    s = tg.System("network")
    s.add(**parts)
    for wire in wires:
        s.connect(*(getattr(s[path.split(".")[0]], path.split(".")[1]) for path in wire.split()))
    with pytest.raises(tg.TellegenError) as caught:
        tg.simulate(s, 1.0)
    return str(caught.value)


def test_loop_of_voltage_sources() -> None:
    text = refused(
        {"v1": el.ConstantVoltage(V=1.0), "v2": el.ConstantVoltage(V=2.0), "r": el.Resistor(), "g": el.Ground()},
        ["v1.p v2.p", "v2.p r.p", "v1.n v2.n", "v2.n r.n", "r.n g.p"],
    )
    assert "v1" in text, text
    assert "v2" in text, text
    assert "r.v" not in text, text


def test_longer_loop_of_voltage_sources() -> None:
    """Three sources around a loop, with resistors elsewhere that are innocent."""
    text = refused(
        {
            **{f"v{k}": el.ConstantVoltage(V=1.0) for k in (1, 2, 3)},
            **{f"r{k}": el.Resistor() for k in (1, 2, 3)},
            "g": el.Ground(),
        },
        [
            "v1.p v2.n",
            "v2.p v3.p",
            "v3.n v1.n",
            "v1.n g.p",
            "v2.p r1.p",
            "r1.n r2.p",
            "r2.n g.p",
            "v1.p r3.p",
            "r3.n g.p",
        ],
    )
    assert all(f"v{k}" in text for k in (1, 2, 3)), text
    assert "r1.R" not in text, text


def test_cut_set_of_current_sources() -> None:
    text = refused(
        {"i1": el.ConstantCurrent(I=1.0), "i2": el.ConstantCurrent(I=2.0), "r": el.Resistor(), "g": el.Ground()},
        ["i1.p i2.n", "i1.n r.p", "r.n g.p", "i2.p g.p"],
    )
    assert "i1" in text, text
    assert "i2" in text, text


def test_shorted_voltage_source() -> None:
    text = refused({"v": el.ConstantVoltage(V=1.0), "g": el.Ground()}, ["v.p v.n", "v.n g.p"])
    assert "'v'" in text or "v.v" in text or "v.V" in text, text


def test_current_source_into_nothing() -> None:
    text = refused(
        {"i": el.ConstantCurrent(I=1.0), "g": el.Ground(), "r": el.Resistor()}, ["i.n g.p", "r.p g.p", "r.n g.p"]
    )
    assert "i.i" in text or "i.p" in text or "i.I" in text, text
