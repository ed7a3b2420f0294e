"""Otter's counting rule: components with too few or too many equations are named with the culprit."""

from __future__ import annotations

import re
from typing import Any

import pytest

import tellegen as tg
from golden_models.parts import Ground, Pin, Resistor


def error_of(model: Any) -> tg.StructureError:
    with pytest.raises(tg.StructureError) as caught:
        tg.flatten(model)
    return caught.value


class Two(tg.Component):
    """A healthy two-pin component, to be spoiled below."""

    p = Pin()
    n = Pin()
    v = tg.variable("V")

    def equations(self) -> Any:
        yield self.v == self.p.v - self.n.v
        yield self.p.i + self.n.i == 0
        yield self.v == 3 * self.p.i


def inside(part: Any) -> tg.System:
    system = tg.System("top")
    system.add(part=part, g=Ground())
    system.connect(system.part.p, system.g.p)
    return system


def test_the_healthy_one_passes() -> None:
    assert tg.flatten(inside(Two())).summary.components == 3


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_too_few_names_what_is_not_determined(missing: int) -> None:
    class Poor(Two):
        lost = tg.variable("V", shape=missing)

    error = error_of(inside(Poor()))
    assert error.code == "E201"
    assert "Poor" in error.message
    assert f"3 instead of {3 + missing}" in error.message
    details = "\n".join(error.details)
    for k in range(missing):
        assert f"lost[{k}]" in details
    assert not re.search(r"\b[vi]\b", details), "everything else is determined"
    assert f"{missing} equation" in error.advice


@pytest.mark.parametrize("extra", [1, 2, 3])
def test_too_many_shows_an_equation_of_the_overdetermined_part(extra: int) -> None:
    class Rich(Two):
        w = tg.variable("V")

        def equations(self) -> Any:
            yield self.w == 1
            for k in range(extra):
                yield self.w == 2.0 + k

    error = error_of(inside(Rich()))
    assert error.code == "E202"
    assert "Rich" in error.message
    shown = [line for line in "\n".join(error.details).splitlines() if "==" in line]
    assert len(shown) in (extra, extra + 1), "all that speak of w, or one less"
    assert all("w ==" in line for line in shown)
    assert all("test_balance.py" in line for line in shown)


def test_a_component_without_equations_for_its_ports() -> None:
    class Empty(tg.Component):
        p = Pin()

    error = error_of(inside(Empty()))
    assert error.code == "E201"
    assert "p." in "\n".join(error.details)


def test_the_component_to_blame_is_named_not_the_system() -> None:
    class Bad(Two):
        def equations(self) -> Any:
            yield self.v == 0

    class Box(tg.Component):
        p = Pin()
        good = Two()
        bad = Bad()

        def connections(self) -> Any:
            yield self.p, self.good.p, self.bad.p

    assert "Bad has too many" in error_of(inside(Box())).message


def test_counting_of_inputs_outputs_streams_whens_and_arrays() -> None:
    class Everything(tg.Component):
        u = tg.input()
        y = tg.output()
        x = tg.variable(shape=(2, 2))
        n = tg.integer(shape=2)
        b = tg.boolean()

        def equations(self) -> Any:
            yield self.y == self.u
            yield tg.der(self.x) == 1
            yield tg.when(tg.time > 1, self.n == [1, 2]).elsewhen(tg.time > 2, self.n[0] == 3)
            yield self.b == (self.u > 1)

    flat = tg.flatten(Everything())
    assert flat.equation_count == 8
    assert flat.variables.count == 9

    class Less(Everything):
        more = tg.integer()

    error = error_of(Less())
    assert error.code == "E201"
    assert "more" in "\n".join(error.details)


def test_a_composite_counts_its_inner_connections() -> None:
    class Loose(tg.Component):
        p = Pin()
        n = Pin()
        r = Resistor()

        def connections(self) -> Any:
            yield self.p, self.r.p

    error = error_of(inside(Loose()))
    assert error.code == "E201"
    assert "Loose" in error.message
    assert "n." in "\n".join(error.details)

    class Forced(tg.Component):
        p = Pin()
        r = Resistor()

        def equations(self) -> Any:
            yield self.p.v == 1

        def connections(self) -> Any:
            yield self.p, self.r.p

    assert error_of(inside(Forced())).code == "E202"


def test_a_redeclared_variable_is_counted_once() -> None:
    class Again(Two):
        v = tg.variable("V", "drop", start=1.0)

    assert tg.flatten(inside(Again())).variables.count == 7
