"""Sampled systems: blocks that act at the ticks of a clock and hold their outputs in between.

For example:

    import tellegen as tg
    from tellegen.library import blocks, sampled

    class Controlled(tg.Component):
        lag = blocks.FirstOrder(T=0.3)
        step = blocks.Step()
        control = sampled.PID(clock=tg.Clock("20 ms"), kp=2.0, ki=8.0, y_max=1.5)

        def connections(self):
            yield self.step.y, self.control.reference
            yield self.lag.y, self.control.measured
            yield self.control.y, self.lag.u

    tg.simulate(Controlled(), stop=2.0).plot("control.y", "lag.y")
"""

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.sampled.base import Sampled, SampledSISO
from tellegen.library.sampled.converters import ADC, DAC, Converter, Encoder, Quantizer
from tellegen.library.sampled.estimators import Estimator, KalmanFilter, Observer
from tellegen.library.sampled.holds import FirstOrderHold, PeriodicSampler, UnitDelay, ZeroOrderHold
from tellegen.library.sampled.linear import MatrixBlock, StateSpace, TransferFunction
from tellegen.library.sampled.noise import GaussianNoise, Noise, UniformNoise
from tellegen.library.sampled.pid import PID
from tellegen.library.sampled.pwm import PWM, HBridge

__all__ = [
    "ADC",
    "DAC",
    "PID",
    "PWM",
    "Converter",
    "Encoder",
    "Estimator",
    "FirstOrderHold",
    "GaussianNoise",
    "HBridge",
    "KalmanFilter",
    "MatrixBlock",
    "Noise",
    "Observer",
    "PeriodicSampler",
    "Quantizer",
    "Sampled",
    "SampledSISO",
    "StateSpace",
    "TransferFunction",
    "UniformNoise",
    "UnitDelay",
    "ZeroOrderHold",
]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
