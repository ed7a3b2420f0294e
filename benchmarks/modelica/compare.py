"""Run one example of the Modelica Standard Library and compare it with its reference.

    TELLEGEN_MSL=... TELLEGEN_MSL_REFERENCES=... python -m benchmarks.modelica.compare Modelica.Blocks.Examples.Filter

The stop time is that of the reference, rtol the smaller of the annotation and 1e-6. `--json` prints the outcome as a
line for batch.py; otherwise errors are raised.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import traceback
import warnings
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

import tellegen as tg
from benchmarks.modelica.references import Curve, reference_of
from benchmarks.modelica.tube import worst_distance
from tellegen.errors import TellegenError
from tellegen.ir.model import Model

RTOL = 1e-6
POINTS = 1001


@dataclass
class Outcome:
    """What became of one example: match, differ, run (there is no reference) or failed; and where it ended."""

    model: str
    outcome: str = "failed"
    stage: str = "read"
    error: str = ""
    signals: int = 0
    differing: dict[str, float] = field(default_factory=dict)  # signal: worst distance in half heights of the tube
    seconds: dict[str, float] = field(default_factory=dict)  # CPU time of each stage


def translate(name: str) -> Model:
    """The Model of a class of the library in TELLEGEN_MSL."""
    return tg.load_modelica(os.environ["TELLEGEN_MSL"])[name].model


def compare(name: str, outcome: Outcome) -> None:
    """Run an example and fill in its outcome; errors pass through."""
    clock = time.process_time()

    def done(stage: str, following: str) -> None:
        nonlocal clock
        now = time.process_time()
        outcome.seconds[stage] = round(now - clock, 3)
        clock = now
        outcome.stage = following

    reference = reference_of(name)
    outcome.stage = "translate"
    model = translate(name)
    done("translate", "compile")
    compiled = tg.compile(model)
    done("compile", "simulate")
    solution = _run(compiled, model, reference)
    done("simulate", "compare")
    outcome.signals = len(reference)
    for signal, curve in reference.items():
        distance = _distance(solution, signal, curve)
        if not distance <= 1.0:
            outcome.differing[signal] = distance
    outcome.outcome = "run" if not reference else "differ" if outcome.differing else "match"
    outcome.stage = ""


def _run(compiled: Any, model: Model, reference: dict[str, Curve]) -> Any:
    experiment = model.experiment
    start = experiment.start
    stop = experiment.stop if experiment.stop is not None else start + 1.0
    if reference:
        start = min(float(curve.t[0]) for curve in reference.values())
        stop = max(float(curve.t[-1]) for curve in reference.values())
    rtol = min(RTOL, experiment.tolerance or RTOL)
    if stop <= start:
        stop = start + 1e-6  # some examples only initialize
    return compiled.simulate(stop=stop, start=start, rtol=rtol, points=POINTS)


def _distance(solution: Any, signal: str, curve: Curve) -> float:
    t = np.asarray(solution.time)
    try:
        y = np.asarray(_read(solution, signal), float)
    except TellegenError as error:
        print(f"{signal}: {str(error).splitlines()[0]}", file=sys.stderr)
        return float("inf")
    first = int(np.count_nonzero(t == t[0])) - 1  # references have the values after the events of the initial instant
    return worst_distance(t[first:], np.broadcast_to(y, t.shape)[first:], curve)


def _read(solution: Any, signal: str) -> Any:
    """A signal by its Modelica name."""
    if signal.startswith("der("):
        return solution.der(signal[4:-1]) if hasattr(solution, "der") else solution[signal]
    return solution[signal]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    warnings.simplefilter("ignore" if asked.json else "default")
    outcome = Outcome(asked.model)
    try:
        compare(asked.model, outcome)
    except Exception as error:  # whatever it is, it is the outcome
        if not asked.json:
            raise
        where = (
            "" if isinstance(error, TellegenError) else f" [{traceback.format_exc().strip().splitlines()[-2].strip()}]"
        )
        outcome.error = f"{type(error).__name__}: {error}"[:1500] + where
    print(json.dumps(asdict(outcome)))


if __name__ == "__main__":
    main()
