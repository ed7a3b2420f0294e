"""Expressions and functions of Modelica as values: against plain Python, NumPy and evaluation of the IR."""

from __future__ import annotations

import random

import numpy as np
import pytest

from modelica_texts import views_of
from tellegen import ModelicaError
from tellegen.frontends.modelica.evaluation.class_scope import ClassScope
from tellegen.frontends.modelica.evaluation.evaluate import evaluate
from tellegen.frontends.modelica.syntax.parser import parse_expression
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.frontends.modelica.values.value import RecordValue, Value
from tellegen.ir.expressions.expr import Expr, Slot
from tellegen.symbolic.evaluate import evaluate as number_of

TEXT = """
package P
  constant Real a = 2;
  constant Integer n = 3;
  constant Real v[:] = {i^2 for i in 1:n};
  constant R r(x=5);
  constant Real later = sooner + 1;
  constant Real sooner = 1;
  constant Real c1 = c2;
  constant Real c2 = c1;
  type E = enumeration(one, two, three);
  operator record Phasor = Pair(re(unit="V"), im(unit="V"));
  record R
    Real x = 1;
    Real y = 2*x;
  end R;
  function two_results
    input Real x;
    input Real y = 2;
    output Real z;
    output Real w;
  algorithm
    if x > 0 then
      z := sqrt(x);
    else
      z := y;
    end if;
    w := x*y;
  end two_results;
  function sum_until_negative
    input Real u[:];
    output Real s;
  protected
    Real t[size(u, 1)];
  algorithm
    s := 0;
    for i in 1:size(u, 1) loop
      if u[i] < 0 then
        return;
      end if;
      t[i] := u[i];
      s := s + t[i];
    end for;
  end sum_until_negative;
  function first_above
    input Real u[:];
    input Real limit;
    output Integer index;
  algorithm
    index := 0;
    for i in 1:size(u, 1) loop
      if u[i] > limit then
        index := i;
        break;
      end if;
    end for;
  end first_above;
  function halvings
    input Real x;
    output Real y;
  protected
    Real k = x;
  algorithm
    y := 0;
    while k > 1 loop
      k := k/2;
      y := y + 1;
    end while;
  end halvings;
  function factorial
    input Integer n;
    output Integer m;
  algorithm
    m := if n <= 1 then 1 else n*factorial(n - 1);
  end factorial;
  partial function Map
    input Real x;
    output Real y;
  end Map;
  function applied
    input Map f;
    input Real x;
    output Real y;
  algorithm
    y := f(x);
  end applied;
  function raised
    extends Map;
    input Real p;
  algorithm
    y := x^p;
  end raised;
  function square = raised(p=2);
  function picked
    input Real u[:];
    input Integer k;
    output Real y[size(u, 1)];
  algorithm
    y := u;
    y[k] := 10*u[k];
  end picked;
  function checked
    input Real x;
    output Real y;
  algorithm
    assert(x > 0, "x must be positive");
    y := x;
  end checked;
  function fields
    input Real x;
    output R r;
  algorithm
    r.x := x;
    r.y := r.x + 1;
  end fields;
end P;

operator record Pair
  Real re;
  Real im;
  encapsulated operator 'constructor'
    function fromReal
      import Pair;
      input Real re;
      input Real im = 0;
      output Pair result(re=re, im=im);
    algorithm
    end fromReal;
  end 'constructor';
  encapsulated operator '*'
    function multiply
      import Pair;
      input Pair c1;
      input Pair c2;
      output Pair c3;
    algorithm
      c3 := Pair(c1.re*c2.re - c1.im*c2.im, c1.re*c2.im + c1.im*c2.re);
    end multiply;
  end '*';
  encapsulated operator '-'
    function negate
      import Pair;
      input Pair c;
      output Pair d;
    algorithm
      d := Pair(-c.re, -c.im);
    end negate;
    function subtract
      import Pair;
      input Pair a;
      input Pair b;
      output Pair d;
    algorithm
      d := Pair(a.re - b.re, a.im - b.im);
    end subtract;
  end '-';
  encapsulated operator function '+'
    import Pair;
    input Pair a;
    input Pair b;
    output Pair c;
  algorithm
    c := Pair(a.re + b.re, a.im + b.im);
  end '+';
  encapsulated operator function 'String'
    import Pair;
    input Pair a;
    output String s;
  algorithm
    s := String(a.re) + "+j" + String(a.im);
  end 'String';
end Pair;
"""
VIEWS = views_of(TEXT)
SCOPE = ClassScope(VIEWS.named("P"))
SYMBOLS: dict[str, Value] = {"s": Slot(0), "t": Slot(1), "k": Slot(2)}


