"""tg.sigma(f): the standard deviation of a performance function as a performance function, for designs that scatter
little.

    tg.sigma(tg.final("v"))                         to be minimized, or kept below a limit
    tg.final("v") + 3 * tg.sigma(tg.final("v"))     what almost all products stay below

It is the first-order one, sigma^2 = g' C g with the exact gradient g by the parameters that have tolerances. How sigma
changes with the design variables x follows from  sigma dsigma/dx = H C g + (what C changes by), where H are second
derivatives. Only their product with the one vector C g is needed: the difference of the exact gradients of two runs, a
step forward and backward along it, however many tolerances there are.
"""

from __future__ import annotations

import numpy as np

from tellegen.analyses.performance.dual_numbers import Dual
from tellegen.analyses.performance.expression import Performance, shown
from tellegen.analyses.performance.response import Response
from tellegen.analyses.robust.tolerances import Tolerances, nominal_value, wrong
from tellegen.analyses.sensitivities.sensitivity import Sensitivity, SensitivityModel
from tellegen.engine.request.path_lookup import find
from tellegen.engine.request.run_request import RunRequest
from tellegen.errors import users_call
from tellegen.ir.model import FloatArray

_AHEAD = 1e-3  # the largest change of a parameter, relative to its size, in the two runs


class Sigma(Performance):
    """See the top of this file."""

    def __init__(self, of: Performance) -> None:
        self.of = of
        self.text = f"sigma({of})"

    @property
    def members(self) -> tuple[Performance, ...]:
        """See Performance."""
        return (self.of,)

    def evaluate(self, response: Response) -> Dual:
        """The deviation and its slope; needs a run that knows tolerances."""
        run = response.sensitivity
        if not isinstance(run, TolerancedRun):
            advice = "tg.robust_optimize(..., tolerances={'r.R': '5 %'}), tg.robustness(...).sigma"
            raise wrong(f"{self.text}: this run has no tolerances", advice, "E655")
        return run.sigma_of(self.of, response)


@users_call
def sigma(of: Performance) -> Performance:
    """The standard deviation of a performance function, in tg.robust_optimize and tg.allocate_tolerances."""
    if not isinstance(of, Performance):
        raise wrong(f"sigma of {of!r}, which is not a performance function", "tg.sigma(tg.final('c.v'))", "E655")
    return Sigma(of)


class TolerancedModel(SensitivityModel):
    """A model compiled with tangents by design variables and by all parameters that have tolerances."""

    tolerances: Tolerances  # given once they are read, for which the model is needed
    slopes = True  # whether sigmas need theirs

    def run(self, request: RunRequest) -> TolerancedRun:
        """A run that knows tolerances."""
        return TolerancedRun(super().run(request), self, request)

    def around(self, request: RunRequest) -> Tolerances:
        """The tolerances at the parameters and start values of a run."""
        known = {variable.name: variable for variable in self.variables}
        names = self.tolerances.names
        units = [find(self.plain.flat, name).member.unit for name in names]
        values = [nominal_value(self, known[name], unit, request) for name, unit in zip(names, units, strict=True)]
        return self.tolerances.around(np.array(values))

    def moved(self, request: RunRequest, tolerances: Tolerances, change: FloatArray) -> Sensitivity:
        """A run with parameters a little off."""
        parameters: dict[str, float] = {}
        initial: dict[str, float] = {}
        rows = zip(tolerances.names, tolerances.is_start, tolerances.nominal + change, strict=True)
        for name, is_start, value in rows:
            (initial if is_start else parameters)[name] = float(value)
        return super().run(request.with_values(parameters, initial))


class TolerancedRun(Sensitivity):
    """A Sensitivity that also gives standard deviations."""

    def __init__(self, run: Sensitivity, model: TolerancedModel, request: RunRequest) -> None:
        super().__init__(run.solution, run.variables, run.tangents)
        self.model = model
        self.request = request
        self.tolerances = model.around(request)
        self._known: dict[str, Dual] = {}

    def sigma_of(self, of: Performance, response: Response) -> Dual:
        """The standard deviation of a performance function, with its slope by all that is varied."""
        if of.text not in self._known:
            gradient = of.evaluate(response).slope[[self.wrt.index(name) for name in self.tolerances.names]]
            towards = self.tolerances.covariance @ gradient
            value = float(np.sqrt(max(gradient @ towards, 0.0)))
            slope = np.zeros(len(self.wrt))
            if value > 0.0 and self.model.slopes:
                slope = (self._second(of, towards) + self._grows(gradient * towards)) / value
            self._known[of.text] = Dual(value, slope)
        return self._known[of.text]

    def _second(self, of: Performance, towards: FloatArray) -> FloatArray:
        """Second derivatives times a vector over the tolerances."""
        tolerances = self.tolerances
        size = np.maximum(np.abs(tolerances.nominal), tolerances.half)
        step = _AHEAD / float(np.max(np.abs(towards) / size))
        ahead, behind = (
            of.evaluate(shown([of], Response(run))).slope
            for run in (self.model.moved(self.request, tolerances, sign * step * towards) for sign in (1.0, -1.0))
        )
        return (ahead - behind) / (2.0 * step)

    def _grows(self, parts: FloatArray) -> FloatArray:
        """What tolerances in percent add, for they grow with their nominal values."""
        tolerances = self.tolerances
        out = np.zeros(len(self.wrt))
        for k in np.flatnonzero(tolerances.in_percent):
            name = tolerances.names[k]
            moves = (
                np.array([float(w == name) for w in self.wrt]) if tolerances.is_start[k] else self.of_parameter(name)
            )
            out += parts[k] / tolerances.nominal[k] * moves
        return out
