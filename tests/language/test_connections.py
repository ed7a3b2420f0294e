"""Connections: signs inside and outside, sets of any size and order, open ports, slices, conditions."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import pairwise, permutations
from typing import Any

import pytest

import tellegen as tg
from golden_models.parts import Capacitor, Flange, Ground, Pin, Resistor, Wall
from language.reading import names, node, nodes, statements, sums


class Box1(tg.Component):
    p = Pin()
    n = Pin()
    r = Resistor()

    def connections(self) -> Any:
        yield self.p, self.r.p
        yield self.r.n, self.n


class Box2(tg.Component):
    p = Pin()
    n = Pin()
    box = Box1()

    def connections(self) -> Any:
        yield self.box.p, self.p  # the other way round
        yield self.n, self.box.n


class Box3(tg.Component):
    p = Pin()
    n = Pin()
    box = Box2()
    c = Capacitor()

    def connections(self) -> Any:
        yield self.p, self.box.p, self.c.p
        yield self.n, self.c.n, self.box.n


class Deep(tg.Component):
    box = Box3()
    g = Ground()

    def connections(self) -> Any:
        yield self.box.p, self.g.p


def test_four_levels_have_the_right_signs() -> None:
    found = sums(Deep())
    assert node("+box.p.i", "+g.p.i") in found
    assert node("+box.box.p.i", "+box.c.p.i", "-box.p.i") in found
    assert node("+box.box.box.p.i", "-box.box.p.i") in found
    assert node("+box.box.box.p.i", "-box.box.box.r.p.i") in found
    assert node("+box.n.i") in found, "nobody outside: no current"
    assert node("+box.box.n.i", "+box.c.n.i", "-box.n.i") in found
    assert len(found) == 8
    volts = node("box.p.v", "g.p.v", "box.box.p.v", "box.c.p.v", "box.box.box.p.v", "box.box.box.r.p.v")
    assert volts in nodes(Deep())


def test_a_composite_may_be_a_mere_wire() -> None:
    class Wire(tg.Component):
        a = Pin()
        b = Pin()

        def connections(self) -> Any:
            yield self.a, self.b

    class Top(tg.Component):
        w = Wire()
        g = Ground()
        r = Resistor()

        def connections(self) -> Any:
            yield self.g.p, self.w.a
            yield self.w.b, self.r.p

    assert node("+w.a.i", "+w.b.i") in sums(Top())
    assert node("g.p.v", "w.a.v", "w.b.v", "r.p.v") in nodes(Top())


def test_a_component_may_use_its_port_and_hand_it_on() -> None:
    """Equations about an own port beside a connection inside: what flows through the port splits."""

    class Tap(tg.Component):
        p = Pin()
        seen = tg.variable("V")
        r = Resistor()
        g = Ground()

        def equations(self) -> Any:
            yield self.seen == 2 * self.p.v

        def connections(self) -> Any:
            yield self.p, self.r.p
            yield self.r.n, self.g.p

    assert statements(Tap())[0] == "seen == 2*p.v"
    assert {node("+p.i"), node("+p.i", "-r.p.i"), node("+g.p.i", "+r.n.i")} == sums(Tap())


def star(order: tuple[int, ...], chained: bool) -> tg.System:
    system = tg.System("star")
    system.add(g=Ground(), **{f"r{k}": Resistor() for k in range(4)})
    ends = [system.g.p, *(system[f"r{k}"].p for k in range(4))]
    ends = [ends[k] for k in order]
    if chained:
        for a, b in pairwise(ends):
            system.connect(a, b)
    else:
        system.connect(*ends)
    return system


def test_sets_do_not_depend_on_order_or_on_the_number_of_statements() -> None:
    expected_sums, expected_nodes = sums(star((0, 1, 2, 3, 4), False)), nodes(star((0, 1, 2, 3, 4), False))
    assert node("+g.p.i", "+r0.p.i", "+r1.p.i", "+r2.p.i", "+r3.p.i") in expected_sums
    for k, order in enumerate(permutations(range(5))):
        if k % 13 == 0:
            for chained in (True, False):
                assert sums(star(order, chained)) == expected_sums
                assert nodes(star(order, chained)) == expected_nodes


def test_saying_it_twice_changes_nothing() -> None:
    system = star((0, 1, 2, 3, 4), False)
    system.connect(system.r3.p, system.g.p)
    system.connect(system.r0.p, system.r0.p)
    assert sums(system) == sums(star((0, 1, 2, 3, 4), False))


@pytest.mark.parametrize("size", [2, 3, 50, 1000])
def test_a_node_of_any_size(size: int) -> None:
    system = tg.System("node")
    system.add(g=Ground(), r=Resistor.array(size))
    system.connect(system.g.p, system.r.p)
    expected = node("+g.p.i", *(f"+r[{k}].p.i" for k in range(size)))
    found = sums(system)
    assert expected in found
    assert len(found) == 1 + size, "the other ends are open: each current is zero"


class Ladder(tg.Component):
    """Resistors in a row, capacitors to ground, told by slices."""

    n = tg.parameter(4, structural=True)
    r = Resistor.array(n)
    c = Capacitor.array(n)
    g = Ground()

    def connections(self) -> Any:
        yield self.r[:-1].n, self.r[1:].p
        yield self.r.n, self.c.p
        yield self.c.n, self.g.p
        yield self.r[0].p, self.g.p


def test_slices_connect_row_by_row() -> None:
    found = nodes(Ladder())
    for k in range(3):
        assert node(f"r[{k}].n.v", f"r[{k + 1}].p.v", f"c[{k}].p.v") in found
    assert node("r[3].n.v", "c[3].p.v") in found
    assert node("g.p.v", "r[0].p.v", *(f"c[{k}].n.v" for k in range(4))) in found
    assert node("+c[1].p.i", "+r[1].n.i", "+r[2].p.i") in sums(Ladder())


def test_slices_of_a_port_are_slices_of_its_component() -> None:
    class Other(Ladder):
        pass

    class ByPort(tg.Component):
        r = Resistor.array(4)
        c = Capacitor.array(4)
        g = Ground()

        def connections(self) -> Any:
            yield self.r.n[:-1], self.r.p[1:]
            yield self.r.n, self.c.p
            yield self.g.p, self.c.n
            yield self.g.p, self.r.p[0]

    assert nodes(ByPort()) == nodes(Other())
    assert sums(ByPort()) == sums(Other())


@pytest.mark.parametrize(
    ("key", "expected"),
    [(slice(None, None, 2), [0, 2, 4]), ([4, 1], [4, 1]), (slice(3, None), [3, 4]), (-1, [4]), (slice(2, 3), [2])],
)
def test_any_choice_of_elements(key: Any, expected: list[int]) -> None:
    system = tg.System("choice")
    system.add(r=Resistor.array(5), s=Resistor.array(len(expected)), g=Ground())
    system.connect(system.g.p, system.r.p)
    system.connect(system.r[key].n, system.s.p)
    system.connect(system.s.n, system.g.p)
    for k, e in enumerate(expected):
        assert node(f"r[{e}].n.v", f"s[{k}].p.v") in nodes(system)


class Hub(tg.Component):
    """An array of ports, sized by a structural parameter."""

    n = tg.parameter(3, structural=True)
    pins = Pin.array(n)

    def equations(self) -> Any:
        yield self.pins.v[1:] == self.pins.v[:-1]
        yield tg.sum(self.pins.i) == 0


def test_arrays_of_connectors() -> None:
    class Top(tg.Component):
        hub = Hub(n=4)
        r = Resistor.array(3)
        g = Ground()

        def connections(self) -> Any:
            yield self.hub.pins[0], self.g.p
            yield self.hub.pins[1:], self.r.p
            yield self.r.n, self.g.p

    assert statements(Top())[:3] == [f"hub.pins[{k + 1}].v == hub.pins[{k}].v" for k in range(3)]
    assert node("+hub.pins[2].i", "+r[1].p.i") in sums(Top())
    assert node("hub.pins[3].v", "r[2].p.v") in nodes(Top())


def test_arrays_of_components_with_arrays_of_connectors() -> None:
    class Top(tg.Component):
        hubs = Hub.array(2, n=3)
        g = Ground()
        r = Resistor.array(2)

        def connections(self) -> Any:
            yield self.hubs[0].pins[2], self.hubs[1].pins[0]
            yield self.hubs.pins[1], self.r.p
            yield self.g.p, self.r.n

    found = nodes(Top())
    assert node("hubs[0].pins[2].v", "hubs[1].pins[0].v") in found
    assert node("hubs[0].pins[1].v", "r[0].p.v") in found
    assert node("hubs[1].pins[1].v", "r[1].p.v") in found
    assert node("+hubs[0].pins[0].i") in sums(Top())
    assert node("+hubs[1].pins[2].i") in sums(Top())


class Plug(tg.Connector):
    """A connector of connectors."""

    live = Pin()
    neutral = Pin()


def test_nested_connectors_connect_part_by_part() -> None:
    class Lamp(tg.Component):
        plug = Plug()
        r = Resistor()

        def connections(self) -> Any:
            yield self.plug.live, self.r.p
            yield self.plug.neutral, self.r.n

    class Top(tg.Component):
        a = Lamp()
        b = Lamp()
        g = Ground()

        def connections(self) -> Any:
            yield self.a.plug, self.b.plug
            yield self.a.plug.neutral, self.g.p

    assert node("+a.plug.live.i", "+b.plug.live.i") in sums(Top())
    assert node("+a.plug.neutral.i", "+b.plug.neutral.i", "+g.p.i") in sums(Top())
    assert node("+b.plug.live.i", "-b.r.p.i") in sums(Top())


class Optional(tg.Component):
    """A part and a port that exist on demand."""

    cooled = tg.parameter(False, structural=True)
    p = Pin()
    n = Pin()
    shaft = Flange().only_if(cooled)
    r = Resistor(R=3.0)
    extra = Resistor(R=7.0).only_if(cooled)

    def equations(self) -> Any:
        if self.cooled:
            yield self.shaft.phi == 0

    def connections(self) -> Any:
        yield self.p, self.r.p, self.extra.p
        yield self.r.n, self.extra.n, self.n


@pytest.mark.parametrize("cooled", [False, True])
def test_conditional_parts_and_ports(cooled: bool) -> None:
    class Top(tg.Component):
        x = Optional(cooled=cooled)
        g = Ground()
        w = Wall()

        def connections(self) -> Any:
            yield self.x.p, self.g.p
            yield self.x.shaft, self.w.flange

    with nullcontext() if cooled else pytest.warns(UserWarning, match="'x.shaft' is disabled"):
        have, found = names(Top()), sums(Top())
    assert ("x.extra.v" in have) == cooled
    assert ("x.shaft.phi" in have) == cooled
    if cooled:
        assert node("+x.extra.p.i", "+x.r.p.i", "-x.p.i") in found
        assert node("+w.flange.tau", "+x.shaft.tau") in found
    else:
        assert node("+x.p.i", "-x.r.p.i") in found
        assert node("+w.flange.tau") in found


def test_a_connection_to_a_port_that_is_switched_off_is_told() -> None:
    class Top(tg.Component):
        x = Optional()
        w = Wall()
        g = Ground()

        def connections(self) -> Any:
            yield self.x.p, self.g.p
            yield self.x.shaft, self.w.flange

    with pytest.warns(UserWarning, match=r"a connection is removed: 'x\.shaft' is disabled, see only_if in Optional"):
        tg.flatten(Top())


def test_open_ends_of_what_is_absent_altogether_are_not() -> None:
    class Housing(tg.Component):
        lug = tg.parameter(False, structural=True)
        shaft = Flange().only_if(lug)
        inside = Optional(cooled=lug)
        w = Wall()
        gone = Wall().only_if(lug)
        g = Ground()

        def connections(self) -> Any:
            yield self.inside.p, self.g.p
            yield self.shaft, self.inside.shaft
            yield self.shaft, self.w.flange
            yield self.gone.flange, self.w.flange

    class Top(tg.Component):
        x = Housing()

    tg.flatten(Top())  # and nothing is warned of


def test_both_shapes_side_by_side() -> None:
    class Top(tg.Component):
        x = Optional()
        y = Optional(cooled=True)
        g = Ground()

        def connections(self) -> Any:
            yield self.x.p, self.y.p, self.g.p

    have = names(Top())
    assert "y.extra.v" in have
    assert "x.extra.v" not in have
    assert node("+x.n.i", "-x.r.n.i") in sums(Top())


def test_lone_ports_of_the_top_carry_nothing() -> None:
    assert {node("+p.i"), node("+n.i"), node("+p.i", "-r.p.i"), node("+n.i", "-r.n.i")} == sums(Box1())
