"""Adjoint gradients that method="auto" has chosen, confirmed by one forward run along a random direction.

    adjoint:  sum over j of  g_j s_j          forward:  the derivative along s, with one tangent

The two have little in common but the model, so what is wrong with one of them shows. It is done once for a model.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tellegen.analyses.adjoint.adjoint import AdjointModel, Found
from tellegen.analyses.performance.dual_numbers import Dual
from tellegen.analyses.performance.expression import Performance, shown
from tellegen.analyses.performance.response import Response
from tellegen.analyses.sensitivities.design_variables import sum_of
from tellegen.analyses.sensitivities.sensitivity import Sensitivity, SensitivityModel
from tellegen.engine.request.run_request import RunRequest
from tellegen.errors import NumericError, StructureError, warn_user

_ROUNDS = 12
_SAME = 1e-3  # of the sum of sizes: far more than either leaves open


class ConfirmedAdjoint(AdjointModel):
    """An AdjointModel that compares its first result with a forward run where method="auto" leaves the choice."""

    _confirmed = False

    def tried(self, functions: Sequence[Performance], method: str, request: RunRequest) -> Found | None:
        """The gradients; None where they cannot be followed backwards or are not confirmed, and the choice is free."""
        found = super().tried(functions, method, request)
        if found is None or method != "auto" or self._confirmed:
            return found
        if not self._agrees(found, functions, request):
            return None
        self._confirmed = True
        return found

    def _agrees(self, found: Found, functions: Sequence[Performance], request: RunRequest) -> bool:
        signs = np.random.default_rng(3).choice([-1.0, 1.0], len(self.made.variables))
        weights = signs * found.scale
        sample = SensitivityModel(self.made.plain, [sum_of("sample", self.made.variables, weights)])
        sample.quotients = self.made.quotients  # they have been warned of
        try:
            _, duals = forward(sample, functions, request)
        except (NumericError, StructureError) as error:  # nothing to compare with, and nothing to use instead
            warn_user(
                f"{self.made.plain.flat.name}: the adjoint gradients could not be confirmed: a forward run with "
                f"sensitivities fails ({error.code}: {error.message})"
            )
            return True
        along = np.array([float(np.ravel(dual.slope)[0]) for dual in duals])
        size = np.abs(found.matrix * weights).sum(axis=1)
        off = np.abs(found.matrix @ weights - along) > _SAME * np.maximum(size, np.abs(along))
        if off.any():
            worst = functions[int(np.argmax(off))]
            warn_user(
                f"{self.made.plain.flat.name}: the adjoint gradient of {worst} differs from that of a forward run, so "
                "forward sensitivities are used; please report this model"
            )
        return not off.any()


def forward(made: SensitivityModel, of: Sequence[Performance], request: RunRequest) -> tuple[Sensitivity, list[Dual]]:
    """A forward run with points enough for the functions, and these with their slopes."""
    for last in (*(False,) * (_ROUNDS - 1), True):
        run = made.run(request)
        response = shown(of, Response(run))
        duals = [function.evaluate(response) for function in of]
        finer = response.finer()
        if last or finer is None:
            return run, duals
        request = request.with_points(finer)
    raise AssertionError
