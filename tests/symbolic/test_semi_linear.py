"""semi_linear: exact where something flows, determined where nothing does."""

from __future__ import annotations

import numpy as np
import pytest

from tellegen.ir.expressions.expr import Slot
from tellegen.symbolic.evaluate import evaluate
from tellegen.symbolic.semi_linear import EPSILON, semi_linear

_CARRIED = semi_linear(Slot(0), Slot(1), Slot(2))


@pytest.mark.parametrize("x", [-3.0, -1e-6, -EPSILON, EPSILON, 1e-6, 2.0])
def test_exact_where_it_flows(x: float) -> None:
    assert evaluate(_CARRIED, (x, 5.0, 7.0)) == pytest.approx(5.0 * x if x > 0 else 7.0 * x, rel=1e-15)


def test_continuous_at_the_limits() -> None:
    flows = np.linspace(-2 * EPSILON, 2 * EPSILON, 4001)
    steps = np.diff([evaluate(_CARRIED, (x, 5.0, 7.0)) for x in flows])
    assert np.abs(steps).max() < 20 * (flows[1] - flows[0])


@pytest.mark.parametrize(("x", "between"), [(1.0, 5.0), (-1.0, 9.0), (0.0, 7.0)])
def test_enthalpy_between_two_volumes(x: float, between: float) -> None:
    """What leaves the first volume (h = 5) enters the second (h = 9): semi_linear(-x, h, 5) + semi_linear(x, h, 9) = 0.

    It is linear in h, so two values give the root.
    """

    def sum_of_flows(h: float) -> float:
        return evaluate(_CARRIED, (-x, h, 5.0)) + evaluate(_CARRIED, (x, h, 9.0))

    at_0, at_1 = sum_of_flows(0.0), sum_of_flows(1.0)
    assert at_0 / (at_0 - at_1) == pytest.approx(between, rel=1e-12)