def value(text: str, **names: Value) -> Value:
    """An expression in the text of P, with further names."""
    return evaluate(parse_expression(SourceFile("test", text)), SCOPE.with_locals({**SYMBOLS, **names}))


def at(found: Value, numbers: list[float]) -> object:
    """A value with numbers for the symbols."""
    if isinstance(found, np.ndarray):
        return [at(element, numbers) for element in found]
    if isinstance(found, RecordValue):
        return {name: at(part, numbers) for name, part in found.fields.items()}
    return float(number_of(found, numbers)) if isinstance(found, Expr) else found


KNOWN = {
    "1 + 2*3": 7,
    "7/2": 3.5,
    "2^3": 8.0,
    "v": [1.0, 4.0, 9.0],
    "v[end]": 9.0,
    "v[{1, 3}]": [1.0, 9.0],
    "v[2:end]": [4.0, 9.0],
    "r.y": 10.0,
    "later": 2.0,
    "two_results(4)": 2.0,
    "two_results({1, 4})": [1.0, 2.0],
    "two_results(-1, y=7)": 7.0,
    "sum_until_negative({1, 2, -1, 5})": 3.0,
    "first_above({1, 5, 7}, 3)": 2,
    "halvings(10)": 4.0,
    "factorial(5)": 120,
    "applied(function raised(p=3), 2)": 8.0,
    "square(3)": 9.0,
    "picked({1, 2}, 2)": [1.0, 20.0],
    "[1, 2; 3, 4]*[1; 2]": [[5], [11]],
    "{1, 2}*{3, 4}": 11,
    "[1, 2; 3, 4]^2": [[7.0, 10.0], [15.0, 22.0]],
    "{1, 2} .* {3, 4}": [3, 8],
    "2 .+ {3, 4}": [5, 6],
    "sum(i for i in 1:4)": 10,
    "product({2, 3})": 6,
    "max({2, 5, 3})": 5,
    "{i + 10*j for i in 1:2, j in 1:3}": [[11, 12], [21, 22], [31, 32]],
    "{v[i] for i}": [1.0, 4.0, 9.0],
    "{Integer(e) for e in E}": [1, 2, 3],
    "1:2:6": [1, 3, 5],
    "cat(1, {1}, {2, 3})": [1, 2, 3],
    "[v, {1, 2, 3}]": [[1.0, 1], [4.0, 2], [9.0, 3]],
    "size(v)": [3],
    "size(zeros(2, 0), 2)": 0,
    "div(-7, 2)": -3,
    "rem(-7, 2)": -1,
    "mod(-7, 2)": 1,
    "integer(-2.5)": -3,
    "sign(-0.1)": -1,
    "skew({1, 2, 3})": [[0, -3, 2], [3, 0, -1], [-2, 1, 0]],
    "cross({1, 0, 0}, {0, 1, 0})": [0, 0, 1],
    "E.two > E.one": True,
    "E(3) == E.three": True,
    '"a" + "b" < "b"': True,
    "String(2.5)": "2.5",
    "String(1/3, significantDigits=3)": "0.333",
    'String(2.0, format=".2f")': "2.00",
    "String(5, minimumLength=3, leftJustified=false)": "  5",
    "String(E.two)": "two",
    "String(Pair(1, 2))": "1+j2",
    "not (true and false)": True,
    "if false then 1/0 else 2": 2,
    "{Pair(1, 2), Pair(3, 4)}*{Pair(1, 2), Pair(3, 4)}": {"re": -10.0, "im": 28.0},
    "Phasor(1, 2) + Pair(1, 1)": {"re": 2.0, "im": 3.0},
    "2*Pair(1, 2)": {"re": 2.0, "im": 4.0},
    "-Pair(1, 2)": {"re": -1.0, "im": -2.0},
    "Pair({1, 2}, 0)[2]": {"re": 2.0, "im": 0.0},
    "sum({Pair(1, 2), Pair(3, 4)})": {"re": 4.0, "im": 6.0},
    "fields(4)": {"x": 4.0, "y": 5.0},
    "linspace(0, 1, 3)": [0.0, 0.5, 1.0],
    "semiLinear(-2, 3, 4)": -8,
}


