"""Procedures -> C99, for the sources of exported models: structured code, one statement for one statement.

    for i in range(n):                for (int64_t i = 0, i_end = n; i < i_end; i += 1) {
        total += x[i]         ->          total = total + x[i];
                                      }

Only entries can be seen from outside. It needs a compiler whose double is IEEE's; -fwrapv where integers may overflow,
and -ffp-contract=off where results are to be the same to the last bit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tellegen.ir import procedure as ir

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
TAKEN = frozenset(
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

_INCLUDES = """#include <math.h>
#include <stdint.h>
#include <string.h>
"""
_HELPERS = {
    "tg_max": "static inline double tg_max(double a, double b) { return b > a ? b : a; }",
    "tg_min": "static inline double tg_min(double a, double b) { return b < a ? b : a; }",
    "tg_imax": "static inline int64_t tg_imax(int64_t a, int64_t b) { return b > a ? b : a; }",
    "tg_imin": "static inline int64_t tg_imin(int64_t a, int64_t b) { return b < a ? b : a; }",
    "tg_iabs": "static inline int64_t tg_iabs(int64_t a) { return a < 0 ? -a : a; }",
    "tg_bits": "static inline int64_t tg_bits(double x) { int64_t k; memcpy(&k, &x, sizeof k); return k; }",
    "tg_from_bits": "static inline double tg_from_bits(int64_t k) { double x; memcpy(&x, &k, sizeof x); return x; }",
    "tg_mod": """static inline int64_t tg_mod(int64_t a, int64_t b)
{
    int64_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}""",
    "tg_floordiv": """static inline int64_t tg_floordiv(int64_t a, int64_t b)
{
    int64_t r = a % b;
    return a / b - (r != 0 && (r < 0) != (b < 0));
}""",
}
_MATHEMATICS = re.compile(r"\b(NAN|INFINITY|isfinite|fabs|sqrt|floor|ceil|exp|log|pow|a?(sin|cos|tan)h?|atan2)\b")
HELPERS = "\n".join([_INCLUDES, *_HELPERS.values(), ""])


def print_c(unit: ir.Unit) -> str:
    """A unit as one file of C99."""
    shared = _Shared(unit)
    bodies = [_Printer(shared, procedure).text() for procedure in unit.procedures.values()]
    return "\n".join([HELPERS, *_structs(unit), "", *shared.data, *shared.prototypes(), "", *bodies])


def print_functions(unit: ir.Unit) -> str:
    """The functions of a unit whose records are declared elsewhere, with those helpers alone that they call.

    Compilers warn of static functions that nobody calls.
    """
    shared = _Shared(unit)
    bodies = [_Printer(shared, procedure).text() for procedure in unit.procedures.values()]
    text = "\n".join(bodies)
    helpers = [helper for name, helper in _HELPERS.items() if f"{name}(" in text]
    hidden = [head for head in shared.prototypes() if head.startswith("static ")]
    gap = [""] if helpers or hidden or shared.data else []
    included = ["#include <math.h>"] if _MATHEMATICS.search(text) else []
    included += ["#include <stdint.h>"] if "int64_t" in text else []
    return "\n".join([*included, "", *helpers, *shared.data, *hidden, *gap, *bodies])


def declared(kind: ir.Type | None, name: str) -> str:
    """The declaration of something of a type; of a type alone with an empty name."""
    if kind is None:
        return f"void {name}".rstrip()
    if isinstance(kind, ir.ArrayOf):
        return (
            declared(kind.element, f"*{name}")
            if not isinstance(kind.element, ir.RecordOf)
            else _struct(kind.element, name)
        )
    if isinstance(kind, ir.RecordOf):
        return _struct(kind, name)
    if isinstance(kind, ir.FunctionOf):
        parameters = ", ".join(declared(each, "") for each in kind.parameters) or "void"
        return declared(kind.returns, f"(*{name})({parameters})")
    base = _SCALARS[kind.name]
    return f"{base}{name}" if base.endswith("*") else f"{base} {name}".rstrip()


def _struct(kind: ir.RecordOf, name: str) -> str:
    return f"struct {kind.name} *{name}"


def _structs(unit: ir.Unit) -> Iterator[str]:
    """All records, each field 64 bits wide where pointers are."""
    named = {kind.name for layout in unit.layouts.values() for kind in _records(layout)}
    yield from (f"struct {name};" for name in sorted(named | set(unit.layouts)))
    for layout in unit.layouts.values():
        fields = [
            f"{_STEP}{declared(ir.I64 if kind == ir.BOOL else kind, name)};" for name, kind in layout.fields.items()
        ]
        yield "\n".join([f"\nstruct {layout.name} {{", *fields, "};"])


def _records(layout: ir.Layout) -> Iterator[ir.RecordOf]:
    """The records that the fields of one mention."""
    waiting = list(layout.fields.values())
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, ir.RecordOf):
            yield kind
        elif isinstance(kind, ir.ArrayOf):
            waiting.append(kind.element)
        elif isinstance(kind, ir.FunctionOf):
            waiting += [each for each in (*kind.parameters, kind.returns) if each is not None]


def _name(name: str) -> str:
    """A local that C and its library do not call something else."""
    return f"{name}_" if name in TAKEN else name


class _Shared:
    """What the procedures of a unit have in common."""

    def __init__(self, unit: ir.Unit) -> None:
        self.unit = unit
        self.symbols = {name: name.replace(".", "_") for name in unit.procedures}
        self.symbols |= {full: outside for outside, full in unit.entries.items()}
        self.data: list[str] = []  # constant arrays
        self._names: dict[tuple[str, tuple[float, ...]], str] = {}

    def head(self, procedure: ir.Procedure) -> str:
        """The declaration of a procedure."""
        parameters = ", ".join(declared(each.type, _name(each.name)) for each in procedure.parameters) or "void"
        symbol = self.symbols[procedure.name]
        hidden = "" if procedure.name in self.unit.entries.values() else "static "
        return hidden + declared(procedure.returns, f"{symbol}({parameters})")

    def prototypes(self) -> Iterator[str]:
        """Declarations of all, so that their order does not count."""
        return (f"{self.head(procedure)};" for procedure in self.unit.procedures.values())

    def array(self, data: ir.Data) -> str:
        """The name of a constant array."""
        assert isinstance(data.type, ir.ArrayOf)
        key = data.name, data.values
        if key not in self._names:
            name = self._names[key] = f"{data.name.replace('.', '_').strip('_')}_{len(self._names)}"
            numbers = ", ".join(_number(value, data.type.element) for value in data.values)
            self.data.append(f"static const {declared(data.type.element, name)}[] = {{{numbers}}};")
        return self._names[key]


def _number(value: float, kind: ir.Type) -> str:
    if kind == ir.F64:
        text = repr(float(value))
        return {"inf": "INFINITY", "-inf": "-INFINITY", "nan": "NAN"}.get(text, text)
    return str(int(value))


class _Printer:
    """Prints one procedure."""

    def __init__(self, shared: _Shared, procedure: ir.Procedure) -> None:
        self.shared = shared
        self.procedure = procedure

    def text(self) -> str:
        """The function, its locals declared on top."""
        seen = {each.name for each in self.procedure.parameters}
        lines = [f"{self.shared.head(self.procedure)}", "{"]
        for statement in ir.statements(self.procedure.body):
            if isinstance(statement, ir.LocalArray):
                lines.append(f"{_STEP}{declared(statement.element, _name(statement.name))}[{statement.length}];")
            elif isinstance(statement, ir.Assign) and isinstance(statement.target, ir.Local):
                name = statement.target.name
                if name not in seen:
                    seen.add(name)
                    lines.append(f"{_STEP}{declared(statement.target.type, _name(name))};")
        return "\n".join([*lines, *self.block(self.procedure.body, _STEP), "}", ""])

    def block(self, body: tuple[ir.Statement, ...], indent: str) -> list[str]:
        """Statements one after the other."""
        return [indent + line for statement in body for line in self.statement(statement)]

    def statement(self, statement: ir.Statement) -> list[str]:
        """One statement."""
        match statement:
            case ir.Assign(target, value):
                return [f"{self.expression(target)} = {self.stored(target, value)};"]
            case ir.LocalArray():
                return []
            case ir.If(condition, body, otherwise):
                lines = [f"if ({self.expression(condition)}) {{", *self.block(body, _STEP)]
                return [*lines, *(["} else {", *self.block(otherwise, _STEP)] if otherwise else []), "}"]
            case ir.While(condition, body):
                return [f"while ({self.expression(condition)}) {{", *self.block(body, _STEP), "}"]
            case ir.For(name, start, stop, step, body):
                counter = _name(name)
                sign = "<" if step > 0 else ">"
                bounds = f"{counter} = {self.expression(start)}, {counter}_end = {self.expression(stop)}"
                head = f"for (int64_t {bounds}; {counter} {sign} {counter}_end; {counter} += {step}) {{"
                return [head, *self.block(body, _STEP), "}"]
            case ir.Return(value):
                if value is None:
                    return ["return;"]
                narrowed = "(int32_t)" if self.procedure.returns == ir.I32 else ""
                return [f"return {narrowed}{self.expression(value, _UNARY if narrowed else 0)};"]
            case ir.Do(call):
                return [f"{self.expression(call)};"]
            case ir.Break():
                return ["break;"]
            case ir.Continue():
                return ["continue;"]

    def stored(self, target: ir.Expr, value: ir.Expr) -> str:
        """A value, narrowed where memory is."""
        if (
            isinstance(target, ir.Element)
            and isinstance(target.array.type, ir.ArrayOf)
            and target.array.type.element == ir.I32
        ):
            return f"(int32_t){self.expression(value, _UNARY)}"
        return self.expression(value)

    def expression(self, value: ir.Expr, outside: int = 0) -> str:
        """An expression, in parentheses where what is outside binds stronger."""
        match value:
            case ir.Constant(number, kind):
                text = _number(number, kind)
                return f"({text})" if text.startswith("-") and outside >= _UNARY else text
            case ir.Data():
                return self.shared.array(value)
            case ir.Local(name):
                return _name(name)
            case ir.Field(record, name):
                return f"{self.expression(record, _ATOM)}->{name}"
            case ir.Element(array, index, ir.RecordOf()):
                text = f"{self.expression(array, 10)} + {self.expression(index, 11)}"
                return f"({text})" if outside > 10 else text
            case ir.Element(array, index):
                return f"{self.expression(array, _ATOM)}[{self.expression(index)}]"
            case ir.Tail(array, start):
                text = f"{self.expression(array, 10)} + {self.expression(start, 11)}"
                return f"({text})" if outside > 10 else text
            case ir.Call(name, arguments):
                kinds = self.shared.unit.procedures[name].signature.parameters
                return f"{self.shared.symbols[name]}({self.passed(arguments, kinds)})"
            case ir.CallPointer(function, arguments):
                assert isinstance(function.type, ir.FunctionOf)
                return f"{self.expression(function, _ATOM)}({self.passed(arguments, function.type.parameters)})"
            case ir.Operation():
                return self.operation(value, outside)

    def passed(self, arguments: tuple[ir.Expr, ...], kinds: tuple[ir.Type, ...]) -> str:
        """Arguments; tables of constants lose their const."""
        texts = []
        for argument, kind in zip(arguments, kinds, strict=True):
            cast = f"({declared(ir.read_type(kind), '')})" if isinstance(argument, ir.Data) else ""
            texts.append(cast + self.expression(argument))
        return ", ".join(texts)

    def operation(self, value: ir.Operation, outside: int) -> str:
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


_OTHERS: dict[str, Callable[[list[str], ir.Type | None], str]] = {  # with the type of the first operand
    "not": lambda x, _: f"!{x[0]}",
    "neg": lambda x, _: f"-{x[0]}",
    "abs": lambda x, kind: f"{'fabs' if kind == ir.F64 else 'tg_iabs'}({x[0]})",
    "min": lambda x, kind: f"{'tg_min' if kind == ir.F64 else 'tg_imin'}({', '.join(x)})",
    "max": lambda x, kind: f"{'tg_max' if kind == ir.F64 else 'tg_imax'}({', '.join(x)})",
    "//": lambda x, _: f"tg_floordiv({', '.join(x)})",
    "%": lambda x, _: f"tg_mod({', '.join(x)})",
    "f64": lambda x, _: f"(double){x[0]}",
    "i64": lambda x, _: f"(int64_t){x[0]}",
    "bits": lambda x, _: f"tg_bits({x[0]})",
    "from_bits": lambda x, _: f"tg_from_bits({x[0]})",
    "is_finite": lambda x, _: f"(isfinite({x[0]}) != 0)",
    "is_none": lambda x, _: f"({x[0]} == 0)",
    "any": lambda x, _: x[0],
    "multiply_add": lambda x, _: f"({x[0]} * {x[1]} + {x[2]})",
}
