"""Procedures -> LLVM IR for several runs side by side: lanes of vectors.

    y = x if x > 0.0 else -x        %.1 = fcmp ogt <8 x double> %x, zeroinitializer
                             ->     %.2 = fneg <8 x double> %x
                                    %.3 = select <8 x i1> %.1, <8 x double> %x, <8 x double> %.2

Floats have a value in every lane, and so have Booleans and integers that are computed from them; other integers
(counters, sizes, places) and all addresses are the same for all lanes. Local arrays, and arrays that are handed to
procedures, have vectors for elements; what a record refers to is shared by all lanes. Control flow is the same for all
lanes: where runs differ, procedures choose (`a if c else b`) and ask `any_lane(c)` whether there is something to do. So
the text of a procedure is the same for one run and for many, and the number of lanes is a property of this printer
alone.
"""

from __future__ import annotations

from tellegen.errors import InternalError
from tellegen.ir import procedure as ir
from tellegen.ir.program import Module
from tellegen.procedures.lower import Writer, written
from tellegen.procedures.lower_expressions import INTRINSICS, RELATIONS, Shared, literal, llvm_type

_WRITTEN_OUT = 16
"""Rounds of a loop up to which it is written out: then places are numbers, and what stands there is in registers."""

_EXPONENT = 0x7FF0000000000000
_FLOATING = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_WHOLE = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor", "<<": "shl", ">>": "ashr"}


def lower_lanes(unit: ir.Unit, lanes: int, optimize: int, more: str = "") -> Module:
    """All procedures of a unit as one module for so many lanes; `more` is the code of external procedures."""
    shared = Shared(unit, {full: name for name, full in unit.entries.items()}, None)
    own = [procedure for procedure in unit.procedures.values() if not procedure.external]
    writers = [LaneWriter(shared, each, lanes) if lanes > 1 else Writer(shared, each) for each in own]
    for writer in writers:
        writer.unrolled = _WRITTEN_OUT
    return written(shared, writers, optimize, more)


