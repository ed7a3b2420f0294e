"""Native linear algebra of algebraic blocks: the matrices of their tears and the factors of these.

    block_factor     Jacobian entries of one block -> LU of the matrix of its tears
    block_solve      x := matrix^-1 x
    correction       x := matrix^-1 r, and how long it is relative to the unknowns

With the rows of a block ordered inner first, its Jacobian is [[L, B], [C, D]] with L triangular: the tears alone see
D - C L^-1 B. Blocks too large for that are given to the sparse LU of engine/runtime/sparse_lu.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from tellegen.engine.native.llvm_builder import F64, I32, I64, PTR, VOID, Function, Value

ODE = (
    *("size", "state_count", "state_place", "w", "parameters", "residual", "steps", "step_count"),
    *("evaluations", "block_failures", "jacobian_evaluations", "failed_step"),
    *("get_array", "scale", "jacobian_calls", "jacobian_count", "jacobian_tables", "pattern_count"),
    *("by_value", "by_rate", "values", "lu", "column_start", "row_index", "inverse_gamma", "full"),
    *("divisor_calls", "divisor_calls_count", "divisor_tables", "divisor_count", "divisors", "divisors_before"),
    *("solve_step", "events", "event_roots", "at_root", "event_fill"),
)
"""Words of the record of a model in ODE mode. `at_root` is room for the states where roots are looked at."""

SOLVE = (
    *("linear", "constant", "factored", "blocks", "tears", "inner_list", "inner_entries"),
    *("residual_calls", "residual_count", "residual_tables", "jacobian_calls", "jacobian_count", "jacobian_tables"),
    *("row_start", "inner_count", "tear_start", "tear_place", "judge_row", "entry_start", "entry_column"),
    *("values", "eliminated", "matrix_start", "matrix", "pivots", "x", "change", "base", "before"),
    *("damping", "length", "status", "lu", "pivots_ready", "closed_calls", "closed_count", "closed_tables", "same"),
)
"""Words of the record of a Solve step."""

LU_REPIVOT = 15
"""The word `repivot` of an LU record (engine/runtime/sparse_lu.py), a callback that finds pivots for given values."""

O = {name: k for k, name in enumerate(ODE)}  # noqa: E741 - short names for words, as in kernels.py
S = {name: k for k, name in enumerate(SOLVE)}


def define(code: ir.Module) -> None:
    """Add the functions of this file; lu_factor and lu_solve are there already."""
    builders: tuple[Callable[[ir.Module], None], ...] = (
        define_call_entry,
        _dense_matrix,
        _dense_factor,
        _block_factor,
        _block_solve,
        _correction,
    )
    for build in builders:
        build(code)


def word(f: Function, record: Value, name: str, kind: Any = PTR) -> Value:
    """A word of a Solve record."""
    return f.word(record, S[name], kind)


def define_call_entry(code: ir.Module) -> None:
    """Call the functions of an entry: three words (calls, count, tables); the result goes to `out`."""
    f = Function(code, "call_entry", {"t": F64, "ode": PTR, "entry": PTR, "out": PTR})
    f.function.attributes.add("alwaysinline")
    b, ode, entry = f.builder, f["ode"], f["entry"]
    w, p = f.word(ode, O["w"]), f.word(ode, O["parameters"])
    rates = f.place(w, f.word(ode, O["size"], I64))
    calls, tables = f.word(entry, 0), f.word(entry, 2)
    with f.loop(I64(0), f.word(entry, 1, I64)) as k:
        f.call(b.load(f.place(calls, k, I64), typ=PTR), VOID, f["t"], w, rates, p, f["out"], tables)
    b.ret_void()


def call_entry(code: ir.Module, f: Function, entry: Value, out: Value | None = None) -> None:
    """The call of `call_entry` in a function with arguments t and ode."""
    out = f.word(f["ode"], O["residual"]) if out is None else out
    f.builder.call(code.get_global("call_entry"), [f["t"], f["ode"], entry, out])


def entry_of(f: Function, step: Value, name: str) -> Value:
    """The three words of the residual or Jacobian entry of a step."""
    return f.place(step, I64(S[f"{name}_calls"]), I64)


def inner(code: ir.Module, f: Function) -> None:
    """Compute the inner unknowns of a step from its tears."""
    entries = word(f, f["step"], "inner_list")
    with f.loop(I64(0), word(f, f["step"], "inner_entries", I64)) as k:
        call_entry(code, f, f.place(entries, f.builder.mul(k, I64(3)), I64))


def _axpy(f: Function, count: Value, factor: Value, source: Value, target: Value) -> None:
    """target[0..count] -= factor * source[0..count]."""
    with f.loop(I64(0), count) as j:
        f.add_to(target, j, f.builder.fneg(f.builder.fmul(factor, f.double(source, j))))


def _dense_matrix(code: ir.Module) -> None:
    """D - C L^-1 B of block `block`, row by row, into its place in `matrix`."""
    f = Function(code, "dense_matrix", {"step": PTR, "block": I64})
    b, step, block = f.builder, f["step"], f["block"]
    first, m = f.index(word(f, step, "row_start"), block), f.index(word(f, step, "inner_count"), block)
    tear_start = word(f, step, "tear_start")
    k = b.sub(f.index(tear_start, b.add(block, I64(1))), f.index(tear_start, block))
    start, column, values = (word(f, step, name) for name in ("entry_start", "entry_column", "values"))
    eliminated = word(f, step, "eliminated")
    matrix = f.place(word(f, step, "matrix"), f.index(word(f, step, "matrix_start"), block))
    with f.loop(I64(0), b.add(m, k)) as i:
        judging = b.icmp_signed(">=", i, m)
        target = b.select(judging, f.place(matrix, b.mul(b.sub(i, m), k)), f.place(eliminated, b.mul(i, k)))
        with f.loop(I64(0), k) as j:
            f.set(target, j, F64(0.0))
        pivot = f.variable(F64, F64(1.0))
        row = b.add(first, i)
        with f.loop(f.index(start, row), f.index(start, b.add(row, I64(1)))) as e:
            c, v = f.index(column, e), f.double(values, e)
            with b.if_else(b.icmp_signed(">=", c, m)) as (tear, other):
                with tear:
                    f.add_to(target, b.sub(c, m), v)
                with other, b.if_else(b.icmp_signed("==", c, i)) as (own, earlier):
                    with own:
                        f.put(pivot, v)
                    with earlier:
                        _axpy(f, k, v, f.place(eliminated, b.mul(c, k)), target)
        with b.if_then(b.not_(judging)):
            inverse = b.fdiv(F64(1.0), f.get(pivot))
            with f.loop(I64(0), k) as j:
                f.set(target, j, b.fmul(f.double(target, j), inverse))
    b.ret_void()


def _dense_factor(code: ir.Module) -> None:
    """LU with partial pivoting in place, rows of k; returns 1 for a pivot that is zero or not finite."""
    f = Function(code, "dense_factor", {"a": PTR, "pivots": PTR, "k": I64}, I32)
    b, a, k = f.builder, f["a"], f["k"]
    absolute = code.declare_intrinsic("llvm.fabs", [F64])
    status = f.variable(I32, I32(0))
    best, size = f.variable(I64, I64(0)), f.variable(F64, F64(0.0))
    with f.loop(I64(0), k) as j:
        f.put(best, j)
        f.put(size, F64(-1.0))
        with f.loop(j, k) as i:
            here = b.call(absolute, [f.double(a, b.add(b.mul(i, k), j))])
            with b.if_then(b.fcmp_ordered(">", here, f.get(size))):
                f.put(size, here)
                f.put(best, i)
        chosen = f.get(best, I64)
        f.set_index(f["pivots"], j, chosen)
        top, low = f.place(a, b.mul(j, k)), f.place(a, b.mul(chosen, k))
        with b.if_then(b.icmp_signed("!=", chosen, j)), f.loop(I64(0), k) as c:
            one, other = f.double(top, c), f.double(low, c)
            f.set(top, c, other)
            f.set(low, c, one)
        usable = b.and_(b.fcmp_ordered(">", f.get(size), F64(0.0)), b.fcmp_ordered("<", f.get(size), F64(float("inf"))))
        f.put(status, b.select(usable, f.get(status, I32), I32(1)))
        inverse = b.fdiv(F64(1.0), f.double(top, j))
        with f.loop(b.add(j, I64(1)), k) as i:
            row = f.place(a, b.mul(i, k))
            factor = b.fmul(f.double(row, j), inverse)
            f.set(row, j, factor)
            with f.loop(b.add(j, I64(1)), k) as c:
                f.add_to(row, c, b.fneg(b.fmul(factor, f.double(top, c))))
    b.ret(f.get(status, I32))


def _tears(f: Function, block: Value) -> tuple[Value, Value]:
    """First tear of a block and how many it has."""
    start = word(f, f["step"], "tear_start")
    first = f.index(start, block)
    return first, f.builder.sub(f.index(start, f.builder.add(block, I64(1))), first)


def _block_factor(code: ir.Module) -> None:
    """Factor the matrix of one block; nonzero when it is singular. Sparse ones ask Python for pivots if need be."""
    f = Function(code, "block_factor", {"step": PTR, "block": I64}, I32)
    b, step = f.builder, f["step"]
    lu = word(f, step, "lu")
    with b.if_then(b.icmp_unsigned("!=", b.ptrtoint(lu, I64), I64(0))):
        values, factor = word(f, step, "values"), code.get_global("lu_factor")
        status = f.variable(I32, I32(1))
        ready = f.place(step, I64(S["pivots_ready"]), I64)
        with b.if_then(b.icmp_signed("!=", f.get(ready, I64), I64(0))):
            f.put(status, b.call(factor, [lu, values]))
        with b.if_then(b.icmp_signed("!=", f.get(status, I32), I32(0))):
            f.put(status, f.call(f.word(lu, LU_REPIVOT), I32, values))
            with b.if_then(b.icmp_signed("==", f.get(status, I32), I32(0))):
                f.put(ready, I64(1))
                again = b.call(factor, [lu, values])
                f.put(status, b.select(b.icmp_signed("==", again, I32(1)), I32(1), I32(0)))
        b.ret(f.get(status, I32))
    b.call(code.get_global("dense_matrix"), [step, f["block"]])
    first, k = _tears(f, f["block"])
    matrix = f.place(word(f, step, "matrix"), f.index(word(f, step, "matrix_start"), f["block"]))
    pivots = f.place(word(f, step, "pivots"), first, I32)
    b.ret(b.call(code.get_global("dense_factor"), [matrix, pivots, k]))


def _block_solve(code: ir.Module) -> None:
    """x := matrix^-1 x for the tears of one block."""
    f = Function(code, "block_solve", {"step": PTR, "block": I64, "x": PTR})
    b, step, x = f.builder, f["step"], f["x"]
    lu = word(f, step, "lu")
    with b.if_then(b.icmp_unsigned("!=", b.ptrtoint(lu, I64), I64(0))):
        b.call(code.get_global("lu_solve"), [lu, x])
        b.ret_void()
    same = f.index(word(f, step, "same"), f["block"])
    first, k = _tears(f, same)
    a = f.place(word(f, step, "matrix"), f.index(word(f, step, "matrix_start"), same))
    pivots = f.place(word(f, step, "pivots"), first, I32)
    with f.loop(I64(0), k) as j:
        other = f.index(pivots, j)
        one, two = f.double(x, j), f.double(x, other)
        f.set(x, other, one)
        f.set(x, j, two)
    with f.loop(I64(0), k) as i:
        row = f.place(a, b.mul(i, k))
        with f.loop(I64(0), i) as j:
            f.add_to(x, i, b.fneg(b.fmul(f.double(row, j), f.double(x, j))))
    with f.loop(b.sub(k, I64(1)), I64(-1), step=-1) as i:
        row = f.place(a, b.mul(i, k))
        with f.loop(b.add(i, I64(1)), k) as j:
            f.add_to(x, i, b.fneg(b.fmul(f.double(row, j), f.double(x, j))))
        f.set(x, i, b.fdiv(f.double(x, i), f.double(row, i)))
    b.ret_void()


def _correction(code: ir.Module) -> None:
    """x := matrix^-1 r for one block; returns its length relative to the unknowns (not a number if x is not)."""
    f = Function(code, "correction", {"ode": PTR, "step": PTR, "block": I64}, F64)
    b, step = f.builder, f["step"]
    first, k = _tears(f, f["block"])
    x = f.place(word(f, step, "x"), first)
    judge, places = (f.place(word(f, step, name), first, I32) for name in ("judge_row", "tear_place"))
    r, w, scale = (f.word(f["ode"], O[name]) for name in ("residual", "w", "scale"))
    with f.loop(I64(0), k) as j:
        f.set(x, j, f.double(r, f.index(judge, j)))
    b.call(code.get_global("block_solve"), [step, f["block"], x])
    total = f.variable(F64, F64(0.0))
    absolute = code.declare_intrinsic("llvm.fabs", [F64])
    with f.loop(I64(0), k) as j:
        place = f.index(places, j)
        size, least = b.call(absolute, [f.double(w, place)]), f.double(scale, place)
        ratio = b.fdiv(f.double(x, j), b.select(b.fcmp_ordered(">", size, least), size, least))
        f.put(total, b.fadd(f.get(total), b.fmul(ratio, ratio)))
    b.ret(b.call(code.declare_intrinsic("llvm.sqrt", [F64]), [f.get(total)]))


def tear_loop(f: Function, block: Value, act: Callable[[Value, Value], None]) -> None:
    """act(number of the tear, its place in w) for the tears of a block."""
    first, k = _tears(f, block)
    places = word(f, f["step"], "tear_place")
    with f.loop(first, f.builder.add(first, k)) as j:
        act(j, f.index(places, j))
