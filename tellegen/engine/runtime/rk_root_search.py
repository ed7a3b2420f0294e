"""Events in native Runge-Kutta steps: root functions are watched at every stage and located on the dense output.

Stages come for free: the model has just been evaluated there. One of them on the wrong side, or the end of the step, is
a suspicion; it is looked into with the dense output, which is more accurate than stages are. The root is bracketed by
points of the step and drawn in by straight lines (Illinois), or halved where these do not, down to the rounding of
time. The search is part of the runtime of events; the runtime of steps only knows its addresses.
"""

from __future__ import annotations

from llvmlite import ir

from tellegen.engine.native.llvm_builder import F64, I32, I64, PTR, VOID, Function, Value
from tellegen.engine.runtime.dormand_prince_tableau import NODES
from tellegen.engine.runtime.rk_record import ROOT, put, w
from tellegen.engine.runtime.root_functions import SUSPICIOUS, TOO_LONG

_POINTS = tuple(sorted({*NODES[1:], 0.45, 0.55, 0.65}))  # stages leave out the middle of a step
_LOW, _HIGH, _NEW = 7, 8, 9  # places for root functions behind those of the stages
_MOST = 200
_ROUNDING = 4.0 * 2.220446049250313e-16
_COARSE = 20.0**2  # the squared error that counts for a step too long for its root functions: half of it is tried next
RELAXED = 1.5  # steps that were too long for root functions get longer again by no more than that
_SHORTEST = 1e-3  # part of the longest step below which root functions do not shorten steps


def _has_events(f: Function) -> Value:
    return f.builder.icmp_signed("!=", w(f, "events", I64), I64(0))


def watch(f: Function, t: Value, stage: int) -> None:
    """Keep the root functions of the stage that was just evaluated, and whether one is suspicious."""
    b = f.builder
    with b.if_then(_has_events(f)):
        wrong = f.call(w(f, "event_watch"), I32, w(f, "events"), t, I64(stage))
        if stage:
            put(f, "suspect", b.or_(w(f, "suspect", I64), b.zext(wrong, I64)))


def judged(f: Function, error: Value, h: Value) -> Value:
    """The squared error of a step, large if it is good for the states but too long for a root function."""
    b, result = f.builder, f.variable(F64, error)
    long = b.fcmp_ordered(">", h, b.fmul(F64(_SHORTEST), w(f, "h_most", F64)))
    good = b.fcmp_ordered("<=", error, F64(1.0))
    with b.if_then(b.and_(_has_events(f), b.and_(long, good))):
        found = f.call(w(f, "event_unresolved"), I32, w(f, "events"))
        f.put(result, b.select(b.icmp_signed("==", found, I32(TOO_LONG)), F64(_COARSE), error))
        with b.if_then(b.icmp_signed("==", found, I32(TOO_LONG))):
            put(f, "h_seen", b.fmul(F64(0.5), h))
        suspicious = b.zext(b.icmp_signed("==", found, I32(SUSPICIOUS)), I64)
        put(f, "suspect", b.or_(w(f, "suspect", I64), suspicious))
    return f.get(result)


def note_past(f: Function, h: Value, part: Value) -> None:
    """Keep delayed signals over the first part of a step (engine/runtime/delay_lines.py)."""
    b = f.builder
    with b.if_then(b.icmp_signed("!=", w(f, "past", I64), I64(0))):
        f.call(w(f, "rk_note"), VOID, f["rk"], h, part)


def _note(code: ir.Module) -> None:
    """Note delayed signals at four points of a step: as many as the dense output needs to be followed exactly.

    A step may be as long as the shortest delay; its ends alone would say nothing of what is between.
    """
    f = Function(code, "rk_note", {"rk": PTR, "h": F64, "part": F64})
    b = f.builder
    f.call(w(f, "rk_dense"), VOID, f["rk"], f["h"])
    for quarter in (0.25, 0.5, 0.75, 1.0):
        part = b.fmul(F64(quarter), f["part"])
        t = b.fadd(w(f, "t", F64), b.fmul(part, f["h"]))
        f.call(w(f, "rk_interpolate"), VOID, f["rk"], part)
        failed = f.call(w(f, "ode_rhs"), I32, t, w(f, "ode"), w(f, "stage"), w(f, "rates"))
        with b.if_then(b.icmp_signed("==", failed, I32(0))):
            b.call(code.get_global("event_note"), [w(f, "past"), t])
    b.ret_void()


def keep_last(f: Function) -> None:
    """The root functions at the end of a step are those at the start of the next one."""
    b = f.builder
    with b.if_then(_has_events(f)):
        f.call(w(f, "event_keep"), VOID, w(f, "events"))


def stop_at_root(f: Function, h: Value) -> None:
    """End the run at the first root inside the step just made, if there is one."""
    b = f.builder
    with b.if_then(b.icmp_signed("!=", w(f, "suspect", I64), I64(0))):
        status = f.call(w(f, "rk_stop_at_root"), I32, f["rk"], h)
        with b.if_then(b.icmp_signed("!=", status, I32(0))):
            b.ret(status)


def _stop_at_root(code: ir.Module) -> None:
    """Go back to the first root inside the step just made: t, x and all unknowns stand there. 0: there is none."""
    f = Function(code, "rk_stop_at_root", {"rk": PTR, "h": F64}, I32)
    b, h = f.builder, f["h"]
    part = b.call(code.get_global("rk_locate"), [f["rk"], h])
    with b.if_then(b.fcmp_ordered(">", part, F64(1.0))):
        b.ret(I32(0))
    end = b.fadd(w(f, "t", F64), b.fmul(part, h))
    status = f.call(w(f, "rk_emit"), I32, f["rk"], h, end)
    with b.if_then(b.icmp_signed("<", status, I32(0))):
        b.ret(status)
    note_past(f, h, part)
    b.call(code.get_global("rk_look"), [f["rk"], h, part, I64(_HIGH)])
    x, stage, first, rates = (w(f, name) for name in ("x", "stage", "k", "rates"))
    with f.loop(I64(0), w(f, "count", I64)) as i:
        f.set(x, i, f.double(stage, i))
        f.set(first, i, f.double(rates, i))  # the first stage, should the event change nothing
    put(f, "t", end)
    b.ret(I32(ROOT))


