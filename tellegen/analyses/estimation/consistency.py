"""Is an estimate as good as it says? Squared errors in units of their covariance are chi-square distributed if it is.

NIS are the normalized innovations squared, with as many degrees of freedom as values were measured; NEES the
normalized estimation errors squared, where the truth is known (Bar-Shalom, Li and Kirubarajan, 2001, section 5.4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.ir.model import FloatArray
from tellegen.sheet import Result, Table
from tellegen.start.on_use import scipy

_PROBABILITY = 0.95


@dataclass(frozen=True, eq=False, repr=False)
class Consistency(Result):
    """Normalized squared errors and their degrees of freedom; their mean per degree is 1 if the estimate is consistent.

    The band has the probability 95 % for independent values: for all NIS of a run, for the NEES of several runs.
    """

    name: str
    values: FloatArray
    degrees: FloatArray

    @property
    def mean(self) -> float:
        """Per degree of freedom."""
        return float(self.values.sum() / max(self.degrees.sum(), 1.0))

    @property
    def band(self) -> tuple[float, float]:
        """Where the mean lies with a probability of 95 %."""
        total = max(float(self.degrees.sum()), 1.0)
        tails = (0.5 * (1.0 - _PROBABILITY), 0.5 * (1.0 + _PROBABILITY))
        low, high = (float(scipy.stats.chi2.ppf(tail, total)) / total for tail in tails)
        return low, high

    @property
    def success(self) -> bool:
        """Whether the mean is inside the band."""
        return self.band[0] <= self.mean <= self.band[1]

    @property
    def message(self) -> str:
        """What the mean says."""
        if self.success:
            return ""
        if self.mean > self.band[1]:
            return "errors are larger than the estimate says: too little noise, or a model that is wrong"
        return "errors are smaller than the estimate says: too much noise was assumed"

    def joined(self, other: Consistency) -> Consistency:
        """Both together: for the NEES of several runs."""
        values = np.concatenate([self.values, other.values])
        return Consistency(self.name, values, np.concatenate([self.degrees, other.degrees]))

    def to_pandas(self) -> Any:
        """A DataFrame of all errors with their degrees of freedom."""
        import pandas as pd

        return pd.DataFrame({"squared error": self.values, "degrees of freedom": self.degrees})

    def _title(self) -> str:
        low, high = self.band
        return f"{self.name}: {self.mean:.3f} per degree of freedom, 95 % between {low:.3f} and {high:.3f}"

    def _page(self) -> list[Table | str]:
        return [self.message]
