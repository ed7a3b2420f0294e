"""Nyquist and Nichols plots of a loop, with its margins drawn in."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.analyses.linearization.margins import Margins, margins_of
from tellegen.analyses.linearization.open_loop import OpenLoop
from tellegen.figure import entitle, panels

LOOP_PLOTS = ("nyquist", "nichols")
_LINE = "#888888"
_FURTHER = "#cccccc"
_POINT = "#dd5533"
_DECIBELS = 60.0  # what the Nichols plot shows of the gain, up and down
_MIDDLE = -0.5  # of the Nyquist plot, which shows -1 and 0
_NEAREST = 1.6  # how far it looks at least, and at most where L is larger
_FARTHEST = 2.2
_CLOSED_LOOP = (0.5, 1.0, 3.0, 6.0, 12.0)  # decibels of the closed loop, in Nichols' chart
_ANGLES = np.linspace(0.0, 2.0 * np.pi, 400)


def plot_loop(loop: OpenLoop, name: str, kind: str) -> Any:
    """A matplotlib figure of one kind."""
    found = margins_of(loop, name)
    response = loop.response(loop.frequencies)
    with panels(1, 1, (6.5, 5.6)) as (figure, ((axis,),)):
        if kind == "nyquist":
            _nyquist(axis, response, found)
        else:
            _nichols(axis, response)
        axis.set_title(_caption(found), fontsize="small", color="#333333")
        entitle(figure, f"{name}: {kind}, {loop.output} from {loop.input}")
    return figure


def _caption(found: Margins) -> str:
    if not found.stable:
        return found.message
    gain = f"gain margin {20.0 * np.log10(found.gain_margin):.3g} dB"
    return f"{gain}, phase margin {found.phase_margin:.3g}°, Ms {found.sensitivity_peak:.3g}"


def _nyquist(axis: Any, response: Any, found: Margins) -> None:
    """L(jw) and its mirror image, the unit circle, and the circle around -1 that L does not enter."""
    axis.plot(np.cos(_ANGLES), np.sin(_ANGLES), color=_LINE, linewidth=0.9)
    radius = found.modulus_margin
    axis.plot(radius * np.cos(_ANGLES) - 1.0, radius * np.sin(_ANGLES), color=_POINT, linewidth=0.9, linestyle=":")
    axis.plot(response.real, response.imag, label="positive frequencies")
    axis.plot(response.real, -response.imag, color="#3366aa", linestyle="--", linewidth=1.0, label="negative")
    axis.plot([-1.0], [0.0], "+", color=_POINT, markersize=11, markeredgewidth=2)
    for each in found.gain_crossovers:
        angle = np.radians(each.phase_margin) + np.pi
        axis.plot([np.cos(angle)], [np.sin(angle)], "o", color=_POINT, markersize=4)
    for each in found.phase_crossovers:
        axis.plot([-1.0 / each.gain_margin], [0.0], "o", color=_POINT, markersize=4)
    axis.set_aspect("equal")
    size = np.abs(response[np.isfinite(response)] - _MIDDLE).max(initial=0.0)
    reach = min(_FARTHEST, max(_NEAREST, 1.1 * size))
    axis.set_xlim(_MIDDLE - reach, _MIDDLE + reach)
    axis.set_ylim(-reach, reach)
    axis.set_xlabel("real part")
    axis.set_ylabel("imaginary part")
    axis.legend(loc="upper right")


def _nichols(axis: Any, response: Any) -> None:
    """Gain over phase, with lines of constant gain of the closed loop around -180 degrees."""
    with np.errstate(divide="ignore"):
        gain = 20.0 * np.log10(np.abs(response))
    phase = np.degrees(np.unwrap(np.angle(response)))
    phase -= 360.0 * np.ceil(phase[np.abs(gain).argmin()] / 360.0)  # at a gain of one between -360 and 0
    is_shown = np.abs(gain) <= _DECIBELS
    gain = gain[is_shown]
    phase = phase[is_shown]
    lowest = phase.min(initial=0.0)
    highest = phase.max(initial=-360.0)
    for decibel in _CLOSED_LOOP:
        closed = 10.0 ** (decibel / 20.0) * np.exp(1j * _ANGLES)
        loop = closed / (1.0 - closed)  # a circle to the left of -1/2, so its phase is less than 90 degrees from -180
        angle = np.degrees(np.angle(-loop)) - 180.0
        for turn in range(int(np.floor(lowest / 360.0)), int(np.ceil(highest / 360.0)) + 1):
            axis.plot(angle + 360.0 * turn, 20.0 * np.log10(np.abs(loop)), color=_FURTHER, linewidth=0.7)
    axis.plot(phase, gain)
    turns = np.arange(np.floor((lowest + 180.0) / 360.0), np.ceil((highest + 180.0) / 360.0) + 1.0)
    points = 360.0 * turns - 180.0
    points = points[(points > lowest - 90.0) & (points < highest + 90.0)]
    axis.plot(points, np.zeros(len(points)), "+", color=_POINT, markersize=11, markeredgewidth=2)
    axis.axhline(0.0, color=_LINE, linewidth=0.9)
    axis.set_xlim(min(lowest, -225.0) - 10.0, max(highest, -135.0) + 10.0)
    axis.set_ylim(gain.min(initial=0.0) - 5.0, gain.max(initial=0.0) + 5.0)
    axis.set_xlabel("phase [deg]")
    axis.set_ylabel("amplitude [dB]")
