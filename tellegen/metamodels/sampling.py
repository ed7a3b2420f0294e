"""Simulations a metamodel is made of: whole curves, and how they move with every variable.

The model is compiled once, with its tangents where gradients are wanted; a sample is then one run. Curves are kept at
the same times in all runs; what an event changes at such a time is seen after the event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.engine.readout.quantity import quantity
from tellegen.engine.request.path_lookup import list_of_paths
from tellegen.engine.request.run_request import RunRequest
from tellegen.errors import DesignError, NumericError
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.metamodels.box import Box, box_of


@dataclass(frozen=True, eq=False)
class Samples:
    """Points of the cube and what was found there: curves[output] has a row per point, then the value and its slopes
    in every direction of the cube, then time."""

    points: FloatArray
    curves: dict[str, FloatArray]

    def __len__(self) -> int:
        return len(self.points)

    def with_more(self, other: Samples) -> Samples:
        """Both together."""
        joined = {of: np.concatenate([curves, other.curves[of]]) for of, curves in self.curves.items()}
        return Samples(np.concatenate([self.points, other.points]), joined)


class Sampler:
    """Runs a model anywhere in a box."""

    def __init__(
        self,
        model: SensitivityModel,
        outputs: Sequence[str] | str,
        variables: Mapping[str, Any],
        gradients: bool,
        request: RunRequest,
    ) -> None:
        self._model = model
        self.flat = self._model.plain.flat
        self.box: Box = box_of(self.flat, variables)
        self.gradients = gradients
        self.outputs = self._scalars(list_of_paths("outputs", outputs))
        self.times = request.options.times()
        self._request = request

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that were given to all runs, by path."""
        return dict(self._request.parameters)

    def _scalars(self, outputs: list[str]) -> tuple[str, ...]:
        """The paths asked for; arrays element by element."""
        found: list[str] = []
        for path in outputs:
            what = quantity(self._model.plain.reduced, path)
            if what.parameter:
                raise _mistake(f"'{path}' is a parameter: outputs are variables", "outputs=['load.w']")
            size = what.selection.indices.size
            found += [path] if what.selection.indices.ndim == 0 else [f"{path}[{k}]" for k in range(size)]
        if not found:
            raise _mistake("outputs names nothing", "outputs=['load.w']")
        return tuple(found)

    def unit(self, of: str) -> Any:
        """The unit of an output."""
        return quantity(self._model.plain.reduced, of).unit

    def run(self, points: FloatArray) -> Samples:
        """Simulations at points of the cube, with slopes where they are wanted."""
        found = [self._one(u, self.gradients) for u in points]
        return Samples(points, {of: np.array([curves[of] for curves in found]) for of in self.outputs})

    def values(self, u: FloatArray) -> dict[str, FloatArray]:
        """The curves alone at one point: to compare with."""
        return {of: curves[0] for of, curves in self._one(u, False).items()}

    def _one(self, u: FloatArray, gradients: bool) -> dict[str, FloatArray]:
        given = self.box.values(u)
        parameters: dict[str, Any] = {}
        initial: dict[str, Any] = {}
        for selection in self.box.selections:
            (parameters if selection.parameter else initial)[selection.path] = given[selection.path]
        request = self._request.with_values(parameters, initial)
        try:
            if not gradients:
                solution = self._model.plain.run(request)
                return {of: self._on_grid(solution, solution[of])[None] for of in self.outputs}
            found = self._model.run(request)
        except NumericError as error:
            at = ", ".join(f"{name} = {value:g}" for name, value in given.items())
            error.details = (f"in the simulation of a metamodel at {at}", *error.details)
            raise
        per_cube = self.box.units_per_cube
        curves = {}
        for of in self.outputs:
            slopes = found[of] * per_cube
            stacked = np.column_stack([found.solution[of], slopes])
            curves[of] = self._on_grid(found.solution, stacked).T
        return curves

    def _on_grid(self, solution: Any, curve: FloatArray) -> FloatArray:
        """The rows at the common times, after events."""
        if solution.time[-1] < self.times[-1]:
            raise _mistake(
                f"a simulation ended at {solution.time[-1]:g} s, before {self.times[-1]:g} s",
                "trajectories of a metamodel must have the same length: avoid terminate, or stop earlier",
            )
        return curve[np.searchsorted(solution.time, self.times, side="right") - 1]


def _mistake(what: str, advice: str) -> DesignError:
    return DesignError("E661", what, location=here(), advice=advice)
