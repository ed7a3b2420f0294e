"""What functions and algorithms may not contain: each is an error at its line."""

from __future__ import annotations

import pytest

import tellegen as tg
from tellegen.frontends.modelica.library import ModelicaLibrary
from tellegen.frontends.modelica.store.store import Store

FUNCTION = """
model M
  function f
    input Real x;
    output Real y;
    {declarations}
  {body}
  end f;
  Real a = f(2.0);
end M;
"""
MODEL = "model M\n  Real a;\nalgorithm\n  a := 1;\n  {body}\nend M;"


def translated(text: str) -> None:
    store = Store(searched=[])
    store.add_text(text)
    tg.flatten(ModelicaLibrary(store)["M"])


@pytest.mark.parametrize(
    ("declarations", "body", "message"),
    [
        ("Real z;", "algorithm y := x;", "'z' of the function M.f is neither input nor output"),
        ("", "algorithm x := 1; y := x;", "'x' is an input of M.f and cannot be assigned"),
        ("", "algorithm for i in 1:2 loop (x, ) := g(1); end for; y := x;", "'x' is an input"),
        ("", "algorithm y := x; algorithm y := 2*x;", "has 2 algorithm sections"),
        ("", "equation y = x;", "has equations"),
        ("", "initial algorithm y := x;", "has an initial section"),
        ("outer Real w;", "algorithm y := x;", "inner or outer"),
        ("", "algorithm y := time;", "`time` is not known in a function"),
        ("", "algorithm break; y := x;", "`break` stands outside of a loop"),
    ],
)
def test_functions(declarations: str, body: str, message: str) -> None:
    with pytest.raises(tg.ModelicaError, match=message):
        translated(FUNCTION.format(declarations=declarations, body=body))


def test_a_partial_function() -> None:
    text = FUNCTION.format(declarations="", body="algorithm y := x;").replace("function f", "partial function f", 1)
    with pytest.raises(tg.ModelicaError, match="is partial and cannot be called"):
        translated(text)


@pytest.mark.parametrize(
    ("body", "message"),
    [("if a > 1 then break; end if;", "`break` stands outside"), ("return;", "`return` stands outside")],
)
def test_algorithms(body: str, message: str) -> None:
    with pytest.raises(tg.ModelicaError, match=message):
        translated(MODEL.format(body=body))


def test_what_is_allowed() -> None:
    translated(FUNCTION.format(declarations="protected Real z = x;", body="algorithm z := 2*z; y := z;"))
    translated(MODEL.format(body="for i in 1:3 loop if i > 1 then break; end if; a := a + i; end for;"))
