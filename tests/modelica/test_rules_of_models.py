"""What the IR has for Modelica: indices from 1, names with indices inside, rules that do not hold, experiments."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tellegen as tg
from tellegen.engine.request.path_lookup import find
from tellegen.errors import LanguageError
from tellegen.ir.expressions.expr import ONE, Call, Der, Slot
from tellegen.ir.expressions.template import EquationTemplate, SlotInfo
from tellegen.ir.model import Experiment, Kind, Model, Ref, Rules, Stamp, Variable, whole
from tellegen.stages import build_model
from tellegen.units import parse_unit

WAIVED = Rules(units_agree=False, components_balance=False, networks_have_references=False, inputs_have_sources=False)


def _decay(rules: Rules = WAIVED) -> Model:
    """der(x[i]) = -x[i], which no units allow, and pin[2].v = 1."""
    metre = parse_unit("m")
    attributes = {"start": np.arange(1.0, 7.0), "fixed": np.ones(6)}
    x = Variable(name="x", shape=(2, 3), first_index=1, unit=metre, attributes=attributes)
    pin = Variable(name="pin[2].v")
    decay = EquationTemplate(slots=(SlotInfo("x", False, metre),), lhs=Der(0), rhs=Call("neg", (Slot(0),)))
    level = EquationTemplate(slots=(SlotInfo("pin[2].v", False),), lhs=Slot(0), rhs=ONE)
    stamps = (
        Stamp(decay, (Ref((), 0, whole(np.arange(6)), False),), 6, "equation"),
        Stamp(level, (Ref((), 1, whole([0]), False),), 1, "equation"),
    )
    kind = Kind(name="Decay", variables=(x, pin), stamps=stamps)
    return Model("Decay", kind, experiment=Experiment(stop=2.0, start=1.0, tolerance=1e-9), rules=rules)


def test_elements_are_counted_from_the_first_index() -> None:
    flat = tg.flatten(_decay())
    assert [flat.variables.name(k) for k in (0, 5)] == ["x[1,1]", "x[2,3]"]
    assert find(flat, "x[2,3]").indices.tolist() == 5
    assert find(flat, "x[1,2:3]").indices.tolist() == [1, 2]
    assert find(flat, "x[:,1]").indices.tolist() == [0, 3]
    assert find(flat, "pin[2].v").indices.tolist() == 6
    for wrong in ("x[0,1]", "x[3,1]", "x[-1,1]", "x[1]", "pin[1].v"):
        with pytest.raises(LanguageError, match="E100"):
            find(flat, wrong)


def test_a_run_has_the_interval_and_tolerance_of_its_experiment() -> None:
    solution = tg.simulate(_decay())
    assert solution.time[0] == 1.0
    assert solution.time[-1] == 2.0
    assert solution["x[2,3]"][-1] == pytest.approx(6.0 * np.exp(-1.0), rel=1e-8)


def test_units_are_documentation_only_where_the_rule_is_waived() -> None:
    with pytest.raises(LanguageError, match="E160"):
        tg.flatten(_decay(replace(WAIVED, units_agree=True)))


def test_a_document_keeps_rules_first_index_and_experiment() -> None:
    again = tg.read_markup(text=tg.write_markup(_decay()))
    assert isinstance(again, Model)
    assert again.rules == WAIVED
    assert again.experiment == _decay().experiment
    flat = tg.flatten(again)
    assert [flat.variables.name(k) for k in (0, 5, 6)] == ["x[1,1]", "x[2,3]", "pin[2].v"]


def test_an_open_input_of_a_part_is_an_unknown_where_the_rule_is_waived() -> None:
    class Gain(tg.Component):
        u = tg.input()
        y = tg.output()

        def equations(self):
            yield self.y == 2.0 * self.u
            yield self.y == 6.0

    class Outer(tg.Component):
        gain = Gain()

    model = build_model(Outer())
    waived = replace(model, rules=replace(WAIVED, components_balance=True))
    with pytest.raises(tg.TellegenError):
        tg.flatten(waived)  # the Gain has one equation too many as long as components are counted by themselves
    assert tg.simulate(replace(model, rules=WAIVED), stop=1.0)["gain.u"][-1] == pytest.approx(3.0)
