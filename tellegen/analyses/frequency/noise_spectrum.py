"""NoiseSpectrum: densities of noise over frequency, what contributes to them, and their integral."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tellegen.engine.readout.quantity import quantity
from tellegen.engine.readout.snapshot import Snapshot
from tellegen.errors import LanguageError, nearest, users_call
from tellegen.figure import entitle, new_figure, styled
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.sheet import Result, Table

_SHOWN = 8  # sources in tables and plots


class NoiseSpectrum(Result):
    """Spectral densities at `frequencies` in Hz: `density` of the output in its unit squared over Hz.

    `spectrum["r1.thermal"]` is what one source contributes, `spectrum["r1"]` one part with all its sources.
    `input_density` is that of the input that would cause the same, where one was named.
    """

    def __init__(
        self,
        frequencies: FloatArray,
        parts: FloatArray,
        sources: tuple[str, ...],
        outputs: tuple[str, ...],
        input: str | None,
        response: Any,
        point: Snapshot,
    ) -> None:
        self.frequencies = frequencies
        self.parts = parts
        self.sources = sources
        self.output = " - ".join(outputs)
        self.input = input
        self.response = response
        self.point = point

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.point.name

    @property
    def density(self) -> FloatArray:
        """Of the output, in its unit squared over Hz."""
        return self.parts.sum(axis=1)

    @property
    def amplitude(self) -> FloatArray:
        """The square root of the density: the effective value in a band of 1 Hz."""
        return np.sqrt(self.density)

    @property
    def input_density(self) -> FloatArray:
        """The density of the output divided by the squared gain from the input."""
        if self.response is None:
            what = "no input was named"
            raise LanguageError("E188", what, location=here(), advice="tg.noise(..., input='source.V')")
        with np.errstate(divide="ignore"):
            return self.density / np.abs(self.response) ** 2

    @users_call
    def __getitem__(self, source: str) -> FloatArray:
        """The density that a source, or all sources of a part, contributes."""
        chosen = [k for k, name in enumerate(self.sources) if name == source or name.startswith(f"{source}.")]
        if not chosen:
            what = f"there is no source of noise '{source}'"
            raise LanguageError("E188", what, location=here(), advice=nearest(source, self.sources))
        return self.parts[:, chosen].sum(axis=1)

    @users_call
    def total(self, low: float | None = None, high: float | None = None, *, source: str | None = None) -> float:
        """The effective value of the output between two frequencies, the first and last one unless given.

        Between the frequencies computed the density is a power of the frequency.
        """
        low = float(self.frequencies[0] if low is None else low)
        high = float(self.frequencies[-1] if high is None else high)
        if not self.frequencies[0] <= low < high <= self.frequencies[-1]:
            what = f"the spectrum goes from {self.frequencies[0]:g} to {self.frequencies[-1]:g} Hz"
            raise LanguageError(
                "E188", what, location=here(), advice="take a band inside of that, or other frequencies"
            )
        density = self.density if source is None else self[source]
        return float(np.sqrt(band_power(self.frequencies, density, low, high)))

    @users_call
    def plot(self) -> Any:
        """A matplotlib figure: the amplitude of the output and of the sources that contribute most."""
        with styled():
            figure, axes = new_figure(1, 1, (7.5, 4.5))
            axis = axes[0][0]
            axis.loglog(self.frequencies, self.amplitude, "k", label="all")
            for name in self._largest()[:_SHOWN]:
                axis.loglog(self.frequencies, np.sqrt(self[name]), label=name)
            axis.set_xlabel("frequency [Hz]")
            axis.set_ylabel(f"{self.output} [{self._unit()}/sqrt(Hz)]")
            axis.legend(loc="best")
            entitle(figure, f"{self.name}: noise")
        return figure

    def to_pandas(self) -> Any:
        """A DataFrame of densities over frequencies, a column for each source."""
        import pandas as pd

        return pd.DataFrame(self.parts, pd.Index(self.frequencies, name="frequency [Hz]"), list(self.sources))

    def _unit(self) -> str:
        return quantity(self.point._reduced, self.output.split(" - ")[0]).unit.text or "1"

    def _largest(self) -> list[str]:
        power = [self._power(name) for name in self.sources]
        return [self.sources[k] for k in np.argsort(power)[::-1] if power[k] > 0.0]

    def _power(self, source: str | None) -> float:
        density = self.density if source is None else self[source]
        if len(self.frequencies) < 2:
            return float(density[0])
        return band_power(self.frequencies, density, float(self.frequencies[0]), float(self.frequencies[-1]))

    def _title(self) -> str:
        ends = f"{self.frequencies[0]:g} to {self.frequencies[-1]:g} Hz"
        return f"NoiseSpectrum of {self.name}: {self.output}, {ends}, {len(self.sources)} sources"

    def _page(self) -> Iterable[Table | str]:
        whole = self._power(None)
        unit = self._unit()
        yield f"{np.sqrt(whole):.4g} {unit} in this band"
        rows = [
            (name, f"{np.sqrt(self._power(name)):.4g}", f"{100.0 * self._power(name) / whole:.1f} %")
            for name in self._largest()[:_SHOWN]
        ]
        yield Table(("source", f"effective value [{unit}]", "of the power"), rows)


def band_power(frequencies: FloatArray, density: FloatArray, low: float, high: float) -> float:
    """The integral of a density that is a power of the frequency between the frequencies given."""
    inside = (frequencies > low) & (frequencies < high)
    f = np.concatenate([[low], frequencies[inside], [high]])
    tiny = np.finfo(float).tiny
    s = np.exp(np.interp(np.log(f), np.log(frequencies), np.log(np.maximum(density, tiny))))
    ratio = np.log(f[1:] / f[:-1])
    slope = np.log(s[1:] * f[1:] / (s[:-1] * f[:-1]))  # of f S(f), over log f
    flat = np.abs(slope) < 1e-6
    grown = np.where(flat, 1.0 + slope / 2.0, np.expm1(slope) / np.where(flat, 1.0, slope))
    return float(np.sum(s[:-1] * f[:-1] * ratio * grown))
