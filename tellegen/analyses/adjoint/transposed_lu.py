"""Sparse systems with transposed matrices: factored in native code, pivots remembered with the model."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.engine.linear_algebra.pivoted_lu import SparseLU
from tellegen.engine.linear_algebra.pivots import choose_pivots
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.ir.model import FloatArray
from tellegen.ir.program import Pattern


class Factored:
    """A matrix with a fixed pattern, factored again and again."""

    def __init__(self, model: NativeModel, pattern: Pattern, name: str) -> None:
        self.model = model
        self.pattern = pattern
        self.name = ("adjoint", name)
        self._lu: SparseLU | None = None

    def factor(self, values: FloatArray) -> None:
        """Pivots are chosen when it is met first."""
        if self._lu is None:
            known = self.model.caches.pivots.get(self.name)
            if known is None:
                known = self.model.caches.pivots[self.name] = choose_pivots(self.pattern, values)
            self._lu = SparseLU(self.pattern, known)
        self._lu.factor(np.ascontiguousarray(values))

    def solve(self, wanted: FloatArray) -> FloatArray:
        """Column by column."""
        assert self._lu is not None
        lu = self._lu
        return np.stack([lu.solve(np.ascontiguousarray(wanted[:, m])) for m in range(wanted.shape[1])], axis=1)


class Transposed:
    """Solves A' q = c for matrices A given on a pattern."""

    def __init__(self, model: NativeModel, pattern: Pattern, name: str) -> None:
        shape = (pattern.shape[1], pattern.shape[0])
        turned, self._order = Pattern.of(pattern.column_of_entry, pattern.indices, shape)
        self._factored = Factored(model, turned, name)

    def factor(self, values: FloatArray) -> Any:
        """With these values of A."""
        self._factored.factor(values[self._order])
        return self

    def solve(self, wanted: FloatArray) -> FloatArray:
        """q, column by column."""
        return self._factored.solve(wanted)
