"""What the script of a file simulates, read from its text: the model, the stop time, and what else is given to the run.

Of several runs the first one counts that leaves the parameters as they are, else the first one of all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import field

from tellegen.start.records import dataclass
from tellegen.studio.document.text.source_file import SourceFile
from tellegen.studio.document.text.splice import dotted

OPTIONS = ("points", "parameters", "initial", "rtol", "atol", "solver", "start", "max_step")
"""What the studio gives to a run as well; `stop` has a field of its own."""
CHEAP = ("dict", "list", "tuple", "range", "float", "int", "str", "min", "max", "abs", "sum", "round", "len", "zip")
CHEAP_MODULES = ("numpy", "math", "tellegen.variable", "tellegen.parameter")


@dataclass(frozen=True)
class ScriptRun:
    """A run as text; whatever the text does not say is empty."""

    cls: str = ""
    stop: str = ""
    model: str = ""
    """How the script makes the model, where that is not the class alone: `Feeder(n=3)`, `car_on_the_bump()`."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Expressions of constants of the file, by name: `rtol`, `initial`, ..."""


@dataclass(frozen=True)
class _Model:
    """The call that makes a model, and the class of the file that it is of."""

    call: ast.Call
    cls: str


@dataclass(frozen=True)
class _Place:
    """Where in the script something stands: names of the function around it, and what they are."""

    file: SourceFile
    numbers: Mapping[str, float]
    local: Mapping[str, ast.expr]

    def plain(self, value: ast.expr) -> ast.expr | None:
        """An expression in names of the file alone, of constants and of calls that take no time; None for others."""
        text = ast.parse(ast.unparse(value), mode="eval").body
        found = _Substituted(self.local).visit(text)
        return found if _is_cheap(found, self.file) else None


class _Substituted(ast.NodeTransformer):
    """Names of a function replaced by what they were set to."""

    def __init__(self, local: Mapping[str, ast.expr]) -> None:
        self._local = local

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._local.get(node.id, node)


def script_run(file: SourceFile) -> ScriptRun:
    """The run of a class of the file; nothing is evaluated but constants."""
    numbers = _constants(file.tree.body)
    calls: list[tuple[ast.Call, _Place]] = []
    made: dict[str, _Model] = {}
    for item in file.tree.body:
        if isinstance(item, ast.ClassDef):
            continue
        place = _place(file, item, numbers)
        nodes = list(ast.walk(item))
        made |= dict(_made(nodes, file))
        calls += [(node, place) for node in nodes if isinstance(node, ast.Call)]
    for names in (SIMULATE, OTHERS):
        found = [run for call, place in calls if (run := _run(call, place, made, names))]
        if found:
            return next((run for run in found if "parameters" not in run.options), found[0])
    compiled = (_model_of(call.args[0], file) for call, _ in calls if call.args)
    first = next(filter(None, compiled), None)
    return ScriptRun(first.cls) if first else ScriptRun()


SIMULATE = ("simulate",)
OTHERS = ("study", "optimize", "sensitivity", "estimate", "monte_carlo", "sweep")
"""Functions with a model and a stop time: what they say counts where nothing is simulated for itself."""


def _place(file: SourceFile, item: ast.stmt, numbers: Mapping[str, float]) -> _Place:
    if not isinstance(item, ast.FunctionDef):
        return _Place(file, numbers, {})
    arguments = item.args.posonlyargs + item.args.args
    defaults = dict(zip([argument.arg for argument in reversed(arguments)], reversed(item.args.defaults), strict=False))
    local = {**defaults}
    for node in item.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            local[node.targets[0].id] = _Substituted(local).visit(ast.parse(ast.unparse(node.value), mode="eval").body)
    return _Place(file, numbers, local)


