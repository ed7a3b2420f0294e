"""Every example in lanes: which run there, why others do not, and how far they are from single runs.

    python benchmarks/ensemble_examples.py [NAME ...] [--runs 200] [--seconds 20]

A script is run for a while; of every model that it simulates the first run is kept. Then some of its parameters are
varied at random by a few percent, and final values of its states are compared, relative to their largest values.
`--seconds` bounds the single runs of one model: large models get fewer than `--runs`. Where the two differ by more than
ten tolerances, both are compared with accurate runs, and lanes with single runs by their method.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import runpy
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ["MPLBACKEND"] = "Agg"
os.environ["TELLEGEN_PROGRESS"] = "0"

import numpy as np

import tellegen as tg
from tellegen.analyses.studies.design import designed
from tellegen.analyses.studies.study import Execution, studied
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector
from tellegen.engine.request.path_lookup import find
from tellegen.engine.request.run_request import RunRequest
from tellegen.start.records import dataclass

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
_AROUND = 0.03  # part of a value by which it is varied
_MOST_VARIED = 3
_MOST_STATES = 6
_ALLOWED = 10.0  # tolerances
_TIGHT = 1e-10
_SCRIPT_SECONDS = 25


@dataclass(frozen=True, eq=False)
class Seen:
    """A model and the first request that a script makes of it."""

    compiled: CompiledModel
    request: RunRequest


@dataclass(frozen=True)
class Row:
    """What became of a model: `where` its runs were made, how many, the worst difference, and what else was seen."""

    name: str
    where: str
    runs: int = 0
    apart: float = 0.0
    others: str = ""

    @property
    def reason(self) -> str:
        """Why it does not run in lanes."""
        return self.where.removeprefix("single runs: ") if self.where.startswith("single") else ""


class OverError(BaseException):
    """A script has had its time."""


@contextlib.contextmanager
def limited(seconds: int) -> Iterator[None]:
    """End what takes longer."""

    def over(*_: Any) -> None:
        raise OverError

    before = signal.signal(signal.SIGALRM, over)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def models_of(path: Path) -> list[Seen]:
    """What a script simulates, each model once."""
    seen: dict[str, Seen] = {}
    plain = CompiledModel.run

    def watched(self: CompiledModel, request: RunRequest, throw: bool = True) -> Any:
        seen.setdefault(self.flat.name, Seen(self, request))
        return plain(self, request, throw)

    here = Path.cwd()
    sys.path.insert(0, str(EXAMPLES))
    setattr(CompiledModel, "run", watched)  # noqa: B010 - it is put back below
    try:
        with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as nothing:
            os.chdir(folder)
            quiet = contextlib.redirect_stdout(nothing), contextlib.redirect_stderr(nothing)
            ends = contextlib.suppress(OverError, SystemExit, Exception)
            with quiet[0], quiet[1], ends, limited(_SCRIPT_SECONDS):
                runpy.run_path(str(path), run_name="__main__")
    finally:
        setattr(CompiledModel, "run", plain)  # noqa: B010
        os.chdir(here)
        sys.path.remove(str(EXAMPLES))
    return list(seen.values())


def varied(one: Seen) -> dict[str, tuple[float, float]]:
    """Some numbers of a model that can be varied and matter."""
    compiled = one.compiled
    parameters = compiled.flat.parameters
    own = parameter_vector(compiled, one.request.parameters)
    found: dict[str, tuple[float, float]] = {}
    for index in np.random.default_rng(1).permutation(parameters.count).tolist():
        path = parameters.name(index)
        value = float(own[index])
        if path in one.request.parameters or not np.isfinite(value) or value == 0.0 or "[" in path:
            continue
        try:
            selection = find(compiled.flat, path)
            parameter_vector(compiled, {path: float(selection.member.unit.from_si(value))})
        except tg.TellegenError:
            continue
        if not is_varied_well(selection, value):
            continue
        edges = sorted(float(selection.member.unit.from_si(value * (1.0 + way))) for way in (-_AROUND, _AROUND))
        found[path] = (edges[0], edges[1])
        if len(found) == _MOST_VARIED:
            break
    return found


def is_varied_well(selection: Any, value: float) -> bool:
    """Whether numbers around that of a parameter are allowed, and numbers at all."""
    attributes = selection.member.attributes
    low = attributes.get("min")
    high = attributes.get("max")
    inside = all(
        (low is None or value * (1.0 + way) >= low) and (high is None or value * (1.0 + way) <= high)
        for way in (-_AROUND, _AROUND)
    )
    return inside and selection.indices.size == 1 and not attributes.get("values") and not float(value).is_integer()


def compared(one: Seen, runs: int, seconds: float) -> Row:
    """A model both ways."""
    compiled = one.compiled
    reduced = compiled.reduced
    name = compiled.flat.name
    if not reduced.is_state.any():
        return Row(name, "single runs: it has no states")
    ranges = varied(one)
    if not ranges:
        return Row(name, "single runs: nothing to vary")
    began = time.perf_counter()
    solution = compiled.run(one.request, throw=False)
    each = time.perf_counter() - began
    states = solution.states()[:_MOST_STATES]
    count = int(max(8, min(runs, seconds / max(each, 1e-6))))
    outputs = {f"output {k}": f"final({path})" for k, path in enumerate(states)}
    design = designed(tg.monte_carlo(ranges, count, seed=7))
    lanes = studied(compiled, design, outputs, one.request, Execution(workers=1, device="auto"))
    if lanes.device.startswith("single"):
        return Row(name, lanes.device)
    single = studied(compiled, design, outputs, one.request, Execution(executor="serial"))
    same = (lanes["outcome"] == single["outcome"]).values.all()
    apart = distance(lanes, single, solution, outputs)
    others = "" if same else "OUTCOMES DIFFER"
    if apart > _ALLOWED * one.request.options.rtol:
        tight = replace(one.request, options=replace(one.request.options, rtol=_TIGHT))
        exact = studied(compiled, design, outputs, tight, Execution(executor="serial"))
        both = (distance(each, exact, solution, outputs) for each in (lanes, single))
        others += "; from runs at rtol {:g}: lanes {:.1e}, single runs {:.1e}".format(_TIGHT, *both)
        method = "rk45" if "rk45" in lanes.device else "rodas"
        alike = replace(one.request, options=replace(one.request.options, solver=method))
        by_it = studied(compiled, design, outputs, alike, Execution(executor="serial"))
        others += f"; from single runs by {method} {distance(lanes, by_it, solution, outputs):.1e}"
    return Row(name, lanes.device, count, apart, others)


def distance(study: tg.Study, other: tg.Study, solution: tg.Solution, outputs: dict[str, str]) -> float:
    """The largest difference of runs that both have, relative to the largest value of each state."""
    good = (other["outcome"] == "success").values & (study["outcome"] == "success").values
    worst = 0.0
    for output, what in outputs.items():
        path = what.removeprefix("final(").removesuffix(")")
        size = float(np.abs(np.asarray(solution[path], float)).max(initial=0.0))
        gaps = np.abs(study[output].values - other[output].values)[good]
        worst = max(worst, float(np.nanmax(gaps, initial=0.0)) / size if size > 0.0 else 0.0)
    return worst


def main() -> None:
    """All examples, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    asked = parser.parse_args()
    rows: list[Row] = []
    for path in sorted(EXAMPLES.glob("*.py")):
        if asked.names and path.stem not in asked.names:
            continue
        for one in models_of(path):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    with limited(60 + int(3 * asked.seconds)):
                        row = compared(one, asked.runs, asked.seconds)
                except (OverError, Exception) as error:  # the table says what happened
                    row = Row(one.compiled.flat.name, f"single runs: {type(error).__name__} {error}"[:120])
            rows.append(row)
            text = row.where if row.reason else f"{row.where}; {row.runs} runs, worst {row.apart:.1e} {row.others}"
            print(f"{path.stem:24s} {row.name:28s} {text}", flush=True)
    print()
    inside = [row for row in rows if not row.reason]
    worst = max((row.apart for row in inside), default=0.0)
    print(f"{len(inside)} of {len(rows)} models run in lanes; worst difference {worst:.1e}")
    for reason, count in Counter(row.reason for row in rows if row.reason).most_common():
        print(f"{count:4d}  {reason}")


if __name__ == "__main__":
    main()
