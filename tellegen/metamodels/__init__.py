"""tg.metamodel: whole time responses as functions of design variables, from a few simulations with gradients.

box         variables and bounds, as a cube; where to simulate
sampling    simulations with gradients, at common times
basis       curves -> a few numbers
fit         what a method is; taylor, kriging, chaos are the methods
response    one output: basis, method, errors by leaving out
model       the metamodel: predictions, more samples where it is worst
prediction  what it says about one design
component   the metamodel as a component
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.engine.request.run_request import RunKeywords, run_call
from tellegen.ir.model import FloatArray
from tellegen.metamodels.box import names_of
from tellegen.metamodels.model import Metamodel
from tellegen.metamodels.response import known_method
from tellegen.metamodels.sampling import Sampler

__all__ = ["Metamodel", "metamodel"]


@run_call()
def metamodel(
    model: Any,
    outputs: Sequence[str] | str,
    *,
    variables: Mapping[str, tuple[Any, Any]],
    stop: float | str | None = None,
    method: str = "kriging",
    samples: int | str | Sequence[Any] | FloatArray | None = None,
    refine: int = 0,
    tolerance: float | None = None,
    degree: int | None = None,
    gradients: bool = True,
    **run: Unpack[RunKeywords],
) -> Metamodel:
    """Whole curves of `outputs` as functions of `variables` {path: (low, high)}, from a few simulations.

    `method`: "kriging", a Gaussian process through all values and gradients; "chaos", a polynomial (of `degree`, or the
    one that predicts best); "blend", first-order predictions weighted by inverse distance; "taylor", the one from the
    nearest sample. `samples`: how many simulations, "corners", or the designs themselves; `refine` more are made where
    the estimated error is largest, until the cross-validated error is below `tolerance`. `gradients=False` simulates
    without sensitivities. The keywords from `start` on are those of tg.simulate.
    """
    known_method(method, gradients, degree)
    made = SensitivityModel(model, names_of(variables))
    sampler = Sampler(made, outputs, variables, gradients, made.request(stop, **run))
    design = sampler.box.design(4 + 2 * len(sampler.box.names) if samples is None else samples)
    return Metamodel(sampler, sampler.run(design), method, degree).refine(refine, tolerance)
