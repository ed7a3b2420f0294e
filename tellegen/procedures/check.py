"""The checker of procedures: types, locals that may have no value, missing returns. Every mistake names its line.

It runs over all kernels in the tests, and over procedures that come from elsewhere before they are printed.
"""

from __future__ import annotations

from collections.abc import Iterator

from tellegen.errors import InternalError
from tellegen.ir.procedure import (
    BOOL,
    F64,
    I64,
    OPERATIONS,
    ArrayOf,
    Assign,
    Break,
    Call,
    CallPointer,
    Constant,
    Continue,
    Data,
    Do,
    Element,
    Expr,
    Field,
    For,
    FunctionOf,
    If,
    Local,
    LocalArray,
    Operation,
    Procedure,
    RecordOf,
    Return,
    Statement,
    Tail,
    Type,
    Unit,
    While,
    is_pointer,
    read_type,
)
from tellegen.ir.source_location import SourceLocation
from tellegen.procedures.show import show_expression, show_type

_LETTERS = {F64: "f", I64: "i", BOOL: "b"}


def check(unit: Unit) -> None:
    """Raise an InternalError for the first mistake."""
    for mistake in mistakes(unit):
        raise mistake


def mistakes(unit: Unit) -> Iterator[InternalError]:
    """All mistakes, in the order they are written."""
    for name, full in unit.entries.items():
        kinds = unit.procedures[full].signature
        if BOOL in (*kinds.parameters, kinds.returns):
            message = f"'{name}' is called from outside, where a bool has no common size; use i32"
            yield _mistake(message, unit.procedures[full].location)
    for procedure in unit.procedures.values():
        yield from _Checker(unit, procedure).mistakes()


def _mistake(message: str, location: SourceLocation) -> InternalError:
    return InternalError("E905", message, location=location)


