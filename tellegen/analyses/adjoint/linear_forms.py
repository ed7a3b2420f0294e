"""Linear forms: what stands in the place of slopes when it is not yet known how the run changes.

    2 * v(0.3) - i(0.5)       is  {atom of v at 0.3: 2, atom of i at 0.5: -1}

A performance function computes a number from a few values of a run ("atoms"). Evaluated on Duals whose slopes are
forms, it says by which weights its value follows each of them: its derivative, written once for all parameters. The
arithmetic is that of the rows of derivatives in performance/: rows of forms, each followed by a time derivative.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

_NOTHING = np.zeros(0)
_NO_PLACES = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Forms:
    """Rows of linear forms: weight[k] of atom[k] in row[k]; `rate` is the last column, None where it was cut off."""

    row: Any
    atom: Any
    weight: Any
    rate: Any = None

    __array_ufunc__ = None  # arithmetic with NumPy's arrays is ours

    def __array_function__(self, function: Any, types: Any, arguments: Any, keywords: Any) -> Any:
        """What performance functions do with slopes besides arithmetic."""
        if function is np.zeros_like:
            return zero()
        if function is np.where:
            condition, first, second = arguments
            return np.asarray(condition, float) * _forms(first) + np.asarray(~condition, float) * _forms(second)
        return NotImplemented

    def __add__(self, other: Any) -> Forms:
        other = _forms(other)
        row, atom, weight = (np.concatenate(pair) for pair in zip(_parts(self), _parts(other), strict=True))
        rates = [part.rate for part in (self, other) if part.rate is not None]
        return Forms(row, atom, weight, sum(rates[1:], rates[0]) if rates else None)

    def __neg__(self) -> Forms:
        return -1.0 * self

    def __sub__(self, other: Any) -> Forms:
        return self + -1.0 * _forms(other)

    def __radd__(self, other: Any) -> Forms:
        return self + other

    def __rsub__(self, other: Any) -> Forms:
        return -1.0 * self + other

    def __mul__(self, factor: Any) -> Forms:
        """By a number, or row by row by a column."""
        factor = np.asarray(factor, float).reshape(-1)
        if len(factor) == 1:
            return Forms(self.row, self.atom, self.weight * factor[0], _times(self.rate, factor[0]))
        return Forms(self.row, self.atom, self.weight * factor[self.row], _times(self.rate, factor))

    def __rmul__(self, factor: Any) -> Forms:
        return self * factor

    def __truediv__(self, factor: Any) -> Forms:
        return self * (1.0 / np.asarray(factor, float))

    def __rmatmul__(self, weights: Any) -> Forms:
        """The weighted sum of the rows."""
        return Forms(np.zeros_like(self.row), self.atom, self.weight * np.asarray(weights)[self.row])

    def __getitem__(self, key: Any) -> Any:
        """slope[0, :-1], slope[:, :-1], slope[0, -1], slope[1], slope[:-1], slope[-1] as of arrays."""
        if not isinstance(key, tuple):
            is_row = isinstance(key, int) and self.rate is not None and np.ndim(self.rate) == 1
            key = (key, slice(None)) if is_row else (slice(None), key)
        row, column = key
        chosen = self
        if isinstance(row, int | np.integer):
            mine = self.row == row
            rate = None if self.rate is None else self.rate[row]
            chosen = Forms(np.zeros(int(mine.sum()), np.int64), self.atom[mine], self.weight[mine], rate)
        if column == -1:
            return chosen.rate
        return chosen if column == slice(None) else Forms(chosen.row, chosen.atom, chosen.weight)

    def any(self) -> bool:
        """Whether some weight is not zero."""
        return bool(np.any(self.weight))

    def total(self) -> dict[int, float]:
        """The weight of each atom, of one form."""
        out: dict[int, float] = {}
        for atom, weight in zip(self.atom.tolist(), self.weight.tolist(), strict=True):
            out[atom] = out.get(atom, 0.0) + weight
        return out


def zero() -> Forms:
    """Nothing."""
    return Forms(_NO_PLACES, _NO_PLACES, _NOTHING)


def _forms(other: Any) -> Forms:
    """Zeros of any shape are not forms; nothing else is added to forms."""
    if isinstance(other, Forms):
        return other
    assert not np.any(other), "only zeros and forms are derivatives"
    return zero()


def _parts(forms: Forms) -> tuple[Any, Any, Any]:
    return forms.row, forms.atom, forms.weight


def _times(rate: Any, factor: Any) -> Any:
    return None if rate is None else rate * factor
