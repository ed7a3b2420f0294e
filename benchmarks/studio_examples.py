"""Every example in the studio: it opens, is checked, runs, and gives the curves of its own script.

    python benchmarks/studio_examples.py [NAME ...]

The studio reads from the text how a script makes and runs its model. Here the script is run as well, up to that run:
times and states of both have to agree; where times differ, states are compared at instants away from events. Where a
script runs its model with other values alone (in a loop, say), the studio runs it with those of the first run, as its
sliders would. Scripts that study, bind or fit make no run of the class as it stands in the file: these are run by the
studio as scripts. What they print has to be what they print at the terminal but for times, they save as many figures,
and the first of their runs has the same states.
"""

from __future__ import annotations

import json
import math
import os
import re
import runpy
import subprocess
import sys
import tempfile
import warnings
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ["MPLBACKEND"] = "Agg"

from collections.abc import Iterator

import numpy as np

import tellegen as tg
from tellegen.engine.compiled import CompiledModel
from tellegen.studio.document.model_folder import ModelFolder
from tellegen.studio.document.text.script_run import ScriptRun
from tellegen.studio.document.text.source_file import parsed_file
from tellegen.studio.messages.work import Check, Checked, RunScript, ScriptRan, Simulate, Simulated
from tellegen.studio.server.folder_library import FolderLibrary
from tellegen.studio.server.open_document import OpenDocument
from tellegen.studio.worker.workbench import Workbench

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
AWAY = 0.004
"""Part of the run that an instant is away from events at least."""


class FoundError(BaseException):
    """The run that was looked for; it ends the script."""

    def __init__(self, solution: Any, given: tuple[Any, ...], options: dict[str, Any]) -> None:
        super().__init__()
        self.solution = solution
        self.given = given
        """The stop time, where it is not an option."""
        self.options = options


@contextmanager
def runs_watched(script: ScriptRun, any_values: bool) -> Iterator[None]:
    """The first run that is the one of the text, or one with any values, ends whatever is going on."""
    simulate = tg.simulate
    of_compiled = CompiledModel.simulate
    own = "parameters" in script.options

    def looked(model: Any, *given: Any, **options: Any) -> Any:
        solution = simulate(model, *given, **options)
        if (any_values or ("parameters" in options) == own) and fits(model, script):
            raise FoundError(solution, given, options)
        return solution

    tg.simulate = looked
    setattr(CompiledModel, "simulate", looked)  # noqa: B010 - it is put back below
    try:
        yield
    finally:
        tg.simulate = simulate
        setattr(CompiledModel, "simulate", of_compiled)  # noqa: B010


def fits(model: Any, script: ScriptRun) -> bool:
    """Whether a model is of the class that the text names; a compiled one shows it no more, nor does a function."""
    names = {cls.__name__ for cls in type(model).__mro__}
    return script.cls in names or isinstance(model, CompiledModel) or not script.cls[:1].isupper()


def script_run_found(path: Path, script: ScriptRun, any_values: bool = False) -> FoundError | None:
    """The run of the script, or None where it makes no such run."""
    here = Path.cwd()
    arguments = sys.argv
    sys.argv = [str(path)]
    sys.path.insert(0, str(EXAMPLES))
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.chdir(folder)
        try:
            with runs_watched(script, any_values), suppress(SystemExit), open(os.devnull, "w") as nothing:
                out, sys.stdout = sys.stdout, nothing
                try:
                    runpy.run_path(str(path), run_name="__main__")
                finally:
                    sys.stdout = out
        except FoundError as found:
            return found
        finally:
            os.chdir(here)
            sys.argv = arguments
            sys.path.remove(str(EXAMPLES))
    return None


def difference(ours: Any, theirs: Any) -> float:
    """The largest difference of a state, relative to its largest value."""
    names = [name for name in ours.states() if name in theirs]
    if np.array_equal(ours.time, theirs.time):
        return max((gap(ours[name], theirs[name]) for name in names), default=0.0)
    events = np.array([event.time for solution in (ours, theirs) for event in solution.events])
    end = min(ours.time[-1], theirs.time[-1])
    instants = np.linspace(ours.time[0], end, 301)[1:-1]
    if len(events):
        instants = instants[np.abs(instants[:, None] - events).min(axis=1) > AWAY * end]
    return max((gap(ours.at(instants)[name], theirs.at(instants)[name]) for name in names), default=0.0)


def gap(ours: Any, theirs: Any) -> float:
    """Relative to the largest value; numbers that are all next to nothing do not count."""
    size = float(np.max(np.abs(theirs), initial=0.0))
    return float(np.max(np.abs(np.asarray(ours) - theirs), initial=0.0)) / size if size > 1e-9 else 0.0


