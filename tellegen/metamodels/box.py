"""The variables of a metamodel and where they may lie: a box, seen as the cube from -1 to 1 in every direction.

    {"motor.R": (1.0, 3.0), "load.J": ("1 g.m2", "5 g.m2")}

All methods work on the cube, so distances and length scales mean the same for volts and for kilograms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from scipy.stats import qmc

from tellegen.engine.request.parameter_and_start_vectors import si_values
from tellegen.engine.request.path_lookup import Selection, find
from tellegen.errors import DesignError, nearest
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here

_SLACK = 1e-9  # of the cube: rounding of units is not outside


@dataclass(frozen=True, eq=False)
class Box:
    """Paths of parameters (or of variables, for their start values) with bounds in SI units."""

    selections: tuple[Selection, ...]
    low: FloatArray
    high: FloatArray

    @property
    def names(self) -> tuple[str, ...]:
        """The paths, as they were written."""
        return tuple(selection.path for selection in self.selections)

    @property
    def units_per_cube(self) -> FloatArray:
        """How many declared units one unit of the cube is."""
        scales = np.array([selection.member.unit.scale for selection in self.selections])
        return (self.high - self.low) / (2.0 * scales)

    def cube(self, given: Any) -> FloatArray:
        """A point of the box, as a dict by path or as numbers in order, in the cube; rejected if it lies outside."""
        if isinstance(given, Mapping):
            missing = [name for name in self.names if name not in given]
            unknown = [name for name in given if name not in self.names]
            if missing or unknown:
                what = f"'{unknown[0]}' is not a variable" if unknown else f"'{missing[0]}' has no value"
                hint = nearest(unknown[0], self.names) if unknown else "a value for every variable is needed"
                raise _mistake(f"{what} of this metamodel; {hint}", f"its variables are {', '.join(self.names)}")
            given = [given[name] for name in self.names]
        if isinstance(given, str) or np.shape(given) != (len(self.names),):
            raise _mistake(
                f"a point of this metamodel has {len(self.names)} values: {', '.join(self.names)}", self._example()
            )
        si = np.array([float(si_values(s, value)) for s, value in zip(self.selections, given, strict=True)])
        u = 2.0 * (si - self.low) / (self.high - self.low) - 1.0
        for k in np.flatnonzero(np.abs(u) > 1.0 + _SLACK)[:1]:
            low = self._declared(self.low)[k]
            high = self._declared(self.high)[k]
            what = (
                f"'{self.names[k]}' is given {given[k]!r}, outside the bounds of "
                f"the metamodel, from {low:g} to {high:g}"
            )
            raise _mistake(what, "nothing was simulated there; build a metamodel with wider bounds")
        return u

    def values(self, u: FloatArray) -> dict[str, float]:
        """A point of the cube as numbers in declared units."""
        si = self.low + (u + 1.0) / 2.0 * (self.high - self.low)
        return dict(zip(self.names, self._declared(si).tolist(), strict=True))

    def _declared(self, si: FloatArray) -> FloatArray:
        return np.array([s.member.unit.from_si(x) for s, x in zip(self.selections, si.tolist(), strict=True)])

    def _example(self) -> str:
        return (
            "{"
            + ", ".join(f"'{name}': {value:g}" for name, value in self.values(np.zeros(len(self.names))).items())
            + "}"
        )

    def design(self, samples: Any) -> FloatArray:
        """Points to simulate at, one row each: so many, "corners", or a list of points."""
        d = len(self.names)
        if isinstance(samples, int | np.integer) and not isinstance(samples, bool) and samples >= 1:
            # centres of the cells of a Latin square, the most even of many exchanges; the same every time
            known: Any = {"scramble": False, "optimization": "random-cd", "seed": 1}  # `rng` since SciPy 1.15
            spread = qmc.LatinHypercube(d, **known)
            return 2.0 * spread.random(int(samples)) - 1.0
        if isinstance(samples, str) and samples == "corners":
            return np.array(list(product((-1.0, 1.0), repeat=d)))
        if isinstance(samples, Sequence | np.ndarray) and not isinstance(samples, str) and len(samples):
            return np.array([self.cube(point) for point in samples])
        raise _mistake(
            f"samples is a number of simulations, 'corners' or a list of points, not {samples!r}",
            f"samples=10, samples=[{self._example()}, ...]",
        )


def evenly(directions: int, power: int) -> FloatArray:
    """2^power points of a Sobol sequence in the cube, none of them on its faces."""
    points = qmc.Sobol(directions, scramble=False).random_base2(power)
    return 2.0 * (points + 0.5 / len(points)) - 1.0


def names_of(variables: Any) -> list[str]:
    """What varies, from a dict of bounds."""
    if not isinstance(variables, Mapping) or not variables:
        raise _mistake("variables is a dict of paths and their bounds", "variables={'motor.R': (1.0, 3.0)}")
    return list(variables)


def box_of(flat: FlatModel, variables: Mapping[str, Any]) -> Box:
    """The box a user asks for."""
    selections = []
    bounds = []
    for path, given in variables.items():
        selection = find(flat, path)
        if selection.indices.size != 1 or getattr(selection.member, "type", "real") != "real":
            raise _mistake(
                f"'{path}' is not a single real number",
                "use single elements, and build a metamodel for each discrete choice",
            )
        if isinstance(given, str) or np.shape(given) != (2,):
            raise _mistake(f"'{path}' needs a lower and an upper bound, not {given!r}", f"'{path}': (1.0, 3.0)")
        low, high = (float(si_values(selection, value)) for value in given)
        if not low < high or not np.isfinite([low, high]).all():
            raise _mistake(f"the bounds of '{path}' are {given!r}: the lower one comes first", f"'{path}': (1.0, 3.0)")
        selections.append(selection)
        bounds.append((low, high))
    low, high = np.array(bounds).T
    return Box(tuple(selections), low, high)


def _mistake(what: str, advice: str) -> DesignError:
    return DesignError("E660", what, location=here(), advice=advice)
