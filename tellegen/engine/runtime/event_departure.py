"""Native: an event in the course of a run, how it is left, and the next instant that is known in advance.

An integrator sees no root in a function that starts at zero, or on the wrong side of it by a rounding: a sine that
starts at zero opens a diode. So relations at zero are looked at a moment ahead and switch at once if they are about
to. So do relations that a jump of states sends back where they came from: a ball that bounced is below the floor by a
rounding, and a step longer than its flight would see it there at both ends. When the next look wants them back, there
is no way out: the model slides along the condition. Until where all relations were found as they should be
(`departed`), roots are roundings.
"""

from __future__ import annotations

from llvmlite import ir

from tellegen.engine.native.llvm_builder import BIT, F64, I32, I64, PTR, Function, Value
from tellegen.engine.runtime.event_record_access import ints, put, truth, w
from tellegen.engine.runtime.event_record_layout import NOTHING_CONSISTENT, SLIDING

_LOOKS = 6
_UNMARKED, _UNSEEN, _SWITCHED, _PASSED = range(4)
"""Relations whose root will be seen, will not be; that switched in an event with a jump, or whose root ended it."""

_AT_ZERO = 1e-3  # part of the way of the moment ahead, at which a relation that switched passes back
_SHRUNK, _ALIKE, _IN_A_ROW, _CLOSE = 0.9, 1.01, 6, 2e-5
"""Gaps between firings have no end if so many in a row are shorter than the one before by a part that does not grow,
and the last is that small a part of the run."""

_SHORTER = 0.999  # of the time of the last flight
_NOISE = 1e-6  # of the relative tolerance: what goes back and forth by less does so for roundings
_FLIGHT = 0.25  # of speed and time: how far a relation gets that is sent out, and turned round by a constant force


def _next(code: ir.Module) -> None:
    """The next time at which a relation of time switches or a sample is due; infinity when there is none."""
    f = Function(code, "event_next", {"ev": PTR})
    b, t, soonest = f.builder, w(f, "t", F64), f.variable(F64, F64(float("inf")))
    size = b.call(code.declare_intrinsic("llvm.fabs", [F64]), [t])
    compute = code.get_global("event_call")

    def take(time: Value, condition: Value) -> None:
        sooner = b.and_(condition, b.fcmp_ordered("<", time, f.get(soonest)))
        f.put(soonest, b.select(sooner, time, f.get(soonest)))

    instants = w(f, "instant_count", I64)
    with b.if_then(b.icmp_signed(">", instants, I64(0))):
        at_zero, at_one = w(f, "instants"), w(f, "at_one")
        b.call(compute, [f["ev"], F64(0.0), I64(1), at_zero])
        b.call(compute, [f["ev"], F64(1.0), I64(1), at_one])
        later = b.fadd(t, b.fadd(b.fmul(F64(4e-16), size), F64(1e-300)))
        with f.loop(I64(0), instants) as k:  # linear in time
            zero = f.double(at_zero, k)
            time = b.fdiv(zero, b.fsub(zero, f.double(at_one, k)))
            take(time, b.fcmp_ordered(">", time, later))
    times = w(f, "tick_time")
    with f.loop(I64(0), w(f, "sample_count", I64)) as k:
        take(f.double(times, k), ir.Constant(BIT, 1))
    jumps, delays = w(f, "jump"), w(f, "delays")
    soon = b.fadd(t, b.fadd(b.fmul(F64(1e-12), size), F64(1e-300)))
    with f.loop(w(f, "jump_first", I64), w(f, "jump_count", I64)) as j:
        is_past = f.variable(BIT, ir.Constant(BIT, 1))
        with f.loop(I64(0), w(f, "delay_count", I64)) as k:
            again = b.fadd(f.double(jumps, j), f.double(delays, b.add(b.mul(k, I64(2)), I64(1))))
            comes = b.fcmp_ordered(">", again, soon)
            take(again, comes)
            f.put(is_past, b.and_(f.get(is_past, BIT), b.not_(comes)))
        next_to_first = b.icmp_signed("==", j, w(f, "jump_first", I64))
        with b.if_then(b.and_(f.get(is_past, BIT), next_to_first)):
            put(f, "jump_first", b.add(j, I64(1)))
    put(f, "next", f.get(soonest))
    b.ret_void()


