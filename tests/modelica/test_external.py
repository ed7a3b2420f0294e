"""External functions of the Modelica library: random numbers, linear algebra, strings, files, calls at run time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from modelica_texts import views_of
from tellegen import ModelicaError
from tellegen.frontends.modelica.evaluation.class_scope import ClassScope
from tellegen.frontends.modelica.evaluation.evaluate import evaluate_results
from tellegen.frontends.modelica.evaluation.external.functions_by_name import FUNCTIONS
from tellegen.frontends.modelica.evaluation.external.served import Outcome
from tellegen.frontends.modelica.instances.instantiate import instantiate
from tellegen.frontends.modelica.syntax.parser import parse_expression
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.frontends.modelica.values.value import Value
from tellegen.ir.expressions.expr import Apply, Slot
from tellegen.symbolic.evaluate import evaluate as number_of


def called(name: str, *arguments: object) -> dict[int, object]:
    """What a C function writes to its arguments."""
    found = FUNCTIONS[name].function(*arguments)
    assert isinstance(found, Outcome)
    return dict(found.arguments)


def as_words(state: np.ndarray) -> np.ndarray:
    return np.asarray(state, np.int64).astype(np.int32).view(np.uint64)


@np.errstate(over="ignore")
def expected_128(words: np.ndarray) -> tuple[np.ndarray, float]:
    """xorshift128+ in the arithmetic of NumPy's unsigned integers."""
    first, second = words
    first = first ^ (first << np.uint64(23))
    last = (first ^ second ^ (first >> np.uint64(17)) ^ (second >> np.uint64(26))) + second
    return np.array([second, last]), float(last.astype(np.int64)) * 2.0**-64 + 0.5


@np.errstate(over="ignore")
def expected_64(words: np.ndarray) -> tuple[np.ndarray, float]:
    """xorshift64*."""
    x = words[0]
    x = x ^ (x >> np.uint64(12))
    x = x ^ (x << np.uint64(25))
    x = (x ^ (x >> np.uint64(27))) * np.uint64(2685821657736338717)
    return np.array([x]), float(x.astype(np.int64)) * 2.0**-64 + 0.5


@pytest.mark.parametrize(
    ("name", "size", "expected"), [("xorshift64star", 2, expected_64), ("xorshift128plus", 4, expected_128)]
)
def test_random_numbers(name: str, size: int, expected: object) -> None:
    state = np.random.default_rng(5).integers(-(2**31), 2**31, size)
    for _ in range(50):
        found = called(f"ModelicaRandom_{name}", state, state, 0.0)
        words, number = expected(as_words(state))  # type: ignore[operator]
        assert (as_words(found[1]) == words).all()  # type: ignore[arg-type]
        assert found[2] == number
        state = np.asarray(found[1])


def test_the_long_generator_is_uniform() -> None:
    state = np.append(np.random.default_rng(6).integers(-(2**31), 2**31, 32), 0)
    numbers = []
    for _ in range(4000):
        found = called("ModelicaRandom_xorshift1024star", state, state, 0.0)
        state = np.asarray(found[1])
        numbers.append(found[2])
    assert np.mean(numbers) == pytest.approx(0.5, abs=5 / np.sqrt(12 * 4000))  # five standard deviations
    assert np.std(numbers) == pytest.approx(1 / np.sqrt(12), abs=0.01)
    assert 0 <= min(numbers) < max(numbers) <= 1


A = np.random.default_rng(1).normal(size=(4, 4))
B = np.random.default_rng(2).normal(size=(4, 2))


def test_linear_systems() -> None:
    assert called("dgesv", 4, 2, A, 4, None, B, 4, 0)[5] == pytest.approx(np.linalg.solve(A, B))
    assert called("dgesv", 4, 1, A, 4, None, B[:, 0], 4, 0)[5] == pytest.approx(np.linalg.solve(A, B[:, 0]))
    factors = called("dgetrf", 4, 4, A, 4, None, 0)
    assert called("dgetrs", "N", 4, 2, factors[2], 4, factors[4], B, 4, 0)[6] == pytest.approx(np.linalg.solve(A, B))
    assert called("dgetri", 4, factors[2], 4, factors[4], None, 0, 0)[1] == pytest.approx(np.linalg.inv(A))
    tall = np.vstack([A, 2 * A[:1]])
    right = np.arange(5.0)
    least = called("dgelsy", 5, 4, 1, tall, 5, right, 5, None, 1e-9, 0, None, 0, 0)
    assert np.asarray(least[5])[:4] == pytest.approx(np.linalg.lstsq(tall, right)[0])
    assert called("dgels", "N", 5, 4, 1, tall, 5, right, 5, None, 0, 0)[6][:4] == pytest.approx(  # type: ignore[index]
        np.linalg.lstsq(tall, right)[0]
    )


def test_factorizations() -> None:
    eigen = called("dgeev", "N", "V", 4, A, 4, None, None, None, 1, None, 4, None, 0, 0)
    values = np.asarray(eigen[5]) + 1j * np.asarray(eigen[6])
    assert np.sort_complex(values) == pytest.approx(np.sort_complex(np.linalg.eigvals(A)))
    singular = called("dgesvd", "A", "A", 4, 4, A, 4, None, None, 4, None, 4, None, 0, 0)
    assert np.asarray(singular[7]) @ np.diag(singular[6]) @ singular[9] == pytest.approx(A)  # type: ignore[arg-type]
    symmetric = A @ A.T + np.eye(4)
    lower = np.tril(np.asarray(called("dpotrf", "L", 4, symmetric, 4, 0)[2]))
    assert lower @ lower.T == pytest.approx(symmetric)
    pivoted = called("dgeqp3", 4, 4, A, 4, None, None, None, 0, 0)
    q = called("dorgqr", 4, 4, 4, pivoted[2], 4, pivoted[5], None, 0, 0)[3]
    order = np.asarray(pivoted[4], int) - 1
    assert np.asarray(q) @ np.triu(np.asarray(pivoted[2])) == pytest.approx(A[:, order])
    assert FUNCTIONS["dlange"].function("1", 4, 4, A, 4, None) == pytest.approx(np.linalg.norm(A, 1))


