"""Native dense output of a Runge-Kutta step: a polynomial of order 4 through its ends, and output times on it."""

from __future__ import annotations

from llvmlite import ir

from tellegen.engine.native.llvm_builder import F64, I32, I64, PTR, Function, Value
from tellegen.engine.runtime.dormand_prince_tableau import D
from tellegen.engine.runtime.rk_record import NOT_FINITE, POLE, put, w


def stages_of(f: Function) -> list[Value]:
    """The addresses of the stages; read once, for LLVM cannot know that no loop changes them."""
    k, n = w(f, "k"), w(f, "count", I64)
    return [f.place(k, f.builder.mul(n, I64(stage))) for stage in range(7)]


def combined(f: Function, weights: tuple[float, ...], k: list[Value], i: Value) -> Value:
    """sum(weights * k) for component i."""
    b, total = f.builder, F64(0.0)
    for stage, weight in zip(k, weights, strict=False):
        if weight:
            total = b.fadd(total, b.fmul(F64(weight), f.double(stage, i)))
    return total


def _prepare_dense(code: ir.Module) -> None:
    """The five vectors of the interpolating polynomial of the step just made."""
    f = Function(code, "rk_dense", {"rk": PTR, "h": F64})
    b, n, h, dense, k = f.builder, w(f, "count", I64), f["h"], w(f, "dense"), stages_of(f)
    x, trial = w(f, "x"), w(f, "trial")
    parts = [f.place(dense, b.mul(n, I64(part))) for part in range(5)]
    with f.loop(I64(0), n) as i:
        old = f.double(x, i)
        change = b.fsub(f.double(trial, i), old)
        first = b.fsub(b.fmul(h, f.double(k[0], i)), change)
        values = (
            old,
            change,
            first,
            b.fsub(b.fsub(change, b.fmul(h, f.double(k[6], i))), first),
            b.fmul(h, combined(f, D, k, i)),
        )
        for part, value in zip(parts, values, strict=True):
            f.set(part, i, value)
    b.ret_void()


def _interpolate(code: ir.Module) -> None:
    """The states at a part of the step just made, into `stage`."""
    f = Function(code, "rk_interpolate", {"rk": PTR, "part": F64})
    b, n, stage, dense, s = f.builder, w(f, "count", I64), w(f, "stage"), w(f, "dense"), f["part"]
    parts = [f.place(dense, b.mul(n, I64(part))) for part in range(5)]
    rest = b.fsub(F64(1.0), s)
    with f.loop(I64(0), n) as i:
        c = [f.double(part, i) for part in parts]
        inner = b.fadd(c[2], b.fmul(s, b.fadd(c[3], b.fmul(rest, c[4]))))
        f.set(stage, i, b.fadd(c[0], b.fmul(s, b.fadd(c[1], b.fmul(rest, inner)))))
    b.ret_void()


def _emit(code: ir.Module) -> None:
    """All output times up to `end`; a negative flag when the model cannot be evaluated at one of them."""
    f = Function(code, "rk_emit", {"rk": PTR, "h": F64, "end": F64}, I32)
    b, t, h = f.builder, w(f, "t", F64), f["h"]
    end, times, stage = f["end"], w(f, "times"), w(f, "stage")
    ready = f.variable(I64, I64(0))
    with f.forever():
        k = w(f, "first", I64)
        with b.if_then(b.icmp_signed(">=", k, w(f, "last", I64))):
            b.ret(I32(0))
        wanted = f.double(times, k)
        with b.if_then(b.fcmp_ordered(">", wanted, end)):
            b.ret(I32(0))
        with b.if_then(b.icmp_signed("==", f.get(ready, I64), I64(0))):
            b.call(code.get_global("rk_dense"), [f["rk"], h])
            f.put(ready, I64(1))
        part = b.select(b.fcmp_ordered(">", h, F64(0.0)), b.fdiv(b.fsub(wanted, t), h), F64(0.0))
        b.call(code.get_global("rk_interpolate"), [f["rk"], part])
        row = f.place(w(f, "output"), b.mul(k, w(f, "size", I64)))
        status = b.call(code.get_global("keep_row"), [wanted, w(f, "ode"), stage, w(f, "rates"), row])
        with b.if_then(b.icmp_signed("!=", status, I32(0))):
            b.ret(b.select(b.icmp_signed("==", status, I32(1)), I32(NOT_FINITE), I32(POLE)))
        put(f, "first", b.add(k, I64(1)))


BUILDERS = (_prepare_dense, _interpolate, _emit)
