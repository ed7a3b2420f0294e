"""Procedures -> C99, for the sources of exported models: structured code, one statement for one statement.

    for i in range(n):                for (int64_t i = 0, i_end = n; i < i_end; i += 1) {
        total += x[i]         ->          total = total + x[i];
                                      }

Only entries can be seen from outside. It needs a compiler whose double is IEEE's; -fwrapv where integers may overflow,
and -ffp-contract=off where results are to be the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tellegen.ir.procedure import (
    BOOL,
    F64,
    I32,
    I64,
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
    Layout,
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
    read_type,
    statements,
)

_SCALARS = {"f64": "double", "i64": "int64_t", "i32": "int32_t", "bool": "int", "address": "void *"}
_STEP = "    "
_INFIX = {"choose": 1, "or": 2, "and": 3, "|": 4, "^": 5, "&": 6, "==": 7, "!=": 7, "<<": 9, ">>": 9}
_INFIX |= dict.fromkeys(("<", "<=", ">", ">="), 8) | dict.fromkeys(("+", "-"), 10) | dict.fromkeys(("*", "/"), 11)
_UNARY = 12
_ATOM = 13
_WITHIN: dict[str, tuple[int, int]] = dict.fromkeys(("|", "^", "&", "<<", ">>"), (_UNARY, _UNARY))
_WITHIN |= dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), (9, 9))
"""Operands with fewer signs than C allows: compilers warn of what is easily misread."""

_PREFIXES = ("not", "neg", "f64", "i64")
_SIGNS: dict[str, str] = {"and": "&&", "or": "||"}
_TAKEN = frozenset(
    [
        "auto",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "typedef",
        "union",
        "unsigned",
        "void",
        "volatile",
        "while",
        "sqrt",
        "floor",
        "ceil",
        "exp",
        "log",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "sinh",
        "cosh",
        "tanh",
        "pow",
        "atan2",
        "fabs",
        "memcpy",
    ]
)

HELPERS = """#include <math.h>
#include <stdint.h>
#include <string.h>

