"""tg.predictive_control: a controller that looks ahead with the plant's own equations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tellegen.errors import users_call
from tellegen.predictive.block import block_of
from tellegen.predictive.intervals import Plant, Watched, intervals_of
from tellegen.predictive.planner import Planner
from tellegen.predictive.problem import Asked, Cost, Search, control_problem, search_of
from tellegen.stages import flatten_model


class PredictiveController(Planner):
    """What tg.predictive_control makes: `step` chooses inputs for a state, `block` is the controller as a part."""

    @users_call
    def block(self) -> Any:
        """The controller as a part of a model, sampled with its period.

        Its inputs are the states of the plant and `reference_...` of what is tracked, its outputs the plant's inputs;
        dots and brackets of paths become underscores. Its `controller` is this one.
        """
        return block_of(self)

    def __repr__(self) -> str:
        problem = self.problem
        span = problem.horizon * problem.period
        return (
            f"PredictiveController({', '.join(problem.inputs)} for {', '.join(problem.tracked)}; "
            f"{problem.horizon} x {problem.period:g} s = {span:g} s; {self.intervals.where})"
        )


@users_call
def predictive_control(
    plant: Any,
    *,
    period: float | str,
    horizon: int,
    cost: Cost,
    limits: Mapping[str, Any],
    disturbances: Mapping[str, float] | None = None,
    parameters: Mapping[str, Any] | None = None,
    search: Search | None = None,
) -> PredictiveController:
    """A model predictive controller: the inputs that are best for the next `horizon` periods, found at every sample.

    plant               any model; its states are what has to be measured
    period              of sampling; inputs are constant in between
    cost                what a plan costs: tg.Cost(track={...}, effort={...})
    limits              by path (low, high), in declared units. The open inputs named here or in the cost are what may
                        be set: their limits always hold. Those of other variables give way at a price
    disturbances        by path how much of what a sample shows is believed, up to 1: open inputs that are not set, and
                        parameters, found from how the states go on
    parameters          values of the plant other than declared
    search              tg.Search(iterations=..., rtol=...): iterations at each sample, and how exactly the plant is run

    The cost is made smallest by Gauss-Newton steps on multiple shooting, with exact derivatives of the plant. The
    result chooses inputs by `step(state, references)`, and is a part of a model by `block()`.
    """
    flat = flatten_model(plant)
    problem = control_problem(flat, Asked(period, horizon, cost, limits, disturbances))
    how = search_of(search)
    watched = Watched(problem.given, problem.outputs, problem.period)
    made = Plant(flat, watched, float(how.rtol), parameters or {})
    return PredictiveController(problem, made, intervals_of(made), how.iterations)