@pytest.mark.parametrize("text", KNOWN)
def test_known_values(text: str) -> None:
    expected = KNOWN[text]
    found = at(value(text), [])
    assert found == expected
    if not isinstance(expected, list | dict):
        assert type(found) is type(expected)


WRONG = {
    "1/0": "E571",
    "sqrt(-1)": "E571",
    "v[4]": "E568",
    "1 + true": "E566",
    "{1, 2} + {1, 2, 3}": "E567",
    "{1, {2}}": "E567",
    "two_results()": "E570",
    "two_results(1, 2, 3)": "E570",
    "two_results(1, q=2)": "E570",
    "zeros(k)": "E569",
    "halvings(s, 1)": "E570",
    "checked(-1)": "E574",
    "c1": "E577",
    "R": "E576",
    "r.q": "E576",
    "Pair(1, 2)/Pair(1, 2)": "E572",
    "spatialDistribution(s, t, 0, true, {0, 0.5}, {1, 1})": "E566",
    "spatialDistribution(s, t, 0, true, {0, 0.7, 0.5, 1}, {1, 1, 1, 1})": "E566",
    "spatialDistribution(s, {t, t}, 0, true)": "E567",
    "previous(s)": "E565",
    "unknown": "E545",
}


@pytest.mark.parametrize("text", WRONG)
def test_mistakes_have_codes_and_places(text: str) -> None:
    with pytest.raises(ModelicaError) as caught:
        value(text)
    assert caught.value.code == WRONG[text]
    assert caught.value.location is not None


INLINED = [
    "two_results(s, t)",
    "sum_until_negative({s, t, 1, k})",
    "first_above({s, t, 2}, k)",
    "applied(function raised(p=3), s)",
    "fields(s)",
    "Pair(s, t)*Pair(k, 1) - Pair(t, k)",
    "picked({s, t, 3}, integer(mod(k, 3)) + 1)",
    "{s, t, 5}[integer(mod(k, 3)) + 1]",
    "if s > 0 then {s, t} elseif t > 0 then {t, s} else {0, k}",
    "div(s, t) + rem(s, t) + mod(s, t)",
    "min({s, t, k}) + max(s, t) + abs(k) + sign(s)",
    "cross({s, t, k}, {1, s, t})*skew({k, t, s})",
    "(s > 0 and t > 0) or not k > 0",
    "semiLinear(s, t, k) + homotopy(s, t) + smooth(1, if s > t then s else t)",
]


@pytest.mark.parametrize("text", INLINED)
def test_inlined_is_interpreted(text: str) -> None:
    """With symbols and then numbers, or with numbers at once: the same values."""
    draw = random.Random(text)
    symbolic = value(text)
    for _ in range(20):
        numbers = [draw.choice([-2.0, -1.0, 1.0, 3.0]) * draw.uniform(0.5, 2.0) for _ in range(3)]
        plain = value(text, **dict(zip("stk", numbers, strict=True)))
        np.testing.assert_equal(_rounded(at(symbolic, numbers)), _rounded(at(plain, [])))


def _rounded(found: object) -> object:
    """Numbers to 12 digits: folding may add in another order."""
    if isinstance(found, list):
        return [_rounded(part) for part in found]
    if isinstance(found, dict):
        return {name: _rounded(part) for name, part in found.items()}
    return round(float(found), 12) + 0.0  # type: ignore[arg-type]


OPERATORS = ("+", "-", "*", ".*", "./", ".+", ".-")


def test_operators_agree_with_numpy() -> None:
    """Random expressions over vectors and matrices, half of their elements symbols."""
    draw = random.Random(3)
    functions = {"+": np.add, "-": np.subtract, ".+": np.add, ".-": np.subtract, ".*": np.multiply, "./": np.divide}
    for _ in range(200):
        shape = draw.choice([(2,), (3,), (2, 2), (3, 3)])
        numbers = np.array([draw.uniform(1.0, 2.0) for _ in range(2 * int(np.prod(shape)))]).reshape(2, *shape)
        symbols = np.empty(numbers.shape, dtype=object)
        for number, position in enumerate(np.ndindex(*numbers.shape)):
            symbols[position] = Slot(number) if draw.random() < 0.5 else float(numbers[position])
        operator = draw.choice(OPERATORS)
        found = value(f"x {operator} y", x=symbols[0], y=symbols[1])
        expected = numbers[0] @ numbers[1] if operator == "*" else functions[operator](numbers[0], numbers[1])
        np.testing.assert_allclose(np.array(at(found, list(numbers.flat)), dtype=float), expected, rtol=1e-13)
