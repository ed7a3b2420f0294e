"""Native solution of a Solve step (ir/ode.py): linear systems at once, others by Newton's method.

    solve_step     evaluate all residuals;  judge the trial of each block;  Jacobians where needed;  next trials

All blocks of a step are evaluated together, but each has its own damping and is done when it is done. Trials are
judged by the next simplified correction in scaled unknowns (natural monotonicity test; Deuflhard, Newton Methods for
Nonlinear Problems, 2004, sec. 3.3), as in damped_newton.py. The guess is what the work vector holds: the last solution.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from tellegen.engine.native.llvm_builder import F64, I32, I64, PTR, Function, Value
from tellegen.engine.runtime.block_linear_algebra import O, S, call_entry, entry_of, inner, tear_loop, word

_FRESH, _TRIAL, _DONE, _FAILED = 0, 1, 2, 3
_ITERATIONS = 100
_TOLERANCE = 1e-9
_SMALL_STEP = 1e-8  # an undamped step of this size leaves an error of about its square
_STUCK = 1e-6  # steps of this size that do not shrink are rounding
_SMALLEST_DAMPING = 1e-4
_STEP = {"t": F64, "ode": PTR, "step": PTR}


def define(code: ir.Module) -> None:
    """Add the functions of this file, in the order they need each other."""
    builders: tuple[Callable[[ir.Module], None], ...] = (_solve_linear, _judge, _advance, _restore, _solve_step)
    for build in builders:
        build(code)


def _finite(f: Function, value: Value) -> Value:
    return f.builder.fcmp_ordered("<", value, F64(float("inf")))


def _jacobian(code: ir.Module, f: Function) -> None:
    call_entry(code, f, entry_of(f, f["step"], "jacobian"), word(f, f["step"], "values"))


def _residual(code: ir.Module, f: Function) -> None:
    inner(code, f)
    call_entry(code, f, entry_of(f, f["step"], "residual"))


def _solve_linear(code: ir.Module) -> None:
    """Closed formulas, or one correction; matrices that stay, or that blocks have in common, are factored once."""
    f = Function(code, "solve_linear", _STEP, I32)
    b, step, w = f.builder, f["step"], f.word(f["ode"], O["w"])
    blocks = word(f, step, "blocks", I64)
    _closed(code, f)
    _residual(code, f)
    factored = f.place(step, I64(S["factored"]), I64)
    kept = b.mul(f.get(factored, I64), word(f, step, "constant", I64))
    with b.if_then(b.icmp_signed("==", kept, I64(0))):
        _jacobian(code, f)
        with (
            f.loop(I64(0), blocks) as k,
            b.if_then(b.icmp_signed("==", f.index(word(f, step, "same"), k), k)),
        ):
            status = b.call(code.get_global("block_factor"), [step, k])
            with b.if_then(b.icmp_signed("!=", status, I32(0))):
                b.ret(I32(1))
        f.put(factored, I64(1))
    x = word(f, step, "x")
    with f.loop(I64(0), blocks) as k:
        length = b.call(code.get_global("correction"), [f["ode"], step, k])
        with b.if_then(b.not_(_finite(f, length))):
            b.ret(I32(1))
        tear_loop(f, k, lambda j, place: f.set(w, place, b.fsub(f.double(w, place), f.double(x, j))))
    inner(code, f)
    b.ret(I32(0))


def _closed(code: ir.Module, f: Function) -> None:
    """Return if closed formulas give a solution; where they do not, the tears start from zero."""
    b, step, w = f.builder, f["step"], f.word(f["ode"], O["w"])
    with b.if_then(b.icmp_signed("!=", word(f, step, "closed_count", I64), I64(0))):
        call_entry(code, f, entry_of(f, step, "closed"))
        places, doubt = word(f, step, "tear_place"), f.variable(F64, F64(0.0))
        with f.loop(I64(0), word(f, step, "tears", I64)) as j:
            value = f.double(w, f.index(places, j))
            f.put(doubt, b.fadd(f.get(doubt), b.fsub(value, value)))  # zero, or not a number
        with b.if_then(b.fcmp_ordered("==", f.get(doubt), F64(0.0))):
            b.ret(I32(0))
        with f.loop(I64(0), word(f, step, "tears", I64)) as j:
            f.set(w, f.index(places, j), F64(0.0))


def _status(f: Function, block: Value) -> Value:
    return f.place(word(f, f["step"], "status"), block, I64)


def _judge(code: ir.Module) -> None:
    """Accept the trial of a block, finish it, or go back half the way."""
    f = Function(code, "judge", {"ode": PTR, "step": PTR, "block": I64})
    b, step, block, w = f.builder, f["step"], f["block"], f.word(f["ode"], O["w"])
    x, base, change = (word(f, step, name) for name in ("x", "base", "change"))
    damping = f.place(word(f, step, "damping"), block)
    factor, size = f.get(damping), f.double(word(f, step, "length"), block)
    next_size = b.call(code.get_global("correction"), [f["ode"], step, block])
    wanted = b.fmul(b.fsub(F64(1.0), b.fmul(F64(0.25), factor)), size)
    wanted = b.select(b.fcmp_ordered(">", wanted, F64(_TOLERANCE)), wanted, F64(_TOLERANCE))
    undamped = b.fcmp_ordered("==", factor, F64(1.0))
    with b.if_then(b.fcmp_ordered("<=", next_size, wanted)):
        close = b.and_(undamped, b.fcmp_ordered("<=", next_size, F64(_TOLERANCE)))
        f.put(_status(f, block), b.select(close, I64(_DONE), I64(_FRESH)))
        with b.if_then(close):
            tear_loop(f, block, lambda j, place: f.set(w, place, b.fsub(f.double(w, place), f.double(x, j))))
        b.ret_void()
    stuck = b.and_(b.fcmp_ordered("<=", size, F64(_STUCK)), _finite(f, next_size))
    with b.if_then(b.and_(undamped, stuck)):
        f.put(_status(f, block), I64(_DONE))
        b.ret_void()
    factor = b.fmul(factor, F64(0.5))
    f.put(damping, factor)
    with b.if_then(b.fcmp_ordered("<", factor, F64(_SMALLEST_DAMPING))):
        f.put(_status(f, block), I64(_FAILED))
    tear_loop(
        f, block, lambda j, place: f.set(w, place, b.fadd(f.double(base, j), b.fmul(factor, f.double(change, j))))
    )
    b.ret_void()


def _advance(code: ir.Module) -> None:
    """A new Newton step for a block whose residual and Jacobian are up to date."""
    f = Function(code, "advance", {"ode": PTR, "step": PTR, "block": I64})
    b, step, block, w = f.builder, f["step"], f["block"], f.word(f["ode"], O["w"])
    x, base, change = (word(f, step, name) for name in ("x", "base", "change"))
    f.put(_status(f, block), I64(_FAILED))
    singular = b.call(code.get_global("block_factor"), [step, block])
    with b.if_then(b.icmp_signed("!=", singular, I32(0))):
        b.ret_void()
    length = b.call(code.get_global("correction"), [f["ode"], step, block])
    with b.if_then(b.not_(_finite(f, length))):
        b.ret_void()

    def take(j: Value, place: Value) -> None:
        f.set(base, j, f.double(w, place))
        f.set(change, j, b.fneg(f.double(x, j)))
        f.set(w, place, b.fsub(f.double(w, place), f.double(x, j)))

    tear_loop(f, block, take)
    f.set(word(f, step, "length"), block, length)
    f.set(word(f, step, "damping"), block, F64(1.0))
    small = b.fcmp_ordered("<=", length, F64(_SMALL_STEP))
    f.put(_status(f, block), b.select(small, I64(_DONE), I64(_TRIAL)))
    b.ret_void()


def _restore(code: ir.Module) -> None:
    """Back to the guess: a failed solution must not be the next one's start."""
    f = Function(code, "restore", {"ode": PTR, "step": PTR})
    w, before, places = f.word(f["ode"], O["w"]), word(f, f["step"], "before"), word(f, f["step"], "tear_place")
    with f.loop(I64(0), word(f, f["step"], "tears", I64)) as j:
        f.set(w, f.index(places, j), f.double(before, j))
    f.builder.ret_void()


