"""Estimate: means and deviations over time, forward and backward, and how consistent they are with the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.analyses.estimation.consistency import Consistency
from tellegen.analyses.estimation.filtered_run import FilteredRun
from tellegen.analyses.estimation.problem import Problem
from tellegen.analyses.estimation.square_root import Gaussian, inverse_root
from tellegen.engine.results.solution import Solution
from tellegen.errors import DesignError, nearest, users_call
from tellegen.figure import entitle, panels, with_unit
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.sheet import Result, Table

_BAND = 2.0  # standard deviations in plots
_KNOWN = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class Estimate(Result):
    """What is known of states and parameters: `estimate["load.w"]` after the data so far, `smoothed` after all data."""

    name: str
    method: str
    problem: Problem
    run: FilteredRun
    unobservable: tuple[tuple[str, ...], ...]

    @property
    def time(self) -> FloatArray:
        """The times of the data."""
        return self.problem.time

    @property
    def names(self) -> tuple[str, ...]:
        """Of all that is estimated: states, then parameters."""
        return self.problem.names

    @users_call
    def __getitem__(self, path: str) -> FloatArray:
        """The mean of a state or parameter, given the data up to each time."""
        return self._means(self.run.filtered)[:, self._number(path)]

    @users_call
    def sigma(self, path: str) -> FloatArray:
        """The standard deviation, given the data up to each time."""
        return np.array([each.sigma[self._number(path)] for each in self.run.filtered])

    @users_call
    def smoothed(self, path: str) -> FloatArray:
        """The mean, given all data."""
        return self._means(self._backward)[:, self._number(path)]

    @users_call
    def smoothed_sigma(self, path: str) -> FloatArray:
        """The standard deviation, given all data."""
        return np.array([each.sigma[self._number(path)] for each in self._backward])

    @cached_property
    def covariances(self) -> FloatArray:
        """Of all that is estimated, given the data up to each time."""
        return np.array([each.covariance for each in self.run.filtered])

    @cached_property
    def smoothed_covariances(self) -> FloatArray:
        """Of all that is estimated, given all data."""
        return np.array([each.covariance for each in self._backward])

    @cached_property
    def _backward(self) -> list[Gaussian]:
        return self.run.backward()

    @staticmethod
    def _means(states: list[Gaussian]) -> FloatArray:
        return np.array([each.mean for each in states])

    @cached_property
    def nis(self) -> Consistency:
        """Normalized innovations squared."""
        pairs = [(each.squared, len(each.whitened)) for each in self.run.innovations if len(each.whitened)]
        values, degrees = np.array(pairs, float).reshape(-1, 2).T
        return Consistency("NIS", values, degrees)

    @property
    def log_likelihood(self) -> float:
        """Of all data, given the model and its noise."""
        parts = self.run.innovations
        return -0.5 * sum(p.squared + p.log_determinant + len(p.whitened) * float(np.log(2.0 * np.pi)) for p in parts)

    @cached_property
    def correlation(self) -> float:
        """Of successive innovations: near zero if nothing about them could have been predicted."""
        whole = [each.whitened for each in self.run.innovations if len(each.whitened) == len(self.problem.outputs)]
        if len(whole) < 3:
            return 0.0
        values = np.array(whole)
        return float((values[1:] * values[:-1]).sum() / (values**2).sum())

    @users_call
    def nees(self, truth: Solution | Mapping[str, Any], *, smoothed: bool = False) -> Consistency:
        """Normalized estimation errors squared, of what the truth names: a Solution, or values at the times by path."""
        known = {}
        for path in self.names:
            if isinstance(truth, Solution):
                known[path] = self._true(truth, path)
            elif path in truth:
                known[path] = np.broadcast_to(np.asarray(truth[path], float), self.time.shape)
        states = self._backward if smoothed else self.run.filtered
        return self._errors(known, states)

    def _true(self, truth: Solution, path: str) -> FloatArray:
        if path in self.problem.parameters:
            return np.full(len(self.time), float(truth.parameters[path]))
        return np.asarray(truth.at(self.time)[path], float)

    def _errors(self, known: dict[str, FloatArray], states: list[Gaussian]) -> Consistency:
        chosen = [self._number(path) for path in known]
        wanted = np.array(list(known.values())).T
        values = []
        degrees = []
        for k, state in enumerate(states):
            root = state.root[chosen]
            error = wanted[k] - state.mean[chosen]
            whitened = inverse_root(root) @ error
            values.append(float(whitened @ whitened))
            degrees.append(float(np.linalg.matrix_rank(root, tol=_KNOWN * np.abs(root).max(initial=0.0))))
        return Consistency("NEES", np.array(values), np.array(degrees))

    def _number(self, path: str) -> int:
        if path not in self.names:
            raise DesignError("E682", f"'{path}' is not estimated; {nearest(path, self.names)}", location=here())
        return self.names.index(path)

    @property
    def success(self) -> bool:
        """Whether the innovations are as large as the model says, and the data say something about everything."""
        return self.nis.success and not self.unobservable

    @property
    def message(self) -> str:
        """What is wrong; empty where nothing is."""
        lines = [f"the data say nothing about {' together with '.join(each)}" for each in self.unobservable]
        return "\n".join([*lines, *([self.nis.message] if self.nis.message else [])])

    def to_pandas(self) -> Any:
        """Means and deviations over time as a DataFrame: columns (path, "mean") and (path, "sigma")."""
        import pandas as pd

        columns = {(path, part): self[path] if part == "mean" else self.sigma(path)
                   for path in self.names for part in ("mean", "sigma")}  # fmt: skip
        return pd.DataFrame(columns, index=pd.Index(self.time, name="time"))

    @users_call
    def plot(self, *paths: str, smoothed: bool = False, truth: Solution | None = None) -> Any:
        """A matplotlib figure: means with bands of two standard deviations, and the truth where it is known."""
        shown = paths or self.names
        with panels(len(shown), 1, (8.0, 1.2 + 1.9 * len(shown)), sharex=True) as (figure, axes):
            for (axis,), path in zip(axes, shown, strict=True):
                mean = self.smoothed(path) if smoothed else self[path]
                spread = _BAND * (self.smoothed_sigma(path) if smoothed else self.sigma(path))
                axis.fill_between(self.time, mean - spread, mean + spread, alpha=0.25, linewidth=0, label="± 2 sigma")
                axis.plot(self.time, mean, label="smoothed" if smoothed else "estimate")
                if path in self.problem.outputs:
                    values = self.problem.values[:, self.problem.outputs.index(path)]
                    axis.plot(self.time, values, ".", color="#999999", markersize=3, label="measured")
                if truth is not None:
                    axis.plot(self.time, self._true(truth, path), "k:", label="truth")
                axis.set_ylabel(with_unit(path, self.problem.units[path]))
            axes[0][0].legend(loc="best")
            axes[-1][0].set_xlabel("time [s]")
            entitle(figure, f"{self.name}: {self.method}")
        return figure

    def _title(self) -> str:
        return f"Estimate of {self.name} ({self.method}): {len(self.names)} unknowns, {len(self.time)} times"

    def _page(self) -> list[Table | str]:
        last = self.run.filtered[-1]
        rows = [(path, f"{mean:.6g}", f"{sigma:.3g}", self.problem.units[path])
                for path, mean, sigma in zip(self.names, last.mean, last.sigma, strict=True)]  # fmt: skip
        words = [self.nis._title(), f"correlation of successive innovations {self.correlation:.2f}", self.message]
        return [Table(("at the end", "mean", "sigma", "unit"), rows), *words]
