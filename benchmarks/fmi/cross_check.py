"""FMUs of the FMI cross-check against the results their makers published, here and in FMPy.

    python -m benchmarks.fmi.cross_check FOLDER [--jobs 2] [--only TEXT] [--fmpy]

FOLDER is `fmus/2.0` of a copy of the cross-check repository; every FMU for Linux below it is run in a process of its
own, for the experiment and with the inputs that stand beside it. Results count as equal by FMPy's own measure: at most
a tenth of the points outside the band around the published curve.
"""

from __future__ import annotations

import argparse
import csv
import multiprocessing
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

LIMIT = 120.0  # seconds for one FMU
STEPS = 20_000  # of Co-Simulation at most; clocked circuits count them
OUTSIDE = 0.1  # part of the points of a signal that may lie outside the band


@dataclass(frozen=True)
class Case:
    """One FMU, and how it is to be run."""

    path: Path
    kind: Literal["me", "cs"]
    start: float
    stop: float
    tolerance: float
    step: float


def read_table(path: Path) -> Any:
    """A CSV file as a structured array, or None."""
    if not path.is_file():
        return None
    with path.open(newline="", encoding="utf-8", errors="replace") as file:
        rows = [row for row in csv.reader(file) if row]
    names = [name.strip() for name in rows[0]]
    try:
        numbers = [tuple(float(word) for word in row[: len(names)]) for row in rows[1:] if len(row) >= len(names)]
    except ValueError:  # names of things among the numbers
        return None
    return np.array(numbers, dtype=[(name, float) for name in names])


def cases(folder: Path, only: str) -> list[Case]:
    """All FMUs for Linux below a folder."""
    found: list[Case] = []
    for path in sorted(folder.glob("*/linux64/*/*/*/*.fmu")):
        if only in str(path):
            options = read_options(path.with_name(f"{path.stem}_ref.opt"))
            kind: Literal["me", "cs"] = "me" if path.relative_to(folder).parts[0] == "me" else "cs"
            stop = options.get("StopTime", 1.0)
            found.append(
                Case(
                    path,
                    kind,
                    options.get("StartTime", 0.0),
                    stop,
                    options.get("RelTol", 1e-4),
                    options.get("StepSize", 0.0),
                )
            )
    return found


def read_options(path: Path) -> dict[str, float]:
    """The experiment of an FMU."""
    options: dict[str, float] = {}
    if path.is_file():
        for line in path.read_text(errors="replace").splitlines():
            name, _, value = line.partition(",")
            try:
                options[name.strip()] = float(value)
            except ValueError:
                continue
    return options


def run_here(case: Case) -> tuple[str, float]:
    """What happens to a case here, and the seconds it took."""
    import warnings

    import tellegen as tg

    warnings.simplefilter("ignore")
    reference = read_table(case.path.with_name(f"{case.path.stem}_ref.csv"))
    begin = time.perf_counter()
    try:
        names = [] if reference is None else list(reference.dtype.names[1:])
        made = tg.read_fmu(case.path, kind=case.kind)
        known = {variable.name for variable in made.fmu.file.description.variables}
        made = tg.read_fmu(case.path, kind=case.kind, variables=[name for name in names if name in known])
        model = rig(made, case)
        points = round((case.stop - case.start) / communication_step(case)) + 1 if case.kind == "cs" else 1001
        solution = tg.simulate(
            model, start=case.start, stop=case.stop, rtol=min(case.tolerance or 1e-4, 1e-4), points=points
        )
    except tg.TellegenError as error:
        return f"{error.code} {error.message}", time.perf_counter() - begin
    seconds = time.perf_counter() - begin
    result = signals(made, solution, names)
    if case.kind == "cs":  # after the communication points, as published
        result = result[np.append(np.diff(result["time"]) > 0.0, True)]
    return judged(result, reference), seconds


def communication_step(case: Case) -> float:
    """Of Co-Simulation: the one of the experiment, where there is one and it is not too short."""
    return max(case.step, (case.stop - case.start) / STEPS)


