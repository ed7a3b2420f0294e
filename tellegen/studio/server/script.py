"""What was done with a model in the studio as a script of Python."""

from __future__ import annotations

import ast
import builtins
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from tellegen.studio.document.text.script_run import ScriptRun
from tellegen.studio.messages.questions import (
    Calibrate,
    Explain,
    Goal,
    MakePage,
    Optimize,
    Question,
    Range,
    Sensitivities,
    Study,
)
from tellegen.studio.messages.requests import Run

Done = Run | Question
EXPLAINED = {
    "model": "tg.explain({cls}())",
    "equations": "model.flat",
    "reduced": "model.equations()",
    "blocks": "model.schedule()",
    "graph": "tg.system_graph({cls}())",
    "report": "model.report()",
    "time": "solution.explain()",
}


def script_of(path: str, cls: str, done: Iterable[Done], script: ScriptRun) -> str:
    """A file that does the same, in the folder of the model; `script` is how the model's own script runs it."""
    module = PurePosixPath(path).with_suffix("").as_posix().replace("/", ".")
    made = script.model or f"{cls}()"
    rows = [_run(step, script) if isinstance(step, Run) else _text(step, cls) for step in without_repeats(done)]
    body = f"model = tg.compile({made})\n\n" + "\n".join(rows)
    names = {cls, *_names(made), *(name for row in script.options.values() for name in _names(row))} - OURS
    imports = f"import tellegen as tg\nfrom {module} import {', '.join(sorted(names))}\n\n"
    return ("import numpy as np\n\n" if "np." in body else "") + imports + body


OURS = {"tg", "np", *dir(builtins)}
"""Names that need not be imported from the file of the model."""


def _names(text: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)}


def without_repeats(done: Iterable[Done]) -> list[Done]:
    """Of runs that follow each other, while a slider moves, the last; nothing twice."""
    kept: list[Done] = []
    for step in done:
        if kept and isinstance(step, Run) and isinstance(kept[-1], Run):
            kept.pop()
        if step not in kept:
            kept.append(step)
    return kept


def _text(step: Question, cls: str) -> str:
    match step:
        case Explain(what):
            return f"print({EXPLAINED[what].format(cls=cls)})\n"
        case Sensitivities(of, stop, parameters):
            wrt = "[path for path, value in solution.parameters.items() if isinstance(value, float)]"
            given = _given(stop, parameters)
            return f"found = tg.sensitivity(model{given}, wrt={wrt})\nprint(found.table({_quoted(of)}))\n"
        case Study():
            return _study(step)
        case Optimize():
            return _optimize(step)
        case Calibrate(file, match, ranges):
            matched = f", match={dict(match)!r}" if match else ""
            return f"fit = tg.calibrate(model, {_quoted(file)}, variables={_bounds(ranges)}{matched})\nprint(fit)\n"
        case MakePage(what, ranges, curves, stop):
            if what == "scene":
                return 'solution.animate("scene.html")\n'
            plots = f", plots={list(curves)!r}" if curves else ""
            sliders = f", sliders={_bounds(ranges)}" if ranges else ""
            return f'tg.export_html({cls}(), "{_snake(cls)}.html"{sliders}{plots}{_given(stop, {}, "stop=")})\n'


def _run(step: Run, script: ScriptRun) -> str:
    options = {"points": str(step.points), **script.options}
    if step.parameters:
        own = options.get("parameters", "{}")
        given = "{" + ", ".join(f"{_quoted(path)}: {value:.12g}" for path, value in step.parameters.items()) + "}"
        options["parameters"] = given if own == "{}" else f"{{**{own}, **{given}}}"
    rest = "".join(f", {name}={text}" for name, text in options.items())
    text = f"solution = tg.simulate(model{_given(step.stop, {})}{rest})\n"
    names = ", ".join(map(_quoted, step.curves))
    return f"{text}solution.plot({names})\n" if names else text


def _study(step: Study) -> str:
    values = ", ".join(
        f"{_quoted(one.path)}: np.linspace({one.low:.12g}, {one.high:.12g}, {max(step.count, 2)})"
        for one in step.ranges
    )
    outputs = ", ".join(f'"{goal.number}({goal.curve})": {_goal(goal)}' for goal in step.goals)
    given = _given(step.stop, step.parameters, "stop=")
    return f"study = tg.study(model, {{{values}}}, outputs={{{outputs}}}{given}, points=2000)\nprint(study)\n"


def _optimize(step: Optimize) -> str:
    way = "maximize" if step.maximize else "minimize"
    limits = ", ".join(f"{_goal(limit.goal)} <= {limit.most:.12g}" for limit in step.limits)
    subject = f", subject_to=[{limits}]" if limits else ""
    given = _given(step.stop, step.parameters)
    options = f"{way}={_goal(step.goal)}, variables={_bounds(step.ranges)}{subject}, points=2000"
    return f"best = tg.optimize(model{given}, {options})\nprint(best)\n"


def _goal(goal: Goal) -> str:
    return f"tg.{goal.number}({_quoted(goal.curve)})"


def _bounds(ranges: Iterable[Range]) -> str:
    return "{" + ", ".join(f"{_quoted(one.path)}: ({one.low:.12g}, {one.high:.12g})" for one in ranges) + "}"


def _given(stop: str, parameters: Mapping[str, float], word: str = "") -> str:
    plain = re.fullmatch(r"[-+\d.eE]+", stop)
    text = f", {word}{stop if plain else _quoted(stop)}" if stop else ""
    rows = ", ".join(f"{_quoted(path)}: {value:.12g}" for path, value in parameters.items())
    return f"{text}, parameters={{{rows}}}" if rows else text


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _snake(cls: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls).lower()
