"""Tellegen's theorem on every golden network and on random networks of three domains with hierarchy and arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from golden_models import electric, fluid, hybrid, rods
from golden_models.parts import (
    Capacitor,
    Conduction,
    FixedTemperature,
    Flange,
    Ground,
    HeatMass,
    HeatPort,
    Inertia,
    Pin,
    Resistor,
    Spring,
    Wall,
)
from tellegen_theorem import check_tellegen, power, tampered

NETWORKS = {
    "rc": electric.RC,
    "drive": electric.Drive,
    "two_filters": electric.TwoFilters,
    "mixer": fluid.Mixer,
    "tee": fluid.TeeMixer,
    "array_rod": rods.HeatedArrayRod,
    "cell_rod": rods.CellRod,
    "speed_loop": hybrid.SpeedLoop,
}


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("seed", range(3))
def test_golden_networks(name: str, seed: int) -> None:
    check_tellegen(tg.flatten(NETWORKS[name]()), seed)


def test_two_of_a_kind_and_one_inside_an_array() -> None:
    class Rack(tg.Component):
        rods = rods.CellRod.array(3)
        filters = electric.TwoFilters.array(2)

    check_tellegen(tg.flatten(Rack()))


@pytest.mark.parametrize("name", ["rc", "two_filters", "cell_rod", "drive"])
def test_a_wrong_sign_breaks_it(name: str) -> None:
    flat = tg.flatten(NETWORKS[name]())
    lengths = np.diff(flat.sums.indptr)
    for row in np.flatnonzero(lengths > 1):
        total, scale = power(tampered(flat, int(row)))
        assert abs(total) > 1e-6 * scale, f"sum {row} with a wrong sign went unnoticed"


class ElectricalPair(tg.Component):
    """Two elements in series behind two pins."""

    p = Pin()
    n = Pin()
    a = Resistor()
    b = Capacitor()

    def connections(self) -> Any:
        yield self.p, self.a.p
        yield self.a.n, self.b.p
        yield self.b.n, self.n


class Nested(tg.Component):
    """Two pairs in parallel, and the point between one of them led out."""

    p = Pin()
    n = Pin()
    middle = Pin()
    upper = ElectricalPair()
    lower = ElectricalPair()
    bridge = Resistor.array(3)

    def connections(self) -> Any:
        yield self.p, self.upper.p, self.bridge[0].p
        yield self.upper.n, self.lower.p, self.middle
        yield self.lower.n, self.n, self.bridge[2].n
        yield self.bridge[:-1].n, self.bridge[1:].p


class SpringPair(tg.Component):
    a = Flange()
    b = Flange()
    s = Spring()
    j = Inertia()

    def connections(self) -> Any:
        yield self.a, self.s.a
        yield self.s.b, self.j.a
        yield self.j.b, self.b


class ConductionPair(tg.Component):
    a = HeatPort()
    b = HeatPort()
    links = Conduction.array(2)
    m = HeatMass()

    def connections(self) -> Any:
        yield self.a, self.links[0].a
        yield self.links.b[0], self.m.port, self.links.a[1]
        yield self.links[1].b, self.b


DOMAINS: list[tuple[list[Any], Any, str]] = [
    ([Resistor, Capacitor, ElectricalPair, Nested], Ground, "p"),
    ([Spring, Inertia, SpringPair], Wall, "flange"),
    ([Conduction, ConductionPair], FixedTemperature, "port"),
]


def random_network(seed: int) -> tg.System:
    """A connected random multigraph of components in each of the three domains, with its reference."""
    random = np.random.default_rng(seed)
    system = tg.System(f"random{seed}")
    for d, (kinds, reference, port) in enumerate(DOMAINS):
        nodes = int(random.integers(2, 7))
        waiting: list[list[Any]] = [[] for _ in range(nodes)]
        system.add(**{f"ref{d}": reference()})
        waiting[0].append(getattr(system[f"ref{d}"], port))
        edges = [(k, int(random.integers(0, k))) for k in range(1, nodes)]
        edges += [(int(random.integers(nodes)), int(random.integers(nodes))) for _ in range(int(random.integers(0, 8)))]
        for e, (i, j) in enumerate(edges):
            name = f"c{d}_{e}"
            system.add(**{name: kinds[random.integers(len(kinds))]()})
            part = system[name]
            ends = [part.p, part.n] if d == 0 else [part.a, part.b]
            if isinstance(part, Nested):
                waiting[int(random.integers(nodes))].append(part.middle)
            waiting[i].append(ends[0])
            waiting[j].append(ends[1])
        for ends in waiting:
            random.shuffle(ends)
            split = int(random.integers(1, len(ends))) if len(ends) > 2 else len(ends)
            if len(ends) > 1:  # one node told in two statements is still one node
                system.connect(*ends[:split] if split > 1 else ends)
            if 1 < split < len(ends):
                system.connect(*ends[split - 1 :])
    return system


@pytest.mark.parametrize("seed", range(30))
def test_random_networks(seed: int) -> None:
    flat = tg.flatten(random_network(seed))
    check_tellegen(flat, seed)
    assert flat.variables.count == flat.equation_count
