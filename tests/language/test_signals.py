"""Inputs and outputs: defaults, sources, pass-through, arrays, and inputs that an equation determines."""

from __future__ import annotations

from typing import Any

import pytest

import tellegen as tg
from golden_models.parts import Pin
from language.reading import names, node, nodes, statements


class Gain(tg.Component):
    u = tg.input("V")
    y = tg.output("V")
    k = tg.parameter(2.0, "1")

    def equations(self) -> Any:
        yield self.y == self.k * self.u


class Constant(tg.Component):
    y = tg.output("V")

    def equations(self) -> Any:
        yield self.y == 3.0


class Default(tg.Component):
    u = tg.input("mV", default=5.0)
    z = tg.variable("V")

    def equations(self) -> Any:
        yield self.z == self.u


def test_defaults_are_used_overridden_and_displaced_by_connections() -> None:
    class Top(tg.Component):
        k = tg.parameter(7.0, "V")
        plain = Default()
        number = Default(u=8.0)
        text = Default(u="2 V")
        expression = Default(u=2 * k)
        fed = Default(u=9.0)
        both = Default.array(2, u=[1.0, 2.0])
        source = Constant()

        def connections(self) -> Any:
            yield self.source.y, self.fed.u

    lines = statements(Top())
    assert "plain.u == 0.005" in lines
    assert "number.u == 0.008" in lines
    assert "text.u == 2" in lines
    assert "both[1].u == 0.002" in lines
    assert not any(line.startswith("fed.u ==") for line in lines)
    assert node("fed.u", "source.y") in nodes(Top())
    flat = tg.flatten(Top())
    assert flat.variables.count == flat.equation_count
    values = {flat.parameters.name(k): v for k, v in enumerate(flat.parameter_values)}
    assert values["expression.u.default"] == 14


def test_setting_an_input_of_an_instance() -> None:
    class Top(tg.Component):
        a = Default()
        b = Default()

    top = Top()
    top.a.u = 11.0
    assert "a.u == 0.011" in statements(top)
    assert "b.u == 0.005" in statements(top)


def test_one_output_feeds_many_inputs_in_any_order() -> None:
    class Top(tg.Component):
        s = Constant()
        a = Gain()
        b = Gain()
        c = Gain.array(2)

        def connections(self) -> Any:
            yield self.a.u, self.s.y
            yield self.a.u, self.b.u
            yield self.c.u, self.s.y

    assert nodes(Top()) == {node("s.y", "a.u", "b.u", "c[0].u", "c[1].u")}


def test_hierarchy_hands_signals_in_and_out() -> None:
    class Inner(tg.Component):
        u = tg.input("V")
        y = tg.output("V")
        extra = tg.output("V")
        g = Gain()

        def connections(self) -> Any:
            yield self.u, self.g.u
            yield self.g.y, self.y
            yield self.u, self.extra

    class Outer(tg.Component):
        s = Constant()
        a = Inner()
        b = Inner()

        def connections(self) -> Any:
            yield self.s.y, self.a.u
            yield self.a.y, self.b.u

    found = nodes(Outer())
    assert node("s.y", "a.u", "a.g.u", "a.extra") in found
    assert node("a.g.y", "a.y", "b.u", "b.g.u", "b.extra") in found
    flat = tg.flatten(Inner())
    assert [flat.variables.name(int(k)) for k in flat.inputs] == ["u"]
    assert flat.equation_count + len(flat.inputs) == flat.variables.count


