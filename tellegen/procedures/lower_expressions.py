"""Expressions of procedures -> LLVM instructions.

x[i] * 2.0      ->      %.1 = getelementptr double, ptr %x, i64 %i
                        %.2 = load double, ptr %.1
                        %.3 = fmul double %.2, 0x4000000000000000
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from tellegen.ir import procedure as ir
from tellegen.ir.source_location import NOWHERE
from tellegen.procedures.bounds import Guard

MEMORY: dict[ir.Type, str] = {ir.F64: "double", ir.I64: "i64", ir.I32: "i32", ir.BOOL: "i1", ir.ADDRESS: "ptr"}
_EXPONENT = 0x7FF0000000000000
"""The bits of a double that are all set where it is infinite or NaN."""

_BINARY: dict[tuple[str, ir.Type], str] = {
    **{
        ("+", ir.F64): "fadd double",
        ("-", ir.F64): "fsub double",
        ("*", ir.F64): "fmul double",
        ("/", ir.F64): "fdiv double",
    },
    **{("+", ir.I64): "add i64", ("-", ir.I64): "sub i64", ("*", ir.I64): "mul i64"},
    **{("&", ir.I64): "and i64", ("|", ir.I64): "or i64", ("^", ir.I64): "xor i64", ("<<", ir.I64): "shl i64"},
    (">>", ir.I64): "ashr i64",
}
RELATIONS = {"<": ("olt", "slt"), "<=": ("ole", "sle"), ">": ("ogt", "sgt"), ">=": ("oge", "sge")}
RELATIONS |= {"==": ("oeq", "eq"), "!=": ("une", "ne")}
INTRINSICS = ("sqrt", "floor", "ceil", "exp", "log", "sin", "cos", "pow")
_LIBM = ("tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "atan2")


def llvm_type(kind: ir.Type) -> str:
    """The type of a value; all addresses are alike."""
    return MEMORY[kind] if isinstance(kind, ir.Scalar) else "ptr"


def word_type(kind: ir.Type) -> str:
    """The type of a word of a record."""
    return "i64" if kind == ir.BOOL else llvm_type(kind)


def literal(value: float) -> str:
    """A double, exactly."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


class Shared:
    """What the procedures of a unit have in common."""

    def __init__(self, unit: ir.Unit, symbols: dict[str, str], guard: Guard | None) -> None:
        self.unit = unit
        self.guard = guard
        self.symbols = symbols  # full names of entries -> their names outside
        self.declared: dict[str, str] = {}
        self.data: dict[tuple[float, ...] | tuple[int, ...], tuple[str, str]] = {}
        self.positions: dict[str, dict[str, int]] = {}

    def head(self) -> list[str]:
        """Constant arrays and declarations."""
        return [text for _, text in self.data.values()] + list(self.declared.values())

    def offset(self, record: str, name: str) -> int:
        """Where a field stands, in bytes."""
        if record not in self.positions:
            self.positions[record] = {each: 8 * k for k, each in enumerate(self.unit.layouts[record].fields)}
        return self.positions[record][name]

    def declare(self, symbol: str, arguments: str, returns: str = "double") -> str:
        """A function of LLVM or libm."""
        self.declared[symbol] = f"declare {returns} @{symbol}({arguments})"
        return symbol

    def constant_array(self, data: ir.Data) -> str:
        """The symbol of a constant array; equal ones are one."""
        if data.values not in self.data:
            assert isinstance(data.type, ir.ArrayOf)
            kind = MEMORY[data.type.element]
            each = ", ".join(f"{kind} {literal(v) if kind == 'double' else v}" for v in data.values)
            symbol = f"@data.{len(self.data)}"
            text = f"{symbol} = private unnamed_addr constant [{len(data.values)} x {kind}] [{each}] ; {data.name}"
            self.data[data.values] = symbol, text
        return self.data[data.values][0]


