"""The integrators by evaluation: the same kernels that are compiled, run by plain Python on an oscillator.

x' = v,  v' = -x - d v,  the work vector is (x, v, x', v') and the equations are F = (x' - v, v' + x + d v)
"""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tellegen.engine.runtime.coefficients.rodas_tableau import STAGES
from tellegen.engine.runtime.one_step.one_step import rk_emit
from tellegen.engine.runtime.one_step.rk_dense_output import rk_dense
from tellegen.engine.runtime.one_step.rk_step import rk_begin, rk_run
from tellegen.engine.runtime.one_step.rodas_step import rodas_dense, rodas_run
from tellegen.procedures.evaluate import evaluate
from tellegen.procedures.load import load

DAMPING = 0.2


def exact(t: Any) -> Any:
    """The position, from 1 at rest."""
    speed = math.sqrt(1.0 - 0.25 * DAMPING**2)
    return np.exp(-0.5 * DAMPING * t) * (np.cos(speed * t) + 0.5 * DAMPING / speed * np.sin(speed * t))


def rates(_t: float, w: Any, out: Any, *_others: Any) -> None:
    out[0] = w[1]
    out[1] = -w[0] - DAMPING * w[1]


def equations(_t: float, w: Any, yp: Any, _p: Any, out: Any, _tables: Any) -> None:
    out[0] = yp[0] - w[1]
    out[1] = yp[1] + w[0] + DAMPING * w[1]


def jacobian(_t: float, by_value: float, by_rate: float, *arrays: Any) -> None:
    """Columns of a full matrix."""
    arrays[3][:] = [by_rate, by_value, -by_value, by_rate + DAMPING * by_value]


def ints(*numbers: int) -> Any:
    return np.array(numbers, np.int32)


def entry(function: Any) -> SimpleNamespace:
    return SimpleNamespace(calls=[function], count=1, tables=None)


def factors() -> SimpleNamespace:
    """LU of a full matrix of two rows, in their order."""
    lu = SimpleNamespace(size=2, factorizations=0, solves=0, dense=None, is_dense=False)
    lu.a_start, lu.a_row, lu.a_from = ints(0, 2, 4), ints(0, 1, 0, 1), ints(0, 1, 2, 3)
    lu.l_start, lu.l_row, lu.l_value = ints(0, 1, 1), ints(1), np.zeros(1)
    lu.u_start, lu.u_row, lu.u_value = ints(0, 0, 1), ints(0), np.zeros(1)
    lu.diagonal, lu.work, lu.rhs = np.zeros(2), np.zeros(2), np.zeros(2)
    lu.row_position, lu.column_of = ints(0, 1), ints(0, 1)
    lu.row_weight = np.ones(2)
    return lu


def oscillator() -> SimpleNamespace:
    ode = SimpleNamespace(
        size=2,
        row_size=2,
        keeps_states=False,
        state_count=2,
        state_index=ints(0, 1),
        w=np.zeros(4),
        parameters=np.zeros(1),
    )
    ode.residual, ode.at_root, ode.full = np.zeros(2), np.zeros(2), np.zeros(2)
    ode.steps, ode.step_count, ode.rate_steps = [SimpleNamespace(solve=None, entry=entry(rates))], 1, 1
    ode.evaluations = ode.failed_step = ode.block_failures = ode.jacobian_evaluations = ode.divisor_count = 0
    ode.event_fill = ode.event_refill = ode.events = ode.step_log = ode.projection = None
    ode.equations, ode.jacobian, ode.lu = entry(equations), entry(jacobian), factors()
    ode.by_value, ode.by_rate, ode.values, ode.pattern_count = np.zeros(4), np.zeros(4), np.zeros(4), 4
    ode.column_start, ode.row_index = ints(0, 2, 4), ints(0, 1, 0, 1)
    return ode


def new_run(tolerance: float, dense: Any) -> SimpleNamespace:
    run = SimpleNamespace(ode=oscillator(), count=2, size=2, x=np.array([1.0, 0.0]), rtol=tolerance, t=0.0, h=0.0)
    run.atol = np.full(2, tolerance)
    run.peak, run.part = np.zeros(2), np.zeros(2)
    run.trial, run.stage, run.rates = np.zeros(2), np.zeros(2), np.zeros(2)
    run.k, run.dense, run.work = np.zeros(2 * (STAGES + 1)), np.zeros(10), np.zeros(2)
    run.h_most, run.h_least, run.h_seen, run.stop, run.horizon = 10.0, 1e-12, math.inf, 3.0, 3.0
    run.times = np.linspace(0.0, 3.0, 7)
    run.first, run.last, run.output, run.most_steps = 1, 7, np.zeros(14), 1000
    run.log_error, run.stiff_steps, run.calm_steps, run.patience = 0.0, 0, 0, 0
    run.steps = run.rejected = 0
    run.is_stiff = run.suspect = False
    run.events = run.past = run.stepped = run.by_time = run.log = run.watch = None
    run.rk_dense = dense
    return run


@pytest.mark.parametrize("method", ["rk", "rodas"])
def test_an_oscillator(method: str) -> None:
    unit = load(rk_begin, rk_run, rk_dense, rk_emit, rodas_run, rodas_dense)
    found = {}
    for tolerance in (1e-4, 1e-7):
        run = new_run(tolerance, lambda record, h: evaluate(unit, f"{method}_dense", record, h))
        evaluate(unit, "rk_begin", run)
        assert evaluate(unit, f"{method}_run", run) == 0
        assert run.first == 7
        assert run.t == 3.0
        positions = run.output[2::2]
        assert np.abs(positions - exact(run.times[1:])).max() < 10.0 * tolerance
        found[tolerance] = run.steps
    assert 2.0 < found[1e-7] / found[1e-4] < 6.0  # order 5: 1000^(1/5) = 4
