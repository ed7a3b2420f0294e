"""The checker of procedures: types, locals that may have no value, missing returns. Every mistake names its line.

It runs over all kernels in the tests, and over procedures that come from elsewhere before they are printed.
"""

from __future__ import annotations

from collections.abc import Iterator

from tellegen.errors import InternalError
from tellegen.ir import procedure as ir
from tellegen.ir.source_location import SourceLocation
from tellegen.procedures.show import show_expression, show_type

_LETTERS = {ir.F64: "f", ir.I64: "i", ir.BOOL: "b"}


def check(unit: ir.Unit) -> None:
    """Raise an InternalError for the first mistake."""
    for mistake in mistakes(unit):
        raise mistake


def mistakes(unit: ir.Unit) -> Iterator[InternalError]:
    """All mistakes, in the order they are written."""
    for name, full in unit.entries.items():
        kinds = unit.procedures[full].signature
        if ir.BOOL in (*kinds.parameters, kinds.returns):
            message = f"'{name}' is called from outside, where a bool has no common size; use i32"
            yield _mistake(message, unit.procedures[full].location)
    for procedure in unit.procedures.values():
        if procedure.external:
            continue
        yield from _Checker(unit, procedure).mistakes()


def _mistake(message: str, location: SourceLocation) -> InternalError:
    return InternalError("E905", message, location=location)


