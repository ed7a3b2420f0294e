"""Reinits of Modelica act last: beside them states have their old values (MLS 8.3.6)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tellegen as tg

TEXT = """
model Beside "what is read beside a reinit"
  Real x(start = 1, fixed = true), y, q(start = 0, fixed = true);
  discrete Real d(start = 0, fixed = true), e(start = 0, fixed = true);
equation
  der(x) = -1;
  der(q) = 0;
  y = 2*x;
  when x < 0.5 then
    reinit(x, pre(x) + 3);
    d = x;
    e = y;
    reinit(q, x);
  end when;
end Beside;

model Itself "the new value from the old one, at the start as well"
  Real x(start = 1, fixed = true), y;
  discrete Real d(start = 0, fixed = true);
equation
  der(x) = 0;
  y = 2*x;
  when {initial(), time > 0.5} then
    reinit(x, x + 3);
    d = y;
  end when;
end Itself;

model Swap "each new value is the old one of the other"
  Real a(start = 1, fixed = true), b(start = 2, fixed = true);
equation
  der(a) = 0;
  der(b) = 0;
  when sample(0.1, 0.4) then
    reinit(a, b);
    reinit(b, a);
  end when;
end Swap;

model Chain "w has the new k and the old a; the second clause acts in the next iteration"
  Real a(start = 1, fixed = true), b(start = 0, fixed = true), w;
  discrete Real seen(start = 0, fixed = true), k(start = 0, fixed = true);
equation
  der(a) = 0;
  der(b) = 0;
  w = a + 10*k;
  when time > 0.5 then
    reinit(a, 5);
    k = 1;
    seen = w;
  end when;
  when a > 4 then
    reinit(b, a + 1);
  end when;
end Chain;

