"""The kernels of the engine: they are sound, and what they approximate is as near as they say."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.polynomial import Chebyshev, Polynomial

from tellegen.engine.runtime import entry_points
from tellegen.engine.runtime.coefficients import approximate_log_pow
from tellegen.procedures.check import mistakes
from tellegen.procedures.evaluate import evaluate
from tellegen.procedures.load import load

UNITS = {"ida": entry_points.IDA, "ode": entry_points.ODE, "blocks": entry_points.BLOCKS, "pivots": entry_points.PIVOTS}
UNITS |= {
    "cvode": entry_points.CVODE,
    "rodas": entry_points.RODAS,
    "events": entry_points.EVENTS,
    "watch": entry_points.WATCH,
}
UNITS["initial"] = entry_points.INITIAL


@pytest.mark.parametrize("name", UNITS)
def test_kernels_are_sound(name: str) -> None:
    found = [str(mistake) for mistake in mistakes(load(*UNITS[name]))]
    assert not found, "\n".join(found)


def test_coefficients_of_the_approximations() -> None:
    log2: Any = Chebyshev.interpolate(np.log2, 3, domain=[1.0, 2.0]).convert(kind=Polynomial).coef
    exp2: Any = Chebyshev.interpolate(np.exp2, 2, domain=[0.0, 1.0]).convert(kind=Polynomial).coef
    np.testing.assert_allclose(approximate_log_pow.LOG2, log2, rtol=1e-13)
    np.testing.assert_allclose(approximate_log_pow.EXP2, exp2, rtol=1e-13)


@pytest.mark.parametrize("x", [1e-300, 1e-9, 0.3, 1.0, 1.999, 7.0, 1e200])
def test_logarithm_and_power(x: float) -> None:
    unit = load(approximate_log_pow.log2, approximate_log_pow.exp2)
    assert evaluate(unit, "log2", x) == pytest.approx(math.log2(x), abs=2e-3)
    if abs(math.log2(x)) < 990.0:
        assert evaluate(unit, "exp2", math.log2(x)) == pytest.approx(x, rel=3e-3)


def test_a_sparse_solution_by_evaluation() -> None:
    """The reference runs the kernel on NumPy arrays: L and U of a matrix of two rows."""
    from types import SimpleNamespace

    from tellegen.engine.runtime.algebra.sparse_lu import lu_factor, lu_solve

    def ints(*numbers: int) -> np.ndarray:
        return np.array(numbers, np.int32)

    a = np.array([[4.0, 1.0], [2.0, 3.0]])
    lu = SimpleNamespace(size=2, a_start=ints(0, 2, 4), a_row=ints(0, 1, 0, 1), a_from=ints(0, 1, 2, 3))
    lu.l_start, lu.l_row, lu.l_value = ints(0, 1, 1), ints(1), np.zeros(1)
    lu.u_start, lu.u_row, lu.u_value = ints(0, 0, 1), ints(0), np.zeros(1)
    lu.diagonal, lu.work, lu.rhs = np.zeros(2), np.zeros(2), np.zeros(2)
    lu.row_position, lu.column_of, lu.factorizations, lu.solves = ints(0, 1), ints(0, 1), 0, 0
    lu.row_weight = np.ones(2)
    unit = load(lu_factor, lu_solve)
    assert evaluate(unit, "lu_factor", lu, a.T.ravel().copy()) == 0
    x = np.array([1.0, -2.0])
    evaluate(unit, "lu_solve", lu, x)
    np.testing.assert_allclose(a @ x, [1.0, -2.0], rtol=1e-14)
    assert evaluate(unit, "lu_factor", lu, np.array([0.0, 2.0, 1.0, 3.0])) == 1


def test_delayed_signals_by_evaluation() -> None:
    """Between notes a polynomial of order 4 is reproduced; a jump is not interpolated across."""
    from types import SimpleNamespace

    from tellegen.engine.runtime.events.past.delay_lines import event_fill

    time = np.array([0.0, 0.1, 0.3, 0.6, 1.0, 1.0, 1.5])
    value = np.array([*(t**4 - 2.0 * t for t in time[:5]), 7.0, 7.0])
    ev = SimpleNamespace(note_time=time, note_value=value, note_count=len(time), segment_start=0.0)
    ev.delay_count, ev.delay_index, ev.p = 1, np.array([0], np.int32), np.zeros(1)
    ev.varying_count, ev.note_width, ev.delay_kind = 0, 1, np.array([0], np.int32)
    ev.note_column, ev.delay_number = np.array([0], np.int32), np.array([0], np.int32)
    ev.delayed = np.array([0.0, 2.0])
    unit = load(event_fill)
    for past, expected in ((0.45, 0.45**4 - 0.9), (0.95, 0.95**4 - 1.9), (1.2, 7.0), (-0.5, 0.0)):
        evaluate(unit, "event_fill", ev, 2.0 + past)
        assert ev.p[0] == pytest.approx(expected, rel=1e-13)
