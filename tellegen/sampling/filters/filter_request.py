"""What a Kalman filter is asked to do, checked by the code of tg.estimate: the same words, units and start values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tellegen.analyses.estimation.problem import Asked, Problem, problem_of
from tellegen.analyses.estimation.records import Columns, NoiseLevels
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.readout.quantity import quantity
from tellegen.ir.model import FloatArray
from tellegen.start.records import dataclass
from tellegen.units import Unit

MEASURED = "measured_"
SIGMA = "sigma_"


@dataclass(frozen=True, eq=False)
class FilterRequest:
    """The plant, the problem of tg.estimate (numbers in declared units) and how often there are measurements."""

    plant: CompiledModel
    problem: Problem
    period: float

    def unit(self, path: str) -> Unit:
        """The declared unit of a quantity of the plant."""
        return quantity(self.plant.reduced, path).unit

    @property
    def scales(self) -> FloatArray:
        """SI units in the declared ones of all that is estimated: of differences."""
        return np.array([self.unit(path).scale for path in self.problem.names])

    @property
    def mean(self) -> FloatArray:
        """What is estimated before the first sample, in SI units."""
        pairs = zip(self.problem.names, self.problem.mean.tolist(), strict=True)
        return np.array([float(self.unit(path).to_si(value)) for path, value in pairs])

    @property
    def inputs(self) -> tuple[str, ...]:
        """The inputs of the plant that are held from sample to sample."""
        return self.problem.inputs


@dataclass(frozen=True, eq=False)
class Known:
    """What is known at the start: deviations of states, parameters that are estimated, and start values."""

    states: Mapping[str, Any] | None
    parameters: Mapping[str, Any] | None
    initial: Mapping[str, Any] | None


def filter_request(plant: CompiledModel, period: float, noise: NoiseLevels, known: Known) -> FilterRequest:
    """The same as tg.estimate is asked for, of data with a row at every sample."""
    flat = plant.flat
    inputs = [flat.variables.name(int(index)) for index in flat.inputs]
    column = "input {}"
    rows = {column.format(path): np.zeros(2) for path in inputs}
    rows |= {path: np.zeros(2) for path in noise.measured}
    rows["time"] = np.array([0.0, period])
    columns = Columns({path: column.format(path) for path in inputs}, {path: path for path in noise.measured})
    asked = Asked(known.states or {}, known.parameters or {}, noise, columns)
    return FilterRequest(plant, problem_of(plant, rows, asked, known.initial or {}), period)


def name_of(path: str) -> str:
    """A path as a name: 'cart.body[2].s' is cart_body_2_s."""
    return path.replace("].", "_").replace("[", "_").replace("]", "").replace(".", "_").replace(",", "_")
