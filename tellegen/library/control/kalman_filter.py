"""An extended Kalman filter as a part."""

from __future__ import annotations

from typing import Any

import tellegen as tg


def KalmanFilter(plant: Any, period: float | str, **asked: Any) -> Any:
    """A part that estimates the states of its plant from what is measured; arguments are those of tg.kalman_filter.

    Its inputs are the inputs of the plant and `measured_...`, its outputs the states (and parameters) as they are
    estimated, with `sigma_...`, their standard deviations.
    """
    return tg.kalman_filter(plant, period, **asked)
