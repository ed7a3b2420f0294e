"""FrequencyResponse: complex gains by name, their curves, and the margins of loops."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.analyses.linearization.linear_model import LinearModel
from tellegen.analyses.linearization.linearize import linear_model
from tellegen.analyses.linearization.loop_plot import LOOP_PLOTS
from tellegen.analyses.linearization.margins import Margins
from tellegen.analyses.linearization.signals import Signals
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.readout.quantity import quantity
from tellegen.engine.readout.snapshot import Snapshot
from tellegen.errors import LanguageError, nearest, users_call
from tellegen.figure import entitle, new_figure, styled
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.sheet import Result, Table

_HALF_POWER = np.sqrt(0.5)
_KINDS = ("bode", *LOOP_PLOTS)


class FrequencyResponse(Result):
    """Complex gains at `frequencies` in Hz, in the declared units: `response["c.v"]`, `response["c.v", "source.V"]`.

    `values` has the shape (frequencies, outputs, inputs), `point` is where the model was linearized.
    """

    def __init__(
        self,
        frequencies: FloatArray,
        values: Any,
        given: Signals,
        shown: Signals,
        model: NativeModel,
        point: Snapshot,
    ) -> None:
        self.frequencies = frequencies
        self.values = values
        self.point = point
        self._given = given
        self._shown = shown
        self._model = model

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.point.name

    @property
    def inputs(self) -> tuple[str, ...]:
        """What oscillates."""
        return self._given.names

    @property
    def outputs(self) -> tuple[str, ...]:
        """What answers."""
        return self._shown.names

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters it was computed with, by path and in their declared units."""
        return self.point.parameters

    @users_call
    def __getitem__(self, which: str | tuple[str, str]) -> Any:
        """The gains from an input, which has to be named where there are several, to an output."""
        output, given = which if isinstance(which, tuple) else (which, None)
        return self.values[:, self._number(self.outputs, output, "output"), self._number(self.inputs, given, "input")]

    def decibels(self, output: str, input: str | None = None) -> FloatArray:
        """20 log10 of the absolute gains."""
        with np.errstate(divide="ignore"):
            return 20.0 * np.log10(np.abs(self[self._pair(output, input)]))

    def degrees(self, output: str, input: str | None = None) -> FloatArray:
        """The phases, without jumps by a whole turn."""
        return np.degrees(np.unwrap(np.angle(self[self._pair(output, input)])))

    def _pair(self, output: str, given: str | None) -> Any:
        return output if given is None else (output, given)

    @cached_property
    def linear_model(self) -> LinearModel:
        """The linear model at the same point, where there is one."""
        return linear_model(self._model, self.point, self._given, self._shown)

    @users_call
    def margins(
        self,
        input: str | None = None,
        output: str | None = None,
        *,
        dead_time: float = 0.0,
        feedback: str = "negative",
    ) -> Margins:
        """The stability margins of the loop from an output back to an input, as `LinearModel.margins`."""
        return self.linear_model.margins(input, output, dead_time=dead_time, feedback=feedback)

    @users_call
    def plot(self, kind: str = "bode", input: str | None = None, output: str | None = None) -> Any:
        """A matplotlib figure: "bode" (all pairs), "nyquist" or "nichols" (the loop from an input to an output)."""
        if kind not in _KINDS:
            what = f"there is no plot '{kind}' of a frequency response; {nearest(kind, _KINDS)}"
            raise LanguageError("E187", what, location=here())
        if kind in LOOP_PLOTS:
            return self.linear_model.plot(kind, input, output)
        with styled():
            figure = self._bode()
            entitle(figure, f"{self.name}: frequency response")
        return figure

    def _bode(self) -> Any:
        size = (7.5, 1.4 + 3.2 * len(self.outputs))
        figure, axes = new_figure(2 * len(self.outputs), 1, size, sharex=True)
        for i, output in enumerate(self.outputs):
            gain = axes[2 * i][0]
            phase = axes[2 * i + 1][0]
            for given in self.inputs:
                gain.semilogx(self.frequencies, self.decibels(output, given), label=f"{output} from {given}")
                phase.semilogx(self.frequencies, self.degrees(output, given))
            gain.set_ylabel("amplitude [dB]")
            phase.set_ylabel("phase [deg]")
            gain.legend(loc="best")
        axes[-1][0].set_xlabel("frequency [Hz]")
        return figure

    def to_pandas(self) -> Any:
        """A DataFrame of complex gains over frequencies, a column for each pair (output, input)."""
        import pandas as pd

        pairs = pd.MultiIndex.from_product([self.outputs, self.inputs], names=["output", "input"])
        index = pd.Index(self.frequencies, name="frequency [Hz]")
        return pd.DataFrame(self.values.reshape(len(self.frequencies), -1), index, pairs)

    def _number(self, names: tuple[str, ...], name: str | None, kind: str) -> int:
        if name is None and len(names) == 1:
            return 0
        if name in names:
            return names.index(name)
        what = f"the response has no {kind} '{name}'" if name else f"the response has {len(names)} {kind}s"
        raise LanguageError("E188", what, location=here(), advice=nearest(name or "", names) if names else "")

    def _title(self) -> str:
        count = len(self.frequencies)
        ends = f"{self.frequencies.min():g} to {self.frequencies.max():g} Hz"
        return f"FrequencyResponse of {self.name}: {count} frequencies, {ends}"

    def _page(self) -> Iterable[Table | str]:
        rows = []
        for output in self.outputs:
            for given in self.inputs:
                gain = np.abs(self[output, given])
                top = int(np.argmax(gain))
                unit = f"{quantity(self.point._reduced, output).unit.text}/{self._unit(given)}"
                falls = np.flatnonzero(gain < _HALF_POWER * gain[0])
                width = f"{self.frequencies[falls[0]]:.4g}" if len(falls) else ""
                peak = (f"{gain[top]:.4g}", f"{self.frequencies[top]:.4g}")
                rows.append((output, given, unit, f"{gain[0]:.4g}", *peak, width))
        heads = ("output", "input", "unit", "first gain", "peak gain", "at [Hz]", "-3 dB of the first at [Hz]")
        return [Table(heads, rows)]

    def _unit(self, given: str) -> str:
        return quantity(self.point._reduced, given).unit.text or "1"
