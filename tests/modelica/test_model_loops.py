"""Loops in algorithms of models whose end depends on variables: native code, against the same in Python."""

from __future__ import annotations

import random
from math import isqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from seeds import each_seed

TEXT = """package L
  model Remainder "of a division, by subtraction"
    parameter Real b = 0.3;
    Real r, n;
  algorithm
    r := 2*time;
    n := 0;
    while r >= b loop
      r := r - b;
      n := n + 1;
    end while;
    annotation(experiment(StopTime = 1));
  end Remainder;
  model Nested "squares below a number, found twice; the second loop is left by break"
    Real x = 10 + 40*time;
    Real k, sum, v[2], last;
  algorithm
    k := 0;
    sum := 0;
    while (k + 1)^2 <= x loop
      k := k + 1;
      v := {k, 0};
      while v[1] > 0.5 loop
        v[1] := v[1] - 1;
        v[2] := v[2] + 2;
      end while;
      sum := sum + v[2];
    end while;
    last := 0;
    while true and last < 1e9*x loop
      if last > k then
        break;
      else
        last := last + 1;
      end if;
    end while;
    annotation(experiment(StopTime = 1));
  end Nested;
  model Feedback "a state whose rate is found by a loop: Newton's method for the square root"
    parameter Real x0 = 4;
    Real x(start = x0, fixed = true);
    Real root, step;
  equation
    der(x) = -root;
  algorithm
    root := x;
    step := 1;
    while abs(step) > 1e-14*abs(root) loop
      step := (root - x/root)/2;
      root := root - step;
    end while;
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Feedback;
  impure function note
    input Real x;
  algorithm
  end note;
  model Speaks "an assertion in a loop that does not run holds; a call for its effect is left out"
    parameter Real limit = 10;
    Real n, m;
  algorithm
    n := 0;
    m := 0;
    if time < 0.5 then
      while n < 8*time loop
        n := n + 1;
        assert(n < limit, "too many");
        note(n);
      end while;
    end if;
    while m < 3*time loop
      m := m + 1;
      if m > 2 then
        break;
      end if;
    end while;
    m := m + 0.5;
    annotation(experiment(StopTime = 1));
  end Speaks;
  model Ranges "a range that grows, one that falls, two iterators, a vector"
    parameter Integer rows = 3;
    Integer n = min(4, integer(4*time) + 1);
    Real up, down, a[4, 3], squares;
    Real v[3] = {time, 2*time, 3*time};
    Real doubled[3] = {2*x for x in v}, total = sum(x^2 for x in v);
  algorithm
    up := 0;
    down := 0;
    squares := 0;
    a := zeros(4, 3);
    for i in 1:n loop
      up := up + i;
    end for;
    for i in n:-2:1 loop
      down := 10*down + i;
    end for;
    for i in 1:n, j in 1:rows loop
      for k in j:i loop
        a[i, j] := a[i, j] + k*time;
      end for;
    end for;
    for x in v loop
      squares := squares + x^2;
    end for;
    annotation(experiment(StopTime = 1));
  end Ranges;
  model Clocked "a loop in a when, with an assertion at its events"
    parameter Real limit = 100;
    discrete Real sum(start = 0, fixed = true), kept[5](each start = 0, each fixed = true);
    discrete Integer n(start = 0, fixed = true);
  algorithm
    when sample(0.1, 0.1) then
      n := pre(n) + 1;
      sum := 0;
      for i in 1:n loop
        sum := sum + i;
        assert(sum < limit, "the sum is large");
        if i <= 5 then
          kept[i] := sum;
        end if;
      end for;
    end when;
    annotation(experiment(StopTime = 0.95));
  end Clocked;
  model Stops
    Real n;
  algorithm
    n := 0;
    while n < time loop
      n := n + 1;
      terminate("enough");
    end while;
  end Stops;
end L;
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> tg.ModelicaLibrary:
    file = tmp_path_factory.mktemp("loops") / "L.mo"
    file.write_text(TEXT)
    return tg.load_modelica(file)


def test_a_loop_that_subtracts(library: tg.ModelicaLibrary) -> None:
    solution = tg.simulate(library["L.Remainder"])
    n, r = solution["n"], solution["r"]
    np.testing.assert_allclose(n * 0.3 + r, 2 * solution.time, atol=1e-9)
    assert np.all((r >= 0.0) & (r < 0.3))
    assert set(n) == set(range(7))


def test_loops_inside_of_loops_and_break(library: tg.ModelicaLibrary) -> None:
    solution = tg.simulate(library["L.Nested"])
    roots = np.array([isqrt(int(value + 1e-9)) for value in solution["x"]])
    k = solution["k"]
    assert np.all(np.abs(k - roots) <= (np.abs(np.sqrt(solution["x"]) - np.round(np.sqrt(solution["x"]))) < 1e-6))
    np.testing.assert_allclose(solution["sum"], k * (k + 1))
    np.testing.assert_allclose(solution["last"], k + 1)


def test_a_state_whose_rate_a_loop_computes(library: tg.ModelicaLibrary) -> None:
    """der(x) = -sqrt(x) from x0: x = (sqrt(x0) - t/2)^2, so dx(2)/dx0 = (sqrt(x0) - 1)/sqrt(x0) = 1/2 at 4."""
    solution = tg.simulate(library["L.Feedback"])
    np.testing.assert_allclose(solution["x"], (2 - solution.time / 2) ** 2, rtol=1e-6)
    found = tg.gradient(library["L.Feedback"], of=tg.final("x"), wrt=["x0"])
    assert found["final(x)"]["x0"] == pytest.approx(0.5, rel=1e-5)


def test_assertions_and_calls_in_loops(library: tg.ModelicaLibrary) -> None:
    with pytest.warns(UserWarning, match="for its effect is left out"):
        solution = tg.simulate(library["L.Speaks"])
    apart = np.abs(solution.time - 0.5) > 1e-9  # both sides of the event are there
    expected = np.where(solution.time < 0.5, np.ceil(8 * solution.time), 0)
    np.testing.assert_array_equal(solution["n"][apart], expected[apart])
    np.testing.assert_array_equal(solution["m"], np.ceil(3 * solution.time) + 0.5)
    with pytest.warns(UserWarning, match="left out"), pytest.raises(tg.RunFailedError, match=r"t = 0\.25\d*: too many"):
        tg.simulate(library["L.Speaks"].modified(limit=3.0))


def test_ranges_whose_ends_vary(library: tg.ModelicaLibrary) -> None:
    solution = tg.simulate(library["L.Ranges"])
    n = solution["n"].astype(int)
    assert set(n) == {1, 2, 3, 4}
    np.testing.assert_array_equal(solution["up"], n * (n + 1) / 2)
    np.testing.assert_array_equal(solution["down"], np.array([0, 1, 2, 31, 42])[n])
    for i in range(1, 5):
        for j in range(1, 4):
            expected = np.where(i <= n, sum(range(j, i + 1)) * solution.time, 0)
            np.testing.assert_allclose(solution[f"a[{i},{j}]"], expected, atol=1e-12)
    for name in ("squares", "total"):
        np.testing.assert_allclose(solution[name], 14 * solution.time**2, atol=1e-12)
    np.testing.assert_allclose(solution["doubled[3]"], 6 * solution.time, atol=1e-12)


def test_loops_at_events(library: tg.ModelicaLibrary) -> None:
    solution = tg.simulate(library["L.Clocked"])
    assert [solution[name][-1] for name in ("n", "sum", "kept[1]", "kept[5]")] == [9, 45, 1, 15]
    with pytest.raises(tg.RunFailedError, match=r"t = 0\.8: the sum is large"):
        tg.simulate(library["L.Clocked"].modified(limit=30.0))


def test_what_acts_at_events_cannot_stand_in_a_loop(library: tg.ModelicaLibrary) -> None:
    with pytest.raises(tg.ModelicaError, match="terminate inside of a loop whose end varies is not supported"):
        _ = library["L.Stops"].model


class Program:
    """Statements over a, b and v[3], drawn at random, in Modelica and in Python."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.loops = 0
        self.modelica: list[str] = ["a := time;", "b := 1;", "v := {time, 2, -time};"]
        self.python: list[str] = ["a = time; b = 1.0; v = [time, 2.0, -time]"]
        self.statements(5, 0, [])

    def statements(self, count: int, depth: int, iterators: list[str]) -> None:
        """Some more statements at a depth; iterators of the loops around may be read."""
        for _ in range(count):
            kind = self.dice.choice(["assign", "assign", "element", "if", "while", "for"] if depth < 2 else ["assign"])
            getattr(self, f"_{kind}")(depth, iterators)

    def _say(self, depth: int, modelica: str, python: str) -> None:
        self.modelica.append(modelica)
        self.python.append(" " * depth + python)

    def _value(self, iterators: list[str]) -> str:
        x, y = (self.dice.choice(["a", "b", "time", "1.5", "0.5", *iterators]) for _ in range(2))
        return self.dice.choice([f"({x} + {y})/2", f"{x} - 0.5*{y}", f"0.3*{x}*{y}", f"min({x}, {y})", f"abs({x})"])

    def _assign(self, depth: int, iterators: list[str]) -> None:
        name, value = self.dice.choice("ab"), self._value(iterators)
        self._say(depth, f"{name} := {value};", f"{name} = {value}")

    def _element(self, depth: int, iterators: list[str]) -> None:
        k, value = self.dice.randrange(3), self._value(iterators)
        self._say(depth, f"v[{k + 1}] := {value} + v[{3 - k}];", f"v[{k}] = {value} + v[{2 - k}]")

    def _if(self, depth: int, iterators: list[str]) -> None:
        left, right = self._value(iterators), self._value(iterators)
        self._say(depth, f"if {left} < {right} then", f"if {left} < {right}:")
        self.statements(2, depth + 1, iterators)
        self._say(depth, "else", "else:")
        self.statements(1, depth + 1, iterators)
        self._say(depth, "end if;", "")

    def _while(self, depth: int, iterators: list[str]) -> None:
        self.loops += 1
        c = f"c{self.loops}"
        test = f"{c} < 6 and {self._value([])} < {self.dice.choice(['2', '10', 'a + 1'])}"
        self._say(depth, f"{c} := 0; while {test} loop {c} := {c} + 1;", f"{c} = 0")
        self.python.append(" " * depth + f"while {test}:")
        self.python.append(" " * (depth + 1) + f"{c} = {c} + 1")
        self.statements(2, depth + 1, [*iterators, c])
        if self.dice.random() < 0.4:
            self._say(depth + 1, f"if {c} > 3 then break; end if;", f"if {c} > 3: break")
        self._say(depth, "end while;", "")

    def _for(self, depth: int, iterators: list[str]) -> None:
        self.loops += 1
        i, step = f"i{self.loops}", self.dice.choice([1, 2, -1])
        text, first, last = ("n:-1:1", "n", 0) if step < 0 else (f"1:{step}:n", 1, "n + 1")
        self._say(depth, f"for {i} in {text} loop", f"for {i} in range({first}, {last}, {step}):")
        self.statements(2, depth + 1, [*iterators, i])
        self._say(depth, "end for;", "")

    @property
    def model(self) -> str:
        """The text of a class."""
        names = "".join(f", c{k}" for k in range(1, self.loops + 1) if any(f"c{k} := 0" in s for s in self.modelica))
        body = "\n    ".join(self.modelica)
        text = f"model P\n  Integer n = integer(3.7*time);\n  Real a, b, v[3]{names};\nalgorithm\n    {body}\n"
        return text + "annotation(experiment(StopTime = 1));\nend P;\n"

    def results(self, time: float, n: int) -> list[float]:
        """a, b and v as Python computes them."""
        known: dict[str, Any] = {"time": time, "n": n}
        exec("\n".join(self.python), known)
        return [known["a"], known["b"], *known["v"]]


@each_seed(range(10))
def test_programs_drawn_at_random(seed: int, tmp_path: Path) -> None:
    """A relation may be decided otherwise within rounding of its border: one point in two hundred may differ."""
    program = Program(seed)
    file = tmp_path / f"P{seed}.mo"
    file.write_text(program.model)
    solution = tg.simulate(tg.load_modelica(file)["P"])
    found = np.column_stack([solution[name] for name in ("a", "b", "v[1]", "v[2]", "v[3]")])
    expected = [program.results(t, int(n)) for t, n in zip(solution.time, solution["n"], strict=True)]
    same = np.isclose(found, expected, rtol=1e-9, atol=1e-9)
    assert np.mean(np.all(same, axis=1)) >= 0.995, program.model
