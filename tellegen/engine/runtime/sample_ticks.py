"""Native ticks: when the samples of a model are due, and which of them are.

An instant is computed from its number, never summed up. Numbers and instants of several clocks agree but for roundings,
of the time and of the largest offset: ticks are sums with it.
"""

from __future__ import annotations

from llvmlite import ir

from tellegen.engine.native.llvm_builder import F64, I32, I64, PTR, Function
from tellegen.engine.runtime.event_record_access import ints, put, w

_SAME_TICK = 1e-9  # part of a period by which the start of a run may miss a tick
_ROUNDINGS = 16 * 2.220446049250313e-16  # of the time: ticks of several clocks that close are one instant


def _clock(code: ir.Module) -> None:
    """Find the next tick of every sample: at this time or after it, or strictly after it."""
    f = Function(code, "event_clock", {"ev": PTR, "strictly": I32})
    b, values, t = f.builder, w(f, "samples"), w(f, "t", F64)
    up, down = (code.declare_intrinsic(f"llvm.{name}", [F64]) for name in ("ceil", "floor"))
    count = w(f, "sample_count", I64)
    with b.if_then(b.icmp_signed("==", count, I64(0))):
        b.ret_void()
    b.call(code.get_global("event_call"), [f["ev"], t, I64(2), values])
    strictly = b.icmp_signed("!=", f["strictly"], I32(0))
    absolute, largest = code.declare_intrinsic("llvm.fabs", [F64]), f.variable(F64, F64(0.0))
    with f.loop(I64(0), count) as k:
        twice = b.mul(k, I64(2))
        start, period = f.double(values, twice), f.double(values, b.add(twice, I64(1)))
        offset = b.call(absolute, [start])
        f.put(largest, b.select(b.fcmp_ordered(">", offset, f.get(largest)), offset, f.get(largest)))
        ticks = b.fdiv(b.fsub(t, start), period)
        rounding = b.fdiv(b.fmul(F64(_ROUNDINGS), b.fadd(offset, b.call(absolute, [t]))), period)
        slack = b.fadd(F64(_SAME_TICK), rounding)
        at_least = b.call(up, [b.fsub(ticks, slack)])
        after = b.fadd(b.call(down, [b.fadd(ticks, slack)]), F64(1.0))
        tick = b.select(strictly, after, at_least)
        tick = b.select(b.fcmp_ordered(">", tick, F64(0.0)), tick, F64(0.0))
        f.set(w(f, "tick"), k, tick)
        f.set(w(f, "tick_time"), k, b.fadd(start, b.fmul(tick, period)))
    put(f, "offset_size", f.get(largest))
    b.ret_void()


def _samples(code: ir.Module) -> None:
    """Raise the flags of samples whose tick is due now, and continue to their next one; with `lower` take all down."""
    f = Function(code, "event_samples", {"ev": PTR, "lower": I32})
    b, p, values, t = f.builder, w(f, "p"), w(f, "samples"), w(f, "t", F64)
    absolute, lower = code.declare_intrinsic("llvm.fabs", [F64]), b.icmp_signed("!=", f["lower"], I32(0))
    near = b.fmul(
        F64(_ROUNDINGS), b.fadd(b.call(absolute, [t]), w(f, "offset_size", F64))
    )  # ticks are sums with offsets
    tick, times = w(f, "tick"), w(f, "tick_time")
    with f.loop(I64(0), w(f, "sample_count", I64)) as k:
        apart = b.call(absolute, [b.fsub(t, f.double(times, k))])
        due = b.and_(b.fcmp_ordered("<=", apart, near), b.not_(lower))
        f.set(p, ints(f, "sample_flag", k), b.select(due, F64(1.0), F64(0.0)))
        with b.if_then(due):
            twice = b.mul(k, I64(2))
            start, period = f.double(values, twice), f.double(values, b.add(twice, I64(1)))
            number = b.fadd(f.double(tick, k), F64(1.0))
            f.set(tick, k, number)
            f.set(times, k, b.fadd(start, b.fmul(number, period)))
    b.ret_void()


BUILDERS = (_clock, _samples)
