"""Random systems of interfaces with random bindings, against resistances added up by hand.

A branch is a resistor, one of twice the resistance, or a network of two branches of the next level, in series or in
parallel. Systems have them as parts, in arrays, in lists made by build(), in Systems and inside other components, some
with values or expressions of the component around them. The total resistance is the oracle.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

import tellegen as tg
from tellegen.library import electrical as el

LEVELS = 4


def family(below: Any) -> Any:
    """An interface and its implementations; networks are of branches one level below."""

    class Branch(tg.Interface):
        p = el.Pin()
        n = el.Pin()
        R = tg.parameter(1.0, "ohm", semantics="resistance")

    class Single(tg.Component, implements=Branch, name="single", default=True):
        def equations(self):
            yield self.p.v - self.n.v == self.R * self.p.i
            yield self.p.i + self.n.i == 0

    class Double(tg.Component, implements=Branch, name="double"):
        resistor = el.Resistor(R=2 * Branch.R)

        def connections(self):
            yield self.p, self.resistor.p
            yield self.resistor.n, self.n

    if below is None:
        return Branch

    class Series(tg.Component, implements=Branch, name="series"):
        a = below(R=0.25 * Branch.R)
        b = below(R=0.75 * Branch.R)

        def connections(self):
            yield self.p, self.a.p
            yield self.a.n, self.b.p
            yield self.b.n, self.n

    class Parallel(tg.Component, implements=Branch, name="parallel"):
        def build(self):
            self.sides = [below(R=2 * self.R), below(R=3 * self.R)]

        def connections(self):
            yield self.p, self.sides[0].p, self.sides[1].p
            yield self.n, self.sides[0].n, self.sides[1].n

    return Branch


BRANCHES: list[Any] = [None]
for _ in range(LEVELS):
    BRANCHES.append(family(BRANCHES[-1]))


class Choices:
    """A random binding below a path, and the resistance it makes of R."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.binding: dict[str, str] = {}

    def resistance(self, path: str, level: int, R: float) -> float:
        """Choose, and add up; now and then nothing is said and the default counts."""
        if self.rng.random() < 0.2:
            return R
        name = self.rng.choice(["single", "double"] + ["series", "parallel"] * (level > 1))
        self.binding[path] = name
        if name == "series":
            return self.resistance(f"{path}.a", level - 1, 0.25 * R) + self.resistance(f"{path}.b", level - 1, 0.75 * R)
        if name == "parallel":
            one = self.resistance(f"{path}.sides[0]", level - 1, 2 * R)
            other = self.resistance(f"{path}.sides[1]", level - 1, 3 * R)
            return one * other / (one + other)
        return R if name == "single" else 2 * R


def system(rng: random.Random, level: int) -> tuple[Any, Choices, float]:
    """A ring of branches at 10 V, its binding and its resistance."""
    chosen = Choices(rng)
    branch = BRANCHES[level]
    scale = rng.choice([1.0, 2.0])

    class Row(tg.Component):
        """Three alike in an array, then two of a list."""

        p = el.Pin()
        n = el.Pin()
        R = tg.parameter(1.0, "ohm")
        cells = branch.array(3, R=[1.0, 2.0, 3.0])
        last = branch(R=R)

        def build(self):
            self.rest = [branch(R=4.0), branch(R=5.0)]

        def connections(self):
            chain = [*self.cells, self.last, *self.rest]
            yield self.p, chain[0].p
            for a, b in itertools.pairwise(chain):
                yield a.n, b.p
            yield chain[-1].n, self.n

    ring = tg.System("ring")
    ring.add(source=el.ConstantVoltage(V=10.0), ground=el.Ground(), row=Row(R=scale), extra=branch(R=6.0))
    ring.connect(ring.source.p, ring.row.p)
    ring.connect(ring.row.n, ring.extra.p)
    ring.connect(ring.extra.n, ring.source.n, ring.ground.p)
    array = chosen.resistance("row.cells", level, 1.0) * 6.0
    single = [
        chosen.resistance("row.last", level, scale),
        chosen.resistance("row.rest[0]", level, 4.0),
        chosen.resistance("row.rest[1]", level, 5.0),
        chosen.resistance("extra", level, 6.0),
    ]
    return ring, chosen, array + sum(single)


@pytest.mark.parametrize("seed", range(8))
def test_random_bindings(seed: int) -> None:
    rng = random.Random(seed)
    ring, chosen, total = system(rng, rng.randint(1, LEVELS))
    before = str(tg.flatten(ring))
    bound = tg.bind(ring, chosen.binding)
    solution = tg.simulate(bound, stop=1.0)
    assert -solution["source.i"][-1] == pytest.approx(10.0 / total, rel=1e-9)
    assert {path: solution.bindings[path] for path in chosen.binding} == chosen.binding
    assert str(tg.flatten(ring)) == before
    again = tg.bind(tg.bind(ring, {"row.cells": "double", "extra": "double"}), chosen.binding)
    for path in ("row.cells", "extra"):
        if path not in chosen.binding:
            again = tg.bind(again, {path: "single"})
    assert -tg.simulate(again, stop=1.0)["source.i"][-1] == pytest.approx(10.0 / total, rel=1e-9)
