"""The native runtime of ODE mode: x' = f(t, x) from the steps of an OdeProgram, and CVODE around it.

    ode_rhs                      states in, rates out; the work vector holds everything else
    cv_rhs, cv_system            CVODE's callbacks
    cv_setup, cv_solve           its linear solver
    cv_run                       the integration over the output times

CVODE solves (I - gamma f_x) dx = b. With F(t, x, x', z) = 0 behind f, dx follows from the sparse system
(F_y + F_y'/gamma) (dx, dz) = (F_x'/gamma) b: the matrix IDA would use, with analytic derivatives and the same LU; no
f_x is ever formed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from llvmlite import ir

from tellegen.engine import block_kernels, block_newton, ida_callbacks, kernels, rk_kernels
from tellegen.engine.block_kernels import LU_REPIVOT, O
from tellegen.engine.emit import F64, I32, I64, PTR, Function, Value
from tellegen.engine.jit import MachineCode, runtime_code
from tellegen.engine.rk_kernels import POLE
from tellegen.ir.program import Module

CV_RUN = ("solver", "x", "values", "ode", "times", "first", "last", "output", "rates", "solve", "reached")
"""Words of the record of one integration with CVODE."""

_C = {name: k for k, name in enumerate(CV_RUN)}
STEP_WORDS = 4
"""Words of a step: 0 and its entry (calls, count, tables), or 1 and the address of a Solve record."""

_NOT_FINITE = -10  # CVODE's flag for a right-hand side that keeps failing


@cache
def ode_runtime() -> MachineCode:
    """The compiled runtime; one per process."""
    return runtime_code("ode", _module)


def _module() -> Module:
    """The runtime as LLVM IR."""
    code = ir.Module("tellegen_ode")
    builders: tuple[Callable[[ir.Module], None], ...] = (
        kernels.define_lu_factor,
        kernels.define_lu_solve,
        block_kernels.define_call_entry,
        _ode_rhs,
        _cv_rhs,
        _cv_system,
        _cv_setup,
        _cv_solve,
        _keep_row,
        _cv_run,
    )
    return as_module(code, builders)


def as_module(code: ir.Module, builders: tuple[Callable[[ir.Module], None], ...]) -> Module:
    """What the builders write, in little compile time: nothing is inlined into anything."""
    for build in builders:
        build(code)
    functions = [function for function in code.functions if not function.is_declaration]
    for function in functions:
        function.attributes.add("noinline")
    return Module(str(code), 1, tuple(function.name for function in functions))


@cache
def block_runtime() -> MachineCode:
    """The solution of algebraic blocks, compiled only where there are some."""
    lu = (kernels.define_lu_factor, kernels.define_lu_solve)
    builders = (*lu, block_kernels.define, block_newton.define)
    return runtime_code("blocks", lambda: as_module(ir.Module("tellegen_blocks"), builders))


@cache
def rk_runtime() -> MachineCode:
    """The Runge-Kutta method, compiled only where it is used."""
    return runtime_code("rk", lambda: as_module(ir.Module("tellegen_rk"), (rk_kernels.define,)))


def _ode_rhs(code: ir.Module) -> None:
    """Rates of the states; 1 when a block cannot be solved or something is not finite."""
    f = Function(code, "ode_rhs", {"t": F64, "ode": PTR, "x": PTR, "rates": PTR}, I32)
    b, ode = f.builder, f["ode"]
    ida_callbacks.count(f, ode, O["evaluations"])
    w, n, places = f.word(ode, O["w"]), f.word(ode, O["size"], I64), f.word(ode, O["state_place"])
    states = f.word(ode, O["state_count"], I64)
    with f.loop(I64(0), states) as k:
        f.set(w, f.index(places, k), f.double(f["x"], k))
    steps = f.word(ode, O["steps"])
    with f.loop(I64(0), f.word(ode, O["step_count"], I64)) as s:
        step = f.place(steps, b.mul(s, I64(STEP_WORDS)), I64)
        with b.if_else(b.icmp_signed("==", f.word(step, 0, I64), I64(0))) as (compute, solve):
            with compute:
                block_kernels.call_entry(code, f, f.place(step, I64(1), I64))
            with solve:
                status = f.call(f.word(ode, O["solve_step"]), I32, f["t"], ode, f.word(step, 1))
                with b.if_then(b.icmp_signed("!=", status, I32(0))):
                    ida_callbacks.count(f, ode, O["block_failures"])
                    f.put(f.place(ode, I64(O["failed_step"]), I64), b.add(s, I64(1)))
                    b.ret(I32(1))
    rates = f.place(w, n)
    with f.loop(I64(0), states) as k:
        f.set(f["rates"], k, f.double(rates, f.index(places, k)))
    finite = ida_callbacks.all_finite(f, w, b.mul(n, I64(2)))
    f.put(f.place(ode, I64(O["failed_step"]), I64), I64(0))
    b.ret(b.select(finite, I32(0), I32(1)))


def _array(f: Function, ode: Value, vector: Value) -> Value:
    return f.call(f.word(ode, O["get_array"]), PTR, vector)


def _cv_rhs(code: ir.Module) -> None:
    f = Function(code, "cv_rhs", {"t": F64, "x": PTR, "rates": PTR, "ode": PTR}, I32)
    arrays = [_array(f, f["ode"], f[name]) for name in ("x", "rates")]
    f.builder.ret(f.builder.call(code.get_global("ode_rhs"), [f["t"], f["ode"], *arrays]))


def _jacobian(f: Function, ode: Value, weights: tuple[float, float], out: Value) -> None:
    """The model's Jacobian with weights for values and rates."""
    b, w = f.builder, f.word(ode, O["w"])
    rates, p = f.place(w, f.word(ode, O["size"], I64)), f.word(ode, O["parameters"])
    calls, tables = f.word(ode, O["jacobian_calls"]), f.word(ode, O["jacobian_tables"])
    with f.loop(I64(0), f.word(ode, O["jacobian_count"], I64)) as k:
        address = b.load(f.place(calls, k, I64), typ=PTR)
        f.call(address, ir.VoidType(), f["t"], *(F64(v) for v in weights), w, rates, p, out, tables)


