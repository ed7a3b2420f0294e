"""Mechanisms of the Modelica Standard Library: the same motion by other components."""

from __future__ import annotations

import numpy as np
import pytest

import tellegen as tg
from modelica.library import msl_folder


@pytest.mark.filterwarnings("ignore:an assertion in the function .*normalizeWithAssert varies")
def test_a_constrained_body_moves_as_one_with_a_joint() -> None:
    """The states that are selected first are singular where the run begins: with them, one angle is undetermined."""
    library = tg.load_modelica(msl_folder())
    model = library["Modelica.Mechanics.MultiBody.Examples.Constraints.RevoluteConstraint"]
    solution = tg.simulate(model, stop=0.5, points=6)
    by_joint = np.asarray(solution["bodyOfJoint.body.w_a[2]"])
    by_constraint = np.asarray(solution["bodyOfConstraint.body.w_a[2]"])
    assert by_joint[-1] == pytest.approx(-1.9251, abs=1e-4)
    assert by_constraint == pytest.approx(by_joint, abs=1e-6)
