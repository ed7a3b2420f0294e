"""Procedures as text, for reading and for golden tests.

procedure norms.norm(x: Array[f64], n: i64) -> f64
    total: f64 = 0.0
    for i in range(0, n, 1)
        total = total + x[i] * x[i]
    return sqrt(total)
"""

from __future__ import annotations

from collections.abc import Iterable

from tellegen.ir import procedure as ir

_STEP = "    "
_PRECEDENCE = {"choose": 0, "or": 1, "and": 2, "not": 3, "|": 5, "^": 6, "&": 7, "<<": 8, ">>": 8, "neg": 11}
_PRECEDENCE |= dict.fromkeys(("<", "<=", ">", ">=", "==", "!="), 4)
_PRECEDENCE |= dict.fromkeys(("+", "-"), 9) | dict.fromkeys(("*", "/", "//", "%"), 10)
_ATOM = 20


def show_unit(unit: ir.Unit) -> str:
    """The records, then the procedures."""
    records = [f"record {layout.name}\n" + "\n".join(_fields(layout.fields)) for layout in unit.layouts.values()]
    return "\n\n".join([*records, *(show(procedure) for procedure in unit.procedures.values())])


def show(procedure: ir.Procedure) -> str:
    """One procedure."""
    parameters = ", ".join(f"{each.name}: {show_type(each.type)}" for each in procedure.parameters)
    returns = "" if procedure.returns is None else f" -> {show_type(procedure.returns)}"
    mark = "inline " if procedure.inline else "seldom " if procedure.seldom else ""
    head = f"{mark}procedure {procedure.name}({parameters}){returns}"
    seen = {each.name for each in procedure.parameters}
    return "\n".join([head, *_block(procedure.body, _STEP, seen)])


def show_type(kind: ir.Type | None) -> str:
    """A type as it is annotated."""
    if kind is None:
        return "None"
    if isinstance(kind, ir.ArrayOf):
        return f"Array[{show_type(kind.element)}]"
    if isinstance(kind, ir.FunctionOf):
        return f"Callable[[{', '.join(map(show_type, kind.parameters))}], {show_type(kind.returns)}]"
    return kind.name


def _fields(fields: dict[str, ir.Type]) -> Iterable[str]:
    return (f"{_STEP}{name}: {show_type(kind)}" for name, kind in fields.items())


def _block(body: tuple[ir.Statement, ...], indent: str, seen: set[str]) -> list[str]:
    lines: list[str] = []
    for statement in body:
        lines += [indent + line for line in _statement(statement, seen)]
    return lines


def _statement(statement: ir.Statement, seen: set[str]) -> list[str]:
    match statement:
        case ir.Assign(target, value):
            kind = ""
            if isinstance(target, ir.Local) and target.name not in seen:
                seen.add(target.name)
                kind = f": {show_type(target.type)}"
            return [f"{show_expression(target)}{kind} = {show_expression(value)}"]
        case ir.LocalArray(name, element, count):
            return [f"{name} = local_array({show_type(element)}, {count})"]
        case ir.If(condition, body, otherwise):
            lines = [f"if {show_expression(condition)}", *_block(body, _STEP, seen)]
            return lines + (["else", *_block(otherwise, _STEP, seen)] if otherwise else [])
        case ir.While(condition, body):
            return [f"while {show_expression(condition)}", *_block(body, _STEP, seen)]
        case ir.For(name, start, stop, step, body):
            bounds = f"{show_expression(start)}, {show_expression(stop)}, {step}"
            return [f"for {name} in range({bounds})", *_block(body, _STEP, seen)]
        case ir.Return(value):
            return ["return" if value is None else f"return {show_expression(value)}"]
        case ir.Do(call):
            return [show_expression(call)]
        case ir.Break():
            return ["break"]
        case ir.Continue():
            return ["continue"]


def show_expression(value: ir.Expr, outside: int = -1) -> str:
    """An expression, in parentheses where what is outside binds stronger."""
    match value:
        case ir.Constant(number):
            return repr(number)
        case ir.Data(name) | ir.Local(name):
            return name
        case ir.Field(record, name):
            return f"{show_expression(record, _ATOM)}.{name}"
        case ir.Element(array, index):
            return f"{show_expression(array, _ATOM)}[{show_expression(index)}]"
        case ir.Tail(array, start):
            return f"{show_expression(array, _ATOM)}[{show_expression(start)}:]"
        case ir.Call(name, arguments):
            return f"{name}({', '.join(map(show_expression, arguments))})"
        case ir.CallPointer(function, arguments):
            return f"{show_expression(function, _ATOM)}({', '.join(map(show_expression, arguments))})"
        case ir.Operation(name, operands):
            own = _PRECEDENCE.get(name)
            if own is None:
                return f"{name}({', '.join(map(show_expression, operands))})"
            text = _operation(name, operands, own)
            return f"({text})" if own < outside else text


def _operation(name: str, operands: tuple[ir.Expr, ...], own: int) -> str:
    if name == "choose":
        condition, yes, no = (show_expression(each, own + 1) for each in operands)
        return f"{yes} if {condition} else {no}"
    if len(operands) == 1:
        return ("not " if name == "not" else "-") + show_expression(operands[0], own + 1)
    left = show_expression(operands[0], own)
    right = show_expression(operands[1], own + 1)
    return f"{left} {name} {right}"
