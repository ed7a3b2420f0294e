"""Functions that cannot be inlined: interpreted = evaluated kernel = native code, with derivatives."""

from __future__ import annotations

import ctypes
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from modelica_texts import views_of
from tellegen.engine.native.kernel_rows import kernel_rows
from tellegen.engine.native.user_functions import Callback
from tellegen.frontends.modelica.evaluation.class_scope import ClassScope
from tellegen.frontends.modelica.evaluation.evaluate import evaluate
from tellegen.frontends.modelica.syntax.parser import parse_expression
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.frontends.modelica.values.value import Value
from tellegen.ir.expressions.expr import Apply, Const, Function, Slot
from tellegen.ir.program import Pointer
from tellegen.symbolic.evaluate import evaluate as number_of
from tellegen.symbolic.kernels.derivative import is_differentiable
from tellegen.symbolic.kernels.kernel import Kernel
from tellegen.symbolic.slope import slope

TEXT = """
package Q
  function doubled "its declarations count as they are at the start"
    input Real x;
    output Real y;
  protected
    Real n = x;
    Real m = 2*n;
  algorithm
    n := 7*x;
    y := m;
  end doubled;
  function doubled_natively
    input Real x;
    output Real y;
  protected
    Real n = x;
    Real m = 2*n;
  algorithm
    n := 7*x;
    while n > 1e9 loop
      n := n/2;
    end while;
    y := m;
  end doubled_natively;
  function root
    input Real a;
    input Real tolerance = 1e-12;
    output Real x;
    output Integer n;
  protected
    Real d;
  algorithm
    x := a;
    n := 0;
    d := 1;
    while abs(d) > tolerance and n < 100 loop
      d := (x*x - a)/(2*x);
      x := x - d;
      n := n + 1;
      if n > 50 then
        break;
      end if;
    end while;
  end root;
  function interpolated
    input Real u;
    output Real y;
  protected
    Real x[:] = {0, 1, 2, 4};
    Real v[:] = {1, 3, 2, 5};
    Integer i;
  algorithm
    i := 1;
    while i < 3 and u > x[i + 1] loop
      i := i + 1;
    end while;
    y := v[i] + (v[i + 1] - v[i])*(u - x[i])/(x[i + 1] - x[i]);
  end interpolated;
  function series
    input Integer n;
    input Real x;
    output Real s;
  algorithm
    s := 0;
    for i in 1:n loop
      if i > 5 then
        return;
      end if;
      s := s + x^i/i;
    end for;
  end series;
  function branched
    input Real x;
    output Real y;
  algorithm
    y := if x > 1 then root(x) else 2*root(2 - x);
  end branched;
  function bisected "function as argument"
    input Map f;
    input Real low;
    input Real high;
    output Real x;
  protected
    Real a = low;
    Real b = high;
    Real h;
  algorithm
    while b - a > 1e-13 loop
      h := (a + b)/2;
      if f(h) > 0 then
        b := h;
      else
        a := h;
      end if;
    end while;
    x := (a + b)/2;
  end bisected;
  partial function Map
    input Real x;
    output Real y;
  end Map;
  function cubic
    extends Map;
    input Real c;
  algorithm
    y := x^3 - c;
  end cubic;
  record State
    Real p;
    Real T;
  end State;
  function of_record
    input State state;
    output State result;
  algorithm
    result := state;
    while result.p > 1 loop
      result.p := result.p/2;
      result.T := result.T + state.T*result.p;
    end while;
  end of_record;
  function moved "an array in a loop, element by a varying index"
    input Real u[3];
    input Real stop;
    output Real y[3];
  protected
    Integer k = 1;
    Real t = 0;
  algorithm
    y := u;
    while t < stop loop
      y[k] := y[k] + t*u[1];
      k := mod(k, 3) + 1;
      t := t + 0.25;
    end while;
  end moved;
  function annotated
    input Real x;
    input Real p;
    output Real y;
  protected
    Real k = 0;
  algorithm
    y := 0;
    while k < p loop
      y := y + x^2;
      k := k + 1;
    end while;
    annotation (derivative(noDerivative=p)=annotated_der);
  end annotated;
  function annotated_der
    input Real x;
    input Real p;
    input Real dx;
    output Real dy;
  algorithm
    dy := 100*dx;
  end annotated_der;
  function endless
    input Real x;
    output Real y = 0;
  algorithm
    while x > 0 loop
      y := y + 1;
    end while;
  end endless;
end Q;
"""
SCOPE = ClassScope(views_of(TEXT).named("Q"))
CASES: dict[str, tuple[float, float]] = {
    "root(s)": (0.5, 9.0),
    "interpolated(s)": (-1.0, 5.0),
    "series(integer(7*s), s + 1)": (-0.9, 1.0),
    "branched(s)": (-3.0, 4.0),
    "of_record(State(s, t)).T": (0.5, 20.0),
    "moved({s, 2*s, 3}, t)[2]": (-2.0, 2.0),
}


def value(expression: str, **names: Value) -> Value:
    """An expression in the text of Q."""
    scope = SCOPE.with_locals({"s": Slot(0), "t": Slot(1), **names})
    return evaluate(parse_expression(SourceFile("test", expression)), scope)


