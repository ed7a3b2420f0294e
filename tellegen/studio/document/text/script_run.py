"""What the script of a file simulates: the class and the stop time of its first `tg.simulate`, read from the text."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tellegen.start.records import dataclass
from tellegen.studio.document.text.source_file import SourceFile


@dataclass(frozen=True)
class ScriptRun:
    """A class of the file and the stop time as text; either is empty where the text does not say it."""

    cls: str = ""
    stop: str = ""


def script_run(file: SourceFile) -> ScriptRun:
    """The first run of a class of the file; nothing is evaluated but constants."""
    numbers = _constants(file.tree)
    script = [node for item in file.tree.body if not isinstance(item, ast.ClassDef) for node in ast.walk(item)]
    made = dict(_made(script, file))
    for node in script:
        if isinstance(node, ast.Call):
            model, position = _simulated(node, file)
            cls = made.get(model.id, "") if isinstance(model, ast.Name) else _class_of(model, file)
            if cls:
                return ScriptRun(cls, _stop(node, position, numbers))
    compiled = (_class_of(node.args[0], file) for node in script if isinstance(node, ast.Call) and node.args)
    return ScriptRun(next(filter(None, compiled), ""))


def _simulated(call: ast.Call, file: SourceFile) -> tuple[ast.expr | None, int]:
    """The model of `tg.simulate(model, stop)` or `compiled.simulate(stop)`, and the position of the stop time."""
    if file.meaning(ast.unparse(call.func)) == "tellegen.simulate":
        return (call.args[0] if call.args else None), 1
    if isinstance(call.func, ast.Attribute) and call.func.attr == "simulate":
        return call.func.value, 0
    return None, 0


def _made(script: list[ast.AST], file: SourceFile) -> Iterator[tuple[str, str]]:
    """Names that stand for a model: `model = Drive()`, `compiled = tg.compile(Drive())`."""
    for node in script:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = node.value
            if isinstance(value, ast.Call) and file.meaning(ast.unparse(value.func)) == "tellegen.compile":
                value = value.args[0] if value.args else value
            if cls := _class_of(value, file):
                yield node.targets[0].id, cls


def _class_of(node: ast.expr | None, file: SourceFile) -> str:
    known = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in file.component_classes()
    return ast.unparse(node.func) if known and isinstance(node, ast.Call) else ""


def _constants(tree: ast.Module) -> dict[str, float]:
    """Numbers at the top of the file: `HOUR = 3600.0`, `DAY = 24 * HOUR`."""
    found: dict[str, float] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = _number(node.value, found)
            if value is not None:
                found[node.targets[0].id] = value
    return found


def _number(node: ast.expr, known: dict[str, float]) -> float | None:
    """The value of constants, products and sums of them."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return float(value)
        case ast.Name(id=name):
            return known.get(name)
        case ast.BinOp(left=left, op=ast.Mult() | ast.Add() | ast.Div() as op, right=right):
            first = _number(left, known)
            second = _number(right, known)
            if first is None or second is None:
                return None
            if isinstance(op, ast.Div):
                return first / second if second else None
            return first * second if isinstance(op, ast.Mult) else first + second
    return None


def _stop(call: ast.Call, position: int, numbers: dict[str, float]) -> str:
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    value = named.get("stop") or (call.args[position] if len(call.args) > position else None)
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    number = _number(value, numbers) if value is not None else None
    return "" if number is None else f"{number:g}"