class LaneWriter(Writer):
    """Writes one procedure for lanes; `wide` are the names of integers and Booleans that differ between lanes."""

    def __init__(self, shared: Shared, procedure: ir.Procedure, lanes: int) -> None:
        super().__init__(shared, procedure)
        self.lanes = lanes
        self.wide: set[str] = set()
        self.wide_locals = _wide_integers(procedure)

    # types

    def value_type(self, kind: ir.Type) -> str:
        """Of a parameter, a local or a result."""
        if kind in (ir.F64, ir.BOOL):
            return self.vector(kind)
        return llvm_type(kind)

    def vector(self, kind: ir.Type) -> str:
        """A value in every lane."""
        return f"<{self.lanes} x {llvm_type(kind)}>"

    def local_type(self, local: ir.Local) -> str:
        """The type of a local."""
        return self.vector(ir.I64) if local.name in self.wide_locals else self.value_type(local.type)

    def is_wide(self, value: ir.Expr, name: str) -> bool:
        """Whether a value differs between lanes."""
        return value.type == ir.F64 or name in self.wide

    def widened(self, value: ir.Expr, name: str) -> str:
        """A value in every lane."""
        assert value.type is not None
        if self.is_wide(value, name):
            return name
        if isinstance(value, ir.Constant):
            return self.constant(llvm_type(value.type), name)
        return self.spread(llvm_type(value.type), name)

    def constant(self, kind: str, value: str) -> str:
        """A constant in every lane."""
        return f"<{', '.join([f'{kind} {value}'] * self.lanes)}>"

    def spread(self, kind: str, name: str) -> str:
        """The same number in every lane."""
        first = self.emit(f"insertelement <{self.lanes} x {kind}> poison, {kind} {name}, i64 0")
        vector = f"<{self.lanes} x {kind}>"
        found = self.emit(f"shufflevector {vector} {first}, {vector} poison, <{self.lanes} x i32> zeroinitializer")
        self.wide.add(found)
        return found

    def decide(self, condition: ir.Expr, yes: str, no: str) -> None:
        """See Expressions; a condition is one for all lanes."""
        if isinstance(condition, ir.Operation) and condition.name in ("not", "and", "or"):
            super().decide(condition, yes, no)
            return
        name = self.expression(condition)
        if name in self.wide:
            where = self.place[1]
            raise InternalError("E904", "a condition that differs between lanes: ask any_lane(...)", location=where)
        self.branch(name, yes, no)

    # statements

    def parameter_value(self, parameter: ir.Parameter) -> str:
        """The value of a parameter."""
        name = f"%{parameter.name}"
        if parameter.type == ir.BOOL:
            self.wide.add(name)
        return name

    def write_assign(self, statement: ir.Assign) -> None:
        """A local or an element: records are shared."""
        target = statement.target
        value = self.expression(statement.value)
        if isinstance(target, ir.Local):
            kind = self.local_type(target)
            if kind.startswith("<"):
                value = self.widened(statement.value, value)
            if target.name not in self.repeated and target.name not in self.positions:
                self.values[target.name] = value
                return
            if target.name not in self.positions:
                self.allocate_on_stack(target.name, kind)
            self.lines.append(f"  store {kind} {value}, ptr {self.positions[target.name]}")
        elif isinstance(target, ir.Element) and not _is_shared(target.array):
            position, element = self.element_address(target)
            self.lines.append(f"  store {self.vector(element)} {value}, ptr {position}")
        else:
            raise InternalError("E904", "lanes write into their own arrays alone", location=statement.location)

    def write_local_array(self, statement: ir.LocalArray) -> None:
        """Room on the stack, a vector for each element."""
        name = f"%{statement.name}.room"
        self.room.append(f"  {name} = alloca [{max(statement.length, 1)} x {self.vector(statement.element)}]")
        self.values[statement.name] = name

    def write_return(self, statement: ir.Return) -> None:
        """The value, as it is declared."""
        if statement.value is None:
            self.end("ret void")
            return
        assert self.procedure.returns is not None
        value = self.expression(statement.value)
        kind = self.value_type(self.procedure.returns)
        if kind.startswith("<"):
            value = self.widened(statement.value, value)
        self.end(f"ret {kind} {value}")

    # expressions

    def write_constant(self, value: ir.Constant) -> str:
        """A literal."""
        if value.type == ir.F64:
            return self.constant("double", literal(value.value))
        return super().write_constant(value)

    def write_local(self, value: ir.Local) -> str:
        """The value itself, or what stands on the stack."""
        if value.name in self.values:
            return self.values[value.name]
        kind = self.local_type(value)
        found = self.emit(f"load {kind}, ptr {self.positions[value.name]}")
        if kind.startswith("<"):
            self.wide.add(found)
        return found

    def write_field(self, value: ir.Field) -> str:
        """A word of a record, the same for all lanes."""
        word = super().write_field(value)
        return self.spread("double", word) if value.type == ir.F64 else word

    def write_element(self, value: ir.Element) -> str:
        """An element: of the lanes, or shared by them."""
        if (known := self.known_element(value)) is not None:
            return known
        if not _is_shared(value.array):
            position, element = self.element_address(value)
            return self.emit(f"load {self.vector(element)}, ptr {position}")
        word = super().write_element(value)
        return self.spread("double", word) if value.type == ir.F64 else word

    def element_address(self, value: ir.Element | ir.Tail) -> tuple[str, ir.Type]:
        """Where an element of an array stands, and its type there."""
        if _is_shared(value.array):
            return super().element_address(value)
        assert isinstance(value.array.type, ir.ArrayOf)
        element = value.array.type.element
        array = self.expression(value.array)
        index = self.expression(value.subscript if isinstance(value, ir.Element) else value.start)
        if index == "0":
            return array, element
        return self.emit(f"getelementptr {self.vector(element)}, ptr {array}, i64 {index}"), element

    def call(self, value: ir.Call | ir.CallPointer) -> str:
        """A call of a procedure."""
        assert isinstance(value, ir.Call), "lanes call no addresses"
        signature = self.shared.unit.procedures[value.procedure].signature
        passed = []
        for kind, argument in zip(signature.parameters, value.arguments, strict=True):
            name = self.expression(argument)
            taken = self.value_type(kind)
            passed.append(f"{taken} {self.widened(argument, name) if taken.startswith('<') else name}")
        function = "@" + self.shared.symbols.get(value.procedure, value.procedure)
        if signature.returns is None:
            self.lines.append(f"  call void {function}({', '.join(passed)})")
            return ""
        found = self.emit(f"call {self.value_type(signature.returns)} {function}({', '.join(passed)})")
        if signature.returns == ir.BOOL:
            self.wide.add(found)
        return found

    def write_operation(self, value: ir.Operation) -> str:
        """An operation, of vectors if one of its operands is one."""
        operands = value.operands
        x = [self.expression(operand) for operand in operands]
        if value.name == "any":
            return self.any_of(x[0]) if x[0] in self.wide else x[0]
        pairs = list(zip(operands, x, strict=True))
        if not any(self.is_wide(*pair) for pair in pairs) and value.type != ir.F64:
            return super().write_operation(value)
        found = self.of_vectors(value, [self.widened(*pair) for pair in pairs])
        if value.type != ir.F64:
            self.wide.add(found)
        return found

    def any_of(self, mask: str) -> str:
        """Whether a bit is set."""
        kind = f"v{self.lanes}i1"
        symbol = self.shared.declare(f"llvm.vector.reduce.or.{kind}", self.vector(ir.BOOL), "i1")
        return self.emit(f"call i1 @{symbol}({self.vector(ir.BOOL)} {mask})")

    def of_vectors(self, value: ir.Operation, x: list[str]) -> str:
        """An operation on vectors."""
        name = value.name
        kind = value.operands[0].type
        assert kind is not None
        vector = self.vector(kind)
        if name in _FLOATING and kind == ir.F64:
            return self.emit(f"{_FLOATING[name]} {vector} {x[0]}, {x[1]}")
        if name in _WHOLE and kind == ir.I64:
            return self.emit(f"{_WHOLE[name]} {vector} {x[0]}, {x[1]}")
        if name in RELATIONS:
            return self.compared(name, kind, x[0], x[1])
        if name in ("min", "max"):
            better = self.compared("<" if name == "min" else ">", kind, x[1], x[0])
            return self.emit(f"select {self.vector(ir.BOOL)} {better}, {vector} {x[1]}, {vector} {x[0]}")
        if name == "choose":
            of = self.vector(value.type)
            return self.emit(f"select {vector} {x[0]}, {of} {x[1]}, {of} {x[2]}")
        if name in ("and", "or"):
            return self.emit(f"{name} {vector} {x[0]}, {x[1]}")
        if name == "not":
            return self.emit(f"xor {vector} {x[0]}, {self.constant('i1', 'true')}")
        if name in INTRINSICS or name in ("abs", "multiply_add"):
            return self.intrinsic({"abs": "fabs", "multiply_add": "fma"}.get(name, name), x)
        return self.converted(value, kind, x)

    def compared(self, name: str, kind: ir.Type, a: str, b: str) -> str:
        """A relation in every lane."""
        floating, whole = RELATIONS[name]
        relation = f"fcmp {floating}" if kind == ir.F64 else f"icmp {whole}"
        return self.emit(f"{relation} {self.vector(kind)} {a}, {b}")

    def intrinsic(self, name: str, x: list[str]) -> str:
        """A function that LLVM knows for vectors."""
        vector = self.vector(ir.F64)
        symbol = self.shared.declare(f"llvm.{name}.v{self.lanes}f64", ", ".join(vector for _ in x), vector)
        return self.emit(f"call {vector} @{symbol}({', '.join(f'{vector} {each}' for each in x)})")

    def converted(self, value: ir.Operation, kind: ir.Type, x: list[str]) -> str:
        """Conversions, and what is left."""
        name = value.name
        vector = self.vector(kind)
        number = self.vector(ir.F64)
        whole = self.vector(ir.I64)
        if name == "neg":
            return self.emit(f"fneg {vector} {x[0]}" if kind == ir.F64 else f"sub {vector} zeroinitializer, {x[0]}")
        if name == "f64":
            return self.emit(f"sitofp {vector} {x[0]} to {number}")
        if name == "i64":
            return self.emit(f"{'fptosi' if kind == ir.F64 else 'zext'} {vector} {x[0]} to {whole}")
        if name in ("bits", "from_bits"):
            return self.emit(f"bitcast {vector} {x[0]} to {whole if name == 'bits' else number}")
        if name == "is_finite":
            bits = self.emit(f"bitcast {vector} {x[0]} to {whole}")
            exponent = self.constant("i64", str(_EXPONENT))
            masked = self.emit(f"and {whole} {bits}, {exponent}")
            return self.emit(f"icmp ne {whole} {masked}, {exponent}")
        raise InternalError("E904", f"'{name}' has no lanes", location=self.place[1])


def _is_shared(array: ir.Expr) -> bool:
    """Whether an array belongs to a record or is constant, so that all lanes read the same."""
    while isinstance(array, ir.Tail):
        array = array.array
    return not isinstance(array, ir.Local)


def _wide_integers(procedure: ir.Procedure) -> set[str]:
    """Locals that are integers computed from floats."""
    found: set[str] = set()
    assigned = [each for each in ir.statements(procedure.body) if isinstance(each, ir.Assign)]
    while True:
        more = {
            each.target.name
            for each in assigned
            if isinstance(each.target, ir.Local)
            and each.target.type == ir.I64
            and any(_makes_wide(part, found) for part in ir.parts(each.value))
        }
        if more <= found:
            return found
        found |= more


def _makes_wide(part: ir.Expr, found: set[str]) -> bool:
    """Whether an integer is computed from a float here, or from one that was."""
    if isinstance(part, ir.Local):
        return part.name in found
    return isinstance(part, ir.Operation) and part.name in ("bits", "i64") and part.operands[0].type != ir.I64