class _Checker:
    """Checks one procedure. `known` are the locals that have a value for certain, None after a jump."""

    def __init__(self, unit: ir.Unit, procedure: ir.Procedure) -> None:
        self.unit = unit
        self.procedure = procedure
        self.types: dict[str, ir.Type] = {each.name: ir.read_type(each.type) for each in procedure.parameters}
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

    def block(self, body: tuple[ir.Statement, ...], known: set[str] | None) -> set[str] | None:
        for statement in body:
            self.location = statement.location
            if known is None:
                self.say("this is never reached")
                return None
            known = self.statement(statement, known)
        return known

    def statement(self, statement: ir.Statement, known: set[str]) -> set[str] | None:
        match statement:
            case ir.Assign(target, value):
                self.expression(value, known)
                return self.assign(target, value, known)
            case ir.LocalArray(name, element, count):
                if count < 1:
                    self.say(f"'{name}' has no elements")
                return known | {self.local(name, ir.ArrayOf(element))}
            case ir.If(condition, body, otherwise):
                self.condition(condition, known)
                return _both(self.block(body, set(known)), self.block(otherwise, set(known)))
            case ir.While(condition, body):
                self.condition(condition, known)
                return self.loop(condition, body, known)
            case ir.For():
                return self.counted(statement, known)
            case ir.Return(value):
                self.returned(value, known)
            case ir.Do(call):
                self.expression(call, known)
                return known
            case ir.Break() | ir.Continue():
                self.jump(isinstance(statement, ir.Break), known)
        return None

    def assign(self, target: ir.Local | ir.Field | ir.Element, value: ir.Expr, known: set[str]) -> set[str]:
        if value.type != target.type:
            self.say(f"a value of type {show_type(value.type)} for {show_type(target.type)}")
        if not isinstance(target, ir.Local):
            self.expression(target, known)
            return known
        if target.name in self.counters:
            self.say(f"'{target.name}' counts the rounds of a loop and cannot be assigned to")
        return known | {self.local(target.name, target.type)}

    def local(self, name: str, kind: ir.Type) -> str:
        if self.types.setdefault(name, kind) != kind:
            self.say(f"'{name}' has the types {show_type(self.types[name])} and {show_type(kind)}")
        return name

    def condition(self, value: ir.Expr, known: set[str]) -> None:
        self.expression(value, known)
        if value.type != ir.BOOL:
            self.say("a condition is a bool")

    def loop(self, condition: ir.Expr | None, body: tuple[ir.Statement, ...], known: set[str]) -> set[str] | None:
        """What is known after a loop: what was before it, unless only a break leaves it."""
        endless = isinstance(condition, ir.Constant) and bool(condition.value)
        self.left.append(None)
        self.block(body, set(known))
        broken = self.left.pop()
        return broken if endless else known

    def counted(self, statement: ir.For, known: set[str]) -> set[str]:
        for bound in (statement.start, statement.stop):
            self.expression(bound, known)
            if bound.type != ir.I64:
                self.say("a range has integer bounds")
        if statement.name in known or statement.name in self.counters:
            self.say(f"'{statement.name}' counts rounds and has a value already")
        self.local(statement.name, ir.I64)
        self.counters.append(statement.name)
        self.loop(None, statement.body, known | {statement.name})
        self.counters.pop()
        return known

    def returned(self, value: ir.Expr | None, known: set[str]) -> None:
        if value is not None:
            self.expression(value, known)
        declared = self.procedure.returns
        if (value.type if value is not None else None) != (declared and ir.read_type(declared)):
            self.say(f"'{self.procedure.name}' returns {show_type(declared)}")

    def jump(self, is_break: bool, known: set[str]) -> None:
        if not self.left:
            self.say("there is no loop to leave")
        elif is_break:
            self.left[-1] = _both(self.left[-1], known)

    # expressions

    def expression(self, value: ir.Expr, known: set[str]) -> None:
        match value:
            case ir.Constant() | ir.Data():
                pass
            case ir.Local(name, kind):
                if name not in known:
                    self.say(f"'{name}' may have no value here")
                elif self.types[name] != kind:
                    self.say(f"'{name}' is {show_type(self.types[name])}")
            case ir.Field(record, name, kind):
                self.expression(record, known)
                layout = self.unit.layouts.get(record.type.name) if isinstance(record.type, ir.RecordOf) else None
                if layout is None or layout.fields.get(name) != kind:
                    self.say(f"'{show_expression(value)}' is not a field of type {show_type(kind)}")
            case ir.Element(array, index, kind) | ir.Tail(array, index, kind):
                self.expression(array, known)
                self.expression(index, known)
                self.indexed(value, array, kind, index)
            case ir.Operation():
                for operand in value.operands:
                    self.expression(operand, known)
                self.operation(value)
            case ir.Call() | ir.CallPointer():
                self.call(value, known)

    def indexed(self, value: ir.Element | ir.Tail, array: ir.Expr, kind: ir.Type, index: ir.Expr) -> None:
        if index.type != ir.I64:
            self.say("an index is an integer")
        if not isinstance(array.type, ir.ArrayOf):
            self.say(f"'{show_expression(array)}' is not an array")
        elif kind != (array.type if isinstance(value, ir.Tail) else ir.read_type(array.type.element)):
            self.say(f"'{show_expression(value)}' is not of type {show_type(kind)}")
        elif array.type.element == ir.BOOL:
            self.say("an array has no bools; use i32")

    def operation(self, value: ir.Operation) -> None:
        kinds = [*(operand.type for operand in value.operands), value.type]
        letters = [_LETTERS.get(kind, "p" if ir.is_pointer(kind) else "?") if kind else "?" for kind in kinds]
        signature = f"{''.join(letters[:-1])}:{letters[-1]}"
        pointers = {kind for kind in kinds if ir.is_pointer(kind)}
        if signature not in ir.OPERATIONS.get(value.name, ()) or (value.name == "choose" and len(pointers) > 1):
            given = ", ".join(show_type(kind) for kind in kinds[:-1])
            self.say(f"there is no '{value.name}' of ({given}) that gives {show_type(value.type)}")

    def call(self, value: ir.Call | ir.CallPointer, known: set[str]) -> None:
        for argument in value.arguments:
            self.expression(argument, known)
        if isinstance(value, ir.CallPointer):
            self.expression(value.function, known)
            signature = value.function.type
        else:
            called = self.unit.procedures.get(value.procedure)
            signature = None if called is None else called.signature
        if not isinstance(signature, ir.FunctionOf):
            self.say(f"'{show_expression(value)}' calls what is not a function")
            return
        wanted = [ir.read_type(kind) for kind in signature.parameters]
        given = [argument.type for argument in value.arguments]
        if wanted != given or value.type != (signature.returns and ir.read_type(signature.returns)):
            self.say(f"'{show_expression(value)}' does not fit {show_type(signature)}")


def _both(one: set[str] | None, other: set[str] | None) -> set[str] | None:
    """What is known where two ways meet; None is a way that is not taken."""
    return other if one is None else one if other is None else one & other
