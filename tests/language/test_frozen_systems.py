"""A System of which a few parts were bound again is frozen by these parts: the same Model as freezing all of it."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.frontends.python.building import frozen_system
from tellegen.frontends.python.interfaces.duplicate import duplicate
from tellegen.ir.show.flat_model import show_flat
from tellegen.library import electrical as el
from tellegen.stages import build_model, flatten_model

SEED = 18
SYSTEMS = 12


class Branch(tg.Interface):
    """A resistor of some kind."""

    p = el.Pin()
    n = el.Pin()
    R = tg.parameter(1.0, "ohm", semantics="resistance")


class Linear(tg.Component, implements=Branch, name="linear", default=True):
    def equations(self):
        yield self.p.v - self.n.v == self.R * self.p.i
        yield self.p.i + self.n.i == 0


class Lamp(tg.Component, implements=Branch, name="lamp"):
    k = tg.parameter(0.1, "1/A^2")

    def equations(self):
        yield self.p.v - self.n.v == self.R * (1.0 + self.k * self.p.i**2) * self.p.i
        yield self.p.i + self.n.i == 0


class Chain(tg.Component, implements=Branch, name="chain"):
    """Two in series, the second an interface again, between them more of them in an array."""

    first = el.Resistor(R=0.5 * Branch.R)
    more = el.Resistor.array(2, R=0.1 * Branch.R)
    last = Branch(R=0.3 * Branch.R)

    def connections(self):
        yield self.p, self.first.p
        yield self.first.n, self.more[0].p
        yield self.more[0].n, self.more[1].p
        yield self.more[1].n, self.last.p
        yield self.last.n, self.n


NAMES = ("linear", "lamp", "chain")


def ladder(rng: random.Random) -> tg.System:
    """Branches, capacitors, a list of branches and an array, joined in a row, some statements with three ends."""
    system = tg.System("ladder")
    system.add(source=el.SineVoltage(V=1.0, f=50.0), ground=el.Ground())
    row: list[Any] = []
    for k in range(rng.randint(2, 9)):
        if rng.random() < 0.2:
            system.add(**{f"x{k}": el.Resistor(R=2.0 + k)})
            row.append(system[f"x{k}"])
        given = rng.choice([Branch(R=1.0 + k), Branch(R=f"{k + 1} kohm"), Branch()])
        system.add(**{f"r{k}": given})
        row.append(given)
        if rng.random() < 0.5:
            system.add(**{f"c{k}": el.Capacitor(C=1e-3)})
            system.connect(system[f"c{k}"].n, system.ground.p)
    if rng.random() < 0.5:
        system.add(some=[Branch(R=7.0), Branch(R=8.0)])
        row += system.some
    if rng.random() < 0.5:
        system.add(cells=Branch.array(3, R=4.0))
        row += [system.cells[k] for k in range(3)]
    rng.shuffle(row)
    system.connect(system.source.p, row[0].p)
    for k, (a, b) in enumerate(pairwise(row)):
        reactive = f"c{k}"
        if reactive in system._children and rng.random() < 0.5:
            system.connect(a.n, b.p, system[reactive].p)
        else:
            system.connect(a.n, b.p)
            if reactive in system._children:
                system.connect(system[reactive].p, b.p)
    for k in range(9):
        if f"c{k}" in system._children and k >= len(row) - 1:
            system.connect(system[f"c{k}"].p, row[0].p)
    system.connect(row[-1].n, system.ground.p, system.source.n)
    return system


def columns(model: Any) -> list[Any]:
    """Everything about the children of a Model that texts may leave out; each number is set once, in any order."""
    root = model.root
    groups = [(group.kind.name, group.names, group.size, group.is_array, group.locations) for group in root.groups]
    settings = [
        (s.ref.path, s.ref.member, s.ref.parameter, s.attribute, s.ref.elements.tolist(), s.values.tolist())
        for s in root.settings
    ]
    ends = [
        [(e.group, e.port, e.outer, e.elements.tolist()) for e in (one.a, one.b)] + [one.location]
        for one in root.connections
    ]
    return [groups, sorted(settings), ends, model.traced, model.parts]


def frozen_at_once(system: Any) -> Any:
    """A copy that knows nothing of what was frozen before."""
    twin = duplicate(system)
    twin.__dict__.update(_frozen=None, _exchanged=())
    return twin


def test_random_bindings_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    count: Counter[bool] = Counter()
    whole = frozen_system.Refreezing.result

    def counted(self: Any) -> Any:
        found = whole(self)
        count[found is not None] += 1
        return found

    monkeypatch.setattr(frozen_system.Refreezing, "result", counted)
    rng = random.Random(SEED)
    for _ in range(SYSTEMS):
        system: Any = ladder(rng)
        build_model(system)
        before = show_flat(flatten_model(frozen_at_once(system)))
        start = system
        for _ in range(4):
            interfaces = [name for name in system._children if name[0] == "r" or name[:5] in ("some[", "cells")]
            paths = rng.sample(interfaces, min(len(interfaces), rng.choice([1, 1, 2, 3])))
            paths = [path for path in paths if path != "cells" or rng.random() < 0.3]
            choices: dict[str, Any] = {path: rng.choice([*NAMES, Lamp(k=0.2), Linear(R=3.0)]) for path in paths}
            for path, choice in list(choices.items()):
                if choice == "chain" and rng.random() < 0.5:
                    choices[f"{path}.last"] = "lamp"
            system = tg.bind(system, choices)
            if rng.random() < 0.1:  # a change that the version knows of
                system["r0"].R = 9.0
            found = build_model(system)
            expected = build_model(frozen_at_once(system))
            assert columns(found) == columns(expected)
            assert show_flat(flatten_model(found)) == show_flat(flatten_model(expected))
        assert show_flat(flatten_model(start)) == before  # the first System is as it was
    assert count[True] > 2 * SYSTEMS, count
    assert count[False] > SYSTEMS / 20, count


def test_the_same_curves() -> None:
    rng = random.Random(3)
    for _ in range(3):
        system = ladder(rng)
        tg.compile(system)
        bound = tg.bind(system, {"r0": "lamp", "r1": "chain"})
        fresh = frozen_at_once(bound)
        one = tg.simulate(bound, stop=0.05, points=20)
        other = tg.simulate(fresh, stop=0.05, points=20)
        np.testing.assert_array_equal(one["source.p.i"], other["source.p.i"])


GAIN = 1.0


class Global(tg.Component, implements=Branch, name="global"):
    """A law that uses something of the module."""

    def equations(self):
        yield self.p.v - self.n.v == GAIN * self.R * self.p.i
        yield self.p.i + self.n.i == 0


def divider(**values: Any) -> tg.System:
    system = tg.System("divider")
    system.add(source=el.ConstantVoltage(V=6.0), ground=el.Ground(), a=Branch(**values), b=Branch(R=2.0))
    system.connect(system.source.p, system.a.p)
    system.connect(system.a.n, system.b.p)
    system.connect(system.b.n, system.ground.p, system.source.n)
    return system


def current(system: Any) -> float:
    return float(tg.simulate(system, stop=1.0, points=2)["a.p.i"][-1])


def test_equations_are_traced_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What equations use besides the component may have changed since the System was frozen."""
    system = tg.bind(divider(R=1.0), {"a": "global"})
    assert current(system) == pytest.approx(2.0)
    monkeypatch.setattr(f"{__name__}.GAIN", 4.0)
    assert current(tg.bind(system, {"b": "linear"})) == pytest.approx(1.0)