def rig(made: Any, case: Case) -> Any:
    """The FMU with its inputs over time."""
    import tellegen as tg

    inputs = read_table(case.path.with_name(f"{case.path.stem}_in.csv"))
    quantities = made.fmu.quantities
    given = {}
    for each in (*quantities.inputs, *quantities.discrete_inputs):
        if inputs is not None and each.variable.name in inputs.dtype.names:
            held = each in quantities.discrete_inputs
            given[each.member] = (inputs[inputs.dtype.names[0]], inputs[each.variable.name], held)
    step = {"communication_step": communication_step(case)} if case.kind == "cs" else {}

    class Rig(tg.Component):
        """An FMU and what drives it."""

        fmu = made(**step)

        def equations(self) -> Any:
            for member, (times, values, held) in given.items():
                yield getattr(self.fmu, member) == over_time(times, values, held)

    return Rig()


def over_time(times: Any, values: Any, held: bool) -> Any:
    """A signal from points: held, or linear in between; two points at one time are a jump."""
    import tellegen as tg

    if len(times) == 1:
        return float(values[0])
    return tg.interpolate(tg.time, times.tolist(), values.tolist(), kind="constant" if held else "linear")


def signals(made: Any, solution: Any, names: list[str]) -> Any:
    """The results as a structured array, in the units of the FMU."""
    quantities = made.fmu.quantities
    members = {
        each.variable.name: each
        for each in (*quantities.states, *quantities.outputs, *quantities.discrete_outputs, *quantities.parameters)
    }
    columns = [("time", np.asarray(solution.time))]
    for name in names:
        if name in members:
            columns.append(
                (name, np.asarray(solution[f"fmu.{members[name].member}"], float) + np.zeros(len(columns[0][1])))
            )
    result = np.zeros(len(columns[0][1]), dtype=[(name, float) for name, _ in columns])
    for name, values in columns:
        result[name] = values
    return result


def judged(result: Any, reference: Any) -> str:
    """Whether results equal those published."""
    from fmpy.util import validate_result

    if reference is None:
        return "no reference"
    if len(result.dtype.names) == 1:
        return "no signal of the reference"
    outside = validate_result(result, reference, stop_time=None)
    return "match" if outside <= OUTSIDE else f"differs ({outside:.2f} of the points)"


def run_fmpy(case: Case) -> tuple[str, float]:
    """What happens to a case in FMPy."""
    from fmpy import simulate_fmu

    reference = read_table(case.path.with_name(f"{case.path.stem}_ref.csv"))
    inputs = read_table(case.path.with_name(f"{case.path.stem}_in.csv"))
    kind = "ModelExchange" if case.kind == "me" else "CoSimulation"
    names: Any = None if reference is None else list(reference.dtype.names[1:])
    interval: Any = case.step or None
    begin = time.perf_counter()
    try:
        result = simulate_fmu(
            str(case.path),
            start_time=case.start,
            stop_time=case.stop,
            fmi_type=kind,
            input=inputs,
            relative_tolerance=min(case.tolerance or 1e-4, 1e-4),
            output=names,
            output_interval=interval,
        )
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:80]}", time.perf_counter() - begin
    return judged(result, reference), time.perf_counter() - begin


def guarded(task: tuple[Case, str]) -> tuple[Case, str, str, float]:
    """A case in a process of its own: it may crash or hang."""
    case, tool = task
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)

    def child() -> None:
        send.send((run_here if tool == "tellegen" else run_fmpy)(case))

    process = context.Process(target=child)
    process.start()
    send.close()
    try:
        outcome, seconds = receive.recv() if receive.poll(LIMIT) else ("too slow", LIMIT)
    except EOFError:
        process.join()
        outcome, seconds = f"the process ended ({process.exitcode})", 0.0
    process.kill()
    process.join()
    return case, tool, outcome, seconds


def main() -> None:
    """Print a line for each FMU, and counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--fmpy", action="store_true", help="run FMPy too")
    given = parser.parse_args()
    tools = ["tellegen", *(["fmpy"] if given.fmpy else [])]
    import tellegen  # noqa: F401  (once, before processes are forked)

    tasks = [(case, tool) for case in cases(given.folder, given.only) for tool in tools]
    counts: dict[str, Counter[str]] = {tool: Counter() for tool in tools}
    with ThreadPoolExecutor(given.jobs) as pool:
        for case, tool, outcome, seconds in pool.map(guarded, tasks):
            kind = outcome if outcome in ("match", "no reference") else ("differs" if "differs" in outcome else "fails")
            counts[tool][kind] += 1
            print(f"{tool:8} {case.kind} {'/'.join(case.path.parts[-4:-1]):55} {seconds:6.2f} s  {outcome[:110]}")
            sys.stdout.flush()
    for tool, found in counts.items():
        print(tool, dict(found))


if __name__ == "__main__":
    main()
