"""Sensitivities, gradients and linear models of models with invariants, assembled from rough guesses."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from engine.invariant_models import LENGTHS, Body, KeptFourBar, RedundantFourBar, crank_acceleration

STEP = 1e-5
STOP = 0.7


@cache
def compiled(kind: type) -> Any:
    return tg.compile(kind())


def difference(values: Any, parameter: str, number: float) -> Any:
    """A central difference; with rtol 1e-10 it is exact to about 1e-6."""
    above, below = (values({parameter: number + step}) for step in (STEP, -STEP))
    return (above - below) / (2.0 * STEP)


@pytest.mark.parametrize("kind", [KeptFourBar, RedundantFourBar])
def test_curves_of_sensitivities(kind: type) -> None:
    """At the start too: the angles of coupler and rocker follow from the length of the base."""
    model = compiled(kind)
    found = tg.sensitivity(model, stop=STOP, wrt=["d"], solver="rk45", rtol=1e-9, points=8)["phi", "d"]

    def angles(parameters: Any) -> Any:
        return model.simulate(stop=STOP, solver="rk45", rtol=1e-10, points=8, parameters=parameters)["phi"]

    expected = difference(angles, "d", 1.0)
    assert abs(expected[0, 1]) > 0.01
    assert found == pytest.approx(expected, abs=1e-5)


def numbers_asked() -> dict[str, Any]:
    return {"of": [tg.final("phi[1]"), tg.integral("w[2]*w[2]")], "solver": "rk45", "stop": STOP}


@cache
def differences_of_numbers() -> Any:
    """By d, L[0] and w[0]: differences of runs."""

    def numbers(**given: Any) -> Any:
        model = compiled(KeptFourBar)
        return tg.gradient(model, wrt=["d"], method="forward", rtol=1e-10, **numbers_asked(), **given).values

    expected = [
        difference(lambda given: numbers(parameters=given), "d", 1.0),
        difference(lambda given: numbers(parameters={"L": [given["L"], *LENGTHS[1:]]}), "L", LENGTHS[0]),
        difference(lambda given: numbers(initial=given), "w[0]", 8.0),
    ]
    return np.transpose(expected)


@pytest.mark.parametrize("method", ["forward", "adjoint"])
def test_gradients(method: str) -> None:
    model = compiled(KeptFourBar)
    found = tg.gradient(model, wrt=["d", "L[0]", "w[0]"], method=method, rtol=1e-8, **numbers_asked())
    assert found.matrix == pytest.approx(differences_of_numbers(), rel=1e-5)


@pytest.mark.parametrize("kind", [KeptFourBar, RedundantFourBar])
def test_a_linear_model_has_independent_states(kind: type) -> None:
    found = tg.linearize(compiled(kind), outputs=["phi[1]"])
    assert found.states == ("phi[0]", "w[0]")
    slopes = [
        (crank_acceleration(1.2 + STEP, 8.0) - crank_acceleration(1.2 - STEP, 8.0)) / (2 * STEP),
        (crank_acceleration(1.2, 8.0 + STEP) - crank_acceleration(1.2, 8.0 - STEP)) / (2 * STEP),
    ]
    assert found.A == pytest.approx(np.array([[0.0, 1.0], slopes]), rel=1e-5, abs=1e-9)
    assert found.C.shape == (1, 2)


def test_a_body_that_turns_has_six_states() -> None:
    found = tg.linearize(compiled(Body))
    assert len(found.states) == 6
    assert {f"Q[{k}]" for k in range(3)} <= set(found.states)
