"""Are errors of estimates as large as the filters say? NEES over many runs with known truth, and the time of a step.

    python benchmarks/estimation.py [RUNS]

Van der Pol's oscillator, of which the position is measured, and the state of charge of a battery from its voltage and
current. The truth starts at a random deviation from the start of the model, states have noise, and the mean of the
normalized squared errors at the end has to be inside the band that chi-square gives it in 95 of 100 such studies.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from time import process_time
from typing import Any

import numpy as np

import tellegen as tg


class VanDerPol(tg.Component):
    """An oscillator whose damping changes its sign."""

    mu = tg.parameter(1.0)
    x = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """Two states."""
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == self.mu * (1 - self.x**2) * self.v - self.x


class Battery(tg.Component):
    """A cell: open-circuit voltage over the state of charge, a resistance, and a lag for what diffuses."""

    i = tg.input("A", "current drawn")
    v = tg.variable("V", "voltage")
    soc = tg.variable(start=0.7, fixed=True, description="state of charge")
    v1 = tg.variable("V", "voltage of the lag", start=0.0, fixed=True)
    Q = tg.parameter(2.0 * 3600.0, "C", "capacity")
    R0 = tg.parameter(0.05, "ohm", "resistance")
    R1 = tg.parameter(0.03, "ohm", "resistance of the lag")
    T1 = tg.parameter(30.0, "s", "time constant of the lag")

    def equations(self) -> Iterator[Any]:
        """The curve is that of a lithium cell, steep at its ends."""
        s = self.soc
        open_circuit = 3.3 + 0.6 * s + 0.25 * tg.tanh(10 * (s - 0.9)) - 0.3 * tg.exp(-20 * s)
        yield tg.der(self.soc) == -self.i / self.Q
        yield tg.der(self.v1) == (self.R1 * self.i - self.v1) / self.T1
        yield self.v == open_circuit - self.R0 * self.i - self.v1


def study(model: Any, asked: dict[str, Any], times: Any, current: Any, runs: int, method: str) -> None:
    """One table row: the NEES of the last time over all runs."""
    compiled = tg.compile(model)
    rng = np.random.default_rng(23)
    states = list(asked["states"])
    begin = {path: float(compiled.simulate(stop=1e-3, points=[1e-3])[path][0]) for path in states}
    noise = asked["noise"]
    output = next(iter(noise.measured))
    whole: tg.Consistency | None = None
    began = process_time()
    for _ in range(runs):
        truth = _noisy_truth(compiled, begin, asked, times, current, rng)
        data = {"time": times, output: truth[output] + noise.measured[output] * rng.normal(size=len(times))}
        columns = tg.Columns({} if current is None else {"i": "current"}, {output: output})
        if current is not None:
            data["current"] = current
        found = tg.estimate(compiled, data, **asked, columns=columns, method=tg.Estimator(method, rtol=1e-6))
        errors = found.nees({path: truth[path] for path in states})
        last = tg.Consistency("NEES", errors.values[-1:], errors.degrees[-1:])
        whole = last if whole is None else whole.joined(last)
    assert whole is not None
    used = (process_time() - began) / runs / len(times)
    low, high = whole.band
    verdict = "inside" if whole.success else "OUTSIDE"
    print(f"{type(model).__name__:12s} {method:4s} NEES {whole.mean:.3f} in {low:.3f} ... {high:.3f} {verdict:8s}"
          f" {1e3 * used:.2f} ms a step (CPU, with the truth)")  # fmt: skip


def _noisy_truth(
    compiled: Any, begin: dict[str, float], asked: dict[str, Any], times: Any, current: Any, rng: Any
) -> dict[str, Any]:
    """A run whose states get noise in many small steps, from a start that deviates."""
    now = {path: value + asked["states"][path] * rng.normal() for path, value in begin.items()}
    curves: dict[str, list[float]] = {path: [] for path in (*begin, next(iter(asked["noise"].measured)))}
    parts = 4
    for k, time in enumerate(times):
        given = {} if current is None else {"i": float(current[k])}
        following = times[k + 1] if k + 1 < len(times) else time + times[1] - times[0]
        step = (following - time) / parts
        run = None
        for part in range(parts):
            for path, walk in asked["noise"].walk.items():
                now[path] += np.sqrt(0.5 * step) * walk * rng.normal() if part else 0.0
            run = compiled.simulate(step, points=[step], initial=now, parameters=given)
            if part == 0:
                for path, curve in curves.items():
                    curve.append(float(run[path][0]))
            now = {path: float(run[path][-1]) for path in begin}
            for path, walk in asked["noise"].walk.items():
                now[path] += np.sqrt(0.5 * step if part + 1 < parts else step) * walk * rng.normal()
    return {path: np.array(curve) for path, curve in curves.items()}


def main() -> None:
    """Both models by both filters."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    oscillator = {"states": {"x": 0.3, "v": 0.3}, "noise": tg.NoiseLevels({"x": 0.1}, {"v": 0.05})}
    battery = {"states": {"soc": 0.1, "v1": 0.005}, "noise": tg.NoiseLevels({"v": 0.01}, {"soc": 1e-4, "v1": 1e-4})}
    times = np.arange(20) * 0.25
    minutes = np.arange(20) * 30.0
    current = np.where(np.arange(20) % 6 < 3, 2.0, -0.5)
    for method in ("ekf", "ukf"):
        study(VanDerPol(), oscillator, times, None, runs, method)
        study(Battery(), battery, minutes, current, runs, method)


if __name__ == "__main__":
    main()
