"""Native explicit Runge-Kutta of order 5(4) with dense output of order 4, PI step control and a stiffness test.

The pair of Dormand and Prince (J. Comput. Appl. Math. 6, 1980) with the dense output, the controller and the test of
DOPRI5 (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, 1993, sec. II.4-6 and IV.2): the step is
stiff when |h lambda|, estimated from the last two stages, stays at the border of the region of stability.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from tellegen.engine.emit import F64, I32, I64, PTR, Function, Value

RK = (
    *("ode", "count", "size", "x", "trial", "stage", "k", "rates", "atol", "rtol", "t", "h", "h_most", "h_least"),
    *("stop", "times", "first", "last", "output", "steps", "rejected", "most_steps", "error_before", "stiff_steps"),
    *("calm_steps", "is_stiff", "dense", "ode_rhs", "keep_row"),
)
"""Words of the record of one integration; k holds seven stages, dense five vectors."""

R = {name: k for k, name in enumerate(RK)}
_NODES = (0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
_A: tuple[tuple[float, ...], ...] = (
    (),
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
_E = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)
_D = (
    -12715105075 / 11282082432,
    0.0,
    87487479700 / 32700410799,
    -10690763975 / 1880347072,
    701980252875 / 199316789632,
    -1453857185 / 822651844,
    69997945 / 29380423,
)
_BETA, _SAFETY, _SHRINK, _GROW = 0.04, 0.9, 5.0, 0.1  # the step is divided by a factor between GROW and SHRINK
_STIFF_BORDER, _STIFF_MANY, _CALM_MANY = 3.0, 15, 6
TOO_SMALL, TOO_MANY, NOT_FINITE, POLE = -3, -1, -10, -1003
"""Flags, as CVODE would give them; POLE is of engine/outcome.py."""


def define(code: ir.Module) -> None:
    """Add the functions of this file; ode_rhs and keep_row (engine/ode_kernels.py) are reached by address."""
    builders: tuple[Callable[[ir.Module], None], ...] = (_stages, _error, _stiffness, _prepare_dense, _emit, _run)
    for build in builders:
        build(code)


def _w(f: Function, name: str, kind: Any = PTR) -> Value:
    return f.word(f["rk"], R[name], kind)


def _put(f: Function, name: str, value: Value) -> None:
    f.put(f.place(f["rk"], I64(R[name]), I64), value)


def _k(f: Function, stage: int) -> Value:
    return f.place(_w(f, "k"), f.builder.mul(_w(f, "count", I64), I64(stage)))


def _combined(f: Function, weights: tuple[float, ...], i: Value) -> Value:
    """sum(weights * k) for component i."""
    b, total = f.builder, F64(0.0)
    for stage, weight in enumerate(weights):
        if weight:
            total = b.fadd(total, b.fmul(F64(weight), f.double(_k(f, stage), i)))
    return total


def _stages(code: ir.Module) -> None:
    """Stages 2 to 7 of a step from x with k1 given; the last one is at the new point `trial`. 1: not finite."""
    f = Function(code, "rk_stages", {"rk": PTR, "h": F64}, I32)
    b, n = f.builder, _w(f, "count", I64)
    x, t, h = _w(f, "x"), _w(f, "t", F64), f["h"]
    for number in range(1, 7):
        target = _w(f, "trial" if number == 6 else "stage")
        with f.loop(I64(0), n) as i:
            f.set(target, i, b.fadd(f.double(x, i), b.fmul(h, _combined(f, _A[number], i))))
        at = b.fadd(t, b.fmul(F64(_NODES[number]), h))
        status = f.call(_w(f, "ode_rhs"), I32, at, _w(f, "ode"), target, _k(f, number))
        with b.if_then(b.icmp_signed("!=", status, I32(0))):
            b.ret(I32(1))
    b.ret(I32(0))


def _error(code: ir.Module) -> None:
    """The error of a step relative to the tolerances, root mean square."""
    f = Function(code, "rk_error", {"rk": PTR, "h": F64}, F64)
    b, n = f.builder, _w(f, "count", I64)
    absolute, root = (code.declare_intrinsic(name, [F64]) for name in ("llvm.fabs", "llvm.sqrt"))
    total = f.variable(F64, F64(0.0))
    with f.loop(I64(0), n) as i:
        old, new = (b.call(absolute, [f.double(_w(f, name), i)]) for name in ("x", "trial"))
        larger = b.select(b.fcmp_ordered(">", old, new), old, new)
        allowed = b.fadd(f.double(_w(f, "atol"), i), b.fmul(_w(f, "rtol", F64), larger))
        ratio = b.fdiv(b.fmul(f["h"], _combined(f, _E, i)), allowed)
        f.put(total, b.fadd(f.get(total), b.fmul(ratio, ratio)))
    b.ret(b.call(root, [b.fdiv(f.get(total), b.sitofp(n, F64))]))


def _stiffness(code: ir.Module) -> None:
    """Count steps at the border of stability; enough of them in a row mark the model as stiff."""
    f = Function(code, "rk_stiffness", {"rk": PTR, "h": F64})
    b, n = f.builder, _w(f, "count", I64)
    above, below = f.variable(F64, F64(0.0)), f.variable(F64, F64(0.0))
    with f.loop(I64(0), n) as i:
        for place, difference in (
            (above, b.fsub(f.double(_k(f, 6), i), f.double(_k(f, 5), i))),
            (below, b.fsub(f.double(_w(f, "trial"), i), f.double(_w(f, "stage"), i))),
        ):
            f.put(place, b.fadd(f.get(place), b.fmul(difference, difference)))
    squared = b.fdiv(b.fmul(b.fmul(f["h"], f["h"]), f.get(above)), f.get(below))
    at_border = b.fcmp_ordered(">", squared, F64(_STIFF_BORDER**2))
    with b.if_else(at_border) as (yes, no):
        with yes:
            _put(f, "calm_steps", I64(0))
            many = b.add(_w(f, "stiff_steps", I64), I64(1))
            _put(f, "stiff_steps", many)
            with b.if_then(b.icmp_signed(">=", many, I64(_STIFF_MANY))):
                _put(f, "is_stiff", I64(1))
        with no:
            calm = b.add(_w(f, "calm_steps", I64), I64(1))
            _put(f, "calm_steps", calm)
            with b.if_then(b.icmp_signed(">=", calm, I64(_CALM_MANY))):
                _put(f, "stiff_steps", I64(0))
    b.ret_void()


def _prepare_dense(code: ir.Module) -> None:
    """The five vectors of the interpolating polynomial of the step just made."""
    f = Function(code, "rk_dense", {"rk": PTR, "h": F64})
    b, n, h, dense = f.builder, _w(f, "count", I64), f["h"], _w(f, "dense")
    parts = [f.place(dense, b.mul(n, I64(k))) for k in range(5)]
    with f.loop(I64(0), n) as i:
        old, change = f.double(_w(f, "x"), i), b.fsub(f.double(_w(f, "trial"), i), f.double(_w(f, "x"), i))
        first = b.fsub(b.fmul(h, f.double(_k(f, 0), i)), change)
        values = (
            old,
            change,
            first,
            b.fsub(b.fsub(change, b.fmul(h, f.double(_k(f, 6), i))), first),
            b.fmul(h, _combined(f, _D, i)),
        )
        for part, value in zip(parts, values, strict=True):
            f.set(part, i, value)
    b.ret_void()


def _emit(code: ir.Module) -> None:
    """All output times up to t + h; a negative flag when the model cannot be evaluated at one of them."""
    f = Function(code, "rk_emit", {"rk": PTR, "h": F64}, I32)
    b, n, t, h = f.builder, _w(f, "count", I64), _w(f, "t", F64), f["h"]
    end, times, stage, dense = b.fadd(t, h), _w(f, "times"), _w(f, "stage"), _w(f, "dense")
    parts = [f.place(dense, b.mul(n, I64(k))) for k in range(5)]
    ready = f.variable(I64, I64(0))
    with f.forever():
        k = _w(f, "first", I64)
        with b.if_then(b.icmp_signed(">=", k, _w(f, "last", I64))):
            b.ret(I32(0))
        wanted = f.double(times, k)
        with b.if_then(b.fcmp_ordered(">", wanted, end)):
            b.ret(I32(0))
        with b.if_then(b.icmp_signed("==", f.get(ready, I64), I64(0))):
            b.call(code.get_global("rk_dense"), [f["rk"], h])
            f.put(ready, I64(1))
        s = b.fdiv(b.fsub(wanted, t), h)
        rest = b.fsub(F64(1.0), s)
        with f.loop(I64(0), n) as i:
            c = [f.double(part, i) for part in parts]
            inner = b.fadd(c[2], b.fmul(s, b.fadd(c[3], b.fmul(rest, c[4]))))
            f.set(stage, i, b.fadd(c[0], b.fmul(s, b.fadd(c[1], b.fmul(rest, inner)))))
        row = f.place(_w(f, "output"), b.mul(k, _w(f, "size", I64)))
        status = f.call(_w(f, "keep_row"), I32, wanted, _w(f, "ode"), stage, _w(f, "rates"), row)
        with b.if_then(b.icmp_signed("!=", status, I32(0))):
            b.ret(b.select(b.icmp_signed("==", status, I32(1)), I32(NOT_FINITE), I32(POLE)))
        _put(f, "first", b.add(k, I64(1)))


def _copy(f: Function, source: Value, target: Value) -> None:
    with f.loop(I64(0), _w(f, "count", I64)) as i:
        f.set(target, i, f.double(source, i))


def _accept(code: ir.Module, f: Function, h: Value, error: Value) -> None:
    """Output, then the new point, its rates as the next first stage, and the next step."""
    b = f.builder
    b.call(code.get_global("rk_stiffness"), [f["rk"], h])
    status = b.call(code.get_global("rk_emit"), [f["rk"], h])
    with b.if_then(b.icmp_signed("!=", status, I32(0))):
        b.ret(status)
    _copy(f, _w(f, "trial"), _w(f, "x"))
    _copy(f, _k(f, 6), _k(f, 0))
    end = b.fadd(_w(f, "t", F64), h)
    arrived = b.fcmp_ordered(">=", b.fadd(end, b.fmul(F64(1e-12), h)), _w(f, "stop", F64))
    _put(f, "t", b.select(arrived, _w(f, "stop", F64), end))
    least = F64(1e-4)
    _put(f, "error_before", b.select(b.fcmp_ordered(">", error, least), error, least))


def _run(code: ir.Module) -> None:
    """Steps until the output times first..last-1 are done; 0, or a negative flag."""
    f = Function(code, "rk_run", {"rk": PTR}, I32)
    b = f.builder
    power = code.declare_intrinsic("llvm.pow", [F64])
    with f.forever():
        with b.if_then(b.icmp_signed(">=", _w(f, "first", I64), _w(f, "last", I64))):
            b.ret(I32(0))
        with b.if_then(b.icmp_signed(">=", _w(f, "steps", I64), _w(f, "most_steps", I64))):
            b.ret(I32(TOO_MANY))
        h, most = _w(f, "h", F64), _w(f, "h_most", F64)
        h = b.select(b.fcmp_ordered("<", h, most), h, most)
        left = b.fsub(_w(f, "stop", F64), _w(f, "t", F64))
        h = b.select(b.fcmp_ordered(">", b.fmul(F64(1.01), h), left), left, h)
        failed = b.icmp_signed("!=", b.call(code.get_global("rk_stages"), [f["rk"], h]), I32(0))
        measured = b.call(code.get_global("rk_error"), [f["rk"], h])
        bad = b.or_(failed, b.not_(b.fcmp_ordered("<", measured, F64(float("inf")))))
        error = b.select(bad, F64(1e10), measured)
        kept = b.fcmp_ordered("<=", error, F64(1.0))
        plain = b.call(power, [error, F64(0.2 - 0.75 * _BETA)])
        before = b.call(power, [_w(f, "error_before", F64), F64(_BETA)])
        factor = b.fdiv(b.select(kept, b.fdiv(plain, before), plain), F64(_SAFETY))
        for limit, sign in ((_GROW, "<"), (_SHRINK, ">")):
            factor = b.select(b.fcmp_ordered(sign, factor, F64(limit)), F64(limit), factor)
        _put(f, "h", b.fdiv(h, factor))
        with b.if_else(kept) as (yes, no):
            with yes:
                _put(f, "steps", b.add(_w(f, "steps", I64), I64(1)))
                _accept(code, f, h, error)
            with no:
                _put(f, "rejected", b.add(_w(f, "rejected", I64), I64(1)))
                with b.if_then(b.fcmp_ordered("<", b.fdiv(h, factor), _w(f, "h_least", F64))):
                    b.ret(b.select(failed, I32(NOT_FINITE), I32(TOO_SMALL)))
