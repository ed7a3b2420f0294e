"""Procedures -> LLVM IR text.

    for i in range(n):                head.1:  %i = phi i64 [ 0, %.entry ], [ %.4, %next.1 ]
        x[i] = 0.0            ->               br i1 %.2, label %body.1, label %done.1
                                      body.1:  store double 0x0, ptr %.3

A local that is assigned once is the value itself, one that is assigned more often has a place on the stack, which
LLVM turns into registers. Only entries can be seen from outside: names such as `advance` also exist in libc.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tellegen.ir import procedure as ir
from tellegen.ir.program import Module
from tellegen.procedures.bounds import Guard
from tellegen.procedures.lower_expressions import MEMORY, Expressions, Shared, llvm_type, word_type


def lower(unit: ir.Unit, optimize: int, guard: Guard | None = None) -> Module:
    """All procedures of a unit as one module; with a guard every access of an array is checked."""
    shared = Shared(unit, {full: name for name, full in unit.entries.items()}, guard)
    return written(shared, [Writer(shared, each) for each in unit.procedures.values() if not each.external], optimize)


def written(shared: Shared, writers: Sequence[Writer], optimize: int, more: str = "") -> Module:
    """The module of procedures; `more` is the code of external ones."""
    functions = [writer.text() for writer in writers]
    parts = [*shared.head(), *([more] if more else []), *functions]
    return Module("\n".join(parts), optimize, tuple(shared.unit.entries))


class LoopExits(NamedTuple):
    """The labels that `continue` and `break` jump to."""

    proceed: str
    leave: str


class Writer(Expressions):
    """Writes one procedure."""

    def __init__(self, shared: Shared, procedure: ir.Procedure) -> None:
        super().__init__(shared)
        self.procedure = procedure
        self.loops: list[LoopExits] = []
        self.unrolled = 0  # rounds of a loop up to which it is written out
        self.room: list[str] = []  # places of locals on the stack

    def text(self) -> str:
        """The function."""
        arguments = []
        times = Counter(
            each.target.name
            for each in ir.statements(self.procedure.body)
            if isinstance(each, ir.Assign) and isinstance(each.target, ir.Local)
        )
        for parameter in self.procedure.parameters:
            name = parameter.name
            kind = self.value_type(parameter.type)
            arguments.append(f"{kind} %{name}")
            value = self.parameter_value(parameter)
            if parameter.type == ir.I32:
                value = self.emit(f"sext i32 {value} to i64")
                kind = "i64"
            if times[name]:
                self.allocate_on_stack(name, kind)
                self.lines.append(f"  store {kind} {value}, ptr {self.positions[name]}")
            else:
                self.values[name] = value
        self.repeated = {name for name, count in times.items() if count > 1}
        self.block(self.procedure.body)
        if self.open:
            self.end("ret void" if self.procedure.returns is None else "unreachable")
        symbol = self.shared.symbols.get(self.procedure.name)
        linkage = "" if symbol else "internal "
        calls = "noinline optnone" if self.procedure.seldom else "noinline"
        how = "alwaysinline" if self.procedure.inline else calls
        returns = "void" if self.procedure.returns is None else self.value_type(self.procedure.returns)
        head = f"define {linkage}{returns} @{symbol or self.procedure.name}({', '.join(arguments)}) {how} nounwind {{"
        return "\n".join([head, ".entry:", *self.room, *self.lines, "}", ""])

    def value_type(self, kind: ir.Type) -> str:
        """The type of a parameter or a result."""
        return llvm_type(kind)

    def parameter_value(self, parameter: ir.Parameter) -> str:
        """The name of a parameter."""
        return f"%{parameter.name}"

    def allocate_on_stack(self, name: str, kind: str) -> None:
        """Room for a local."""
        self.positions[name] = f"%{name}.at"
        self.room.append(f"  %{name}.at = alloca {kind}")

    def block(self, body: tuple[ir.Statement, ...]) -> None:
        """Statements until one that nothing follows."""
        for statement in body:
            self.place = self.procedure.name, statement.location
            _WRITE[type(statement)](self, statement)
            if not self.open:
                return

    def write_assign(self, statement: ir.Assign) -> None:
        """A local, a field or an element."""
        target = statement.target
        value = self.expression(statement.value)
        if isinstance(target, ir.Local):
            if target.name not in self.repeated and target.name not in self.positions:
                self.values[target.name] = value
                return
            kind = llvm_type(target.type)
            if target.name not in self.positions:
                self.allocate_on_stack(target.name, kind)
            self.lines.append(f"  store {kind} {value}, ptr {self.positions[target.name]}")
        elif isinstance(target, ir.Field):
            position = self.field_address(target)
            if target.type == ir.BOOL:
                value = self.emit(f"zext i1 {value} to i64")
            self.lines.append(f"  store {word_type(target.type)} {value}, ptr {position}")
        else:
            self.store_element(target, value)

    def store_element(self, target: ir.Element, value: str) -> None:
        """array[index] = value"""
        position, element = self.element_address(target)
        if element == ir.I32:
            value = self.emit(f"trunc i64 {value} to i32")
        self.lines.append(f"  store {llvm_type(element)} {value}, ptr {position}")

    def write_local_array(self, statement: ir.LocalArray) -> None:
        """Room on the stack, once for all rounds of a loop."""
        name = f"%{statement.name}.room"
        self.room.append(f"  {name} = alloca [{statement.length} x {MEMORY[statement.element]}]")
        self.values[statement.name] = name
        self.lengths[statement.name] = statement.length

    def write_if(self, statement: ir.If) -> None:
        """Two branches that meet again, unless both have left."""
        then, otherwise, done = self.labels("then", "else", "done")
        second = otherwise if statement.otherwise else done
        self.decide(statement.condition, then, second)
        reached = not statement.otherwise
        for label, body in ((then, statement.body), (otherwise, statement.otherwise)):
            if label == then or statement.otherwise:
                self.begin(label)
                self.block(body)
                if self.open:
                    self.jump(done)
                    reached = True
        if reached:
            self.begin(done)

    def write_while(self, statement: ir.While) -> None:
        """The condition before every round."""
        head, body, done = self.labels("head", "body", "done")
        self.jump(head)
        self.begin(head)
        endless = isinstance(statement.condition, ir.Constant) and statement.condition.value
        if endless:
            self.jump(body)
        else:
            self.decide(statement.condition, body, done)
        self.loop_body(body, statement.body, LoopExits(head, done))
        if self.open:
            self.jump(head)
        if endless and not _breaks(statement.body):
            self.open = False
        else:
            self.begin(done)

    def write_for(self, statement: ir.For) -> None:
        """A counter that only the loop itself changes."""
        if rounds := self.written_out(statement):
            for counter in rounds:
                self.values[statement.name] = str(counter)
                self.block(statement.body)
            del self.values[statement.name]
            return
        start = self.expression(statement.start)
        stop = self.expression(statement.stop)
        head, body, following, done = self.labels("head", "body", "next", "done")
        counter = f"%{statement.name}{head[4:]}"
        advanced = f"%{statement.name}{following}"
        before = self.label
        self.jump(head)
        self.begin(head)
        self.lines.append(f"  {counter} = phi i64 [ {start}, %{before} ], [ {advanced}, %{following} ]")
        relation = "slt" if statement.step > 0 else "sgt"
        self.branch(self.emit(f"icmp {relation} i64 {counter}, {stop}"), body, done)
        self.values[statement.name] = counter
        self.loop_body(body, statement.body, LoopExits(following, done))
        if self.open:
            self.jump(following)
        self.begin(following)
        self.lines.append(f"  {advanced} = add i64 {counter}, {statement.step}")
        self.jump(head)
        self.begin(done)
        del self.values[statement.name]  # a local of that name may follow

    def written_out(self, statement: ir.For) -> range | None:
        """The rounds of a loop that is written out: its bounds are known and nothing leaves it."""
        start = statement.start
        stop = statement.stop
        if not (self.unrolled and isinstance(start, ir.Constant) and isinstance(stop, ir.Constant)):
            return None
        if any(isinstance(each, ir.Break | ir.Continue | ir.Return) for each in ir.statements(statement.body)):
            return None
        rounds = range(int(start.value), int(stop.value), statement.step)
        return rounds if 0 < len(rounds) <= self.unrolled else None

    def loop_body(self, label: str, body: tuple[ir.Statement, ...], exits: LoopExits) -> None:
        """The body of a loop."""
        self.begin(label)
        self.loops.append(exits)
        self.block(body)
        self.loops.pop()

    def write_return(self, statement: ir.Return) -> None:
        """The value, as it is declared."""
        if statement.value is None:
            self.end("ret void")
            return
        value = self.expression(statement.value)
        if self.procedure.returns == ir.I32:
            value = self.emit(f"trunc i64 {value} to i32")
        assert self.procedure.returns is not None
        self.end(f"ret {llvm_type(self.procedure.returns)} {value}")


def _breaks(body: tuple[ir.Statement, ...]) -> bool:
    """Whether a loop with this body can be left by a break."""
    for statement in body:
        if isinstance(statement, ir.Break):
            return True
        if isinstance(statement, ir.If) and (_breaks(statement.body) or _breaks(statement.otherwise)):
            return True
    return False


_WRITE: dict[type, Callable[..., None]] = {
    ir.Assign: lambda writer, statement: writer.write_assign(statement),
    ir.LocalArray: lambda writer, statement: writer.write_local_array(statement),
    ir.If: Writer.write_if,
    ir.While: Writer.write_while,
    ir.For: Writer.write_for,
    ir.Break: lambda writer, _: writer.jump(writer.loops[-1].leave),
    ir.Continue: lambda writer, _: writer.jump(writer.loops[-1].proceed),
    ir.Return: lambda writer, statement: writer.write_return(statement),
    ir.Do: lambda writer, statement: writer.call(statement.call),
}