static inline double tg_max(double a, double b) { return b > a ? b : a; }
static inline double tg_min(double a, double b) { return b < a ? b : a; }
static inline int64_t tg_imax(int64_t a, int64_t b) { return b > a ? b : a; }
static inline int64_t tg_imin(int64_t a, int64_t b) { return b < a ? b : a; }
static inline int64_t tg_iabs(int64_t a) { return a < 0 ? -a : a; }
static inline int64_t tg_bits(double x) { int64_t k; memcpy(&k, &x, sizeof k); return k; }
static inline double tg_from_bits(int64_t k) { double x; memcpy(&x, &k, sizeof x); return x; }
static inline int64_t tg_mod(int64_t a, int64_t b)
{
    int64_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
static inline int64_t tg_floordiv(int64_t a, int64_t b)
{
    int64_t r = a % b;
    return a / b - (r != 0 && (r < 0) != (b < 0));
}
"""


def print_c(unit: Unit) -> str:
    """A unit as one file of C99."""
    shared = _Shared(unit)
    bodies = [_Printer(shared, procedure).text() for procedure in unit.procedures.values()]
    return "\n".join([HELPERS, *_structs(unit), "", *shared.data, *shared.prototypes(), "", *bodies])


def declared(kind: Type | None, name: str) -> str:
    """The declaration of something of a type; of a type alone with an empty name."""
    if kind is None:
        return f"void {name}".rstrip()
    if isinstance(kind, ArrayOf):
        return (
            declared(kind.element, f"*{name}")
            if not isinstance(kind.element, RecordOf)
            else _struct(kind.element, name)
        )
    if isinstance(kind, RecordOf):
        return _struct(kind, name)
    if isinstance(kind, FunctionOf):
        parameters = ", ".join(declared(each, "") for each in kind.parameters) or "void"
        return declared(kind.returns, f"(*{name})({parameters})")
    base = _SCALARS[kind.name]
    return f"{base}{name}" if base.endswith("*") else f"{base} {name}".rstrip()


def _struct(kind: RecordOf, name: str) -> str:
    return f"struct {kind.name} *{name}"


def _structs(unit: Unit) -> Iterator[str]:
    """All records, each field 64 bits wide where pointers are."""
    named = {kind.name for layout in unit.layouts.values() for kind in _records(layout)}
    yield from (f"struct {name};" for name in sorted(named | set(unit.layouts)))
    for layout in unit.layouts.values():
        fields = [f"{_STEP}{declared(I64 if kind == BOOL else kind, name)};" for name, kind in layout.fields.items()]
        yield "\n".join([f"\nstruct {layout.name} {{", *fields, "};"])


def _records(layout: Layout) -> Iterator[RecordOf]:
    """The records that the fields of one mention."""
    waiting = list(layout.fields.values())
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, RecordOf):
            yield kind
        elif isinstance(kind, ArrayOf):
            waiting.append(kind.element)
        elif isinstance(kind, FunctionOf):
            waiting += [each for each in (*kind.parameters, kind.returns) if each is not None]


def _name(name: str) -> str:
    """A local that C and its library do not call something else."""
    return f"{name}_" if name in _TAKEN else name


class _Shared:
    """What the procedures of a unit have in common."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.symbols = {name: name.replace(".", "_") for name in unit.procedures}
        self.symbols |= {full: outside for outside, full in unit.entries.items()}
        self.data: list[str] = []  # constant arrays
        self._names: dict[tuple[str, tuple[float, ...]], str] = {}

    def head(self, procedure: Procedure) -> str:
        """The declaration of a procedure."""
        parameters = ", ".join(declared(each.type, _name(each.name)) for each in procedure.parameters) or "void"
        symbol = self.symbols[procedure.name]
        hidden = "" if procedure.name in self.unit.entries.values() else "static "
        return hidden + declared(procedure.returns, f"{symbol}({parameters})")

    def prototypes(self) -> Iterator[str]:
        """Declarations of all, so that their order does not count."""
        return (f"{self.head(procedure)};" for procedure in self.unit.procedures.values())

    def array(self, data: Data) -> str:
        """The name of a constant array."""
        assert isinstance(data.type, ArrayOf)
        key = data.name, data.values
        if key not in self._names:
            name = self._names[key] = f"{data.name.replace('.', '_').strip('_')}_{len(self._names)}"
            numbers = ", ".join(_number(value, data.type.element) for value in data.values)
            self.data.append(f"static const {declared(data.type.element, name)}[] = {{{numbers}}};")
        return self._names[key]


def _number(value: float, kind: Type) -> str:
    if kind == F64:
        text = repr(float(value))
        return {"inf": "INFINITY", "-inf": "-INFINITY", "nan": "NAN"}.get(text, text)
    return str(int(value))


class _Printer:
    """Prints one procedure."""

    def __init__(self, shared: _Shared, procedure: Procedure) -> None:
        self.shared = shared
        self.procedure = procedure

    def text(self) -> str:
        """The function, its locals declared on top."""
        seen = {each.name for each in self.procedure.parameters}
        lines = [f"{self.shared.head(self.procedure)}", "{"]
        for statement in statements(self.procedure.body):
            if isinstance(statement, LocalArray):
                lines.append(f"{_STEP}{declared(statement.element, _name(statement.name))}[{statement.length}];")
            elif isinstance(statement, Assign) and isinstance(statement.target, Local):
                name = statement.target.name
                if name not in seen:
                    seen.add(name)
                    lines.append(f"{_STEP}{declared(statement.target.type, _name(name))};")
        return "\n".join([*lines, *self.block(self.procedure.body, _STEP), "}", ""])

    def block(self, body: tuple[Statement, ...], indent: str) -> list[str]:
        """Statements one after the other."""
        return [indent + line for statement in body for line in self.statement(statement)]

    def statement(self, statement: Statement) -> list[str]:
        """One statement."""
        match statement:
            case Assign(target, value):
                return [f"{self.expression(target)} = {self.stored(target, value)};"]
            case LocalArray():
                return []
            case If(condition, body, otherwise):
                lines = [f"if ({self.expression(condition)}) {{", *self.block(body, _STEP)]
                return [*lines, *(["} else {", *self.block(otherwise, _STEP)] if otherwise else []), "}"]
            case While(condition, body):
                return [f"while ({self.expression(condition)}) {{", *self.block(body, _STEP), "}"]
            case For(name, start, stop, step, body):
                counter = _name(name)
                sign = "<" if step > 0 else ">"
                bounds = f"{counter} = {self.expression(start)}, {counter}_end = {self.expression(stop)}"
                head = f"for (int64_t {bounds}; {counter} {sign} {counter}_end; {counter} += {step}) {{"
                return [head, *self.block(body, _STEP), "}"]
            case Return(value):
                if value is None:
                    return ["return;"]
                narrowed = "(int32_t)" if self.procedure.returns == I32 else ""
                return [f"return {narrowed}{self.expression(value, _UNARY if narrowed else 0)};"]
            case Do(call):
                return [f"{self.expression(call)};"]
            case Break():
                return ["break;"]
            case Continue():
                return ["continue;"]

    def stored(self, target: Expr, value: Expr) -> str:
        """A value, narrowed where memory is."""
        if isinstance(target, Element) and isinstance(target.array.type, ArrayOf) and target.array.type.element == I32:
            return f"(int32_t){self.expression(value, _UNARY)}"
        return self.expression(value)

    def expression(self, value: Expr, outside: int = 0) -> str:
        """An expression, in parentheses where what is outside binds stronger."""
        match value:
            case Constant(number, kind):
                text = _number(number, kind)
                return f"({text})" if text.startswith("-") and outside >= _UNARY else text
            case Data():
                return self.shared.array(value)
            case Local(name):
                return _name(name)
            case Field(record, name):
                return f"{self.expression(record, _ATOM)}->{name}"
            case Element(array, index, RecordOf()):
                text = f"{self.expression(array, 10)} + {self.expression(index, 11)}"
                return f"({text})" if outside > 10 else text
            case Element(array, index):
                return f"{self.expression(array, _ATOM)}[{self.expression(index)}]"
            case Tail(array, start):
                text = f"{self.expression(array, 10)} + {self.expression(start, 11)}"
                return f"({text})" if outside > 10 else text
            case Call(name, arguments):
                kinds = self.shared.unit.procedures[name].signature.parameters
                return f"{self.shared.symbols[name]}({self.passed(arguments, kinds)})"
            case CallPointer(function, arguments):
                assert isinstance(function.type, FunctionOf)
                return f"{self.expression(function, _ATOM)}({self.passed(arguments, function.type.parameters)})"
            case Operation():
                return self.operation(value, outside)

    def passed(self, arguments: tuple[Expr, ...], kinds: tuple[Type, ...]) -> str:
        """Arguments; tables of constants lose their const."""
        texts = []
        for argument, kind in zip(arguments, kinds, strict=True):
            cast = f"({declared(read_type(kind), '')})" if isinstance(argument, Data) else ""
            texts.append(cast + self.expression(argument))
        return ", ".join(texts)

    def operation(self, value: Operation, outside: int) -> str:
        """An operation of the table in ir/procedure.py."""
        name = value.name
        operands = value.operands
        own = _INFIX.get(name)
        if own is None:
            within = _UNARY if name in _PREFIXES else 0
            texts = [self.expression(operand, within) for operand in operands]
            text = _OTHERS[name](texts, operands[0].type) if name in _OTHERS else f"{name}({', '.join(texts)})"
            return f"({text})" if name in _PREFIXES and outside >= _UNARY else text
        if name == "choose":
            condition, yes, no = (self.expression(operand, 2) for operand in operands)
            text = f"{condition} ? {yes} : {no}"
        else:
            first, second = _WITHIN.get(name, (own, own + 1))
            left = self.expression(operands[0], first)
            right = self.expression(operands[1], second)
            text = f"{left} {_SIGNS.get(name, name)} {right}"
        needed = own < outside or (outside > 0 and name in ("and", "or"))
        return f"({text})" if needed else text


_OTHERS: dict[str, Callable[[list[str], Type | None], str]] = {  # with the type of the first operand
    "not": lambda x, _: f"!{x[0]}",
    "neg": lambda x, _: f"-{x[0]}",
    "abs": lambda x, kind: f"{'fabs' if kind == F64 else 'tg_iabs'}({x[0]})",
    "min": lambda x, kind: f"{'tg_min' if kind == F64 else 'tg_imin'}({', '.join(x)})",
    "max": lambda x, kind: f"{'tg_max' if kind == F64 else 'tg_imax'}({', '.join(x)})",
    "//": lambda x, _: f"tg_floordiv({', '.join(x)})",
    "%": lambda x, _: f"tg_mod({', '.join(x)})",
    "f64": lambda x, _: f"(double){x[0]}",
    "i64": lambda x, _: f"(int64_t){x[0]}",
    "bits": lambda x, _: f"tg_bits({x[0]})",
    "from_bits": lambda x, _: f"tg_from_bits({x[0]})",
    "is_finite": lambda x, _: f"(isfinite({x[0]}) != 0)",
    "is_none": lambda x, _: f"({x[0]} == 0)",
    "multiply_add": lambda x, _: f"({x[0]} * {x[1]} + {x[2]})",
}
