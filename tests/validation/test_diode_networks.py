"""Networks of ideal diodes: the branches that conduct are found together, whatever switches at the same instant."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el
from validation.measured import within

RON, GOFF = 1e-2, 1e-6


def diode_pair(parallel: bool) -> tg.System:
    """Two different diodes, in parallel or in series, behind a source with a resistor."""
    s = tg.System("pair")
    s.add(source=el.SineVoltage(V=10.0, f=50.0), r=el.Resistor(R=10.0), ground=el.Ground())
    s.add(a=el.IdealDiode(Ron=RON, Goff=GOFF), b=el.IdealDiode(Ron=3 * RON, Goff=4 * GOFF))
    s.connect(s.source.p, s.r.p)
    s.connect(s.r.n, s.a.p)
    s.connect(s.source.n, s.ground.p)
    if parallel:
        s.connect(s.a.p, s.b.p)
        s.connect(s.a.n, s.b.n, s.ground.p)
    else:
        s.connect(s.a.n, s.b.p)
        s.connect(s.b.n, s.ground.p)
    return s


def test_parallel_diodes_share_the_current_by_their_resistances() -> None:
    s = tg.simulate(diode_pair(parallel=True), 0.04)
    conducting = s["a.i"] > 1e-3
    within("Diodes in parallel, share", s["b.i"][conducting] / s["a.i"][conducting] - 1 / 3, 1e-9, "conductances")
    v = 10.0 * np.sin(2 * np.pi * 50.0 * s.time)
    i = np.where(v > 0, v / (10.0 + 0.75 * RON), v / (10.0 + 0.2 / GOFF))
    within("Diodes in parallel, current", s["r.i"] - i, 2e-6, "closed-form solution, A")


def test_series_diodes_share_the_voltage_by_their_conductances() -> None:
    s = tg.simulate(diode_pair(parallel=False), 0.04)
    blocking = s["a.v"] < -1e-3
    within("Diodes in series, share", s["b.v"][blocking] / s["a.v"][blocking] - 0.25, 1e-9, "conductances")
    v = 10.0 * np.sin(2 * np.pi * 50.0 * s.time)
    i = np.where(v > 0, v / (10.0 + 4 * RON), v / (10.0 + 1.25 / GOFF))
    within("Diodes in series, current", s["r.i"] - i, 2e-6, "closed-form solution, A")


class Network:
    """Random resistors, diodes and sources behind resistors; node -1 is ground."""

    def __init__(self, seed: int, nodes: int, diodes: int) -> None:
        rng = np.random.default_rng(seed)
        self.nodes = nodes
        self.leak = rng.uniform(20.0, 200.0, nodes)
        self.sources = [(k, rng.uniform(3.0, 10.0), rng.uniform(0.0, 6.0), rng.uniform(1.0, 5.0)) for k in range(2)]
        ends = [rng.choice(np.arange(-1, nodes), 2, replace=False) for _ in range(diodes)]
        self.diodes = [(int(a), int(b), float(rng.choice([0.0, 0.7]))) for a, b in ends]
        links = [rng.choice(nodes, 2, replace=False) for _ in range(nodes)]
        self.links = [(int(a), int(b), float(rng.uniform(5.0, 50.0))) for a, b in links]

    def model(self) -> tg.System:
        s = tg.System("network")
        s.add(ground=el.Ground())
        pins = []
        for k, R in enumerate(self.leak):
            s.add(**{f"leak{k}": el.Resistor(R=float(R))})
            s.connect(s[f"leak{k}"].n, s.ground.p)
            pins.append(s[f"leak{k}"].p)
        pins.append(s.ground.p)  # node -1
        for k, (node, V, phase, R) in enumerate(self.sources):
            s.add(**{f"v{k}": el.SineVoltage(V=V, f=50.0, phase=phase), f"rv{k}": el.Resistor(R=R)})
            s.connect(s[f"v{k}"].n, s.ground.p)
            s.connect(s[f"v{k}"].p, s[f"rv{k}"].p)
            s.connect(s[f"rv{k}"].n, pins[node])
        for k, (a, b, R) in enumerate(self.links):
            s.add(**{f"r{k}": el.Resistor(R=R)})
            s.connect(s[f"r{k}"].p, pins[a])
            s.connect(s[f"r{k}"].n, pins[b])
        for k, (a, b, knee) in enumerate(self.diodes):
            s.add(**{f"d{k}": el.IdealDiode(Ron=RON, Goff=GOFF, Vknee=knee)})
            s.connect(s[f"d{k}"].p, pins[a])
            s.connect(s[f"d{k}"].n, pins[b])
        return s

    def exact(self, t: float) -> Any:
        """Node voltages: nodal analysis for every combination of branches, and the one that contradicts nothing."""
        for on in product([False, True], repeat=len(self.diodes)):
            G, right = np.diag(np.append(1.0 / self.leak, 1.0)), np.zeros(self.nodes + 1)
            for node, V, phase, R in self.sources:
                G[node, node] += 1.0 / R
                right[node] += V * np.sin(2 * np.pi * 50.0 * t + phase) / R
            branches = [(a, b, 1.0 / R, 0.0) for a, b, R in self.links]
            for (a, b, knee), conducts in zip(self.diodes, on, strict=True):
                g = 1.0 / RON if conducts else GOFF
                branches.append((a, b, g, (GOFF - g) * knee))
            for a, b, g, i in branches:
                for x, y, sign in ((a, b, 1.0), (b, a, -1.0)):
                    G[x, x] += g
                    G[x, y] -= g
                    right[x] -= sign * i
            G[-1], right[-1] = 0.0, 0.0
            G[-1, -1] = 1.0
            v = np.linalg.solve(G, right)
            beyond = [(v[a] - v[b] - knee) * (1 if c else -1) for (a, b, knee), c in zip(self.diodes, on, strict=True)]
            if min(beyond) > -1e-12:  # at the corner both branches are right
                return v[:-1]
        raise AssertionError("no combination of branches")


@pytest.mark.parametrize("seed", range(12))
def test_random_networks_against_all_combinations(seed: int) -> None:
    """Voltages are continuous in time, so every row counts; interpolation at rtol 1e-6 of 10 V."""
    network = Network(seed, 3 + seed % 4, 2 + seed % 5)
    s = tg.simulate(network.model(), 0.04, points=101)
    exact = np.array([network.exact(t) for t in s.time])
    mine = np.array([s[f"leak{k}.v"] for k in range(network.nodes)]).T
    within("Random networks of diodes, voltages", mine - exact, 2e-5, "all combinations, V")
