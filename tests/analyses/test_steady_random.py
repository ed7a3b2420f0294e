"""Random models whose steady state is known by other means: conservation by linear algebra, DC circuits, PI loops."""

from __future__ import annotations

from typing import Any

import control
import numpy as np
import pytest
import scipy

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import sampled

# -- tanks that share what they hold ---------------------------------------------------------------------------------


def tanks(rng: np.random.Generator) -> tuple[type[tg.Component], Any]:
    """Tanks with pipes of several laws between some of them: in a connected set all levels become equal."""
    n = int(rng.integers(2, 7))
    area = rng.uniform(0.1, 10.0, n)
    start = rng.uniform(0.5, 3.0, n)
    edges = [(i, j) for i in range(n) for j in range(i) if rng.random() < 0.5]
    laws = rng.integers(0, 3, len(edges))
    size = rng.uniform(0.1, 10.0, len(edges))

    class Tanks(tg.Component):
        m = tg.variable(shape=n, start=list(start * area), fixed=True)

        def equations(self) -> Any:
            level = [self.m[k] / area[k] for k in range(n)]
            into: list[Any] = [0.0] * n
            for (i, j), law, k in zip(edges, laws.tolist(), size.tolist(), strict=True):
                head = level[i] - level[j]
                flow = [k * head, k * tg.tanh(head), k * head / tg.sqrt(1e-2 + head**2)][law]
                into[i] -= flow
                into[j] += flow
            for k in range(n):
                yield tg.der(self.m[k]) == into[k]

    graph = scipy.sparse.coo_array((np.ones(len(edges)), ([e[0] for e in edges], [e[1] for e in edges])), shape=(n, n))
    _, label = scipy.sparse.csgraph.connected_components(graph, directed=False)
    level = np.bincount(label, start * area) / np.bincount(label, area)
    return Tanks, level[label] * area


# -- capacitors between islands of resistors -------------------------------------------------------------------------


def islands(rng: np.random.Generator) -> tuple[tg.System, dict[str, float]]:
    """Islands of resistors joined by capacitors; the first has a source, the others keep their charge."""
    count = int(rng.integers(2, 6))
    s = tg.System("islands")
    s.add(g=el.Ground(), v=el.SineVoltage(V=3.0, f=2.0, phase=0.3, offset=float(rng.uniform(-5, 5))))
    s.connect(s.v.n, s.g.p)
    tops: list[Any] = [s.v.p]
    for k in range(1, count):
        s.add(**{f"r{k}": el.Resistor(R=float(rng.uniform(1, 10)))})
        tops.append(getattr(s, f"r{k}").p)
    matrix = np.zeros((count, count))
    charge = np.zeros(count)
    pairs = [(k, int(rng.integers(0, k))) for k in range(1, count)]  # a tree: no loop of capacitors
    capacitors = []
    for number, (i, j) in enumerate(pairs):
        c = float(rng.uniform(0.1, 5.0))
        v0 = float(rng.uniform(-2.0, 2.0))
        s.add(**{f"c{number}": el.Capacitor(C=c, v=tg.variable(start=v0, fixed=True))})
        part = getattr(s, f"c{number}")
        end = getattr(s, f"r{i}").n if rng.random() < 0.5 else tops[i]
        s.connect(part.p, end)
        s.connect(part.n, tops[j])
        capacitors.append((number, i, j))
        for a, b in ((i, j), (j, i)):
            matrix[a, a] += c
            matrix[a, b] -= c
        charge[i] += c * v0
        charge[j] -= c * v0
    return s, {"matrix": matrix, "charge": charge, "capacitors": capacitors}  # type: ignore[dict-item]


def _island_voltages(system: tg.System, facts: dict[str, Any]) -> dict[str, float]:
    """The potential of every island: that of the source, and by charge for the others."""
    source = float(tg.simulate(system, 1e-9, points=2)["v.v"][0])
    matrix, charge = facts["matrix"].copy(), facts["charge"].copy()
    matrix[0] = 0.0
    matrix[0, 0] = 1.0
    charge[0] = source
    potential = np.linalg.solve(matrix, charge)
    return {f"c{n}.v": potential[i] - potential[j] for n, i, j in facts["capacitors"]}


# -- programmed controllers ------------------------------------------------------------------------------------------


def loop(rng: np.random.Generator) -> tuple[type[tg.Component], Any]:
    """A stable plant under a PI controller with a clock, and the same loop by python-control."""
    n = int(rng.integers(1, 4))
    a = rng.normal(size=(n, n))
    a -= (np.linalg.eigvals(a).real.max() + rng.uniform(0.5, 2.0)) * np.eye(n)
    b, c = rng.normal(size=n), rng.normal(size=n)
    period = float(rng.uniform(0.02, 0.3))
    kp, ki = float(rng.uniform(0.05, 0.5)), float(rng.uniform(0.05, 0.5))
    gain = float(-c @ np.linalg.solve(a, b))
    c = c / gain if abs(gain) > 0.1 else c

    class Loop(tg.Component):
        pi = sampled.PID(clock=tg.Clock(f"{period!r} s"), kp=kp, ki=ki)
        ref = tg.parameter(0.7)
        x = tg.variable(shape=n, start=0.0)
        y = tg.variable()

        def equations(self) -> Any:
            for k in range(n):
                yield tg.der(self.x[k]) == sum(a[k, j] * self.x[j] for j in range(n)) + b[k] * self.pi.y
            yield self.y == sum(c[j] * self.x[j] for j in range(n))
            yield self.pi.measured == self.y
            yield self.pi.reference == self.ref

    plant = control.c2d(control.ss(a, b[:, None], c[None, :], 0.0), period, method="zoh")
    pi = control.ss([[1.0]], [[ki * period]], [[1.0]], [[kp]], period)
    return Loop, control.feedback(control.series(pi, plant), 1)


@pytest.mark.parametrize("seed", range(25))
def test_tanks_keep_what_they_hold(seed: int) -> None:
    model, expected = tanks(np.random.default_rng(seed))
    np.testing.assert_allclose(tg.steady_state(model())["m"], expected, rtol=1e-8)


@pytest.mark.parametrize("seed", range(25))
def test_islands_keep_their_charge(seed: int) -> None:
    system, facts = islands(np.random.default_rng(seed))
    rest = tg.steady_state(system)
    for path, expected in _island_voltages(system, facts).items():
        assert rest[path] == pytest.approx(expected, rel=1e-8, abs=1e-10)


@pytest.mark.parametrize("seed", range(12))
def test_sampled_loops_as_python_control_has_them(seed: int) -> None:
    model, expected = loop(np.random.default_rng(seed))
    rest = tg.steady_state(model())
    gain = float(expected.dcgain())
    assert rest["y"] == pytest.approx(0.7 * gain, rel=1e-8)
    linear = tg.linearize(model(), at="steady", inputs=["ref"], outputs=["y"])
    assert linear.dt == pytest.approx(expected.dt)
    np.testing.assert_allclose(
        np.sort_complex(linear.eigenvalues), np.sort_complex(control.poles(expected)), rtol=1e-7, atol=1e-9
    )
    frequencies = np.array([0.01, 0.1, 0.4]) / expected.dt
    response = control.frequency_response(expected, 2.0 * np.pi * frequencies).frdata.ravel()
    np.testing.assert_allclose(linear.frequency_response(frequencies)[:, 0, 0], response, rtol=1e-6, atol=1e-9)
