"""Energy: lossless networks keep it, and in every network the power of all ports adds up to zero (Tellegen, 1952)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import translational as tr
from validation.measured import ALL, within


def lossless_circuit(rng: Any, nodes: int) -> tuple[tg.System, list[str], list[str]]:
    """Every node has a capacitor to ground; inductors along a random tree and some chords."""
    s = tg.System("lossless")
    s.add(ground=el.Ground())
    pins, capacitors, inductors = [], [], []
    for k in range(nodes):
        c = el.Capacitor(C=float(rng.uniform(0.5, 2.0)), v=tg.variable(start=float(rng.normal()), fixed=True))
        s.add(**{f"c{k}": c})
        s.connect(c.n, s.ground.p)
        pins.append(c.p)
        capacitors.append(f"c{k}")
    edges = [(k, int(rng.integers(0, k))) for k in range(1, nodes)]
    edges += [(int(a), int(b)) for a, b in rng.integers(0, nodes, (nodes // 2, 2)) if a != b]
    for k, (a, b) in enumerate(edges):
        inductor = el.Inductor(L=float(rng.uniform(0.5, 2.0)), i=tg.variable(start=float(rng.normal()), fixed=True))
        s.add(**{f"l{k}": inductor})
        s.connect(pins[a], inductor.p)
        s.connect(pins[b], inductor.n)
        inductors.append(f"l{k}")
    return s, capacitors, inductors


@pytest.mark.parametrize("solver", ALL)
def test_lossless_circuit(solver: str) -> None:
    """BDF damps a little: at rtol 1e-9 the energy may change by 1e-6 of itself over 10 s (about six periods)."""
    system, capacitors, inductors = lossless_circuit(np.random.default_rng(1), 12)
    s = tg.simulate(system, 10.0, rtol=1e-9, solver=solver)
    energy = np.zeros(len(s.time))
    for c in capacitors:
        energy += 0.5 * s[f"{c}.C"] * s[f"{c}.v"] ** 2
    for k in inductors:
        energy += 0.5 * s[f"{k}.L"] * s[f"{k}.i"] ** 2
    within("LC network of 12 nodes, energy", energy / energy[0] - 1.0, 1e-6, "conservation", solver)


@pytest.mark.parametrize("solver", ALL)
def test_masses_and_springs(solver: str) -> None:
    """A free chain: energy and momentum are kept. Momentum is linear, so BDF keeps it to the Newton tolerance."""
    rng = np.random.default_rng(2)
    s = tg.System("chain")
    n = 8
    for k in range(n):
        mass = tr.Mass(
            m=float(rng.uniform(0.5, 2.0)),
            s=tg.variable(start=float(k), fixed=True),
            v=tg.variable(start=float(rng.normal()), fixed=True),
        )
        s.add(**{f"m{k}": mass})
        if k:
            spring = tr.Spring(c=float(rng.uniform(1.0, 5.0)), s_rel0=0.9)
            s.add(**{f"k{k}": spring})
            s.connect(s[f"m{k - 1}"].flange_b, spring.flange_a)
            s.connect(spring.flange_b, mass.flange_a)
    r = tg.simulate(s, 10.0, rtol=1e-9, solver=solver)
    momentum, energy = np.zeros(len(r.time)), np.zeros(len(r.time))
    for k in range(n):
        momentum += r[f"m{k}.m"] * r[f"m{k}.v"]
        energy += 0.5 * r[f"m{k}.m"] * r[f"m{k}.v"] ** 2
    for k in range(1, n):
        energy += 0.5 * r[f"k{k}.c"] * (r[f"k{k}.s_rel"] - 0.9) ** 2
    within("Free chain of 8 masses, energy", energy / energy[0] - 1.0, 1e-6, "conservation", solver)
    within("Free chain of 8 masses, momentum", momentum - momentum[0], 1e-7, "conservation, kg m/s", solver)


def random_network(rng: Any, nodes: int) -> tuple[tg.System, list[str]]:
    """R, L, C and a source on random edges; every node has a resistor to ground, so nothing floats."""
    s = tg.System("network")
    s.add(ground=el.Ground(), source=el.SineVoltage(V=3.0, f=0.3), rs=el.Resistor(R=0.2))
    s.connect(s.source.n, s.ground.p)
    s.connect(s.source.p, s.rs.p)
    names = ["source", "rs"]
    pins = []
    for k in range(nodes):
        r = el.Resistor(R=float(rng.uniform(5.0, 50.0)))
        s.add(**{f"leak{k}": r})
        s.connect(r.n, s.ground.p)
        pins.append(r.p)
        names.append(f"leak{k}")
    s.connect(s.rs.n, pins[0])
    kinds: list[Any] = [
        lambda: el.Resistor(R=float(rng.uniform(0.5, 5.0))),
        lambda: el.Capacitor(C=float(rng.uniform(0.1, 2.0))),
        lambda: el.Inductor(L=float(rng.uniform(0.1, 2.0))),
    ]
    edges = [(k, int(rng.integers(0, k))) for k in range(1, nodes)]
    edges += [(int(a), int(b)) for a, b in rng.integers(0, nodes, (nodes, 2)) if a != b]
    for k, (a, b) in enumerate(edges):
        part = kinds[int(rng.integers(0, 3))]()
        s.add(**{f"e{k}": part})
        s.connect(pins[a], part.p)
        s.connect(pins[b], part.n)
        names.append(f"e{k}")
    return s, names


@pytest.mark.parametrize("seed", range(10))
def test_power_balance_of_random_networks(seed: int) -> None:
    """Random edges contain loops of capacitors and cut-sets of inductors: index reduction is exercised as well.

    The sum of v i over all pins is zero to rounding of the linear solves: 1e-9 of the largest power.
    """
    rng = np.random.default_rng(seed)
    system, names = random_network(rng, int(rng.integers(4, 12)))
    s = tg.simulate(system, 10.0, points=101)
    pins = [f"{name}.{pin}" for name in names for pin in "pn"] + ["ground.p"]
    powers = np.array([s[f"{pin}.v"] * s[f"{pin}.i"] for pin in pins])
    within("Random RLC networks, power of all pins", powers.sum(axis=0) / np.abs(powers).max(), 1e-9, "Tellegen")
    branches = np.array([s[f"{name}.v"] * s[f"{name}.i"] for name in names])
    within("Random RLC networks, branch powers", branches.sum(axis=0) / np.abs(branches).max(), 1e-9, "Tellegen")


def test_energy_balance_of_a_random_network() -> None:
    """Energy from the source = heat in resistors + what is stored, by the trapezoidal rule on a fine grid (1e-4)."""
    system, names = random_network(np.random.default_rng(7), 8)
    s = tg.simulate(system, 10.0, rtol=1e-8, points=5001)
    total = np.zeros(len(s.time))
    for name in names:
        power = s[f"{name}.v"] * s[f"{name}.i"]
        total = total + np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(s.time))])
    heat = np.abs(np.trapezoid(s["source.v"] * s["source.i"], s.time))
    within("Random RLC network, energy balance", total / heat, 1e-7, "Tellegen, integrated")