def _run(call: ast.Call, place: _Place, made: Mapping[str, _Model], names: tuple[str, ...]) -> ScriptRun | None:
    node, position = _simulated(call, place.file, names)
    model = made.get(node.id) if isinstance(node, ast.Name) else _model_of(node, place.file)
    if model is None:
        return None
    alone = not model.call.args and not model.call.keywords and dotted(model.call.func) == model.cls
    made_by = None if alone else place.plain(model.call)
    given = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    options = {
        name: ast.unparse(plain)
        for name, value in given.items()
        if name in OPTIONS and names == SIMULATE and (plain := place.plain(value)) is not None
    }
    if "parameters" in given:  # a run of other values, also where these are computed
        options.setdefault("parameters", "{}")
    stop = given.get("stop") or (call.args[position] if len(call.args) > position else None)
    return ScriptRun(model.cls, _stop(stop, place), ast.unparse(made_by) if made_by is not None else "", options)


def _is_cheap(value: ast.AST, file: SourceFile, depth: int = 0) -> bool:
    """Whether an expression is made of constants of the file, and calls nothing that could take long."""
    calls = [node for node in ast.walk(value) if isinstance(node, ast.Call)]
    names = [node for node in ast.walk(value) if isinstance(node, ast.Name)]
    own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    own |= {node.arg for node in ast.walk(value) if isinstance(node, ast.arg)}
    known = file.taken | set(CHEAP) | own | {"__file__"}
    if not {node.id for node in names} <= known:
        return False
    return all(_is_cheap_call(dotted(call.func), file, depth) for call in calls)


def _is_cheap_call(name: str, file: SourceFile, depth: int) -> bool:
    if name in CHEAP or name in file.builders or name in file.component_classes():
        return True
    if name in file.functions and depth < 3:
        return _is_cheap(file.functions[name], file, depth + 1)
    meaning = file.meaning(name)
    return meaning.startswith(CHEAP_MODULES) or name.startswith("Path(__file__)") or meaning == "pathlib.Path"


def _simulated(call: ast.Call, file: SourceFile, names: tuple[str, ...]) -> tuple[ast.expr | None, int]:
    """The model of `tg.simulate(model, stop)` or `compiled.simulate(stop)`, and the position of the stop time."""
    if file.meaning(dotted(call.func)).removeprefix("tellegen.") in names:
        return (call.args[0] if call.args else None), 1
    if isinstance(call.func, ast.Attribute) and call.func.attr in names:
        return call.func.value, 0
    return None, 0


def _made(script: list[ast.AST], file: SourceFile) -> Iterator[tuple[str, _Model]]:
    """Names that stand for a model: `model = Drive()`, `compiled = tg.compile(Drive())`."""
    for node in script:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = node.value
            if isinstance(value, ast.Call) and file.meaning(dotted(value.func)) == "tellegen.compile":
                value = value.args[0] if value.args else value
            if model := _model_of(value, file):
                yield node.targets[0].id, model


def _model_of(node: ast.expr | None, file: SourceFile) -> _Model | None:
    """A call of a class of the file, or of a function that says by its annotation which one it makes."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return None
    name = node.func.id
    if name in file.component_classes():
        return _Model(node, name)
    if name not in file.builders:
        return None
    returned = file.builders[name].returns
    cls = dotted(returned) if returned is not None else ""
    return _Model(node, cls if cls in file.component_classes() else name)


def _constants(body: list[ast.stmt]) -> dict[str, float]:
    """Numbers at the top of the file: `HOUR = 3600.0`, `DAY = 24 * HOUR`."""
    found: dict[str, float] = {}
    for node in body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = _number(node.value, found)
            if value is not None:
                found[node.targets[0].id] = value
    return found


def _number(node: ast.expr, known: Mapping[str, float]) -> float | None:
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


def _stop(value: ast.expr | None, place: _Place) -> str:
    value = _Substituted(place.local).visit(ast.parse(ast.unparse(value), mode="eval").body) if value else None
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    number = _number(value, place.numbers) if value is not None else None
    return "" if number is None else f"{number:.12g}"
