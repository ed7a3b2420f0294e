"""Controllers that contain the model of their plant.

For example:

    import tellegen as tg
    from tellegen.library import control

    class Loop(tg.Component):
        plant = Slide(m=2.2)
        control = control.ModelPredictive(
            plant=Slide(),
            period="100 ms",
            horizon=20,
            cost=tg.Cost(track={"x": 10.0}, effort={"force": 0.01}),
            limits={"force": (-5.0, 5.0), "v": (-0.8, 0.8)},
        )
"""

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.control.kalman_filter import KalmanFilter
from tellegen.library.control.model_predictive import ModelPredictive

__all__ = ["KalmanFilter", "ModelPredictive"]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
