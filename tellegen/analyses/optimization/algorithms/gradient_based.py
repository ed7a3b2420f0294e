"""Methods that find a minimum with exact gradients: SciPy's SLSQP and trust-constr, and IPOPT.

All see variables from 0 to 1 and an objective and constraints of about size one. Where a run fails they get a
value that is much worse than the last good one (IPOPT: not a number), so that they step back.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from scipy.optimize import Bounds, NonlinearConstraint, minimize

from tellegen.analyses.optimization.formulation.evaluation import Evaluation, Searchable
from tellegen.analyses.optimization.formulation.search_variables import count_of, wrong
from tellegen.errors import DesignError
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.source_location import here

_MUCH_WORSE = 10.0
_PATIENCE = 4  # iterations of SLSQP that do not move anything
_STILL = 1e-6  # relative to sizes of one
NO_PROGRESS = f"no progress in {_PATIENCE} iterations"
"""The message of a search that stays where it is: near an optimum, or between constraints."""


@dataclass(frozen=True)
class Limits:
    """How far a method goes."""

    tolerance: float = 1e-6
    iterations: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        is_number = isinstance(self.tolerance, Real) and not isinstance(self.tolerance, bool)
        if not is_number or not 0.0 < self.tolerance < 1.0:
            raise wrong(f"tolerance is a number between 0 and 1, not {self.tolerance!r}", "tolerance=1e-6")
        count_of("max_iterations", self.iterations)
        count_of("seed", self.seed, least=0)


class Scaled:
    """A problem as methods see it."""

    def __init__(self, problem: Searchable) -> None:
        self.problem = problem
        self.variables = problem.variables
        self.last: Evaluation | None = None  # that succeeded
        self.low = problem.asked.low / problem.sizes
        self.high = problem.asked.high / problem.sizes

    def at(self, u: FloatArray) -> Evaluation:
        """The run for scaled values."""
        found = self.problem.evaluate(self.variables.values(u))
        if not found.failed:
            self.last = found
        return found

    def _good(self, u: FloatArray) -> Evaluation:
        found = self.at(u)
        assert self.last is not None, "a search starts where the model can be simulated"
        return self.last if found.failed else found

    def objective(self, u: FloatArray) -> float:
        """The objective, much worse than before where the run fails."""
        good = self._good(u)
        value = good.objective / self.problem.size
        return value + _MUCH_WORSE * (1.0 + abs(value)) if self.at(u).failed else value

    def slope(self, u: FloatArray) -> FloatArray:
        """Its gradient."""
        good = self._good(u)
        assert good.slope is not None
        return good.slope * self.variables.scale(good.x) / self.problem.size

    def constraints(self, u: FloatArray) -> FloatArray:
        """Of about size one."""
        return self._good(u).constraints / self.problem.sizes

    def jacobian(self, u: FloatArray) -> FloatArray:
        """Their derivatives, one row each."""
        good = self._good(u)
        assert good.jacobian is not None
        return good.jacobian * self.variables.scale(good.x) / self.problem.sizes[:, None]


Method = Callable[[Searchable, FloatArray, Limits], str]


def slsqp(problem: Searchable, start: FloatArray, limits: Limits) -> str:
    """Sequential quadratic programming: few runs for few variables."""
    scaled = Scaled(problem)
    low = scaled.low
    high = scaled.high
    equal = np.flatnonzero(low == high)
    above = np.flatnonzero((low != high) & np.isfinite(low))
    below = np.flatnonzero((low != high) & np.isfinite(high))
    sides = [("eq", equal, 1.0, low), ("ineq", above, 1.0, low), ("ineq", below, -1.0, high)]
    constraints = [_one_side(scaled, *side) for side in sides if len(side[1])]
    try:
        found = minimize(
            scaled.objective,
            problem.variables.normalized(start),
            jac=scaled.slope,
            bounds=Bounds(0.0, 1.0),  # type: ignore[arg-type]
            constraints=constraints,
            method="SLSQP",
            callback=_Patience(scaled),
            options={"ftol": 0.1 * limits.tolerance, "maxiter": limits.iterations},
        )
    except _NoProgressError:
        return NO_PROGRESS
    return "" if found.success else str(found.message)


class _NoProgressError(Exception):
    """A search that stays where it is: where constraints cannot be satisfied, SLSQP would use up all iterations."""


class _Patience:
    """Called after every iteration; raises when several of them did not move anything."""

    def __init__(self, scaled: Scaled) -> None:
        self.scaled = scaled
        self.seen = np.zeros(0)
        self.idle = 0

    def __call__(self, u: FloatArray) -> None:
        seen = np.concatenate([[self.scaled.objective(u)], self.scaled.constraints(u), u])
        moved = len(self.seen) == 0 or bool(np.any(np.abs(seen - self.seen) > _STILL * (1.0 + np.abs(seen))))
        self.idle = 0 if moved else self.idle + 1
        self.seen = seen if moved else self.seen
        if self.idle >= _PATIENCE:
            raise _NoProgressError


def _one_side(scaled: Scaled, kind: str, rows: IntArray, sign: float, limits: FloatArray) -> dict[str, Any]:
    return {
        "type": kind,
        "fun": lambda u: sign * (scaled.constraints(u)[rows] - limits[rows]),
        "jac": lambda u: sign * scaled.jacobian(u)[rows],
    }


def trust_constr(problem: Searchable, start: FloatArray, limits: Limits) -> str:
    """An interior point method with a trust region.

    By its test of the gradient SciPy may stop at any barrier: the multipliers of active bounds and constraints make the
    gradient vanish at a distance from them. Without that test it stops when both barrier and steps are small.
    """
    scaled = Scaled(problem)
    given: Any = ()
    if len(scaled.low):
        given = NonlinearConstraint(scaled.constraints, scaled.low, scaled.high, jac=scaled.jacobian)  # type: ignore[arg-type]
    with warnings.catch_warnings():
        # A run that fails has the slope of the one before it; SciPy leaves out such an update, and that is right.
        warnings.filterwarnings("ignore", "delta_grad == 0.0")
        found = minimize(
            scaled.objective,
            problem.variables.normalized(start),
            jac=scaled.slope,
            bounds=Bounds(0.0, 1.0, keep_feasible=True),  # type: ignore[arg-type]
            constraints=given,
            method="trust-constr",
            options={
                "gtol": 0.0,
                "xtol": 0.01 * limits.tolerance,
                "barrier_tol": 0.01 * limits.tolerance,
                "maxiter": 3 * limits.iterations,
            },
        )
    return "" if found.status in (1, 2) else str(found.message)


def ipopt(problem: Searchable, start: FloatArray, limits: Limits) -> str:
    """IPOPT, by the package ipyopt."""
    ipyopt = ipyopt_package()
    scaled = Scaled(problem)
    n = len(start)
    m = len(scaled.low)
    stopped: list[BaseException] = []

    def guarded(fill: Callable[[FloatArray], Any]) -> Callable[[FloatArray, FloatArray], None]:
        def call(u: FloatArray, out: FloatArray) -> None:
            out[:] = np.nan
            if not stopped:
                try:
                    if not scaled.at(u.copy()).failed:
                        out[:] = np.ravel(fill(u.copy()))
                except BaseException as error:  # Python's errors may not pass through IPOPT
                    stopped.append(error)

        return call

    objective = guarded(scaled.objective)
    slope = guarded(scaled.slope)

    def value(u: FloatArray) -> float:
        out = np.zeros(1)
        objective(u, out)
        return float(out[0])

    rows, columns = np.indices((m, n))
    nlp = ipyopt.Problem(
        n,
        np.zeros(n),
        np.ones(n),
        m,
        np.nan_to_num(scaled.low, neginf=-2e19),
        np.nan_to_num(scaled.high, posinf=2e19),
        (rows.ravel(), columns.ravel()),
        (np.zeros(0, int), np.zeros(0, int)),
        value,
        slope,
        guarded(scaled.constraints),
        guarded(scaled.jacobian),
        intermediate_callback=lambda *_: not stopped,
        ipopt_options={
            "print_level": 0,
            "sb": "yes",
            "tol": limits.tolerance,
            "max_iter": limits.iterations,
            "bound_relax_factor": 0.0,
            "mu_strategy": "adaptive",
        },
    )
    _, _, status = nlp.solve(problem.variables.normalized(start).copy())
    if stopped:
        raise stopped[0]
    return "" if status in (0, 1) else _IPOPT.get(status, f"IPOPT ended with status {status}")


_IPOPT = {
    -1: "the number of iterations is exhausted",
    2: "IPOPT converged to a point of local infeasibility",
    3: "the search direction became too small",
    -2: "restoration of feasibility failed",
    -13: "NaN in an evaluation",
}


def ipyopt_package() -> Any:
    """The package, or the error that says how to get it."""
    try:
        import ipyopt  # pyright: ignore[reportMissingImports]
    except ImportError:
        advice = "pip install 'tellegen[ipopt]', or method='slsqp'"
        raise DesignError("E606", "method='ipopt' needs the package ipyopt", location=here(), advice=advice) from None
    return ipyopt
