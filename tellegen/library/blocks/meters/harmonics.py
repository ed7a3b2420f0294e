"""What a periodic signal is made of: one harmonic, the distortion by all others, the spectrum of a window."""

from __future__ import annotations

import math

import tellegen as tg
from tellegen.library.blocks.interfaces import SISO, Statements, signal
from tellegen.library.blocks.meters.means import Mean, RootMeanSquare


class Harmonic(tg.Component):
    """The harmonic of order k over every period 1/f: sqrt(2) y_rms cos(k w t - y_arg).

    With use_conjugate_complex the angle has the other sign, as phasors have it. Output at the end of each period.
    """

    u = tg.input(description="signal")
    f = tg.parameter(50.0, "Hz", "base frequency", min=1e-300)
    k = tg.parameter(1, "1", "order")
    use_conjugate_complex = tg.parameter(False, structural=True, description="the angle with the other sign")
    y_rms = tg.output(description="root mean square")
    y_arg = tg.output("rad", "angle")
    cosine = Mean(f=f)
    sine = Mean(f=f)

    def equations(self) -> Statements:
        angle = 2.0 * tg.pi * self.k * self.f * tg.time
        root = math.sqrt(2.0)
        yield self.cosine.u == root * tg.cos(angle) * self.u
        yield self.sine.u == root * tg.sin(angle) * self.u
        yield self.y_rms == tg.sqrt(self.cosine.y**2 + self.sine.y**2)
        argument = tg.atan2(self.sine.y, self.cosine.y)
        yield self.y_arg == (-argument if self.use_conjugate_complex else argument)


class TotalHarmonicDistortion(SISO):
    """Root mean square of all but the first harmonic over that of the first, or of the whole signal."""

    f = tg.parameter(1.0, "Hz", "base frequency", min=1e-300)
    use_first_harmonic = tg.parameter(True, structural=True, description="against the first harmonic, not the whole")
    valid = tg.output("1", "1 once there is a period with a first harmonic")
    first = Harmonic(f=f)
    whole = RootMeanSquare(f=f)

    def equations(self) -> Statements:
        yield self.first.u == self.u
        yield self.whole.u == self.u
        rest = self.whole.y**2 - self.first.y_rms**2
        reference = self.first.y_rms if self.use_first_harmonic else self.whole.y
        yield self.valid == signal((self.first.y_rms > 0.0) & (rest >= 0.0))
        yield self.y == tg.sqrt(tg.maximum(rest, 0.0)) / tg.maximum(reference, 2.2e-16)


class RealFFT(tg.Component):
    """Amplitudes and phases at 0, f_res, 2 f_res, ... f_max of windows of 1/f_res, output when a window is complete.

    u is sampled ten times in a period of f_max. As every discrete transform it takes the window for one period of a
    periodic signal. y_abs[0] is the mean; phase[k] is that of a cosine that begins with the window.
    """

    f_max = tg.parameter(4.0, structural=True, description="largest frequency of interest in Hz")
    f_res = tg.parameter(0.2, structural=True, description="distance of frequencies in Hz")
    nf = tg.parameter(21, structural=True, description="number of frequencies, found from f_max and f_res")
    u = tg.input(description="signal")
    y_abs = tg.output(description="amplitudes", shape=nf)
    phase = tg.output("rad", "phases", shape=nf)
    number = tg.integer("number of the sample in its window")
    real = tg.variable(description="sums of the window that runs", shape=nf, discrete=True, start=0.0)
    imaginary = tg.variable(description="sums of the window that runs", shape=nf, discrete=True, start=0.0)
    re = tg.variable(description="real parts of the last window", shape=nf, discrete=True, start=0.0)
    im = tg.variable(description="imaginary parts of the last window", shape=nf, discrete=True, start=0.0)

    def __init__(self, *unnamed: object, **given: object) -> None:
        f_max = given.get("f_max", 4.0)
        f_res = given.get("f_res", 0.2)
        if isinstance(f_max, (int, float)) and isinstance(f_res, (int, float)) and f_res > 0.0:
            given.setdefault("nf", math.ceil(f_max / f_res - 1e-9) + 1)
        super().__init__(*unnamed, **given)

    def equations(self) -> Statements:
        ns = 10 * (self.nf - 1)
        orders = range(self.nf)
        number = tg.pre(self.number)
        begins = number == 0
        scale = [1.0 / ns if k == 0 else 2.0 / ns for k in orders]
        step = [2.0 * math.pi * k / ns for k in orders]
        last = number == ns - 1
        real = [tg.where(begins, 0.0, tg.pre(self.real[k])) + self.u * tg.cos(step[k] * number) for k in orders]
        imaginary = [
            tg.where(begins, 0.0, tg.pre(self.imaginary[k])) - self.u * tg.sin(step[k] * number) for k in orders
        ]
        yield tg.when(
            tg.sample(0.0, 1.0 / (ns * self.f_res)),
            self.number == tg.where(last, 0, number + 1),
            *(self.real[k] == real[k] for k in orders),
            *(self.imaginary[k] == imaginary[k] for k in orders),
            *(self.re[k] == tg.where(last, scale[k] * real[k], tg.pre(self.re[k])) for k in orders),
            *(self.im[k] == tg.where(last, scale[k] * imaginary[k], tg.pre(self.im[k])) for k in orders),
        )
        for k in orders:
            yield self.y_abs[k] == tg.sqrt(self.re[k] ** 2 + self.im[k] ** 2)
            yield self.phase[k] == tg.atan2(self.im[k], self.re[k])