def test_changes_before_and_after_binding_count() -> None:
    system = divider(R=1.0)
    assert current(system) == pytest.approx(2.0)
    system.a.R = 4.0
    assert current(tg.bind(system, {"b": "linear"})) == pytest.approx(1.0)
    assert current(system) == pytest.approx(1.0)
    bound = tg.bind(system, {"b": Linear(R=8.0)})
    bound.a.R = 10.0
    assert current(bound) == pytest.approx(6.0 / 18.0)


def test_numbers_in_arrays_may_be_changed_by_their_owner() -> None:
    """A version cannot know of that, so everything is frozen again."""
    given = np.array(1.0)
    system = divider(R=given)
    assert current(system) == pytest.approx(2.0)
    given[...] = 4.0
    assert current(tg.bind(system, {"b": "linear"})) == pytest.approx(1.0)


def test_a_system_in_another_one_counts_changes_there() -> None:
    inner = divider(R=1.0)
    current(inner)
    outer = tg.System("outer")
    outer.add(inner=inner)
    outer.inner.a.R = 4.0
    assert current(tg.bind(outer.inner, {"b": "linear"})) == pytest.approx(1.0)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda system: pickle.loads(pickle.dumps(system))])
def test_copies_are_frozen_for_themselves(copied: Any) -> None:
    system = divider(R=1.0)
    current(system)
    twin = copied(system)
    assert twin._frozen is None
    assert current(tg.bind(twin, {"b": Linear(R=5.0)})) == pytest.approx(1.0)


def test_arrays_in_a_system_are_bound_again_and_again() -> None:
    """Connections that name an element mean what stands in its place, however often that is exchanged."""
    system: Any = tg.System("row")
    system.add(source=el.ConstantVoltage(V=6.0), ground=el.Ground(), a=Branch(R=1.0), cells=Branch.array(2, R=1.0))
    system.connect(system.source.p, system.a.p)
    system.connect(system.a.n, system.cells[0].p)
    system.connect(system.cells[0].n, system.cells[1].p)
    system.connect(system.cells[1].n, system.ground.p, system.source.n)
    for name in ("chain", "linear"):
        system = tg.bind(tg.bind(system, {"a": name}), {"cells": name})
    assert current(tg.bind(system, {"a": Linear(R=4.0)})) == pytest.approx(1.0)
