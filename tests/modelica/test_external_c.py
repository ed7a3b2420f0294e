"""External C functions of users: scalars, arrays, strings, outputs by pointer, external objects, errors."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

import tellegen as tg

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler is installed")

TEXT = r"""
package Code
  function squared
    input Real x;
    output Real y;
    external "C" y = squared(x) annotation(Include = "double squared(double x) { return x*x; }");
  end squared;

  function parts "two results by pointer, an array in, an array of Integers out"
    input Real a[:];
    input Integer n;
    output Real total;
    output Integer signs[3];
    external "C" parts(a, size(a, 1), n, total, signs) annotation(Include = "
#include \"ModelicaUtilities.h\"
void parts(double *a, size_t count, int n, double *total, int *signs) {
  if (n < 0) ModelicaFormatError(\"n is %d\", n);
  *total = 0;
  for (size_t k = 0; k < count; k++) { *total += n*a[k]; signs[k] = a[k] < 0 ? -1 : 1; }
}");
  end parts;

  function length
    input String text;
    output Integer n;
    external "C" n = length_of(text) annotation(Include = "
#include <string.h>
int length_of(const char *text) { return (int)strlen(text); }");
  end length;

  function next "the number of the call"
    output Real n;
    external "C" n = next() annotation(Include = "double next(void) { static double n = 0; return n += 1; }");
  end next;

  impure function read
    input Real x;
    output Real y;
    external "C" y = read_it(x)
      annotation(Include = "double read_it(double x) { static double n = 0; return x + (n += 1); }");
  end read;

  pure function fixed
    output Real y;
    external "C" y = fixed() annotation(Include = "double fixed(void) { static double n = 0; return n += 1; }");
  end fixed;

  model Counting
    discrete Real plain(start = 0, fixed = true);
    discrete Real impure_(start = 0, fixed = true);
    discrete Real pure_(start = 0, fixed = true);
  equation
    when sample(0, 0.1) then
      plain = next();
      impure_ = read(1.0);
      pure_ = fixed();
    end when;
  end Counting;

  function isLarge
    input Real x;
    input Boolean strict;
    output Boolean large;
    external "C" large = is_large(x, strict) annotation(Include = "
int is_large(double x, int strict) { return strict ? x > 2 : x >= 2; }");
  end isLarge;

  class Counter "an object that counts the numbers it was made of"
    extends ExternalObject;
    function constructor
      input Real values[:];
      input String name;
      output Counter counter;
      external "C" counter = make_counter(values, size(values, 1), name) annotation(Include = "#include \"counter.h\"");
    end constructor;
    function destructor
      input Counter counter;
      external "C" free_counter(counter) annotation(Include = "#include \"counter.h\"");
    end destructor;
  end Counter;

  function mean
    input Counter counter;
    input Real scale;
    output Real y;
    external "C" y = mean_of(counter, scale) annotation(Include = "#include \"counter.h\"");
  end mean;

  model Scalars
    Real x(start = 1, fixed = true);
    Real y = squared(x);
    constant Real nine = squared(3);
    parameter Integer n = length("four\"\n");
    Real large = if isLarge(x, true) then 1 else 0;
    parameter Boolean largeAtTwo = isLarge(2, false);
  equation
    assert(n == 6 and nine == 9 and largeAtTwo, "known arguments");
    der(x) = -squared(x);
  end Scalars;

  model Arrays
    Real total;
    Real u = time;
    Real signs[3];
    parameter Real known = parts({1, -2, 3}, 2);
  equation
    (total, signs) = parts({u, -u, 5}, 2);
  end Arrays;

  model Objects
    Counter counter = Counter({1, 2, 6}, "a");
    Counter other = Counter({10}, "b");
    Real y = mean(counter, time) + mean(other, 1);
  end Objects;

  model Wrong
    parameter Real y = parts({1}, -7);
  end Wrong;

  model NotC
    function f
      input Real x;
      output Real y;
      external "C" y = f(x) annotation(Include = "double f(double x) { return undeclared; }");
    end f;
    Real y = f(time);
  end NotC;

  model Fortran
    function f
      input Real x;
      output Real y;
      external "FORTRAN 77" y = f(x);
    end f;
    Real y = f(time);
  end Fortran;
end Code;
"""
COUNTER = """
#ifndef COUNTER_H
#define COUNTER_H
#include <stdlib.h>
typedef struct { double sum; int count; } Counter;
static void *make_counter(const double *values, size_t count, const char *name) {
  Counter *made = malloc(sizeof(Counter));
  made->sum = name[0] == 'a' || name[0] == 'b' ? 0 : 1e9;
  made->count = (int)count;
  for (size_t k = 0; k < count; k++) made->sum += values[k];
  return made;
}
static void free_counter(void *counter) { free(counter); }
static double mean_of(void *counter, double scale) { Counter *c = counter; return scale*c->sum/c->count; }
#endif
"""


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> tg.ModelicaLibrary:
    folder = tmp_path_factory.mktemp("code")
    (folder / "counter.h").write_text(COUNTER)
    file = folder / "Code.mo"
    file.write_text(TEXT)
    return tg.load_modelica(file)


def test_scalars_by_value(code: tg.ModelicaLibrary) -> None:
    solution = tg.simulate(code["Code.Scalars"], stop=1.0, rtol=1e-9)
    assert solution["x"][-1] == pytest.approx(0.5, rel=1e-7)  # der(x) = -x^2 from 1: 1/(1 + t)
    np.testing.assert_allclose(solution["y"], solution["x"] ** 2, rtol=1e-12)
    assert not np.any(solution["large"])


def test_arrays_and_outputs_by_pointer(code: tg.ModelicaLibrary) -> None:
    solution = tg.simulate(code["Code.Arrays"], stop=1.0)
    assert solution["known"] == pytest.approx(4.0)
    np.testing.assert_allclose(solution["total"], 10.0)
    assert solution["signs[2]"][-1] == -1.0
    assert solution["signs[3]"][-1] == 1.0


def test_external_objects_are_separate(code: tg.ModelicaLibrary) -> None:
    solution = tg.simulate(code["Code.Objects"], stop=2.0)
    np.testing.assert_allclose(solution["y"], 3.0 * solution.time + 10.0)


def test_code_that_is_not_pure_is_called_at_each_event(code: tg.ModelicaLibrary) -> None:
    """Functions without `pure` count as well (MLS 12.3); a call whose arguments are known was made once, for all."""
    solution = tg.simulate(code["Code.Counting"], stop=0.35)
    assert sorted(set(np.diff(np.unique(solution["plain"])))) == [1.0]
    assert len(np.unique(solution["impure_"])) == 5
    assert len(np.unique(solution["pure_"])) == 2  # the start value, and that of the one call


def test_errors_reported_by_the_code(code: tg.ModelicaLibrary) -> None:
    with pytest.raises(tg.TellegenError, match="E574: the external function parts reports: n is -7"):
        _ = code["Code.Wrong"].model


def test_code_that_does_not_compile(code: tg.ModelicaLibrary) -> None:
    with pytest.raises(tg.TellegenError, match="E193") as caught:
        tg.simulate(code["Code.NotC"], stop=1.0)
    assert "undeclared" in str(caught.value)


def test_other_languages_are_refused(code: tg.ModelicaLibrary) -> None:
    with pytest.raises(tg.TellegenError, match=r"E575: .* its language is FORTRAN 77"):
        _ = code["Code.Fortran"].model


def test_advice_without_a_compiler(code: tg.ModelicaLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(tg.TellegenError, match=r"E194: .*no C compiler was found"):
        tg.simulate(code["Code.Scalars"], stop=1.0)


def test_several_libraries_in_one_annotation_are_read() -> None:
    from tellegen.frontends.modelica.evaluation.external.user_code import _strings
    from tellegen.frontends.modelica.syntax.expressions import ArrayConstructor, Text

    assert _strings(ArrayConstructor((Text("m"), Text("dl")), 0)) == ["m", "dl"]
