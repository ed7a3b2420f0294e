"""The native runtime of ODE mode: x' = f(t, x) from the steps of an OdeProgram.

ode_rhs                      states in, rates out; the work vector holds everything else
ode_again                    the same with states from the work vector
keep_row                     all unknowns at an output time
rk_begin, rk_run             the Runge-Kutta method around it (engine/runtime/rk_step.py)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from llvmlite import ir

from tellegen.engine.native.llvm_builder import F64, I32, I64, PTR, Function, note_if_not_finite
from tellegen.engine.native.machine_code import MachineCode, runtime_code
from tellegen.engine.runtime import block_linear_algebra as block_kernels
from tellegen.engine.runtime import block_newton, ida_callbacks
from tellegen.engine.runtime import rk_step as rk_kernels
from tellegen.engine.runtime import sparse_lu as kernels
from tellegen.engine.runtime.block_linear_algebra import O
from tellegen.ir.program import Module

STEP_WORDS = 4
"""Words of a step: 0 and its entry (calls, count, tables), or 1 and the address of a Solve record."""


@cache
def ode_runtime() -> MachineCode:
    """The compiled runtime; one per process."""
    return runtime_code("ode", lambda: as_module(ir.Module("tellegen_ode"), (define, rk_kernels.define)))


def define(code: ir.Module) -> None:
    """Add ode_rhs and keep_row."""
    for build in (block_kernels.define_call_entry, _ode_rhs, _ode_again, _keep_row):
        build(code)


def as_module(code: ir.Module, builders: tuple[Callable[[ir.Module], None], ...]) -> Module:
    """What the builders write, in little compile time: nothing is inlined but what asks for it."""
    for build in builders:
        build(code)
    functions = [function for function in code.functions if not function.is_declaration]
    for function in functions:
        if "alwaysinline" not in function.attributes:
            function.attributes.add("noinline")
    return Module(str(code), 1, tuple(function.name for function in functions))


@cache
def block_runtime() -> MachineCode:
    """The solution of algebraic blocks, compiled only where there are some."""
    lu = (kernels.define_lu_factor, kernels.define_lu_solve)
    builders = (*lu, block_kernels.define, block_newton.define)
    return runtime_code("blocks", lambda: as_module(ir.Module("tellegen_blocks"), builders))


def _ode_rhs(code: ir.Module) -> None:
    """Rates of the states; 1 when a block cannot be solved or something is not finite."""
    f = Function(code, "ode_rhs", {"t": F64, "ode": PTR, "x": PTR, "rates": PTR}, I32)
    b, ode = f.builder, f["ode"]
    ida_callbacks.count(f, ode, O["evaluations"])
    w, n, places = f.word(ode, O["w"]), f.word(ode, O["size"], I64), f.word(ode, O["state_place"])
    states = f.word(ode, O["state_count"], I64)
    with f.loop(I64(0), states) as k:
        f.set(w, f.index(places, k), f.double(f["x"], k))
    fill = f.word(ode, O["event_fill"], I64)
    with b.if_then(b.icmp_signed("!=", fill, I64(0))):  # delayed signals
        f.call(b.inttoptr(fill, PTR), ir.VoidType(), f.word(ode, O["events"]), f["t"])
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
    rates, bad = f.place(w, n), f.variable(I64, I64(0))
    with f.loop(I64(0), states) as k:
        rate = f.double(rates, f.index(places, k))
        f.set(f["rates"], k, rate)
        note_if_not_finite(f, rate, bad)
    f.put(f.place(ode, I64(O["failed_step"]), I64), I64(0))
    b.ret(b.trunc(f.get(bad, I64), I32))


def _ode_again(code: ir.Module) -> None:
    """Everything else from the states as they stand in the work vector: what an event asks for."""
    f = Function(code, "ode_again", {"t": F64, "ode": PTR}, I32)
    ode, x = f["ode"], f.word(f["ode"], O["at_root"])
    w, places = f.word(ode, O["w"]), f.word(ode, O["state_place"])
    with f.loop(I64(0), f.word(ode, O["state_count"], I64)) as k:
        f.set(x, k, f.double(w, f.index(places, k)))
    f.builder.ret(f.builder.call(code.get_global("ode_rhs"), [f["t"], ode, x, x]))


def _keep_row(code: ir.Module) -> None:
    """Everything at an output time: the steps are run there, then all unknowns are copied into the row.

    1 when the steps fail, 2 when a divisor has another sign than at the output time before, and its dividend has not.
    """
    arguments: dict[str, Any] = {"t": F64, "ode": PTR, "x": PTR, "rates": PTR, "row": PTR}
    f = Function(code, "keep_row", arguments, I32)
    b, ode = f.builder, f["ode"]
    status = b.call(code.get_global("ode_rhs"), [f["t"], ode, f["x"], f["rates"]])
    w, n = f.word(ode, O["w"]), f.word(ode, O["size"], I64)
    bad = f.variable(I64, I64(0))
    with f.loop(I64(0), n) as i:
        value = f.double(w, i)
        f.set(f["row"], i, value)
        note_if_not_finite(f, value, bad)
    with b.if_then(b.or_(b.icmp_signed("!=", status, I32(0)), b.icmp_signed("!=", f.get(bad, I64), I64(0)))):
        b.ret(I32(1))
    with b.if_then(b.icmp_signed("==", f.word(ode, O["divisor_count"], I64), I64(0))):
        b.ret(I32(0))
    divisors, before = f.word(ode, O["divisors"]), f.word(ode, O["divisors_before"])
    block_kernels.call_entry(code, f, f.place(ode, I64(O["divisor_calls"]), I64), divisors)
    count = f.word(ode, O["divisor_count"], I64)
    with f.loop(I64(0), b.mul(count, I64(2)), 2) as k:
        divisor, dividend = (
            b.fmul(f.double(divisors, place), f.double(before, place)) for place in (k, b.add(k, I64(1)))
        )
        crossed = b.fcmp_ordered("<", divisor, F64(0.0))
        with b.if_then(b.and_(crossed, b.fcmp_ordered(">", dividend, F64(0.0)))):
            b.ret(I32(2))
    with f.loop(I64(0), b.mul(count, I64(2))) as k:
        f.set(before, k, f.double(divisors, k))
    b.ret(I32(0))
