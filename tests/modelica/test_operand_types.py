"""Operands, conditions and syntax that users of other languages write: each is an error with advice, none is taken."""

from __future__ import annotations

import pytest

import tellegen as tg
from tellegen.frontends.modelica.library import ModelicaLibrary
from tellegen.frontends.modelica.store.store import Store

MODEL = "model M\n  Boolean b = time > 0.5;\n  Integer n = integer(time);\n  Real y{rest}\nend M;"


def translated(text: str) -> tg.ModelicaClass:
    store = Store(searched=[])
    store.add_text(text)
    found = ModelicaLibrary(store)["M"]
    tg.flatten(found)
    return found


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        (" = b + 1;", "'[+]' is for numbers, not for a Boolean"),
        (" = 2*pre(b);", "'[*]' is for numbers"),
        (" = -b;", "'-' is for numbers"),
        ("[2] = {1, 2} .+ b;", "'.[+]' is for numbers"),
        (" = sin(b);", "sin.* is for numbers"),
        (" = mod(n, b);", "mod.* is for numbers"),
        (" = if b > 0 then 1 else 2;", "'>' cannot compare a Boolean with a number"),
        (" = if n then 1 else 2;", "the condition of an if is a Boolean, not an Integer"),
        (" = if b and time then 1 else 2;", "an operand of 'and' is a Boolean, not a Real"),
        (" = if not time then 1 else 2;", "an operand of 'not' is a Boolean"),
        ("; equation when time then y = 1; end when;", "the condition of a when is a Boolean, not a Real"),
        ("; equation if y then y = 1; else y = 2; end if;", "the condition of an if is a Boolean"),
        ("; algorithm if n then y := 1; else y := 2; end if;", "the condition of an if is a Boolean"),
        (" = der(n);", "der.* is for Real expressions, not for an Integer"),
    ],
)
def test_types_that_vary_are_checked(rest: str, message: str) -> None:
    with pytest.raises(tg.ModelicaError, match=message):
        translated(MODEL.format(rest=rest))


def test_what_is_meant_stays_allowed() -> None:
    rest = """ = max(time, 0.5)^2 + (if b == (n > 0) and not pre(b) then n else -n);
  Boolean c[2] = {b, max(b, n > 2)};
  type E = enumeration(one, two);
  Integer none[3] = {0*n, n - n, mod(n, 2)*0};
  E e = if b then E.one else E.two;
  Real z = Integer(e) + 1;
equation
  when {b, n > 2, initial()} then
    assert(n >= 0, "n");
  end when;"""
    assert translated(MODEL.format(rest=rest))


@pytest.mark.parametrize(
    ("rest", "advice"),
    [
        (" := 1;", "written with '='"),
        ("; algorithm y = 1;", "assigned by ':='"),
        ("; equation y == 1;", "'==' compares"),
        (" = time**2;", "x\\^2"),
        (" = if b && b then 1 else 2;", "`and`"),
        ("; Real end = 1;", "cannot be a name"),
        (" = 'text';", 'a text is written "text"'),
    ],
)
def test_what_other_languages_write_is_answered(rest: str, advice: str) -> None:
    with pytest.raises(tg.ModelicaError, match=advice):
        translated(MODEL.format(rest=rest))


def test_a_function_that_never_ends_is_named() -> None:
    function = "function f input Real n; output Real y; algorithm y := if n < 1 then 1 else n*f(n - 1); end f;"
    with pytest.raises(tg.ModelicaError, match=r"the calls that M\.f makes lead back to itself"):
        translated(f"model M {function} Real y = f(10*time); end M;")


def test_an_input_of_the_model_is_given_from_outside() -> None:
    found = translated("model M input Real u(start=3); Real y = 2*u; end M;")
    assert tg.simulate(found, stop=1.0)["y"][-1] == 6.0
