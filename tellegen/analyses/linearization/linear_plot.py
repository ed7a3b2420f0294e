"""Pictures of a linear model: poles, step responses, frequency responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.analyses.linearization.loop_plot import LOOP_PLOTS
from tellegen.analyses.linearization.modes import exponents
from tellegen.errors import LanguageError, nearest
from tellegen.figure import entitle, new_figure, styled
from tellegen.ir.source_location import here

if TYPE_CHECKING:
    from tellegen.analyses.linearization.linear_model import LinearModel

KINDS = ("poles", "step", "bode")
ALL_KINDS = (*KINDS, *LOOP_PLOTS)


def plot(model: LinearModel, kind: str) -> Any:
    """A matplotlib figure of one kind."""
    if kind not in KINDS:
        raise LanguageError(
            "E187", f"there is no plot '{kind}' of a linear model; {nearest(kind, ALL_KINDS)}", location=here()
        )
    with styled():
        figure = {"poles": _poles, "step": _steps, "bode": _bode}[kind](model)
        entitle(figure, f"{model.name}: {kind}")
    return figure


def _poles(model: LinearModel) -> Any:
    """Eigenvalues in the complex plane; the half plane of growth is shaded, in discrete time the unit circle drawn."""
    figure, ((axis,),) = new_figure(1, 1, (6.5, 5.0))
    values = model.eigenvalues
    good = exponents(values, model.dt).real < 0
    axis.axvline(0.0, color="#888888", linewidth=0.9)
    axis.axhline(0.0, color="#888888", linewidth=0.9)
    axis.plot(values[good].real, values[good].imag, "x", markersize=9, markeredgewidth=2, label="decays")
    if not good.all():
        axis.plot(values[~good].real, values[~good].imag, "x", markersize=9, markeredgewidth=2, label="does not decay")
        axis.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize="small")
    axis.margins(0.15)
    if model.dt is not None:
        angle = np.linspace(0.0, 2.0 * np.pi, 200)
        axis.plot(np.cos(angle), np.sin(angle), color="#888888", linewidth=0.9)
        axis.set_aspect("equal")
        axis.set_xlabel("real part")
        axis.set_ylabel("imaginary part")
        return figure
    if not values.imag.any():
        axis.set_ylim(-1.0, 1.0)
    left, right = axis.get_xlim()
    axis.set_xlim(left, max(right, 0.08 * (right - left)))
    axis.axvspan(0.0, axis.get_xlim()[1], color="#dd5533", alpha=0.07, linewidth=0)
    axis.set_xlabel("real part [1/s]")
    axis.set_ylabel("imaginary part [rad/s]")
    return figure


def _steps(model: LinearModel) -> Any:
    """A panel for each pair of output and input, over five of the slowest decaying time constant."""
    slow = [mode.time_constant for mode in model.modes if mode.exponent.real < -1e-9]
    span = 5.0 * max(slow, default=1.0)
    swings = max((mode.frequency for mode in model.modes), default=0.0) * span
    times = np.linspace(0.0, span, int(np.clip(40 * swings, 400, 8000)))
    curves = [model.response(times, np.eye(len(model.inputs))[k]) for k in range(len(model.inputs))]
    figure, axes = _grid(model, 2.3)
    for (i, k), axis in np.ndenumerate(axes):
        axis.plot(times, curves[k][:, i], drawstyle="default" if model.dt is None else "steps-post")
        _name(model, axis, i, k, f"[{model.units[model.outputs[i]]}]")
    for axis in axes[-1]:
        axis.set_xlabel("time [s]")
    return figure


def _bode(model: LinearModel) -> Any:
    """Amplitude in decibels (left) and phase in degrees (right) for each pair of output and input."""
    from matplotlib.ticker import MaxNLocator

    sizes = np.abs(exponents(model.eigenvalues, model.dt))
    counts = (sizes > 1e-9) & np.isfinite(sizes)
    sizes = sizes[counts] / (2.0 * np.pi) if counts.any() else np.ones(1)
    highest = sizes.max() * 30.0 if model.dt is None else 0.5 / model.dt  # up to Nyquist's
    frequencies = np.geomspace(min(sizes.min(), highest) / 30.0, highest, 500)
    response = model.frequency_response(frequencies)
    figure, axes = _grid(model, 2.6)
    for (i, k), axis in np.ndenumerate(axes):
        with np.errstate(divide="ignore"):
            axis.semilogx(frequencies, 20.0 * np.log10(np.abs(response[:, i, k])))
        _name(model, axis, i, k, "amplitude [dB]")
        phase = axis.twinx()
        phase.grid(False)
        phase.yaxis.set_major_locator(MaxNLocator(6, steps=[1.5, 3, 4.5, 9, 10]))
        phase.semilogx(frequencies, np.degrees(np.unwrap(np.angle(response[:, i, k]))), color="#dd5533", linestyle="--")
        phase.set_ylabel("phase [deg]", color="#dd5533")
    for axis in axes[-1]:
        axis.set_xlabel("frequency [Hz]")
    return figure


def _grid(model: LinearModel, height: float) -> tuple[Any, Any]:
    rows = len(model.outputs)
    columns = len(model.inputs)
    if not rows or not columns:
        raise LanguageError(
            "E188",
            "a response needs inputs and outputs",
            location=here(),
            advice="name them: tg.linearize(model, inputs=['source.V'], outputs=['load.w'])",
        )
    size = (max(6.5, 4.2 * columns), 1.2 + height * rows)
    return new_figure(rows, columns, size, sharex=True)


def _name(model: LinearModel, axis: Any, output: int, given: int, label: str) -> None:
    axis.set_title(f"{model.outputs[output]}  from  {model.inputs[given]}", fontsize="small", color="#333333")
    axis.set_ylabel(label if label != "[]" else "")
