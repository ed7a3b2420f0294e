"""Native delays: the past of signals, noted at every step and event, read by interpolation.

    event_note       keep the delayed signals at this time; at an event once before and once after it
    event_fill       put what they were some time ago where the equations read it

Between notes the polynomial through five of them is followed, never across an event: there two notes have the same
time, and what was before counts until the run has an event of its own there (`stretch_start`). Before the start signals
are what they were at the start. Steps are not longer than the shortest delay, so the past is always known.
"""

from __future__ import annotations

from llvmlite import ir

from tellegen.engine.native.llvm_builder import F64, I32, I64, PTR, Function, Value
from tellegen.engine.runtime.event_record_access import ints, put, w

_DELAYS = 5  # number of the entry point
_OLDEST = 6.0
_NEAR = 1e-12  # of the time: that close to an event counts as at it


def _note(code: ir.Module) -> None:
    """Nothing is kept twice, but for events, and nothing beyond the room there is."""
    f = Function(code, "event_note", {"ev": PTR, "t": F64})
    b, values, count = f.builder, w(f, "delays"), w(f, "delay_count", I64)
    kept = w(f, "past_count", I64)
    full = b.icmp_signed(">=", kept, w(f, "past_room", I64))
    with b.if_then(b.or_(full, b.icmp_signed("==", count, I64(0)))):
        b.ret_void()
    b.call(code.get_global("event_call"), [f["ev"], f["t"], I64(_DELAYS), values])
    f.set(w(f, "past_time"), kept, f["t"])
    row = f.place(w(f, "past_value"), b.mul(kept, count))
    with f.loop(I64(0), count) as k:
        f.set(row, k, f.double(values, b.mul(k, I64(2))))
    put(f, "past_count", b.add(kept, I64(1)))
    b.ret_void()


def _at_start(code: ir.Module) -> None:
    """Before anything is noted, the past is the present; 1 if a value changed."""
    f = Function(code, "event_past_at_start", {"ev": PTR}, I32)
    b, values, p, changed = f.builder, w(f, "delays"), w(f, "p"), f.variable(I32, I32(0))
    count = w(f, "delay_count", I64)
    known = b.icmp_signed(">", w(f, "past_count", I64), I64(0))
    with b.if_then(b.or_(known, b.icmp_signed("==", count, I64(0)))):
        b.ret(I32(0))
    b.call(code.get_global("event_call"), [f["ev"], w(f, "t", F64), I64(_DELAYS), values])
    with f.loop(I64(0), count) as k:
        place, value = f.place(p, ints(f, "delay_place", k)), f.double(values, b.mul(k, I64(2)))
        with b.if_then(b.fcmp_unordered("!=", f.get(place), value)):
            f.put(place, value)
            f.put(changed, I32(1))
    b.ret(f.get(changed, I32))


def _find(code: ir.Module) -> None:
    """The last note at or before a time; of two at an event the first unless `after`."""
    f = Function(code, "event_find", {"ev": PTR, "s": F64, "after": I32}, I64)
    b, times = f.builder, w(f, "past_time")
    low, high = f.variable(I64, I64(0)), f.variable(I64, w(f, "past_count", I64))
    after = b.icmp_signed("!=", f["after"], I32(0))
    with f.forever():
        a, z = f.get(low, I64), f.get(high, I64)
        with b.if_then(b.icmp_signed("<=", b.sub(z, a), I64(1))):
            b.ret(a)
        middle = b.ashr(b.add(a, z), I64(1))
        t = f.double(times, middle)
        not_later = b.select(after, b.fcmp_ordered("<=", t, f["s"]), b.fcmp_ordered("<", t, f["s"]))
        f.put(low, b.select(not_later, middle, a))
        f.put(high, b.select(not_later, z, middle))