def _cv_system(code: ir.Module) -> None:
    """Fill the matrix F_y + F_y'/gamma; the derivatives are taken again unless CVODE allows the old ones."""
    vectors = dict.fromkeys(("ode", "tmp1", "tmp2", "tmp3"), PTR)
    arguments = {"t": F64, "x": PTR, "rates": PTR, "matrix": PTR, "may_keep": I32, "fresh": PTR, "gamma": F64}
    f = Function(code, "cv_system", arguments | vectors, I32)
    b, ode = f.builder, f["ode"]
    by_value, by_rate, values = (f.word(ode, O[name]) for name in ("by_value", "by_rate", "values"))
    f.put(f["fresh"], I32(0))
    with b.if_then(b.icmp_signed("==", f["may_keep"], I32(0))):
        ida_callbacks.count(f, ode, O["jacobian_evaluations"])
        arrays = [_array(f, ode, f[name]) for name in ("x", "tmp1")]
        status = b.call(code.get_global("ode_rhs"), [f["t"], ode, *arrays])
        with b.if_then(b.icmp_signed("!=", status, I32(0))):
            b.ret(I32(1))
        _jacobian(f, ode, (1.0, 0.0), by_value)
        _jacobian(f, ode, (0.0, 1.0), by_rate)
        f.put(f["fresh"], I32(1))
    inverse = b.fdiv(F64(1.0), f["gamma"])
    f.put(f.place(ode, I64(O["inverse_gamma"]), I64), inverse)
    with f.loop(I64(0), f.word(ode, O["pattern_count"], I64)) as k:
        f.set(values, k, b.fadd(f.double(by_value, k), b.fmul(inverse, f.double(by_rate, k))))
    b.ret(I32(0))


def _cv_setup(code: ir.Module) -> None:
    """Factor the matrix; the content of the linear solver (word 0) is the ODE record."""
    f = Function(code, "ls_type", {"solver": PTR}, I32)
    f.builder.ret(I32(0))  # SUNLINEARSOLVER_DIRECT

    f = Function(code, "cv_setup", {"solver": PTR, "matrix": PTR}, I32)
    b, ode = f.builder, f.word(f["solver"], 0)
    lu, values, factor = f.word(ode, O["lu"]), f.word(ode, O["values"]), code.get_global("lu_factor")
    status = f.variable(I32, b.call(factor, [lu, values]))
    with b.if_then(b.icmp_signed("!=", f.get(status, I32), I32(0))):
        f.put(status, f.call(f.word(lu, LU_REPIVOT), I32, values))
        with b.if_then(b.icmp_signed("==", f.get(status, I32), I32(0))):
            again = b.call(factor, [lu, values])
            f.put(status, b.select(b.icmp_signed("==", again, I32(1)), I32(1), I32(0)))
    b.ret(f.get(status, I32))


