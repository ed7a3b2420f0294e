"""Sources of voltage: constant, a signal, and the shapes of the blocks.

The shape is that of a block of the same name, kept as `signal_source`; so each formula stands in one place, and a
`blocks.Sine` and a `SineVoltage` with the same numbers are the same to the last digit.
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library.blocks.sources import periodic, waveforms
from tellegen.library.blocks.tables import time_tables
from tellegen.library.electrical.interfaces import OnePort, Statements


class ConstantVoltage(OnePort):
    """v = V."""

    V = tg.parameter(1.0, "V", "voltage")

    def equations(self) -> Statements:
        yield self.v == self.V


class SignalVoltage(OnePort):
    """The voltage is an input signal u; v is the voltage of every one-port, a variable, so the input is not named v."""

    u = tg.input("V", "voltage from p to n")

    def equations(self) -> Statements:
        yield self.v == self.u


class VoltageSource(OnePort):
    """Base of voltages given by a block: v = signal_source.y."""

    offset = tg.parameter(0.0, "V", "voltage before start_time, added after it")
    start_time = tg.parameter(0.0, "s", "begin of the shape")
    signal_source = waveforms.Constant(k=offset)

    def equations(self) -> Statements:
        yield self.v == self.signal_source.y


BEGIN = {"offset": VoltageSource.offset, "start_time": VoltageSource.start_time}


class StepVoltage(VoltageSource):
    """v = offset until start_time, offset + V after."""

    V = tg.parameter(1.0, "V", "height of the step")
    signal_source = waveforms.Step(height=V, **BEGIN)


class RampVoltage(VoltageSource):
    """v goes from offset at start_time to offset + V in a straight line that takes `duration`."""

    V = tg.parameter(1.0, "V", "height of the ramp")
    duration = tg.parameter(2.0, "s", "time from foot to top; 0 makes a step", min=0.0)
    signal_source = waveforms.Ramp(height=V, duration=duration, **BEGIN)


class SineVoltage(VoltageSource):
    """v = offset + V sin(2 pi f (t - start_time) + phase), offset before start_time."""

    V = tg.parameter(1.0, "V", "amplitude")
    f = tg.parameter(1.0, "Hz", "frequency")
    phase = tg.parameter(0.0, "rad", "phase")
    signal_source = waveforms.Sine(amplitude=V, f=f, phase=phase, **BEGIN)


class CosineVoltage(VoltageSource):
    """v = offset + V cos(2 pi f (t - start_time) + phase), offset before start_time."""

    V = tg.parameter(1.0, "V", "amplitude")
    f = tg.parameter(1.0, "Hz", "frequency")
    phase = tg.parameter(0.0, "rad", "phase")
    signal_source = waveforms.Cosine(amplitude=V, f=f, phase=phase, **BEGIN)


class ExpSineVoltage(VoltageSource):
    """A sine that dies away: v = offset + V exp(-damping t') sin(2 pi f t' + phase), t' = t - start_time."""

    V = tg.parameter(1.0, "V", "amplitude at the begin")
    f = tg.parameter(2.0, "Hz", "frequency")
    phase = tg.parameter(0.0, "rad", "phase")
    damping = tg.parameter(1.0, "1/s", "rate at which it dies away")
    signal_source = waveforms.ExpSine(amplitude=V, f=f, phase=phase, damping=damping, **BEGIN)


class ExponentialsVoltage(VoltageSource):
    """v rises from offset towards offset + v_max for rise_time and falls back, each with a time constant."""

    v_max = tg.parameter(1.0, "V", "height it would reach if the rise went on")
    rise_time = tg.parameter(0.5, "s", "duration of the rise", min=0.0)
    rise_time_const = tg.parameter(0.1, "s", "time constant of the rise: after it 63 % are reached", min=1e-300)
    fall_time_const = tg.parameter(rise_time_const, "s", "time constant of the fall", min=1e-300)
    signal_source = waveforms.Exponentials(
        out_max=v_max,
        rise_time=rise_time,
        rise_time_const=rise_time_const,
        fall_time_const=fall_time_const,
        **BEGIN,
    )


class PulseVoltage(VoltageSource):
    """Rectangular pulses: v = offset + V for the part `width` of every period from start_time on, else offset."""

    V = tg.parameter(1.0, "V", "height of the pulses")
    width = tg.parameter(0.5, "1", "duty: part of the period that is high", min=0.0, max=1.0)
    period = tg.parameter(1.0, "s", "period", min=0.0)
    signal_source = periodic.Pulse(amplitude=V, width=width, period=period, **BEGIN)


class SawToothVoltage(VoltageSource):
    """v rises by V in every period from start_time on and falls back at once."""

    V = tg.parameter(1.0, "V", "height of the teeth")
    period = tg.parameter(1.0, "s", "period", min=0.0)
    signal_source = periodic.SawTooth(amplitude=V, period=period, **BEGIN)


class TrapezoidVoltage(VoltageSource):
    """Pulses with ramps: in every period v rises for `rising`, stays for `width`, falls for `falling`."""

    V = tg.parameter(1.0, "V", "height of the pulses")
    rising = tg.parameter(0.0, "s", "time of the rising ramp", min=0.0)
    width = tg.parameter(0.5, "s", "time at the top", min=0.0)
    falling = tg.parameter(0.0, "s", "time of the falling ramp", min=0.0)
    period = tg.parameter(1.0, "s", "period", min=0.0)
    signal_source = periodic.Trapezoid(amplitude=V, rising=rising, width=width, falling=falling, period=period, **BEGIN)


class TableVoltage(VoltageSource):
    """Straight lines through points, the first and last value outside; two points at one time are a jump."""

    times = tg.parameter((0.0, 1.0), structural=True, description="times of the points in seconds, rising")
    values = tg.parameter((0.0, 1.0), structural=True, description="voltages at these times, in volts")
    signal_source = time_tables.Table(times=times, values=values, **BEGIN)
