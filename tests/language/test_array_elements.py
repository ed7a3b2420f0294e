"""Elements of arrays that are bound by themselves, against the same components written one by one."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

import tellegen as tg
from tellegen.library import electrical as el


class Cell(tg.Interface):
    """A resistor of some kind."""

    p = el.Pin()
    n = el.Pin()
    R = tg.parameter(1.0, "ohm", semantics="resistance")


class Plain(tg.Component, implements=Cell, name="plain", default=True):
    def equations(self):
        yield self.p.v - self.n.v == self.R * self.p.i
        yield self.p.i + self.n.i == 0


class Double(tg.Component, implements=Cell, name="double"):
    """Twice the resistance, and something more."""

    extra = tg.parameter(0.0, "ohm")

    def equations(self):
        yield self.p.v - self.n.v == (2.0 * self.R + self.extra) * self.p.i
        yield self.p.i + self.n.i == 0


class Pair(tg.Component, implements=Cell, name="pair"):
    """Two in series, of interfaces again, in an array."""

    halves = Cell.array(2, R=0.5 * Cell.R)

    def connections(self):
        yield self.p, self.halves[0].p
        yield self.halves[0].n, self.halves[1].p
        yield self.halves[1].n, self.n


class Row(tg.Component):
    """Cells in series, connected as an array, with a sum over all of them."""

    p = el.Pin()
    n = el.Pin()
    scale = tg.parameter(1.0)
    count = tg.parameter(4, structural=True)
    cells = Cell.array(count, R=2.0 * scale)
    heat = tg.variable("W")

    def connections(self):
        yield self.p, self.cells[0].p
        yield self.cells[:-1].n, self.cells[1:].p
        yield self.cells[-1].n, self.n

    def equations(self):
        yield self.heat == sum((cell.p.v - cell.n.v) * cell.p.i for cell in self.cells)


class Rig(tg.Component):
    source = el.ConstantVoltage(V=12.0)
    ground = el.Ground()
    row = Row()
    other = Row(scale=2.0)

    def connections(self):
        yield self.source.p, self.row.p
        yield self.row.n, self.other.p
        yield self.other.n, self.source.n, self.ground.p


def run(model: Any) -> Any:
    return tg.simulate(model, stop=1.0, points=2)


def test_one_element() -> None:
    rig = Rig()
    before = str(tg.flatten(rig))
    bound = tg.bind(rig, {"row.cells[2]": "double"})
    solution = run(bound)
    assert abs(solution["source.i"][-1]) == pytest.approx(12.0 / (8.0 + 2.0 + 16.0))
    assert solution["row.cells[2].R"] == pytest.approx(2.0)
    assert solution.bindings["row.cells[2]"] == "double"
    assert solution.bindings["row.cells[1]"] == "plain"
    assert solution["row.heat"][-1] + solution["other.heat"][-1] == pytest.approx(144.0 / 26.0)
    assert str(tg.flatten(rig)) == before
    assert abs(run(rig)["source.i"][-1]) == pytest.approx(0.5)


def test_values_of_a_choice_and_of_the_array() -> None:
    """Numbers of the choice count for the element, those of the array for all others; also from further out."""
    bound = tg.bind(Rig(), {"row.cells[0]": Double(R=5.0, extra=1.0), "other.cells[3]": "double"})
    assert abs(run(bound)["source.i"][-1]) == pytest.approx(12.0 / (11.0 + 6.0 + 12.0 + 8.0))
    bound.row.scale = 3.0
    assert abs(run(bound)["source.i"][-1]) == pytest.approx(12.0 / (11.0 + 18.0 + 20.0))
    given = Rig()
    given.row.cells.R = [1.0, 2.0, 3.0, 4.0]
    assert abs(run(tg.bind(given, {"row.cells[3]": "double"}))["source.i"][-1]) == pytest.approx(12.0 / (14.0 + 16.0))


def test_values_for_an_element_of_the_same_model() -> None:
    """Only a number differs, so the array stays one."""
    bound = tg.bind(Rig(), {"row.cells[1]": Plain(R=7.0), "other.cells[0]": Plain(R=9.0)})
    assert abs(run(bound)["source.i"][-1]) == pytest.approx(12.0 / (6.0 + 7.0 + 9.0 + 12.0))
    assert run(bound)["row.cells.R"].tolist() == [2.0, 7.0, 2.0, 2.0]


def test_inside_of_elements_and_all_of_them_again() -> None:
    bound = tg.bind(Rig(), {"row.cells[1]": "pair", "row.cells[1].halves[0]": "double"})
    assert abs(run(bound)["source.i"][-1]) == pytest.approx(12.0 / (6.0 + 3.0 + 16.0))
    again = tg.bind(bound, {"row.cells[1].halves[0]": "plain", "row.cells[0]": "double"})
    assert abs(run(again)["source.i"][-1]) == pytest.approx(12.0 / (10.0 + 16.0))
    assert abs(run(tg.bind(again, {"row.cells": "double"}))["source.i"][-1]) == pytest.approx(12.0 / (16.0 + 16.0))


@pytest.mark.parametrize("seed", range(6))
def test_random_rows(seed: int) -> None:
    """A System with an array: the resistance of the row is that of its elements."""
    rng = random.Random(seed)
    count = rng.randint(1, 6)
    values = [float(rng.randint(1, 9)) for _ in range(count)]
    system: Any = tg.System("ring")
    system.add(source=el.ConstantVoltage(V=10.0), ground=el.Ground(), cells=Cell.array(count, R=values))
    system.connect(system.source.p, system.cells[0].p)
    for a, b in pairwise(range(count)):
        system.connect(system.cells[a].n, system.cells[b].p)
    system.connect(system.cells[count - 1].n, system.source.n, system.ground.p)
    total = dict(enumerate(values))
    bound = system
    for _ in range(3):
        k = rng.randrange(count)
        name = rng.choice(["plain", "double", "pair"])
        bound = tg.bind(bound, {f"cells[{k}]": name})
        total[k] = values[k] * (2.0 if name == "double" else 1.0)
        solution = run(bound)
        assert abs(solution["source.i"][-1]) == pytest.approx(10.0 / sum(total.values()), rel=1e-9)
        assert solution.bindings[f"cells[{k}]"] == name
    assert abs(run(system)["source.i"][-1]) == pytest.approx(10.0 / sum(values), rel=1e-9)


def test_elements_are_choices_of_a_search() -> None:
    found = tg.optimize(Rig(), minimize=tg.final("row.heat"), choices={"row.cells[1]": ["plain", "double"]}, stop=1.0)
    heat = {name: run(tg.bind(Rig(), {"row.cells[1]": name}))["row.heat"][-1] for name in ("plain", "double")}
    assert found.choice["row.cells[1]"] == min(heat, key=lambda name: heat[name])


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("row.cells[4]", "'cells' has 4 elements"),
        ("row.cells[-1]", "'cells' has 4 elements"),
        ("row.cells[x]", "'cells' has 4 elements"),
        ("row.p[1]", "there is no part 'p[1]'"),
    ],
)
def test_what_is_refused(path: str, words: str) -> None:
    with pytest.raises(tg.BindingError) as caught:
        tg.bind(Rig(), {path: "double"})
    assert caught.value.code == "E803"
    assert words in str(caught.value)


def test_members_that_an_element_does_not_have() -> None:
    class Reading(tg.Component):
        cells = Double.array(2)
        total = tg.variable("ohm")

        def equations(self):
            yield self.total == sum(cell.extra for cell in self.cells)

    with pytest.raises(tg.BindingError, match="uses 'extra' of all elements of 'cells'"):
        tg.compile(tg.bind(Reading(), {"cells[1]": "plain"}))
