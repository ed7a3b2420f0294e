"""Structure: build(), arrays, replaceable parts, inheritance, surroundings, System, and one tracing for each shape."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import tellegen as tg
from golden_models.parts import Battery, Capacitor, Ground, Inertia, Pin, Resistor
from language.reading import column, names, node, nodes, statements, sums, traced, values


class Chain(tg.Component):
    """n resistors in a row, made by build()."""

    n = tg.parameter(3, structural=True)
    R = tg.parameter(2.0, "ohm")
    p = Pin()
    q = Pin()

    def build(self) -> None:
        self.rs = [Resistor(R=self.R * (k + 1)) for k in range(self.n)]

    def connections(self) -> Any:
        yield self.p, self.rs[0].p
        for a, b in zip(self.rs, self.rs[1:], strict=False):
            yield a.n, b.p
        yield self.rs[-1].n, self.q


class TwoChains(tg.Component):
    a = Chain()
    b = Chain(n=2, R=5.0)
    g = Ground()

    def connections(self) -> Any:
        yield self.a.p, self.b.p, self.g.p


def test_build_with_a_list() -> None:
    found = values(TwoChains())
    assert [found[f"a.rs[{k}].R"] for k in range(3)] == [2, 4, 6]
    assert [found[f"b.rs[{k}].R"] for k in range(2)] == [5, 10]
    assert "b.rs[2].R" not in found
    assert node("a.rs[0].n.v", "a.rs[1].p.v") in nodes(TwoChains())
    assert node("+b.q.i", "-b.rs[1].n.i") in sums(TwoChains())


def test_built_parts_can_be_set_on_instances_and_in_class_bodies() -> None:
    model = TwoChains()
    model.a.rs[1].R = 9.0
    found = values(model)
    assert [found[f"a.rs[{k}].R"] for k in range(3)] == [2, 9, 6]
    assert values(TwoChains())["a.rs[1].R"] == 4

    class Set(tg.Component):
        x = Chain()
        x.rs[0].R = 7.0
        y = Chain()
        g = Ground()

        def connections(self) -> Any:
            yield self.x.p, self.y.p, self.g.p

    found = values(Set())
    assert (found["x.rs[0].R"], found["x.rs[1].R"], found["y.rs[0].R"]) == (7, 4, 2)


def test_values_reach_below_built_parts() -> None:
    class Box(tg.Component):
        r = Inertia(J=1.0)

    class Built(tg.Component):
        def build(self) -> None:
            self.box = Box()

    class Top(tg.Component):
        b = Built()
        b.box.r.J = 5.0
        c = Built()

    assert values(Top()) == {"b.box.r.J": 5, "c.box.r.J": 1}
    top = Top()
    top.c.box.r.J = 6.0
    assert values(top) == {"b.box.r.J": 5, "c.box.r.J": 6}
    assert values(Top()) == {"b.box.r.J": 5, "c.box.r.J": 1}


def test_build_with_dicts_and_nested_lists() -> None:
    class Grid(tg.Component):
        sizes = tg.parameter((2, 3), structural=True)

        def build(self) -> None:
            rows, columns = self.sizes
            self.grid = [[Inertia(J=10.0 * i + j) for j in range(columns)] for i in range(rows)]
            self.named = {key: Inertia(J=value) for key, value in (("left", 7.0), ("right", 8.0))}
            self.pair = {"a": [Inertia(J=1.0), Inertia(J=2.0)]}

        def connections(self) -> Any:
            for row in self.grid:
                for a, b in itertools.pairwise(row):
                    yield a.b, b.a
            yield self.named["left"].b, self.named["right"].a

    found = values(Grid())
    assert found["grid[1][2].J"] == 12
    assert (found["named[left].J"], found["named[right].J"]) == (7, 8)
    assert found["pair[a][1].J"] == 2
    assert node("+grid[1][1].b.tau", "+grid[1][2].a.tau") in sums(Grid())
    assert len(values(Grid(sizes=(1, 2)))) == 2 + 2 + 2


def test_ports_made_by_build() -> None:
    class Splitter(tg.Component):
        n = tg.parameter(2, structural=True)

        def build(self) -> None:
            self.inlet = Pin()
            self.outlets = [Pin() for _ in range(self.n)]

        def equations(self) -> Any:
            yield self.outlets.v == self.inlet.v
            yield tg.sum(self.outlets.i) + self.inlet.i == 0

    class Top(tg.Component):
        s = Splitter(n=3)
        r = Resistor.array(3)
        g = Ground()

        def connections(self) -> Any:
            yield self.s.inlet, self.g.p
            yield self.s.outlets, self.r.p

    assert "s.outlets[2].v == s.inlet.v" in statements(Top())
    assert node("+r[1].p.i", "+s.outlets[1].i") in sums(Top())


def test_recursion_through_a_structural_parameter() -> None:
    class Tree(tg.Component):
        depth = tg.parameter(2, structural=True)
        x = tg.variable()

        def build(self) -> None:
            if self.depth > 0:
                self.left = Tree(depth=self.depth - 1)
                self.right = Tree(depth=self.depth - 1)

        def equations(self) -> Any:
            yield self.x == (self.left.x + self.right.x if self.depth > 0 else 1.0)

    assert len(names(Tree(depth=4))) == 2**5 - 1
    assert traced(Tree(depth=4)) == 5, "one shape for each depth"
    assert "left.right.x == left.right.left.x + left.right.right.x" in statements(Tree(depth=3))


def test_structural_parameters_pass_down_as_expressions() -> None:
    class Holder(tg.Component):
        m = tg.parameter(2, structural=True)
        chain = Chain(n=2 * m)
        rotors = Inertia.array(m + 1)
        g = Ground()

        def connections(self) -> Any:
            yield self.chain.p, self.g.p

    class Top(tg.Component):
        k = tg.parameter(3, structural=True)
        h = Holder(m=k - 1)
        j = Holder()

    have = names(Top(k=4))
    assert "h.chain.rs[5].v" in have
    assert "h.chain.rs[6].v" not in have
    assert "j.chain.rs[3].v" in have
    assert "j.chain.rs[4].v" not in have
    assert "h.rotors[3].w" in have
    assert "j.rotors[3].w" not in have


def test_a_structural_parameter_may_change_between_flattenings() -> None:
    chain = Chain()
    assert len(values(TwoChains())) == 7
    chain.rs[2].R = 1.0
    chain.n = 1
    top = TwoChains(a=chain)
    assert "a.rs[1].R" not in values(top)
    top.a.n = 4
    assert values(top)["a.rs[3].R"] == 8


def test_any_value_may_be_structural_and_different_ones_are_different_shapes() -> None:
    class Right(tg.Component):
        what = tg.parameter(1, structural=True)
        x = tg.variable()

        def equations(self) -> Any:
            yield self.x == len(repr(self.what))

    class All(tg.Component):
        a = Right()
        b = Right(what=True)
        c = Right(what="one")
        d = Right(what=(1, 2))
        e = Right(what={"a": 3})
        f = Right(what={4})
        g = Right(what="one")

    given = (1, True, "one", (1, 2), {"a": 3}, {4}, "one")
    expected = {name: len(repr(value)) for name, value in zip("abcdefg", given, strict=True)}
    assert sorted(statements(All())) == sorted(f"{name}.x == {n}" for name, n in expected.items())
    assert traced(All()) == 7


class Shared(tg.Component):
    """Array of components with a built inside."""

    chains = Chain.array(3, R=[1.0, 2.0, 3.0])
    seen = tg.variable("V")
    g = Ground()

    def equations(self) -> Any:
        yield self.seen == self.chains[2].rs[1].v + tg.sum(self.chains.rs[0].v)

    def connections(self) -> Any:
        yield self.chains[:-1].q, self.chains[1:].p
        yield self.chains[0].p, self.g.p


def test_arrays_of_built_components() -> None:
    found = values(Shared())
    assert found["chains[2].rs[1].R"] == 6
    assert found["chains[0].rs[2].R"] == 3
    expected = "seen == chains[2].rs[1].v + (chains[0].rs[0].v + chains[1].rs[0].v + chains[2].rs[0].v)"
    assert expected.replace("(", "").replace(")", "") in [
        line.replace("(", "").replace(")", "") for line in statements(Shared())
    ]
    assert node("+chains[0].q.i", "+chains[1].p.i") in sums(Shared())


def test_arrays_in_arrays() -> None:
    class Module(tg.Component):
        cells = Inertia.array(2, J=[1.0, 2.0])
        total = tg.variable()

        def equations(self) -> Any:
            yield self.total == tg.sum(self.cells.w)

    class Rack(tg.Component):
        modules = Module.array(3)
        sum = tg.variable()
        one = tg.variable()
        some = tg.variable(shape=(2, 2))

        def equations(self) -> Any:
            yield self.sum == tg.sum(self.modules.total)
            yield self.one == self.modules[1].cells[1].w
            yield self.some == self.modules[1:].cells.w

    assert "one == modules[1].cells[1].w" in statements(Rack())
    assert "some[1,0] == modules[2].cells[0].w" in statements(Rack())
    assert "sum == modules[0].total + modules[1].total + modules[2].total" in statements(Rack())
    assert "modules[2].total == modules[2].cells[0].w + modules[2].cells[1].w" in statements(Rack())
    assert values(Rack())["modules[2].cells[1].J"] == 2
    rack = Rack()
    rack.modules.cells.J = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    assert [values(rack)[f"modules[{i}].cells[{j}].J"] for i in range(3) for j in range(2)] == [1, 2, 3, 4, 5, 6]


def test_an_array_may_be_empty() -> None:
    class Maybe(tg.Component):
        n = tg.parameter(0, structural=True)
        r = Resistor.array(n)
        x = tg.variable(shape=n)
        g = Ground()

        def equations(self) -> Any:
            yield self.x == self.r.v

        def connections(self) -> Any:
            yield self.r.p, self.g.p

    assert names(Maybe()) == ["g.p.v", "g.p.i"]
    assert "x[1] == r[1].v" in statements(Maybe(n=2))


# -- replaceable parts ------------------------------------------------------------------------------------------------
class Slotted(tg.Component):
    k = tg.parameter(2, structural=True)
    part = Chain(n=k)
    g = Ground()

    def connections(self) -> Any:
        yield self.part.p, self.g.p


class Link(tg.Component):
    p = Pin()
    q = Pin()
    G = tg.parameter(1.0, "S")

    def equations(self) -> Any:
        yield self.p.i == self.G * (self.p.v - self.q.v)
        yield self.p.i + self.q.i == 0


def test_replacing_by_another_class_a_built_one_and_a_system() -> None:
    assert values(Slotted(part=Link(G=3.0))) == {"part.G": 3}
    assert len(values(Slotted(part=Chain(n=5)))) == 6

    class Top(tg.Component):
        q = tg.parameter(2, structural=True)
        G = tg.parameter(8.0, "S")
        a = Slotted(part=Chain(n=2 * q))
        b = Slotted(part=Link(G=2 * G))
        c = Slotted(k=q)

    found = values(Top())
    assert found["b.part.G"] == 16
    assert "a.part.rs[3].R" in found
    assert "c.part.rs[2].R" not in found
    system = tg.System("inside")
    system.add(p=Pin(), q=Pin(), r=Resistor(R=4.0))
    system.connect(system.p, system.r.p)
    system.connect(system.q, system.r.n)
    model = Slotted(part=system)
    for _ in range(2):
        assert values(model) == {"part.r.R": 4}
        assert node("+part.p.i", "-part.r.p.i") in sums(model)


def test_a_part_may_be_replaced_back() -> None:
    class Top(tg.Component):
        s = Slotted(part=Link())

    top = Top()
    top.s.part = Chain(n=1, R=6.0)
    assert values(top) == {"s.part.R": 6, "s.part.rs[0].R": 6}
    assert values(Top()) == {"s.part.G": 1}


def test_a_wrong_replacement_names_the_missing_port() -> None:
    with pytest.raises(tg.LanguageError, match="'q'") as caught:
        Slotted(part=Ground())
    assert caught.value.code == "E128"


# -- inheritance ------------------------------------------------------------------------------------------------------
def test_equations_connections_and_builds_add_up() -> None:
    class Base(tg.Component):
        x = tg.variable()
        a = Inertia()

        def build(self) -> None:
            self.extra = [Inertia(J=2.0)]

        def equations(self) -> Any:
            yield self.x == 1

    class Mixin(tg.Component):
        z = tg.variable()

        def equations(self) -> Any:
            yield self.z == 3

    class Derived(Base, Mixin):
        y = tg.variable()
        b = Inertia()

        def build(self) -> None:
            self.more = Inertia(J=3.0)

        def equations(self) -> Any:
            yield self.y == self.x + 1

        def initial_equations(self) -> Any:
            yield self.a.w == 0

        def connections(self) -> Any:
            yield self.a.b, self.b.a, self.extra[0].a, self.more.a

    lines = statements(Derived())
    assert [line for line in lines if "." not in line] == ["z == 3", "x == 1", "y == x + 1"]
    assert node("+a.b.tau", "+b.a.tau", "+extra[0].a.tau", "+more.a.tau") in sums(Derived())
    assert statements(Derived(), "initial_equations") == ["a.w == 0"]
    assert statements(Base()) == [line for line in statements(Base()) if "y" not in line]


# -- surroundings -----------------------------------------------------------------------------------------------------
class World(tg.Component):
    g = tg.parameter(9.81, "m/s2")
    n = tg.parameter(2, structural=True)
    wind = tg.parameter(1.0, "m/s", shape=n)
    ground = Pin()
    T = tg.variable("K")

    def equations(self) -> Any:
        yield self.ground.v == 0
        yield self.T == 300


class Body(tg.Component):
    world = tg.outer("world")
    a = tg.variable("m/s2")
    w = tg.variable("m/s")
    T = tg.variable("K")
    r = Resistor()

    def equations(self) -> Any:
        yield self.a == self.world.g
        yield self.w == tg.sum(self.world.wind)
        yield self.T == self.world.T

    def connections(self) -> Any:
        yield self.r.n, self.world.ground


class Rig(tg.Component):
    bodies = Body.array(2)
    one = Body()


class OwnWorld(tg.Component):
    own = tg.parameter(True, structural=True)
    world = World(g=1.62, n=3).only_if(own)
    rig = Rig()


class Universe(tg.Component):
    world = World()
    rig = Rig()
    moon = OwnWorld()
    sea = OwnWorld(own=False)
    moons = OwnWorld.array(2)


def test_every_component_sees_its_nearest_world() -> None:
    lines = statements(Universe())
    assert "rig.bodies[1].a == world.g" in lines
    assert "rig.one.w == world.wind[0] + world.wind[1]" in lines
    assert "moon.rig.bodies[0].a == moon.world.g" in lines
    assert "moon.rig.one.w == moon.world.wind[0] + moon.world.wind[1] + moon.world.wind[2]" in lines
    assert "sea.rig.bodies[1].T == world.T" in lines
    assert "moons[1].rig.bodies[0].a == moons[1].world.g" in lines
    found = values(Universe())
    assert (found["world.g"], found["moon.world.g"], found["moons[1].world.g"]) == (9.81, 1.62, 1.62)


def test_connections_to_the_world_join_all_that_see_it() -> None:
    found = sums(Universe())
    bodies = [f"{at}.{body}.r" for at in ("rig", "sea.rig") for body in ("bodies[0]", "bodies[1]", "one")]
    assert node("+world.ground.i", *(f"+{name}.n.i" for name in bodies)) in found
    assert node("+moon.world.ground.i", *(f"+moon.rig.{b}.r.n.i" for b in ("bodies[0]", "bodies[1]", "one"))) in found


def test_an_outer_may_have_another_name_at_home() -> None:
    class Falling(tg.Component):
        surroundings = tg.outer("world")
        a = tg.variable("m/s2")

        def equations(self) -> Any:
            yield self.a == self.surroundings.g

    class Top(tg.Component):
        world = World()
        f = Falling()

    assert "f.a == world.g" in statements(Top())


def test_no_world_is_an_error() -> None:
    with pytest.raises(tg.LanguageError) as caught:
        tg.flatten(Rig())
    assert caught.value.code == "E105"


def test_second_derivatives_of_outer_variables_are_kept_apart() -> None:
    class Sky(tg.Component):
        x = tg.variable()
        y = tg.variable()

        def equations(self) -> Any:
            yield self.x == tg.sin(3.0 * tg.time)
            yield self.y == tg.cos(3.0 * tg.time)

    class Watcher(tg.Component):
        sky = tg.outer("sky")
        a = tg.variable()
        b = tg.variable()

        def equations(self) -> Any:
            yield self.a == tg.der(tg.der(self.sky.x))
            yield self.b == tg.der(tg.der(self.sky.y))

    class Top(tg.Component):
        sky = Sky()
        w = Watcher()

    lines = statements(Top())
    assert sum(line.endswith("== der(sky.x)") for line in lines) == 1
    assert sum(line.endswith("== der(sky.y)") for line in lines) == 1


# -- System -----------------------------------------------------------------------------------------------------------
def test_system_agrees_with_the_class() -> None:
    class RC(tg.Component):
        s = Battery(V=5.0)
        r = Resistor(R=3.0)
        c = Capacitor(v=tg.variable(start=1.0))
        g = Ground()

        def connections(self) -> Any:
            yield self.s.p, self.r.p
            yield self.r.n, self.c.p
            yield self.c.n, self.s.n, self.g.p

    system = tg.System("rc")
    system.add(s=Battery(V=5.0), r=Resistor())
    system.add(c=Capacitor(), g=Ground())
    system.r.R = "3 ohm"
    system.c.v.start = 1.0
    system.connect(system.s.p, system.r.p)
    system.connect(system.r.n, system.c.p)
    system.connect(system.c.n, system.s.n, system.g.p)
    assert values(system) == values(RC())
    assert nodes(system) == nodes(RC())
    assert sums(system) == sums(RC())
    assert sorted(statements(system)) == sorted(statements(RC()))
    assert column(system, "start") == column(RC(), "start")


def test_system_with_lists_equations_and_systems_inside() -> None:
    inner = tg.System("inner")
    inner.add(p=Pin(), r=[Resistor(R=float(k + 1)) for k in range(3)], g=Ground())
    for k in range(3):
        inner.connect(inner.r[k].p, inner.p)
        inner.connect(inner.r[k].n, inner.g.p)

    class Source(tg.Component):
        p = Pin()
        u = tg.input("V")

        def equations(self) -> Any:
            yield self.p.v == self.u

    outer = tg.System("outer")
    outer.add(inner=inner, source=Source())
    outer.connect(outer.inner.p, outer.source.p)
    outer.equation(outer.source.u == 3 * tg.time * outer.inner.r[1].R)
    assert values(outer) == {f"inner.r[{k}].R": k + 1 for k in range(3)}
    assert "source.u == 3*time*inner.r[1].R" in statements(outer)
    assert node("+inner.r[0].p.i", "+inner.r[1].p.i", "+inner.r[2].p.i", "-inner.p.i") in sums(outer)


def test_flattening_twice_and_after_changes() -> None:
    system = tg.System("s")
    system.add(r=Resistor(R=1.0), g=Ground())
    system.connect(system.r.p, system.g.p)
    assert values(system) == {"r.R": 1}
    system.r.R = 2.0
    system.add(q=Resistor(R=3.0))
    system.connect(system.q.p, system.g.p)
    assert values(system) == {"r.R": 2, "q.R": 3}


# -- tracing ----------------------------------------------------------------------------------------------------------
def ladder(n: int) -> tg.System:
    system = tg.System("ladder")
    system.add(g=Ground())
    before = system.g.p
    for k in range(n):
        system.add(**{f"r{k}": Resistor(R=float(k + 1)), f"c{k}": Capacitor()})
        system.connect(before, system[f"r{k}"].p)
        system.connect(system[f"r{k}"].n, system[f"c{k}"].p)
        system.connect(system[f"c{k}"].n, system.g.p)
        before = system[f"r{k}"].n
    return system


def test_tracing_does_not_depend_on_the_number_of_components() -> None:
    assert traced(ladder(2)) == traced(ladder(50)) == traced(ladder(300)) == 4
    assert traced(Chain(n=2)) == traced(Chain(n=200)) == 2

    class Bank(tg.Component):
        n = tg.parameter(3, structural=True)
        r = Resistor.array(n)
        c = Chain.array(n)
        g = Ground()

        def connections(self) -> Any:
            yield self.r.p, self.c.p, self.g.p

    assert traced(Bank(n=3)) == traced(Bank(n=400)) == 4
    flat = tg.flatten(Bank(n=400))
    assert len(flat.equations) == len(tg.flatten(Bank(n=3)).equations), "as many groups"


def test_touched_and_untouched_instances_share_their_shape() -> None:
    system = tg.System("s")
    system.add(**{f"t{k}": TwoChains() for k in range(4)})
    system.t1.a.R = 3.0
    _ = system.t2.b.rs[0].v
    system.t3.a.rs[0].v.start = 2.0
    assert traced(system) == 1 + traced(TwoChains())


def test_a_class_derived_from_system() -> None:
    """Members and connections of its class body count beside what is added."""

    class Divider(tg.System):
        source = Battery(V=3.0)
        r = Resistor(R=2.0)
        ground = Ground()

        def connections(self) -> Any:
            yield self.source.p, self.r.p
            yield self.source.n, self.r.n, self.ground.p

    system: Any = Divider("divider")
    system.add(more=Resistor(R=1.0))
    system.connect(system.more.p, system.r.p)
    system.connect(system.more.n, system.ground.p)
    found = tg.steady_state(system)
    assert (found["r.i"], found["more.i"]) == (1.5, 3.0)
