"""A shape of a space of choices: a model, and its problems in numbers.

A *shape* is the model with one implementation for everything chosen; the options that are left in it differ by numbers
only. Its *leaves* are single combinations. Its *relaxed* problem varies the numbers of the options too, between the
smallest and the largest there are, so that its optimum is not worse than that of any combination.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.analyses.optimization.algorithms.choose_method import ChosenMethod, choose_method
from tellegen.analyses.optimization.choices.options import Option, Options
from tellegen.analyses.optimization.formulation.evaluation import Asked
from tellegen.analyses.optimization.formulation.prepare import prepared
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.optimization.formulation.search_variables import wrong
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector, si_values
from tellegen.engine.request.path_lookup import find
from tellegen.engine.request.run_request import RunKeywords
from tellegen.ir.model import FloatArray, IntArray

_SAME = 1e-12  # relative: numbers of options that are equal but for rounding
_ROUGH = 1e-4  # the error of curves that is good enough for bounds


@dataclass(frozen=True, eq=False)
class Task:
    """What is asked for, whatever is chosen."""

    stop: Any
    variables: Mapping[str, Any]
    asked: Asked
    run: RunKeywords
    method: str = "auto"

    def problem(self, model: Any, variables: Mapping[str, Any]) -> Problem:
        """In numbers."""
        return prepared(model, self.stop, variables, self.asked, self.run)


@dataclass(frozen=True, eq=False)
class Numbers:
    """What the options of one list set that differs among them: a column of `values` for each path."""

    paths: tuple[str, ...]
    values: FloatArray
    fixed: Mapping[str, Any]  # what all of them set alike


class Shape:
    """A model, and the options that are left in it; its problems are made when they are needed."""

    def __init__(self, task: Task, model: Any, options: Options) -> None:
        self.task = task
        self.model = model
        self.options = options
        options.refuse_paths_set_twice(task.variables)

    def ask(self, task: Task) -> None:
        """Ask for something else with the same performance functions: other limits."""
        self.task = task
        for name in ("leaf_problem", "relaxed"):
            if name in self.__dict__:
                problem = self.leaf_problem if name == "leaf_problem" else self.relaxed.problem
                problem.asked = task.asked
                problem.choose(problem.label, problem.extra)

    def __getstate__(self) -> dict[str, Any]:
        """For another machine: with the problem of leaves compiled, and without classes of the user."""
        _ = self.leaf_problem
        return {**self.__dict__, "model": None, "options": self.options.without_models()}

    @cached_property
    def leaf_problem(self) -> Problem:
        """The variables are those of the user; the choice is made by `choose`."""
        return self.task.problem(self.model, self.task.variables)

    @cached_property
    def leaf_method(self) -> ChosenMethod:
        """How a leaf is searched."""
        return choose_method(self.task.method, self.leaf_problem.made)

    @cached_property
    def numbers(self) -> tuple[Numbers, ...]:
        """Of all lists."""
        problem = self.leaf_problem
        compiled = problem.made.plain
        own = parameter_vector(compiled, problem.request.parameters)
        return tuple(_numbers(options, compiled, own) for options in self.options.lists.values())

    @cached_property
    def columns(self) -> tuple[IntArray, ...]:
        """Which variables of the relaxed problem each list sets: those of the user come before them."""
        ends = len(self.leaf_problem.variables.names) + np.cumsum([len(each.paths) for each in self.numbers])
        return tuple(np.arange(end - len(each.paths), end) for end, each in zip(ends, self.numbers, strict=True))

    @cached_property
    def relaxed(self) -> Relaxed:
        """The problem in which the numbers of options are variables too."""
        bounds = dict(self.task.variables)
        fixed: dict[str, Any] = {}
        for each in self.numbers:
            ranges = zip(each.paths, each.values.T, strict=True)
            bounds |= {path: (float(values.min()), float(values.max())) for path, values in ranges}
            fixed |= each.fixed
        problem = self.task.problem(self.model, bounds)
        problem.choose("", fixed)
        problem.loosen(_ROUGH)
        method = choose_method("auto", problem.made)
        if not method.has_gradients:
            raise wrong(f"there are no bounds: {method.reason}", 'combinations="evolution", or "all"')
        return Relaxed(problem, method)


@dataclass(frozen=True, eq=False)
class Relaxed:
    """A problem whose variables are those of the user, then those that options set, and how it is searched."""

    problem: Problem
    method: ChosenMethod


def _numbers(options: tuple[Option, ...], compiled: CompiledModel, own: FloatArray) -> Numbers:
    """What the options of a list set, in declared units; what one of them leaves out is the model's own value."""
    paths = list(dict.fromkeys(path for option in options for path in option.parameters))
    columns = []
    for path in paths:
        selection = find(compiled.flat, path)
        if not selection.parameter or selection.indices.size != 1:
            raise wrong(
                f"choices: '{path}' is not one number, so it has no bounds", 'combinations="evolution", or "all"'
            )
        unit = selection.member.unit
        default = own[selection.indices.ravel()[0]]
        given = [option.parameters.get(path) for option in options]
        columns.append([float(unit.from_si(default if v is None else si_values(selection, v))) for v in given])
    values = np.array(columns).T.reshape(len(options), len(paths))
    spread = np.ptp(values, axis=0) > _SAME * np.abs(values).max(axis=0, initial=0.0)
    varied = tuple(path for path, differs in zip(paths, spread, strict=True) if differs)
    fixed = {path: values[0, k] for k, path in enumerate(paths) if not spread[k]}
    return Numbers(varied, values[:, spread], fixed)
