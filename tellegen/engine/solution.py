"""Solution: the curves of a run, under every name the user wrote, in the units the user declared."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

import numpy as np

from tellegen.engine.names import Selection, find
from tellegen.engine.outcome import Outcome
from tellegen.engine.plot import plot
from tellegen.errors import LanguageError
from tellegen.ir.model import FloatArray
from tellegen.ir.sorted import SortedModel


@dataclass(frozen=True, eq=False)
class Solution:
    """Values over time. `solution["motor.i"]` is an array over `solution.time`; a parameter is a number."""

    model: SortedModel = field(repr=False)
    time: FloatArray
    unknowns: FloatArray = field(repr=False)  # one row per time
    parameters: FloatArray = field(repr=False)
    outcome: Outcome
    stats: dict[str, Any]

    def __getitem__(self, path: str) -> Any:
        if path == "time":
            return self.time
        selection = find(self.model.flat, path)
        if selection.parameter:
            values = selection.member.unit.from_si(self.parameters[selection.indices])
            return float(values) if values.ndim == 0 else values
        return self._curves(selection)

    def __contains__(self, path: str) -> bool:
        try:
            find(self.model.flat, path)
        except LanguageError:
            return False
        return True

    def __repr__(self) -> str:
        return f"<Solution of {self.model.flat.name}: {len(self.time)} points, {self.outcome}>"

    def names(self) -> list[str]:
        """All variables, one name per scalar."""
        return list(self.model.flat.variables.names())

    def unit(self, path: str) -> str:
        """The unit a path is given in."""
        return "s" if path == "time" else find(self.model.flat, path).member.unit.text

    def _curves(self, selection: Selection) -> FloatArray:
        values = self.si(selection.indices.ravel())
        return selection.member.unit.from_si(values.reshape(len(self.time), *selection.indices.shape))

    def si(self, variables: Any) -> FloatArray:
        """Recovered values of variables, one column each, in SI units."""
        model = self.model
        leader, sign = model.representative[variables], model.sign[variables]
        place, known = model.position[leader], model.known_position[leader]
        solved = sign * self.unknowns[:, np.maximum(place, 0)] if self.unknowns.shape[1] else np.zeros((1, len(sign)))
        given = sign * self.parameters[np.maximum(known, 0)] if len(self.parameters) else np.zeros(len(sign))
        return np.where(sign == 0, 0.0, np.where(place >= 0, solved, given)) + np.zeros((len(self.time), 1))

    def until(self, points: int, outcome: Outcome) -> Solution:
        """The first points of it, with another outcome."""
        return replace(self, time=self.time[:points], unknowns=self.unknowns[:points], outcome=outcome)

    def to_pandas(self, *paths: str) -> Any:
        """A DataFrame over time; all variables unless paths are given."""
        import pandas as pd

        return pd.DataFrame(self._scalars(paths), index=pd.Index(self.time, name="time"))

    def to_xarray(self, *paths: str) -> Any:
        """A Dataset over time with units and descriptions as attributes; arrays keep their shape."""
        import xarray as xr

        dataset = xr.Dataset(coords={"time": ("time", self.time, {"units": "s"})})
        for path in paths or self.names():
            selection = find(self.model.flat, path)
            values = self[path]
            if selection.parameter:
                values = np.broadcast_to(values, (len(self.time), *np.shape(values)))
            axes = ("time", *(f"{path}_{k}" for k in range(selection.indices.ndim)))
            note = {"units": selection.member.unit.text, "description": selection.member.description}
            dataset[path] = (axes, values, note)
        return dataset

    def to_csv(self, path: str | PathLike[str], *paths: str) -> None:
        """Write a table: time, then one column per scalar, units in the heading."""
        table = self.to_pandas(*paths)
        units = [self.unit(name) for name in table.columns]
        table.columns = [f"{name} [{unit}]" if unit else name for name, unit in zip(table.columns, units, strict=True)]
        table.index.name = "time [s]"
        table.to_csv(path)

    def _scalars(self, paths: tuple[str, ...]) -> dict[str, FloatArray]:
        """Columns by scalar name; arrays are taken apart."""
        flat = self.model.flat
        if not paths:
            units = [flat.variables.declaration(k).unit for k in range(flat.variables.count)]
            values = self.si(np.arange(flat.variables.count))
            return {name: units[k].from_si(values[:, k]) for k, name in enumerate(flat.variables.names())}
        columns: dict[str, FloatArray] = {}
        for path in paths:
            selection = find(flat, path)
            table = flat.parameters if selection.parameter else flat.variables
            values = np.broadcast_to(self[path], (len(self.time), *selection.indices.shape))
            for k, index in enumerate(selection.indices.ravel()):
                columns[table.name(int(index))] = values.reshape(len(self.time), -1)[:, k]
        return columns

    def plot(self, *paths: str) -> Any:
        """A matplotlib figure, one panel per unit; the states when no paths are given."""
        return plot(self, paths or self._states(limit=6))

    def _states(self, limit: int) -> tuple[str, ...]:
        chosen = self.model.unknowns[self.model.is_state] if self.model.is_state.any() else self.model.unknowns
        return tuple(self.model.flat.variables.name(int(v)) for v in chosen[:limit])
