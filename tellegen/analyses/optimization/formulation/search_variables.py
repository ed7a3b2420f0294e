"""What a search may change: parameters and start values between bounds, seen by the methods as numbers from 0 to 1.

    {"controller.k": (0.1, 10.0), "load.phi": (-1.0, 1.0)}

Bounds are in declared units, as numbers or texts ("2.2 kohm"). Where both are positive and far apart (a factor of a
hundred or more) the scale is logarithmic: a gain between 1e-3 and 1e3 is searched by its power of ten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.analyses.sensitivities.design_variables import DesignVariable
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector, si_values
from tellegen.engine.request.path_lookup import find
from tellegen.errors import DesignError
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here

_FAR = 100.0


@dataclass(frozen=True, eq=False)
class Variables:
    """The variables of a search, with bounds; `own` are the values of the model itself."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    is_start: tuple[bool, ...]
    low: FloatArray
    high: FloatArray
    own: FloatArray

    @property
    def logarithmic(self) -> Any:
        """Which are searched on a logarithmic scale."""
        return (self.low > 0) & (self.high >= _FAR * np.maximum(self.low, 1e-300))

    @property
    def _ratio(self) -> FloatArray:
        """From bound to bound; e where the scale is not logarithmic."""
        return np.where(self.logarithmic, self.high, np.e) / np.where(self.logarithmic, self.low, 1.0)

    def values(self, u: FloatArray) -> FloatArray:
        """From numbers between 0 and 1 to values."""
        u = np.clip(u, 0.0, 1.0)
        return np.where(self.logarithmic, self.low * self._ratio**u, self.low + u * (self.high - self.low))

    def normalized(self, x: FloatArray) -> FloatArray:
        """From values to numbers between 0 and 1."""
        x = np.clip(x, self.low, self.high)
        above = np.log(np.where(self.logarithmic, x, 1.0) / np.where(self.logarithmic, self.low, 1.0))
        return np.where(self.logarithmic, above / np.log(self._ratio), (x - self.low) / (self.high - self.low))

    def scale(self, x: FloatArray) -> FloatArray:
        """d value / d normalized value."""
        log = self.logarithmic
        return np.where(
            log, x * np.log(np.where(log, self.high / np.where(log, self.low, 1.0), 1.0)), self.high - self.low
        )

    def given(self, x: FloatArray) -> tuple[dict[str, Any], dict[str, Any]]:
        """Values as parameters= and initial= of a run take them."""
        pairs = list(zip(self.names, x.tolist(), self.is_start, strict=True))
        return {n: v for n, v, start in pairs if not start}, {n: v for n, v, start in pairs if start}

    def guess(self, asked: Mapping[str, Any] | None) -> FloatArray:
        """Where to start: as asked, else the model's own values, inside the bounds."""
        middle = self.values(np.full(len(self.names), 0.5))
        own = np.where(np.isfinite(self.own), self.own, middle)
        if asked is not None and not isinstance(asked, Mapping):
            raise wrong(f"guess is values by path, not {asked!r}", f"guess={{'{self.names[0]}': 1.0}}")
        for name, value in (asked or {}).items():
            if name not in self.names:
                raise wrong(f"guess: '{name}' is not varied", f"guess={{'{self.names[0]}': ...}}")
            own[self.names.index(name)] = _number(name, value)
        return np.clip(own, self.low, self.high)


def _number(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = np.nan
    if np.isnan(number):
        raise wrong(f"guess: '{name}' is a number, not {value!r}", f"guess={{'{name}': 1.0}}")
    return number


def read_variables(made: SensitivityModel, bounds: Mapping[str, Any], others: Mapping[str, Any]) -> Variables:
    """The variables as written, checked; `others` are the other parameters of the runs."""
    compiled = made.plain
    parts: list[tuple[DesignVariable, float, float]] = []
    for path, written in bounds.items():
        low, high = _bounds(compiled, path, written)
        parts += [(v, low, high) for v in made.variables if v.name == path or v.name.startswith(f"{path}[")]
    parameters = parameter_vector(compiled, others)
    starts = compiled.flat.variables.column("start")
    own = []
    for variable, _, _ in parts:
        table, moves = (starts, variable.starts) if variable.starts else (parameters, variable.parameters)
        index, scale = moves[0]
        own.append(float(table[index] / scale))
    return Variables(
        tuple(variable.name for variable, _, _ in parts),
        tuple(variable.unit for variable, _, _ in parts),
        tuple(bool(variable.starts) for variable, _, _ in parts),
        np.array([low for _, low, _ in parts]),
        np.array([high for _, _, high in parts]),
        np.array(own),
    )


def _bounds(compiled: CompiledModel, path: str, written: Any) -> tuple[float, float]:
    selection = find(compiled.flat, path)
    if not isinstance(written, Sequence) or isinstance(written, str) or len(written) != 2:
        raise wrong(f"'{path}': bounds are a pair of numbers, not {written!r}", f"variables={{'{path}': (1.0, 3.0)}}")
    low, high = (float(selection.member.unit.from_si(si_values(selection, value))) for value in written)
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        advice = f"write two finite numbers, the smaller first: variables={{'{path}': (1.0, 3.0)}}"
        raise wrong(f"'{path}': there is no value between the bounds {written!r}", advice)
    return low, high


def count_of(name: str, value: Any, least: int = 1) -> int:
    """An integer that a search is given by a keyword."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and value >= least:
        return int(value)
    raise wrong(f"{name} is an integer ≥ {least}, not {value!r}", f"{name}={max(least, 4)}")


def wrong(what: str, advice: str) -> DesignError:
    """E621."""
    return DesignError("E621", what, location=here(), advice=advice)
