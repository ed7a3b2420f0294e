"""Flat equations evaluated with numbers: the residual of every row for given values of variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.ir.flat import FlatModel
from tellegen.symbolic.evaluate import evaluate


class Numbers:
    """A flat model with a random value for every variable and derivative, unless given."""

    def __init__(
        self,
        model: Any,
        given: Mapping[str, float] | None = None,
        ders: Mapping[str, float] | None = None,
        seed: int = 0,
    ) -> None:
        self.flat: FlatModel = tg.flatten(model)
        random = np.random.default_rng(seed)
        count = self.flat.variables.count
        self.index = {name: k for k, name in enumerate(self.flat.variables.names())}
        self.values = random.uniform(0.2, 0.9, count)
        self.ders = random.uniform(-1.0, 1.0, count)
        for name, value in (given or {}).items():
            self.values[self.index[name]] = value
        for name, value in (ders or {}).items():
            self.ders[self.index[name]] = value

    def __getitem__(self, name: str) -> float:
        return float(self.values[self.index[name]])

    def array(self, name: str, shape: tuple[int, ...]) -> Any:
        """The values of an array variable."""
        keys = [",".join(map(str, index)) for index in np.ndindex(*shape)]
        return np.array([self[f"{name}[{key}]"] for key in keys]).reshape(shape)

    def residuals(self, time: float = 0.3) -> Any:
        """lhs - rhs of all rows of all equations, in order."""
        parameters = self.flat.parameter_values
        out: list[float] = []
        for group in self.flat.equations:
            for row in group.bindings:
                slots = [
                    parameters[k] if slot.parameter else self.values[k]
                    for slot, k in zip(group.template.slots, row, strict=True)
                ]
                ders = [
                    0.0 if slot.parameter else self.ders[k] for slot, k in zip(group.template.slots, row, strict=True)
                ]
                residual = group.template.residual  # type: ignore[attr-defined]
                out.append(float(evaluate(residual, slots, time=time, ders=ders)))
        return np.array(out)
