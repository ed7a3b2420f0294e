"""Tables in lanes: each lane searches for its own segment, and runs are those of the scalar engine."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from ensembles.test_lanes import RTOL, both, ensemble, worst
from tellegen.engine.native.machine_code import MachineCode
from tellegen.ensembles.devices.ptx import ptx
from tellegen.ensembles.kernel import ADAPTIVE
from tellegen.ensembles.model.lookups import _function, lookup_text
from tellegen.ir.expressions.table import Table
from tellegen.ir.program import Module

_CALL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


def random_table(random: np.random.Generator, axes: int, scale: float) -> Table:
    """Any breaks, sometimes two equal ones, and any polynomials."""
    counts = [int(random.integers(1, 20)) for _ in range(axes)]
    breaks = tuple(np.sort(random.normal(size=count)) * scale for count in counts)
    for each in breaks:
        if len(each) > 3:
            each[1] = each[2]
    powers = [int(random.integers(2, 5)) for _ in range(axes)]
    return Table(breaks, random.normal(size=(*(count + 1 for count in counts), *powers)))


def looked_up(table: Table, lanes: int, arguments: list[Any]) -> Any:
    """By the code of kernels; one row of lanes after the other."""
    kind = "double" if lanes == 1 else f"<{lanes} x double>"
    axes = len(arguments)
    load = "\n".join(
        f"  %at{k} = getelementptr double, ptr %in, i64 {k * lanes}\n  %x{k} = load {kind}, ptr %at{k}, align 8"
        for k in range(axes)
    )
    given = ", ".join(f"{kind} %x{k}" for k in range(axes))
    text = f"""{lookup_text([table], lanes)}
!0 = !{{}}
define void @all(ptr %in, ptr %out) {{
{load}
  %found = call {kind} @{_function(table)}({given})
  store {kind} %found, ptr %out, align 8
  ret void
}}"""
    code = MachineCode((Module(text, 1, ("all",)),))
    call = _CALL(code.addresses["all"])
    rows = np.stack(arguments).reshape(axes, -1, lanes)
    out = np.zeros(lanes)
    found = []
    for row in range(rows.shape[1]):
        given_row = np.ascontiguousarray(rows[:, row])
        call(given_row.ctypes.data, out.ctypes.data)
        found.append(out.copy())
    return np.concatenate(found)


@pytest.mark.parametrize("scale", [1.0, 1e-9, 1e9])
@pytest.mark.parametrize(("axes", "lanes"), [(1, 1), (1, 4), (1, 8), (2, 4)])
def test_random_tables(axes: int, lanes: int, scale: float) -> None:
    """Between breaks, at them, a rounding beside them, far outside, and where the argument is not a number."""
    random = np.random.default_rng(100 * axes + lanes)
    table = random_table(random, axes, scale)
    arguments = []
    for breaks in table.breaks:
        near = random.choice(breaks, 24)
        beside = np.nextafter(near[:8], random.choice([-np.inf, np.inf], 8))
        inside = random.normal(size=31) * 2.0 * scale
        arguments.append(random.permutation(np.concatenate([near, beside, inside, [np.nan]])))
    exact = table(*arguments)
    found = looked_up(table, lanes, arguments)
    assert np.array_equal(np.isnan(found), np.isnan(exact))
    assert np.allclose(found, exact, rtol=1e-12, atol=1e-13 * np.nanmax(np.abs(exact)), equal_nan=True)


class Tabulated(tg.Component):
    """A load, a characteristic field of two quantities, and a drive over time: corners in the first two."""

    kinds = ("linear", "linear")
    gain = tg.parameter(1.0)
    shift = tg.parameter(0.0)
    fast = tg.parameter(1.0)
    x = tg.variable(start=0.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        drive = tg.interpolate(tg.time, [0.0, 1.0, 2.5, 3.0, 5.0], [0.0, 1.0, 0.7, -0.5, 0.2], kind="akima")
        speeds = [-1.0, -0.1, 0.1, 1.0]
        load = tg.interpolate(self.v + self.shift, speeds, [-1.5, -0.6, 0.6, 1.0], self.kinds[0], "extend")
        grid = np.array([[0.0, 0.2, 0.1], [0.3, -0.2, 0.4], [0.5, 0.1, 0.0]])
        points = ([-1.0, 0.2, 1.0], [-1.0, 0.0, 1.0])
        field = tg.interpolate((tg.sin(self.x), tg.sin(self.v)), points, grid, self.kinds[1])
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == self.fast * (self.gain * drive - load) + field


class SmoothTables(Tabulated):
    """The same without corners."""

    kinds = ("monotone", "cubic")


RANGES = {"gain": (0.5, 4.0), "shift": (-0.3, 0.3), "fast": (0.5, 3.0)}
OUTPUTS = ["final(x)", "v", "max(v)"]
RUN: dict[str, Any] = {"stop": 5.0, "points": 20}


@pytest.mark.parametrize(("solver", "runs"), [("rk45", 200), ("rodas", 40)])
def test_smooth_tables(solver: str, runs: int) -> None:
    """Random parameter sets, beyond the ends of tables too.

    Where derivatives of tables jump, steps of both ways have errors of that size: lanes may have those of single runs.
    """
    design = tg.monte_carlo(RANGES, runs, seed=5)
    compiled = tg.compile(SmoothTables())
    lanes, single = both(compiled, design, OUTPUTS, solver=solver, **RUN)
    exact = tg.study(compiled, design, outputs=OUTPUTS, executor="serial", solver=solver, rtol=1e-8, **RUN)
    assert lanes.device.endswith(solver)
    assert np.nanmax(np.abs(single["v"])) > 1.0  # beyond the last point of the load
    for output in OUTPUTS:
        own = worst(single, exact, output)
        assert own < 20 * RTOL
        assert worst(lanes, exact, output) < max(10 * RTOL, own), output


@pytest.mark.parametrize("solver", ["rk45", "rodas"])
def test_corners_cost_no_more_than_in_single_runs(solver: str) -> None:
    """Corners make no events: error control passes them, here and there as accurately, as exact runs show."""
    design = tg.monte_carlo(RANGES, 40, seed=6)
    lanes, single = both(Tabulated(), design, OUTPUTS, solver=solver, **RUN)
    exact = tg.study(Tabulated(), design, outputs=OUTPUTS, solver="rk45", rtol=1e-10, executor="serial", **RUN)
    for output in OUTPUTS:
        assert worst(lanes, exact, output) < max(10 * RTOL, 2.0 * worst(single, exact, output)), output


def test_tables_in_ptx() -> None:
    found = ensemble(Tabulated(), "gain", "x", 1.0, "rk45")
    text = ptx(found.model, ADAPTIVE, "sm_90")
    assert ".local" not in text
    assert "call" not in text
    assert "table_" in text


class Steps(tg.Component):
    """A table whose value jumps."""

    rate = tg.parameter(1.0)
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.rate * tg.interpolate(self.x, [0.0, 1.0, 2.0], [1.0, 2.0, 3.0], kind="constant")


def test_tables_that_jump() -> None:
    given: dict[str, Any] = {"outputs": ["final(x)"], "stop": 1.2, "solver": "rk45"}
    study = tg.study(Steps(), {"rate": [1.0, 1.1]}, device="cpu", workers=1, **given)
    exact = [1.0 + 2.0 * (1.2 - 1.0), 1.0 + 2.2 * (1.2 - 1.0 / 1.1)]
    assert np.allclose(study["final(x)"], exact, rtol=1e-9)