def outcome(name: str) -> tuple[bool, str]:
    """Whether all is well with an example, and what was seen."""
    folder = ModelFolder.opened(EXAMPLES)
    library = FolderLibrary(folder, lambda _: None)
    library.add_imports(parsed_file((EXAMPLES / name).read_text(), name))
    document = OpenDocument(folder, name, library.shapes, made_here=False)
    state = document.state(trusted=True)
    bench = Workbench()
    task = Check(document.model.text, str(EXAMPLES / name), state.cls, imports=True, model=state.script.model)
    checked = bench.done(task)
    assert isinstance(checked, Checked)
    if not checked.ok:
        return False, f"check: {checked.diagnostics[0].message}"
    ran = bench.done(Simulate(state.script.stop, 500, {}, (), state.script.options))
    assert isinstance(ran, Simulated)
    if not state.script.stop or state.script.options.get("parameters") == "{}":
        return other_run(bench, EXAMPLES / name, replace(state.script, cls=state.cls))
    theirs = script_run_found(EXAMPLES / name, state.script)
    if theirs is None:
        return other_run(bench, EXAMPLES / name, replace(state.script, cls=state.cls))
    worst = difference(bench.solution, theirs.solution)
    return ran.ok and worst < 1e-6, f"{state.cls}: differs by {worst:.2g}"


def other_run(bench: Workbench, path: Path, script: ScriptRun) -> tuple[bool, str]:
    """The first run of the script with other values, repeated; without one, the script as it is."""
    found = script_run_found(path, script, any_values=True)
    options = {} if found is None else {name: repr(value) for name, value in found.options.items() if is_plain(value)}
    if found is not None and len(options) == len(found.options) and all(map(is_plain, found.given)):
        stop = str(found.given[0]) if found.given else found.options.pop("stop", "")
        options.pop("stop", None)
        ran = bench.done(Simulate(str(stop), 500, {}, (), options))
        assert isinstance(ran, Simulated)
        worst = difference(bench.solution, found.solution) if ran.ok else math.inf
        if worst < 1e-6:
            return True, f"{script.cls}: differs by {worst:.2g} with the values of the first run, {options}"
    return as_script(bench, path)


def as_script(bench: Workbench, path: Path) -> tuple[bool, str]:
    """The script in the studio, and the same at the terminal."""
    with tempfile.TemporaryDirectory() as folder:
        ran = bench.done(RunScript(path.read_text(), str(path), folder))
        assert isinstance(ran, ScriptRan)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(["tests", str(path.parents[1])])}
        command = [sys.executable, "-c", WATCHING, str(path)]
        with tempfile.NamedTemporaryFile() as saved:
            command.append(saved.name)
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
            figures, theirs = json.loads(Path(saved.name).read_text() or "[0, null]")
    same = is_same_text(ran.text, done.stdout)
    first = bench._run_of(-1)
    worst = 0.0 if first is None or theirs is None else last_states_apart(first, theirs)
    well = ran.ok and same and len(ran.figures) == figures and worst < 1e-9
    told = "the same text" if same else "another text"
    return (
        well,
        f"as a script: {told}, {len(ran.figures)} of {figures} figures, {len(ran.runs)} runs, {worst:.2g} apart",
    )


WATCHING = """
import json, runpy, sys, warnings
import tellegen as tg
path, saved = sys.argv[1:]
sys.argv = [path]
found = {"figures": [], "first": None}
from matplotlib.figure import Figure
save = Figure.savefig
def kept(figure, *given, **options):
    save(figure, *given, **options)
    if not any(figure is other for other in found["figures"]):
        found["figures"].append(figure)
Figure.savefig = kept
def watched(owner, name):
    function = getattr(owner, name)
    def call(*given, **options):
        result = function(*given, **options)
        if sys._getframe(1).f_code.co_filename == path and found["first"] is None:
            found["first"] = {state: float(result[state][-1]) for state in result.states()}
        return result
    setattr(owner, name, call)
watched(tg, "simulate")
watched(tg.CompiledModel, "simulate")
runpy.run_path(path, run_name="__main__")
with open(saved, "w") as file:
    json.dump([len(found["figures"]), found["first"]], file)
"""
"""The script at the terminal; how many figures it saved, and the last states of its first run, in a file."""


def is_same_text(ours: str, theirs: str) -> bool:
    """The same words but for times; numbers as close as two runs at the terminal: some are residuals, or random."""
    one, other = (re.sub(r"[\d.]+ (s|ms)\b", "", text).split() for text in (ours, theirs))
    return len(one) == len(other) and all(map(is_same_word, one, other))


def is_same_word(one: str, other: str) -> bool:
    number = r"[-+]?[\d.]+(?:e[-+]?\d+)?"
    if re.sub(number, "", one) != re.sub(number, "", other):
        return False
    numbers = zip(re.findall(number, one), re.findall(number, other), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=0.25, abs_tol=1e-6) for a, b in numbers if a.strip(".+-"))


def last_states_apart(run: Any, theirs: dict[str, float]) -> float:
    """The largest difference of a state at the end, relative to its value."""
    return max((abs(float(run[name][-1]) - value) / max(abs(value), 1e-9) for name, value in theirs.items()), default=0)


def is_plain(value: Any) -> bool:
    """Whether a value can be written as text."""
    if isinstance(value, dict):
        return all(isinstance(name, str) and is_plain(one) for name, one in value.items())
    return value is None or isinstance(value, bool | int | float | str)


def main() -> None:
    """A line for each example."""
    names = sys.argv[1:] or [path.name for path in sorted(EXAMPLES.glob("*.py"))]
    bad = 0
    for name in names:
        try:
            well, words = outcome(name)
        except tg.TellegenError as error:
            well, words = False, str(error)
        bad += not well
        print(f"{'  ' if well else '! '}{name:28} {words}", flush=True)
    print(f"{len(names) - bad} of {len(names)}")


if __name__ == "__main__":
    main()
