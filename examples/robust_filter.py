"""A filter that is good although its parts are not: the least sensitive of many filters with the same response.

A low-pass of second order with one amplifier (Sallen and Key) has one response for many choices of parts: the more the
amplifier amplifies, the less the two capacitors differ. With equal capacitors, the handy choice, the overshoot of the
step response depends a lot on the tolerances; with unity gain it does not, which textbooks derive by
formulas. Here it is found from the circuit alone: minimize the standard deviation of the overshoot while the response
stays what it is. Then the cheapest tolerances are chosen for the better one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import electrical as el


class SallenKey(tg.Component):
    """Two resistors, two capacitors, an amplifier with the gain 1 + rb/ra."""

    source = el.StepVoltage(V=1.0)
    r1 = el.Resistor(R="10 kohm")
    r2 = el.Resistor(R="10 kohm")
    c1 = el.Capacitor(C="10 nF", v=tg.variable(start=0.0, fixed=True))
    c2 = el.Capacitor(C="10 nF", v=tg.variable(start=0.0, fixed=True))
    amplifier = el.IdealOpAmp3Pin()
    ra = el.Resistor(R="10 kohm")
    rb = el.Resistor(R="7.8 kohm")
    ground = el.Ground()

    def connections(self) -> Iterator[Any]:
        """The first capacitor goes to the output."""
        yield self.source.p, self.r1.p
        yield self.r1.n, self.r2.p, self.c1.p
        yield self.r2.n, self.c2.p, self.amplifier.in_p
        yield self.amplifier.out, self.c1.n, self.rb.p
        yield self.rb.n, self.ra.p, self.amplifier.in_n
        yield self.source.n, self.c2.n, self.ra.n, self.ground.p


OVERSHOOT = 100.0 * tg.overshoot("amplifier.out.v")
RISE = 1e3 * tg.rise_time("amplifier.out.v")
TOLERANCES = {"r1.R": "1 %", "r2.R": "1 %", "ra.R": "1 %", "rb.R": "1 %", "c1.C": "5 %", "c2.C": "5 %"}


def draw(handy: tg.Study, better: tg.Study, folder: Path) -> None:
    """Overshoot distributions of both."""
    figure, axis = plt.subplots(figsize=(8.0, 4.0), layout="constrained")
    bins = np.linspace(4.0, 15.0, 56)
    for study, label in ((handy, "equal capacitors, gain 1.78"), (better, "least sensitive, gain 1")):
        values = study[OVERSHOOT.text].values
        axis.hist(values, bins=bins.tolist(), alpha=0.6, label=f"{label}: sigma {values.std():.2f} %")
    axis.set_xlabel("overshoot [%]")
    axis.set_ylabel("filters")
    axis.legend()
    figure.savefig(folder / "robust_filter.png", dpi=110)


def main(folder: Path = Path("demo_output")) -> Any:
    """Both filters with the same tolerances, then what tolerances the better one needs."""
    folder.mkdir(parents=True, exist_ok=True)
    model = tg.compile(SallenKey())
    request: dict[str, Any] = {"stop": "2 ms", "points": 400}
    limits = [OVERSHOOT <= 12.0, OVERSHOOT >= 6.0]

    first = tg.robustness(model, of=limits, tolerances=TOLERANCES, samples=400, **request)
    print(first, "\n")

    best = tg.robust_optimize(
        model,
        minimize=tg.sigma(OVERSHOOT),
        variables={"rb.R": (100.0, 1e4), "c1.C": (5e-9, 5e-8), "c2.C": (1e-9, 2e-8)},
        tolerances=TOLERANCES,
        subject_to=[OVERSHOOT == first.nominal[OVERSHOOT.text], RISE == RISE(model.simulate(**request))],
        **request,
    )
    print(best, "\n")
    chosen = best.parameters
    second = tg.robustness(model, of=limits, tolerances=TOLERANCES, samples=400, parameters=chosen, **request)
    print(second, "\n")

    resistor = {"1 %": 0.010, "2 %": 0.006, "5 %": 0.004}
    capacitor = {"1 %": 0.60, "2.5 %": 0.25, "5 %": 0.12, "10 %": 0.08}
    prices = {name: capacitor if name.endswith(".C") else resistor for name in TOLERANCES}
    bought = tg.allocate_tolerances(model, keep=limits, prices=prices, parameters=chosen, **request)
    print(bought, "\n")
    print(bought.robustness(samples=200))

    first.plot(OVERSHOOT).savefig(folder / "robust_filter_parts.png", dpi=150)
    bought.plot().savefig(folder / "robust_filter_prices.png", dpi=150)
    assert first.samples is not None
    assert second.samples is not None
    draw(first.samples.study, second.samples.study, folder)
    print(f"plots: {folder / 'robust_filter.png'} and two more")
    return second


if __name__ == "__main__":
    main()
