"""Analog filters by family, kind and order.

A low-pass filter for 1 rad/s is a chain of sections with one or two poles,

    x' = a (u - x)                    and    x1' = x2,  x2' = a0 (u - x1) - a1 x2,

so every integrator in it has an input v and an output x. The others follow by what takes the place of the integrators
(the frequency transformations of filter design, in the time domain), with w the cut-off, w0 the middle and B the width
of a band:

    low pass    x' = w v                              high pass    v' = w x
    band pass   x' = B v - w0 z,  z' = w0 x           band stop    v' = B x - w0 z,  z' = w0 v

Poles depend on structural parameters, found by SciPy while the model is built; frequencies are ordinary parameters.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library.blocks.interfaces import SISO, Statements

FAMILIES = ("critical_damping", "bessel", "butterworth", "chebyshev_i")
DROP = 10.0**0.3
"""The power that a normalized filter takes away at its cut-off: 3 dB exactly, as a factor."""
KINDS = ("low_pass", "high_pass", "band_pass", "band_stop")


def poles(family: str, order: int, ripple: float, normalized: bool) -> np.ndarray[Any, Any]:
    """Poles of the low-pass filter for 1 rad/s: there, if `normalized`, the amplitude is 3 dB below that at 0.

    Butterworth filters have 1/sqrt(2) there by their definition, 3.01 dB.
    """
    from scipy import signal  # takes a while to import, and few models need it

    if family == "critical_damping":
        return np.full(order, -1.0 / np.sqrt(DROP ** (1.0 / order) - 1.0) if normalized else -1.0, complex)
    if family == "bessel":
        unscaled: np.ndarray[Any, Any] = signal.besselap(order, norm="mag" if normalized else "delay")[1]
        return unscaled / (_cut_off(unscaled) if normalized else 1.0)
    if family == "butterworth":
        return signal.buttap(order)[1]
    # |H|^2 = 1/(1 + e T(w)^2) with Chebyshev's polynomial T; |T(0)| is 1 for even orders and 0 for odd ones.
    e = 10.0 ** (0.1 * ripple) - 1.0
    at_zero = 1.0 + e if order % 2 == 0 else 1.0
    edge = np.cosh(np.arccosh(np.sqrt((DROP * at_zero - 1.0) / e)) / order) if normalized else 1.0
    return signal.cheb1ap(order, ripple)[1] / edge


def _cut_off(of: np.ndarray[Any, Any]) -> float:
    """The frequency near 1 rad/s at which a low pass with these poles has lost 3 dB."""
    from scipy.optimize import brentq

    def excess(w: float) -> float:
        return float(np.prod(np.abs(1.0 - 1j * w / of) ** 2)) - DROP

    found: Any = brentq(excess, 0.5, 2.0, xtol=1e-15)
    return float(found)


def sections(of: np.ndarray[Any, Any]) -> list[tuple[float, ...]]:
    """(a,) for every real pole -a, (a0, a1) for every pair: the slow ones first."""
    real = [(float(-p.real),) for p in of if abs(p.imag) < 1e-12 * abs(p)]
    pairs = [(float(abs(p) ** 2), float(-2.0 * p.real)) for p in of if p.imag >= 1e-12 * abs(p)]
    return [*real, *sorted(pairs)]


def chain(of: list[tuple[float, ...]], states: Any, u: Any, turned: bool) -> tuple[list[Any], Any]:
    """What drives every state, and the output. Turned, states are the inputs v of integrators, else their outputs x."""
    drives: list[Any] = []
    for section in of:
        s = states[len(drives)]
        if len(section) == 1:
            a = section[0]
            drives.append(u - s / a if turned else a * (u - s))
            u = drives[-1] if turned else s
            continue
        a0, a1 = section
        first = s
        second = states[len(drives) + 1]
        if turned:  # first = x2, second = a0 (u - x1) - a1 x2
            drives += [u - (second + a1 * first) / a0, first]
            u = drives[-2]
        else:
            drives += [second, a0 * (u - first) - a1 * second]
            u = first
    return drives, u


class Filter(SISO):
    """Low pass, high pass, band pass or band stop: Bessel, Butterworth, Chebyshev I or critically damped, of any order.

    `gain` is the amplitude in the pass band: at frequency 0 of a low pass and a band stop, at high frequencies of a
    high pass, in the middle of a band pass. A filter that is `normalized` is 3 dB below it at f_cut (and at f_min), a
    factor of 10^(-3/20), Butterworth filters by 1/sqrt(2); else the poles are those of the family: f_cut is the end of
    the ripple of Chebyshev filters.
    """

    analog_filter = tg.parameter(
        "critical_damping", structural=True, description=f"family: {', '.join(FAMILIES)}", choices=FAMILIES
    )
    filter_type = tg.parameter("low_pass", structural=True, description=f"kind: {', '.join(KINDS)}", choices=KINDS)
    order = tg.parameter(2, structural=True, description="order; a band filter has twice as many states")
    seconds = tg.parameter(0, structural=True, description="second states: as many as the order for a band, else 0")
    A_ripple = tg.parameter(0.5, structural=True, description="ripple of Chebyshev filters in the pass band, in dB")
    normalized = tg.parameter(True, structural=True, description="3 dB at the cut-off")
    f_cut = tg.parameter(1.0, "Hz", "cut-off, the upper one of a band", min=1e-300)
    f_min = tg.parameter(0.5 * f_cut, "Hz", "lower cut-off of a band", min=1e-300)
    gain = tg.parameter(1.0, description="amplitude in the pass band")
    x = tg.variable(shape=order, description="states", start=0.0)
    z = tg.variable(shape=seconds, description="second states of a band filter", start=0.0)

    def build(self) -> None:
        self.seconds = self.order if self.filter_type.startswith("band") else 0
        if not 1 <= self.order <= 20:
            what = f"a filter of order {self.order}"
            advice = "take an order from 1 to 20"
            raise tg.DataError("E704", what, location=self._location, advice=advice)
        if self.analog_filter == "chebyshev_i" and self.normalized and self.order % 2 and self.A_ripple >= 3.0:
            what = f"a Chebyshev filter whose ripple of {self.A_ripple:g} dB passes the 3 dB of its cut-off"
            advice = "take a ripple below 3 dB, or normalized=False: f_cut is then the end of the ripple"
            raise tg.DataError("E704", what, location=self._location, advice=advice)

    def equations(self) -> Statements:
        turned = self.filter_type in ("high_pass", "band_stop")
        band = self.filter_type.startswith("band")
        of = sections(poles(self.analog_filter, self.order, self.A_ripple, self.normalized))
        drives, y = chain(of, self.x, self.u, turned)
        w = 2 * tg.pi * self.f_cut
        w0 = 2 * tg.pi * tg.sqrt(self.f_cut * self.f_min)
        if band:
            w = 2 * tg.pi * (self.f_cut - self.f_min)
            yield tg.assert_(self.f_min < self.f_cut, "f_min must be below f_cut")  # noqa: PT009
        for k, drive in enumerate(drives):
            yield tg.der(self.x[k]) == (w * drive - w0 * self.z[k] if band else w * drive)
            if band:
                yield tg.der(self.z[k]) == w0 * self.x[k]
        yield self.y == self.gain * y


class LowpassButterworth(SISO):
    """Butterworth filter of order n: flat up to the cut-off f, where the amplitude is 1/sqrt(2)."""

    n = tg.parameter(2, structural=True, description="order")
    f = tg.parameter(1.0, "Hz", "cut-off", min=1e-300)
    x = tg.variable(shape=n, description="states", start=0.0)

    def equations(self) -> Statements:
        drives, y = chain(sections(poles("butterworth", self.n, 0.0, True)), self.x, self.u, False)
        for k, drive in enumerate(drives):
            yield tg.der(self.x[k]) == 2 * tg.pi * self.f * drive
        yield self.y == y


class CriticalDamping(SISO):
    """n equal lags: the steepest filter without overshoot; at f the amplitude is 1/sqrt(2) if normalized."""

    n = tg.parameter(2, structural=True, description="order")
    f = tg.parameter(1.0, "Hz", "cut-off", min=1e-300)
    normalized = tg.parameter(True, structural=True, description="else each lag by itself has the cut-off f")
    x = tg.variable(shape=n, description="states", start=0.0)

    def equations(self) -> Statements:
        pole = -1.0 / np.sqrt(2.0 ** (1.0 / self.n) - 1.0) if self.normalized else -1.0
        drives, y = chain(sections(np.full(self.n, pole, complex)), self.x, self.u, False)
        for k, drive in enumerate(drives):
            yield tg.der(self.x[k]) == 2 * tg.pi * self.f * drive
        yield self.y == y
