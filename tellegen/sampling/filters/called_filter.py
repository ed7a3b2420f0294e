"""An extended Kalman filter whose plant is run between samples by the engine, with its tangents.

For plants that a kernel cannot hold: stiff ones, those whose events remember something or stand beside the time or
algebraic loops, those with functions of the user or tables. It is tg.estimate sample by sample.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg
from tellegen.analyses.estimation.propagation import Propagation
from tellegen.analyses.estimation.square_root import Gaussian, lower, measured
from tellegen.ir.model import FloatArray
from tellegen.sampling.filters.filter_request import MEASURED, SIGMA, FilterRequest, name_of

_MEAN = "next_"
_ROOT = "next_S_"


def called_filter(request: FilterRequest, rtol: float) -> Any:
    """The class; its memory is the estimate for the next sample: the mean and a root of the covariance."""
    problem = request.problem
    size = len(problem.names)
    filtering = _Filter(request, rtol)
    entries = [(i, j) for i in range(size) for j in range(i + 1)]
    members: dict[str, Any] = {name_of(path): tg.input(request.unit(path).text) for path in problem.inputs}
    members |= {MEASURED + name_of(path): tg.input(request.unit(path).text) for path in problem.outputs}
    for k, path in enumerate(problem.names):
        members[name_of(path)] = tg.output(request.unit(path).text, f"{path}, estimated", start=float(problem.mean[k]))
    for k, path in enumerate(problem.names):
        unit = "K" if request.unit(path).offset else request.unit(path).text
        members[SIGMA + name_of(path)] = tg.output(unit, f"deviation of {path}", start=float(problem.sigma[k]))
    members |= {
        _MEAN + name_of(path): tg.variable(start=float(problem.mean[k])) for k, path in enumerate(problem.names)
    }
    members |= {f"{_ROOT}{i}_{j}": tg.variable(start=float(problem.sigma[i]) if i == j else 0.0) for i, j in entries}
    members["period"] = tg.parameter(request.period, "s")

    def known(self: Any) -> Gaussian:
        mean = np.array([getattr(self, _MEAN + name_of(path)) for path in problem.names])
        root = np.zeros((size, size))
        for i, j in entries:
            root[i, j] = getattr(self, f"{_ROOT}{i}_{j}")
        return Gaussian(mean, root)

    def seen(self: Any) -> tuple[FloatArray, FloatArray]:
        values = np.array([getattr(self, MEASURED + name_of(path)) for path in problem.outputs])
        held = np.array([getattr(self, name_of(path)) for path in problem.inputs])
        return values, held

    def outputs(self: Any) -> list[float]:
        after = filtering.after(self.time, known(self), *seen(self))
        return [*after.mean.tolist(), *after.sigma.tolist()]

    def next_states(self: Any) -> list[float]:
        after = filtering.after(self.time, known(self), *seen(self))
        ahead = filtering.ahead(self.time, after)
        return [*ahead.mean.tolist(), *(float(ahead.root[i, j]) for i, j in entries)]

    members |= {"outputs": outputs, "next_states": next_states, "feedthrough": True, "__module__": __name__}
    members["__doc__"] = f"Kalman filter of {request.plant.name}, which is run between samples."
    return type(f"KalmanFilter{request.plant.name}", (tg.Software,), members)


class _Filter:
    """Two functions of what a sample is given; they remember nothing."""

    def __init__(self, request: FilterRequest, rtol: float) -> None:
        self.problem = request.problem
        self.period = request.period
        self.held = self.problem.held  # the inputs of the present sample
        self.propagation = Propagation(request.plant, self.problem, {"rtol": rtol, "solver": "auto"})

    def after(self, time: float, before: Gaussian, values: FloatArray, held: FloatArray) -> Gaussian:
        """What is known after the measurements of a sample."""
        self.held[:] = held
        found = np.isfinite(values)
        outputs = self.propagation.look(time, before.mean, 0)
        difference = values[found] - outputs.values[found]
        return measured(before, difference, outputs.by_state[found], self.problem.noise[found])[0]

    def ahead(self, time: float, after: Gaussian) -> Gaussian:
        """What is known before those of the next one."""
        moved = self.propagation.predict(time, time + self.period, after.mean, 0)
        return Gaussian(moved.mean, lower(moved.transition @ after.root, moved.noise))
