"""Networks of ideal thyristors and diodes as the Modelica library writes them, against all combinations of branches.

A thyristor may conduct while it is fired or has conducted before; then it is a diode. In a network of resistors the
branches of diodes are unique, so trying all of them at every instant of a grid gives the exact curves.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pytest

import tellegen as tg

_ON = 1e-3  # ohm
_OFF = 1e-4  # siemens
_STOP = 3.0
_WIDTH = 0.07
_KNEE = 0.1


class Thyristor(tg.Component):
    """A conductance that is large or small, by the position s on its characteristic."""

    offset = tg.parameter(0.0)
    period = tg.parameter(1.0)
    v = tg.input()
    i = tg.variable()
    s = tg.variable()
    fire = tg.boolean()
    off = tg.boolean(start=True)

    def equations(self) -> Any:
        yield self.fire == ((tg.time + self.offset) % self.period < _WIDTH)
        yield self.off == (self.s < 0.0) | (tg.pre(self.off) & ~self.fire)
        yield self.v == self.s * tg.where(self.off, 1.0, _ON) + _KNEE
        yield self.i == self.s * tg.where(self.off, _OFF, 1.0) + _OFF * _KNEE


def network(ends: tuple[tuple[int, int], ...], nodes: int) -> type[tg.Component]:
    """The class of all networks with thyristors between these nodes; every node has a source and a leak."""

    class Network(tg.Component):
        conductance = tg.parameter(1.0, shape=(nodes, nodes))
        amplitude = tg.parameter(1.0, shape=nodes)
        phase = tg.parameter(0.0, shape=nodes)
        v = tg.variable(shape=nodes)
        thyristors = Thyristor.array(len(ends))

        def equations(self) -> Any:
            for k, (a, b) in enumerate(ends):
                yield self.thyristors[k].v == self.v[a] - self.v[b]
            for n in range(nodes):
                current = self.amplitude[n] * tg.sin(2.0 * np.pi * tg.time + self.phase[n])
                for m in range(nodes):
                    current = current - self.conductance[n, m] * self.v[m]
                for k, (a, b) in enumerate(ends):
                    if n in (a, b):
                        current = current - (1 if n == a else -1) * self.thyristors[k].i
                yield current == 0.0

    return Network


@dataclass(frozen=True)
class Numbers:
    """One network."""

    ends: tuple[tuple[int, int], ...]
    conductance: Any
    amplitude: Any
    phase: Any
    offsets: Any
    periods: Any

    def values(self) -> dict[str, Any]:
        """As values of parameters."""
        out: dict[str, Any] = {"conductance": self.conductance, "amplitude": self.amplitude, "phase": self.phase}
        for k in range(len(self.ends)):
            out[f"thyristors[{k}].offset"] = self.offsets[k]
            out[f"thyristors[{k}].period"] = self.periods[k]
        return out

    def exact(self, times: Any) -> Any:
        """The voltages at the times of a grid so fine that no pulse falls between two of them."""
        off = np.ones(len(self.ends), bool)
        out = []
        for t in times:
            fired = (t + self.offsets) % self.periods < _WIDTH
            while True:
                v, now = self._solved(t, fired | ~off)
                if (now == off).all():
                    break
                off = now
            out.append(v)
        return np.array(out)

    def _solved(self, t: float, may_conduct: Any) -> tuple[Any, Any]:
        """The voltages, and which thyristors block, of those that may conduct."""
        free = np.flatnonzero(may_conduct)
        source = self.amplitude * np.sin(2.0 * np.pi * t + self.phase)
        for ways in product((True, False), repeat=len(free)):
            off = np.ones(len(self.ends), bool)
            off[free] = ways
            matrix = self.conductance.copy()
            right = source.copy()
            for k, (a, b) in enumerate(self.ends):
                g = _OFF if off[k] else 1.0 / _ON
                fixed = _OFF * _KNEE - g * _KNEE
                matrix[np.ix_([a, b], [a, b])] += g * np.array([[1.0, -1.0], [-1.0, 1.0]])
                right[[a, b]] -= fixed * np.array([1.0, -1.0])
            v = np.linalg.solve(matrix, right)
            s = np.array([v[a] - v[b] - _KNEE for a, b in self.ends])
            if ((s < 0.0) == off)[free].all():
                return v, off
        raise AssertionError


def drawn(rng: np.random.Generator, ends: tuple[tuple[int, int], ...], nodes: int) -> Numbers:
    """A network with conductances between all nodes, and a leak at each."""
    between = rng.uniform(0.05, 0.5, (nodes, nodes))
    between = -np.triu(between, 1)
    between = between + between.T
    conductance = between + np.diag(rng.uniform(0.1, 1.0, nodes) - between.sum(axis=1))
    count = len(ends)
    return Numbers(
        ends,
        conductance,
        rng.uniform(0.5, 3.0, nodes),
        rng.uniform(0.0, 2.0 * np.pi, nodes),
        rng.uniform(0.0, 1.0, count),
        rng.uniform(0.3, 0.9, count),
    )


_NETWORKS = {
    "one": (((0, 1),), 2),
    "antiparallel": (((0, 1), (1, 0), (1, 2)), 3),
    "bridge": (((0, 2), (1, 2), (3, 0), (3, 1)), 4),
}


@pytest.mark.parametrize("name", _NETWORKS)
def test_random_thyristor_networks(name: str) -> None:
    """At grid points away from switchings by two of them; nothing is integrated, so only rounding is left."""
    ends, nodes = _NETWORKS[name]
    compiled = tg.compile(network(ends, nodes)())
    times = np.linspace(0.0, _STOP, 1001)
    switchings = 0
    for seed in range(3):
        numbers = drawn(np.random.default_rng([seed, nodes]), ends, nodes)
        expected = numbers.exact(times)
        run = compiled.simulate(_STOP, parameters=numbers.values(), points=times)
        switched = np.array([event.time for event in run.events])
        away = np.array([np.min(np.abs(switched - t), initial=1.0) > 6e-3 for t in times])
        found = run.at(times[away])["v"]
        np.testing.assert_allclose(found, expected[away], atol=1e-9, err_msg=f"seed {seed}")
        switchings += len(switched)
    assert switchings > 5
