"""The ScalableTestSuite: seconds from text to Model, to code and to the end of the run, for growing sizes.

TELLEGEN_SCALABLE=FOLDER [TELLEGEN_MSL=...] python -m benchmarks.modelica.scalable [--only Electrical] [--seconds 60]

FOLDER holds ScalableTestSuite, from its public repository. The models of a family differ in N alone; a family ends
with the first size that takes more than --seconds. Short models are timed twice, so that modules and code are loaded.
`growth` is the exponent by which the time from text to code grows with the number of unknowns, fitted to the last four
sizes: 1 is linear. The table is Markdown (docs/modelica-speed.md).
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import tellegen as tg
from tellegen.frontends.modelica.store.store import Store

_SHORT = 10.0
"""Seconds up to which a model is timed a second time."""
_FITTED = 4
_SIZED = re.compile(r"(?P<family>.+?)_N_(?P<n>\d+)(?P<rest>.*)")


@dataclass
class Timing:
    """One model of a family, CPU seconds."""

    n: int
    unknowns: int
    translation: float
    compilation: float
    simulation: float

    @property
    def total(self) -> float:
        """From text to the end of the run."""
        return self.translation + self.compilation + self.simulation


def families(library: tg.ModelicaLibrary) -> dict[str, list[tuple[int, str]]]:
    """The models whose names end with a size, by family; of several sizes in a name the first one counts."""
    found: dict[str, list[tuple[int, str]]] = {}
    for name in library.examples("ScalableTestSuite"):
        match = _SIZED.fullmatch(name)
        if match is not None:
            rest = re.sub(r"\d+", "*", match["rest"])
            found.setdefault(f"{match['family']}{rest}", []).append((int(match["n"]), name))
    return {family: sorted(models) for family, models in found.items()}


def timed(library: tg.ModelicaLibrary, name: str, n: int) -> Timing:
    """Translate, compile and run one model; what is short twice, so that modules and code are loaded already."""
    first = _once(library, name, n)
    if first.total > _SHORT:
        return first
    again = _once(library, name, n)
    return Timing(
        n,
        first.unknowns,
        min(first.translation, again.translation),
        min(first.compilation, again.compilation),
        min(first.simulation, again.simulation),
    )


def _once(library: tg.ModelicaLibrary, name: str, n: int) -> Timing:
    begin = time.process_time()
    model = library[name].model
    translated = time.process_time()
    compiled = tg.compile(model)
    done = time.process_time()
    compiled.simulate()
    unknowns = compiled.flat.variables.count
    return Timing(n, unknowns, translated - begin, done - translated, time.process_time() - done)


def growth(timings: list[Timing]) -> str:
    """The exponent of the time from text to code over the last sizes."""
    sizes = {timing.unknowns: timing.translation + timing.compilation for timing in timings[-_FITTED:]}
    if len(sizes) < 2 or min(sizes) < 1:
        return ""
    return f"{np.polyfit(np.log([*sizes]), np.log([*sizes.values()]), 1)[0]:.2f}"


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="families whose name contains this")
    parser.add_argument("--seconds", type=float, default=60.0, help="a family ends with a model that takes more")
    given = parser.parse_args()
    folder = os.environ.get("TELLEGEN_SCALABLE")
    if not folder:
        sys.exit("TELLEGEN_SCALABLE does not name the folder of the ScalableTestSuite")
    warnings.simplefilter("ignore")
    paths = [Path(folder) / "ScalableTestSuite", *filter(None, [os.environ.get("TELLEGEN_MSL")])]
    store = Store()
    for path in paths:
        store.add(path)
    library = tg.ModelicaLibrary(store)  # of a store of its own: nothing is taken from earlier translations
    rows = ["| family | N | unknowns | text to Model | to code | run | growth |", "|---|--:|--:|--:|--:|--:|--:|"]
    for family, models in families(library).items():
        if given.only not in family:
            continue
        timings: list[Timing] = []
        for n, name in models:
            try:
                timings.append(timed(library, name, n))
            except tg.TellegenError as error:
                print(f"{name}: {str(error).splitlines()[0]}", file=sys.stderr)
                break
            if timings[-1].total > given.seconds:
                break
        if timings:
            last = timings[-1]
            seconds = [f"{value:.2f}" for value in (last.translation, last.compilation, last.simulation)]
            short = family.removeprefix("ScalableTestSuite.").replace("ScaledExperiments.", "")
            rows.append(f"| {short} | {last.n} | {last.unknowns} | {' | '.join(seconds)} | {growth(timings)} |")
            steps = ", ".join(f"{timing.n}: {timing.total:.2f} s" for timing in timings)
            print(f"{short}  {steps}", file=sys.stderr)
    print("\n".join(rows))


if __name__ == "__main__":
    main()
