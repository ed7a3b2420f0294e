"""tg.optimize: the values of parameters and start values for which a performance function is smallest.

best = tg.optimize(
    model,
    minimize=tg.integral("time * abs(error)"),
    variables={"controller.k": (0.1, 50.0), "controller.Ti": (0.01, 1.0)},
    subject_to=[tg.peak("motor.i") <= 10.0],
    stop=2.0,
)
print(best)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.stats import qmc

from tellegen.analyses.adjoint.adjoint import AdjointModel
from tellegen.analyses.gradients import chosen_method
from tellegen.analyses.optimization import derivative_free, methods, populations
from tellegen.analyses.optimization.choices import combinations
from tellegen.analyses.optimization.methods import Limits, Method
from tellegen.analyses.optimization.paths import ROUNDS, add_instants, along_paths
from tellegen.analyses.optimization.problem import Asked, Problem, as_constraints
from tellegen.analyses.optimization.progress import LiveTable
from tellegen.analyses.optimization.result import INTERRUPTED, Optimum
from tellegen.analyses.optimization.resume import Begun, course, take_over
from tellegen.analyses.optimization.signals import drive_inputs
from tellegen.analyses.optimization.variables import read_variables, wrong
from tellegen.analyses.performance.expression import Performance
from tellegen.analyses.sensitivity import SensitivityModel
from tellegen.compile import compile_model
from tellegen.engine.asked import seconds
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.options import MAX_STEPS
from tellegen.errors import DesignError, StructureError, nearest, users_call
from tellegen.ir.model import FloatArray
from tellegen.ir.place import here

WITH_GRADIENTS: dict[str, Method] = {
    "slsqp": methods.slsqp,
    "ipopt": methods.ipopt,
    "trust-constr": methods.trust_constr,
}
WITHOUT: dict[str, Method] = {
    "nelder-mead": derivative_free.nelder_mead,
    "differential-evolution": derivative_free.evolution,
    "optuna": populations.optuna,
}
_ALL = "all combinations"  # of choices, where nothing else is varied
_TRIES = 16  # to find a place where the model can be simulated at all


@dataclass(frozen=True)
class _Plain:
    """A model that nothing is varied of but choices."""

    plain: CompiledModel
    variables: tuple[Any, ...] = ()


@users_call
def optimize(
    model: Any,
    stop: float | str | Sequence[float | str] | None = None,
    *,
    minimize: Performance | None = None,
    maximize: Performance | None = None,
    variables: Mapping[str, Any] | None = None,
    subject_to: Sequence[Any] | Any = (),
    choices: Mapping[str, Any] | None = None,
    method: str = "auto",
    gradients: str = "auto",
    guess: Mapping[str, Any] | Optimum | None = None,
    starts: int = 1,
    tolerance: float = 1e-6,
    max_iterations: int = 100,
    seed: int = 0,
    start: float | str = 0.0,
    rtol: float = 1e-7,
    atol: float | None = None,
    points: int | Sequence[float] | FloatArray = 500,
    solver: str = "auto",
    max_steps: int = MAX_STEPS,
    parameters: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
) -> Optimum:
    """The values of `variables` between their bounds for which `minimize` (or `maximize`) is best.

    Gradients are exact: every run carries its sensitivities ("forward"), or is followed backwards ("adjoint"), which is
    cheaper for many variables; `gradients="auto"` takes what costs less. `method` is "slsqp", "ipopt" or
    "trust-constr"; without derivatives "nelder-mead" or "differential-evolution". The search begins at `guess`, or at
    the model's own values; `starts` begins it at more places between the bounds. `choices` are tried in all
    combinations. An input of the model becomes a variable by tg.piecewise, the end of the run by stop=(earliest,
    latest). Ctrl-C ends the search with the best so far, and guess=result goes on with it. What follows `seed` are
    arguments of tg.simulate.
    """
    asked = asked_of(minimize, maximize, subject_to)
    run = {
        "start": start,
        "rtol": rtol,
        "atol": atol,
        "points": points,
        "solver": solver,
        "max_steps": max_steps,
        "parameters": dict(parameters or {}),
        "initial": dict(initial or {}),
    }
    problem = prepared(model, stop, variables, asked, run, along=True)
    if problem.variables.names and method not in WITHOUT:
        if gradients == "auto" and problem.driven.drives:
            gradients = "forward"  # every corner is an event, and events are what going backward is slow at
        backward = chosen_method(problem.made, 1 + len(problem.asked.constraints), gradients) == "adjoint"
        problem.backward = AdjointModel(problem.made) if backward else None
    chosen, reason = method_for(method, problem.made, tangents=problem.backward is None)
    limits, combined = Limits(tolerance, max_iterations, seed), combinations(choices)
    first = problem.variables.guess(problem.driven.guesses(_values(guess)))
    how = course(problem, chosen, limits, starts, str(combined))
    if isinstance(guess, Optimum):
        known = take_over(problem, guess.problem, guess.begun, how)
        first = first if known is None else known
    result = Search(problem, chosen, limits).run(first, starts, combined, reason)
    result.begun = Begun(first, how) if result.interrupted else None
    return result


def prepared(
    model: Any, stop: Any, variables: Mapping[str, Any] | None, asked: Asked, run: dict[str, Any], along: bool = False
) -> Problem:
    """The problem in numbers; with `along`, limits of peaks are limits along the run where signals are searched."""
    driven = drive_inputs(model, variables, run["start"], stop)
    varied = driven.variables
    made: Any = SensitivityModel(driven.model, list(varied)) if varied else _Plain(compile_model(driven.model))
    run = {**run, "stop": driven.stop, "start": seconds("start", run["start"])}
    found = read_variables(made, varied, (run["parameters"], run["initial"]))
    if along:
        seen, paths = along_paths(asked.constraints, driven)
        asked = replace(asked, constraints=tuple(seen), paths=tuple(paths))
    return Problem(made, asked, found, run, driven)


def _values(guess: Any) -> Mapping[str, Any] | None:
    return guess.variables if isinstance(guess, Optimum) else guess


class Search:
    """A method at work on a problem: all choices, and for each all starts."""

    def __init__(self, problem: Problem, method: str, limits: Limits) -> None:
        self.problem, self.method, self.limits = problem, method, limits
        self.gradient = method in WITH_GRADIENTS

    def run(self, first: FloatArray, starts: int, chosen: list[Any], reason: str) -> Optimum:
        """All choices, and for each all starts."""
        problem, message = self.problem, ""
        messages: dict[str, str] = {}
        with LiveTable(problem):
            try:
                for labels, extra in chosen:
                    problem.choose(_text(labels), extra)
                    messages[problem.label] = self._from_all_starts(first, starts)
            except KeyboardInterrupt:
                message = INTERRUPTED
        best = problem.best
        if best is None:
            failed = [each.failed for each in problem.history]
            raise DesignError(
                "E625",
                "no run of the search succeeded",
                place=here(),
                details=dict.fromkeys(failed[:5]),
                advice="give a guess=... with which tg.simulate works, or narrower bounds",
            )
        labels, extra = next((pair for pair in chosen if _text(pair[0]) == best.label), ({}, {}))
        problem.choose(best.label, extra)
        if len(best.constraints) < len(problem.asked.constraints):  # instants of paths were added after it
            best = problem.evaluate(best.x, self.gradient)
        how = f"{self.method}: {reason}" if reason else self.method
        return Optimum(problem, best, how, message or messages.get(best.label, ""), labels)

    def _from_all_starts(self, first: FloatArray, starts: int) -> str:
        problem, n = self.problem, len(first)
        if not n:
            problem.evaluate(first, gradient=False)
            return ""
        outcomes: list[tuple[tuple[float, float], str]] = []
        for place in self._places(first, starts):
            before = len(problem.history)
            message = self._search(place)
            ranks = [each.rank for each in problem.history[before:]]
            outcomes.append((min(ranks, default=(np.inf, np.inf)), message))
        return min(outcomes)[1] if outcomes else "the model cannot be simulated anywhere between the bounds"

    def _search(self, place: FloatArray) -> str:
        """From one start; again from there while a limit is broken between the instants it was asked for at."""
        problem, method = self.problem, {**WITH_GRADIENTS, **WITHOUT}[self.method]
        message = ""
        for _ in range(ROUNDS):
            before = len(problem.history)
            message = method(problem, place, self.limits)
            further = add_instants(problem, before)
            if further is None:
                break
            place = further
        return message

    def _places(self, first: FloatArray, starts: int) -> Iterator[FloatArray]:
        """Where to begin: at places where the model can be simulated."""
        problem, wanted = self.problem, max(int(starts), 1)
        sobol = qmc.Sobol(len(first), rng=self.limits.seed)
        spread = sobol.random(1 << (wanted + _TRIES - 1).bit_length())
        tries = [first, *(problem.variables.values(u) for u in spread)]
        for x in tries[: wanted + _TRIES]:
            if wanted and not problem.evaluate(x, self.gradient).failed:
                wanted -= 1
                yield x


def _text(labels: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}={label}" for key, label in labels.items())


def asked_of(minimize: Any, maximize: Any, subject_to: Any) -> Asked:
    """What is wanted, checked."""
    wanted = minimize if maximize is None else maximize
    if isinstance(wanted, list | tuple) and len(wanted) > 1:
        what = "several objectives have a front of optima, not one"
        raise DesignError("E622", what, place=here(), advice="tg.pareto(model, minimize=[...], ...), or add them up")
    if not isinstance(wanted, Performance) or (minimize is not None and maximize is not None):
        raise DesignError(
            "E622",
            f"minimize (or maximize, not both) is a performance function, not {wanted!r}",
            place=here(),
            advice="minimize=tg.integral('time * abs(e)'), minimize=tg.final('mass'), maximize=tg.mean('power')",
        )
    return Asked(wanted, as_constraints(subject_to), 1.0 if maximize is None else -1.0)


def method_for(name: str, made: Any, tangents: bool = True) -> tuple[str, str]:
    """The method, and why if it is not the usual one."""
    known = {**WITH_GRADIENTS, **WITHOUT}
    if name != "auto" and name not in known:
        what = f"there is no method {name!r}; {nearest(str(name), known)}"
        raise wrong(what, f"one of {', '.join(map(repr, known))}, or 'auto'")
    if isinstance(made, _Plain):
        return _ALL, ""
    if name in WITHOUT:
        if name in populations.PACKAGES:
            populations.package(name)
        return name, ""
    if name == "ipopt":
        methods.ipyopt_package()
    try:
        if tangents:
            made.prepare()
    except StructureError as error:
        if name != "auto" or error.code != "E213":
            raise
        return "nelder-mead", "the model has delays, so there are no gradients"
    return "slsqp" if name == "auto" else name, ""