def native(function: Function, arity: int) -> tuple[Callback, Callable[..., list[float]]]:
    """The compiled function; the first of the two keeps its code."""
    kept = Callback(Pointer(function, arity))
    numbers = [ctypes.c_double] * arity
    if function.outputs == 1:
        one = ctypes.CFUNCTYPE(ctypes.c_double, *numbers)(kept.address)
        return kept, lambda *given: [one(*given)]
    several = ctypes.CFUNCTYPE(None, *numbers, ctypes.c_void_p)(kept.address)

    def call(*given: float) -> list[float]:
        results = (ctypes.c_double * function.outputs)()
        several(*given, ctypes.addressof(results))
        return list(results)

    return kept, call


@pytest.mark.parametrize("text", CASES)
def test_native_is_interpreted(text: str) -> None:
    """Values to rounding; derivatives against central differences, whose error is about 1e-8."""
    call = value(text)
    assert isinstance(call, Apply)
    assert isinstance(call.function.callable, Kernel)
    arity = len(call.args)
    kept, compiled = native(call.function, arity)
    slopes = [slope(call, k) for k in range(arity)]
    assert all(isinstance(each, Apply) for each in slopes)
    kept_too, derivatives = native(slopes[0].function, arity)  # type: ignore[attr-defined]
    draw = np.random.default_rng(len(text))
    low, high = CASES[text]
    for _ in range(12):
        s, t = draw.uniform(low, high), float(draw.integers(0, 9)) + 0.3
        plain: Any = value(text, s=s, t=t)
        given = [float(number_of(arg, [s, t])) for arg in call.args]
        found = compiled(*given)
        kernel = np.ravel(call.function.callable(*given))
        np.testing.assert_allclose([found[call.output], kernel[call.output]], plain, rtol=1e-12)
        found = derivatives(*given)
        for k, each in enumerate(slopes):
            if given[k] == int(given[k]):
                continue  # an Integer
            step = 1e-6
            sides = [[*given[:k], given[k] + sign * step, *given[k + 1 :]] for sign in (1, -1)]
            ahead, back = (compiled(*side)[call.output] for side in sides)
            np.testing.assert_allclose(found[each.output], (ahead - back) / (2 * step), rtol=1e-6, atol=1e-6)  # type: ignore[attr-defined]
    assert kept
    assert kept_too


def test_a_loop_that_decides_by_what_varies_has_difference_quotients() -> None:
    """The tangents of a bisection are not the derivative of its root."""
    call = value("bisected(function cubic(c=s + 2), 0, 3)")
    assert isinstance(call, Apply)
    assert isinstance(call.function.callable, Kernel)
    assert not is_differentiable(call.function.callable)
    assert number_of(call, [6.0]) == pytest.approx(2.0, rel=1e-12)
    by_constant = next(k for k, arg in enumerate(call.args) if not isinstance(arg, Const))
    assert number_of(slope(call, by_constant), [6.0]) == pytest.approx(1 / 12, rel=1e-6)


def test_second_derivatives_of_a_kernel() -> None:
    """d2 sqrt(a)/da2 through the loop of Newton's method."""
    call = value("root(s)")
    assert isinstance(call, Apply)
    second = slope(slope(call, 0), 0)  # type: ignore[arg-type]
    assert number_of(second, [4.0]) == pytest.approx(-0.25 * 4.0**-1.5, rel=1e-9)


def test_the_derivative_annotation_counts() -> None:
    call = value("annotated(s, t)")
    assert isinstance(call, Apply)
    assert number_of(slope(call, 0), [3.0, 2.5]) == 100.0
    assert number_of(slope(call, 1), [3.0, 2.5]) == 0.0


@pytest.mark.parametrize("name", ["doubled", "doubled_natively"])
def test_declarations_are_evaluated_before_the_body(name: str) -> None:
    """m = 2*n is not changed by what n becomes later (MLS 12.4.4): interpreted and compiled."""
    assert value(f"{name}(3.0)") == 6.0
    assert number_of(value(f"{name}(s)"), [3.0]) == 6.0  # type: ignore[arg-type]


def test_the_same_function_serves_all_calls() -> None:
    first, second = value("root(s)"), value("root(2*t)")
    assert isinstance(first, Apply)
    assert isinstance(second, Apply)
    assert first.function is second.function


def test_an_endless_loop_ends_in_nan() -> None:
    call = value("endless(s)")
    assert isinstance(call, Apply)
    kept, compiled = native(call.function, 1)
    assert np.isnan(compiled(1.0)[0])
    assert compiled(-1.0) == [0.0]
    assert kept


@pytest.mark.parametrize("text", ["root(s)", "interpolated(s)"])
def test_many_rows_are_called_in_one_loop(text: str) -> None:
    """As each row is by itself; columns that are the same for all rows are broadcast."""
    call = value(text)
    assert isinstance(call, Apply)
    assert isinstance(call.function.callable, Kernel)
    column = np.linspace(0.5, 9.0, 40)[:, None]
    columns = [np.broadcast_to(number_of(arg, [column, 0.0]), column.shape) for arg in call.args]
    found = kernel_rows(call.function.callable, columns)
    one_by_one = [np.ravel(call.function.callable(*row)) for row in np.concatenate(columns, axis=1)]
    np.testing.assert_allclose(found[:, 0], one_by_one, rtol=1e-14)


def test_kernels_go_to_other_processes() -> None:
    call = value("root(s)")
    assert isinstance(call, Apply)
    copy = pickle.loads(pickle.dumps(call))
    assert number_of(copy, [9.0]) == 3.0
    assert number_of(slope(copy, 0), [9.0]) == pytest.approx(1 / 6)
