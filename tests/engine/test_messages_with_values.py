"""Messages of assertions and of terminate that show values; start values by the level at which they were written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import tellegen as tg
from tellegen.ir.expressions.expr import TIME, Slot
from tellegen.ir.expressions.template import AssertTemplate, Template, WhenTemplate
from tellegen.ir.model import Model, Stamp
from tellegen.ir.show.flat_model import show_flat
from tellegen.stages import build_model


class Rising(tg.Component):
    """x = 1 + t."""

    x = tg.variable(start=1.0)
    limit = tg.parameter(1.25)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == 1.0
        yield tg.when(self.x > 1.5, tg.terminate("x = {:.3g} at {:.2f} s"))
        yield tg.region(self.x < self.limit, "x is {:.4g}, {{not}} below {:.4g}")


def with_values(template: Template) -> Template:
    """The template with values for its message, as a front end of texts gives them."""
    number = {slot.name: Slot(k) for k, slot in enumerate(template.slots)}
    if isinstance(template, AssertTemplate):
        return replace(template, values=(number["x"], number["limit"]))
    if isinstance(template, WhenTemplate):
        branch = template.branches[0]
        action = replace(branch.actions[0], values=(number["x"], TIME))
        return replace(template, branches=(replace(branch, actions=(action,)),))
    return template


def reporting() -> Model:
    model = build_model(Rising())
    stamps = tuple(Stamp(with_values(s.template), s.refs, s.rows, s.section) for s in model.root.stamps)
    return replace(model, root=replace(model.root, stamps=stamps))


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
def test_messages_with_values(solver: str) -> None:
    with pytest.warns(UserWarning, match=r"x is 1\.25, \{not\} below 1\.25"):
        solution = tg.simulate(reporting(), 2.0, solver=solver)
    assert solution.outcome.message == "terminated: x = 1.5 at 0.50 s"
    assert solution.warnings[0].message == "x is 1.25, {not} below 1.25"


def test_models_show_what_a_message_will_show() -> None:
    text = show_flat(tg.flatten(reporting()))
    assert "terminate('x = x at time s')" in text
    assert "x is x, {not} below limit" in text
    assert "x is x, {not} below limit" in tg.write_markup(reporting())


@pytest.mark.parametrize(("levels", "expected"), [((0, 1), 3.0), ((1, 0), -2.0), ((None, 4), -2.0), ((2, 2), 3.0)])
def test_of_aliases_the_start_written_furthest_outside_counts(levels: tuple[Any, Any], expected: float) -> None:
    """a and b are one quantity: a**2 - a == 6 has the solutions 3 and -2."""

    class Guessed(tg.Component):
        a = tg.variable(start=3.5)
        b = tg.variable(start=-2.5)

        def equations(self) -> Iterator[Any]:
            yield self.a**2 - self.b == 6.0
            yield self.a == self.b

    model = build_model(Guessed())
    variables = [
        replace(variable, attributes={**variable.attributes, **({} if level is None else {"start_level": level})})
        for variable, level in zip(model.root.variables, levels, strict=True)
    ]
    model = replace(model, root=replace(model.root, variables=tuple(variables)))
    assert tg.simulate(model, 1.0)["a"][0] == pytest.approx(expected, abs=1e-9)