def _differs(f: Function, k: Value) -> Value:
    """Whether relation k, as left - right stands, is not what its flag says."""
    b = f.builder
    raised = b.fcmp_ordered(">", f.double(w(f, "p"), ints(f, "relation_flag", k)), F64(0.5))
    is_true = truth(f, f.double(w(f, "g"), k), ints(f, "relation_operator", k), raised, f.double(w(f, "band"), k))
    return b.icmp_unsigned("!=", is_true, raised)


def _mark_unseen(code: ir.Module) -> None:
    """Mark in `roots` the relations whose way through zero would not be seen, and those that a jump may send back."""
    f = Function(code, "event_mark_unseen", {"ev": PTR})
    b, g, here, roots = f.builder, w(f, "g"), w(f, "g_here"), w(f, "roots")
    b.call(code.get_global("event_call"), [f["ev"], w(f, "t", F64), I64(0), g])
    with f.loop(I64(0), w(f, "relation_count", I64)) as k:
        unseen = b.or_(b.fcmp_ordered("==", f.double(g, k), F64(0.0)), _differs(f, k))
        f.set_index(roots, k, b.select(unseen, I64(_UNSEEN), I64(_UNMARKED)))
        f.set(here, k, f.double(g, k))
    jumped = b.icmp_signed("!=", w(f, "jumped", I64), I64(0))
    with f.loop(I64(0), b.select(jumped, w(f, "switched_count", I64), I64(0))) as j:
        k = ints(f, "switched", j)
        fresh = b.icmp_signed("==", f.index(roots, k), I64(_UNMARKED))
        passed = b.icmp_signed("!=", ints(f, "passed", k), I64(0))
        mark = b.select(passed, I64(_PASSED), I64(_SWITCHED))
        f.set_index(roots, k, b.select(fresh, mark, f.index(roots, k)))
    b.ret_void()


def _look(code: ir.Module) -> None:
    """Mark in `roots` the relations that will have switched a moment ahead without a root to be seen; their number."""
    f = Function(code, "event_look", {"ev": PTR}, I64)
    b, count, g = f.builder, w(f, "relation_count", I64), w(f, "g")
    y, yp, y_saved, yp_saved = (w(f, name) for name in ("y", "yp", "y_saved", "yp_saved"))
    here, absolute = w(f, "g_here"), code.declare_intrinsic("llvm.fabs", [F64])
    t, moment, size, roots = w(f, "t", F64), w(f, "moment", F64), w(f, "size", I64), w(f, "roots")
    compute, found = code.get_global("event_call"), f.variable(I64, I64(0))

    b.call(code.get_global("event_mark_unseen"), [f["ev"]])
    with f.loop(I64(0), count) as k:
        f.put(found, b.add(f.get(found, I64), b.zext(b.icmp_signed("!=", f.index(roots, k), I64(_UNMARKED)), I64)))
    put(f, "departed", t)
    nothing = b.icmp_signed("==", f.get(found, I64), I64(0))
    costly = b.icmp_signed("==", w(f, "rescue", I64), I64(0))  # unknowns are solved for by Python
    with b.if_then(b.and_(nothing, costly)):
        b.ret(I64(0))
    for source, target in ((y, y_saved), (yp, yp_saved)):
        with f.loop(I64(0), size) as i:
            f.set(target, i, f.double(source, i))
    with f.loop(I64(0), w(f, "state_count", I64)) as s:
        place = ints(f, "state_index", s)
        f.add_to(y, place, b.fmul(moment, f.double(yp, place)))
    ahead = b.fadd(t, moment)
    status = f.call(w(f, "solve"), I32, ahead, w(f, "context"))
    f.put(found, I64(0))
    solved = b.icmp_signed("==", status, I32(0))
    crossing = f.variable(BIT, b.not_(solved))
    with b.if_then(solved):
        b.call(compute, [f["ev"], ahead, I64(0), g])
    with f.loop(I64(0), count) as k:
        value = f.double(g, k)
        mark, way = f.index(roots, k), b.call(absolute, [b.fsub(value, f.double(here, k))])
        at_zero = b.fcmp_ordered("<=", b.call(absolute, [f.double(here, k)]), b.fmul(F64(_AT_ZERO), way))
        back = b.or_(
            b.icmp_signed("==", mark, I64(_PASSED)), b.and_(b.icmp_signed("==", mark, I64(_SWITCHED)), at_zero)
        )
        unseen = b.or_(b.icmp_signed("==", mark, I64(_UNSEEN)), back)
        other = b.and_(solved, b.and_(_differs(f, k), b.fcmp_ordered("!=", value, F64(0.0))))
        wrong = b.and_(unseen, other)
        with b.if_then(b.and_(back, wrong)):
            b.call(code.get_global("event_note_flight"), [f["ev"], k, b.fdiv(way, moment)])
        f.put(crossing, b.or_(f.get(crossing, BIT), b.and_(other, b.not_(unseen))))
        sign = b.select(b.fcmp_ordered(">", value, F64(0.0)), I64(1), I64(-1))
        f.set_index(roots, k, b.select(wrong, sign, I64(0)))
        f.put(found, b.add(f.get(found, I64), b.zext(wrong, I64)))
    for source, target in ((y_saved, y), (yp_saved, yp)):
        with f.loop(I64(0), size) as i:
            f.set(target, i, f.double(source, i))
    put(f, "departed", b.select(f.get(crossing, BIT), t, ahead))
    b.ret(f.get(found, I64))