def _past(code: ir.Module) -> None:
    """Signal k at a time in the past: Lagrange's polynomial through up to five notes of the segment that `side` is in.

    The notes count less the nearest of them: what does not change comes out as it is, whatever the weights round to.
    """
    f = Function(code, "event_past", {"ev": PTR, "k": I64, "s": F64, "side": F64, "after": I32}, F64)
    b, times, values, width = f.builder, w(f, "past_time"), w(f, "past_value"), w(f, "delay_count", I64)
    count, s = w(f, "past_count", I64), f["s"]
    here = b.call(code.get_global("event_find"), [f["ev"], f["side"], f["after"]])
    first, last = f.variable(I64, here), f.variable(I64, here)

    def apart(one: Value) -> Value:
        """Whether a note and the next one are of the same segment."""
        return b.fcmp_ordered("<", f.double(times, one), f.double(times, b.add(one, I64(1))))

    for place, step in ((last, 1), (first, -1)) * 4:
        at = f.get(place, I64)
        inside = b.icmp_signed("<", b.add(at, I64(1)), count) if step > 0 else b.icmp_signed(">", at, I64(0))
        few = b.icmp_signed("<", b.sub(f.get(last, I64), f.get(first, I64)), I64(4))
        with b.if_then(b.and_(inside, few)), b.if_then(apart(at if step > 0 else b.sub(at, I64(1)))):
            f.put(place, b.add(at, I64(step)))
    nearest = f.double(values, b.add(b.mul(here, width), f["k"]))
    total, end = f.variable(F64, nearest), b.add(f.get(last, I64), I64(1))
    with f.loop(f.get(first, I64), end) as i:
        weight = f.variable(F64, b.fsub(f.double(values, b.add(b.mul(i, width), f["k"])), nearest))
        with f.loop(f.get(first, I64), end) as j, b.if_then(b.icmp_signed("!=", i, j)):
            at = f.double(times, j)
            factor = b.fdiv(b.fsub(s, at), b.fsub(f.double(times, i), at))
            f.put(weight, b.fmul(f.get(weight), factor))
        f.put(total, b.fadd(f.get(total), f.get(weight)))
    b.ret(f.get(total))


def _fill(code: ir.Module) -> None:
    """What delayed signals were, as the equations read it at a time."""
    f = Function(code, "event_fill", {"ev": PTR, "t": F64})
    b, values, times = f.builder, w(f, "delays"), w(f, "past_time")
    absolute = code.declare_intrinsic("llvm.fabs", [F64])
    with b.if_then(b.icmp_signed("==", w(f, "past_count", I64), I64(0))):
        b.ret_void()
    begins = b.fcmp_ordered("<=", f["t"], w(f, "stretch_start", F64))
    near = b.fmul(F64(_NEAR), b.call(absolute, [f["t"]]))
    with f.loop(I64(0), w(f, "delay_count", I64)) as k:
        s = b.fsub(f["t"], f.double(values, b.add(b.mul(k, I64(2)), I64(1))))
        side = b.select(begins, b.fadd(s, near), b.fsub(s, near))  # of an event, the one that counts
        start = f.double(times, I64(0))
        s, side = (b.select(b.fcmp_ordered("<", each, start), start, each) for each in (s, side))
        past = b.call(code.get_global("event_past"), [f["ev"], k, s, side, b.zext(begins, I32)])
        f.set(w(f, "p"), ints(f, "delay_place", k), past)
    b.ret_void()


def _jump(code: ir.Module) -> None:
    """After an event: delayed signals continue from here, and what happened will happen again a delay later.

    Each time it comes back it is smoother by one derivative, so its age counts: from the sixth on no step notices.
    """
    f = Function(code, "event_jump", {"ev": PTR})
    b, count, t = f.builder, w(f, "jump_count", I64), w(f, "t", F64)
    jumps, ages, delays = w(f, "jump"), w(f, "jump_age"), w(f, "delays")
    absolute = code.declare_intrinsic("llvm.fabs", [F64])
    b.call(code.get_global("event_note"), [f["ev"], t])
    with b.if_then(b.icmp_signed("==", w(f, "delay_count", I64), I64(0))):
        b.ret_void()
    age = f.variable(F64, F64(0.0))
    with f.loop(w(f, "jump_first", I64), count) as j, f.loop(I64(0), w(f, "delay_count", I64)) as k:
        again = b.fadd(f.double(jumps, j), f.double(delays, b.add(b.mul(k, I64(2)), I64(1))))
        off = b.call(absolute, [b.fsub(again, t)])
        older = b.fadd(f.double(ages, j), F64(1.0))
        comes = b.fcmp_ordered("<=", off, b.fmul(F64(_NEAR), b.call(absolute, [t])))
        f.put(age, b.select(b.and_(comes, b.fcmp_ordered(">", older, f.get(age))), older, f.get(age)))
    own = b.add(w(f, "switched_count", I64), w(f, "fired_count", I64))
    f.put(age, b.select(b.icmp_signed(">", own, I64(0)), F64(0.0), f.get(age)))
    room = b.icmp_signed("<", count, w(f, "jump_room", I64))
    with b.if_then(b.and_(room, b.fcmp_ordered("<", f.get(age), F64(_OLDEST)))):
        f.set(jumps, count, t)
        f.set(ages, count, f.get(age))
        put(f, "jump_count", b.add(count, I64(1)))
    b.ret_void()


BUILDERS = (_note, _jump, _at_start, _find, _past, _fill)
