"""tg.allocate_tolerances: the tolerances that cost least and still keep the limits.

bought = tg.allocate_tolerances(
    model,
    stop=1.0,
    keep=[tg.final("out.v") <= 5.1, tg.final("out.v") >= 4.9],
    prices={"r1.R": ("1 %", 0.02), "r2.R": ("1 %", 0.02), "ref.V": ("1 %", 0.10)},
)

One run gives the exact gradients g. To first order the variance of a number is the sum of (g_i t_i / k_i)^2 with k_i
standard deviations in a tolerance t_i, and its worst case the sum of |g_i| t_i. Prices a/t^b and these sums are convex
functions of log t (a geometric program), so that the least found is the least there is; with a catalogue the choice is
a linear integer program, for variances add up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp, minimize

from tellegen.analyses.performance.expression import Constraint, Performance
from tellegen.analyses.robust.allocation import Allocation, Requirement
from tellegen.analyses.robust.sigma import Sigma
from tellegen.analyses.robust.tolerance_prices import Price, read_price
from tellegen.analyses.robust.toleranced_runs import Runs, read_numbers, values_of
from tellegen.analyses.robust.tolerances import Tolerances, paths_in, read_tolerances, wrong
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.engine.request.path_lookup import find
from tellegen.engine.request.run_options import GRADIENTS
from tellegen.engine.request.run_request import RunKeywords, run_call
from tellegen.ir.model import FloatArray

WORST = "worst_case"
# of the tolerance a price was given for: so far the formula is believed
_FINEST = 0.01
_WIDEST = 10.0


@run_call(rtol=GRADIENTS)
def allocate_tolerances(
    model: Any,
    stop: float | str | None = None,
    *,
    keep: Any,
    prices: Mapping[str, Any],
    margin: float | str = 3.0,
    distribution: str = "uniform",
    **run: Unpack[RunKeywords],
) -> Allocation:
    """The cheapest tolerances of the parameters in `prices` with which the limits in `keep` hold.

    A limit such as tg.final("v") <= 5.1 is kept with a `margin` of three standard deviations, or of any other number
    of them; margin="worst_case" keeps it for every product. tg.sigma(f) <= 0.02 limits a standard deviation itself.
    Prices are ("1 %", 0.05): so much for this tolerance, and inversely proportional for others; ("1 %", 0.05, 2.0) with
    an exponent; or {"5 %": 0.01, "1 %": 0.05}, a catalogue. The keywords from `start` on are those
    of tg.simulate.
    """
    limits = _limits(keep)
    numbers = read_numbers([_looked_at(each) if isinstance(each.performance, Sigma) else each for each in limits])
    made = SensitivityModel(model, paths_in("prices", prices, "'r.R': ('1 %', 0.05)"))
    request = made.request(stop, **run)
    first = read_tolerances(made, {path: _first(path, each) for path, each in prices.items()}, request, distribution)
    found = _prices(made, first, prices)
    runs = Runs(made, numbers, first, request)
    needs = _requirements(runs, limits, margin)
    halves = _from_catalogue(found, needs) if found[0].is_catalogue else _continuous(found, needs)
    return Allocation(runs, found, needs, halves)


def _limits(keep: Any) -> list[Constraint]:
    """What has to hold, checked."""
    listed = list(keep) if isinstance(keep, Sequence) else [keep]
    for each in listed:
        if not isinstance(each, Constraint):
            advice = "keep=[tg.final('v') <= 5.1, tg.sigma(tg.peak('i')) <= 0.2]"
            raise wrong(f"{each!r} is not a limit of a performance function", advice, "E656")
    return listed


def _looked_at(limit: Constraint) -> Performance:
    """What has to be computed for a limit: of sigma(f) the f."""
    return limit.performance.of if isinstance(limit.performance, Sigma) else limit.performance


def _first(path: str, written: Any) -> Any:
    """A tolerance to begin with: the one the price was given for."""
    try:
        return next(iter(written))
    except (TypeError, StopIteration):
        advice = "prices={'r.R': ('1 %', 0.05)}"
        raise wrong(f"'{path}': {written!r} is not a price of a tolerance", advice, "E656") from None


def _prices(made: SensitivityModel, tolerances: Tolerances, written: Mapping[str, Any]) -> list[Price]:
    """One for each scalar."""
    found = []
    for name, nominal in zip(tolerances.names, tolerances.nominal.tolist(), strict=True):
        path = next(path for path in written if name == path or name.startswith(f"{path}["))
        found.append(read_price(path, written[path], nominal, find(made.plain.flat, name).member.unit))
    if len({price.is_catalogue for price in found}) > 1:
        what = "some prices are a catalogue, others a formula: all must be of one kind"
        raise wrong(what, "write the formula as a catalogue of a few tolerances", "E656")
    return found


def _requirements(runs: Runs, limits: list[Constraint], margin: Any) -> list[Requirement]:
    """Limits as sums over tolerances."""
    if margin != WORST and (isinstance(margin, str | bool) or not float(margin) > 0.0):
        raise wrong(f"margin is a number of sigmas or '{WORST}', not {margin!r}", "margin=3.0", "E656")
    nominal = values_of(runs.nominal)
    per_sigma = runs.tolerances.half / runs.tolerances.sigma
    found = []
    for limit in limits:
        is_sigma = isinstance(limit.performance, Sigma)
        row = runs.numbers.names.index(_looked_at(limit).text)
        slope = np.abs(runs.gradient[row])
        room = np.array([limit.high] if is_sigma else [limit.high - nominal[row], nominal[row] - limit.low])
        room = float(np.min(room))
        if not (np.isfinite(room) and room > 0.0):
            what = f"'{limit.text}' cannot be satisfied by any tolerances: the nominal value is {nominal[row]:.6g}"
            raise wrong(what, "change the nominal values first: tg.optimize, tg.robust_optimize", "E657")
        if margin == WORST and not is_sigma:
            found.append(Requirement(limit.text, slope, 1.0, room))
        else:
            sigmas = 1.0 if is_sigma else float(margin)
            found.append(Requirement(limit.text, slope / per_sigma, 2.0, room / sigmas))
    return found


def _continuous(prices: list[Price], needs: list[Requirement]) -> FloatArray:
    """A geometric program in log t, by sequential quadratic programming with exact derivatives."""
    first = np.array([price.halves[0] for price in prices])
    power = np.array([price.exponent for price in prices])
    cost = np.array([price.prices[0] for price in prices])
    begin = np.log(min(1.0, *(1.0 / need.used(first) for need in needs if need.used(first) > 0.0), 1.0))
    total = float(cost @ np.exp(-power * begin))

    def slope(u: FloatArray) -> FloatArray:
        return -power * cost * np.exp(-power * u) / total

    constraints = [
        {
            "type": "ineq",
            "fun": lambda u, need=need: -np.log(need.used(first * np.exp(u))),
            "jac": lambda u, need=need: -need.slope(first * np.exp(u)),
        }
        for need in needs
        if need.weights.any()
    ]
    found = minimize(
        lambda u: float(cost @ np.exp(-power * u)) / total,
        np.full(len(prices), max(begin, np.log(_FINEST))),
        jac=slope,
        bounds=Bounds(np.log(_FINEST), np.log(_WIDEST)),  # type: ignore[arg-type]
        constraints=constraints,
        method="SLSQP",
        options={"ftol": 1e-13, "maxiter": 500},
    )
    halves = first * np.exp(found.x)
    if any(need.used(halves) > 1.0 + 1e-6 for need in needs):
        what = f"no tolerances down to {_FINEST:g} of those with a price satisfy the limits"
        raise wrong(what, "wider limits, a smaller margin", "E658")
    return halves


def _from_catalogue(prices: list[Price], needs: list[Requirement]) -> FloatArray:
    """Exactly one of each: the sums are linear in what is chosen."""
    cost = np.concatenate([price.prices for price in prices])
    owner = np.repeat(np.arange(len(prices)), [len(price.halves) for price in prices])
    halves = np.concatenate([price.halves for price in prices])
    one_each = (owner[None, :] == np.arange(len(prices))[:, None]).astype(float)
    sums = np.array([(need.weights[owner] * halves / need.room) ** need.power for need in needs])
    found = milp(
        cost,
        constraints=[LinearConstraint(one_each, 1.0, 1.0), LinearConstraint(sums, -np.inf, 1.0 + 1e-9)],
        integrality=np.ones(len(cost)),
        bounds=Bounds(0.0, 1.0),  # type: ignore[arg-type]
    )
    if found.x is None:
        what = "even the tightest tolerances of the catalogue violate the limits"
        raise wrong(what, "tighter tolerances, wider limits, a smaller margin", "E658")
    return halves[found.x > 0.5]
