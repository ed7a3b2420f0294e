"""Native callbacks and loop of CVODE in ODE mode.

    cv_rhs, cv_system, cv_roots  CVODE's callbacks
    cv_setup, cv_solve           its linear solver
    cv_run                       the integration over the output times

CVODE solves (I - gamma f_x) dx = b. With F(t, x, x', z) = 0 behind f, dx follows from the sparse system
(F_y + F_y'/gamma) (dx, dz) = (F_x'/gamma) b: the matrix IDA would use, with analytic derivatives and the same LU; no
f_x is ever formed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from llvmlite import ir

from tellegen.engine.native.llvm_builder import F64, I32, I64, PTR, Function, Value
from tellegen.engine.native.machine_code import MachineCode, runtime_code
from tellegen.engine.runtime import ida_callbacks
from tellegen.engine.runtime import ode_rhs as ode_kernels
from tellegen.engine.runtime import sparse_lu as kernels
from tellegen.engine.runtime.block_linear_algebra import LU_REPIVOT, O
from tellegen.engine.runtime.rk_record import POLE, ROOT
from tellegen.ir.program import Module

CV_RUN = ("solver", "x", "values", "ode", "times", "first", "last", "output", "rates", "solve", "reached")
"""Words of the record of one integration with CVODE."""

_C = {name: k for k, name in enumerate(CV_RUN)}
_NOT_FINITE = -10  # CVODE's flag for a right-hand side that keeps failing


@cache
def cvode_runtime() -> MachineCode:
    """The compiled runtime, only where CVODE is used; one per process."""
    return runtime_code("cvode", _module)


def _module() -> Module:
    """The runtime as LLVM IR."""
    builders: tuple[Callable[[ir.Module], None], ...] = (
        kernels.define_lu_factor,
        kernels.define_lu_solve,
        ode_kernels.define,
        _cv_rhs,
        _cv_roots,
        _cv_system,
        _cv_setup,
        _cv_solve,
        _cv_run,
    )
    return ode_kernels.as_module(ir.Module("tellegen_cvode"), builders)


def _array(f: Function, ode: Value, vector: Value) -> Value:
    return f.call(f.word(ode, O["get_array"]), PTR, vector)


def _cv_rhs(code: ir.Module) -> None:
    f = Function(code, "cv_rhs", {"t": F64, "x": PTR, "rates": PTR, "ode": PTR}, I32)
    arrays = [_array(f, f["ode"], f[name]) for name in ("x", "rates")]
    f.builder.ret(f.builder.call(code.get_global("ode_rhs"), [f["t"], f["ode"], *arrays]))


def _cv_roots(code: ir.Module) -> None:
    """The root functions of events (engine/runtime/root_functions.py)."""
    f = Function(code, "cv_roots", {"t": F64, "x": PTR, "out": PTR, "ode": PTR}, I32)
    b, ode = f.builder, f["ode"]
    x = _array(f, ode, f["x"])
    status = b.call(code.get_global("ode_rhs"), [f["t"], ode, x, f.word(ode, O["at_root"])])
    with b.if_then(b.icmp_signed("!=", status, I32(0))):
        b.ret(I32(1))
    f.call(f.word(ode, O["event_roots"]), ir.VoidType(), f.word(ode, O["events"]), f["t"], f["out"])
    b.ret(I32(0))


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
        with b.if_then(b.icmp_signed("==", flag, I32(ROOT))):
            at = b.load(reached, typ=F64)
            status = b.call(code.get_global("ode_rhs"), [at, ode, values, rates])
            b.ret(b.select(b.icmp_signed("==", status, I32(0)), flag, I32(_NOT_FINITE)))
        row = f.place(output, b.mul(k, size))
        status = b.call(code.get_global("keep_row"), [t, ode, values, rates, row])
        with b.if_then(b.icmp_signed("!=", status, I32(0))):
            b.ret(b.select(b.icmp_signed("==", status, I32(1)), I32(_NOT_FINITE), I32(POLE)))
        f.put(f.place(run, I64(_C["first"]), I64), b.add(k, I64(1)))
    b.ret(I32(0))
