"""Native explicit Runge-Kutta of order 5(4) with dense output of order 4, PI step control and a stiffness test.

The pair of Dormand and Prince (J. Comput. Appl. Math. 6, 1980) with the dense output, the controller and the test of
DOPRI5 (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, 1993, sec. II.4-6 and IV.2): the step is
stiff when |h lambda|, estimated from the last two stages, stays at the border of the region of stability.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log2

from llvmlite import ir

from tellegen.engine.native.llvm_builder import F64, I32, I64, PTR, Function, Value
from tellegen.engine.runtime import approximate_log_pow as rough
from tellegen.engine.runtime import rk_dense_output as rk_dense
from tellegen.engine.runtime import rk_root_search as rk_roots
from tellegen.engine.runtime.dormand_prince_tableau import NODES, A, E
from tellegen.engine.runtime.rk_dense_output import combined, stages_of
from tellegen.engine.runtime.rk_record import NOT_FINITE, STIFF, TOO_MANY, TOO_SMALL, put, w

_BETA, _SAFETY, _SHRINK, _GROW = 0.04, 0.9, 0.2, 10.0  # the step is multiplied by a factor between SHRINK and GROW
_ROUNDING = 1e-13  # part of the states below which their differences tell nothing
_STIFF_BORDER, _STIFF_MANY, _CALM_MANY = 3.0, 15, 6
_LEAST_LOG = log2(1e-4)  # of the error of a step; smaller ones do not count


def define(code: ir.Module) -> None:
    """Add the functions of this file; ode_rhs and keep_row (engine/runtime/ode_rhs.py) are there already."""
    builders: tuple[Callable[[ir.Module], None], ...] = (
        _begin,
        _stages,
        _error,
        _stiffness,
        *rk_dense.BUILDERS,
        _run,
    )
    for build in builders:
        build(code)


def _rhs(f: Function, t: Value, x: Value, rates: Value) -> Value:
    """Whether the right-hand side could not be evaluated."""
    called = f.builder.call(f.function.module.get_global("ode_rhs"), [t, w(f, "ode"), x, rates])
    return f.builder.icmp_signed("!=", called, I32(0))


def _begin(code: ir.Module) -> None:
    """The first stage at t and x, and a first step (Hairer, sec. II.4).

    The step changes the states by about a hundredth of what the tolerances resolve, to the root.
    """
    f = Function(code, "rk_begin", {"rk": PTR})
    b, n, k = f.builder, w(f, "count", I64), stages_of(f)
    x, stage, atol, rtol, t = w(f, "x"), w(f, "stage"), w(f, "atol"), w(f, "rtol", F64), w(f, "t", F64)
    absolute, root, power = (code.declare_intrinsic(f"llvm.{name}", [F64]) for name in ("fabs", "sqrt", "pow"))

    def least(*values: Value) -> Value:
        out = values[0]
        for value in values[1:]:
            out = b.select(b.fcmp_ordered("<", value, out), value, out)
        return out

    def size(component: Callable[[Value], Value]) -> Value:
        total = f.variable(F64, F64(0.0))
        with f.loop(I64(0), n) as i:
            scale = b.fadd(f.double(atol, i), b.fmul(rtol, b.call(absolute, [f.double(x, i)])))
            ratio = b.fdiv(component(i), scale)
            f.put(total, b.fadd(f.get(total), b.fmul(ratio, ratio)))
        return b.call(root, [b.fdiv(f.get(total), b.sitofp(some, F64))])

    some = b.select(b.icmp_signed(">", n, I64(0)), n, I64(1))
    for name in ("stiff_steps", "calm_steps"):
        put(f, name, I64(0))
    put(f, "log_error", F64(_LEAST_LOG))
    _rhs(f, t, x, k[0])
    rk_roots.watch(f, t, 0)
    length, speed = size(lambda i: f.double(x, i)), size(lambda i: f.double(k[0], i))
    slow = b.fcmp_ordered("<", least(length, speed), F64(1e-5))
    most = w(f, "h_most", F64)
    h = least(b.select(slow, F64(1e-6), b.fdiv(b.fmul(F64(0.01), length), speed)), most)
    with f.loop(I64(0), n) as i:
        f.set(stage, i, b.fadd(f.double(x, i), b.fmul(h, f.double(k[0], i))))
    put(f, "h", b.fmul(F64(1e-3), h))
    with b.if_then(_rhs(f, b.fadd(t, h), stage, k[1])):
        b.ret_void()
    bend = b.fdiv(size(lambda i: b.fsub(f.double(k[1], i), f.double(k[0], i))), h)
    strongest = b.select(b.fcmp_ordered(">", speed, bend), speed, bend)
    calm = b.fcmp_ordered("<=", strongest, F64(1e-15))
    longer = b.fmul(F64(1e-3), h)
    longer = b.select(b.fcmp_ordered(">", longer, F64(1e-6)), longer, F64(1e-6))
    further = b.select(calm, longer, b.call(power, [b.fdiv(F64(0.01), strongest), F64(0.2)]))
    put(f, "h", least(b.fmul(F64(100.0), h), further, most))
    b.ret_void()


def _stages(code: ir.Module) -> None:
    """Stages 2 to 7 of a step from x with k1 given; the last one is at the new point `trial`. 1: not finite."""
    f = Function(code, "rk_stages", {"rk": PTR, "h": F64}, I32)
    b, n, k = f.builder, w(f, "count", I64), stages_of(f)
    x, t, h = w(f, "x"), w(f, "t", F64), f["h"]
    put(f, "suspect", I64(0))
    for number in range(1, 7):
        target = w(f, "trial" if number == 6 else "stage")
        with f.loop(I64(0), n) as i:
            *older, last = A[number]  # all but the stage just computed is ready while that is waited for
            base = b.fadd(f.double(x, i), b.fmul(h, combined(f, tuple(older), k, i)))
            newest = b.fmul(b.fmul(h, F64(last)), f.double(k[number - 1], i))
            f.set(target, i, b.fadd(base, newest))
        at = b.fadd(t, b.fmul(F64(NODES[number]), h))
        with b.if_then(_rhs(f, at, target, k[number])):
            b.ret(I32(1))
        rk_roots.watch(f, at, number)
    b.ret(I32(0))


def _error(code: ir.Module) -> None:
    """The square of the error of a step relative to the tolerances: the mean of those of the states."""
    f = Function(code, "rk_error", {"rk": PTR, "h": F64}, F64)
    b, n, k = f.builder, w(f, "count", I64), stages_of(f)
    x, trial, atol, rtol = w(f, "x"), w(f, "trial"), w(f, "atol"), w(f, "rtol", F64)
    absolute = code.declare_intrinsic("llvm.fabs", [F64])
    total = f.variable(F64, F64(0.0))
    with f.loop(I64(0), n) as i:
        old, new = (b.call(absolute, [f.double(vector, i)]) for vector in (x, trial))
        larger = b.select(b.fcmp_ordered(">", old, new), old, new)
        allowed = b.fadd(f.double(atol, i), b.fmul(rtol, larger))
        ratio = b.fdiv(b.fmul(f["h"], combined(f, E, k, i)), allowed)
        f.put(total, b.fadd(f.get(total), b.fmul(ratio, ratio)))
    some = b.select(b.icmp_signed(">", n, I64(0)), n, I64(1))
    b.ret(b.fdiv(f.get(total), b.sitofp(some, F64)))


def _stiffness(code: ir.Module) -> None:
    """Count steps at the border of stability; enough of them in a row mark the model as stiff."""
    f = Function(code, "rk_stiffness", {"rk": PTR, "h": F64})
    b, n, k = f.builder, w(f, "count", I64), stages_of(f)
    trial, stage = w(f, "trial"), w(f, "stage")
    above, below, size = (f.variable(F64, F64(0.0)) for _ in range(3))
    with f.loop(I64(0), n) as i:
        for place, difference in (
            (above, b.fsub(f.double(k[6], i), f.double(k[5], i))),
            (below, b.fsub(f.double(trial, i), f.double(stage, i))),
            (size, f.double(trial, i)),
        ):
            f.put(place, b.fadd(f.get(place), b.fmul(difference, difference)))
    squared = b.fdiv(b.fmul(b.fmul(f["h"], f["h"]), f.get(above)), f.get(below))
    at_border = b.fcmp_ordered(">", squared, F64(_STIFF_BORDER**2))
    told = b.fcmp_ordered(">", f.get(below), b.fmul(F64(_ROUNDING**2), f.get(size)))  # a parabola leaves but roundings
    at_border = b.and_(at_border, told)
    with b.if_else(at_border) as (yes, no):
        with yes:
            put(f, "calm_steps", I64(0))
            many = b.add(w(f, "stiff_steps", I64), I64(1))
            put(f, "stiff_steps", many)
            with b.if_then(b.icmp_signed(">=", many, I64(_STIFF_MANY))):
                put(f, "is_stiff", I64(1))
        with no:
            calm = b.add(w(f, "calm_steps", I64), I64(1))
            put(f, "calm_steps", calm)
            with b.if_then(b.icmp_signed(">=", calm, I64(_CALM_MANY))):
                put(f, "stiff_steps", I64(0))
    b.ret_void()


def _copy(f: Function, source: Value, target: Value) -> None:
    with f.loop(I64(0), w(f, "count", I64)) as i:
        f.set(target, i, f.double(source, i))


def _accept(code: ir.Module, f: Function, h: Value, log_error: Value) -> None:
    """Output, then the new point, its rates as the next first stage, and the next step."""
    b = f.builder
    b.call(code.get_global("rk_stiffness"), [f["rk"], h])
    rk_roots.stop_at_root(f, h)
    end = b.fadd(w(f, "t", F64), h)
    arrived = b.fcmp_ordered(">=", b.fadd(end, b.fmul(F64(1e-12), h)), w(f, "stop", F64))
    end = b.select(arrived, w(f, "stop", F64), end)
    rk_roots.note_past(f, h, F64(1.0))
    status = b.call(code.get_global("rk_emit"), [f["rk"], h, end])
    with b.if_then(b.icmp_signed("!=", status, I32(0))):
        b.ret(status)
    rk_roots.keep_last(f)
    _copy(f, w(f, "trial"), w(f, "x"))
    stages = stages_of(f)
    _copy(f, stages[6], stages[0])
    put(f, "t", end)
    least = F64(_LEAST_LOG)
    put(f, "log_error", b.select(b.fcmp_ordered(">", log_error, least), log_error, least))
    patience = w(f, "patience", I64)
    wearing = b.fcmp_ordered(">", b.fsub(w(f, "horizon", F64), end), b.fmul(b.sitofp(patience, F64), h))
    stiff = b.and_(b.icmp_signed("!=", w(f, "is_stiff", I64), I64(0)), b.icmp_signed(">", patience, I64(0)))
    with b.if_then(b.and_(stiff, wearing)):
        b.ret(I32(STIFF))


def _run(code: ir.Module) -> None:
    """Steps until the output times first..last-1 are done; 0, or a negative flag."""
    f = Function(code, "rk_run", {"rk": PTR}, I32)
    b = f.builder
    with f.forever():
        with b.if_then(b.icmp_signed(">=", w(f, "first", I64), w(f, "last", I64))):
            b.ret(I32(0))
        with b.if_then(b.icmp_signed(">=", w(f, "steps", I64), w(f, "most_steps", I64))):
            b.ret(I32(TOO_MANY))
        h = w(f, "h", F64)
        for most in (w(f, "h_most", F64), w(f, "h_seen", F64)):
            h = b.select(b.fcmp_ordered("<", h, most), h, most)
        left = b.fsub(w(f, "stop", F64), w(f, "t", F64))
        with b.if_then(b.fcmp_ordered("<=", left, F64(0.0))):  # the end of a stretch was reached in a call before
            b.ret(b.call(code.get_global("rk_emit"), [f["rk"], F64(0.0), w(f, "t", F64)]))
        h = b.select(b.fcmp_ordered(">", b.fmul(F64(1.01), h), left), left, h)
        failed = b.icmp_signed("!=", b.call(code.get_global("rk_stages"), [f["rk"], h]), I32(0))
        measured = b.call(code.get_global("rk_error"), [f["rk"], h])
        bad = b.or_(failed, b.not_(b.fcmp_ordered("<", measured, F64(float("inf")))))
        squared = rk_roots.judged(f, b.select(bad, F64(1e20), measured), h)
        kept = b.fcmp_ordered("<=", squared, F64(1.0))
        log_error = b.fmul(F64(0.5), rough.log2(b, squared))
        plain = b.fmul(F64(0.2 - 0.75 * _BETA), log_error)
        steady = b.fsub(plain, b.fmul(F64(_BETA), w(f, "log_error", F64)))
        growth = b.fmul(F64(_SAFETY), rough.exp2(b, b.fneg(b.select(kept, steady, plain))))
        for limit, sign in ((_GROW, ">"), (_SHRINK, "<")):
            growth = b.select(b.fcmp_ordered(sign, growth, F64(limit)), F64(limit), growth)
        proposed = b.fmul(h, growth)
        put(f, "h", proposed)
        with b.if_else(kept) as (yes, no):
            with yes:
                put(f, "steps", b.add(w(f, "steps", I64), I64(1)))
                put(f, "h_seen", b.fmul(F64(rk_roots.RELAXED), w(f, "h_seen", F64)))
                _accept(code, f, h, log_error)
            with no:
                put(f, "rejected", b.add(w(f, "rejected", I64), I64(1)))
                with b.if_then(b.fcmp_ordered("<", proposed, w(f, "h_least", F64))):
                    b.ret(b.select(failed, I32(NOT_FINITE), I32(TOO_SMALL)))
