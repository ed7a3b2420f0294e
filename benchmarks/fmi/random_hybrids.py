"""Random models with events, samples, delays, loops and tables: exported, read back, and run against themselves.

    python -m benchmarks.fmi.random_hybrids [--seeds 20] [--first 0]

Each is exported as FMI 2.0 or 3.0 and read back for Model Exchange (rk45 and CVODE) and for Co-Simulation. Deviations
are those of the worst state at the output times, in parts of its largest value; at instants where a state jumps either
side is right: the three largest are left out.
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.importers.fmu.read_fmu import Kind

STOP = 3.0
POINTS = 61
LEFT_OUT = 3
LIMIT = 2e-5  # runs with rtol = 1e-8; Co-Simulation of models with delays interpolates as a run does


def random_model(random: np.random.Generator) -> Any:
    """A component class."""
    count = int(random.integers(1, 5))
    matrix = random.normal(size=(count, count)) - 2.0 * np.eye(count)
    bias = random.normal(size=count)
    has_loop, has_event, has_sample, has_delay, has_table = (random.random(5) < 0.5).tolist()
    level = float(random.uniform(0.1, 0.6))
    period = float(random.choice([0.2, 0.35, 0.5]))
    lag = float(random.uniform(0.15, 0.5))
    jump = float(random.uniform(0.6, 1.4))
    table = sorted(random.uniform(0.2, 2.8, 3).tolist())

    class Hybrid(tg.Component):
        """See the top of this file."""

        gain = tg.parameter(1.0)
        x = tg.variable(start=0.3, fixed=True, shape=count)
        held = tg.variable(discrete=True, start=0.0)
        hits = tg.variable(discrete=True, start=0.0)
        z = tg.variable(start=0.1)

        def equations(self) -> Iterator[Any]:
            """States, a loop, events."""
            drive = tg.sin(3.0 * tg.time)
            if has_table:
                drive = drive + tg.interpolate(tg.time, [0.0, *table, 3.5], [0.0, 1.0, -0.5, 0.4, 0.4])
            if has_delay:
                drive = drive + 0.5 * tg.delay(self.x[0], lag)
            if has_loop:
                yield self.z == 0.4 * tg.tanh(self.z + self.x[count - 1]) + 0.2 * drive
            else:
                yield self.z == 0.3 * self.x[count - 1]
            for k in range(count):
                others = sum(float(matrix[k, j]) * tg.tanh(self.x[j]) for j in range(count))
                yield tg.der(self.x[k]) == self.gain * (
                    others - self.x[k] + float(bias[k]) * drive + 0.5 * self.z + 0.3 * self.held
                )
            ticks = tg.sample(0.1, period if has_sample else 10.0 * STOP)
            yield tg.when(ticks, self.held == tg.pre(self.held) * 0.5 + self.x[0])
            hit = self.x[0] > (level if has_event else 1e3)
            yield tg.when(hit, tg.reinit(self.x[0], level - 0.5 * jump), self.hits == tg.pre(self.hits) + 1.0)

    return Hybrid


def deviation(own: Any, imported: Any, names: list[tuple[str, str]]) -> float:
    """Of the states of two runs, by their names in each."""
    times = np.linspace(0.0, STOP, POINTS)
    worst = 0.0
    for here, there in names:
        mine, theirs = (
            np.asarray(run[name])[np.searchsorted(run.time, times, side="right") - 1]
            for run, name in ((own, here), (imported, there))
        )
        off = np.sort(np.abs(mine - theirs))[:-LEFT_OUT]
        worst = max(worst, float(off[-1]) / max(float(np.abs(mine).max()), 1e-3))
    return worst


def line_of(seed: int, folder: str) -> tuple[str, bool]:
    """What is known of one model, and whether it is right."""
    random = np.random.default_rng(seed)
    model = random_model(random)
    version = "3.0" if random.random() < 0.5 else "2.0"
    path = Path(folder, f"m{seed}.fmu")
    tg.export_fmu(model(), path, version=version, stop=STOP, rtol=1e-8, arrays=bool(random.random() < 0.5))
    points = np.linspace(0.0, STOP, POINTS)
    own = tg.simulate(model(), stop=STOP, rtol=1e-9, points=points)
    columns = []
    listed = tg.read_fmu(path, kind="me").fmu.quantities.states
    runs: tuple[tuple[Kind, str], ...] = (("me", "rk45"), ("me", "cvode"), ("cs", "auto"))
    for kind, solver in runs:
        made = tg.read_fmu(path, kind=kind, variables=[each.variable.name for each in listed] if kind == "cs" else ())
        keywords = {"communication_step": STOP / (POINTS - 1)} if kind == "cs" else {}
        run = tg.simulate(made(**keywords), stop=STOP, rtol=1e-9, points=points, solver=solver)
        columns.append(deviation(own, run, [pair for each in listed for pair in _names(each)]))
    ok = max(columns) < LIMIT
    text = " ".join(f"{each:8.1e}" for each in columns)
    return f"{seed:5d} FMI {version} {text} {'' if ok else '  <-- differs'}", ok


def _names(state: Any) -> list[tuple[str, str]]:
    """What the elements of a state are called here and in the imported component."""
    if not state.shape:
        return [(state.variable.name, state.member)]
    return [(f"{state.variable.name}[{k}]", f"{state.member}[{k}]") for k in range(state.count)]


def main() -> None:
    """The table."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    asked = parser.parse_args()
    print("seed                 ME rk45  cvode      CS")
    right = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(asked.first, asked.first + asked.seeds):
            text, ok = line_of(seed, folder)
            right += ok
            print(text, flush=True)
    print(f"{right} of {asked.seeds} agree")


if __name__ == "__main__":
    main()