class Expressions:
    """Writes instructions into `lines`; the base of what writes a procedure."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        self.lines: list[str] = []
        self.values: dict[str, str] = {}  # locals that are assigned once
        self.positions: dict[str, str] = {}  # locals on the stack
        self.lengths: dict[str, int] = {}  # of local arrays
        self.place = "", NOWHERE  # the procedure and the statement that is written
        self.label = ".entry"
        self.open = True  # whether something may follow in the block that is written
        self._count = 0
        self._labels = 0

    def emit(self, instruction: str) -> str:
        """The name of the result of an instruction."""
        self._count += 1
        name = f"%.{self._count}"
        self.lines.append(f"  {name} = {instruction}")
        return name

    # blocks

    def labels(self, *names: str) -> list[str]:
        """New labels with a common number."""
        self._labels += 1
        return [f"{name}.{self._labels}" for name in names]

    def begin(self, label: str) -> None:
        """What follows stands in a new block."""
        self.lines.append(f"{label}:")
        self.label = label
        self.open = True

    def end(self, instruction: str) -> None:
        """The last instruction of a block."""
        self.lines.append(f"  {instruction}")
        self.open = False

    def jump(self, label: str) -> None:
        """Go on there."""
        self.end(f"br label %{label}")

    def branch(self, condition: str, yes: str, no: str) -> None:
        """Go on here or there."""
        self.end(f"br i1 {condition}, label %{yes}, label %{no}")

    def decide(self, condition: ir.Expr, yes: str, no: str) -> None:
        """Go on here or there; of `and` and `or` only as much is computed as is needed."""
        if isinstance(condition, ir.Operation) and condition.name == "not":
            self.decide(condition.operands[0], no, yes)
        elif isinstance(condition, ir.Operation) and condition.name in ("and", "or"):
            (both,) = self.labels("both")
            first = (both, no) if condition.name == "and" else (yes, both)
            self.decide(condition.operands[0], *first)
            self.begin(both)
            self.decide(condition.operands[1], yes, no)
        else:
            self.branch(self.expression(condition), yes, no)

    # expressions

    def expression(self, value: ir.Expr) -> str:
        """The name of a value, or a literal."""
        return _WRITE[type(value)](self, value)

    def write_constant(self, value: ir.Constant) -> str:
        """A literal."""
        if value.type == ir.F64:
            return literal(value.value)
        return str(int(value.value)) if value.type == ir.I64 else str(bool(value.value)).lower()

    def write_local(self, value: ir.Local) -> str:
        """The value itself, or what stands on the stack."""
        if value.name in self.values:
            return self.values[value.name]
        return self.emit(f"load {llvm_type(value.type)}, ptr {self.positions[value.name]}")

    def write_field(self, value: ir.Field) -> str:
        """A word of a record."""
        position = self.field_address(value)
        word = self.emit(f"load {word_type(value.type)}, ptr {position}")
        return self.emit(f"icmp ne i64 {word}, 0") if value.type == ir.BOOL else word

    def field_address(self, value: ir.Field) -> str:
        """Where a field of a record stands."""
        record = self.expression(value.record)
        assert isinstance(value.record.type, ir.RecordOf)
        offset = self.shared.offset(value.record.type.name, value.name)
        return self.emit(f"getelementptr i8, ptr {record}, i64 {offset}") if offset else record

    def write_element(self, value: ir.Element) -> str:
        """An element, or the address of a record."""
        if (known := self.known_element(value)) is not None:
            return known
        position, element = self.element_address(value)
        if isinstance(element, ir.RecordOf):
            return position
        word = self.emit(f"load {llvm_type(element)}, ptr {position}")
        return self.emit(f"sext i32 {word} to i64") if element == ir.I32 else word

    def known_element(self, value: ir.Element) -> str | None:
        """The element of a constant array at an index that is known, where loops are written out."""
        index = value.subscript
        if not isinstance(value.array, ir.Data) or not isinstance(index, ir.Local):
            return None
        at = self.values.get(index.name, "")
        return self.write_constant(ir.Constant(value.array.values[int(at)], value.type)) if at.isdigit() else None

    def element_address(self, value: ir.Element | ir.Tail) -> tuple[str, ir.Type]:
        """Where an element of an array stands, and its type there."""
        assert isinstance(value.array.type, ir.ArrayOf)
        element = value.array.type.element
        size = llvm_type(element)
        if isinstance(element, ir.RecordOf):
            size = f"[{len(self.shared.unit.layouts[element.name].fields)} x i64]"
        array = self.expression(value.array)
        index = self.expression(value.subscript if isinstance(value, ir.Element) else value.start)
        if isinstance(value, ir.Element) and self.shared.guard is not None:
            self.check(self.shared.guard, value, array, index)
        if index == "0":
            return array, element
        return self.emit(f"getelementptr {size}, ptr {array}, i64 {index}"), element

    def check(self, guard: Guard, value: ir.Element, array: str, index: str) -> None:
        """Call what ends the run if an element is not there."""
        place = guard.place(*self.place)
        length = len(value.array.values) if isinstance(value.array, ir.Data) else None
        if isinstance(value.array, ir.Local):
            length = self.lengths.get(value.array.name)
        if length is not None:
            self.lines.append(f"  {guard.index_call(index, length, place)}")
            return
        assert isinstance(value.array.type, ir.ArrayOf)
        element = value.array.type.element
        size = 4 if element == ir.I32 else 8
        if isinstance(element, ir.RecordOf):
            size = 8 * len(self.shared.unit.layouts[element.name].fields)
        base = self.emit(f"ptrtoint ptr {array} to i64")
        offset = self.emit(f"mul i64 {index}, {size}")
        self.lines.append(f"  {guard.access_call(base, offset, size, place)}")

    def call(self, value: ir.Call | ir.CallPointer) -> str:
        """A call; arguments and results of 32 bits are integers like others inside."""
        if isinstance(value, ir.Call):
            signature = self.shared.unit.procedures[value.procedure].signature
            function = "@" + self.shared.symbols.get(value.procedure, value.procedure)
        else:
            assert isinstance(value.function.type, ir.FunctionOf)
            signature = value.function.type
            function = self.expression(value.function)
        passed = []
        for kind, argument in zip(signature.parameters, value.arguments, strict=True):
            name = self.expression(argument)
            if kind == ir.I32:
                name = self.emit(f"trunc i64 {name} to i32")
            passed.append(f"{llvm_type(kind)} {name}")
        arguments = ", ".join(passed)
        if signature.returns is None:
            self.lines.append(f"  call void {function}({arguments})")
            return ""
        result = self.emit(f"call {llvm_type(signature.returns)} {function}({arguments})")
        return self.emit(f"sext i32 {result} to i64") if signature.returns == ir.I32 else result

    def write_operation(self, value: ir.Operation) -> str:
        """An operation of the table in ir/procedure.py."""
        name = value.name
        operands = value.operands
        if name in ("and", "or", "choose") and not all(_is_safe(operand) for operand in operands[1:]):
            return self.lazily(value)
        x = [self.expression(operand) for operand in operands]
        kind = operands[0].type
        assert kind is not None
        if name == "choose":
            return self.chosen(value.type, x)
        if (name, kind) in _BINARY:
            return self.emit(f"{_BINARY[name, kind]} {x[0]}, {x[1]}")
        if name in RELATIONS:
            return self.compare(name, kind, x[0], x[1])
        if name in INTRINSICS or name in _LIBM:
            symbol = f"llvm.{name}.f64" if name in INTRINSICS else name
            symbol = self.shared.declare(symbol, ", ".join("double" for _ in x))
            return self.emit(f"call double @{symbol}({', '.join(f'double {each}' for each in x)})")
        return _OTHERS[name](self, kind, x)

    def compare(self, name: str, kind: ir.Type, a: str, b: str) -> str:
        """A relation; with NaN all are false but `!=`."""
        floating, whole = RELATIONS[name]
        relation = f"fcmp {floating}" if kind == ir.F64 else f"icmp {whole}"
        return self.emit(f"{relation} {llvm_type(kind)} {a}, {b}")

    def lazily(self, value: ir.Operation) -> str:
        """and, or and choose, where what is not needed must not be computed: it may read what is not there."""
        yes, no, done = self.labels("yes", "no", "met")
        kind = llvm_type(value.type)
        parts = []
        self.decide(value.operands[0], yes, no)
        otherwise = {"and": ir.Constant(False, ir.BOOL), "or": ir.Constant(True, ir.BOOL)}.get(value.name)
        ways = {"and": (value.operands[1], otherwise), "or": (otherwise, value.operands[1])}
        for label, part in zip((yes, no), ways.get(value.name, value.operands[1:]), strict=True):
            assert part is not None
            self.begin(label)
            result = self.expression(part)
            parts.append(f"[ {result}, %{self.label} ]")
            self.jump(done)
        self.begin(done)
        return self.emit(f"phi {kind} {', '.join(parts)}")

    def floored(self, x: list[str], name: str) -> str:
        """`//` or `%` of integers, as Python has them: LLVM rounds towards zero."""
        quotient = self.emit(f"sdiv i64 {x[0]}, {x[1]}")
        rest = self.emit(f"srem i64 {x[0]}, {x[1]}")
        signs = self.emit(f"xor i64 {rest}, {x[1]}")
        differ = self.emit(f"icmp slt i64 {signs}, 0")
        inexact = self.emit(f"icmp ne i64 {rest}, 0")
        adjusted = self.emit(f"and i1 {differ}, {inexact}")
        if name == "//":
            return self.emit(f"sub i64 {quotient}, {self.emit(f'zext i1 {adjusted} to i64')}")
        return self.emit(f"add i64 {rest}, {self.emit(f'select i1 {adjusted}, i64 {x[1]}, i64 0')}")

    def extreme(self, kind: ir.Type, x: list[str], relation: str) -> str:
        """min or max: the second operand only if it is smaller or larger."""
        better = self.compare(relation, kind, x[1], x[0])
        return self.emit(f"select i1 {better}, {llvm_type(kind)} {x[1]}, {llvm_type(kind)} {x[0]}")

    def absolute(self, kind: ir.Type, x: list[str]) -> str:
        """abs"""
        if kind == ir.F64:
            return self.emit(f"call double @{self.shared.declare('llvm.fabs.f64', 'double')}(double {x[0]})")
        return self.emit(f"call i64 @{self.shared.declare('llvm.abs.i64', 'i64, i1', 'i64')}(i64 {x[0]}, i1 false)")

    def chosen(self, kind: ir.Type, x: list[str]) -> str:
        """The one or the other of two values that are there."""
        return self.emit(f"select i1 {x[0]}, {llvm_type(kind)} {x[1]}, {llvm_type(kind)} {x[2]}")

    def is_finite(self, x: list[str]) -> str:
        """By the bits of the exponent."""
        masked = self.emit(f"and i64 {self.emit(f'bitcast double {x[0]} to i64')}, {_EXPONENT}")
        return self.emit(f"icmp ne i64 {masked}, {_EXPONENT}")

    def multiply_add(self, x: list[str]) -> str:
        """a*b + c"""
        symbol = self.shared.declare("llvm.fmuladd.f64", "double, double, double")
        return self.emit(f"call double @{symbol}({', '.join(f'double {each}' for each in x)})")


def _is_safe(value: ir.Expr) -> bool:
    """Whether a value can be computed even where nobody needs it: it reads no memory, calls nothing, does not trap."""
    if isinstance(value, ir.Constant | ir.Local):
        return True
    return isinstance(value, ir.Operation) and value.name not in ("//", "%") and all(map(_is_safe, value.operands))


_OTHERS: dict[str, Callable[[Expressions, ir.Type, list[str]], str]] = {  # with the type of the first operand
    "and": lambda w, _, x: w.emit(f"and i1 {x[0]}, {x[1]}"),
    "or": lambda w, _, x: w.emit(f"or i1 {x[0]}, {x[1]}"),
    "not": lambda w, _, x: w.emit(f"xor i1 {x[0]}, true"),
    "neg": lambda w, kind, x: w.emit(f"fneg double {x[0]}" if kind == ir.F64 else f"sub i64 0, {x[0]}"),
    "abs": lambda w, kind, x: w.absolute(kind, x),
    "min": lambda w, kind, x: w.extreme(kind, x, "<"),
    "max": lambda w, kind, x: w.extreme(kind, x, ">"),
    "//": lambda w, _, x: w.floored(x, "//"),
    "%": lambda w, _, x: w.floored(x, "%"),
    "f64": lambda w, _, x: w.emit(f"sitofp i64 {x[0]} to double"),
    "i64": lambda w, kind, x: w.emit(f"fptosi double {x[0]} to i64" if kind == ir.F64 else f"zext i1 {x[0]} to i64"),
    "bits": lambda w, _, x: w.emit(f"bitcast double {x[0]} to i64"),
    "from_bits": lambda w, _, x: w.emit(f"bitcast i64 {x[0]} to double"),
    "is_finite": lambda w, _, x: w.is_finite(x),
    "any": lambda _w, _kind, x: x[0],
    "is_none": lambda w, _, x: w.emit(f"icmp eq ptr {x[0]}, null"),
    "multiply_add": lambda w, _, x: w.multiply_add(x),
}

_WRITE: dict[type, Callable[..., str]] = {
    ir.Constant: lambda writer, value: writer.write_constant(value),
    ir.Data: lambda writer, value: writer.shared.constant_array(value),
    ir.Local: lambda writer, value: writer.write_local(value),
    ir.Field: lambda writer, value: writer.write_field(value),
    ir.Element: lambda writer, value: writer.write_element(value),
    ir.Tail: lambda writer, value: writer.element_address(value)[0],
    ir.Operation: lambda writer, value: writer.write_operation(value),
    ir.Call: lambda writer, value: writer.call(value),
    ir.CallPointer: lambda writer, value: writer.call(value),
}
