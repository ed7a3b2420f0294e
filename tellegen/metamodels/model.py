"""Metamodel: the curves of a model as functions of some of its variables, from a few simulations.

mm({"source.V": 8.0, "load.J": 2e-3})["load.w"]      a curve, in microseconds
print(mm)                                           what it is made of, and how wrong it is
mm = mm.refine(5)                                   five more simulations where the error is largest
drive = mm.component()                              a component for other models
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.errors import DesignError, nearest, users_call
from tellegen.figure import entitle, panels
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.metamodels.box import Box, evenly
from tellegen.metamodels.chaos import Chaos
from tellegen.metamodels.component import component_of
from tellegen.metamodels.prediction import Prediction, relative_rms
from tellegen.metamodels.response import Response, known_method
from tellegen.metamodels.sampling import Sampler, Samples
from tellegen.sheet import Result, Table

_CANDIDATES = 8  # the error is looked at in 2^8 points for each variable
_APART = 0.25  # of the mean distance of samples: closer to one of them little new is learnt


class Metamodel(Result):
    """Made by tg.metamodel."""

    def __init__(self, sampler: Sampler, samples: Samples, method: str, degree: int | None) -> None:
        self._sampler = sampler
        self.samples = samples
        self.method = method
        self._degree = degree
        self.box: Box = sampler.box
        self.outputs = sampler.outputs
        self.time = sampler.times
        self.variables = self.box.names
        self._responses = {
            of: Response(samples.points, curves, method, degree) for of, curves in samples.curves.items()
        }

    @users_call
    def __call__(self, values: Mapping[str, Any] | Sequence[float | str] | FloatArray) -> Prediction:
        """The prediction for values of all variables: a dict by path, or numbers in the order of `variables`."""
        return Prediction(self, self.box.cube(values))

    @users_call
    def response(self, of: str) -> Response:
        """One output; an error with the nearest names if there is none such."""
        if of not in self._responses:
            what = f"'{of}' is not an output of this metamodel; {nearest(str(of), self.outputs)}"
            raise DesignError("E663", what, location=here(), advice=f"its outputs are {', '.join(self.outputs)}")
        return self._responses[of]

    def number_of(self, variable: str) -> int:
        """Which of the variables a path is."""
        if variable not in self.variables:
            what = f"'{variable}' is not a variable of this metamodel; {nearest(str(variable), self.variables)}"
            raise DesignError("E663", what, location=here(), advice=f"its variables are {', '.join(self.variables)}")
        return self.variables.index(variable)

    def unit(self, of: str) -> Any:
        """The unit of an output."""
        return self._sampler.unit(of)

    @property
    def designs(self) -> list[dict[str, float]]:
        """Where the model was simulated."""
        return [self.box.values(u) for u in self.samples.points]

    @property
    def errors(self) -> dict[str, float]:
        """Cross-validated: each sample predicted from the others, root of mean square relative to that of all curves.

        Not a number where the samples are too few to leave one out.
        """
        return {of: response.relative_error for of, response in self._responses.items()}

    @users_call
    def simulate(self, values: Any) -> dict[str, FloatArray]:
        """The true curves of a design, at the same times."""
        return self._sampler.values(self.box.cube(values))

    @users_call
    def compare(self, values: Any) -> dict[str, float]:
        """Simulate a design and return the error of the prediction: root of mean square relative to the true curve."""
        true = self.simulate(values)
        predicted = self(values)
        return {of: relative_rms(predicted[of], true[of]) for of in self.outputs}

    @users_call
    def by(self, method: str, degree: int | None = None) -> Metamodel:
        """The same simulations seen by another method."""
        known_method(method, self._sampler.gradients, degree)
        return Metamodel(self._sampler, self.samples, method, degree)

    def each(self, values: Any) -> list[dict[str, FloatArray]]:
        """First-order predictions from every sample by itself, of "taylor" and "blend": their spread is informative."""
        if self.method not in ("taylor", "blend"):
            what = f"predictions of single samples are made by method='taylor' or 'blend', not '{self.method}'"
            raise DesignError("E663", what, location=here(), advice="tg.metamodel(..., method='blend')")
        u = self.box.cube(values)
        found = {of: response.basis.curve(response.fit.each(u)) for of, response in self._responses.items()}  # type: ignore[attr-defined]
        return [{of: curves[i] for of, curves in found.items()} for i in range(len(self.samples))]

    @users_call
    def moments(self, of: str) -> tuple[FloatArray, FloatArray]:
        """Mean and standard deviation over time, for designs spread evenly over the box; of method "chaos"."""
        response = self.response(of)
        if not isinstance(response.fit, Chaos):
            what = f"mean and standard deviation need a polynomial, method='chaos', not '{self.method}'"
            raise DesignError("E663", what, location=here(), advice="metamodel.by('chaos').moments(...)")
        mean, covariance = response.fit.moments()
        shapes = response.basis.shapes
        variance = np.einsum("kt,kj,jt->t", shapes, covariance, shapes)
        return response.basis.curve(mean), np.sqrt(np.clip(variance, 0.0, None))

    @users_call
    def refine(self, samples: int = 1, tolerance: float | None = None) -> Metamodel:
        """With more simulations, one after the other where the estimated error is largest.

        It stops earlier when the cross-validated errors of all outputs are below `tolerance`.
        """
        current = self
        for _ in range(samples):
            if tolerance is not None and max(current.errors.values()) <= tolerance:
                break
            more = current._sampler.run(current._worst()[None])
            current = Metamodel(current._sampler, current.samples.with_more(more), current.method, current._degree)
        return current

    def _worst(self) -> FloatArray:
        """The candidate with the largest estimated error, relative to the size of each output."""
        candidates = self._candidates
        away = np.abs(candidates[:, None] - self.samples.points[None]).max(axis=2).min(axis=1)
        score = np.zeros(len(candidates))
        for response in self._responses.values():
            size = np.mean(response.curves**2) or 1.0
            estimated = np.array([np.mean(response.error(u) ** 2) for u in candidates]) / size
            score += np.nan_to_num(estimated) if np.isfinite(estimated).any() else away
        apart = _APART * 2.0 * len(self.samples) ** (-1.0 / len(self.variables))
        return candidates[int(np.argmax(np.where(away > min(apart, away.max() / 2.0), score, -1.0)))]

    @cached_property
    def _candidates(self) -> FloatArray:
        d = len(self.variables)
        inside = evenly(d, _CANDIDATES + (d - 1).bit_length())
        return np.vstack([inside, self.box.design("corners")]) if d <= 6 else inside

    def component(self, interpolation: str = "cubic") -> Any:
        """A component for other models; see component.py."""
        return component_of(self, interpolation)

    @property
    def name(self) -> str:
        """The name of the model it stands for."""
        return self._sampler.flat.name

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that were given to all simulations, by path."""
        return self._sampler.parameters

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each simulation: its design, and the relative error of predicting it."""
        import pandas as pd

        frame = pd.DataFrame(self.designs)
        for of, response in self._responses.items():
            frame[f"error of {of}"] = response.relative_errors
        return frame

    def plot(self) -> Any:
        """A matplotlib figure, a panel for each output: how well each simulation is predicted from the others."""
        count = len(self.outputs)
        with panels(count, 1, (8.0, 0.8 + 2.2 * count), sharex=True) as (figure, axes):
            for axis, (of, response) in zip(axes[:, 0], self._responses.items(), strict=True):
                axis.bar(np.arange(len(self.samples)), response.relative_errors)
                axis.set_ylabel(f"relative error of {of}")
            axes[-1, 0].set_xlabel("simulation")
            entitle(figure, self._title())
        return figure

    def _title(self) -> str:
        made = f"{self.method}, {len(self.samples)} simulations"
        return f"Metamodel of {self.name}: {made} over {', '.join(self.variables)}"

    def _page(self) -> list[Table | str]:
        rows = []
        for of, response in self._responses.items():
            worst = float(np.max(response.relative_errors))
            rows.append((of, str(len(response.basis.shapes)), f"{response.relative_error:.3g}", f"{worst:.3g}"))
        return [Table(("output", "shapes", "cross-validated error", "worst sample"), rows)]
