"""Native root functions: what integrators watch, and where it passes zero.

The root function of a relation is left - right, moved by the relation's band to the far side. It is wrong when it lies
on the side where the relation would be worth the opposite of its flag. Where it is zero and the flag right, it is put
on the right side by a trace: SUNDIALS leaves functions that begin at zero alone, and would not see a mass that is
pressed into the stop it rests on. So it is on the way out of an event, where it may be wrong by a rounding: a ball that
is below the floor at both ends of a step would not be seen to have flown.
"""

from __future__ import annotations

from math import prod

from llvmlite import ir

from tellegen.engine.native.llvm_builder import F64, I32, I64, PTR, Function, Value
from tellegen.engine.runtime.dormand_prince_tableau import NODES
from tellegen.engine.runtime.event_record_access import grow, ints, is_above, put, truth, w

_KNOWN = (0, 2, 3)
"""The stages that have to foretell others, at the parts 0, 0.3 and 0.8 of a step ..."""

_FORETOLD = (1, 4, 6)
"""... and those: the ones at 0.2, at 8/9 and the end of the step."""

TOO_LONG, SUSPICIOUS = 1, 2
"""What an explicit step may be for a root function."""

_RIGHT = 1e-300
_RESOLVED, _FAR, _NOISE = 0.15, 3.0, 1e-8  # of the extent over the step, and of the largest value so far


def _slot(f: Function, number: Value) -> Value:
    """The place where root functions of a stage are kept."""
    return f.place(w(f, "stages"), f.builder.mul(number, w(f, "relation_count", I64)))


def _roots(code: ir.Module) -> None:
    """All root functions at a time."""
    f = Function(code, "event_roots", {"ev": PTR, "t": F64, "out": PTR})
    b, band = f.builder, w(f, "band")
    leaves = b.fcmp_ordered("<", f["t"], w(f, "departed", F64))  # until there all relations were found to be right
    b.call(code.get_global("event_call"), [f["ev"], f["t"], I64(0), f["out"]])
    with f.loop(I64(0), w(f, "relation_count", I64)) as k:
        width = f.double(band, k)
        grow(code, f, f.double(f["out"], k), k)
        f.add_to(f["out"], k, b.select(is_above(f, k), width, b.fneg(width)))
        value, right = f.double(f["out"], k), b.select(is_above(f, k), F64(_RIGHT), F64(-_RIGHT))
        raised = b.fcmp_ordered(">", f.double(w(f, "p"), ints(f, "relation_flag", k)), F64(0.5))
        agrees = b.icmp_unsigned("==", raised, truth(f, F64(0.0), ints(f, "relation_operator", k), raised, F64(0.0)))
        rests = b.and_(b.fcmp_ordered("==", value, F64(0.0)), agrees)
        rounding = b.and_(leaves, _wrong(f, value, k))
        f.set(f["out"], k, b.select(b.or_(rests, rounding), right, value))
    b.ret_void()


def _wrong(f: Function, value: Value, k: Value) -> Value:
    b = f.builder
    return b.select(is_above(f, k), b.fcmp_ordered("<", value, F64(0.0)), b.fcmp_ordered(">", value, F64(0.0)))


def _watch(code: ir.Module) -> None:
    """Keep the root functions of a stage; 1 if one of them is wrong."""
    f = Function(code, "event_watch", {"ev": PTR, "t": F64, "slot": I64}, I32)
    b, values, found = f.builder, _slot(f, f["slot"]), f.variable(I32, I32(0))
    b.call(code.get_global("event_roots"), [f["ev"], f["t"], values])
    with f.loop(I64(0), w(f, "relation_count", I64)) as k:
        f.put(found, b.or_(f.get(found, I32), b.zext(_wrong(f, f.double(values, k), k), I32)))
    b.ret(f.get(found, I32))


def _secant(code: ir.Module) -> None:
    """Which part of the way from one stage to another the first of the roots lies at, by straight lines.

    The value at the far end has a weight: halved again and again, it draws the estimate to that end (Illinois).
    """
    f = Function(code, "event_secant", {"ev": PTR, "low": I64, "high": I64, "weight": F64}, F64)
    b, low, high = f.builder, _slot(f, f["low"]), _slot(f, f["high"])
    least, absolute = f.variable(F64, F64(1.0)), code.declare_intrinsic("llvm.fabs", [F64])
    with f.loop(I64(0), w(f, "relation_count", I64)) as k, b.if_then(_wrong(f, f.double(high, k), k)):
        near, far = b.call(absolute, [f.double(low, k)]), b.call(absolute, [f.double(high, k)])
        part = b.fdiv(near, b.fadd(near, b.fmul(f["weight"], far)))
        f.put(least, b.select(b.fcmp_ordered("<", part, f.get(least)), part, f.get(least)))
    b.ret(f.get(least))


