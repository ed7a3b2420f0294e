"""Impulses as of lightning, given by their rise time and the time in which they fall to one half.

    Heidler      y = A/eta x^m/(1 + x^m) exp(-t/tau2) with x = t/tau1         (F. Heidler 1985)
    double_exp   y = A/eta (exp(-t/tau1) - exp(-t/tau2))

The rise time T1 is that from 10 % to 90 % over 0.8; the line through both meets zero at the virtual begin, from
which T2, the time to one half, is counted. tau1, tau2 and eta are solved for when the model is built.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import blocks
from tellegen.library.electrical.interfaces import OnePort, Statements

APPROXIMATIONS = ("heidler", "double_exp")


class LightningImpulse(blocks.Source):
    """An impulse of a given height, rise time T1 and time T2 to one half; see the top of lightning.py."""

    amplitude = tg.parameter(1.0, description="height")
    T1 = tg.parameter(10e-6, structural=True, description="rise time in seconds")
    T2 = tg.parameter(350e-6, structural=True, description="time to one half in seconds")
    approximation = tg.parameter(
        "heidler", structural=True, description=", ".join(APPROXIMATIONS), choices=APPROXIMATIONS
    )
    m = tg.parameter(5, structural=True, description="exponent of the Heidler function, 2 or more")
    offset = tg.parameter(0.0, description="value before start_time, added after it")
    start_time = tg.parameter(0.0, "s", "begin of the impulse")

    def build(self) -> None:
        self._numbers = constants(self)

    def equations(self) -> Statements:
        eta, tau1, tau2 = self._numbers
        t = tg.time - self.start_time
        if self.approximation == "heidler":
            power = (tg.maximum(t, 0.0) / tau1) ** self.m
            shape = power / (1.0 + power) * tg.exp(-t / tau2)
        else:
            shape = tg.exp(-t / tau1) - tg.exp(-t / tau2)
        yield self.y == self.offset + tg.where(t < 0.0, 0.0, self.amplitude / eta * shape)


def constants(impulse: Any) -> tuple[float, float, float]:
    """eta, tau1 and tau2 of an impulse, from five conditions: the peak, 10 %, 90 % and 50 % of it."""
    from scipy.optimize import fsolve

    t1 = float(impulse.T1)
    t2 = float(impulse.T2)
    m = int(impulse.m)
    heidler = impulse.approximation == "heidler"
    if not (0.0 < t1 < (1.0 if heidler else 0.2) * t2 and m >= 2):
        what = f"an impulse that rises in {t1} s and falls to one half in {t2} s, exponent {m}"
        advice = "T1 < T2 and m >= 2 for the Heidler function, T1 < 0.2 T2 for two exponentials"
        raise tg.DataError("E704", what, location=impulse._location, advice=advice)

    def shape(t: float, tau1: float, tau2: float) -> float:
        if heidler:
            power = (max(t, 0.0) / tau1) ** m
            return float(power / (1.0 + power) * np.exp(-t / tau2))
        return float(np.exp(-t / tau1) - np.exp(-t / tau2))

    def peak(tau1: float, tau2: float) -> float:
        if heidler:
            top = fsolve(lambda t: tau2 / t * m - 1.0 - (t / tau1) ** m, t1 * (m * tau2 / tau1) ** (1 / (m + 1)))[0]
        else:
            top = np.log(tau1 / tau2) * tau1 * tau2 / (tau1 - tau2)
        return shape(float(top), tau1, tau2)

    def misses(unknown: Any) -> list[float]:
        t10, tau1, tau2 = np.exp(unknown)
        eta = peak(tau1, tau2)
        points = ((t10, 0.1), (t10 + 0.8 * t1, 0.9), (t10 - 0.1 * t1 + t2, 0.5))
        return [shape(t, tau1, tau2) / eta - part for t, part in points]

    if heidler:
        start = (0.5 * t1, t1, 1.4 * t2)
    else:
        start = (0.05 * t1, 1.4 * t2, 0.4 * t1)
    found, _, ok, message = fsolve(misses, np.log(start), full_output=True)
    if ok != 1:
        what = f"no impulse with T1 = {t1} s and T2 = {t2} s: {message}"
        raise tg.DataError("E704", what, location=impulse._location, advice="take T2 longer against T1")
    _, tau1, tau2 = np.exp(found)
    return peak(tau1, tau2), float(tau1), float(tau2)


class LightningImpulseVoltage(OnePort):
    """v is a LightningImpulse of the height V."""

    V = tg.parameter(1.0, "V", "height")
    T1 = tg.parameter(10e-6, structural=True, description="rise time in seconds")
    T2 = tg.parameter(350e-6, structural=True, description="time to one half in seconds")
    approximation = tg.parameter("heidler", structural=True, description=", ".join(APPROXIMATIONS))
    start_time = tg.parameter(0.0, "s", "begin of the impulse")
    signal_source = LightningImpulse(amplitude=V, T1=T1, T2=T2, approximation=approximation, start_time=start_time)

    def equations(self) -> Statements:
        yield self.v == self.signal_source.y


class LightningImpulseCurrent(OnePort):
    """i is a LightningImpulse of the height I, from p to n."""

    I = tg.parameter(1.0, "A", "height")  # noqa: E741
    T1 = tg.parameter(10e-6, structural=True, description="rise time in seconds")
    T2 = tg.parameter(350e-6, structural=True, description="time to one half in seconds")
    approximation = tg.parameter("heidler", structural=True, description=", ".join(APPROXIMATIONS))
    start_time = tg.parameter(0.0, "s", "begin of the impulse")
    signal_source = LightningImpulse(amplitude=I, T1=T1, T2=T2, approximation=approximation, start_time=start_time)

    def equations(self) -> Statements:
        yield self.i == self.signal_source.y
