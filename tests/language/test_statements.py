"""What happens at instants, discrete types, assertions and initial equations."""

from __future__ import annotations

import enum
from typing import Any

import pytest

import tellegen as tg
from language.numbers import Numbers
from language.reading import column, names, statements
from tellegen.ir.expressions.template import WhenTemplate


class Gear(enum.Enum):
    REVERSE = "R"
    NEUTRAL = "N"
    DRIVE = "D"


class Car(tg.Component):
    v = tg.variable("m/s", start=0.0, fixed=True)
    gear = tg.enumeration(Gear, start=Gear.NEUTRAL)
    shifts = tg.integer(start=3)
    moving = tg.boolean()
    level = tg.variable("m", discrete=True, start=1.5)
    force = tg.variable("m/s2")

    def equations(self) -> Any:
        yield tg.der(self.v) == self.force
        yield self.force == tg.where(self.gear == Gear.DRIVE, 2.0, tg.where(self.gear == Gear.REVERSE, -1.0, 0.0))
        yield self.moving == (abs(self.v) > 0.1)
        yield tg.when(
            tg.time > 1,
            self.gear == Gear.DRIVE,
            self.shifts == tg.pre(self.shifts) + 1,
            [self.level == 2.5],
        ).elsewhen(tg.change(self.moving) & ~tg.initial(), tg.reinit(self.v, 0), tg.terminate("stop"))
        yield tg.when(tg.sample(0.0, 0.1), tg.assert_(self.v < 100, "too fast"))  # noqa: PT009


def test_texts() -> None:
    assert statements(Car(), "whens") == [
        "when time > 1: gear := DRIVE; shifts := pre(shifts) + 1; level := 2.5 "
        "elsewhen change(moving) & ~initial(): reinit(v, 0); terminate('stop')",
        "when sample(0, 0.1): assert v < 100",
    ]
    assert "moving == (abs(v) > 0.1)" in statements(Car())


def test_types_starts_and_counts() -> None:
    flat = tg.flatten(Car())
    declared = {flat.variables.name(k): flat.variables.declaration(k) for k in range(flat.variables.count)}
    types = {name: (d.type, d.discrete) for name, d in declared.items()}
    assert types["gear"] == ("enumeration", True)
    assert types["shifts"] == ("integer", True)
    assert types["moving"] == ("boolean", True)
    assert types["level"] == ("real", True)
    assert types["v"] == ("real", False)
    assert declared["gear"].literals == ("REVERSE", "NEUTRAL", "DRIVE")
    starts = column(Car(), "start")
    assert (starts["gear"], starts["shifts"], starts["moving"], starts["level"]) == (1, 3, 0, 1.5)
    assert flat.equation_count == flat.variables.count == 6
    assert {flat.variables.name(int(k)) for k in flat.assigned_variables} == {"gear", "shifts", "level"}


@pytest.mark.parametrize(("gear", "force"), [(0.0, -1.0), (1.0, 0.0), (2.0, 2.0)])
def test_enumerations_in_choices(gear: float, force: float) -> None:
    numbers = Numbers(Car(), {"gear": gear, "force": 0.0})
    assert -numbers.residuals()[1] == force


def test_one_variable_in_two_branches_is_one_unknown() -> None:
    class Switch(tg.Component):
        on = tg.boolean()
        n = tg.integer(shape=2)

        def equations(self) -> Any:
            yield tg.when(tg.time > 1, self.on == (tg.time > 0), self.n == [1, 2]).elsewhen(
                tg.time > 2,
                self.on == ~tg.pre(self.on),
                self.n == tg.pre(self.n) * 2,
            )

    flat = tg.flatten(Switch())
    assert flat.equation_count == 3
    template = flat.whens[0].template
    assert isinstance(template, WhenTemplate)
    assert len(template.assigned()) == 3
    assert statements(Switch(), "whens") == [
        "when time > 1: on := time > 0; n[0] := 1; n[1] := 2 "
        "elsewhen time > 2: on := ~pre(on); n[0] := pre(n[0])*2; n[1] := pre(n[1])*2"
    ]


def test_an_equality_may_be_the_condition_of_a_when() -> None:
    class Counter(tg.Component):
        gear = tg.enumeration(Gear)
        n = tg.integer()

        def equations(self) -> Any:
            yield tg.when(tg.time > 1, self.gear == Gear.DRIVE)
            yield tg.when(self.gear == Gear.DRIVE, self.n == 1).elsewhen(self.gear == Gear.NEUTRAL, self.n == 2)

    assert any("when gear == " in line for line in statements(Counter(), "whens"))


def test_arrays_of_components_with_events() -> None:
    class Counter(tg.Component):
        n = tg.integer()
        k = tg.parameter(1)

        def equations(self) -> Any:
            yield tg.when(tg.time > self.k, self.n == tg.pre(self.n) + 1)

    class Bank(tg.Component):
        c = Counter.array(3, k=[1.0, 2.0, 3.0])

    assert statements(Bank(), "whens")[2] == "when time > c[2].k: c[2].n := pre(c[2].n) + 1"
    assert len(tg.flatten(Bank()).whens) == 1


def test_initial_equations_and_assertions() -> None:
    class Tank(tg.Component):
        h = tg.variable("m", shape=2)
        limit = tg.parameter(3.0, "m")

        def equations(self) -> Any:
            yield tg.der(self.h) == -self.h * 2.0
            yield tg.assert_(self.h < self.limit, "overflow")  # noqa: PT009
            yield tg.assert_(self.h[0] > 0, "dry", warning=True)  # noqa: PT009

        def initial_equations(self) -> Any:
            yield tg.der(self.h[0]) == 0
            yield self.h[1] == 2 * self.h[0]

    class Two(tg.Component):
        a = Tank()
        b = Tank()

    assert statements(Tank(), "initial_equations") == ["der(h[0]) == 0", "h[1] == 2*h[0]"]
    assert statements(Two(), "assertions") == [
        *(f"assert {t}.h[{k}] < {t}.limit: overflow" for t in "ab" for k in range(2)),
        *(f"warn unless {t}.h[0] > 0: dry" for t in "ab"),
    ]


def test_smooth_no_event_homotopy_delay_keep_their_operands() -> None:
    class Model(tg.Component):
        x = tg.variable()
        y = tg.variable(shape=4)

        def equations(self) -> Any:
            yield tg.der(self.x) == 1
            yield self.y[0] == tg.smooth(1, abs(self.x))
            yield self.y[1] == tg.no_event(tg.where(self.x > 0, self.x, 0))
            yield self.y[2] == tg.homotopy(self.x**2, self.x)
            yield self.y[3] == tg.delay(self.x, 0.5)

    assert statements(Model())[1:] == [
        "y[0] == smooth(1, abs(x))",
        "y[1] == no_event(where(x > 0, x, 0))",
        "y[2] == homotopy(x**2, x)",
        "y[3] == delay(x, 0.5)",
    ]
    assert names(Model())[0] == "x"
