"""The native runtime: what runs between SUNDIALS and a model's code, with no Python in between.

    ida_residual, _jacobian, _weights   SUNDIALS' callbacks: vectors to plain arrays, then the model's functions
    lu_factor, lu_solve            sparse LU on a pattern and pivots that are already known
    ls_type, ls_setup, ls_solve    that LU as a SUNLinearSolver
    ida_run                        the integration over the output times

SUNDIALS' functions are reached through addresses in the records, so the compiled object has no symbols to resolve and
can be cached. Written with llvmlite's builder: no C compiler on the developer's or the user's machine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from llvmlite import ir

from tellegen.engine.native.llvm_builder import F64, I32, I64, PTR, Function
from tellegen.engine.native.machine_code import MachineCode, runtime_code
from tellegen.engine.runtime.ida_callbacks import CALLBACKS, count
from tellegen.ir.program import Module

LU = (
    "size",
    "a_start",
    "a_row",
    "a_from",
    "l_start",
    "l_row",
    "u_start",
    "u_row",
    "l_value",
    "u_value",
    "diagonal",
    "work",
    "row_place",
    "column_of",
    "rhs",
    "repivot",
    "get_array",
    "get_values",
    "factorizations",
    "solves",
)
"""Words of the record that is the content of the linear solver."""

RUN = (
    "solver",
    "y",
    "yp",
    "size",
    "values",
    "times",
    "first",
    "last",
    "output",
    "solve",
    "reached",
)
"""Words of the record of one integration."""

GROWTH_LIMIT = 1e6
"""Multipliers beyond this lose too many digits: pivots are chosen anew."""

_L = {name: k for k, name in enumerate(LU)}
_R = {name: k for k, name in enumerate(RUN)}


@cache
def runtime() -> MachineCode:
    """The compiled runtime; one per process."""
    return runtime_code("ida", module)


def module() -> Module:
    """The runtime as LLVM IR."""
    code = ir.Module("tellegen_runtime")
    builders: tuple[Callable[[ir.Module], None], ...] = (
        *CALLBACKS,
        define_lu_factor,
        define_lu_solve,
        _linear_solver,
        _ida_run,
    )
    for build in builders:
        build(code)
    names = tuple(function.name for function in code.functions if not function.is_declaration)
    return Module(str(code), 2, names)


def define_lu_factor(code: ir.Module) -> None:
    """Left-looking LU (Gilbert and Peierls, 1988) on known patterns and pivots.

    Returns 0, 1 for a pivot that is zero or not finite, 2 for multipliers that grew too large.
    """
    f = Function(code, "lu_factor", {"lu": PTR, "values": PTR}, I32)
    b, lu = f.builder, f["lu"]
    count(f, lu, _L["factorizations"])
    a_start, a_row, a_from = (f.word(lu, _L[name]) for name in ("a_start", "a_row", "a_from"))
    l_start, l_row, l_value = (f.word(lu, _L[name]) for name in ("l_start", "l_row", "l_value"))
    u_start, u_row, u_value = (f.word(lu, _L[name]) for name in ("u_start", "u_row", "u_value"))
    diagonal, work = f.word(lu, _L["diagonal"]), f.word(lu, _L["work"])
    status = f.variable(I32, I32(0))
    absolute = code.declare_intrinsic("llvm.fabs", [F64])
    with f.loop(I64(0), f.word(lu, _L["size"], I64)) as k:
        after = b.add(k, I64(1))
        with f.loop(f.index(a_start, k), f.index(a_start, after)) as e:
            f.set(work, f.index(a_row, e), f.double(f["values"], f.index(a_from, e)))
        with f.loop(f.index(u_start, k), f.index(u_start, after)) as e:
            j = f.index(u_row, e)
            u = f.double(work, j)
            f.set(work, j, F64(0.0))
            f.set(u_value, e, u)
            with f.loop(f.index(l_start, j), f.index(l_start, b.add(j, I64(1)))) as m:
                i = f.index(l_row, m)
                f.set(work, i, b.fsub(f.double(work, i), b.fmul(f.double(l_value, m), u)))
        pivot = f.double(work, k)
        f.set(work, k, F64(0.0))
        f.set(diagonal, k, b.fdiv(F64(1.0), pivot))
        size = b.call(absolute, [pivot])
        usable = b.and_(b.fcmp_ordered(">", size, F64(0.0)), b.fcmp_ordered("<", size, F64(float("inf"))))
        f.put(status, b.select(usable, f.get(status, I32), I32(1)))
        inverse = f.double(diagonal, k)
        with f.loop(f.index(l_start, k), f.index(l_start, after)) as m:
            i = f.index(l_row, m)
            factor = b.fmul(f.double(work, i), inverse)
            f.set(work, i, F64(0.0))
            f.set(l_value, m, factor)
            grown = b.fcmp_ordered(">", b.call(absolute, [factor]), F64(GROWTH_LIMIT))
            worse = b.and_(grown, b.icmp_signed("==", f.get(status, I32), I32(0)))
            f.put(status, b.select(worse, I32(2), f.get(status, I32)))
    b.ret(f.get(status, I32))


def define_lu_solve(code: ir.Module) -> None:
    """x := A^-1 x."""
    f = Function(code, "lu_solve", {"lu": PTR, "x": PTR})
    b, lu, x = f.builder, f["lu"], f["x"]
    count(f, lu, _L["solves"])
    l_start, l_row, l_value = (f.word(lu, _L[name]) for name in ("l_start", "l_row", "l_value"))
    u_start, u_row, u_value = (f.word(lu, _L[name]) for name in ("u_start", "u_row", "u_value"))
    diagonal, rhs = f.word(lu, _L["diagonal"]), f.word(lu, _L["rhs"])
    row_place, column_of = f.word(lu, _L["row_place"]), f.word(lu, _L["column_of"])
    size = f.word(lu, _L["size"], I64)
    with f.loop(I64(0), size) as k:
        f.set(rhs, f.index(row_place, k), f.double(x, k))
    with f.loop(I64(0), size) as k:
        value = f.double(rhs, k)
        with f.loop(f.index(l_start, k), f.index(l_start, b.add(k, I64(1)))) as m:
            i = f.index(l_row, m)
            f.set(rhs, i, b.fsub(f.double(rhs, i), b.fmul(f.double(l_value, m), value)))
    with f.loop(b.sub(size, I64(1)), I64(-1), step=-1) as k:
        value = b.fmul(f.double(rhs, k), f.double(diagonal, k))
        f.set(rhs, k, value)
        with f.loop(f.index(u_start, k), f.index(u_start, b.add(k, I64(1)))) as m:
            i = f.index(u_row, m)
            f.set(rhs, i, b.fsub(f.double(rhs, i), b.fmul(f.double(u_value, m), value)))
    with f.loop(I64(0), size) as k:
        f.set(x, f.index(column_of, k), f.double(rhs, k))
    b.ret_void()


def _linear_solver(code: ir.Module) -> None:
    """The operations SUNDIALS asks of a linear solver; its content (word 0) is the LU record."""
    f = Function(code, "ls_type", {"solver": PTR}, I32)
    f.builder.ret(I32(0))  # SUNLINEARSOLVER_DIRECT

    f = Function(code, "ls_setup", {"solver": PTR, "matrix": PTR}, I32)
    b, lu = f.builder, f.word(f["solver"], 0)
    values = f.call(f.word(lu, _L["get_values"]), PTR, f["matrix"])
    factor = code.get_global("lu_factor")
    status = f.variable(I32, b.call(factor, [lu, values]))
    with b.if_then(b.icmp_signed("!=", f.get(status, I32), I32(0))):
        chosen = f.call(f.word(lu, _L["repivot"]), I32, values)
        f.put(status, chosen)
        with b.if_then(b.icmp_signed("==", chosen, I32(0))):
            again = b.call(factor, [lu, values])
            f.put(status, b.select(b.icmp_signed("==", again, I32(1)), I32(1), I32(0)))
    b.ret(f.get(status, I32))  # positive: recoverable

    f = Function(code, "ls_solve", {"solver": PTR, "matrix": PTR, "x": PTR, "b": PTR, "tolerance": F64}, I32)
    b, lu = f.builder, f.word(f["solver"], 0)
    x = f.call(f.word(lu, _L["get_array"]), PTR, f["x"])
    given = f.call(f.word(lu, _L["get_array"]), PTR, f["b"])
    with f.loop(I64(0), f.word(lu, _L["size"], I64)) as k:
        f.set(x, k, f.double(given, k))
    b.call(code.get_global("lu_solve"), [lu, x])
    b.ret(I32(0))


def _ida_run(code: ir.Module) -> None:
    """Integrate to the output times first..last-1 and keep the unknowns at each; stop at the first failure.

    `first` counts the points done; returns IDASolve's flag (negative: failure).
    """
    f = Function(code, "ida_run", {"run": PTR}, I32)
    b, run = f.builder, f["run"]
    size, values = f.word(run, _R["size"], I64), f.word(run, _R["values"])
    times, output = f.word(run, _R["times"]), f.word(run, _R["output"])
    reached = f.place(run, I64(_R["reached"]), I64)
    flag = f.variable(I32, I32(0))
    last = f.word(run, _R["last"], I64)
    with f.loop(f.word(run, _R["first"], I64), last) as k:
        vectors = (f.word(run, _R["y"]), f.word(run, _R["yp"]))
        solver, solve = f.word(run, _R["solver"]), f.word(run, _R["solve"])
        result = f.call(solve, I32, solver, f.double(times, k), reached, *vectors, I32(1))
        f.put(flag, result)
        stopped = b.or_(b.icmp_signed("<", result, I32(0)), b.icmp_signed("==", result, I32(2)))  # 2: an event
        with b.if_then(stopped):
            b.ret(result)
        row = f.place(output, b.mul(k, size))
        with f.loop(I64(0), size) as i:
            f.set(row, i, f.double(values, i))
        f.put(f.place(run, I64(_R["first"]), I64), b.add(k, I64(1)))
    b.ret(f.get(flag, I32))
