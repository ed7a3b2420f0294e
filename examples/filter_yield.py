"""How many filters of a batch are good: a million Monte Carlo runs of a low-pass with parts that have tolerances.

A Sallen-Key filter is built from resistors of 1 % and capacitors of 5 %, all normally distributed. A filter is good if
its step response overshoots by 7.5 to 11 % and has settled after two milliseconds. The runs are made side by side, in
vector lanes of the processor, or on a GPU where there is one and the runs are many:

    python examples/filter_yield.py              20 000 filters
    python examples/filter_yield.py 1000000      a million: seconds on one core
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import norm

import tellegen as tg
from tellegen.library import electrical as el

RESISTANCE = 10e3
CAPACITANCE = 10e-9


class Filter(tg.Component):
    """Two resistors, two capacitors, an amplifier with the gain 1.78."""

    source = el.StepVoltage(V=1.0)
    r1 = el.Resistor(R=RESISTANCE)
    r2 = el.Resistor(R=RESISTANCE)
    c1 = el.Capacitor(C=CAPACITANCE, v=tg.variable(start=0.0, fixed=True))
    c2 = el.Capacitor(C=CAPACITANCE, v=tg.variable(start=0.0, fixed=True))
    amplifier = el.IdealOpAmp3Pin()
    ra = el.Resistor(R=RESISTANCE)
    rb = el.Resistor(R=0.78 * RESISTANCE)
    ground = el.Ground()

    def connections(self) -> Iterator[Any]:
        """The first capacitor feeds the output back."""
        yield self.source.p, self.r1.p
        yield self.r1.n, self.r2.p, self.c1.p
        yield self.r2.n, self.c2.p, self.amplifier.in_p
        yield self.amplifier.out, self.c1.n, self.rb.p
        yield self.rb.n, self.ra.p, self.amplifier.in_n
        yield self.source.n, self.c2.n, self.ra.n, self.ground.p


def overshoot(r1: Any, r2: Any, c1: Any, c2: Any) -> Any:
    """In closed form, of the transfer function of second order."""
    own = 1.0 / np.sqrt(r1 * r2 * c1 * c2)
    damping = 0.5 * own * (c2 * (r1 + r2) + (1.0 - 1.78) * r1 * c1)
    return np.exp(-np.pi * damping / np.sqrt(1.0 - damping**2))


def main(folder: Path = Path("demo_output"), runs: int = 20_000) -> tg.Study:
    """The runs, the yield, a histogram; the overshoot of every filter is compared with the formula."""
    parts = {
        "r1.R": norm(RESISTANCE, 0.01 / 3.0 * RESISTANCE),
        "r2.R": norm(RESISTANCE, 0.01 / 3.0 * RESISTANCE),
        "c1.C": norm(CAPACITANCE, 0.05 / 3.0 * CAPACITANCE),
        "c2.C": norm(CAPACITANCE, 0.05 / 3.0 * CAPACITANCE),
    }
    began = perf_counter()
    outputs = {"peak": "max(c2.v)", "end": "final(c2.v)"}
    study = tg.study(Filter(), tg.monte_carlo(parts, runs), outputs=outputs, stop=2e-3, points=1000, device="auto")
    seconds = perf_counter() - began
    over = study["peak"].values - 1.0
    good = (0.075 < over) & (over < 0.11) & (np.abs(study["end"].values - 1.0) < 1e-3)
    exact = overshoot(*(study[path].values for path in parts))
    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = plt.subplots()
    axes.hist(100.0 * over, bins=80)
    axes.axvspan(7.5, 11.0, alpha=0.2)
    axes.set_xlabel("overshoot in %")
    axes.set_title(f"{100.0 * good.mean():.1f} % of {runs} filters are good")
    figure.savefig(folder / "filter_yield.png")
    print(f"{runs} filters in {seconds:.1f} s ({study.device})")
    print(f"yield {100.0 * good.mean():.2f} %, overshoot {100 * over.mean():.2f} +- {100 * over.std():.2f} %")
    print(f"largest difference from the closed-form overshoot: {np.abs(over - exact).max():.1e}")
    print(f"plot:  {folder / 'filter_yield.png'}")
    return study


if __name__ == "__main__":
    main(runs=int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
