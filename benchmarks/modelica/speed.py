"""Examples of the Modelica Standard Library from text to result: CPU seconds, stage by stage.

    TELLEGEN_MSL=FOLDER python -m benchmarks.modelica.speed [--rounds 3] [--sample 20]

Each example runs in fresh interpreters: first with an empty cache (its files are parsed, its code is compiled), then
again. Native integrators belong to no model and are compiled before. `start` is Python, NumPy, SciPy, LLVM and
Tellegen up to the first statement of the user; `reading` and `translation` lead to the Model, `compiling` to code,
`run` to the Solution; `exit` is the end of the process, which writes what is kept for later ones. The seconds of
OpenModelica 1.16.5 are those of issue 19 (text to result, a machine like ours). A sample of the open list gives the
median, and parsing the whole library is timed at the end.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.modelica.references import listed_examples
from tellegen.frontends.modelica.syntax.parser import parse
from tellegen.frontends.modelica.syntax.source_file import SourceFile

OPENMODELICA = {
    "Modelica.Blocks.Examples.PID_Controller": 3.0,
    "Modelica.Electrical.Analog.Examples.CauerLowPassAnalog": 3.4,
    "Modelica.Electrical.Analog.Examples.Rectifier": 3.5,
    "Modelica.Mechanics.Rotational.Examples.CoupledClutches": 3.2,
}
STAGES = ("start", "reading", "translation", "compiling", "run", "exit")
ONE_RUN = """
import sys, time, warnings
warnings.simplefilter("ignore")
import tellegen as tg
tg.load_modelica, tg.compile, tg.simulate
clock = [0.0, time.process_time()]
example = tg.load_modelica(sys.argv[1])[sys.argv[2]]
clock.append(time.process_time())
example.content
clock.append(time.process_time())
compiled = tg.compile(example)
clock.append(time.process_time())
compiled.simulate()
clock.append(time.process_time())
print(*(after - before for before, after in zip(clock, clock[1:])))
"""
WARM_UP = """
import tellegen as tg

class Warm(tg.Component):
    x = tg.variable(start=1.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == -self.x
        yield tg.when((self.x < 0.5) | (tg.sin(tg.time) > 0.5), tg.reinit(self.x, 1.0))

for solver in ("rk45", "rodas", "cvode", "ida"):
    tg.simulate(Warm(), stop=1.0, solver=solver)
"""
console = Console(width=150)


@dataclass(frozen=True)
class Seconds:
    """CPU seconds of the stages, the first time and again."""

    first: list[float]
    again: list[float]


def measured(library: str, example: str, rounds: int, warm: Path) -> Seconds | None:
    """The stages of an example; None where it does not run."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(warm, folder, dirs_exist_ok=True)
        runs = [_one(library, example, folder) for _ in range(rounds + 1)]
    done = [run for run in runs if run is not None]
    if len(done) < len(runs):
        return None
    return Seconds(done[0], min(done[1:], key=sum))


def _one(library: str, example: str, cache: str) -> list[float] | None:
    command = [sys.executable, "-c", ONE_RUN, library, example]
    environment = os.environ | {"TELLEGEN_CACHE": cache}
    before = _seconds_of_children()
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=100, check=False)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        return None
    stages = [float(text) for text in done.stdout.splitlines()[-1].split()]
    return [*stages, _seconds_of_children() - before - sum(stages)]


def _seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def show(title: str, examples: dict[str, Seconds]) -> None:
    """A table of examples, a row for the first time and one for later starts."""
    table = Table("example", "", *STAGES, "all", "after the start", "OpenModelica", title=title)
    for name, seconds in examples.items():
        for label, stages in (("first", seconds.first), ("again", seconds.again)):
            given = OPENMODELICA.get(name)
            published = f"{given:.1f}" if given else ""
            totals = [f"{sum(stages):.2f}", f"{sum(stages[1:]):.2f}"]
            short = name.removeprefix("Modelica.").replace(".Examples", "")
            table.add_row(short, label, *(f"{value:.3f}" for value in stages), *totals, published)
    console.print(table)
    for label in ("first", "again"):
        stages = [getattr(seconds, label) for seconds in examples.values()]
        whole = statistics.median(sum(each) for each in stages)
        after = statistics.median(sum(each[1:]) for each in stages)
        console.print(f"median, {label}: {whole:.2f} s, of these {after:.2f} s after the start", highlight=False)


def parse_all(library: Path) -> None:
    """Parse every file of a library."""
    files = sorted(library.rglob("*.mo"))
    begin = time.process_time()
    for file in files:
        parse(SourceFile(str(file)))
    console.print(
        f"{len(files)} files of {library.name} parsed in {time.process_time() - begin:.2f} s", highlight=False
    )


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="later starts, of which the shortest counts")
    parser.add_argument("--sample", type=int, default=20, help="examples of the open list, evenly spaced in it")
    given = parser.parse_args()
    library = os.environ.get("TELLEGEN_MSL")
    if not library:
        sys.exit("TELLEGEN_MSL does not name the folder of the Modelica Standard Library")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-c", WARM_UP], env=os.environ | {"TELLEGEN_CACHE": folder}, check=True)
        warm = Path(folder)
        four = {name: measured(library, name, given.rounds, warm) for name in OPENMODELICA}
        show("Examples with published times", {name: found for name, found in four.items() if found is not None})
        if given.sample and os.environ.get("TELLEGEN_MSL_REFERENCES"):
            listed = [example.model for example in listed_examples()]
            sample = listed[:: max(1, len(listed) // given.sample)]
            found = {name: measured(library, name, 1, warm) for name in sample}
            show("A sample of the open list", {name: each for name, each in found.items() if each is not None})
    parse_all(Path(library) / "Modelica")


if __name__ == "__main__":
    main()
