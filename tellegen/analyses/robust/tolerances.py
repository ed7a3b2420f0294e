"""How far parameters and start values may be off: tolerances as users write them, and the distributions they mean.

    "5 %"                 of the value the model has
    "0.1 ohm", 0.1        as much as that, in the declared unit where there is none
    ("5 %", "normal")     with a distribution of its own

A tolerance t is half the width of a band around the nominal value. A uniform distribution fills the band, a triangular
one too, with its top in the middle; a normal one has t = 3 sigma. Standard deviations are t/sqrt(3), t/sqrt(6), t/3.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tellegen.analyses.optimization.formulation.search_variables import Variables
from tellegen.analyses.sensitivities.design_variables import DesignVariable, directions
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector, si_values
from tellegen.engine.request.path_lookup import find
from tellegen.engine.request.run_request import RunRequest
from tellegen.errors import DesignError, nearest
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.units import Unit, UnitTextError, parse_quantity

PER_SIGMA = {"uniform": np.sqrt(3.0), "triangular": np.sqrt(6.0), "normal": 3.0}
"""The tolerance in standard deviations."""

_WRITTEN = re.compile(r"\s*(?:±|\+-|\+/-)?\s*(\S.*?)\s*")
_HOW = "write '5 %', '0.1 ohm' or a number in the declared unit"


@dataclass(frozen=True)
class Tolerance:
    """How far one parameter or start value may be off, in its declared unit."""

    variable: DesignVariable
    nominal: float
    half: float
    in_percent: bool  # as it was written
    shape: str  # of its distribution


@dataclass(frozen=True, eq=False)
class Tolerances:
    """A row for each parameter or start value: nominal value and tolerance in declared units, and its distribution."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    is_start: tuple[bool, ...]
    nominal: FloatArray
    half: FloatArray
    in_percent: FloatArray  # of bool: such tolerances grow with the nominal value
    shapes: tuple[str, ...]
    correlation: FloatArray

    @property
    def sigma(self) -> FloatArray:
        """Standard deviations."""
        return self.half / np.array([PER_SIGMA[shape] for shape in self.shapes])

    @property
    def covariance(self) -> FloatArray:
        """Of all parameters."""
        return self.sigma[:, None] * self.correlation * self.sigma

    def around(self, nominal: FloatArray) -> Tolerances:
        """The same tolerances of other nominal values."""
        grown = np.where(self.in_percent, np.abs(nominal) / np.where(self.in_percent, np.abs(self.nominal), 1.0), 1.0)
        return replace(self, nominal=nominal, half=self.half * grown)

    def growth(self) -> FloatArray:
        """d half / d nominal."""
        return np.where(self.in_percent, self.half / np.where(self.in_percent, self.nominal, 1.0), 0.0)

    def box(self) -> Variables:
        """The band of every parameter, as a search sees it."""
        low = self.nominal - self.half
        high = self.nominal + self.half
        return Variables(self.names, self.units, self.is_start, low, high, self.nominal)

    def distributions(self) -> dict[str, Any]:
        """By path, as samples of a study take them."""
        from scipy import stats

        made = {
            "uniform": lambda x, t: stats.uniform(x - t, 2.0 * t),
            "triangular": lambda x, t: stats.triang(0.5, x - t, 2.0 * t),
            "normal": lambda x, t: stats.norm(x, t / 3.0),
        }
        rows = zip(self.names, self.shapes, self.nominal.tolist(), self.half.tolist(), strict=True)
        return {name: made[shape](x, t) for name, shape, x, t in rows}


def read_tolerances(
    made: SensitivityModel,
    written: Mapping[str, Any],
    request: RunRequest,
    distribution: str = "uniform",
    correlation: Mapping[tuple[str, str], float] | None = None,
) -> Tolerances:
    """The tolerances as written, checked; nominal values are those of the run asked for."""
    rows: list[Tolerance] = []
    for path, one in written.items():
        size, shape = one if isinstance(one, tuple) and len(one) == 2 else (one, distribution)
        if shape not in PER_SIGMA:
            what = f"'{path}': there is no distribution {shape!r}; {nearest(str(shape), PER_SIGMA)}"
            raise wrong(what, f"tolerances={{'{path}': ('5 %', 'normal')}}")
        unit = find(made.plain.flat, path).member.unit
        for variable in made.variables:
            if variable.name == path or variable.name.startswith(f"{path}["):
                nominal = nominal_value(made, variable, unit, request)
                half, in_percent = half_width(path, size, nominal, unit)
                rows.append(Tolerance(variable, nominal, half, in_percent, shape))
    _refuse_following(made, [row.variable for row in rows], request.parameters)
    names = tuple(row.variable.name for row in rows)
    shapes = tuple(row.shape for row in rows)
    return Tolerances(
        names=names,
        units=tuple(row.variable.unit for row in rows),
        is_start=tuple(bool(row.variable.starts) for row in rows),
        nominal=np.array([row.nominal for row in rows]),
        half=np.array([row.half for row in rows]),
        in_percent=np.array([row.in_percent for row in rows]),
        shapes=shapes,
        correlation=_correlation(names, shapes, correlation or {}),
    )