def _leave(code: ir.Module) -> None:
    """Let relations switch that are about to; see the top of this file."""
    f = Function(code, "event_leave", {"ev": PTR})
    b = f.builder
    with b.if_then(b.icmp_signed("==", w(f, "relation_count", I64), I64(0))):
        b.ret_void()
    with f.loop(I64(0), I64(_LOOKS)):
        with b.if_then(b.icmp_signed("==", b.call(code.get_global("event_look"), [f["ev"]]), I64(0))):
            b.ret_void()
        put(f, "passing", I64(1))
        b.call(code.get_global("event_settle"), [f["ev"], I32(0)])
        put(f, "passing", I64(0))
        with b.if_then(b.icmp_signed("!=", b.or_(w(f, "message", I64), w(f, "failed", I64)), I64(0))):
            b.ret_void()
    g, absolute = w(f, "g"), code.declare_intrinsic("llvm.fabs", [F64])
    noise = b.fmul(F64(_NOISE), w(f, "slack", F64))
    b.call(code.get_global("event_look"), [f["ev"]])
    with f.loop(I64(0), w(f, "relation_count", I64)) as k:
        about = b.icmp_signed("!=", ints(f, "roots", k), I64(0))
        large = b.fcmp_ordered(">", b.call(absolute, [f.double(g, k)]), noise)
        with b.if_then(b.and_(about, large)):
            put(f, "failed", I64(SLIDING))
    b.ret_void()


def _note_flight(code: ir.Module) -> None:
    """A relation is sent back through zero with a speed, sooner than last time: if it gets less far than the tolerance,
    there is no end to it.

    The tolerance is that of the unknowns it reads: a floor five metres up is known to a millionth of that.
    The impacts of a bouncing ball accumulate (Zeno), until the time between them is below the tolerance.
    """
    f = Function(code, "event_note_flight", {"ev": PTR, "k": I64, "speed": F64})
    b, k, last, gaps = f.builder, f["k"], w(f, "last_back"), w(f, "gap_back")
    gap = b.fsub(w(f, "t", F64), f.double(last, k))
    far = b.fmul(F64(_FLIGHT), b.fmul(f["speed"], gap))
    size, absolute = f.variable(F64, f.double(w(f, "sizes"), k)), code.declare_intrinsic("llvm.fabs", [F64])
    with f.loop(ints(f, "read_start", k), ints(f, "read_start", b.add(k, I64(1)))) as j:
        unknown = b.call(absolute, [f.double(w(f, "y"), ints(f, "read_place", j))])
        f.put(size, b.select(b.fcmp_ordered(">", unknown, f.get(size)), unknown, f.get(size)))
    tolerance = b.fmul(w(f, "slack", F64), f.get(size))
    with b.if_then(b.fcmp_ordered(">", gap, F64(0.0))):
        shorter = b.fcmp_ordered("<", gap, b.fmul(F64(_SHORTER), f.double(gaps, k)))
        with b.if_then(b.and_(shorter, b.fcmp_ordered("<", far, tolerance))):
            put(f, "zeno", I64(1))
        f.set(gaps, k, gap)
        f.set(last, k, w(f, "t", F64))
    b.ret_void()