class _Checker:
    """Checks one procedure. `known` are the locals that have a value for certain, None after a jump."""

    def __init__(self, unit: Unit, procedure: Procedure) -> None:
        self.unit = unit
        self.procedure = procedure
        self.types: dict[str, Type] = {each.name: read_type(each.type) for each in procedure.parameters}
        self.found: list[InternalError] = []
        self.location = procedure.location
        self.counters: list[str] = []
        self.left: list[set[str] | None] = []  # per loop: what is known where a break leaves it

    def mistakes(self) -> list[InternalError]:
        known = self.block(self.procedure.body, set(self.types))
        if known is not None and self.procedure.returns is not None:
            self.location = self.procedure.location
            self.say(f"'{self.procedure.name}' may end without returning a value")
        return self.found

    def say(self, message: str) -> None:
        self.found.append(_mistake(message, self.location))

    # statements

    def block(self, body: tuple[Statement, ...], known: set[str] | None) -> set[str] | None:
        for statement in body:
            self.location = statement.location
            if known is None:
                self.say("this is never reached")
                return None
            known = self.statement(statement, known)
        return known

    def statement(self, statement: Statement, known: set[str]) -> set[str] | None:
        match statement:
            case Assign(target, value):
                self.expression(value, known)
                return self.assign(target, value, known)
            case LocalArray(name, element, count):
                if count < 1:
                    self.say(f"'{name}' has no elements")
                return known | {self.local(name, ArrayOf(element))}
            case If(condition, body, otherwise):
                self.condition(condition, known)
                return _both(self.block(body, set(known)), self.block(otherwise, set(known)))
            case While(condition, body):
                self.condition(condition, known)
                return self.loop(condition, body, known)
            case For():
                return self.counted(statement, known)
            case Return(value):
                self.returned(value, known)
            case Do(call):
                self.expression(call, known)
                return known
            case Break() | Continue():
                self.jump(isinstance(statement, Break), known)
        return None

    def assign(self, target: Local | Field | Element, value: Expr, known: set[str]) -> set[str]:
        if value.type != target.type:
            self.say(f"a value of type {show_type(value.type)} for {show_type(target.type)}")
        if not isinstance(target, Local):
            self.expression(target, known)
            return known
        if target.name in self.counters:
            self.say(f"'{target.name}' counts the rounds of a loop and cannot be assigned to")
        return known | {self.local(target.name, target.type)}

    def local(self, name: str, kind: Type) -> str:
        if self.types.setdefault(name, kind) != kind:
            self.say(f"'{name}' has the types {show_type(self.types[name])} and {show_type(kind)}")
        return name

    def condition(self, value: Expr, known: set[str]) -> None:
        self.expression(value, known)
        if value.type != BOOL:
            self.say("a condition is a bool")

    def loop(self, condition: Expr | None, body: tuple[Statement, ...], known: set[str]) -> set[str] | None:
        """What is known after a loop: what was before it, unless only a break leaves it."""
        endless = isinstance(condition, Constant) and bool(condition.value)
        self.left.append(None)
        self.block(body, set(known))
        broken = self.left.pop()
        return broken if endless else known

    def counted(self, statement: For, known: set[str]) -> set[str]:
        for bound in (statement.start, statement.stop):
            self.expression(bound, known)
            if bound.type != I64:
                self.say("a range has integer bounds")
        if statement.name in known or statement.name in self.counters:
            self.say(f"'{statement.name}' counts rounds and has a value already")
        self.local(statement.name, I64)
        self.counters.append(statement.name)
        self.loop(None, statement.body, known | {statement.name})
        self.counters.pop()
        return known

    def returned(self, value: Expr | None, known: set[str]) -> None:
        if value is not None:
            self.expression(value, known)
        declared = self.procedure.returns
        if (value.type if value is not None else None) != (declared and read_type(declared)):
            self.say(f"'{self.procedure.name}' returns {show_type(declared)}")

    def jump(self, is_break: bool, known: set[str]) -> None:
        if not self.left:
            self.say("there is no loop to leave")
        elif is_break:
            self.left[-1] = _both(self.left[-1], known)

    # expressions

    def expression(self, value: Expr, known: set[str]) -> None:
        match value:
            case Constant() | Data():
                pass
            case Local(name, kind):
                if name not in known:
                    self.say(f"'{name}' may have no value here")
                elif self.types[name] != kind:
                    self.say(f"'{name}' is {show_type(self.types[name])}")
            case Field(record, name, kind):
                self.expression(record, known)
                layout = self.unit.layouts.get(record.type.name) if isinstance(record.type, RecordOf) else None
                if layout is None or layout.fields.get(name) != kind:
                    self.say(f"'{show_expression(value)}' is not a field of type {show_type(kind)}")
            case Element(array, index, kind) | Tail(array, index, kind):
                self.expression(array, known)
                self.expression(index, known)
                self.indexed(value, array, kind, index)
            case Operation():
                for operand in value.operands:
                    self.expression(operand, known)
                self.operation(value)
            case Call() | CallPointer():
                self.call(value, known)

    def indexed(self, value: Element | Tail, array: Expr, kind: Type, index: Expr) -> None:
        if index.type != I64:
            self.say("an index is an integer")
        if not isinstance(array.type, ArrayOf):
            self.say(f"'{show_expression(array)}' is not an array")
        elif kind != (array.type if isinstance(value, Tail) else read_type(array.type.element)):
            self.say(f"'{show_expression(value)}' is not of type {show_type(kind)}")
        elif array.type.element == BOOL:
            self.say("an array has no bools; use i32")

    def operation(self, value: Operation) -> None:
        kinds = [*(operand.type for operand in value.operands), value.type]
        letters = [_LETTERS.get(kind, "p" if is_pointer(kind) else "?") if kind else "?" for kind in kinds]
        signature = f"{''.join(letters[:-1])}:{letters[-1]}"
        pointers = {kind for kind in kinds if is_pointer(kind)}
        if signature not in OPERATIONS.get(value.name, ()) or (value.name == "choose" and len(pointers) > 1):
            given = ", ".join(show_type(kind) for kind in kinds[:-1])
            self.say(f"there is no '{value.name}' of ({given}) that gives {show_type(value.type)}")

    def call(self, value: Call | CallPointer, known: set[str]) -> None:
        for argument in value.arguments:
            self.expression(argument, known)
        if isinstance(value, CallPointer):
            self.expression(value.function, known)
            signature = value.function.type
        else:
            called = self.unit.procedures.get(value.procedure)
            signature = None if called is None else called.signature
        if not isinstance(signature, FunctionOf):
            self.say(f"'{show_expression(value)}' calls what is not a function")
            return
        wanted = [read_type(kind) for kind in signature.parameters]
        given = [argument.type for argument in value.arguments]
        if wanted != given or value.type != (signature.returns and read_type(signature.returns)):
            self.say(f"'{show_expression(value)}' does not fit {show_type(signature)}")


def _both(one: set[str] | None, other: set[str] | None) -> set[str] | None:
    """What is known where two ways meet; None is a way that is not taken."""
    return other if one is None else one if other is None else one & other
