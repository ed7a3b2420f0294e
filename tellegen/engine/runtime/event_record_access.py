"""What the event kernels have in common: words of the record, entry points, and what a relation is worth."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from tellegen.engine.native.llvm_builder import F64, I64, PTR, VOID, Function, Value
from tellegen.engine.runtime.event_record_layout import E
from tellegen.ir.events import OPERATORS

_NEAR = 1e-14  # of the time: relations of time that close to zero stand at their instant
_GREATER, _STRICTLY_GREATER, _STRICTLY_LESS = 2, OPERATORS["gt"], OPERATORS["lt"]


def w(f: Function, name: str, kind: Any = PTR) -> Value:
    """A word of the record of events, the argument `ev`."""
    return f.word(f["ev"], E[name], kind)


def put(f: Function, name: str, value: Value) -> None:
    """Set a word of the record."""
    f.put(f.place(f["ev"], I64(E[name]), I64), value)


def ints(f: Function, table: str, k: Value) -> Value:
    """An element of a table of integers."""
    return f.index(w(f, table), k)


def call_entry(code: ir.Module) -> None:
    """Compute the numbers of an entry point (its number in ENTRIES) at a time."""
    f = Function(code, "event_call", {"ev": PTR, "t": F64, "entry": I64, "out": PTR})
    b = f.builder
    words = f.place(f["ev"], b.add(I64(E["differences_calls"]), b.mul(f["entry"], I64(3))), I64)
    calls, tables = f.word(words, 0), f.word(words, 2)
    arrays = [w(f, name) for name in ("y", "yp", "p")]
    with f.loop(I64(0), f.word(words, 1, I64)) as k:
        f.call(b.load(f.place(calls, k, I64), typ=PTR), VOID, f["t"], *arrays, f["out"], tables)
    b.ret_void()


def truth(f: Function, g: Value, operator: Value, old: Value, band: Value) -> Value:
    """A relation, given left - right. Within the band around zero it stays as it was; the band is zero as a rule."""
    b = f.builder
    greater = b.icmp_signed(">=", operator, I64(_GREATER))
    down = b.icmp_unsigned("==", greater, old)  # what makes it switch lies below zero
    limit = b.select(down, b.fneg(band), band)
    above = b.select(
        b.icmp_signed("==", operator, I64(_STRICTLY_GREATER)),
        b.fcmp_ordered(">", g, limit),
        b.fcmp_ordered(">=", g, limit),
    )
    below = b.select(
        b.icmp_signed("==", operator, I64(_STRICTLY_LESS)),
        b.fcmp_ordered("<", g, limit),
        b.fcmp_ordered("<=", g, limit),
    )
    return b.select(greater, above, below)


def truth_of_time(code: ir.Module, f: Function, g: Value, operator: Value, t: Value) -> Value:
    """A relation of time as it will be just after the instant; `t` is the time in the units of left - right."""
    b = f.builder
    absolute = code.declare_intrinsic("llvm.fabs", [F64])
    small = b.fcmp_ordered("<=", b.call(absolute, [g]), b.fmul(F64(_NEAR), b.call(absolute, [t])))
    g = b.select(small, F64(0.0), g)
    greater = b.icmp_signed(">=", operator, I64(_GREATER))
    return b.select(greater, b.fcmp_ordered(">=", g, F64(0.0)), b.fcmp_ordered("<", g, F64(0.0)))


def is_above(f: Function, k: Value) -> Value:
    """Whether left - right of relation k is positive while its flag stays as it is."""
    b = f.builder
    raised = b.fcmp_ordered(">", f.double(w(f, "p"), ints(f, "relation_flag", k)), F64(0.5))
    greater = b.icmp_signed(">=", ints(f, "relation_operator", k), I64(_GREATER))
    return b.icmp_unsigned("==", raised, greater)


def grow(code: ir.Module, f: Function, g: Value, k: Value) -> Value:
    """How large left - right of relation k has been so far, this value included; the absolute value is returned."""
    b, sizes = f.builder, w(f, "sizes")
    size = b.call(code.declare_intrinsic("llvm.fabs", [F64]), [g])
    f.set(sizes, k, b.select(b.fcmp_ordered(">", size, f.double(sizes, k)), size, f.double(sizes, k)))
    return size