def _solve_step(code: ir.Module) -> None:
    """Solve all blocks of a step; 1 when one of them has no solution near the guess."""
    f = Function(code, "solve_step", _STEP, I32)
    b, step, ode = f.builder, f["step"], f["ode"]
    with b.if_then(b.icmp_signed("!=", word(f, step, "linear", I64), I64(0))):
        b.ret(b.call(code.get_global("solve_linear"), [f["t"], ode, step]))
    w, before, places = f.word(ode, O["w"]), word(f, step, "before"), word(f, step, "tear_place")
    blocks = word(f, step, "blocks", I64)
    with f.loop(I64(0), word(f, step, "tears", I64)) as j:
        f.set(before, j, f.double(w, f.index(places, j)))
    with f.loop(I64(0), blocks) as k:
        f.put(_status(f, k), I64(_FRESH))
    seen = [f.variable(I64, I64(0)) for _ in range(4)]  # whether some block has each status

    def review(act: str, on: int) -> None:
        for place in seen:
            f.put(place, I64(0))
        with f.loop(I64(0), blocks) as k:
            with b.if_then(b.icmp_signed("==", f.get(_status(f, k), I64), I64(on))):
                b.call(code.get_global(act), [ode, step, k])
            for number, place in enumerate(seen):
                here = b.icmp_signed("==", f.get(_status(f, k), I64), I64(number))
                f.put(place, b.or_(f.get(place, I64), b.zext(here, I64)))
        with b.if_then(b.icmp_signed("!=", f.get(seen[_FAILED], I64), I64(0))):
            b.call(code.get_global("restore"), [ode, step])
            b.ret(I32(1))

    with f.loop(I64(0), I64(_ITERATIONS)):
        _residual(code, f)
        review("judge", _TRIAL)
        with b.if_then(b.icmp_signed("!=", f.get(seen[_FRESH], I64), I64(0))):
            _jacobian(code, f)
            review("advance", _FRESH)
        with b.if_then(b.icmp_signed("==", f.get(seen[_TRIAL], I64), I64(0))):
            inner(code, f)
            b.ret(I32(0))
    b.call(code.get_global("restore"), [ode, step])
    b.ret(I32(1))