def _look(code: ir.Module) -> None:
    """The model at a part of the step; 1 if a root function is wrong there, or nothing can be computed."""
    f = Function(code, "rk_look", {"rk": PTR, "h": F64, "part": F64, "slot": I64}, I32)
    b = f.builder
    t = b.fadd(w(f, "t", F64), b.fmul(f["part"], f["h"]))
    f.call(w(f, "rk_interpolate"), VOID, f["rk"], f["part"])
    failed = f.call(w(f, "ode_rhs"), I32, t, w(f, "ode"), w(f, "stage"), w(f, "rates"))
    with b.if_then(b.icmp_signed("!=", failed, I32(0))):
        b.ret(I32(1))
    b.ret(b.call(code.get_global("event_watch"), [w(f, "events"), t, f["slot"]]))


def _locate(code: ir.Module) -> None:
    """The part of the step at which the first root lies, just behind it; 2 when it was a false alarm."""
    f = Function(code, "rk_locate", {"rk": PTR, "h": F64}, F64)
    b, h, t = f.builder, f["h"], w(f, "t", F64)
    absolute = code.declare_intrinsic("llvm.fabs", [F64])
    f.call(w(f, "rk_dense"), VOID, f["rk"], h)

    def wrong_at(part: Value, slot: Value) -> Value:
        found = b.call(code.get_global("rk_look"), [f["rk"], h, part, slot])
        return b.icmp_signed("!=", found, I32(0))

    departed = f.double(w(f, "departed"), I64(0))  # relations at zero have been looked at until there
    first = b.fdiv(b.fsub(departed, t), h)
    first = b.select(b.fcmp_ordered(">", first, F64(0.0)), first, F64(0.0))
    first = b.select(b.fcmp_ordered("<", first, F64(0.1)), first, F64(0.0))
    low, high = f.variable(F64, first), f.variable(F64, F64(2.0))
    low_slot, high_slot, new_slot = (f.variable(I64, I64(slot)) for slot in (_LOW, _HIGH, _NEW))

    with b.if_then(wrong_at(first, I64(_LOW))):
        _found(f, first, I64(_LOW))
    for point in _POINTS:
        with b.if_then(b.fcmp_ordered("==", f.get(high), F64(2.0))):
            found = wrong_at(F64(point), f.get(new_slot, I64))
            with b.if_else(found) as branches:
                for branch, end, slot in zip(branches, (high, low), (high_slot, low_slot), strict=True):
                    with branch:
                        f.put(end, F64(point))
                        _swap(f, new_slot, slot)
    with b.if_then(b.fcmp_ordered("==", f.get(high), F64(2.0))):
        b.ret(F64(2.0))
    sharp = b.fmul(F64(_ROUNDING), b.fadd(b.call(absolute, [t]), h))
    sharp = b.fdiv(sharp, h)  # as part of the step
    weight, side, before = f.variable(F64, F64(1.0)), f.variable(I64, I64(0)), f.variable(F64, F64(float("inf")))
    with f.loop(I64(0), I64(_MOST)):
        width = b.fsub(f.get(high), f.get(low))
        slow = b.fcmp_ordered(">", width, b.fmul(F64(0.5), f.get(before)))
        f.put(before, width)
        with b.if_then(b.fcmp_ordered("<=", width, sharp)):
            _found(f, f.get(high), f.get(high_slot, I64))
        arguments = [f.get(low_slot, I64), f.get(high_slot, I64), f.get(weight)]
        part = b.call(code.get_global("event_secant"), [w(f, "events"), *arguments])
        way = b.fmul(b.select(slow, F64(0.5), part), width)  # roundings of a large offset make steps of straight lines
        margin = b.fmul(F64(0.5), sharp)
        way = b.select(b.fcmp_ordered("<", way, margin), margin, way)
        most = b.fsub(width, margin)
        way = b.select(b.fcmp_ordered(">", way, most), most, way)
        point = b.fadd(f.get(low), way)
        with b.if_else(wrong_at(point, f.get(new_slot, I64))) as (yes, no):
            for branch, ends, number, factor in (
                (yes, (high, high_slot), 1, 2.0),
                (no, (low, low_slot), 2, 0.5),
            ):
                with branch:
                    f.put(ends[0], point)
                    _swap(f, new_slot, ends[1])
                    again = b.icmp_signed("==", f.get(side, I64), I64(number))
                    f.put(weight, b.select(again, b.fmul(f.get(weight), F64(factor)), F64(1.0)))
                    f.put(side, I64(number))
    _found(f, f.get(high), f.get(high_slot, I64))


def _found(f: Function, part: Value, slot: Value) -> None:
    """Mark what is wrong there now: computed again, an iterated unknown may differ by a rounding and lie before it."""
    f.builder.call(f.builder.module.get_global("event_mark"), [w(f, "events"), slot])
    f.builder.ret(part)


def _swap(f: Function, first: Value, second: Value) -> None:
    a, b = f.get(first, I64), f.get(second, I64)
    f.put(first, b)
    f.put(second, a)


BUILDERS = (_look, _note, _locate, _stop_at_root)
