"""A metamodel of a slider-crank: the slider's acceleration for any mass and voltage, from a dozen simulations.

Example E7 of S. A. Vaze's dissertation predicts it from simulations at four corners, to first order and blended by
inverse distance. Kriging and a polynomial use the same simulations, with their gradients, better; then more simulations
are made where Kriging expects the largest error.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg

sys.path.insert(0, str(Path(__file__).resolve().parent))
from slider_crank import RectifiedDrive

A = "mechanism.slide.a"
BOX = {"mechanism.slider.m": ("5 ozf.s2/inch", "10 ozf.s2/inch"), "source.V": (5.0, 10.0)}
NEW = [(f"{m} ozf.s2/inch", v) for m, v in ((5.5, 9.5), (8.0, 8.0), (7.5, 7.5), (6.0, 8.5), (9.3, 5.6), (6.6, 6.1))]
METHODS = {
    "taylor": "Taylor (method 1)",
    "blend": "blend (method 2)",
    "chaos": "polynomial chaos",
    "kriging": "Kriging",
}


def errors(mm: Any, true: dict[Any, Any]) -> float:
    """Root mean square over all new designs, relative to the true trajectories."""
    off = [np.mean((mm(new)[A] - exact) ** 2) / np.mean(exact**2) for new, exact in true.items()]
    return float(np.sqrt(np.mean(off)))


def main(folder: Path = Path("demo_output")) -> Any:
    """Compare four methods at four, six, ... simulations; plot errors and one design."""
    warnings.filterwarnings("ignore", message=".*two constants")
    run = {"stop": 1.0, "points": 501, "solver": "rk45"}
    mm = tg.metamodel(RectifiedDrive(), A, variables=BOX, samples="corners", **run)
    true = {new: mm.simulate(new)[A] for new in NEW}
    found: dict[str, list[float]] = {method: [] for method in METHODS}
    numbers = []
    first = mm
    for _ in range(5):
        numbers.append(len(mm.designs))
        for method, kept in found.items():
            kept.append(errors(mm.by(method), true))
        print(f"{numbers[-1]:2d} simulations: " + ", ".join(f"{METHODS[m]} {e[-1]:.2%}" for m, e in found.items()))
        if len(numbers) < 5:
            mm = mm.refine(2)
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
    shown = NEW[1]
    left.plot(mm.time, true[shown], "k", lw=3, alpha=0.3, label="simulated")
    for method in ("blend", "kriging"):
        left.plot(mm.time, first.by(method)(shown)[A], lw=1, label=f"{METHODS[method]}, 4 simulations")
    left.set(xlabel="time [s]", ylabel="acceleration of the slider [m/s²]", title="8 ozf s²/in, 8 V")
    left.legend(fontsize=8)
    for method, kept in found.items():
        right.semilogy(numbers, kept, "o-", label=METHODS[method])
    right.set(xlabel="simulations", ylabel="relative error of new designs", xticks=numbers)
    right.grid(alpha=0.3)
    right.legend(fontsize=8)
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "metamodel.png", dpi=110)
    print(f"plot: {folder / 'metamodel.png'}")
    return mm


if __name__ == "__main__":
    main()
