"""What tg.compare returns: a row for each model, a proposal, a picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.engine.results.solution import Solution
from tellegen.errors import BindingError, nearest
from tellegen.figure import panels
from tellegen.ir.source_location import here
from tellegen.sheet import Result, Table

_TINY = 1e-300


@dataclass(frozen=True, eq=False)
class Compared:
    """One model of a comparison."""

    name: str
    bindings: dict[str, str]
    solution: Solution | None
    message: str  # why there is no solution
    seconds: float
    declared_cost: float

    @property
    def work(self) -> float:
        """Steps times unknowns: what the run cost, the same on every machine."""
        if self.solution is None:
            return np.inf
        return float(self.solution.stats.get("steps", len(self.solution))) * self.solution.unknowns.shape[1]

    @property
    def left_region(self) -> float | None:
        """The first time at which an operating region was left; none if the run stayed in all of them."""
        warned = self.solution.warnings if self.solution is not None else ()
        return min((entry.time for entry in warned), default=None)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Several models on one task: `differences`, `values`, `costs` by model, and the model `proposed`."""

    models: tuple[Compared, ...]
    names: tuple[str, ...]  # of what is compared
    outputs: tuple[Any, ...]
    given_reference: str | None
    tolerance: float

    def __post_init__(self) -> None:
        if self.given_reference is not None and self.given_reference not in self._by_name:
            what = f"reference='{self.given_reference}' is none of the models; "
            what += nearest(self.given_reference, self._by_name)
            raise BindingError("E809", what, location=here(), advice="take the name of a model")

    @property
    def success(self) -> bool:
        """Whether all models ran."""
        return all(model.solution is not None for model in self.models)

    @property
    def message(self) -> str:
        """Which models failed, and why."""
        return "; ".join(f"{model.name}: {model.message}" for model in self.models if model.solution is None)

    @cached_property
    def _by_name(self) -> dict[str, Compared]:
        return {model.name: model for model in self.models}

    @cached_property
    def costs(self) -> dict[str, float]:
        """The cost of each model: declared by tags where all are, otherwise steps times unknowns."""
        declared = all(not np.isnan(model.declared_cost) for model in self.models)
        return {model.name: model.declared_cost if declared else model.work for model in self.models}

    @cached_property
    def reference(self) -> str:
        """The name of the model that the others are compared with."""
        if self.given_reference is not None:
            return self.given_reference
        ran = [model.name for model in self.models if model.solution is not None]
        work = {model.name: model.work for model in self.models}
        return max(ran, key=lambda name: (self.costs[name], work[name])) if ran else self.models[-1].name

    @cached_property
    def values(self) -> dict[str, dict[str, float]]:
        """The numbers of each model; of a curve its largest value."""
        return {model.name: self._values(model) for model in self.models}

    def _values(self, model: Compared) -> dict[str, float]:
        if model.solution is None:
            return dict.fromkeys(self.names, np.nan)
        pairs = zip(self.names, self.outputs, strict=True)
        return {
            name: float(np.abs(model.solution[one]).max()) if isinstance(one, str) else one(model.solution)
            for name, one in pairs
        }

    @cached_property
    def differences(self) -> dict[str, dict[str, float]]:
        """Relative differences from the reference; of a curve the largest one, relative to its range."""
        return {model.name: self._differences(model) for model in self.models}

    def _differences(self, model: Compared) -> dict[str, float]:
        best = self._by_name[self.reference]
        if model.solution is None or best.solution is None:
            return dict.fromkeys(self.names, np.nan)
        found = {}
        for name, one in zip(self.names, self.outputs, strict=True):
            size = abs(self.values[best.name][name])
            gap = abs(self.values[model.name][name] - self.values[best.name][name])
            if isinstance(one, str):
                gap = _largest_gap(model.solution, best.solution, one)
                size = float(np.ptp(best.solution[one])) or size  # of 300 K, a rise by 15 K is what matters
            found[name] = 0.0 if gap == 0.0 else gap / max(size, _TINY)
        return found

    @cached_property
    def proposed(self) -> str | None:
        """The cheapest model within the tolerance that stays in its operating regions; none if there is none."""
        good = [
            model.name
            for model in self.models
            if model.left_region is None and all(gap <= self.tolerance for gap in self.differences[model.name].values())
        ]
        return min(good, key=lambda name: self.costs[name]) if good else None

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each model."""
        import pandas as pd

        rows = [
            {
                "model": model.name,
                **self.values[model.name],
                **{f"difference of {name}": gap for name, gap in self.differences[model.name].items()},
                "cost": self.costs[model.name],
                "seconds": model.seconds,
                "region left at": model.left_region,
            }
            for model in self.models
        ]
        return pd.DataFrame(rows).set_index("model")

    def plot(self) -> Any:
        """The largest difference of each model over its cost; the tolerance as a line, the proposal filled."""
        with panels(1, 1, (6.5, 4.0)) as (figure, axes):
            ax = axes[0][0]
            for model in self.models:
                if model.solution is None:
                    continue
                worst = max(self.differences[model.name].values())
                chosen = model.name == self.proposed
                inside = "#3366aa" if chosen else "white"
                ax.plot([self.costs[model.name]], [100.0 * worst], "o", ms=8, color="#3366aa", mfc=inside)
                where = (self.costs[model.name], 100.0 * worst)
                ax.annotate(model.name, where, textcoords="offset points", xytext=(7, 5), fontsize="small")
            ax.axhline(100.0 * self.tolerance, color="#dd5533", lw=1.0, ls="--")
            ax.set_yscale("symlog", linthresh=max(100.0 * self.tolerance, 1e-9))
            ax.set_xlabel("cost")
            ax.set_ylabel(f"largest difference from {self.reference} [%]")
        return figure

    def _title(self) -> str:
        what = f"proposed: {self.proposed}" if self.proposed is not None else "no model is within the tolerance"
        return f"Comparison of {len(self.models)} models with {self.reference}: {what}"

    def _page(self) -> list[Table | str]:
        headings = ["model"]
        for name in self.names:
            headings += [name, "difference"]
        rows = [self._row(model) for model in self.models]
        end = f"within {100 * self.tolerance:g} %, the cheapest is {self.proposed}" if self.proposed else ""
        return [Table((*headings, "cost", "region left"), rows), end, self.message]

    def _row(self, model: Compared) -> tuple[str, ...]:
        cells = [model.name]
        for name in self.names:
            cells.append(f"{self.values[model.name][name]:.6g}")
            is_reference = model.name == self.reference
            cells.append("" if is_reference else f"{100.0 * self.differences[model.name][name]:.3g} %")
        left = model.left_region
        return (*cells, f"{self.costs[model.name]:.6g}", "" if left is None else f"t = {left:.4g} s")


def _largest_gap(given: Solution, right: Solution, path: str) -> float:
    """The largest distance of two curves, at the output points of the second one."""
    curve = np.asarray(given[path])
    if curve.ndim != 1:
        what = f"'{path}' is not one curve"
        raise BindingError("E809", what, location=here(), advice=f"compare an element of it: '{path}[0]'")
    return float(np.abs(np.interp(right.time, given.time, curve) - right[path]).max())
