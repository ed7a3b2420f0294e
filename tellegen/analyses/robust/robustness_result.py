"""What tolerances do, as a table: nominal values, spreads to first order and by samples, worst cases, yields."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.analyses.performance.expression import Constraint, Performance
from tellegen.analyses.robust.first_order_spread import joint_normal_yield, normal_yield, variance_parts
from tellegen.analyses.robust.sampling import Estimate, Samples
from tellegen.analyses.robust.toleranced_runs import Runs, values_of
from tellegen.analyses.robust.worst_case import WorstCase, worst_cases
from tellegen.errors import DesignError, nearest, users_call, warn_user
from tellegen.ir.source_location import here
from tellegen.sheet import Result, Table

ALL = "all limits"
_CURVED = 0.15  # first order may be off by as much at the corners, of half the span


class Robustness(Result):
    """`nominal`, `sigma` (first order), `variance` and `worst` are dicts by the text of a performance function.

    `samples` are the sampled runs, if there are any: their `mean`, `sigma` with its 95 % interval, and `study`.
    """

    def __init__(self, runs: Runs, worst: dict[str, WorstCase], samples: Samples | None) -> None:
        self._runs = runs
        self.worst = worst
        self.samples = samples
        self.of = runs.numbers.names
        self.tolerances = runs.tolerances
        self._nominal = values_of(runs.nominal)
        self._parts = variance_parts(runs.gradient, runs.tolerances.covariance)
        variances = np.maximum(self._parts.sum(axis=1), 0.0)
        self.nominal = dict(zip(self.of, self._nominal.tolist(), strict=True))
        self.variance = dict(zip(self.of, variances.tolist(), strict=True))
        self.sigma = dict(zip(self.of, np.sqrt(variances).tolist(), strict=True))

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._runs.made.plain.flat.name

    @property
    def success(self) -> bool:
        """Whether no run failed, at the corners of the tolerances or among the samples."""
        return not self.message

    @property
    def message(self) -> str:
        """Which runs failed."""
        corners = [f"a run at a corner failed: {text}" for case in self.worst.values() for text in case.failed[:1]]
        sampled = [] if self.samples is None or self.samples.study.success else [self.samples.study.message]
        return "; ".join([*corners[:1], *sampled])

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that were given to all runs, by path."""
        return dict(self._runs.request.parameters)

    def contributions(self, of: Any = None) -> Any:
        """A table of the tolerances, those first that make most of the variance (first order) of a number."""
        import pandas as pd

        row = self._row(of)
        tolerances = self.tolerances
        total = float(self._parts[row].sum())
        table = pd.DataFrame(
            {
                "nominal": tolerances.nominal,
                "tolerance": tolerances.half,
                "unit": tolerances.units,
                "gradient": self._runs.gradient[row],
                "variance": self._parts[row],
                "part": self._parts[row] / total if total > 0.0 else np.nan,
            },
            index=list(tolerances.names),
        )
        return table.sort_values("variance", ascending=False)

    def first_order_yield(self) -> dict[str, float]:
        """The part of all products inside each limit, and inside all, if the numbers are normally distributed."""
        runs = self._runs
        limits = self._runs.numbers.limits
        rows = [runs.numbers.row(limit) for limit in limits]
        deviations = list(self.sigma.values())
        found = {
            limit.text: normal_yield(limit, self._nominal[row], deviations[row])
            for limit, row in zip(limits, rows, strict=True)
        }
        if len(limits) > 1:
            values, vectors = np.linalg.eigh(runs.tolerances.covariance)
            root = runs.gradient @ (vectors * np.sqrt(np.maximum(values, 0.0)))
            found[ALL] = joint_normal_yield(limits, rows, self._nominal, root)
        return found

    def sampled_yield(self) -> dict[str, Estimate]:
        """The part of the sampled runs inside each limit, and inside all."""
        limits = self._runs.numbers.limits
        if self.samples is None:
            return {}
        found = {limit.text: self.samples.yield_of([limit]) for limit in limits}
        return found if len(limits) < 2 else {**found, ALL: self.samples.yield_of(limits)}

    def to_pandas(self) -> Any:
        """A row for each number."""
        import pandas as pd

        columns: dict[str, Any] = {"nominal": self.nominal, "sigma": self.sigma}
        if self.samples is not None:
            sigma = self.samples.sigma
            columns["sampled mean"] = self.samples.mean
            columns["sampled sigma"] = {name: each.value for name, each in sigma.items()}
            columns["sigma from"] = {name: each.low for name, each in sigma.items()}
            columns["sigma to"] = {name: each.high for name, each in sigma.items()}
        if self.worst:
            columns["lowest"] = {name: case.low.value for name, case in self.worst.items()}
            columns["highest"] = {name: case.high.value for name, case in self.worst.items()}
        return pd.DataFrame(columns).reindex(list(self.of))

    @users_call
    def plot(self, of: Constraint | Performance | str | None = None) -> Any:
        """A matplotlib figure: the part of each tolerance in the variance of a number, and its distribution."""
        from tellegen.analyses.robust.robustness_plot import plot

        return plot(self, self._row(of))

    def _row(self, of: Any) -> int:
        name = self.of[0] if of is None and len(self.of) == 1 else getattr(of, "performance", of)
        name = getattr(name, "text", name)
        if name not in self.of:
            what = "name one of them" if of is None else f"'{name}' was not requested; {nearest(str(name), self.of)}"
            raise DesignError("E652", what, location=here(), advice=f"one of {', '.join(map(repr, self.of))}")
        return self.of.index(name)

    def _title(self) -> str:
        samples = self.samples
        runs = len(self._runs.problem.history)
        count = f"{runs} runs" if samples is None else f"{runs} runs and {len(samples.study)} samples"
        return f"Robustness of {self.name}: {len(self.tolerances.names)} tolerances, {count}"

    def _page(self) -> list[Table | str]:
        samples = self.samples
        head = ["", "nominal", "sigma"]
        head += ["mean, sampled", "sigma, sampled (95 %)"] if samples is not None else []
        head += ["lowest", "highest"] if self.worst else []
        rows = []
        for name in self.of:
            row = [name, f"{self.nominal[name]:.6g}", f"{self.sigma[name]:.4g}"]
            row += [f"{samples.mean[name]:.6g}", str(samples.sigma[name])] if samples is not None else []
            row += [f"{w.low.value:.6g}" for w in [self.worst.get(name)] if w is not None]
            row += [f"{w.high.value:.6g}" for w in [self.worst.get(name)] if w is not None]
            rows.append((*row, *[""] * (len(head) - len(row))))
        return [Table(tuple(head), rows), "\n".join([*self._parts_text(), *self._yield_text()])]

    def _parts_text(self) -> list[str]:
        """The largest parts of each variance."""
        lines = []
        for name in self.of:
            table = self.contributions(name)["part"]
            shown = [f"{path} {part:.1%}" for path, part in table.head(4).items() if np.isfinite(part)]
            more = f", {len(table) - 4} more" if len(table) > 4 else ""
            lines.append(f"variance of {name}: {', '.join(shown) or 'none'}{more}")
        return lines

    def _yield_text(self) -> list[str]:
        sampled = self.sampled_yield()
        return [
            f"yield, {text}: {part:.2%} if normal"
            + (
                f"; sampled {sampled[text].value:.2%} ({sampled[text].low:.2%} ... {sampled[text].high:.2%})"
                if sampled
                else ""
            )
            for text, part in self.first_order_yield().items()
        ]


def analysed(runs: Runs, worst: str | None, samples: Samples | None) -> Robustness:
    """All of it, with warnings where runs show that first order or corners should not be believed."""
    found = Robustness(runs, {} if worst is None else worst_cases(runs, worst), samples)
    bounded = "normal" not in runs.tolerances.shapes
    for name, case in found.worst.items():
        if case.failed:
            warn_user(f"a run at a corner of the tolerances failed: {case.failed[0]}")
        elif samples is None and case.nonlinearity > _CURVED:
            warn_user(
                f"{name}: at the corners of the tolerances the first-order prediction is "
                f"off by {case.nonlinearity:.0%} of the span; "
                "samples=500 estimates the spread without it"
            )
        elif samples is not None and bounded and samples.beyond(name, case.low.value, case.high.value):
            warn_user(f"{name}: samples go beyond the worst case of the corners; worst='search'")
    return found
