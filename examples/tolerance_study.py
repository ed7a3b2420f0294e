"""What tolerances do to a filter: a thousand of them, and which part is to blame.

A low-pass of a coil, a capacitor and the resistance of its source is built from parts with tolerances: 5 % for the
resistor, 20 % for the coil, 10 % (normally distributed, 3 sigma) for the capacitor. How far does its step response
overshoot, and how fast is it? Monte Carlo shows the spread, Sobol's indices where it comes from. The overshoot of this
filter is known in closed form, exp(-pi*D/sqrt(1 - D^2)) with the damping D = R/2*sqrt(C/L): every run is held
against it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import norm

import tellegen as tg
from tellegen.library import electrical as el

STEP = 5.0


class Filter(tg.Component):
    """A step of voltage into R, L and C in series."""

    source = el.StepVoltage(V=STEP)
    r = el.Resistor(R="20 ohm")
    l = el.Inductor(L="1 mH", i=tg.variable(start=0.0, fixed=True))  # noqa: E741
    c = el.Capacitor(C="1 uF", v=tg.variable(start=0.0, fixed=True))
    ground = el.Ground()

    def connections(self) -> Iterator[Any]:
        """A loop."""
        yield self.source.p, self.r.p
        yield self.r.n, self.l.p
        yield self.l.n, self.c.p
        yield self.c.n, self.source.n, self.ground.p


def overshoot(s: tg.Solution) -> float:
    """How far the output goes beyond its end (percent)."""
    return 100.0 * (s["c.v"].max() / STEP - 1.0)


def rise_time(s: tg.Solution) -> float:
    """From 10 % to 90 % of the step (microseconds)."""
    low, high = (
        np.interp(part * STEP, s["c.v"][: s["c.v"].argmax()], s.time[: s["c.v"].argmax()]) for part in (0.1, 0.9)
    )
    return 1e6 * (high - low)


def main(folder: Path = Path("demo_output")) -> tg.Study:
    """A thousand filters, and then those that the indices need."""
    parts = {"r.R": "±5 %", "l.L": "±20 %", "c.C": norm(1e-6, 0.1e-6 / 3.0)}
    compiled = tg.compile(Filter())
    request: dict[str, Any] = {"stop": "600 us", "points": 1001}

    study = tg.study(compiled, tg.monte_carlo(parts, 1000), outputs=["c.v", overshoot, rise_time], **request)
    print(study)
    print(study.statistics()[["mean", "std", "5%", "95%"]].round(2))
    R, L, C = (study[path].values for path in parts)
    damping = 0.5 * R * np.sqrt(C / L)
    exact = 100.0 * np.exp(-np.pi * damping / np.sqrt(1.0 - damping**2))
    print(f"largest deviation from the closed formula: {np.abs(study['overshoot'].values - exact).max():.1g} %")

    blame = tg.study(compiled, tg.saltelli(parts, 256), outputs=[overshoot, rise_time], **request)
    indices = {name: blame.sobol_indices(name) for name in ("overshoot", "rise_time")}
    for found in indices.values():
        print(found)

    folder.mkdir(parents=True, exist_ok=True)
    study.plot().savefig(folder / "tolerance_study.png", dpi=110)
    for name, found in indices.items():
        found.plot().savefig(folder / f"tolerance_study_{name}.png", dpi=110)
    print(f"plots: {folder / 'tolerance_study.png'} and the indices")
    return study


if __name__ == "__main__":
    main()