def test_arrays_of_signals() -> None:
    class Source(tg.Component):
        y = tg.output(shape=3)

        def equations(self) -> Any:
            yield self.y == [1.0, 2.0, 3.0]

    class Sink(tg.Component):
        u = tg.input(shape=3)
        v = tg.input(default=4.0)
        z = tg.variable(shape=3)

        def equations(self) -> Any:
            yield self.z == self.u * self.v

    class Top(tg.Component):
        s = Source.array(2)
        one = Source()
        k = Sink.array(2)
        single = Sink()
        third = Sink()

        def connections(self) -> Any:
            yield self.s[0].y, self.k[1].u
            yield self.s[1].y, self.k[0].u
            yield self.one.y, self.single.u
            yield self.one.y[0], self.single.v
            yield self.one.y[::-1], self.third.u

    found = nodes(Top())
    assert node("s[0].y[2]", "k[1].u[2]") in found
    assert node("s[1].y[0]", "k[0].u[0]") in found
    assert node("one.y[0]", "single.u[0]", "single.v", "third.u[2]") in found
    assert node("one.y[1]", "single.u[1]", "third.u[1]") in found

    class All(tg.Component):
        s = Source.array(2)
        k = Sink.array(2)

        def connections(self) -> Any:
            yield self.s.y, self.k.u

    assert nodes(All()) == {node(f"s[{i}].y[{j}]", f"k[{i}].u[{j}]") for i in range(2) for j in range(3)}


class Bus(tg.Connector):
    """Signals and a pin in one connector, seen from the controlled side."""

    pin = Pin()
    command = tg.input("V")
    measured = tg.output("V")


class Controller(tg.Connector):
    """The other side."""

    pin = Pin()
    command = tg.output("V")
    measured = tg.input("V")


def test_signals_in_connectors() -> None:
    class Plant(tg.Component):
        bus = Bus()

        def equations(self) -> Any:
            yield self.bus.measured == self.bus.command
            yield self.bus.pin.v == 0

    class Control(tg.Component):
        bus = Controller()

        def equations(self) -> Any:
            yield self.bus.command == 2 * self.bus.measured
            yield self.bus.pin.i == 0

    class Top(tg.Component):
        p = Plant()
        c = Control()

        def connections(self) -> Any:
            yield self.p.bus, self.c.bus

    found = nodes(Top())
    assert node("p.bus.command", "c.bus.command") in found
    assert node("p.bus.measured", "c.bus.measured") in found
    assert node("p.bus.pin.v", "c.bus.pin.v") in found


def test_an_equation_may_determine_the_input_of_a_child() -> None:
    class Top(tg.Component):
        x = tg.variable("V")
        g = Gain()
        many = Gain.array(2)
        chained = Gain()

        def equations(self) -> Any:
            yield tg.der(self.x) == self.g.y
            yield self.g.u == 1 - self.x
            yield self.many.u == [self.x, self.g.y]

        def connections(self) -> Any:
            yield self.g.y, self.chained.u

    with pytest.raises(tg.LanguageError, match="units"):
        tg.flatten(Top())  # der(x) is a rate

    class Right(Top):
        x = tg.variable()

    flat = tg.flatten(Right())
    assert flat.variables.count == flat.equation_count
    assert "many[1].u == g.y" in statements(Right())


def test_an_input_that_is_fed_may_be_read_from_outside() -> None:
    class Inner(tg.Component):
        s = Constant()
        g = Gain()

        def connections(self) -> Any:
            yield self.s.y, self.g.u

    class Top(tg.Component):
        s = Constant()
        g = Gain.array(2)
        inner = Inner()
        seen = tg.variable("V")
        deep = tg.variable("V")

        def equations(self) -> Any:
            yield self.seen == self.g[0].u + self.g[1].u
            yield self.deep == self.inner.g.u

        def connections(self) -> Any:
            yield self.s.y, self.g.u

    flat = tg.flatten(Top())
    assert flat.variables.count == flat.equation_count
    assert "deep == inner.g.u" in statements(Top())


@pytest.mark.parametrize(
    ("connect", "code"),
    [
        (lambda m: [(m.s.y, m.t.y)], "E170"),
        (lambda m: [(m.s.y, m.g.u), (m.t.y, m.g.u)], "E170"),
        (lambda m: [(m.g.u, m.h.u)], "E171"),
        (lambda m: [(m.s.y, m.g.u)], "E172"),
    ],
)
def test_wrong_wiring(connect: Any, code: str) -> None:
    class Top(tg.Component):
        s = Constant()
        t = Constant()
        g = Gain()
        h = Gain()

        def connections(self) -> Any:
            yield from connect(self)

    with pytest.raises(tg.LanguageError) as caught:
        tg.flatten(Top())
    assert caught.value.code == code


def test_names() -> None:
    assert names(Gain()) == ["u", "y"]
