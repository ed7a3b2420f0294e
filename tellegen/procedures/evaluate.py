"""Procedures in plain Python, statement by statement: slow, and the reference for all that prints them.

    evaluate(unit, "norm", x, 3)

Arrays are NumPy arrays (or lists of records), records are objects with attributes, functions are callables. An index
outside an array is an error here, where compiled code would read something else.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from enum import Enum, auto
from typing import Any

import numpy as np

from tellegen.errors import InternalError
from tellegen.ir import procedure as ir
from tellegen.procedures.language import bits, from_bits
from tellegen.start.records import dataclass

_ELEMENTS = {"f64": np.float64, "i64": np.int64, "i32": np.int32}


def evaluate(unit: ir.Unit, entry: str, *arguments: Any) -> Any:
    """Call an entry."""
    with np.errstate(all="ignore"):
        return _run(unit, unit.entries[entry], list(arguments))


class _Next(Enum):
    """What follows a statement."""

    STATEMENT = auto()
    ROUND = auto()  # after continue
    LOOP_END = auto()  # after break
    RETURN = auto()


def _run(unit: ir.Unit, name: str, arguments: list[Any]) -> Any:
    procedure = unit.procedures[name]
    names = [parameter.name for parameter in procedure.parameters]
    frame = _Frame(unit, dict(zip(names, arguments, strict=True)))
    frame.block(procedure.body)
    return frame.returned


@dataclass(slots=True)
class _Frame:
    """One call: the values of the locals, and in the end what is returned."""

    unit: ir.Unit
    locals: dict[str, Any]
    returned: Any = None

    def block(self, body: tuple[ir.Statement, ...]) -> _Next:
        for statement in body:
            following = self.statement(statement)
            if following != _Next.STATEMENT:
                return following
        return _Next.STATEMENT

    def statement(self, statement: ir.Statement) -> _Next:
        match statement:
            case ir.Assign(target, value):
                self.assign(target, self.value(value))
            case ir.LocalArray(name, element, count):
                assert isinstance(element, ir.Scalar)
                self.locals[name] = np.zeros(count, _ELEMENTS[element.name])
            case ir.If(condition, body, otherwise):
                return self.block(body if self.value(condition) else otherwise)
            case ir.While(condition, body):
                return self.loop(lambda: self.value(condition), body)
            case ir.For(name, start, stop, step, body):
                steps = iter(range(self.value(start), self.value(stop), step))
                return self.loop(lambda: self.advance(name, steps), body)
            case ir.Return(value):
                self.returned = None if value is None else self.value(value)
                return _Next.RETURN
            case ir.Do(call):
                self.value(call)
            case ir.Break():
                return _Next.LOOP_END
            case ir.Continue():
                return _Next.ROUND
        return _Next.STATEMENT

    def loop(self, more: Callable[[], bool], body: tuple[ir.Statement, ...]) -> _Next:
        while more():
            following = self.block(body)
            if following == _Next.RETURN:
                return following
            if following == _Next.LOOP_END:
                break
        return _Next.STATEMENT

    def advance(self, name: str, steps: Any) -> bool:
        following = next(steps, None)
        if following is not None:
            self.locals[name] = following
        return following is not None

    def assign(self, target: ir.Local | ir.Field | ir.Element, value: Any) -> None:
        match target:
            case ir.Local(name):
                self.locals[name] = value
            case ir.Field(record, name):
                setattr(self.value(record), name, value)
            case ir.Element(array, index):
                owner = self.value(array)
                owner[_inside(owner, self.value(index))] = value

    def value(self, expression: ir.Expr) -> Any:
        match expression:
            case ir.Constant(value):
                return value
            case ir.Data(_, values, kind):
                assert isinstance(kind, ir.ArrayOf)
                return np.array(values, np.float64 if kind.element == ir.F64 else np.int64)
            case ir.Local(name):
                return self.locals[name]
            case ir.Field(record, name):
                return getattr(self.value(record), name)
            case ir.Element(array, index, kind):
                owner = self.value(array)
                found = owner[_inside(owner, self.value(index))]
                return float(found) if kind == ir.F64 else int(found) if kind == ir.I64 else found
            case ir.Tail(array, start):
                owner = self.value(array)
                first = self.value(start)
                if not 0 <= first <= len(owner):
                    raise InternalError("E904", f"an array of {len(owner)} elements has no part from {first} on")
                return owner[first:]
            case ir.Call(name, arguments):
                return _run(self.unit, name, [self.value(argument) for argument in arguments])
            case ir.CallPointer(function, arguments):
                return self.value(function)(*[self.value(argument) for argument in arguments])
            case ir.Operation(name, operands, kind):
                return self.operation(name, operands, kind)

    def operation(self, name: str, operands: tuple[ir.Expr, ...], kind: Any) -> Any:
        if name == "choose":
            return self.value(operands[1] if self.value(operands[0]) else operands[2])
        if name == "and":
            return self.value(operands[0]) and self.value(operands[1])
        if name == "or":
            return self.value(operands[0]) or self.value(operands[1])
        result = _COMPUTE[name](*[self.value(operand) for operand in operands])
        return float(result) if kind == ir.F64 else _wrapped(int(result)) if kind == ir.I64 else result


def _inside(array: Any, index: int) -> int:
    if not 0 <= index < len(array):
        raise InternalError("E904", f"an array of {len(array)} elements has no element {index}")
    return index


def _wrapped(number: int) -> int:
    """As much of an integer as 64 bits hold."""
    return (number + 2**63) % 2**64 - 2**63


def _multiply_add(a: float, b: float, c: float) -> float:
    return a * b + c


_COMPUTE: dict[str, Callable[..., Any]] = {
    **{"+": operator.add, "-": operator.sub, "*": operator.mul, "/": np.divide, "//": operator.floordiv},
    **{"%": operator.mod, "&": operator.and_, "|": operator.or_, "^": operator.xor},
    **{"<<": operator.lshift, ">>": operator.rshift, "<": operator.lt, "<=": operator.le, ">": operator.gt},
    **{">=": operator.ge, "==": operator.eq, "!=": operator.ne, "not": operator.not_, "neg": operator.neg},
    **{"abs": abs, "min": min, "max": max, "f64": float, "i64": int, "bits": bits, "from_bits": from_bits},
    **{"is_finite": math.isfinite, "is_none": lambda pointer: pointer is None, "multiply_add": _multiply_add},
    "any": bool,
    **{"sqrt": np.sqrt, "floor": np.floor, "ceil": np.ceil, "exp": np.exp, "log": np.log, "sin": np.sin},
    **{"cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh},
    **{"cosh": np.cosh, "tanh": np.tanh, "pow": np.power, "atan2": np.arctan2},
}
