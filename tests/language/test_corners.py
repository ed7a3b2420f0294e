"""Combinations: replacements in arrays, patterns of patterns, surroundings in built parts, nested connectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from golden_models.parts import Capacitor, Ground, Inertia, Pin, Resistor
from language.reading import column, names, node, nodes, statements, sums, traced, values
from language.test_assembly import Chain, Link, Slotted


class Bank(tg.Component):
    r = Resistor.array(2, R=[3.0, 4.0])
    g = Ground()

    def connections(self) -> Any:
        yield self.r.p, self.g.p


def test_arrays_can_be_replaced_by_arrays() -> None:
    assert values(Bank(r=Resistor.array(3, R=7.0))) == {f"r[{k}].R": 7 for k in range(3)}
    assert values(Bank(r=Resistor.array(2))) == {"r[0].R": 1, "r[1].R": 1}, "nothing is inherited"
    assert values(Bank(r=Capacitor.array(1))) == {"r[0].C": 1}

    class Two(tg.Component):
        t = Bank(r=Resistor.array(3))
        u = Bank()
        u.r.R = [5.0, 6.0]
        v = Bank()

    found = values(Two())
    assert [found[f"t.r[{k}].R"] for k in range(3)] == [1, 1, 1]
    assert [found[f"{x}.r[{k}].R"] for x in "uv" for k in range(2)] == [5, 6, 3, 4]


def test_parts_of_array_elements_can_be_replaced_together() -> None:
    class Top(tg.Component):
        h = Slotted.array(2, part=Link(G=[1.0, 2.0]))
        j = Slotted.array(2)
        j.part = Link(G=4.0)
        k = Slotted.array(2, k=1)

    found = values(Top())
    assert [found[f"{x}[{i}].part.G"] for x in "hj" for i in range(2)] == [1, 2, 4, 4]
    assert "k[1].part.rs[0].R" in found
    assert node("+h[1].g.p.i", "+h[1].part.p.i") in sums(Top())


class Level1(tg.Component):
    s = Slotted()


class Level2(tg.Component):
    a = Level1()
    a.s.part = Link(G=5.0)
    b = Level1(s=Slotted(part=Link(G=6.0)))
    c = Level1()


class Level3(tg.Component):
    x = Level2()
    x.a.s.part.G = 8.0
    y = Level2()
    z = Level2()
    z.c.s.part = Link()
    z.c.s.part.G = 9.0


def test_patterns_of_patterns() -> None:
    found = values(Level3())
    assert [found[f"{x}.{part}.s.part.G"] for x in "xyz" for part in "ab"] == [8, 6, 5, 6, 5, 6]
    assert found["z.c.s.part.G"] == 9
    assert "x.c.s.part.rs[1].R" in found
    assert "z.c.s.part.rs[1].R" not in found


def test_changes_of_one_instance_deep_inside() -> None:
    model = Level3()
    model.x.a.s.part = Chain(n=1)
    model.y.b.s.k = 1  # a structural parameter beside a replaced part
    model.z.c.s.part.G = 1.5
    model.z.c.s.k = 3
    found = values(model)
    assert found["x.a.s.part.rs[0].R"] == 2
    assert (found["y.a.s.part.G"], found["y.b.s.part.G"]) == (5, 6)
    assert (found["z.c.s.part.G"], found["z.a.s.part.G"], found["z.b.s.part.G"]) == (1.5, 5, 6)
    assert values(Level3())["x.a.s.part.G"] == 8


def test_many_like_instances_are_traced_once_also_when_replaced() -> None:
    class Many(tg.Component):
        n = tg.parameter(2, structural=True)

        def build(self) -> None:
            self.parts = [Slotted(part=Link(G=float(k))) for k in range(self.n)]

    assert traced(Many(n=2)) == traced(Many(n=40))
    assert values(Many(n=40))["parts[39].part.G"] == 39


class World(tg.Component):
    g = tg.parameter(9.81)
    pins = Pin.array(3)

    def equations(self) -> Any:
        yield self.pins.v == 0


class Body(tg.Component):
    world = tg.outer("world")
    x = tg.variable()
    r = Resistor()

    def equations(self) -> Any:
        yield self.x == self.world.g

    def initial_equations(self) -> Any:
        yield self.r.v == self.world.g

    def connections(self) -> Any:
        yield self.r.n, self.world.pins[2]
        yield self.r.p, self.world.pins[0]


def test_surroundings_of_built_parts_in_arrays() -> None:
    class Rig(tg.Component):
        def build(self) -> None:
            self.bodies = [Body() for _ in range(2)]

    class Top(tg.Component):
        world = World()
        rigs = Rig.array(2)

    ends = [f"rigs[{i}].bodies[{j}].r" for i in range(2) for j in range(2)]
    assert node("+world.pins[2].i", *(f"+{end}.n.i" for end in ends)) in sums(Top())
    assert node("+world.pins[0].i", *(f"+{end}.p.i" for end in ends)) in sums(Top())
    assert node("+world.pins[1].i") in sums(Top())
    assert statements(Top(), "initial_equations")[-1].endswith(".r.v == world.g")
    top = Top()
    top.world.g = 3.7
    assert values(top)["world.g"] == 3.7


class Plug(tg.Connector):
    a = Pin()
    b = Pin()


class Strip(tg.Component):
    plugs = Plug.array(2)

    def equations(self) -> Any:
        yield self.plugs.a.v == [1.0, 2.0]
        yield self.plugs[1].b.v == 3.0
        yield self.plugs.b.v[0] == 4.0


def test_arrays_of_nested_connectors() -> None:
    class Top(tg.Component):
        t = Strip()
        u = Strip.array(2)

        def connections(self) -> Any:
            yield self.t.plugs[1].a, self.u[0].plugs[0].b
            yield self.t.plugs, self.u[1].plugs

    assert statements(Strip()) == ["plugs[0].a.v == 1", "plugs[1].a.v == 2", "plugs[1].b.v == 3", "plugs[0].b.v == 4"]
    assert nodes(Top()) == {
        node("t.plugs[0].a.v", "u[1].plugs[0].a.v"),
        node("t.plugs[0].b.v", "u[1].plugs[0].b.v"),
        node("t.plugs[1].a.v", "u[0].plugs[0].b.v", "u[1].plugs[1].a.v"),
        node("t.plugs[1].b.v", "u[1].plugs[1].b.v"),
    }


class Switchable(tg.Component):
    on = tg.parameter(False, structural=True)
    q = tg.parameter(3.0, "ohm")
    r = Resistor(R=q).only_if(on)
    many = Resistor.array(2).only_if(on)
    g = Ground()

    def connections(self) -> Any:
        yield self.r.p, self.g.p
        yield self.many.p, self.g.p
        yield self.many[0].n, self.g.p


def test_conditions_values_and_replacements() -> None:
    class Top(tg.Component):
        a = Switchable()
        a.r.R = 5.0
        b = Switchable(on=True)
        b.r.R = 6.0
        c = Switchable(on=True)
        d = Switchable(on=True, r=Capacitor())
        e = Switchable(r=Capacitor())

    found = values(Top())
    assert (found["b.r.R"], found["c.r.R"], found["d.r.C"]) == (6, 3, 1)
    assert not {"a.r.R", "e.r.C", "a.many[0].R"} & set(found)
    model = Switchable()
    model.on = True
    model.r.R = 4.0
    assert values(model)["r.R"] == 4
    model.on = False
    assert values(model) == {"q": 3}


def test_attributes_of_array_members_and_of_built_parts() -> None:
    class Built(tg.Component):
        def build(self) -> None:
            self.js = [Inertia(w=tg.variable(start=float(k))) for k in range(2)]

    class Top(tg.Component):
        b = Built.array(2)
        c = Built()

    top = Top()
    top.c.js[1].w.start = 9.0
    starts = column(top, "start")
    assert [starts[f"{x}.js[{k}].w"] for x in ("b[0]", "b[1]", "c") for k in range(2)] == [0, 1, 0, 1, 0, 9]


def test_connectors_of_other_domains_are_refused_also_when_derived() -> None:
    class Plus(Pin):
        """The same variables: the same domain."""

    class Rich(Pin):
        w = tg.across("V")
        j = tg.through("A")

    class Source(tg.Component):
        p = Plus()

        def equations(self) -> Any:
            yield self.p.v == 0

    class RichSource(tg.Component):
        p = Rich()

        def equations(self) -> Any:
            yield self.p.v == 0
            yield self.p.w == 0

    good, bad = tg.System("good"), tg.System("bad")
    good.add(s=Source(), r=Resistor())
    good.connect(good.s.p, good.r.p)
    assert "s.p.v" in names(good)
    bad.add(s=RichSource(), r=Resistor())
    bad.connect(bad.s.p, bad.r.p)
    with pytest.raises(tg.LanguageError) as caught:
        tg.flatten(bad)
    assert caught.value.code == "E130"


@pytest.mark.parametrize("seed", range(6))
def test_an_array_is_the_same_as_a_list(seed: int) -> None:
    """Random wiring of n filters, once from an array of components and once from single objects."""
    random = np.random.default_rng(seed)
    n = int(random.integers(3, 8))
    numbers = random.uniform(1, 9, n)
    wires = [
        (int(i), str(a), int(j), str(b))
        for i, j in random.integers(0, n, (n + 2, 2))
        for a, b in [random.choice(["p", "q"], 2)]
    ]
    found = []
    for by_array in (True, False):
        system = tg.System("net")
        part = Chain.array(n, R=numbers) if by_array else [Chain(R=float(number)) for number in numbers]
        system.add(c=part, g=Ground())
        system.connect(system.g.p, *(system.c[k].p for k in range(n)))
        for i, a, j, b in wires:
            system.connect(getattr(system.c[i], a), getattr(system.c[j], b))
        found.append((values(system), nodes(system), sums(system), sorted(statements(system))))
    for one, other in zip(*found, strict=True):
        assert one == other


def test_an_array_inside_a_part_is_indexed_from_outside() -> None:
    """Its size is a structural parameter of that part, and not of whoever looks."""

    class Cell(tg.Component):
        x = tg.variable(start=1.0)
        k = tg.parameter(1.0)

        def equations(self) -> Any:
            yield tg.der(self.x) == self.k

    class Row(tg.Component):
        n = tg.parameter(2, structural=True)
        cell = Cell.array(n, k=3.0)

    class Top(tg.Component):
        row = Row(n=4)
        last = tg.variable()
        count = tg.variable()

        def equations(self) -> Any:
            yield self.last == self.row.cell[-1].x
            yield self.count == len(self.row.cell)

    found = tg.simulate(Top(), 1.0)
    assert found["last"][-1] == pytest.approx(4.0)
    assert found["count"][-1] == 4


def test_of_several_bases_the_one_counts_that_python_takes() -> None:
    """`Left` only inherits k, `Right` declares it again: Python finds Right.k, whatever the order of the bases."""

    class Base(tg.Component):
        k = tg.parameter(1.0)
        twice = tg.parameter(2.0 * k)
        u = tg.variable(start=0.0)

    class Left(Base):
        other = tg.parameter(5.0)

    class Right(Base):
        k = tg.parameter(3.0)
        u = tg.input(default=4.0)

    for cls in (type("Both", (Left, Right), {}), type("Turned", (Right, Left), {})):
        assert values(cls()) == {"k": 3.0, "twice": 6.0, "other": 5.0}
        assert cls._info.variables["u"].role == "input"
