"""Events, initialization and algorithms of Modelica text, run to the end: values that follow from the specification."""

from __future__ import annotations

from pathlib import Path

import pytest

import tellegen as tg
from modelica_texts import views_of
from tellegen.frontends.modelica.instances.instantiate import instantiate
from tellegen.frontends.modelica.kinds.build import build_model

TEXT = """
function ends  input Real x[:]; output Real first; output Real last;
algorithm first := x[1]; last := x[size(x, 1)]; end ends;
connector Signal = input Boolean;
connector Source = output Boolean;
block Switch  Source y; equation y = time > 0.5; end Switch;
block Reader  Signal u; output Integer n(start=0, fixed=true);
initial equation pre(u) = false; equation when change(u) then n = pre(n) + 1; end when; end Reader;
model Traps
  Switch switch "its readers say the same of pre(u)";
  Reader reader[2];
  // when at the start (MLS 8.3.5, 8.6)
  Integer held(start=0, fixed=true) "true all along: never becomes true";
  Integer begun(start=0, fixed=true) "initial() acts in the initialization";
  Integer ticks(start=0, fixed=true) "sample(0, 0.5) ticks at 0, 0.5, 1";
  Integer edges(start=0, fixed=true) "each element of a vector has its own edge";
  Integer which(start=0, fixed=true) "the first branch that acts counts";
  Real never "keeps its start value";
  // initialization
  parameter Real q = 3;
  parameter Real p(fixed=false) "by an initial algorithm";
  Real x "from der(x) = 0 at the start";
  Integer from_initial(start=9) "pre(v) by an initial equation";
  Real before = pre(kept) "pre(v) is the start value in the initialization";
  Integer kept(start=5, fixed=true);
  // algorithms
  Boolean on "of two whens the last of the text counts";
  Integer count(start=0, fixed=true), double(start=0, fixed=true) "in the order of the text";
  Real clipped, first, last, row[3];
  // if-equations whose branches determine different variables
  Real i, v;
  Boolean conducts = time > 0.75;
  // delay of what changes at events: the delayed jump is an event, and ends at the integer itself
  Integer stepped = if time > 0.45 then 4 else 3;
  Real level = stepped;
  Integer later = integer(delay(level, 0.1));
  // changes of discrete values
  Boolean late = time > 0.5;
  Integer flanks(start=0, fixed=true), changes(start=0, fixed=true);
initial equation
  der(x) = 0;
  pre(from_initial) = 4;
  pre(on) = false;
  never = 7;
initial algorithm
  p := 1;
  for k in 1:3 loop p := p*q; end for;
equation
  connect(switch.y, reader[1].u);
  connect(switch.y, reader[2].u);
  when time >= 0 then held = pre(held) + 1; end when;
  when initial() then begun = 5; end when;
  when sample(0, 0.5) then ticks = pre(ticks) + 1; end when;
  when {time > 0.2, time > 0.4} then edges = pre(edges) + 1; end when;
  when time > 0.3 then which = 1;
  elsewhen time > 0.3 then which = 2;
  elsewhen time > 0.6 then which = pre(which) + 10;
  end when;
  when false then never = 1; end when;
  when time > 0.9 then kept = 6; end when;
  when time > 0.8 then from_initial = pre(from_initial) + 1; end when;
  der(x) = p - 9*x;
  (first, last) = ends({time, 2*time, p});
  if conducts then v = 0; else i = 0; end if;
  v + 2*i = 6;
  when edge(late) then flanks = pre(flanks) + 1; end when;
  when change(late) then changes = pre(changes) + 1; end when;
algorithm
  when time > 0.4 then on := true; end when;
  when {time > 0.2, time > 0.6} then on := false; end when;
algorithm
  when sample(0, 0.25) then count := pre(count) + 1; double := 2*count; end when;
  clipped := time;
  if clipped > 0.5 then clipped := 0.5; end if;
  for k in 1:3 loop row[k] := if k == 1 then 1 else 2*row[k - 1]; end for;
end Traps;
"""


@pytest.fixture(scope="module")
def run() -> tg.Solution:
    return tg.simulate(build_model(instantiate(views_of(TEXT).named("Traps"))), stop=1.0)