def _note_gaps(code: ir.Module) -> None:
    """Watch the gaps between firings without jumps: where each is the same part of the one before, they have no end.

    Those of an encoder that speeds up get shorter by less and less.
    """
    f = Function(code, "event_note_gaps", {"ev": PTR})
    b, t, last, gaps, ratios = f.builder, w(f, "t", F64), *(w(f, n) for n in ("last_fired", "gap", "ratio"))
    close = b.fmul(F64(_CLOSE), w(f, "span", F64))
    smooth = b.icmp_signed("==", w(f, "jumped", I64), I64(0))
    with f.loop(I64(0), b.select(smooth, w(f, "fired_count", I64), I64(0))) as k:
        when = ints(f, "condition_when", ints(f, "fired", k))
        gap = b.fsub(t, f.double(last, when))
        with b.if_then(b.not_(b.fcmp_ordered("==", gap, F64(0.0)))):  # once for each instant
            ratio = b.fdiv(gap, f.double(gaps, when))
            alike = b.fcmp_ordered("<", ratio, b.fmul(F64(_ALIKE), f.double(ratios, when)))
            shrinks = b.and_(alike, b.fcmp_ordered("<", ratio, F64(_SHRUNK)))
            count = b.select(shrinks, b.add(ints(f, "shrinking", when), I64(1)), I64(0))
            f.set_index(w(f, "shrinking"), when, count)
            for values, value in ((gaps, gap), (last, t), (ratios, ratio)):
                f.set(values, when, value)
            many = b.icmp_signed(">=", count, I64(_IN_A_ROW))
            with b.if_then(b.and_(many, b.fcmp_ordered("<", gap, close))):
                put(f, "zeno", I64(1))
    b.ret_void()


def _happen(code: ir.Module) -> None:
    """An event at this time; with `passing` the field says that `roots` lists the relations that cross zero here."""
    f = Function(code, "event_happen", {"ev": PTR})
    b, ev = f.builder, f["ev"]
    for name in ("switched_count", "fired_count", "message", "failed", "zeno", "act_fresh", "jumped"):
        put(f, name, I64(0))
    has_past = b.icmp_signed(">", w(f, "delay_count", I64), I64(0))
    at_root = b.icmp_signed("!=", w(f, "passing", I64), I64(0))
    with f.loop(I64(0), w(f, "relation_count", I64)) as k:
        f.set_index(w(f, "passed"), k, b.select(at_root, ints(f, "roots", k), I64(0)))
    put(f, "stretch_start", w(f, "t", F64))
    with b.if_then(has_past):
        b.call(code.get_global("event_note"), [ev, w(f, "t", F64)])
        b.call(code.get_global("event_fill"), [ev, w(f, "t", F64)])
        status = b.call(code.get_global("event_solve"), [ev])
        with b.if_then(b.icmp_signed("!=", status, I32(0))):
            put(f, "failed", I64(NOTHING_CONSISTENT))
    b.call(code.get_global("event_settle"), [ev, I32(0)])
    put(f, "passing", I64(0))
    over = b.icmp_signed("!=", b.or_(w(f, "message", I64), w(f, "failed", I64)), I64(0))
    with b.if_then(b.not_(over)):
        b.call(code.get_global("event_leave"), [ev])
    with b.if_then(has_past):
        b.call(code.get_global("event_jump"), [ev])
    b.call(code.get_global("event_note_gaps"), [ev])
    b.call(code.get_global("event_next"), [ev])
    b.ret_void()


def _start(code: ir.Module) -> None:
    """The start of a run from values at rest: conditions that hold now have not just become true."""
    f = Function(code, "event_start", {"ev": PTR})
    b, ev, values, was_true = f.builder, f["ev"], w(f, "conditions"), w(f, "was_true")
    for name in ("switched_count", "fired_count", "message", "failed", "zeno", "act_fresh", "jumped"):
        put(f, name, I64(0))
    b.call(code.get_global("event_call"), [ev, w(f, "t", F64), I64(3), values])
    with f.loop(I64(0), w(f, "condition_count", I64)) as k:
        f.set_index(was_true, k, b.zext(b.fcmp_ordered(">", f.double(values, k), F64(0.5)), I64))
    b.call(code.get_global("event_clock"), [ev, I32(1)])
    b.call(code.get_global("event_call"), [ev, w(f, "t", F64), I64(0), w(f, "g")])
    absolute = code.declare_intrinsic("llvm.fabs", [F64])
    with f.loop(I64(0), w(f, "relation_count", I64)) as k:  # what they were on the way to these values says nothing
        f.set(w(f, "sizes"), k, b.call(absolute, [f.double(w(f, "g"), k)]))
    b.call(code.get_global("event_leave"), [ev])
    put(f, "stretch_start", w(f, "t", F64))
    b.call(code.get_global("event_jump"), [ev])
    b.call(code.get_global("event_next"), [ev])
    b.ret_void()


BUILDERS = (_next, _mark_unseen, _note_flight, _look, _leave, _note_gaps, _happen, _start)