def _cv_solve(code: ir.Module) -> None:
    """dx from b; see the top of this file."""
    f = Function(code, "cv_solve", {"solver": PTR, "matrix": PTR, "x": PTR, "b": PTR, "tolerance": F64}, I32)
    b, ode = f.builder, f.word(f["solver"], 0)
    full, by_rate = f.word(ode, O["full"]), f.word(ode, O["by_rate"])
    places, start, row = (f.word(ode, O[name]) for name in ("state_place", "column_start", "row_index"))
    inverse, states = f.word(ode, O["inverse_gamma"], F64), f.word(ode, O["state_count"], I64)
    x, given = _array(f, ode, f["x"]), _array(f, ode, f["b"])
    with f.loop(I64(0), f.word(ode, O["size"], I64)) as k:
        f.set(full, k, F64(0.0))
    with f.loop(I64(0), states) as k:
        column = f.index(places, k)
        weight = b.fmul(inverse, f.double(given, k))
        with f.loop(f.index(start, column), f.index(start, b.add(column, I64(1)))) as e:
            f.add_to(full, f.index(row, e), b.fmul(weight, f.double(by_rate, e)))
    b.call(code.get_global("lu_solve"), [f.word(ode, O["lu"]), full])
    with f.loop(I64(0), states) as k:
        f.set(x, k, f.double(full, f.index(places, k)))
    b.ret(I32(0))


def _keep_row(code: ir.Module) -> None:
    """Everything at an output time: the steps are run there, then all unknowns are copied into the row.

    1 when the steps fail, 2 when a divisor has another sign than at the output time before.
    """
    arguments: dict[str, Any] = {"t": F64, "ode": PTR, "x": PTR, "rates": PTR, "row": PTR}
    f = Function(code, "keep_row", arguments, I32)
    b, ode = f.builder, f["ode"]
    status = b.call(code.get_global("ode_rhs"), [f["t"], ode, f["x"], f["rates"]])
    w = f.word(ode, O["w"])
    with f.loop(I64(0), f.word(ode, O["size"], I64)) as i:
        f.set(f["row"], i, f.double(w, i))
    with b.if_then(b.icmp_signed("!=", status, I32(0))):
        b.ret(status)
    divisors, before = f.word(ode, O["divisors"]), f.word(ode, O["divisors_before"])
    block_kernels.call_entry(code, f, f.place(ode, I64(O["divisor_calls"]), I64), divisors)
    count = f.word(ode, O["divisor_count"], I64)
    with f.loop(I64(0), count) as k:
        crossed = b.fcmp_ordered("<", b.fmul(f.double(divisors, k), f.double(before, k)), F64(0.0))
        with b.if_then(crossed):
            b.ret(I32(2))
    with f.loop(I64(0), count) as k:
        f.set(before, k, f.double(divisors, k))
    b.ret(I32(0))


def _cv_run(code: ir.Module) -> None:
    """Integrate to the output times first..last-1; `first` counts the points done; returns CVode's flag."""
    f = Function(code, "cv_run", {"run": PTR}, I32)
    b, run = f.builder, f["run"]
    ode, values, rates = (f.word(run, _C[name]) for name in ("ode", "values", "rates"))
    times, output = f.word(run, _C["times"]), f.word(run, _C["output"])
    size = f.word(ode, O["size"], I64)
    solver, solve, x = (f.word(run, _C[name]) for name in ("solver", "solve", "x"))
    reached = f.place(run, I64(_C["reached"]), I64)
    with f.loop(f.word(run, _C["first"], I64), f.word(run, _C["last"], I64)) as k:
        t = f.double(times, k)
        flag = f.call(solve, I32, solver, t, x, reached, I32(1))
        with b.if_then(b.icmp_signed("<", flag, I32(0))):
            b.ret(flag)
        row = f.place(output, b.mul(k, size))
        status = b.call(code.get_global("keep_row"), [t, ode, values, rates, row])
        with b.if_then(b.icmp_signed("!=", status, I32(0))):
            b.ret(b.select(b.icmp_signed("==", status, I32(1)), I32(_NOT_FINITE), I32(POLE)))
        f.put(f.place(run, I64(_C["first"]), I64), b.add(k, I64(1)))
    b.ret(I32(0))
