"""Alternating sources whose amplitude and frequency are signals; the phase is the integral of the frequency."""

from __future__ import annotations

import tellegen as tg
from tellegen.library import blocks
from tellegen.library.electrical.interfaces import OnePort, Statements


class VariableVoltage(OnePort):
    """Base of voltages made by a block with the inputs V and f."""

    V = tg.input("V", "amplitude", default=1.0)
    f = tg.input("Hz", "frequency", default=1.0)
    offset = tg.parameter(0.0, "V", "voltage around which it oscillates")
    signal_source = blocks.SineVariableFrequencyAndAmplitude(offset=offset)

    def equations(self) -> Statements:
        yield self.signal_source.amplitude == self.V
        yield self.signal_source.f == self.f
        yield self.v == self.signal_source.y


class SineVoltageVariableFrequencyAndAmplitude(VariableVoltage):
    """v = offset + V sin(phi) with dphi/dt = 2 pi f; V and f are inputs."""


class CosineVoltageVariableFrequencyAndAmplitude(VariableVoltage):
    """v = offset + V cos(phi) with dphi/dt = 2 pi f; V and f are inputs."""

    signal_source = blocks.CosineVariableFrequencyAndAmplitude(offset=VariableVoltage.offset)


class VariableCurrent(OnePort):
    """Base of currents made by a block with the inputs I and f."""

    I = tg.input("A", "amplitude", default=1.0)  # noqa: E741
    f = tg.input("Hz", "frequency", default=1.0)
    offset = tg.parameter(0.0, "A", "current around which it oscillates")
    signal_source = blocks.SineVariableFrequencyAndAmplitude(offset=offset)

    def equations(self) -> Statements:
        yield self.signal_source.amplitude == self.I
        yield self.signal_source.f == self.f
        yield self.i == self.signal_source.y


class SineCurrentVariableFrequencyAndAmplitude(VariableCurrent):
    """i = offset + I sin(phi) with dphi/dt = 2 pi f; I and f are inputs."""


class CosineCurrentVariableFrequencyAndAmplitude(VariableCurrent):
    """i = offset + I cos(phi) with dphi/dt = 2 pi f; I and f are inputs."""

    signal_source = blocks.CosineVariableFrequencyAndAmplitude(offset=VariableCurrent.offset)