def test_fourier_transform() -> None:
    u = np.random.default_rng(3).normal(size=16)
    found = FUNCTIONS["ModelicaFFT_kiss_fftr"].function(u, 16, None, 0, None, None)
    assert isinstance(found, Outcome)
    assert found.result == 0
    assert found.arguments[4] * 9 * np.exp(1j * found.arguments[5]) == pytest.approx(np.fft.fft(u)[:9])
    assert FUNCTIONS["ModelicaFFT_kiss_fftr"].function(u[:15], 15, None, 0, None, None) == Outcome(1)


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("scanReal", ("  -1.5e3x", 1, False), {3: 9, 4: -1500.0}),
        ("scanReal", ("-1", 1, True), {3: 1, 4: 0.0}),
        ("scanInteger", ("ab 12,", 3, False), {3: 6, 4: 12}),
        ("scanInteger", ("1.5", 1, False), {3: 1, 4: 0}),
        ("scanString", (' "a b" c', 1), {2: 7, 3: "a b"}),
        ("scanIdentifier", (" a1_b+2", 1), {2: 6, 3: "a1_b"}),
    ],
)
def test_scanning(name: str, arguments: tuple[object, ...], expected: dict[int, object]) -> None:
    assert called(f"ModelicaStrings_{name}", *arguments) == expected


TEXT = """
package P
  function random
    input Integer state_in[4];
    output Real r;
    output Integer state_out[4];
    external "C" ModelicaRandom_xorshift128plus(state_in, state_out, r);
  end random;
  function solve
    input Real A[:, size(A, 1)];
    input Real b[size(A, 1)];
    output Real x[size(A, 1)] = b;
    output Integer info;
  protected
    Integer n = size(A, 1);
    Real work[size(A, 1), size(A, 1)] = A;
    Integer pivots[size(A, 1)];
    external "FORTRAN 77" dgesv(n, 1, work, n, pivots, x, n, info);
  end solve;
  function line
    input String name;
    input Integer number;
    output String text;
    output Boolean is_end;
    external "C" text = ModelicaInternal_readLine(name, number, is_end);
  end line;
  function length
    input String s;
    output Integer n;
    external "C" n = ModelicaStrings_length(s);
  end length;
  function unknown
    external "C" formats_the_disk();
  end unknown;
end P;
"""
VIEWS = views_of(TEXT)


def results(text: str, **names: Value) -> tuple[Value, ...]:
    scope = ClassScope(VIEWS.named("P")).with_locals(names)
    return evaluate_results(parse_expression(SourceFile("<text>", text)), scope)


def test_results_by_arguments() -> None:
    state = np.array([1, -2, 3, 4])
    words, number = expected_128(as_words(state))
    r, after = results("random({1, -2, 3, 4})")
    assert r == number
    assert isinstance(after, np.ndarray)
    assert (as_words(after.astype(int)) == words).all()
    assert all(type(part) is int for part in after)
    x, info = results("solve([2, 0; 0, 4], {2, 8})")
    assert list(x) == [1.0, 2.0]  # type: ignore[arg-type]
    assert info == 0


def test_lines_of_files(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("one\ntwo\n", encoding="utf-8")
    assert results(f'line("{file}", 2)') == ("two", False)
    assert results(f'line("{file}", 3)') == ("", True)
    assert results('length("abc")') == (3,)


def test_calls_at_run_time() -> None:
    """Arguments that vary: the function is called with numbers, its results by name of the function and position."""
    x, _ = results("solve([a, 0; 0, 4], {2, b})", a=Slot(0), b=Slot(1))
    assert isinstance(x, np.ndarray)
    assert all(isinstance(part, Apply) for part in x)
    assert [float(number_of(part, {0: 5.0, 1: 8.0})) for part in x] == pytest.approx([0.4, 2.0])
    again, _ = results("solve([a, 0; 0, 4], {2, b})", a=Slot(0), b=Slot(1))
    assert isinstance(again, np.ndarray)
    assert again[0] == x[0]  # equal calls are equal, so that components share their code


def test_functions_that_are_not_there() -> None:
    with pytest.raises(ModelicaError, match=r"E575.*formats_the_disk of P\.unknown"):
        results("unknown()")


def test_the_name_of_an_instance() -> None:
    text = """
    package Lib
      model Part  parameter String name = getInstanceName(); end Part;
      model Vehicle  Part engine; Whole whole; parameter String name = getInstanceName(); end Vehicle;
      model Whole  Part controller[2]; end Whole;
    end Lib;
    """
    root = instantiate(views_of(text).named("Lib.Vehicle"))
    found = {variable.path: variable.value() for variable in root.all_variables()}
    assert found["name"] == "Vehicle"
    assert found["engine.name"] == "Vehicle.engine"
    assert found["whole.controller[2].name"] == "Vehicle.whole.controller[2]"
