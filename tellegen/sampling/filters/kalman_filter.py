"""tg.kalman_filter: the estimator of tg.estimate as a sampled part of a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tellegen as tg
from tellegen.analyses.estimation.records import NoiseLevels, noise_of
from tellegen.compile import compile_model
from tellegen.errors import DesignError, NotSampledError, users_call
from tellegen.ir.source_location import here
from tellegen.sampling.filters.called_filter import called_filter
from tellegen.sampling.filters.filter_request import Known, filter_request
from tellegen.sampling.filters.kalman_steps import Accuracy
from tellegen.sampling.filters.native_filter import native_filter

_ACCURATE = 1e-9


@users_call
def kalman_filter(
    plant: Any,
    period: float | str,
    *,
    noise: NoiseLevels,
    states: Mapping[str, float | str] | None = None,
    parameters: Mapping[str, float | str] | None = None,
    initial: Mapping[str, Any] | None = None,
    steps: int = 0,
    rtol: float = _ACCURATE,
    stiff: bool = False,
) -> Any:
    """An extended Kalman filter of a plant, as a sampled component.

    plant                the model itself; its open inputs are inputs of the filter, held from sample to sample
    period               from sample to sample
    noise                tg.NoiseLevels(measured={...}, walk={...}): what is measured, by path, with the deviation of
                         its noise, and by how much states and parameters walk; `measured_...` are inputs
    states, parameters   standard deviations of start values, and of parameters to be estimated
    initial              start values other than those of the plant
    steps                from one sample to the next, of equal length; without it as many as `rtol` asks for
    stiff                whether the plant becomes so stiff that explicit steps take too long: it is run between samples

    Outputs are the estimates under the names of states and parameters, and `sigma_...`, their standard deviations;
    dots in paths become underscores. The filter gives what tg.estimate(method="ekf") gives on the same data. It is
    native code, and tg.write_c writes it as C; plants with tables or functions of the user, and stiff
    ones, are run between samples.
    """
    clock = tg.Clock(period)
    if isinstance(steps, bool) or not isinstance(steps, int) or not 0 <= steps <= 10000:
        raise DesignError("E684", f"tg.kalman_filter: steps={steps!r}", location=here(), advice="a number from 1 on")
    if not noise_of(noise).measured:
        advice = 'noise=tg.NoiseLevels(measured={"w": 0.1}) says that w is measured, with noise of 0.1'
        raise DesignError("E684", "tg.kalman_filter: nothing is measured", location=here(), advice=advice)
    compiled = compile_model(plant)
    request = filter_request(compiled, clock.period, noise, Known(states, parameters, initial))
    if stiff:
        if steps:
            raise _steps_of_stiff(steps)
        return called_filter(request, float(rtol))()
    try:
        made = native_filter(request, Accuracy(float(rtol), steps))
    except NotSampledError as error:
        if steps:
            raise
        made = called_filter(request, float(rtol))
        made.__doc__ = f"{made.__doc__} ({error.message})"
    return made()


def _steps_of_stiff(steps: int) -> DesignError:
    what = f"tg.kalman_filter: steps={steps} are explicit steps, and stiff=True asks for others"
    return DesignError("E684", what, location=here(), advice="leave out one of them")
