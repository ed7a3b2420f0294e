"""What SUNDIALS' IDA calls: residual, Jacobian, error weights and roots of a model, as native code.

The model is a record of addresses (MODEL); nothing of Python is involved.
"""

from __future__ import annotations

from llvmlite import ir

from tellegen.engine.native.llvm_builder import F64, I32, I64, PTR, Function, Value, all_finite
from tellegen.engine.runtime.event_record_layout import E

MODEL = (
    "size",
    "parameters",
    "residual_calls",
    "residual_count",
    "residual_tables",
    "jacobian_calls",
    "jacobian_count",
    "jacobian_tables",
    "get_array",
    "get_values",
    "residual_evaluations",
    "jacobian_evaluations",
    "rtol",
    "atol",
    "events",
    "event_roots",
)
"""Words of the record that is SUNDIALS' user data; rtol is an array of one."""

_M = {name: k for k, name in enumerate(MODEL)}


def count(f: Function, record: Value, number: int) -> None:
    """One more in a counting word."""
    place = f.place(record, I64(number), I64)
    f.put(place, f.builder.add(f.get(place, I64), I64(1)))


def _call_all(f: Function, model: Value, what: str, scalars: list[Value], arrays: list[Value]) -> None:
    """Call the functions of an entry point one after the other."""
    calls, tables = f.word(model, _M[f"{what}_calls"]), f.word(model, _M[f"{what}_tables"])
    with f.loop(I64(0), f.word(model, _M[f"{what}_count"], I64)) as k:
        address = f.builder.load(f.place(calls, k, I64), typ=PTR)
        f.call(address, ir.VoidType(), *scalars, *arrays, tables)


def _ida_residual(code: ir.Module) -> None:
    """A residual that is not finite is a recoverable failure: IDA then tries a smaller step."""
    f = Function(code, "ida_residual", {"t": F64, "y": PTR, "yp": PTR, "r": PTR, "model": PTR}, I32)
    model = f["model"]
    count(f, model, _M["residual_evaluations"])
    data = [f.call(f.word(model, _M["get_array"]), PTR, f[name]) for name in ("y", "yp", "r")]
    _call_all(f, model, "residual", [f["t"]], [data[0], data[1], f.word(model, _M["parameters"]), data[2]])
    finite = all_finite(f, data[2], f.word(model, _M["size"], I64))
    f.builder.ret(f.builder.select(finite, I32(0), I32(1)))


def _ida_jacobian(code: ir.Module) -> None:
    arguments = dict.fromkeys(("y", "yp", "r", "matrix", "model", "tmp1", "tmp2", "tmp3"), PTR)
    f = Function(code, "ida_jacobian", {"t": F64, "cj": F64, **arguments}, I32)
    model = f["model"]
    count(f, model, _M["jacobian_evaluations"])
    data = [f.call(f.word(model, _M["get_array"]), PTR, f[name]) for name in ("y", "yp")]
    values = f.call(f.word(model, _M["get_values"]), PTR, f["matrix"])
    _call_all(f, model, "jacobian", [f["t"], F64(1.0), f["cj"]], [*data, f.word(model, _M["parameters"]), values])
    f.builder.ret(I32(0))


def _ida_weights(code: ir.Module) -> None:
    """Error weights 1 / (rtol |y| + atol), read from the record at every step: tolerances may change on the way."""
    f = Function(code, "ida_weights", {"y": PTR, "weights": PTR, "model": PTR}, I32)
    b, model = f.builder, f["model"]
    y, weights = (f.call(f.word(model, _M["get_array"]), PTR, f[name]) for name in ("y", "weights"))
    rtol, atol = f.double(f.word(model, _M["rtol"]), I64(0)), f.word(model, _M["atol"])
    absolute = code.declare_intrinsic("llvm.fabs", [F64])
    with f.loop(I64(0), f.word(model, _M["size"], I64)) as k:
        allowed = b.fadd(b.fmul(rtol, b.call(absolute, [f.double(y, k)])), f.double(atol, k))
        f.set(weights, k, b.fdiv(F64(1.0), allowed))
    b.ret(I32(0))


def _ida_roots(code: ir.Module) -> None:
    """The root functions of events, at the unknowns that IDA asks about."""
    f = Function(code, "ida_roots", {"t": F64, "y": PTR, "yp": PTR, "g": PTR, "model": PTR}, I32)
    events = f.word(f["model"], _M["events"])
    places = [f.place(events, I64(E[name]), I64) for name in ("y", "yp")]
    own = [f.get(place, PTR) for place in places]
    for place, name in zip(places, ("y", "yp"), strict=True):
        f.put(place, f.call(f.word(f["model"], _M["get_array"]), PTR, f[name]))
    f.call(f.word(f["model"], _M["event_roots"]), ir.VoidType(), events, f["t"], f["g"])
    for place, array in zip(places, own, strict=True):
        f.put(place, array)
    f.builder.ret(I32(0))


CALLBACKS = (_ida_residual, _ida_jacobian, _ida_weights, _ida_roots)