model Counted "in an algorithm"
  Real a(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
algorithm
  when sample(0.1, 0.25) then
    n := n + 1;
    reinit(a, a*2 + n);
  end when;
equation
  der(a) = 0;
end Counted;
"""
ENDS: dict[str, dict[str, float]] = {
    "Beside": {"x": 3.4, "y": 6.8, "q": 0.5, "d": 0.5, "e": 1.0},
    "Itself": {"x": 7.0, "y": 14.0, "d": 8.0},
    "Swap": {"a": 2.0, "b": 1.0},
    "Chain": {"a": 5.0, "b": 6.0, "seen": 11.0, "k": 1.0, "w": 15.0},
    "Counted": {"a": 42.0, "n": 4.0},
}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Any:
    file = tmp_path_factory.mktemp("reinit") / "reinit.mo"
    file.write_text(TEXT)
    return tg.load_modelica(file)


@pytest.mark.parametrize("solver", ["auto", "cvode", "ida"])
@pytest.mark.parametrize("name", ENDS)
def test_states_are_old_beside_a_reinit(models: Any, name: str, solver: str) -> None:
    stop = 0.6 if name == "Beside" else 1.0
    solution = tg.simulate(models[name], stop=stop, solver=solver)
    assert {path: solution[path][-1] for path in ENDS[name]} == pytest.approx(ENDS[name], abs=2e-6)


class New(tg.Component):
    """In Python the name of a state is its new value."""

    x = tg.variable(start=1.0, fixed=True)
    y = tg.variable()
    d = tg.variable(discrete=True, start=0.0)
    e = tg.variable(discrete=True, start=0.0)

    def equations(self) -> Any:
        yield tg.der(self.x) == -1.0
        yield self.y == 2.0 * self.x
        jump = tg.reinit(self.x, tg.pre(self.x) + 3.0)
        below = (self.x < 0.5) & ~tg.initial()
        yield tg.when(below, jump, self.d == self.x + tg.pre(self.x), self.e == self.d + self.x)


class Follower(tg.Component):
    """y follows the state that jumps."""

    x = tg.variable(start=1.0, fixed=True)
    y = tg.variable()
    d = tg.variable(discrete=True, start=0.0)

    def equations(self) -> Any:
        yield tg.der(self.x) == -1.0
        yield self.y == 2.0 * self.x
        yield tg.when((self.x < 0.5) & ~tg.initial(), tg.reinit(self.x, 3.0), self.d == self.y)


def test_new_values_are_written_out_for_modelica(tmp_path: Path) -> None:
    file = tmp_path / "New.mo"
    tg.write_modelica(New(), file, name="Written")
    here = tg.simulate(New(), stop=0.6)
    there = tg.simulate(tg.load_modelica(file)["Written.New"], stop=0.6)
    for path, value in {"d": 4.0, "e": 7.5}.items():
        assert here[path][-1] == pytest.approx(value, abs=1e-9)
        assert there[path][-1] == pytest.approx(value, abs=1e-9)


def test_what_follows_a_state_that_jumps_is_warned_of() -> None:
    with pytest.warns(
        UserWarning, match="reinitializes x and reads y, which in Modelica has its value before the reinit"
    ):
        tg.write_modelica(Follower())


TIED = """
model Tied "J follows E by its derivative alone: a reinit of b lets E jump, and no state but b"
  Real a(start = 1, fixed = true, stateSelect = StateSelect.always);
  Real b(start = 0, fixed = true, stateSelect = StateSelect.always);
  Real J(start = 0, fixed = true, stateSelect = StateSelect.always);
  Real E = a*a + b;
equation
  der(a) = 1;
  der(b) = 0;
  der(J) = der(E);
  when time > 0.5 then
    reinit(b, 7);
  end when;
end Tied;
"""


@pytest.mark.parametrize("solver", ["auto", "cvode", "ida"])
def test_other_states_stay_where_constraints_tie_them(tmp_path: Path, solver: str) -> None:
    """MLS 8.3.6; in Python, where conservation rules, J would jump with E (docs/impulses.md)."""
    path = tmp_path / "Tied.mo"
    path.write_text(TIED)
    solution = tg.simulate(tg.load_modelica(path)["Tied"], stop=1.0, solver=solver)
    assert solution["b"][-1] == 7.0
    assert solution["E"][-1] == pytest.approx(11.0, rel=1e-6)
    assert solution["J"][-1] == pytest.approx(3.0, rel=1e-6)


SELECTED = """
package Selected "two bodies and what is between them: of which the states are depends on what is declared"
  partial model Bodies
    Real s1(start = 1, fixed = true);
    Real s2;
  equation
    der(s1) = 1;
    der(s2) = 3;
    when time > 0.5 then
      reinit(s2, 10);
    end when;
  end Bodies;
  model Nothing "s1 has a rate of its own and stays, fixed or not"
    extends Bodies(s1(fixed = false), s2(start = 3, fixed = true));
    Real gap(start = 2, fixed = true) = s2 - s1;
    Real opening = der(gap);
  end Nothing;
  model Preferred "a preferred state need not be differentiated (MLS 4.9.7.1): the gap stays"
    extends Bodies;
    Real gap(start = 2, fixed = true, stateSelect = StateSelect.prefer) = s2 - s1;
  end Preferred;
  model Always
    extends Bodies;
    Real gap(start = 2, fixed = true, stateSelect = StateSelect.always) = s2 - s1;
  end Always;
  model Speeds "the speed between two bodies, as in springs with dampers of the standard library"
    Real v1(start = 1, fixed = true);
    Real v2(start = 3, fixed = true);
    Real s1(start = 0);
    Real s2(start = 0, fixed = true);
    Real gap(start = 0, fixed = true, stateSelect = StateSelect.prefer);
    Real opening(stateSelect = StateSelect.prefer);
  equation
    der(s1) = v1;
    der(s2) = v2;
    der(v1) = 0;
    der(v2) = 0;
    gap = s2 - s1;
    opening = der(gap);
    when time > 0.5 then
      reinit(v2, 0);
    end when;
  end Speeds;
end Selected;
"""


@pytest.mark.parametrize("solver", ["auto", "cvode", "ida"])
def test_states_are_those_declared_where_a_reinit_leaves_the_others(tmp_path: Path, solver: str) -> None:
    """The same under every solver; the curve of Translational HeatLosses depends on it."""
    path = tmp_path / "Selected.mo"
    path.write_text(SELECTED)
    models = tg.load_modelica(path)
    ends = {
        "Nothing": {"s1": 2.0, "s2": 11.5, "gap": 9.5},
        "Preferred": {"s1": 7.5, "s2": 11.5, "gap": 4.0},
        "Always": {"s1": 7.5, "s2": 11.5, "gap": 4.0},
        "Speeds": {"v1": -2.0, "v2": 0.0, "opening": 2.0, "gap": 2.0, "s2": 1.5, "s1": -0.5},
    }
    for name, values in ends.items():
        solution = tg.simulate(models[f"Selected.{name}"], stop=1.0, solver=solver)
        assert {key: solution[key][-1] for key in values} == pytest.approx(values, abs=1e-6)


LATE = """
model Late "at the start y is at zero but for a rounding, whatever b is; then it rises"
  Real x(start = 0, fixed = true);
  Real v(start = 0, fixed = true);
  Real z(start = 0, fixed = true);
  Real y = x - (if b then 1e-20 else 0);
  Boolean b = y >= 0;
equation
  der(x) = v;
  der(v) = 1;
  der(z) = if b then 1 else 0;
end Late;
"""


@pytest.mark.parametrize("solver", ["rk45", "rodas", "cvode", "ida"])
def test_what_begins_at_zero_on_the_wrong_side_is_seen(tmp_path: Path, solver: str) -> None:
    """SUNDIALS sees no root of a function that begins at zero: a mass went through the stop it rested on."""
    path = tmp_path / "Late.mo"
    path.write_text(LATE)
    assert tg.simulate(tg.load_modelica(path)["Late"], stop=1.0, solver=solver)["z"][-1] == pytest.approx(1.0, abs=1e-6)
