"""Python functions as procedures: the statements. docs/inside/procedures.md describes the subset.

    total += x[i]      ->      total = total + x[i]

Python's syntax tree is read, nothing is run. Names that are not local are looked up where the function was defined:
numbers and tuples become constants, marked functions become calls.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from tellegen.ir import procedure as ir
from tellegen.ir.source_location import SourceLocation
from tellegen.procedures.language import MARK, local_array
from tellegen.procedures.parse_expressions import Expressions, full_name
from tellegen.procedures.types import Types

Function = Callable[..., Any]


def parse(
    function: Function, syntax: ast.FunctionDef, types: Types, constants: Mapping[str, Any]
) -> tuple[ir.Procedure, list[Function]]:
    """A marked function, given its syntax tree, and the marked functions that it calls."""
    reader = _Reader(function, syntax, types, constants)
    return reader.procedure(), reader.called


class _Reader(Expressions):
    """Reads one function."""

    def __init__(self, function: Function, syntax: ast.FunctionDef, types: Types, constants: Mapping[str, Any]) -> None:
        super().__init__(function, types, constants)
        self.syntax = syntax
        self.returns = types.of(function.__annotations__.get("return"), self.namespace)
        self._held = 0

    def procedure(self) -> ir.Procedure:
        """The whole of it."""
        self.node = self.syntax
        arguments = self.syntax.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults:
            raise self.error("a procedure has plain parameters without defaults")
        parameters: list[ir.Parameter] = []
        for argument in arguments.args:
            kind = self.types.of(self.function.__annotations__.get(argument.arg), self.namespace)
            if kind is None:
                raise self.error(f"parameter '{argument.arg}' has no type")
            parameters.append(ir.Parameter(argument.arg, kind))
            self.locals[argument.arg] = ir.read_type(kind)
        marked = getattr(self.function, MARK)
        body = () if marked.external else self.block(self.syntax.body)
        location = SourceLocation(self.file, self.syntax.lineno)
        name = full_name(self.function)
        how = marked.inline, location, marked.seldom, marked.external
        return ir.Procedure(name, tuple(parameters), self.returns, body, *how)

    def block(self, body: list[ast.stmt]) -> tuple[ir.Statement, ...]:
        """Statements one after the other."""
        found: list[ir.Statement] = []
        for node in body:
            self.node = node
            read = _STATEMENTS.get(type(node))
            if read is None:
                raise self.error(f"'{type(node).__name__}' is not a statement of procedures")
            found += read(self, node, SourceLocation(self.file, node.lineno))
        return tuple(found)

    def read_assign(self, node: ast.Assign, location: SourceLocation) -> list[ir.Statement]:
        """One target, or as many as values: all values are computed before the first is assigned."""
        if len(node.targets) != 1:
            raise self.error("one assignment a line")
        target = node.targets[0]
        value = node.value
        if not isinstance(target, ast.Tuple):
            return [self.assigned(target, value, location)]
        if not isinstance(value, ast.Tuple) or len(value.elts) != len(target.elts):
            raise self.error("as many values as targets")
        held = []
        assigned = []
        for left, right in zip(target.elts, value.elts, strict=True):
            self._held += 1
            name = f"held_{self._held}"
            number = self.expression(right)
            held.append(ir.Assign(self.local(name, number.type), number, location))
            assigned.append(self.assignment(left, ir.Local(name, self.typed(number)), location))
        return held + assigned

    def read_annotated(self, node: ast.AnnAssign, location: SourceLocation) -> list[ir.Statement]:
        """name: type = value"""
        if not isinstance(node.target, ast.Name) or node.value is None:
            raise self.error("'name: type = value', or no type")
        kind = self.types.of(ast.unparse(node.annotation), self.namespace)
        self.local(node.target.id, kind and ir.read_type(kind))
        return [self.assigned(node.target, node.value, location)]

    def read_augmented(self, node: ast.AugAssign, location: SourceLocation) -> list[ir.Statement]:
        """target op= value"""
        old = self.expression(node.target)
        if ir.calls(old):
            raise self.error("a call in the target would be made twice")
        return [self.assignment(node.target, self.arithmetic(node.op, old, self.expression(node.value)), location)]

    def assigned(self, target: ast.expr, value: ast.expr, location: SourceLocation) -> ir.Statement:
        """target = value, where the value may be a new local array."""
        if isinstance(value, ast.Call) and self.static(value.func) is local_array:
            return self.local_array(target, value, location)
        return self.assignment(target, self.expression(value), location)

    def local_array(self, target: ast.expr, value: ast.Call, location: SourceLocation) -> ir.LocalArray:
        """name = local_array(type, count)"""
        if not isinstance(target, ast.Name) or target.id in self.locals or len(value.args) != 2:
            raise self.error("a local array is a new name: work = local_array(f64, 9)")
        element = self.types.of(ast.unparse(value.args[0]), self.namespace)
        count = self.expression(value.args[1])
        if element is None or not isinstance(count, ir.Constant) or not isinstance(count.value, int):
            raise self.error("the length of a local array is a constant integer")
        self.local(target.id, ir.ArrayOf(element))
        return ir.LocalArray(target.id, element, count.value, location)

    def assignment(self, target: ast.expr, value: ir.Expr, location: SourceLocation) -> ir.Assign:
        """target = value, converted to the type of the target."""
        if isinstance(target, ast.Name):
            kind = self.locals.get(target.id)
            local = self.local(target.id, value.type if kind is None else kind)
            return ir.Assign(local, self.converted(value, local.type), location)
        found = self.expression(target)
        if not isinstance(found, ir.Field | ir.Element):
            raise self.error("a local, a field or an element can be assigned to")
        return ir.Assign(found, self.converted(value, found.type), location)

    def local(self, name: str, kind: ir.Type | None) -> ir.Local:
        """A local of that type, new or known."""
        if kind is None:
            raise self.error(f"'{name}' would have no value")
        if self.locals.setdefault(name, kind) != kind:
            raise self.error(f"'{name}' has another type elsewhere")
        return ir.Local(name, kind)

    def read_if(self, node: ast.If, location: SourceLocation) -> list[ir.Statement]:
        """if, elif, else"""
        condition = self.condition(node.test)
        return [ir.If(condition, self.block(node.body), self.block(node.orelse), location)]

    def read_while(self, node: ast.While, location: SourceLocation) -> list[ir.Statement]:
        """while, without else"""
        if node.orelse:
            raise self.error("a loop has no else")
        return [ir.While(self.condition(node.test), self.block(node.body), location)]

    def read_for(self, node: ast.For, location: SourceLocation) -> list[ir.Statement]:
        """for name in range(...)"""
        call = node.iter
        name = node.target
        if not isinstance(call, ast.Call) or self.static(call.func) is not range or not isinstance(name, ast.Name):
            raise self.error("a for goes over a range: 'for i in range(n):'")
        if node.orelse:
            raise self.error("a loop has no else")
        bounds = [self.converted(self.expression(argument), ir.I64) for argument in call.args]
        step = bounds[2] if len(bounds) == 3 else ir.Constant(1, ir.I64)
        if not isinstance(step, ir.Constant) or step.value == 0:
            raise self.error("the step of a range is a constant, not zero")
        start, stop = (ir.Constant(0, ir.I64), bounds[0]) if len(bounds) == 1 else bounds[:2]
        self.local(name.id, ir.I64)
        return [ir.For(name.id, start, stop, int(step.value), self.block(node.body), location)]

    def read_return(self, node: ast.Return, location: SourceLocation) -> list[ir.Statement]:
        """return, with a value of the declared type"""
        if node.value is None or self.returns is None:
            if node.value is not None or self.returns is not None:
                raise self.error("a procedure returns what its '->' says")
            return [ir.Return(None, location)]
        return [ir.Return(self.converted(self.expression(node.value), ir.read_type(self.returns)), location)]

    def read_expression(self, node: ast.Expr, location: SourceLocation) -> list[ir.Statement]:
        """A call for what it does, or a docstring."""
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return []
        call = self.expression(node.value)
        if not isinstance(call, ir.Call | ir.CallPointer):
            raise self.error("the value of this expression is lost")
        return [ir.Do(call, location)]

    def condition(self, node: ast.expr) -> ir.Expr:
        """An expression that must be a bool."""
        found = self.expression(node)
        if found.type != ir.BOOL:
            raise self.error("a condition is a bool: 'status != 0', 'pointer is not None'")
        return found


_STATEMENTS: dict[type, Callable[..., list[ir.Statement]]] = {
    ast.Assign: _Reader.read_assign,
    ast.AnnAssign: _Reader.read_annotated,
    ast.AugAssign: _Reader.read_augmented,
    ast.If: _Reader.read_if,
    ast.While: _Reader.read_while,
    ast.For: _Reader.read_for,
    ast.Return: _Reader.read_return,
    ast.Expr: _Reader.read_expression,
    ast.Break: lambda _reader, _node, location: [ir.Break(location)],
    ast.Continue: lambda _reader, _node, location: [ir.Continue(location)],
    ast.Pass: lambda _reader, _node, _location: [],
}
