"""Tolerances that were chosen: what they are, what they cost, what holds them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tellegen.analyses.robust.robustness_result import Robustness, analysed
from tellegen.analyses.robust.sampling import sampled
from tellegen.analyses.robust.tolerance_prices import Price
from tellegen.analyses.robust.toleranced_runs import Runs
from tellegen.errors import users_call
from tellegen.figure import panels
from tellegen.ir.model import FloatArray
from tellegen.sheet import Result, Table

_FULL = 1.0 - 1e-4


@dataclass(frozen=True, eq=False)
class Requirement:
    """sum of (weight_i t_i)^power <= room^power: a variance (power 2) or a worst case (power 1)."""

    text: str
    weights: FloatArray
    power: float
    room: float

    def parts(self, halves: FloatArray) -> FloatArray:
        """What each tolerance uses of the room."""
        return (self.weights * halves / self.room) ** self.power

    def used(self, halves: FloatArray) -> float:
        """All of it; 1 is full."""
        return float(self.parts(halves).sum())

    def slope(self, halves: FloatArray) -> FloatArray:
        """Of log used, by log t."""
        return self.power * self.parts(halves) / self.used(halves)


class Allocation(Result):
    """`tolerances` by path, in declared units, as tg.robustness takes them; `cost` in all and `costs` of each."""

    def __init__(self, runs: Runs, prices: list[Price], needs: list[Requirement], halves: FloatArray) -> None:
        self._runs = runs
        self._prices = prices
        self._needs = needs
        self._halves = halves
        names = runs.tolerances.names
        self.tolerances = dict(zip(names, halves.tolist(), strict=True))
        each = [float(price.of(half)) for price, half in zip(prices, halves, strict=True)]
        self.costs = dict(zip(names, each, strict=True))
        self.cost = float(sum(each))
        self.used = {need.text: need.used(halves) for need in needs}
        self.active = tuple(text for text, used in self.used.items() if used >= _FULL)

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._runs.made.plain.flat.name

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that were given to all runs, by path."""
        return dict(self._runs.request.parameters)

    @users_call
    def robustness(
        self, samples: int = 0, worst: str | None = "corner", sampling: str = "monte_carlo", seed: int = 0
    ) -> Robustness:
        """What these tolerances really do: tg.robustness with them."""
        runs = Runs(
            self._runs.made,
            self._runs.numbers,
            replace(self._runs.tolerances, half=self._halves),
            self._runs.request,
            self._runs.executor,
        )
        return analysed(runs, worst, sampled(runs, samples, sampling, seed) if samples else None)

    def to_pandas(self) -> Any:
        """A row for each tolerance."""
        import pandas as pd

        tolerances = self._runs.tolerances
        table = {"nominal": tolerances.nominal, "tolerance": self._halves, "unit": tolerances.units}
        table["cost"] = list(self.costs.values())
        table |= {f"part of {need.text}": need.parts(self._halves) for need in self._needs}
        return pd.DataFrame(table, index=list(tolerances.names))

    def plot(self) -> Any:
        """A matplotlib figure, side by side: what each tolerance costs, and what it uses of the room left by limits."""
        names = self._runs.tolerances.names
        positions = np.arange(len(self._halves))
        size = (9.5, max(2.8, 1.2 + 0.4 * len(names)))
        with panels(1, 2, size, sharey=True) as (figure, axes):
            left, right = axes[0]
            left.barh(positions, list(self.costs.values()))
            left.set_yticks(positions, [f"{name}\n{text}" for name, text in zip(names, self._texts(), strict=True)])
            left.invert_yaxis()
            left.set_xlabel(f"cost ({self.cost:.4g} in all)")
            for k, need in enumerate(self._needs):
                height = 0.8 / len(self._needs)
                right.barh(positions + k * height, 100.0 * need.parts(self._halves), height=height, label=need.text)
            right.set_xlabel("used share of the margin [%]")
            right.legend()
        return figure

    def _texts(self) -> list[str]:
        """Tolerances as they were written: in percent or in the unit."""
        rows = zip(self._prices, self._halves, self._runs.tolerances.nominal, self._runs.tolerances.units, strict=True)
        return [
            f"{100.0 * half / abs(nominal):.4g} %" if price.in_percent else f"{half:.4g} {unit}"
            for price, half, nominal, unit in rows
        ]

    def _title(self) -> str:
        return f"Allocation for {self.name}: cost {self.cost:.6g}, {len(self.tolerances)} tolerances"

    def _page(self) -> list[Table | str]:
        own = self._runs.tolerances
        rows = [
            (name, f"{nominal:.6g}", unit, text, f"{self.costs[name]:.4g}")
            for name, nominal, unit, text in zip(own.names, own.nominal, own.units, self._texts(), strict=True)
        ]
        held = [f"{text}: {used:.1%} of the margin used" for text, used in self.used.items()]
        return [Table(("parameter", "nominal", "unit", "tolerance", "cost"), rows), "\n".join(held)]
