"""Assertions in functions: known to fail while translating, or checked during runs where the call acts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import tellegen as tg

FUNCTIONS = """
  function root
    input Real x;
    output Real y;
  algorithm
    assert(x >= 0, "root of " + String(x));
    y := sqrt(abs(x));
  end root;

  function halvings "cannot be inlined"
    input Real x;
    output Real y;
  protected
    Real a;
  algorithm
    a := x;
    y := 0;
    while a > 1 loop
      a := a/2;
      y := y + 1;
      assert(y < 4, "too large");
    end while;
  end halvings;

  function cautious
    input Real x;
    output Real y;
  algorithm
    if x > 1 then
      y := 0;
      return;
    end if;
    assert(x < 0.5, "in between");
    y := x;
  end cautious;
"""

MODELS = {
    "Plain": ("Real y; equation y = root(1 - time);", "E310.*t = 1.*root of -"),
    "InAnExpression": ("Real y; equation y = if time < 1 then root(1 - time) else 0;", ""),
    "InTheOtherBranch": ("Real y; equation y = if time < 1 then 0 else root(1 - time);", "root of -"),
    "InAnEquation": (
        "Real y; equation if time < 1 then y = root(1 - time); else y = halvings(time); end if;",
        "",
    ),
    "InAnAlgorithm": ("Real y; algorithm y := 0; if time < 1 then y := root(1 - time); end if;", ""),
    "Native": ("Real y; equation y = halvings(10*time);", "too large"),
    "NativeInABranch": ("Real y; equation y = if time < 0.5 then halvings(10*time) else 0;", ""),
    "AfterAReturn": ("Real y; equation y = cautious(if time < 1 then 0.2 else 3);", ""),
    "BeforeAReturn": ("Real y; equation y = cautious(time);", "in between"),
    "AtEvents": (
        "discrete Real y(start = 0, fixed = true); equation when sample(0.5, 1) then y = root(1.6 - time); end when;",
        "",
    ),
    "AtAnEvent": (
        "discrete Real y(start = 0, fixed = true); equation when sample(0.5, 1) then y = root(1.4 - time); end when;",
        "root of -0.1",
    ),
    "AtTheStart": ("Real y(start = 0); initial equation y = root(1 - time); equation der(y) = 1;", ""),
    "AtAZero": ("Real x(start = 1, fixed = true); Real y = if x > 0 then root(x) else 0; equation der(x) = -1;", ""),
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> tg.ModelicaLibrary:
    file = tmp_path_factory.mktemp("assertions") / "A.mo"
    models = "\n".join(f"  model {name} {body} end {name};" for name, (body, _) in MODELS.items())
    file.write_text(f"package A\n{FUNCTIONS}\n{models}\nend A;\n")
    return tg.load_modelica(file)


@pytest.mark.parametrize("name", MODELS)
def test_where_a_call_acts_its_assertions_hold(library: tg.ModelicaLibrary, name: str) -> None:
    message = MODELS[name][1]
    if not message:
        tg.simulate(library[f"A.{name}"], stop=2.0)
        return
    with pytest.raises(tg.TellegenError, match=message):
        tg.simulate(library[f"A.{name}"], stop=2.0)


def test_an_assertion_about_parameters_is_checked_with_those_of_the_run(tmp_path: Path) -> None:
    file = tmp_path / "P.mo"
    file.write_text(
        f"model P {FUNCTIONS} parameter Real p = 4; Real x(start = root(p), fixed = true); equation der(x) = -x; end P;"
    )
    compiled = tg.compile(tg.load_modelica(file)["P"])
    assert compiled.simulate(1.0)["x"][0] == pytest.approx(2.0)
    with pytest.raises(tg.TellegenError, match="root of -4"):
        compiled.simulate(1.0, parameters={"p": -4.0})


class Branches:
    """A nest of conditions drawn at random, as Modelica text and as what is demanded at a time."""

    def __init__(self, draw: random.Random, depth: int) -> None:
        self.border = round(draw.uniform(0.1, 1.9), 2)
        self.limit = round(draw.uniform(-0.5, 2.5), 2)
        self.calls = draw.random() < 0.7
        self.inner = [Branches(draw, depth - 1) for _ in range(2)] if depth else []

    def text(self) -> str:
        if not self.inner:
            return f"root({self.limit} - time)" if self.calls else "0"
        return f"(if time < {self.border} then {self.inner[0].text()} else {self.inner[1].text()})"

    def margin(self, t: float) -> float:
        """How far the assertion is from failing; infinite where nothing is called."""
        if not self.inner:
            return self.limit - t if self.calls else float("inf")
        return self.inner[0 if t < self.border else 1].margin(t)


def test_nested_conditions_drawn_at_random(tmp_path: Path) -> None:
    """The run stops where, and only where, the branch that acts demands too much."""
    draw = random.Random(7)
    trees = [Branches(draw, 3) for _ in range(8)]
    file = tmp_path / "R.mo"
    models = "\n".join(f"model M{k} Real y = {tree.text()}; end M{k};" for k, tree in enumerate(trees))
    file.write_text(f"package R\n{FUNCTIONS}\n{models}\nend R;\n")
    library = tg.load_modelica(file)
    failed = 0
    for k, tree in enumerate(trees):
        times = [i / 1000 for i in range(2001)]
        first = next((t for t in times if tree.margin(t) < 0.0), None)
        solution = tg.simulate(library[f"R.M{k}"], stop=2.0, points=2001, throw=False)
        if first is None:
            assert solution.time[-1] == 2.0
        else:
            failed += 1
            assert solution.time[-1] == pytest.approx(first, abs=0.003)
    assert 0 < failed < len(trees)
