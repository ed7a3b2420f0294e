"""Native event iteration: flags, when-statements and discrete variables, until nothing changes.

    root of h - 0 found at t  ->  flag of `h < 0` goes up  ->  its when fires: v := -e*pre(v)  ->  algebraic unknowns
    are solved for again  ->  flags are looked at once more ... and when all is quiet the integrator restarts

    event_begin      flags from start values, for a first look at the equations
    event_settle     the iteration at one instant
    event_happen     an event in the course of a run: settle, leave what is about to switch, find the next instant
    event_next       the next instant that is known in advance

Flags of coupled relations (ideal diodes, clutches) are all set at once as a rule. Where that goes in circles, only the
first one that is wrong is set in every round: Murty's rule, which cannot cycle where the choice is unique (linear
complementarity with a P-matrix).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from llvmlite import ir

from tellegen.engine.native.llvm_builder import F64, I32, I64, PTR, Function, Value
from tellegen.engine.native.machine_code import MachineCode, runtime_code
from tellegen.engine.runtime import delay_lines as event_delays
from tellegen.engine.runtime import event_departure as event_leaving
from tellegen.engine.runtime import root_functions as event_roots
from tellegen.engine.runtime import sample_ticks as event_ticks
from tellegen.engine.runtime import when_actions as event_whens
from tellegen.engine.runtime.event_record_access import call_entry, grow, ints, put, truth, truth_of_time, w
from tellegen.engine.runtime.event_record_layout import NO_REST, NOTHING_CONSISTENT
from tellegen.ir.program import Module

_TOGETHER = 20  # rounds in which all flags are set at once
_ABSOLUTE = 1e-3  # of the relative tolerance: that of something of size one near zero
_LATE = 60  # rounds after which roundings do not count
_MOST_ROUNDS = 400


@cache
def event_runtime() -> MachineCode:
    """The compiled runtime; one per process."""
    return runtime_code("events", _module)


def _module() -> Module:
    builders: tuple[Callable[[ir.Module], None], ...] = (
        call_entry,
        *event_delays.BUILDERS,
        _remember,
        *event_ticks.BUILDERS,
        _switch_relations,
        _switch_instants,
        *event_whens.BUILDERS,
        _solve,
        _come_to_rest,
        _settle,
        _begin,
        *event_leaving.BUILDERS,
        *event_roots.BUILDERS,
    )
    code = ir.Module("tellegen_events")
    for build in builders:
        build(code)
    functions = [function for function in code.functions if not function.is_declaration]
    for function in functions:
        function.attributes.add("noinline")  # in little compile time
    return Module(str(code), 1, tuple(function.name for function in functions))


def _remember(code: ir.Module) -> None:
    """Present values go where pre() reads them; with `only_known` those of discrete variables alone."""
    f = Function(code, "event_remember", {"ev": PTR, "only_known": I32})
    b, p, y = f.builder, w(f, "p"), w(f, "y")
    with f.loop(I64(0), w(f, "known_past_count", I64)) as k:
        f.set(p, ints(f, "known_past_place", k), f.double(p, ints(f, "known_past_source", k)))
    with b.if_then(b.icmp_signed("!=", f["only_known"], I32(0))):
        b.ret_void()
    with f.loop(I64(0), w(f, "unknown_past_count", I64)) as k:
        f.set(p, ints(f, "unknown_past_place", k), f.double(y, ints(f, "unknown_past_source", k)))
    b.ret_void()


def _switch_relations(code: ir.Module) -> None:
    """Set the flags of relations of unknowns; 1 if one changed. With `one_by_one` only the first wrong one is set.

    One that passes zero here counts as it will be after, as long as it stays at zero within the tolerance of the run:
    the root was located with unknowns of that accuracy. In late rounds (`one_by_one` is 2) a relation at zero holds
    either way: at the corner of a diode both branches do.
    """
    f = Function(code, "event_switch_relations", {"ev": PTR}, I32)
    b, p, g, before = f.builder, w(f, "p"), w(f, "g"), w(f, "g_before")
    count, roots = w(f, "relation_count", I64), w(f, "roots")
    with b.if_then(b.icmp_signed("==", count, I64(0))):
        b.ret(I32(0))
    b.call(code.get_global("event_call"), [f["ev"], w(f, "t", F64), I64(0), g])
    single, passing = w(f, "one_by_one", I64), w(f, "passing", I64)
    changed = f.variable(I32, I32(0))
    with f.loop(I64(0), count) as k:
        value = f.double(g, k)
        root, size = f.index(roots, k), grow(code, f, value, k)
        largest = f.double(w(f, "sizes"), k)
        tiny = b.fcmp_ordered("<=", size, b.fmul(w(f, "slack", F64), largest))
        same = b.or_(tiny, b.fcmp_ordered("==", value, f.double(before, k)))
        passes = b.and_(b.and_(b.icmp_signed("!=", root, I64(0)), same), b.icmp_signed("!=", passing, I64(0)))
        f.set_index(roots, k, b.select(passes, root, I64(0)))  # once it has left zero, it counts as it is
        value = b.select(passes, b.sitofp(root, F64), value)
        flag = f.place(p, ints(f, "relation_flag", k))
        old = b.fcmp_ordered(">", f.get(flag), F64(0.5))
        new = truth(f, value, ints(f, "relation_operator", k), old, f.double(w(f, "band"), k))
        late = b.icmp_signed("==", single, I64(2))
        absolute = b.fcmp_ordered(
            "<=", size, b.fmul(F64(_ABSOLUTE), w(f, "slack", F64))
        )  # at the start nothing is large
        either = b.and_(late, b.or_(tiny, absolute))
        new = b.select(either, old, new)
        with b.if_then(b.icmp_unsigned("!=", new, old)):
            f.put(flag, b.select(new, F64(1.0), F64(0.0)))
            f.put(changed, I32(1))
            kept = w(f, "switched_count", I64)
            with b.if_then(b.icmp_signed("<", kept, w(f, "switched_room", I64))):
                f.set_index(w(f, "switched"), kept, k)
                put(f, "switched_count", b.add(kept, I64(1)))
            with b.if_then(b.icmp_signed("!=", single, I64(0))):
                b.ret(I32(1))
    b.ret(f.get(changed, I32))


def _switch_instants(code: ir.Module) -> None:
    """Set the flags of relations of time; 1 if one changed. They count as they will be just after the instant."""
    f = Function(code, "event_switch_instants", {"ev": PTR}, I32)
    b, p, values, t = f.builder, w(f, "p"), w(f, "instants"), w(f, "t", F64)
    count = w(f, "instant_count", I64)
    with b.if_then(b.icmp_signed("==", count, I64(0))):
        b.ret(I32(0))
    slope, compute = w(f, "at_one"), code.get_global("event_call")
    b.call(compute, [f["ev"], F64(0.0), I64(1), values])
    b.call(compute, [f["ev"], F64(1.0), I64(1), slope])
    with f.loop(I64(0), count) as k:
        f.set(slope, k, b.fsub(f.double(slope, k), f.double(values, k)))
    b.call(compute, [f["ev"], t, I64(1), values])
    changed = f.variable(I32, I32(0))
    with f.loop(I64(0), count) as k:
        flag = f.place(p, ints(f, "instant_flag", k))
        old = b.fcmp_ordered(">", f.get(flag), F64(0.5))
        rounding = b.fmul(t, f.double(slope, k))
        new = truth_of_time(code, f, f.double(values, k), ints(f, "instant_operator", k), rounding)
        with b.if_then(b.icmp_unsigned("!=", new, old)):
            f.put(flag, b.select(new, F64(1.0), F64(0.0)))
            f.put(changed, I32(1))
    b.ret(f.get(changed, I32))


def _solve(code: ir.Module) -> None:
    """Everything else from the states; where native code finds no solution, Python tries harder."""
    f = Function(code, "event_solve", {"ev": PTR}, I32)
    b, t, context = f.builder, w(f, "t", F64), w(f, "context")
    status = f.call(w(f, "solve"), I32, t, context)
    rescue = w(f, "rescue", I64)
    with b.if_then(b.and_(b.icmp_signed("!=", status, I32(0)), b.icmp_signed("!=", rescue, I64(0)))):
        b.ret(f.call(b.inttoptr(rescue, PTR), I32, t, context))
    b.ret(status)


def _come_to_rest(code: ir.Module) -> None:
    """Flags, discrete equations, the chosen actions and the unknowns, until they agree; what pre() reads stays.

    1: something changed, 0: nothing did, negative: there is no agreement.
    """
    f = Function(code, "event_come_to_rest", {"ev": PTR}, I64)
    b, ev, ever = f.builder, f["ev"], f.variable(I64, I64(0))
    with f.loop(I64(0), I64(_MOST_ROUNDS)) as k:
        rounds = w(f, "rounds", I64)
        put(f, "rounds", b.add(rounds, I64(1)))
        single = b.zext(b.icmp_signed(">=", k, I64(_TOGETHER)), I64)
        late = b.icmp_signed(">=", rounds, I64(_LATE))  # of the whole instant: else roundings would restart
        put(f, "one_by_one", b.select(late, I64(2), single))
        changed = f.variable(I32, I32(0))
        for part in ("past_at_start", "switch_relations", "switch_instants", "always", "act_again"):
            f.put(changed, b.or_(f.get(changed, I32), b.call(code.get_global(f"event_{part}"), [ev])))
        with b.if_then(b.icmp_signed("==", f.get(changed, I32), I32(0))):
            b.ret(f.get(ever, I64))
        f.put(ever, I64(1))
        status = b.call(code.get_global("event_solve"), [ev])
        with b.if_then(b.icmp_signed("!=", status, I32(0))):
            b.ret(I64(NOTHING_CONSISTENT))
    b.ret(I64(NO_REST))


def _settle(code: ir.Module) -> None:
    """Iterate at this time until nothing changes; y and y' are brought up to date in place.

    In each round everything is solved together with the when-statements that fire in it; then the past moves on. The
    word `passing` says that relations with a root count as they will be just after it, until something else changes
    their value: the point itself may lie on either side by a rounding.
    """
    f = Function(code, "event_settle", {"ev": PTR, "first": I32})
    b, p, ev = f.builder, w(f, "p"), f["ev"]
    initial, terminal = w(f, "initial_index", I64), w(f, "terminal_index", I64)

    def call(name: str, *arguments: Any) -> Value:
        return b.call(code.get_global(f"event_{name}"), [ev, *arguments])

    with b.if_then(b.icmp_signed("!=", w(f, "passing", I64), I64(0))):
        call("call", w(f, "t", F64), I64(0), w(f, "g_before"))
    f.set(p, initial, b.sitofp(f["first"], F64))
    f.set(p, terminal, b.sitofp(w(f, "terminal", I64), F64))
    call("remember", I32(0))
    call("samples", I32(0))
    put(f, "chosen_count", I64(0))
    put(f, "rounds", I64(0))
    done, dirty = b.append_basic_block("done"), f.variable(I64, I64(0))
    with f.loop(I64(0), I64(_MOST_ROUNDS)):
        rested = call("come_to_rest")
        with b.if_then(b.icmp_signed("<", rested, I64(0))):
            put(f, "failed", rested)
        f.put(dirty, b.or_(f.get(dirty, I64), rested))
        with b.if_then(b.icmp_signed("!=", b.or_(w(f, "message", I64), w(f, "failed", I64)), I64(0))):
            b.branch(done)
        fresh = call("choose")
        with b.if_else(b.icmp_signed(">", fresh, I64(0))) as (more, none):
            with more:
                f.put(dirty, I64(1))
                put(f, "act_fresh", I64(1))
            with none:
                call("check_finite")
                with b.if_then(b.icmp_signed("==", f.get(dirty, I64), I64(0))):
                    b.branch(done)
                f.put(dirty, I64(0))
                put(f, "chosen_count", I64(0))
                call("samples", I32(1))
                call("remember", I32(1))
                with b.if_then(b.icmp_signed("!=", w(f, "past_is_solved_for", I64), I64(0))):
                    status = call("solve")
                    with b.if_then(b.icmp_signed("!=", status, I32(0))):
                        put(f, "failed", I64(NOTHING_CONSISTENT))
                        b.branch(done)
    put(f, "failed", I64(NO_REST))
    b.branch(done)
    b.position_at_end(done)
    call("samples", I32(1))
    f.set(p, initial, F64(0.0))
    f.set(p, terminal, F64(0.0))
    b.ret_void()


def _begin(code: ir.Module) -> None:
    """Flags from the present values."""
    f = Function(code, "event_begin", {"ev": PTR})
    put(f, "one_by_one", I64(0))
    put(f, "passing", I64(0))
    for part in ("switch_relations", "switch_instants"):
        f.builder.call(code.get_global(f"event_{part}"), [f["ev"]])
    f.builder.call(code.get_global("event_clock"), [f["ev"], I32(0)])
    put(f, "switched_count", I64(0))
    f.builder.ret_void()
