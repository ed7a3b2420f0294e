"""The same procedure read, printed, evaluated, compiled, and called as the Python function that it is."""

from __future__ import annotations

import ctypes
import math
from types import SimpleNamespace
from typing import Any, get_args

import numpy as np
import pytest

from golden import check_golden
from procedures import samples
from procedures.native import Compiled, Words
from tellegen.ir.procedure import OPERATIONS, Expr, Statement
from tellegen.procedures.check import check
from tellegen.procedures.evaluate import evaluate
from tellegen.procedures.load import load
from tellegen.procedures.lower import lower
from tellegen.procedures.show import show_unit

ENTRIES = (samples.advance, samples.collatz, samples.last_below, samples.gather, samples.mixed)


@pytest.fixture(scope="module")
def unit() -> Any:
    return load(*ENTRIES)


@pytest.fixture(scope="module", params=[1, 2])
def compiled(unit: Any, request: Any) -> Compiled:
    return Compiled(unit, request.param)


def test_the_language_is_small() -> None:
    """What a new printer has to know. Add something only if nothing that is there can express it."""
    assert len(get_args(Expr)) == 9
    assert len(get_args(Statement)) == 9
    assert len(OPERATIONS) == 49


def test_text(unit: Any) -> None:
    check(unit)
    check_golden("procedures/samples", show_unit(unit))


def test_llvm_text(unit: Any) -> None:
    check_golden("procedures/samples_llvm", lower(unit, 1).text)


def test_only_entries_are_seen_from_outside(unit: Any) -> None:
    text = lower(unit, 1).text
    assert "define internal double @samples.norm(" in text
    assert "define i32 @advance(" in text


@pytest.mark.parametrize(("start", "most"), [(1, 10), (27, 1000), (27, 20), (2**62 + 1, 50)])
def test_loops(unit: Any, compiled: Compiled, start: int, most: int) -> None:
    expected = evaluate(unit, "collatz", start, most)
    assert compiled.collatz(start, most) == expected
    if start < 100:
        assert samples.collatz(start, most) == expected


def test_a_counter_becomes_a_local() -> None:
    unit = load(samples.reused)
    check(unit)
    assert evaluate(unit, "reused", 5) == samples.reused(5) == 115
    assert Compiled(unit).reused(5) == 115


@pytest.mark.parametrize("limit", [-1.0, 2.5, 9.0, math.nan])
def test_counting_down(unit: Any, compiled: Compiled, limit: float) -> None:
    x: Any = np.array([1.0, 2.0, 3.0, 2.0, 5.0])
    expected = samples.last_below(x, 5, limit)
    assert evaluate(unit, "last_below", x, 5, limit) == expected
    assert compiled.last_below(x, 5, limit) == expected


@pytest.mark.parametrize(("a", "k"), [(3.7, 5), (-2.5, 3), (1e200, -9), (0.0, 0)])
def test_conversions(unit: Any, compiled: Compiled, a: float, k: int) -> None:
    expected = samples.mixed(a, k)
    assert evaluate(unit, "mixed", a, k) == pytest.approx(expected, rel=1e-15)
    assert compiled.mixed(a, k) == pytest.approx(expected, rel=1e-15)


RATE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p)


@pytest.mark.parametrize(("h", "bad"), [(0.1, 0.0), (0.1, math.nan), (-1.0, 0.0), (math.inf, 0.0)])
def test_records_and_function_pointers(unit: Any, compiled: Compiled, h: float, bad: float) -> None:
    def rate(t: float, x: Any, out: Any) -> int:
        for k in range(3):
            out[k] = bad - (k + 1) * x[k] + t
        return 0

    def native_rate(t: float, x: int, out: int) -> int:
        read, write = (ctypes.cast(address, ctypes.POINTER(ctypes.c_double)) for address in (x, out))
        return rate(t, read, write)

    fields: dict[str, Any] = {"count": 3, "index": None, "points": None, "t": 0.5, "failed": False, "handle": None}
    run = SimpleNamespace(**fields, x=np.array([1.0, 2.0, 3.0]), rate=rate, parent=None)
    flag = evaluate(unit, "advance", run, h)
    names = ("count", "x", "index", "points", "t", "failed", "handle", "rate", "parent")
    fields |= {"x": np.array([1.0, 2.0, 3.0]), "rate": RATE(native_rate), "parent": None}
    words = Words(**{name: fields[name] for name in names})
    assert compiled.advance(words, h) == flag
    assert flag == (samples.Flag.DONE if h == 0.1 and bad == 0.0 else samples.Flag.FAILED)
    np.testing.assert_allclose(fields["x"], run.x, rtol=1e-15)
    assert words.double("t") == run.t
    assert bool(words["failed"]) == run.failed


def test_arrays_of_records(unit: Any, compiled: Compiled) -> None:
    x, index = np.array([1.0, 2.0, 4.0, 8.0]), np.array([3, 0, 2, 1], np.int32)
    points = np.arange(8.0) ** 2
    objects = [SimpleNamespace(x=a, y=b) for a, b in points.reshape(4, 2)]
    run = SimpleNamespace(count=4, x=x, index=index, points=objects, parent=None)
    expected, native = np.zeros(4), np.zeros(4)
    total = evaluate(unit, "gather", run, expected)
    common: dict[str, Any] = {"count": 4, "x": x, "index": index, "points": points, "t": 2.5}
    common |= {"failed": 0, "handle": None, "rate": None}
    alone = Words(**common, parent=None)
    assert compiled.gather(alone, native) == total
    np.testing.assert_array_equal(native, expected)
    assert compiled.gather(Words(**common, parent=alone), native) == 2.5


def test_an_index_outside_is_an_error_of_the_evaluation(unit: Any) -> None:
    with pytest.raises(Exception, match="an array of 3 elements has no element 4"):
        evaluate(unit, "last_below", np.zeros(3), 5, 1.0)
