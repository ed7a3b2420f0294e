"""Sources of current, from p through the source to n: constant, a signal, and the shapes of the blocks.

The shape is that of a block of the same name, kept as `signal_source`, as for voltages. A positive current leaves the
circuit at p and comes back at n: connected from ground (p) to a node (n), it charges the node.
"""

# ruff: noqa: E741 - I is the name that every electrical engineer expects
from __future__ import annotations

import tellegen as tg
from tellegen.library.blocks.sources import periodic, waveforms
from tellegen.library.blocks.tables import time_tables
from tellegen.library.electrical.interfaces import OnePort, Statements


class ConstantCurrent(OnePort):
    """i = I, from p to n."""

    I = tg.parameter(1.0, "A", "current")

    def equations(self) -> Statements:
        yield self.i == self.I


class SignalCurrent(OnePort):
    """The current from p to n is an input signal u; i is the current of every one-port, so the input is not named i."""

    u = tg.input("A", "current from p to n")

    def equations(self) -> Statements:
        yield self.i == self.u


class CurrentSource(OnePort):
    """Base of currents given by a block: i = signal_source.y, from p to n."""

    offset = tg.parameter(0.0, "A", "current before start_time, added after it")
    start_time = tg.parameter(0.0, "s", "begin of the shape")
    signal_source = waveforms.Constant(k=offset)

    def equations(self) -> Statements:
        yield self.i == self.signal_source.y


BEGIN = {"offset": CurrentSource.offset, "start_time": CurrentSource.start_time}


class StepCurrent(CurrentSource):
    """i = offset until start_time, offset + I after."""

    I = tg.parameter(1.0, "A", "height of the step")
    signal_source = waveforms.Step(height=I, **BEGIN)


class RampCurrent(CurrentSource):
    """i goes from offset at start_time to offset + I in a straight line that takes `duration`."""

    I = tg.parameter(1.0, "A", "height of the ramp")
    duration = tg.parameter(2.0, "s", "time from foot to top; 0 makes a step", min=0.0)
    signal_source = waveforms.Ramp(height=I, duration=duration, **BEGIN)


class SineCurrent(CurrentSource):
    """i = offset + I sin(2 pi f (t - start_time) + phase), offset before start_time."""

    I = tg.parameter(1.0, "A", "amplitude")
    f = tg.parameter(1.0, "Hz", "frequency")
    phase = tg.parameter(0.0, "rad", "phase")
    signal_source = waveforms.Sine(amplitude=I, f=f, phase=phase, **BEGIN)


class CosineCurrent(CurrentSource):
    """i = offset + I cos(2 pi f (t - start_time) + phase), offset before start_time."""

    I = tg.parameter(1.0, "A", "amplitude")
    f = tg.parameter(1.0, "Hz", "frequency")
    phase = tg.parameter(0.0, "rad", "phase")
    signal_source = waveforms.Cosine(amplitude=I, f=f, phase=phase, **BEGIN)


class ExpSineCurrent(CurrentSource):
    """A sine that dies away: i = offset + I exp(-damping t') sin(2 pi f t' + phase), t' = t - start_time."""

    I = tg.parameter(1.0, "A", "amplitude at the begin")
    f = tg.parameter(2.0, "Hz", "frequency")
    phase = tg.parameter(0.0, "rad", "phase")
    damping = tg.parameter(1.0, "1/s", "rate at which it dies away")
    signal_source = waveforms.ExpSine(amplitude=I, f=f, phase=phase, damping=damping, **BEGIN)


class ExponentialsCurrent(CurrentSource):
    """i rises from offset towards offset + i_max for rise_time and falls back, each with a time constant."""

    i_max = tg.parameter(1.0, "A", "height it would reach if the rise went on")
    rise_time = tg.parameter(0.5, "s", "duration of the rise", min=0.0)
    rise_time_const = tg.parameter(0.1, "s", "time constant of the rise: after it 63 % are reached", min=1e-300)
    fall_time_const = tg.parameter(rise_time_const, "s", "time constant of the fall", min=1e-300)
    signal_source = waveforms.Exponentials(
        out_max=i_max,
        rise_time=rise_time,
        rise_time_const=rise_time_const,
        fall_time_const=fall_time_const,
        **BEGIN,
    )


class PulseCurrent(CurrentSource):
    """Rectangular pulses: i = offset + I for the part `width` of every period from start_time on, else offset."""

    I = tg.parameter(1.0, "A", "height of the pulses")
    width = tg.parameter(0.5, "1", "duty: part of the period that is high", min=0.0, max=1.0)
    period = tg.parameter(1.0, "s", "period", min=0.0)
    signal_source = periodic.Pulse(amplitude=I, width=width, period=period, **BEGIN)


class SawToothCurrent(CurrentSource):
    """i rises by I in every period from start_time on and falls back at once."""

    I = tg.parameter(1.0, "A", "height of the teeth")
    period = tg.parameter(1.0, "s", "period", min=0.0)
    signal_source = periodic.SawTooth(amplitude=I, period=period, **BEGIN)


class TrapezoidCurrent(CurrentSource):
    """Pulses with ramps: in every period i rises for `rising`, stays for `width`, falls for `falling`."""

    I = tg.parameter(1.0, "A", "height of the pulses")
    rising = tg.parameter(0.0, "s", "time of the rising ramp", min=0.0)
    width = tg.parameter(0.5, "s", "time at the top", min=0.0)
    falling = tg.parameter(0.0, "s", "time of the falling ramp", min=0.0)
    period = tg.parameter(1.0, "s", "period", min=0.0)
    signal_source = periodic.Trapezoid(amplitude=I, rising=rising, width=width, falling=falling, period=period, **BEGIN)


class TableCurrent(CurrentSource):
    """Straight lines through points, the first and last value outside; two points at one time are a jump."""

    times = tg.parameter((0.0, 1.0), structural=True, description="times of the points in seconds, rising")
    values = tg.parameter((0.0, 1.0), structural=True, description="currents at these times, in amperes")
    signal_source = time_tables.Table(times=times, values=values, **BEGIN)
