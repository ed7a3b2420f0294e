"""Water hammer: a valve at the end of a long pipe closes, fast, slowly, and with an accumulator next to it.

Stopping a flow of the velocity v in less than the time 2 L/a that a wave needs to the reservoir and back raises the
pressure by rho a v (Joukowsky). A valve that closes more slowly, or an accumulator in front of it, lets the column of
water decelerate more gently.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import hydraulic as hy

LENGTH = 200.0
DIAMETER = 0.1
V0 = 1.0
AREA = np.pi / 4 * DIAMETER**2


class Penstock(tg.Component):
    """A reservoir, 200 m of steel pipe in eighty pieces, a flow that is stopped, an accumulator of almost no size."""

    oil = hy.Water()
    reservoir = hy.FixedPressure(p="25 bar")
    pipe = hy.Line(n=80, d=DIAMETER, L=LENGTH, C_wall=DIAMETER / (5e-3 * 210e9))
    closing = tg.parameter(0.1, "s", "time in which the valve closes")
    flow = blocks.Ramp(height=V0 * AREA, duration=closing, offset=-V0 * AREA, start_time=0.1)
    valve = hy.PrescribedFlow()
    store = hy.GasAccumulator(V_gas0=1e-9, p_precharge=15e5, n=1.2, V_dead=1e-6)

    def connections(self) -> Iterator[Any]:
        """In a row."""
        yield self.reservoir.port, self.pipe.port_a
        yield self.pipe.port_b, self.valve.port, self.store.port
        yield self.flow.y, self.valve.q


def main(folder: Path = Path("demo_output")) -> dict[str, tg.Solution]:
    """Three ways of stopping; the first against Joukowsky."""
    import matplotlib.pyplot as plt

    compiled = tg.compile(Penstock())
    cases = {
        "closed in 0.1 s": {},
        "closed in 1 s": {"closing": 1.0},
        "in 0.1 s, with 20 l of gas": {"store.V_gas0": 30e-3},
    }
    figure, axis = plt.subplots(figsize=(8, 4.5), layout="constrained")
    runs = {}
    for name, parameters in cases.items():
        run = runs[name] = compiled.simulate(3.0, parameters=parameters, initial="steady", points=2001, atol=1e-5)
        p = run["pipe.p"][:, -1]
        print(f"{name:28s} {(p.max() - p[0]) / 1e5:6.2f} bar above {p[0] / 1e5:.2f} bar")
        axis.plot(run.time, p / 1e5, label=name)
    s = runs["closed in 0.1 s"]
    a = 1.0 / np.sqrt(s["oil.rho0"] * (1.0 / s["oil.K"] + s["pipe.C_wall"]))
    rise = s["oil.rho0"] * a * V0
    print(f"Joukowsky: a = {a:.0f} m/s, {rise / 1e5:.2f} bar; period 4 L/a = {4 * LENGTH / a:.3f} s")
    axis.axhline((s["pipe.p"][0, -1] + rise) / 1e5, color="gray", linestyle=":", label="Joukowsky")
    axis.set_xlabel("time [s]")
    axis.set_ylabel("pressure at the valve [bar]")
    axis.legend()
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "water_hammer.png", dpi=110)
    print(f"plot:  {folder / 'water_hammer.png'}")
    return runs


if __name__ == "__main__":
    main()