def paths_in(word: str, written: Any, example: str) -> list[str]:
    """The paths of a dict that says something about parameters, and may not be empty."""
    if isinstance(written, Mapping) and written and all(isinstance(path, str) for path in written):
        return list(written)
    raise wrong(f"{word} is a dict of paths, not {written!r}", f"{word}={{{example}}}")


def nominal_value(made: SensitivityModel, variable: DesignVariable, unit: Unit, request: RunRequest) -> float:
    """The value around which a parameter or start value scatters, in its declared unit."""
    if variable.parameters:
        index, _ = variable.parameters[0]
        values = parameter_vector(made.plain, request.parameters)
    else:
        index, _ = variable.starts[0]
        values = made.plain.flat.variables.column("start").copy()
        for path, value in request.start_values.items():
            selection = find(made.plain.flat, path)
            values[selection.indices] = si_values(selection, value)
    found = float(unit.from_si(values[index]))
    if not np.isfinite(found):
        advice = f"give it a start value, or initial={{'{variable.name}': ...}}"
        raise wrong(f"'{variable.name}' has no nominal value", advice)
    return found


def half_width(path: str, written: Any, nominal: float, unit: Unit) -> tuple[float, bool]:
    """A tolerance in the declared unit, and whether it was written in percent."""
    match = _WRITTEN.fullmatch(written) if isinstance(written, str) else None
    in_percent = match is not None and match[1].endswith("%")
    try:
        if match is None:
            width = float(written)
        elif in_percent:
            width = float(match[1][:-1]) / 100.0 * abs(nominal)
        elif unit.offset:
            raise UnitTextError(f"differences of '{unit.text}' are written as numbers")
        else:
            width = parse_quantity(match[1], unit)
    except (UnitTextError, TypeError, ValueError) as error:
        reason = f": {error}" if isinstance(error, UnitTextError) else ""
        raise wrong(f"'{path}': {written!r} is not a tolerance{reason}", _HOW) from None
    if in_percent and (nominal == 0.0 or unit.offset):
        why = f"the zero of '{unit.text}' is arbitrary" if unit.offset else "its value is zero"
        advice = f"write the tolerance itself: '0.1 {unit.text}'" if not unit.offset else "write a number: 2.0"
        raise wrong(f"'{path}': a percentage of it is meaningless, because {why}", advice)
    if not (np.isfinite(width) and width > 0.0):
        raise wrong(f"'{path}': a tolerance is larger than zero, not {written!r}", _HOW)
    return width, in_percent


def _refuse_following(made: SensitivityModel, chosen: list[DesignVariable], parameters: Mapping[str, Any]) -> None:
    """One parameter computed from another cannot both follow it and be off by itself."""
    reduced = made.plain.reduced
    flat = made.plain.flat
    moves, _ = directions(reduced, parameter_vector(made.plain, parameters), flat.variables.column("start"), chosen)
    for k, variable in enumerate(chosen):
        table, index = (
            (moves.parameters, variable.parameters) if variable.parameters else (moves.starts, variable.starts)
        )
        for j in np.flatnonzero(table[index[0][0]]).tolist():
            if j != k:
                what = f"'{variable.name}' is computed from '{chosen[j].name}', and both have a tolerance"
                advice = (
                    "give the deviation a parameter of its own, such as R2 = R1*(1 + mismatch), and that a tolerance"
                )
                raise wrong(what, advice)


def _correlation(names: Sequence[str], shapes: Sequence[str], written: Mapping[tuple[str, str], float]) -> FloatArray:
    """The matrix; of normal distributions only, for only these are described by it."""
    out = np.eye(len(names))
    for pair, value in written.items():
        if not isinstance(pair, tuple) or len(pair) != 2 or not set(pair) <= set(names) or pair[0] == pair[1]:
            what = f"correlation: {pair!r} are not two parameters with tolerances"
            raise wrong(what, "correlation={('r.R', 'c.C'): 0.8}", "E651")
        a = names.index(pair[0])
        b = names.index(pair[1])
        if {shapes[a], shapes[b]} != {"normal"}:
            what = (
                f"correlation: '{pair[0]}' and '{pair[1]}' are not both normal; only "
                "normal distributions can be correlated"
            )
            raise wrong(what, "distribution='normal'", "E651")
        out[a, b] = out[b, a] = float(value)
    if np.linalg.eigvalsh(out).min(initial=1.0) < -1e-12 or np.abs(out).max(initial=0.0) > 1.0:
        what = "correlation: the correlation matrix is not positive definite"
        raise wrong(what, "give consistent numbers between -1 and 1", "E651")
    return out


def wrong(what: str, advice: str, code: str = "E650") -> DesignError:
    """A mistake in tolerances, or in another part of what is asked."""
    return DesignError(code, what, location=here(), advice=advice)