EXPECTED = {
    "held": 0,
    "begun": 5,
    "ticks": 3,
    "edges": 2,
    "which": 11,
    "never": 7,
    "x": 3,
    "from_initial": 5,
    "before": 6,
    "on": 0,
    "count": 5,
    "double": 10,
    "clipped": 0.5,
    "first": 1,
    "last": 27,
    "row[1]": 1,
    "row[3]": 4,
    "i": 3,
    "v": 0,
    "later": 4,
    "flanks": 1,
    "reader[2].n": 1,
    "changes": 1,
}


@pytest.mark.parametrize("name", EXPECTED)
def test_value_at_the_end(run: tg.Solution, name: str) -> None:
    """Of solutions that are constant or linear: only the initial system and events are solved with tolerances."""
    assert run[name][-1] == pytest.approx(EXPECTED[name], abs=1e-9)


def test_values_at_the_start(run: tg.Solution) -> None:
    assert run["from_initial"][0] == 4
    assert run["before"][0] == 5
    assert run["later"][run.time < 0.54][-1] == 3
    assert run["v"][0] == pytest.approx(6)
    assert run["x"][0] == pytest.approx(3)


CASCADE = """
model M
  Boolean open[300](each start = false, each fixed = true);
equation
  when time > 0.5 then
    open[1] = true;
  end when;
  for i in 2:300 loop
    when pre(open[i - 1]) then
      open[i] = true;
    end when;
  end for;
end M;
"""


def test_a_cascade_takes_as_many_rounds_as_it_is_long() -> None:
    """Each breaker opens one round after the one before it, all at one instant."""
    model = build_model(instantiate(views_of(CASCADE).named("M")))
    solution = tg.simulate(model, stop=1.0, points=3)
    assert float(solution["open[300]"][0]) == 0.0
    assert float(solution["open[300]"][-1]) == 1.0


ENUMERATION = """
model Machine
  type Mode = enumeration(off "not running", slow, fast);
  Mode mode(start = Mode.off, fixed = true);
  Real x(start = 0, fixed = true);
equation
  when time > 0.5 then
    mode = Mode.slow;
  elsewhen time > 1 then
    mode = Mode.fast;
  end when;
  der(x) = if mode == Mode.fast then 2 else 1;
end Machine;
"""


def test_literals_of_enumerations_are_names_in_results(tmp_path: Path) -> None:
    """Values are the ordinals of Modelica, from 1 on; plots, events and initial values have the names."""
    file = tmp_path / "Machine.mo"
    file.write_text(ENUMERATION)
    compiled = tg.compile(tg.load_modelica(file)["Machine"])
    solution = compiled.simulate(2.0)
    assert solution["mode"][[0, -1]].tolist() == [1.0, 3.0]
    assert "mode := slow" in solution.events[0].what[0]
    figure = solution.plot("mode")
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["off", "slow", "fast"]
    assert compiled.simulate(0.1, initial={"mode": "fast"})["mode"][0] == 3.0
    with pytest.raises(tg.TellegenError, match="'mode' cannot be 'fst'"):
        compiled.simulate(0.1, initial={"mode": "fst"})


def test_a_vector_of_many_conditions() -> None:
    """Each expression of the statement gets slots of its own: values and rates stay with their variables."""
    text = """
model Many
  parameter Integer N = 60;
  Real x[N](each start=0, each fixed=true);
  Integer n(start=0, fixed=true);
  Real sum(start=0, fixed=true);
  Real last(start=0, fixed=true);
equation
  for i in 1:N loop
    der(x[i]) = i + 0*x[i];
  end for;
  when {x[i] > N/2 + i/1000 for i in 1:N} then
    n = pre(n) + 1;
    sum = pre(sum) + x[N - 1];
    last = x[2] + der(x[N]);
  end when;
end Many;
"""
    run = tg.simulate(build_model(instantiate(views_of(text).named("Many"))), 1.0, rtol=1e-8)
    times = [(30 + i / 1000) / i for i in range(1, 61)]
    happened = [t for t in times if t < 1.0]
    assert run["n"][-1] == len(happened) == 30
    assert run["sum"][-1] == pytest.approx(59 * sum(happened), rel=1e-7)
    assert run["last"][-1] == pytest.approx(2 * max(happened) + 60, rel=1e-7)
