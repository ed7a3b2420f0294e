"""Snapshot: all variables and parameters at one instant, by path and in the declared units.

    now = solution.at(0.5)
    now["motor.i"], now["der(motor.i)"], now["motor.R"]

A mapping over the variables' names, so `simulate(..., initial=now)` starts where it was taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tellegen.engine.readout.quantity import columns, quantity
from tellegen.errors import LanguageError
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedModel

_SHOWN = 40


class Snapshot(Mapping[str, Any]):
    """The values of a model at time `t`."""

    title = "at t = {t:g} s"

    def __init__(
        self, model: ReducedModel, t: float, values: tuple[FloatArray, FloatArray], parameters: FloatArray
    ) -> None:
        self.model, self.t, self.parameters = model, t, parameters
        self.unknowns, self.rates = values  # in SI units, in the order of the solver

    def __getitem__(self, path: str) -> Any:
        what = quantity(self.model, path)
        indices = what.selection.indices
        if what.parameter:
            values = self.parameters[indices] if not what.order else np.zeros(indices.shape)
        else:
            where = columns(self.model, indices.ravel(), what.order, path)
            values = where.read(self.unknowns[None, :], self.rates[None, :], self.parameters)[0].reshape(indices.shape)
        values = what.unit.from_si(values) + 0.0  # no -0
        return float(values) if values.ndim == 0 else values

    def __contains__(self, path: object) -> bool:
        try:
            return bool(quantity(self.model, str(path)))
        except LanguageError:
            return False

    def __iter__(self) -> Iterator[str]:
        return self.model.flat.variables.names()

    def __len__(self) -> int:
        return self.model.flat.variables.count

    def unit(self, path: str) -> str:
        """The unit a path is given in."""
        return quantity(self.model, path).unit.text

    def to_pandas(self, *paths: str) -> Any:
        """A DataFrame with one row for each variable: value, unit, description."""
        import pandas as pd

        rows = [(path, self[path], self.unit(path), quantity(self.model, path).description) for path in paths or self]
        return pd.DataFrame(rows, columns=["name", "value", "unit", "description"]).set_index("name")

    def _rows(self) -> list[tuple[str, str, str]]:
        names = [name for _, name in zip(range(_SHOWN), self, strict=False)]
        rows = [(name, f"{self[name]:.6g}", self.unit(name)) for name in names]
        left = len(self) - len(rows)
        return [*rows, (f"... {left} more", "", "")] if left else rows

    def __repr__(self) -> str:
        rows = self._rows()
        widths = [max((len(row[k]) for row in rows), default=0) for k in (0, 1)]
        lines = [f"{name:<{widths[0]}}  {value:>{widths[1]}}  {unit}".rstrip() for name, value, unit in rows]
        return "\n".join([self._heading(), *lines])

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><td>{name}</td><td style='text-align:right'>{value}</td><td>{unit}</td></tr>"
            for name, value, unit in self._rows()
        )
        head = "<tr><th>name</th><th>value</th><th>unit</th></tr>"
        return f"<table><caption>{self._heading()}</caption>{head}{cells}</table>"

    def _heading(self) -> str:
        return f"{self.model.flat.name} {self.title.format(t=self.t)}"
