"""Oscillations whose frequency or amplitude changes."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.blocks.interfaces import Source, Statements
from tellegen.library.blocks.sources.waveforms import SignalSource


class VariableOscillation(Source):
    """Oscillates with an amplitude and a frequency that are inputs: a base. The phase phi is the integral of 2 pi f."""

    amplitude = tg.input(description="amplitude", default=1.0)
    f = tg.input("Hz", "frequency", default=1.0)
    offset = tg.parameter(0.0, description="value around which it oscillates")
    phi = tg.variable("rad", "phase", start=0.0)

    def shape(self) -> Any:
        """The oscillation of amplitude 1."""
        raise NotImplementedError(f"{type(self).__name__} has to define shape()")

    def equations(self) -> Statements:
        yield tg.der(self.phi) == 2.0 * tg.pi * self.f
        yield self.y == self.offset + self.amplitude * self.shape()


class SineVariableFrequencyAndAmplitude(VariableOscillation):
    """y = offset + amplitude sin(phi) with dphi/dt = 2 pi f; amplitude and f are inputs, or numbers given for them."""

    def shape(self) -> Any:
        return tg.sin(self.phi)


class CosineVariableFrequencyAndAmplitude(VariableOscillation):
    """y = offset + amplitude cos(phi) with dphi/dt = 2 pi f; amplitude and f are inputs, or numbers given for them."""

    def shape(self) -> Any:
        return tg.cos(self.phi)


class Sinc(SignalSource):
    """y = offset + amplitude sin(x)/x with x = 2 pi f (t - start_time); offset before, with `continuous` the peak."""

    amplitude = tg.parameter(1.0, description="height of the peak")
    f = tg.parameter(1.0, "Hz", "frequency")
    continuous = tg.parameter(False, structural=True, description="stays at offset + amplitude before start_time")

    def equations(self) -> Statements:
        x = 2.0 * tg.pi * self.f * (tg.time - self.start_time)
        near = abs(x) < 1e-4
        shape = tg.no_event(tg.where(near, 1.0 - x**2 / 6.0, tg.sin(x) / tg.where(near, 1.0, x)))
        before = self.amplitude if self.continuous else 0.0
        yield self.y == self.offset + tg.where(tg.time < self.start_time, before, self.amplitude * shape)


class LogFrequencySweep(Source):
    """From w_min to w_max in `duration`, the same factor in every second: the input of a sweep through frequencies."""

    w_min = tg.parameter(1.0, description="value before start_time", min=1e-300)
    w_max = tg.parameter(10.0, description="value after the sweep", min=1e-300)
    start_time = tg.parameter(0.0, "s", "begin of the sweep")
    duration = tg.parameter(1.0, "s", "duration of the sweep", min=0.0)

    def equations(self) -> Statements:
        part = (tg.time - self.start_time) / tg.maximum(self.duration, 1e-300)
        rising = self.w_min * tg.exp(part * tg.log(self.w_max / self.w_min))
        after = tg.where(tg.time < self.start_time + self.duration, rising, self.w_max)
        yield self.y == tg.where(tg.time < self.start_time, self.w_min, after)
