"""Subscripts that vary: which element is meant, and that a run ends where none is (MLS 10.5)."""

from __future__ import annotations

from pathlib import Path

import pytest

import tellegen as tg
from tellegen.errors import RunFailedError

TEXT = """
package X
  function picked "inlined: what stands after a return counts only where the function was not left"
    input Integer n;
    output Real y;
  protected
    Real b[3] = {1, 2, 3};
  algorithm
    y := -1;
    if n > 3 then
      return;
    end if;
    y := b[n];
  end picked;
  function stepped "native: its loop ends where x varies"
    input Integer n;
    input Boolean c;
    output Real y;
  protected
    Real t[3] = {1, 2, 3};
    Real b[Boolean] = {10, 20};
    Integer i;
  algorithm
    i := 1;
    while i < 3 and (i < n and t[i + 1] > 0) loop
      i := i + 1;
    end while;
    y := t[i] + b[c];
  end stepped;
  function unguarded
    input Integer n;
    output Real y;
  protected
    Real t[3] = {1, 2, 3};
    Integer i = 1;
  algorithm
    while i < n loop
      i := i + 1;
    end while;
    y := t[i];
  end unguarded;
  model Base
    Integer k = integer(time) + 1;
    parameter Real b[3] = {1, 2, 3};
    Real y;
  end Base;
  model Element extends Base; equation y = b[k]; end Element;
  model Guarded extends Base; equation y = if k <= 3 then b[k] else -1; end Guarded;
  model Both extends Base; equation y = if k <= 3 and b[k] > 1 then 1 else 0; end Both;
  model AfterReturn extends Base; equation y = picked(k); end AfterReturn;
  model Native extends Base; equation y = stepped(k, time > 1); end Native;
  model NativeOutside extends Base; equation y = unguarded(k); end NativeOutside;
  model ByBoolean
    Real b[Boolean] = {1, 2};
    Boolean c = time > 2;
    Real y = 100*b[time > 1] + 10*b[c] + b[not c];
  end ByBoolean;
  model Assigned
    Integer i(start = 0, fixed = true);
    Real m[3, 2](each start = 0, each fixed = true);
    Real y = m[1, 1] + 10*m[2, 2] + 100*m[3, 1];
  algorithm
    when sample(0.5, 1) then
      i := pre(i) + 1;
      m[i, 1] := i;
      m[i, :] := {m[i, 1], 2*i};
    end when;
  end Assigned;
end X;
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> tg.ModelicaLibrary:
    path: Path = tmp_path_factory.mktemp("subscripts") / "X.mo"
    path.write_text(TEXT)
    return tg.load_modelica(path)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Element", [1.0, 2.0, 3.0]),
        ("Guarded", [1.0, 2.0, 3.0, -1.0]),
        ("Both", [0.0, 1.0, 1.0, 0.0]),
        ("AfterReturn", [1.0, 2.0, 3.0, -1.0]),
        ("Native", [11.0, 22.0, 23.0, 23.0]),
        ("NativeOutside", [1.0, 2.0, 3.0]),
        ("ByBoolean", [112.0, 212.0, 221.0]),
        ("Assigned", [0.0, 1.0, 41.0, 341.0]),
    ],
)
def test_the_element_that_is_meant(library: tg.ModelicaLibrary, name: str, values: list[float]) -> None:
    """Just before 0.5, 1.5, ...: of what is meant there, by hand."""
    solution = tg.simulate(library[f"X.{name}"].model, stop=len(values) - 0.6)
    assert [float(solution.at(k + 0.4)["y"]) for k in range(len(values))] == values


@pytest.mark.parametrize(("name", "time"), [("Element", 3.0), ("NativeOutside", 3.0), ("Assigned", 3.5)])
def test_a_run_ends_where_there_is_none(library: tg.ModelicaLibrary, name: str, time: float) -> None:
    """Not with the last element, which would be a wrong number without a word."""
    with pytest.raises(RunFailedError, match="a subscript is outside of 1:3") as caught:
        tg.simulate(library[f"X.{name}"].model, stop=5.0)
    assert f"stopped at t = {time:g}" in str(caught.value)
