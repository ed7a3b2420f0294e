"""Random models with events in lanes against single runs: switches, counters, samples, levels, modes, jumps, loops.

    python benchmarks/random_ensembles.py --seeds 0 20 --runs 40

Those of odd seeds have a nonlinear loop.
Every model is run with random numbers both ways, at the usual tolerance, and one by one at a tight one. A run is
counted as wrong where lanes are far from the accurate run and single runs are not: where small differences grow, or a
relation only touches zero, both are. Runs whose outcomes differ are counted too.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Iterator
from typing import Any

os.environ["TELLEGEN_PROGRESS"] = "0"

import numpy as np

import tellegen as tg

_FAR = 1e-4  # of the largest value, and
_MORE = 30.0  # times as far as the single run
_TIGHT = 1e-9


def random_model(seed: int) -> tg.Component:
    """A stable system with some of the things that happen at instants."""
    rng = np.random.default_rng(seed)
    states = int(rng.integers(2, 5))
    level, rate, period, when = (float(rng.uniform(0.3, 0.9)) for _ in range(4))
    damping = rng.uniform(0.3, 2.0, states)
    coupling = rng.uniform(-0.8, 0.8, (states, states))
    has = {name: bool(rng.random() < 0.5) for name in _FEATURES}
    has["curves"] = seed % 2 == 1

    class Random(tg.Component):
        """Made from a seed."""

        a = tg.parameter(level)
        b = tg.parameter(rate)
        c = tg.parameter(0.3 * period)
        d = tg.parameter(when)
        x = tg.variable(shape=(states,), start=rng.uniform(-1.0, 1.0, states).tolist(), fixed=True)
        held = tg.variable(discrete=True, start=0.2 * a)
        twice = tg.variable(discrete=True)
        count = tg.integer("times")
        low = tg.boolean("below")
        p = tg.variable()
        q = tg.variable()
        r = tg.variable()
        s = tg.variable()

        def equations(self) -> Iterator[Any]:
            x = self.x
            drive = tg.sin(3.0 * self.b * tg.time) + 0.5 * self.held + 0.3 * self.twice
            if has["levels"]:
                drive = drive + 0.2 * tg.floor(4.0 * x[0]) + 0.3 * ((2.0 * tg.time * self.b) % 1.0)
            if has["curves"]:
                drive = drive + 0.4 * self.r * self.s + 0.2 * self.r
                bend = tg.where(self.low, 1.5, 0.5)
                yield self.r + self.a * self.r**3 + 0.5 * self.s == x[0] + 0.2 * tg.maximum(self.s, 0.1)
                yield self.s + bend * tg.tanh(self.s - self.r) == self.b * x[1] + 0.1 * self.held
            else:
                yield self.r == 0.0
                yield self.s == 0.0
            if has["signs"]:
                drive = drive + 0.3 * tg.sign(tg.cos(5.0 * self.a * tg.time))
            if has["switches"]:
                drive = drive + tg.where((x[1] > 0.4 * self.a) | (tg.time > self.d), 0.4, -0.2)
            for i in range(states):
                around = sum((float(coupling[i, j]) * tg.tanh(x[j]) for j in range(states) if j != i), self.q)
                if not (has["modes"] and i == states - 1):
                    yield tg.der(x[i]) == -float(damping[i]) * x[i] + around + (drive if i == 0 else 0.0)
            if has["modes"]:
                last = x[states - 1]
                yield tg.modes(
                    tg.mode("up", tg.der(last) == 1.0 + x[0] - 0.2 * last),
                    tg.mode("down", tg.der(last) == -0.7 - 0.5 * last),
                    tg.transition("up", "down", last > self.a),
                    tg.transition("down", "up", last < -0.5 * self.b),
                )
            yield 2.0 * self.p + self.b * self.q == 0.3 * x[0]
            yield self.p - self.q == tg.maximum(0.1 * x[1], -0.05)
            yield self.low == (x[1] < 0.2 * self.b)
            if has["samples"]:
                measured = 0.4 * x[0] + 0.3 * tg.pre(self.held)
                yield tg.when(tg.sample(0.1 * self.d, self.c), self.twice == 0.5 * self.held, self.held == measured)
            else:
                yield tg.when(tg.time > self.d + self.c, self.twice == 0.5 * self.held, self.held == x[0])
            jump = (tg.reinit(x[1], 0.5 * tg.pre(x[1]) - 0.1),) if has["jumps"] else ()
            first = tg.when(x[0] > 0.5 * self.a, self.count == tg.pre(self.count) + 1, *jump)
            yield first.elsewhen(self.low, self.count == tg.pre(self.count) + 10)

    return Random()


_FEATURES = ("levels", "signs", "switches", "modes", "samples", "jumps")
_RANGES = {"a": (0.2, 1.0), "b": (0.2, 1.0), "c": (0.05, 0.3), "d": (0.2, 1.5)}


def compared(seed: int, runs: int, solver: str) -> tuple[str, int, int, float]:
    """Where a model ran, how many runs are wrong or end otherwise, and the worst difference of the others."""
    compiled = tg.compile(random_model(seed))
    outputs = ["final(x[0])", "final(x[1])", "final(held)"]
    design = tg.monte_carlo(_RANGES, runs, seed=seed)
    given: dict[str, Any] = {"outputs": outputs, "stop": 4.0, "points": 41, "solver": solver}
    lanes = tg.study(compiled, design, device="auto", workers=1, **given)
    single = tg.study(compiled, design, executor="serial", **given)
    exact = tg.study(compiled, design, executor="serial", rtol=_TIGHT, **given)
    good = ((single["outcome"] == "success") & (exact["outcome"] == "success")).values
    wrong = np.zeros(runs, bool)
    worst = 0.0
    for output in outputs:
        size = float(np.nanmax(np.abs(single[output])))
        own = np.abs(lanes[output] - exact[output]).values / size
        other = np.abs(single[output] - exact[output]).values / size
        wrong |= good & ~(own <= np.maximum(_FAR, _MORE * other))
        calm = good & (other < 1e-5) & ~wrong
        worst = max(worst, float(own[calm].max(initial=0.0)))
    ends = int((lanes["outcome"] != single["outcome"]).sum())
    return lanes.device, int(wrong.sum()), ends, worst


def main() -> None:
    """Models of some seeds, by both methods."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 10))
    parser.add_argument("--runs", type=int, default=40)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    for seed in range(*asked.seeds):
        for solver in ("rk45", "rodas"):
            try:
                where, wrong, ends, worst = compared(seed, asked.runs, solver)
                said = f"{where:32s} wrong {wrong}, ends differ {ends}, worst {worst:.1e}"
            except tg.TellegenError as error:
                said = f"{type(error).__name__}: {error.message}"
            print(f"{seed:4d} {solver:6s} {said}", flush=True)


if __name__ == "__main__":
    main()
