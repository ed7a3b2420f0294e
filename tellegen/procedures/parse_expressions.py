"""Python functions as procedures: the expressions, with their types.

    0.5 * n      ->      0.5 * f64(n)

Integers become floats where they meet, Booleans become integers, as in Python; nothing else is converted by itself.
"""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from tellegen.errors import InternalError
from tellegen.ir import procedure as ir
from tellegen.ir.source_location import SourceLocation
from tellegen.procedures.language import FUNCTIONS, MARK
from tellegen.procedures.types import Types

_OPERATORS: dict[type, tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.Div: ("/", operator.truediv),
    ast.FloorDiv: ("//", operator.floordiv),
    ast.Mod: ("%", operator.mod),
    ast.Pow: ("pow", operator.pow),
    ast.BitAnd: ("&", operator.and_),
    ast.BitOr: ("|", operator.or_),
    ast.BitXor: ("^", operator.xor),
    ast.LShift: ("<<", operator.lshift),
    ast.RShift: (">>", operator.rshift),
}
_FLOATING = ("/", "pow")
_WHOLE = ("//", "%", "&", "|", "^", "<<", ">>")
_COMPARED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_UNKNOWN = object()


def full_name(function: Callable[..., Any]) -> str:
    """The name of a procedure, different from those of the same name in other files."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


class Expressions:
    """Reads the expressions of one function."""

    def __init__(self, function: Callable[..., Any], types: Types, constants: Mapping[str, Any]) -> None:
        self.function = function
        self.types = types
        self.namespace = function.__globals__
        self.constants = constants  # that stand for names of the file
        self.file = function.__code__.co_filename
        self.own = frozenset(function.__code__.co_varnames)  # names that are local somewhere
        self.locals: dict[str, ir.Type] = {}  # those that have a type so far
        self.called: list[Callable[..., Any]] = []
        self.node: ast.AST = ast.Pass(lineno=0)  # what is read, for messages

    def error(self, message: str) -> InternalError:
        """A mistake at the statement or expression that is read."""
        return InternalError("E904", message, location=SourceLocation(self.file, getattr(self.node, "lineno", 0)))

    def expression(self, node: ast.expr) -> ir.Expr:
        """An expression of any kind."""
        read = _EXPRESSIONS.get(type(node))
        if read is None:
            self.node = node
            raise self.error(f"'{ast.unparse(node)}' is not an expression of procedures")
        return read(self, node)

    def typed(self, value: ir.Expr) -> ir.Type:
        """The type of a value; a call may have none."""
        if value.type is None:
            raise self.error("this call returns nothing")
        return value.type

    def converted(self, value: ir.Expr, kind: ir.Type) -> ir.Expr:
        """The value as that type, where Python would take it for one."""
        if value.type == kind:
            return value
        if value.type == ir.BOOL and kind in (ir.I64, ir.F64):
            value = ir.Operation("i64", (value,), ir.I64)
        if value.type == ir.I64 and kind == ir.F64:
            return self._as_float(value)
        if value.type != kind:
            raise self.error(f"{shown(kind)} is needed here, and this is {shown(value.type)}")
        return value

    def _as_float(self, value: ir.Expr) -> ir.Expr:
        if isinstance(value, ir.Constant):
            return ir.Constant(float(value.value), ir.F64)
        return ir.Operation("f64", (value,), ir.F64)

    # what is known before anything runs

    def static(self, node: ast.expr) -> Any:
        """The object of Python that a name means; `_UNKNOWN` for locals and everything computed from them."""
        if isinstance(node, ast.Name):
            if node.id in self.own:
                return _UNKNOWN
            if node.id in self.constants:
                return self.constants[node.id]
            return self.namespace.get(node.id, getattr(builtins, node.id, _UNKNOWN))
        if isinstance(node, ast.Attribute):
            owner = self.static(node.value)
            return getattr(owner, node.attr, _UNKNOWN) if isinstance(owner, ModuleType | type) else _UNKNOWN
        if isinstance(node, ast.Subscript):
            owner = self.static(node.value)
            if isinstance(owner, tuple):
                index = self.expression(node.slice) if not isinstance(node.slice, ast.Slice) else None
                return owner[int(index.value)] if isinstance(index, ir.Constant) else _UNKNOWN
        return _UNKNOWN

    def constant(self, value: Any, node: ast.expr) -> ir.Expr:
        """A number, or a tuple of numbers, of the Python file."""
        if isinstance(value, bool):
            return ir.Constant(value, ir.BOOL)
        if isinstance(value, int):
            return ir.Constant(int(value), ir.I64)
        if isinstance(value, float):
            return ir.Constant(float(value), ir.F64)
        if isinstance(value, tuple) and value:
            kind = ir.F64 if any(isinstance(each, float) for each in value) else ir.I64
            if all(isinstance(each, int | float) for each in value):
                return ir.Data(
                    ast.unparse(node),
                    tuple(float(each) if kind == ir.F64 else each for each in value),
                    ir.ArrayOf(kind),
                )
        raise self.error(f"'{ast.unparse(node)}' is neither a local nor a number or a tuple of numbers")

    def read_name(self, node: ast.Name) -> ir.Expr:
        """A local or a constant."""
        kind = self.locals.get(node.id)
        if kind is not None:
            return ir.Local(node.id, kind)
        value = self.static(node)
        if value is _UNKNOWN:
            raise self.error(f"'{node.id}' is not defined here")
        return self.constant(value, node)

    def read_constant(self, node: ast.Constant) -> ir.Expr:
        """A literal."""
        return self.constant(node.value, node)

    def read_attribute(self, node: ast.Attribute) -> ir.Expr:
        """record.name, or a constant of a module or an enumeration."""
        value = self.static(node)
        if value is not _UNKNOWN:
            return self.constant(value, node)
        record = self.expression(node.value)
        if not isinstance(record.type, ir.RecordOf):
            raise self.error(f"'{ast.unparse(node.value)}' is not a record")
        fields = self.types.layout(record.type.name).fields
        if node.attr not in fields:
            raise self.error(f"record '{record.type.name}' has no field '{node.attr}'")
        return ir.Field(record, node.attr, fields[node.attr])

    def read_subscript(self, node: ast.Subscript) -> ir.Expr:
        """array[index], array[start:], or an element of a constant tuple."""
        value = self.static(node)
        if value is not _UNKNOWN:
            return self.constant(value, node)
        array = self.expression(node.value)
        if not isinstance(array.type, ir.ArrayOf):
            raise self.error(f"'{ast.unparse(node.value)}' is not an array")
        if not isinstance(node.slice, ast.Slice):
            index = self.converted(self.expression(node.slice), ir.I64)
            if isinstance(array.type.element, ir.RecordOf):
                self.types.layout(array.type.element.name)  # printers ask how large it is
            return ir.Element(array, index, ir.read_type(array.type.element))
        if node.slice.lower is None or node.slice.upper is not None or node.slice.step is not None:
            raise self.error("a part of an array is 'array[start:]'")
        return ir.Tail(array, self.converted(self.expression(node.slice.lower), ir.I64), array.type)

    # operations

    def read_unary(self, node: ast.UnaryOp) -> ir.Expr:
        """-x, not x"""
        x = self.expression(node.operand)
        if isinstance(node.op, ast.Not):
            if x.type != ir.BOOL:
                raise self.error("'not' is of a bool")
            return ir.Operation("not", (x,), ir.BOOL)
        if not isinstance(node.op, ast.USub) or x.type not in (ir.F64, ir.I64):
            raise self.error("'-' and 'not' are the unary operators")
        return ir.Constant(-x.value, x.type) if isinstance(x, ir.Constant) else ir.Operation("neg", (x,), self.typed(x))

    def read_binary(self, node: ast.BinOp) -> ir.Expr:
        """Arithmetic."""
        return self.arithmetic(node.op, self.expression(node.left), self.expression(node.right))

    def arithmetic(self, sign: ast.operator, a: ir.Expr, b: ir.Expr) -> ir.Expr:
        """An operator between numbers; constants are computed at once."""
        if type(sign) not in _OPERATORS:
            raise self.error("this operator is not one of procedures")
        name, compute = _OPERATORS[type(sign)]
        kind = ir.F64 if name in _FLOATING or ir.F64 in (a.type, b.type) else ir.I64
        if name in _WHOLE and kind == ir.F64:
            raise self.error(f"'{name}' is for integers")
        a = self.converted(a, kind)
        b = self.converted(b, kind)
        if isinstance(a, ir.Constant) and isinstance(b, ir.Constant):
            return ir.Constant(compute(a.value, b.value), kind)
        return ir.Operation(name, (a, b), kind)

    def read_compare(self, node: ast.Compare) -> ir.Expr:
        """a < b, a < b < c, pointer is None"""
        sides = [node.left, *node.comparators]
        if any(ir.calls(self.expression(middle)) for middle in sides[1:-1]):
            raise self.error("the middle of a chain of comparisons would be computed twice")
        pairs = zip(sides[:-1], node.ops, sides[1:], strict=True)
        found = [self._comparison(left, sign, right) for left, sign, right in pairs]
        result = found[0]
        for other in found[1:]:
            result = ir.Operation("and", (result, other), ir.BOOL)
        return result

    def _comparison(self, left: ast.expr, sign: ast.cmpop, right: ast.expr) -> ir.Expr:
        if isinstance(sign, ast.Is | ast.IsNot):
            pointer = self.expression(left)
            if not (isinstance(right, ast.Constant) and right.value is None and ir.is_pointer(pointer.type)):
                raise self.error("'is' and 'is not' compare a pointer with None")
            test = ir.Operation("is_none", (pointer,), ir.BOOL)
            return test if isinstance(sign, ast.Is) else ir.Operation("not", (test,), ir.BOOL)
        if type(sign) not in _COMPARED:
            raise self.error("'in' is not part of procedures")
        a = self.expression(left)
        b = self.expression(right)
        kind = ir.BOOL if a.type == b.type == ir.BOOL else ir.F64 if ir.F64 in (a.type, b.type) else ir.I64
        return ir.Operation(_COMPARED[type(sign)], (self.converted(a, kind), self.converted(b, kind)), ir.BOOL)

    def read_logic(self, node: ast.BoolOp) -> ir.Expr:
        """and, or"""
        name = "and" if isinstance(node.op, ast.And) else "or"
        result, *others = [self.converted(self.expression(value), ir.BOOL) for value in node.values]
        for other in others:
            result = ir.Operation(name, (result, other), ir.BOOL)
        return result

    def read_choice(self, node: ast.IfExp) -> ir.Expr:
        """a if condition else b"""
        condition = self.converted(self.expression(node.test), ir.BOOL)
        a, b = self._alike([self.expression(node.body), self.expression(node.orelse)])
        return ir.Operation("choose", (condition, a, b), self.typed(a))

    def _alike(self, values: list[ir.Expr]) -> list[ir.Expr]:
        """The values as one type."""
        kinds = [self.typed(value) for value in values]
        kind = ir.F64 if ir.F64 in kinds else ir.I64 if ir.I64 in kinds else kinds[0]
        return [self.converted(value, kind) for value in values]

    # calls

    def read_call(self, node: ast.Call) -> ir.Expr:
        """A procedure, an operation, or a function pointer."""
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self.error("arguments are given one after the other")
        function = self.static(node.func)
        arguments = [self.expression(argument) for argument in node.args]
        if function is _UNKNOWN:
            pointer = self.expression(node.func)
            if not isinstance(pointer.type, ir.FunctionOf):
                raise self.error(f"'{ast.unparse(node.func)}' is not a function")
            passed = self._passed(arguments, pointer.type.parameters)
            return ir.CallPointer(pointer, passed, pointer.type.returns and ir.read_type(pointer.type.returns))
        if hasattr(function, MARK):
            self.called.append(function)
            names = function.__code__.co_varnames[: function.__code__.co_argcount]
            kinds = [self.types.of(function.__annotations__.get(name), function.__globals__) for name in names]
            returns = self.types.of(function.__annotations__.get("return"), function.__globals__)
            passed = self._passed(arguments, tuple(kind for kind in kinds if kind is not None))
            return ir.Call(full_name(function), passed, returns and ir.read_type(returns))
        try:
            name = FUNCTIONS[function]
        except (KeyError, TypeError):
            raise self.error(f"'{ast.unparse(node.func)}' is neither a procedure nor an operation") from None
        return self._operation(name, arguments)

    def _passed(self, arguments: list[ir.Expr], kinds: tuple[ir.Type, ...]) -> tuple[ir.Expr, ...]:
        if len(arguments) != len(kinds):
            raise self.error(f"{len(kinds)} arguments are needed, and there are {len(arguments)}")
        pairs = zip(arguments, kinds, strict=True)
        return tuple(self.converted(argument, ir.read_type(kind)) for argument, kind in pairs)

    def _operation(self, name: str, arguments: list[ir.Expr]) -> ir.Expr:
        if name in ("min", "max"):
            result, *others = self._alike(arguments)
            for other in others:
                result = ir.Operation(name, (result, other), self.typed(result))
            return result
        if name == "abs":
            return ir.Operation("abs", (arguments[0],), self.typed(arguments[0]))
        if name == "f64":
            return self.converted(arguments[0], ir.F64)
        if name == "i64":
            return arguments[0] if arguments[0].type == ir.I64 else ir.Operation("i64", tuple(arguments), ir.I64)
        if name == "any":
            return ir.Operation(name, (self.converted(arguments[0], ir.BOOL),), ir.BOOL)
        if name == "from_bits":
            return ir.Operation(name, (self.converted(arguments[0], ir.I64),), ir.F64)
        kind = {"bits": ir.I64, "is_finite": ir.BOOL}.get(name, ir.F64)
        return ir.Operation(name, tuple(self.converted(argument, ir.F64) for argument in arguments), kind)


def shown(kind: ir.Type | None) -> str:
    """A type in words."""
    if kind is None:
        return "nothing"
    if isinstance(kind, ir.ArrayOf):
        return f"Array[{shown(kind.element)}]"
    if isinstance(kind, ir.FunctionOf):
        return f"({', '.join(shown(each) for each in kind.parameters)}) -> {shown(kind.returns)}"
    return kind.name


_EXPRESSIONS: dict[type, Callable[..., ir.Expr]] = {
    ast.Name: Expressions.read_name,
    ast.Constant: Expressions.read_constant,
    ast.Attribute: Expressions.read_attribute,
    ast.Subscript: Expressions.read_subscript,
    ast.UnaryOp: Expressions.read_unary,
    ast.BinOp: Expressions.read_binary,
    ast.Compare: Expressions.read_compare,
    ast.BoolOp: Expressions.read_logic,
    ast.IfExp: Expressions.read_choice,
    ast.Call: Expressions.read_call,
}
