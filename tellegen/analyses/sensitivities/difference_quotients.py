"""Derivatives that are difference quotients although sensitivities are called exact: named, and warned of once.

A function with a loop that decides by what varies, such as a bisection, has no tangents, and neither has a Python
function without a derivative of its own (symbolic/kernels/derivative.py). Quotients are good to about ten digits, but
as noisy as the function's own iterations divided by their step: where these stop early, a gradient may have few digits.
"""

from __future__ import annotations

from tellegen.dataflow.code_loops import functions_of
from tellegen.errors import warn_user
from tellegen.ir.reduced import ReducedModel
from tellegen.symbolic.kernels.derivative import has_quotients
from tellegen.symbolic.kernels.kernel import Kernel


class DifferenceQuotients:
    """The functions of a model whose derivatives are difference quotients; `names` is what stats say of them."""

    def __init__(self, model: ReducedModel) -> None:
        found = [function for function in functions_of(model, at_instants=True) if has_quotients(function)]
        self.names = tuple(dict.fromkeys(function.name for function in found))
        self._model = model.flat.name
        self._unexpected = [function.name for function in found if isinstance(function.callable, Kernel)]

    def warn_once(self) -> None:
        """Warn of functions with loops: whoever writes a Python function without a derivative knows what stands in."""
        if not self._unexpected:
            return
        names = ", ".join(dict.fromkeys(self._unexpected))
        self._unexpected.clear()
        warn_user(
            f"{self._model}: difference quotients stand in for the derivatives of {names}, in which a loop decides by "
            "what varies or a function without a derivative is called: sensitivities are only as exact as these"
        )
