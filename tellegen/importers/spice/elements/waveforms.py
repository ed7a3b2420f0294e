"""Sources with the shapes of netlists: SIN, PULSE, PWL, EXP, SFFM.

Every shape is a mixture class with `shape()`, an expression of time; with OnePort it is a source of voltage or current.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import pi
from typing import Any

import tellegen as tg
from tellegen.library import blocks
from tellegen.library.electrical import OnePort

Statements = Iterator[Any]


class Voltage(OnePort):
    """v = shape."""

    def equations(self) -> Statements:
        yield self.v == self.shape()  # type: ignore[attr-defined]


class Current(OnePort):
    """i = shape, from p to n."""

    def equations(self) -> Statements:
        yield self.i == self.shape()  # type: ignore[attr-defined]


class DampedSine(tg.Component):
    """SIN: offset + amplitude exp(-theta (t - delay)) sin(2 pi f (t - delay) + phase), from delay on."""

    offset = tg.parameter(0.0)
    amplitude = tg.parameter(1.0)
    f = tg.parameter(1.0, "Hz", "frequency")
    delay = tg.parameter(0.0, "s", "start time")
    theta = tg.parameter(0.0, "1/s", "damping")
    phase = tg.parameter(0.0, "rad", "phase")

    def shape(self) -> Any:
        """The value at any time."""
        t = tg.time - self.delay
        swing = tg.exp(-self.theta * t) * tg.sin(2 * pi * self.f * t + self.phase)
        return self.offset + self.amplitude * tg.where(tg.time < self.delay, tg.sin(self.phase), swing)


class TwoExponentials(tg.Component):
    """EXP: from `first` towards `second` from rise_delay on, and back from fall_delay on."""

    first = tg.parameter(0.0)
    second = tg.parameter(1.0)
    rise_delay = tg.parameter(0.0, "s")
    rise_time = tg.parameter(1.0, "s", "time constant of the rise")
    fall_delay = tg.parameter(1.0, "s")
    fall_time = tg.parameter(1.0, "s", "time constant of the fall")

    def shape(self) -> Any:
        """The value at any time."""
        rise = 1.0 - tg.exp(-(tg.time - self.rise_delay) / self.rise_time)
        fall = 1.0 - tg.exp(-(tg.time - self.fall_delay) / self.fall_time)
        risen = tg.where(tg.time < self.rise_delay, 0.0, rise)
        return self.first + (self.second - self.first) * (risen - tg.where(tg.time < self.fall_delay, 0.0, fall))


class FrequencyModulation(tg.Component):
    """SFFM: offset + amplitude sin(2 pi carrier t + index sin(2 pi signal t))."""

    offset = tg.parameter(0.0)
    amplitude = tg.parameter(1.0)
    carrier = tg.parameter(1.0, "Hz")
    index = tg.parameter(0.0, "1", "modulation index")
    signal = tg.parameter(1.0, "Hz")

    def shape(self) -> Any:
        """The value at any time."""
        inner = self.index * tg.sin(2 * pi * self.signal * tg.time)
        return self.offset + self.amplitude * tg.sin(2 * pi * self.carrier * tg.time + inner)


class Vanishing(tg.Component):
    """From an amount at t = 0 along a straight line to nothing."""

    amount = tg.parameter(0.0)
    duration = tg.parameter(1.0, "s")

    def shape(self) -> Any:
        """The value at any time."""
        return tg.where(tg.time < self.duration, self.amount * (1.0 - tg.time / self.duration), 0.0)


class Pulses(tg.Component):
    """PULSE: trapezoids of the library."""

    pulse = blocks.Trapezoid()

    def shape(self) -> Any:
        """The value at any time."""
        return self.pulse.y


class Corners(tg.Component):
    """PWL: straight lines between points, a table of the library."""

    table = blocks.Table()

    def shape(self) -> Any:
        """The value at any time."""
        return self.table.y


class DampedSineVoltage(DampedSine, Voltage):
    """SIN of a voltage source."""


class DampedSineCurrent(DampedSine, Current):
    """SIN of a current source."""


class TwoExponentialsVoltage(TwoExponentials, Voltage):
    """EXP of a voltage source."""


class TwoExponentialsCurrent(TwoExponentials, Current):
    """EXP of a current source."""


class FrequencyModulationVoltage(FrequencyModulation, Voltage):
    """SFFM of a voltage source."""


class FrequencyModulationCurrent(FrequencyModulation, Current):
    """SFFM of a current source."""


class VanishingVoltage(Vanishing, Voltage):
    """A voltage that vanishes."""


class VanishingCurrent(Vanishing, Current):
    """A current that vanishes."""


class PulsesVoltage(Pulses, Voltage):
    """PULSE of a voltage source."""


class PulsesCurrent(Pulses, Current):
    """PULSE of a current source."""


class CornersVoltage(Corners, Voltage):
    """PWL of a voltage source."""


class CornersCurrent(Corners, Current):
    """PWL of a current source."""
