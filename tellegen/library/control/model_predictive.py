"""A predictive controller as a part."""

from __future__ import annotations

from typing import Any

import tellegen as tg


def ModelPredictive(plant: Any, **asked: Any) -> Any:
    """A part that chooses the inputs of its plant by looking ahead; arguments are those of tg.predictive_control.

    Its inputs are the states of the plant and `reference_...` of what is tracked, its outputs the inputs of the plant;
    `part.controller` is the controller with all decisions of the last run.
    """
    return tg.predictive_control(plant, **asked).block()
