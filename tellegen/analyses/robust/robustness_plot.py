"""Pictures of tolerances: bars of what each has in a variance, and the distribution of a number with its limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import norm

from tellegen.figure import entitle, panels

if TYPE_CHECKING:
    from tellegen.analyses.robust.robustness_result import Robustness

_BARS = 15


def plot(found: Robustness, row: int) -> Any:
    """Two panels side by side."""
    name = found.of[row]
    table = found.contributions(name).head(_BARS)
    size = (10.0, max(3.2, 1.4 + 0.35 * len(table)))
    with panels(1, 2, size, width_ratios=[1.0, 1.3]) as (figure, axes):
        _bars(table, axes[0, 0])
        _distribution(found, name, axes[0, 1])
        entitle(figure, name)
    return figure


def _bars(table: Any, axis: Any) -> None:
    positions = np.arange(len(table))
    axis.barh(positions, 100.0 * table["part"], color=["#3366aa" if g >= 0 else "#dd5533" for g in table["gradient"]])
    axis.set_yticks(positions, list(table.index))
    axis.invert_yaxis()
    axis.set_axisbelow(True)
    axis.set_xlabel("share of the variance [%]")
    axis.set_title("blue: grows with it, red: falls", fontsize="small", color="#333333")


def _distribution(found: Robustness, name: str, axis: Any) -> None:
    nominal = found.nominal[name]
    sigma = found.sigma[name]
    if found.samples is not None:
        values = found.samples.study[name].values
        good = values[np.isfinite(values)]
        bins = min(60, max(8, int(np.sqrt(len(good)))))
        axis.hist(good, bins=bins, density=True, color="#3366aa", alpha=0.45, label=f"{len(good)} samples")
    if sigma > 0.0:
        x = np.linspace(nominal - 4.0 * sigma, nominal + 4.0 * sigma, 200)
        axis.plot(x, norm.pdf(x, nominal, sigma), color="#3366aa", label="first order")
    axis.axvline(nominal, color="#777777", linewidth=1.0, label="nominal")
    if name in found.worst:
        case = found.worst[name]
        for end, label in ((case.low, "worst case"), (case.high, None)):
            axis.axvline(end.value, color="#aa3377", linestyle=":", label=label)
    limits = [each for each in found._runs.numbers.limits if each.performance.text == name]
    ends = [value for each in limits for value in (each.low, each.high) if np.isfinite(value)]
    for k, value in enumerate(ends):
        axis.axvline(value, color="#dd5533", linestyle="--", label=None if k else "limit")
    axis.set_yticks([])
    axis.set_xlabel(name)
    axis.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize="small")
