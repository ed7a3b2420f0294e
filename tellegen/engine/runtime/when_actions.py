"""Native discrete equations and when-statements: which of them act at an instant, and what they do.

Values of actions that read what other actions assign are equations of the same instant: they are computed again until
they stay.
"""

from __future__ import annotations

from llvmlite import ir

from tellegen.engine.native.llvm_builder import F64, I32, I64, PTR, Function, Value, note_if_not_finite
from tellegen.engine.runtime.event_record_access import ints, put, w
from tellegen.engine.runtime.event_record_layout import NOT_FINITE
from tellegen.ir.events import ASSERT, ASSIGN, REINIT, TERMINATE

_ROUNDING = 1e-13  # relative: what an iterated loop leaves open


def _always(code: ir.Module) -> None:
    """Discrete variables given by equations; 1 if one changed."""
    f = Function(code, "event_always", {"ev": PTR}, I32)
    b, p, values = f.builder, w(f, "p"), w(f, "values")
    count = w(f, "always_count", I64)
    with b.if_then(b.icmp_signed("==", count, I64(0))):
        b.ret(I32(0))
    b.call(code.get_global("event_call"), [f["ev"], w(f, "t", F64), I64(4), values])
    _call_opaque(f, I32(0))
    changed = f.variable(I32, I32(0))
    with f.loop(I64(0), count) as k:
        place = f.place(p, ints(f, "always_place", k))
        value = b.fmul(f.double(w(f, "always_sign"), k), f.double(values, ints(f, "always_value", k)))
        with b.if_then(b.fcmp_unordered("!=", f.get(place), value)):
            f.put(place, value)
            f.put(changed, I32(1))
    b.ret(f.get(changed, I32))


def _call_opaque(f: Function, of_actions: Value) -> None:
    """Let Python compute values that no native code can."""
    b, address = f.builder, w(f, "opaque", I64)
    with b.if_then(b.icmp_signed("!=", address, I64(0))):
        f.call(b.inttoptr(address, PTR), ir.VoidType(), of_actions)


def _choose(code: ir.Module) -> None:
    """Add the conditions that have just become true to the chosen ones, of each when-statement the first; how many."""
    f = Function(code, "event_choose", {"ev": PTR}, I64)
    b, values, was_true = f.builder, w(f, "conditions"), w(f, "was_true")
    count = w(f, "condition_count", I64)
    with b.if_then(b.icmp_signed("==", count, I64(0))):
        b.ret(I64(0))
    b.call(code.get_global("event_call"), [f["ev"], w(f, "t", F64), I64(3), values])
    before = w(f, "chosen_count", I64)
    with b.if_then(b.icmp_signed("==", before, I64(0))):  # the first of a round
        put(f, "stamp", b.add(w(f, "stamp", I64), I64(1)))
    stamp = w(f, "stamp", I64)
    with f.loop(I64(0), count) as k:
        true = b.zext(b.fcmp_ordered(">", f.double(values, k), F64(0.5)), I64)
        rising = b.and_(true, b.xor(f.index(was_true, k), I64(1)))
        f.set_index(was_true, k, true)
        when = ints(f, "condition_when", k)
        unused = b.icmp_signed("!=", f.index(w(f, "when_stamp"), when), stamp)
        with b.if_then(b.and_(b.icmp_signed("!=", rising, I64(0)), unused)):
            f.set_index(w(f, "when_stamp"), when, stamp)
            chosen, fired = w(f, "chosen_count", I64), w(f, "fired_count", I64)
            f.set_index(w(f, "chosen"), chosen, k)
            put(f, "chosen_count", b.add(chosen, I64(1)))
            with b.if_then(b.icmp_signed("<", fired, w(f, "fired_room", I64))):
                f.set_index(w(f, "fired"), fired, k)
                put(f, "fired_count", b.add(fired, I64(1)))
    b.ret(b.sub(w(f, "chosen_count", I64), before))


