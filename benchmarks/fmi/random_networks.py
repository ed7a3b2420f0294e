"""Random models as FMUs, in random networks with loops, against the same networks of the models themselves.

    python -m benchmarks.fmi.random_networks [--seeds 20] [--first 0]

Each part has one to three states, a saturating coupling, two inputs, an output of its states and one that also depends
on an input directly (so networks have algebraic loops), a state event that throws a state back, a sampled output, and
conditions on an input alone.
Parts are exported as FMI 2.0 or 3.0, read back, and connected at random, some of them in arrays.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg

STOP = 4.0
LIMIT = 1e-5  # of the largest value: what two runs with rtol = 1e-9 may differ by
POINTS = 81


def random_part(random: np.random.Generator) -> Any:
    """A component class."""
    states = int(random.integers(1, 4))
    matrix = random.normal(size=(states, states)) - 2.0 * np.eye(states)
    into = random.normal(size=(states, 2))
    away = random.normal(size=states)
    direct = float(random.uniform(-0.4, 0.4))
    level = float(random.uniform(0.05, 0.4))
    period = float(random.choice([0.25, 0.4, 0.7]))
    has_event = random.random() < 0.7
    has_sample = random.random() < 0.6
    has_threshold = random.random() < 0.6

    class Part(tg.Component):
        """See the top of this file."""

        a = tg.input()
        b = tg.input()
        y = tg.output()
        z = tg.output()
        gain = tg.parameter(1.0)
        x = tg.variable(shape=states, start=[0.1 * (k + 1) for k in range(states)], fixed=True)
        w = tg.output()
        slow = tg.variable(start=0.0, fixed=True)
        held = tg.variable(discrete=True, start=0.0)
        hits = tg.variable(discrete=True, start=0.0)
        crossed = tg.variable(discrete=True, start=0.0)

        def equations(self) -> Iterator[Any]:
            above = (self.a > level) if has_threshold else (tg.time > 1e6)
            yield tg.when(above, self.crossed == tg.time)
            for k in range(states):
                inner = sum(float(matrix[k, j]) * self.x[j] for j in range(states))
                outer = float(into[k, 0]) * tg.tanh(self.a) + float(into[k, 1]) * self.b
                yield tg.der(self.x[k]) == self.gain * tg.tanh(inner) + 0.5 * outer + 0.3 * tg.sin(3.0 * tg.time + k)
            is_above = tg.where(self.a > level, 1.0, 0.0) if has_threshold else 0.0
            yield tg.der(self.slow) == 0.5 * self.crossed + is_above - self.slow
            yield self.w == self.slow
            yield self.y == sum(float(away[k]) * self.x[k] for k in range(states)) + 0.1 * self.held
            yield self.z == self.x[0] + direct * self.b
            if has_event:
                hit = [tg.reinit(self.x[0], -0.5 * tg.pre(self.x[0])), self.hits == tg.pre(self.hits) + 1]
                yield tg.when(self.x[0] > level, *hit)
            else:
                yield tg.when(tg.time > 1e6, self.hits == 0.0)
            if has_sample:
                yield tg.when(tg.sample(0.1, period), self.held == tg.tanh(self.x[0]))
            else:
                yield tg.when(tg.time > 1e6, self.held == 0.0)

    return Part


def network(classes: list[Any], wires: list[tuple[int, str, float]], gains: list[float]) -> Any:
    """Parts whose inputs are factors times outputs."""
    body: dict[str, Any] = {f"part{k}": each(gain=gains[k]) for k, each in enumerate(classes)}

    def equations(self: Any) -> Iterator[Any]:
        for k in range(len(classes)):
            for slot, name in enumerate(("a", "b")):
                source, output, factor = wires[2 * k + slot]
                value = factor * getattr(getattr(self, f"part{source}"), output)
                yield getattr(getattr(self, f"part{k}"), name) == value

    return type("Network", (tg.Component,), {**body, "equations": equations, "__doc__": "Parts."})()


def deviation(seed: int, folder: Path) -> float:
    """The largest difference of an output, in parts of the largest output."""
    random = np.random.default_rng(seed)
    kinds = [random_part(random) for _ in range(int(random.integers(1, 4)))]
    imported = []
    for k, kind in enumerate(kinds):
        version: Any = random.choice(["2.0", "3.0"])
        path = folder / f"part{seed}_{k}.fmu"
        tg.export_fmu(kind(), path, version=version, stop=0.1, kind=("me",))
        imported.append(tg.read_fmu(path))
    count = int(random.integers(2, 6))
    chosen = random.integers(0, len(kinds), count)
    wires = [
        (int(random.integers(0, count)), str(random.choice(["y", "z"])), float(random.uniform(-0.8, 0.8)))
        for _ in range(2 * count)
    ]
    gains = [float(random.uniform(0.5, 1.5)) for _ in range(count)]
    solver: Any = random.choice(["auto", "rk45", "cvode", "ida"])
    runs = []
    for some in (kinds, imported):
        model = network([some[k] for k in chosen], wires, gains)
        runs.append(tg.simulate(model, stop=STOP, rtol=1e-9, points=POINTS, solver=solver))
    worst = 0.0
    grid = np.linspace(0.0, STOP, POINTS)[1:] - 1e-3  # jumps at samples have two values
    for k in range(count):
        for name in ("y", "z", "w"):
            own, other = (np.interp(grid, run.time, run[f"part{k}.{name}"]) for run in runs)
            worst = max(worst, float(np.abs(own - other).max() / max(np.abs(own).max(), 0.1)))
    return worst


def main() -> None:
    """A line for each seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    found: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(given.first, given.first + given.seeds):
            try:
                found.append(deviation(seed, Path(folder)))
                print(f"{seed:5d} {found[-1]:.1e}{'   WRONG' if found[-1] > LIMIT else ''}", flush=True)
            except tg.TellegenError as error:
                print(f"{seed:5d} {error.code}: {str(error).splitlines()[0][:100]}", flush=True)
    print(f"{len(found)} of {given.seeds} ran, {sum(value > LIMIT for value in found)} differ, worst {max(found):.1e}")


if __name__ == "__main__":
    main()
