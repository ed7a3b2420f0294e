"""min and max of variables in Modelica text: from types, declarations, modifications, and expressions of parameters."""

from __future__ import annotations

import warnings

import pytest

import tellegen as tg
from modelica_texts import views_of
from tellegen.engine.results.warned import Warned
from tellegen.frontends.modelica.instances.instantiate import instantiate
from tellegen.frontends.modelica.kinds.build import build_model

TEXT = """
type Level = Real(unit = "m", min = 0);
model Tank  Level h(start = 1, fixed = true); parameter Real q = 0; equation der(h) = q; end Tank;
model Plant
  parameter Real top = 1.25;
  Tank empties(q = -2), fills(q = 1, h(max = top)), rests;
  Real x[2](each min = -1, max = {0.5, 10}) = {time, time};
end Plant;
"""


@pytest.fixture(scope="module")
def entries() -> tuple[Warned, ...]:
    model = build_model(instantiate(views_of(TEXT).named("Plant")))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        solution = tg.simulate(model, 1.0, points=101)
    assert len(caught) == len(solution.warnings)
    return solution.warnings


@pytest.mark.parametrize(
    ("condition", "time"), [("fills.h <= 1.25 m", 0.25), ("x[1] <= 0.5", 0.5), ("empties.h >= 0 m", 0.5)]
)
def test_a_variable_beyond_its_limit(entries: tuple[Warned, ...], condition: str, time: float) -> None:
    """At the output point after it: they are 0.01 s apart."""
    (entry,) = [entry for entry in entries if entry.condition == condition]
    assert time < entry.time <= time + 0.0101


def test_nothing_else_is_beyond_its_limit(entries: tuple[Warned, ...]) -> None:
    assert len(entries) == 3