def _act(code: ir.Module) -> None:
    """Take the actions of the chosen conditions; bit 0: something changed, bit 1: a value may follow another one."""
    f = Function(code, "event_act", {"ev": PTR}, I32)
    b, p, y, values = f.builder, w(f, "p"), w(f, "y"), w(f, "values")
    start, result = w(f, "action_start"), f.variable(I32, I32(0))

    def note(bit: int) -> None:
        f.put(result, b.or_(f.get(result, I32), I32(bit)))

    with f.loop(I64(0), w(f, "chosen_count", I64)) as c:
        condition = ints(f, "chosen", c)
        with f.loop(f.index(start, condition), f.index(start, b.add(condition, I64(1)))) as a:
            value = b.fmul(f.double(values, ints(f, "action_value", a)), f.double(w(f, "action_sign"), a))
            verb, target = ints(f, "action_verb", a), ints(f, "action_place", a)
            with b.if_then(b.icmp_signed("!=", ints(f, "action_follows", a), I64(0))):
                note(2)
            with b.if_then(b.icmp_signed("==", verb, I64(ASSIGN))):
                place = f.place(p, target)
                with b.if_then(b.fcmp_unordered("!=", f.get(place), value)):
                    note(1)
                f.put(place, value)
            with b.if_then(b.icmp_signed("==", verb, I64(REINIT))):
                f.set(y, target, value)
                put(f, "jumped", I64(1))
                note(1)
            with b.if_then(b.icmp_signed("==", verb, I64(TERMINATE))):
                put(f, "message", b.add(a, I64(1)))
            broken = b.not_(b.fcmp_ordered(">", value, F64(0.5)))
            with b.if_then(b.and_(b.icmp_signed("==", verb, I64(ASSERT)), broken)):
                put(f, "failed", b.add(a, I64(1)))
    b.ret(f.get(result, I32))


def _is_new(f: Function, value: Value, before: Value) -> Value:
    """Whether a value differs from the one before by more than rounding; not-a-number always does."""
    b = f.builder
    absolute = b.module.declare_intrinsic("llvm.fabs", [F64])
    size = b.call(absolute, [before])
    apart = b.call(absolute, [b.fsub(value, before)])
    moved = b.fcmp_unordered(">=", apart, b.fmul(F64(_ROUNDING), size))
    return b.and_(b.fcmp_unordered("!=", value, before), moved)  # an infinite value is equal to itself


def _act_again(code: ir.Module) -> None:
    """Take the chosen actions whose values are new; those that read what was just assigned follow. 1: some changed.

    A sampled unknown of an iterated loop may come back with other last digits in every round; that is nothing new.
    """
    f = Function(code, "event_act_again", {"ev": PTR}, I32)
    b, values, before = f.builder, w(f, "values"), w(f, "values_before")
    chosen, start = w(f, "chosen_count", I64), w(f, "action_start")
    with b.if_then(b.icmp_signed("==", chosen, I64(0))):
        b.ret(I32(0))
    changed, rounds = f.variable(I32, I32(0)), f.variable(I64, I64(0))
    with f.forever():
        b.call(code.get_global("event_call"), [f["ev"], w(f, "t", F64), I64(4), values])
        _call_opaque(f, I32(1))
        moved = f.variable(I32, b.trunc(w(f, "act_fresh", I64), I32))
        with f.loop(I64(0), chosen) as c:
            condition = ints(f, "chosen", c)
            with f.loop(f.index(start, condition), f.index(start, b.add(condition, I64(1)))) as a:
                number = ints(f, "action_value", a)
                with b.if_then(_is_new(f, f.double(values, number), f.double(before, number))):
                    f.put(moved, I32(1))
                f.set(before, number, f.double(values, number))
        with b.if_then(b.icmp_signed("==", f.get(moved, I32), I32(0))):
            b.ret(f.get(changed, I32))
        put(f, "act_fresh", I64(0))
        result = b.call(code.get_global("event_act"), [f["ev"]])
        f.put(changed, b.or_(f.get(changed, I32), b.and_(result, I32(1))))
        f.put(rounds, b.add(f.get(rounds, I64), I64(1)))
        follows = b.icmp_signed("!=", b.and_(result, I32(2)), I32(0))
        more = b.icmp_signed("<=", f.get(rounds, I64), b.add(chosen, I64(64)))
        with b.if_then(b.not_(b.and_(follows, more))):
            b.ret(f.get(changed, I32))


def _check_finite(code: ir.Module) -> None:
    """At rest, what was assigned must be finite: a circle of assignments may end at infinity, equal to itself."""
    f = Function(code, "event_check_finite", {"ev": PTR})
    b, values, start, bad = f.builder, w(f, "values"), w(f, "action_start"), f.variable(I64, I64(0))
    with f.loop(I64(0), w(f, "chosen_count", I64)) as c:
        condition = ints(f, "chosen", c)
        with f.loop(f.index(start, condition), f.index(start, b.add(condition, I64(1)))) as a:
            note_if_not_finite(f, f.double(values, ints(f, "action_value", a)), bad)
    with b.if_then(b.icmp_signed("!=", f.get(bad, I64), I64(0))):
        put(f, "failed", I64(NOT_FINITE))
    b.ret_void()


BUILDERS = (_always, _choose, _act, _act_again, _check_finite)