def _mark(code: ir.Module) -> None:
    """Mark the wrong root functions of a stage in `roots`, with the direction in which they passed zero."""
    f = Function(code, "event_mark", {"ev": PTR, "slot": I64})
    b, values, roots = f.builder, _slot(f, f["slot"]), w(f, "roots")
    with f.loop(I64(0), w(f, "relation_count", I64)) as k:
        value = f.double(values, k)
        direction = b.select(b.fcmp_ordered(">", value, F64(0.0)), I64(1), I64(-1))
        f.set_index(roots, k, b.select(_wrong(f, value, k), direction, I64(0)))
    put(f, "passing", I64(1))
    b.ret_void()


def _weights(part: float) -> tuple[float, ...]:
    """The weights of the known stages in the parabola through them, at a part of the step (Lagrange)."""
    nodes = [NODES[number] for number in _KNOWN]
    return tuple(prod((part - other) / (node - other) for other in nodes if other != node) for node in nodes)


def _extreme(f: Function, values: list[Value]) -> Value:
    """The extreme value of the parabola through the known stages between the last two, or the last value."""
    b, (_, near, far) = f.builder, [NODES[number] for number in _KNOWN]
    first, middle, last = values
    slopes = [b.fdiv(b.fsub(value, first), F64(part)) for value, part in ((middle, near), (last, far))]
    bend = b.fdiv(b.fsub(slopes[1], slopes[0]), F64(far - near))
    slope = b.fsub(slopes[0], b.fmul(F64(near), bend))  # at the start of the step
    where = b.fdiv(b.fmul(F64(-0.5), slope), bend)
    value = b.fadd(first, b.fmul(F64(0.5), b.fmul(slope, where)))
    inside = b.and_(b.fcmp_ordered(">", where, F64(near)), b.fcmp_ordered("<", where, F64(far)))
    return b.select(inside, value, last)


def _unresolved(code: ir.Module) -> None:
    """Whether an explicit step is too long for a root function that might pass zero, though not for the states; or
    whether one might have passed and come back in the middle of the step, where no stage is.

    Its values at three stages should foretell those at others; a sine over a whole period does not. Several have to
    be right at once: one of them may be by chance.
    """
    f = Function(code, "event_unresolved", {"ev": PTR}, I32)
    b, absolute, found = f.builder, code.declare_intrinsic("llvm.fabs", [F64]), f.variable(I32, I32(0))
    stages = {number: _slot(f, I64(number)) for number in (*_KNOWN, *_FORETOLD)}
    with f.loop(I64(0), w(f, "relation_count", I64)) as k:
        values = {number: f.double(stage, k) for number, stage in stages.items()}
        largest = smallest = values[0]
        for value in values.values():
            largest = b.select(b.fcmp_ordered(">", value, largest), value, largest)
            smallest = b.select(b.fcmp_ordered("<", value, smallest), value, smallest)
        off = F64(0.0)
        for number in _FORETOLD:
            error = values[number]
            for stage, weight in zip(_KNOWN, _weights(NODES[number]), strict=True):
                error = b.fsub(error, b.fmul(F64(weight), values[stage]))
            error = b.call(absolute, [error])
            off = b.select(b.fcmp_ordered(">", error, off), error, off)
        extent, sizes = b.fsub(largest, smallest), w(f, "sizes")
        size = b.call(absolute, [values[6]])
        near = b.fcmp_ordered("<", size, b.fmul(F64(_FAR), extent))
        near = b.and_(near, b.fcmp_ordered(">", extent, b.fmul(F64(_NOISE), f.double(sizes, k))))
        with b.if_then(b.and_(near, b.fcmp_ordered(">", off, b.fmul(F64(_RESOLVED), extent)))):
            b.ret(I32(TOO_LONG))
        humps = _wrong(f, _extreme(f, [values[stage] for stage in _KNOWN]), k)
        f.put(found, b.select(humps, I32(SUSPICIOUS), f.get(found, I32)))
    b.ret(f.get(found, I32))


def _keep(code: ir.Module) -> None:
    """The root functions at the end of an explicit step are those at the start of the next one."""
    f = Function(code, "event_keep", {"ev": PTR})
    first, last = _slot(f, I64(0)), _slot(f, I64(6))
    with f.loop(I64(0), w(f, "relation_count", I64)) as k:
        f.set(first, k, f.double(last, k))
    f.builder.ret_void()


BUILDERS = (_roots, _watch, _secant, _mark, _unresolved, _keep)
