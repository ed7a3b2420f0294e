"""How a model answers small oscillations of its inputs: the small-signal analysis of circuit simulators, of any model.

    (dF/dy + s dF/dy') Y(s) = -(dF/du + s dF/du' + ...) U(s)          s = 2 pi j f

One sparse system for each frequency, at the operating point, without states and matrices A, B, C, D: as large as
the model, and outputs may follow derivatives of inputs (the current through a capacitor across a source). Delays are
in it as what they are, e^(-sT) (delayed_signals.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from tellegen.analyses.frequency.delayed_signals import (
    DelayedSignals,
    delayed_signals,
    refuse_varying_delays,
    with_the_present,
)
from tellegen.analyses.frequency.frequencies import frequencies_of
from tellegen.analyses.frequency.response_curves import FrequencyResponse
from tellegen.analyses.linearization.input_derivatives import residual_by_input_derivatives
from tellegen.analyses.linearization.linearize import linear_model
from tellegen.analyses.linearization.operating_point import operating_point
from tellegen.analyses.linearization.sampled_map import held_positions
from tellegen.analyses.linearization.signals import Signals, inputs_of, outputs_of, read
from tellegen.analyses.sensitivities.parameter_derivatives import Instant, residual_by_parameters
from tellegen.compile import compiled_for
from tellegen.engine.integrators.choose_solver import has_delays
from tellegen.engine.linear_algebra.pivoted_lu import SparseLU
from tellegen.engine.linear_algebra.pivots import SingularMatrixError, choose_pivots
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.readout.snapshot import Snapshot
from tellegen.engine.request.run_request import STEADY, RunKeywords, run_call
from tellegen.errors import LanguageError, NumericError, warn_user
from tellegen.ir.model import FloatArray
from tellegen.ir.program import Pattern
from tellegen.ir.source_location import here


@run_call(points=None)
def frequency_response(
    model: Any,
    frequencies: Any,
    *,
    at: Snapshot | str | float | None = STEADY,
    inputs: Sequence[str] | str | None = None,
    outputs: Sequence[str] | str | None = None,
    **run: Unpack[RunKeywords],
) -> FrequencyResponse:
    """The complex gains from inputs to outputs for small oscillations, at frequencies in Hz.

    `frequencies` are numbers, or two ends with 100 frequencies a decade between them: ("10 Hz", "1 MHz"). `at`,
    `inputs` and `outputs` are those of tg.linearize, but for `at`, which is the steady state unless given. A source
    oscillates where its parameter is an input: `inputs="source.V"`. The keywords from `start` on are those of
    tg.simulate.
    """
    hertz = frequencies_of(frequencies)
    with compiled_for(model) as compiled:
        refuse_varying_delays(compiled)
        there, point = operating_point(compiled, at, run)
        given = inputs_of(there.reduced, inputs)
        shown = outputs_of(there.reduced, outputs)
        if not given.names or not shown.names:
            advice = "name them: tg.frequency_response(model, ..., inputs='source.V', outputs='load.w')"
            raise LanguageError("E188", "a response needs inputs and outputs", location=here(), advice=advice)
        if there.reduced.invariants is not None or len(held_positions(there)):
            _refuse_delays(there)
            values = linear_model(there, point, given, shown).frequency_response(hertz)
        else:
            values = SmallSignals(there, point, given).response(hertz, shown)
        _warn_of_nothing(values, given)
        return FrequencyResponse(hertz, values, given, shown, there, point)


def _refuse_delays(model: NativeModel) -> None:
    """E304 for delays beside sampled parts or invariants, whose responses are those of a linear model."""
    if has_delays(model):
        what = f"{model.flat.name} has delays, and sampled parts or invariants: this response is not computed"
        advice = "use a Padé approximation instead of tg.delay, for example x' == (u - x)*2/T, late == 2*x - u"
        raise NumericError("E304", what, location=here(), advice=advice)


def _warn_of_nothing(values: Any, given: Signals) -> None:
    """An input that no output follows: the amplitude of a sine, which is zero at the operating point, for instance."""
    for k, name in enumerate(given.names):
        if not values[:, :, k].any():
            warn_user(f"no output follows '{name}' at the operating point; of a source over time take its offset")


class SmallSignals:
    """The linear system of small oscillations around a point."""

    def __init__(self, model: NativeModel, point: Snapshot, given: Signals) -> None:
        point = with_the_present(model.reduced, point)
        self.model = model
        self.point = point
        self.given = given
        self._delayed = delayed_signals(model.reduced, point, given.positions)
        at = (point.t, point.unknowns, point.rates, point._p)
        self._by_values = model.jacobian(*at)
        self._by_rates = model.jacobian(*at, by_value=0.0, by_rate=1.0)
        by_inputs = residual_by_parameters(model.reduced, Instant(*at), given.positions)
        self._by_inputs = [by_inputs, *residual_by_input_derivatives(model.reduced, by_inputs, given.positions)]
        self._matrix = _Matrix(model.program.pattern, self._delayed)
        self._factors: SparseLU | None = None
        self._adjoint_factors: SparseLU | None = None

    def response(self, hertz: FloatArray, shown: Signals) -> Any:
        """Complex gains, with the shape (frequencies, outputs, inputs), in the declared units."""
        reduced = self.model.reduced
        by_input = np.zeros((len(self.point._p), len(self.given.names)))
        by_input[self.given.positions, np.arange(len(self.given.names))] = 1.0
        out = np.empty((len(hertz), len(shown.names), len(self.given.names)), complex)
        for k, f in enumerate(hertz):
            values: Any = self.oscillations(f)
            rates: Any = np.where(reduced.is_state[:, None], 2j * np.pi * f * values, 0.0)
            real = read(reduced, shown, values.real, rates.real, by_input)
            imaginary = read(reduced, shown, values.imag, rates.imag, np.zeros_like(by_input))
            out[k] = real + 1j * imaginary
        return out * self.given.scale / shown.scale[:, None]

    def oscillations(self, hertz: float) -> Any:
        """The complex amplitudes of all unknowns, one column for each input."""
        w = 2.0 * np.pi * float(hertz)
        right: Any = sum(part * (1j * w) ** j for j, part in enumerate(self._by_inputs))
        size = len(right)
        right = self._matrix.below(right, self._delayed.past_of_inputs(w) if self._delayed is not None else None)
        values = self._factor(w)
        twice = self._matrix.twice
        columns = [twice.joined(self._solved(values, twice.split(-column)))[:size] for column in right.T]
        return np.stack(columns, axis=1) if columns else np.zeros((size, 0), complex)

    def adjoint(self, hertz: float, weights: FloatArray) -> Any:
        """A^-T weights: how a weighted sum of all unknowns follows a signal in each of the equations."""
        transposed = self._transposed
        values = self._entries(transposed, 2.0 * np.pi * float(hertz))
        try:
            if self._adjoint_factors is None:
                pivots = choose_pivots(transposed.pattern, values)
                self._adjoint_factors = SparseLU(transposed.pattern, pivots)
            self._adjoint_factors.factor(values)
        except SingularMatrixError:
            raise self._unbounded(float(hertz)) from None
        right = transposed.split(self._matrix.below(weights.astype(complex), None))
        found = self._adjoint_factors.solve(right)
        found = found + self._adjoint_factors.solve(right - transposed.times(values, found))
        return transposed.joined(found)[: len(weights)]

    @cached_property
    def _transposed(self) -> _TwicePattern:
        return _TwicePattern(self._matrix.pattern, transposed=True)

    def _entries(self, twice: _TwicePattern, w: float) -> FloatArray:
        """The entries of the matrix at a frequency."""
        return twice.values(*self._matrix.parts(self._by_values, w * self._by_rates, w))

    def _solved(self, values: FloatArray, right: FloatArray) -> FloatArray:
        """With one step of refinement: the pivots are those of another frequency."""
        assert self._factors is not None
        found = self._factors.solve(right)
        return found + self._factors.solve(right - self._matrix.twice.times(values, found))

    def _factor(self, w: float) -> FloatArray:
        """The entries of the matrix at a frequency, which has been factored."""
        twice = self._matrix.twice
        values = self._entries(twice, w)
        try:
            if self._factors is None:
                self._factors = SparseLU(twice.pattern, choose_pivots(twice.pattern, values))
            self._factors.factor(values)
            return values
        except SingularMatrixError:
            raise self._unbounded(w / (2.0 * np.pi)) from None

    def _unbounded(self, hertz: float) -> NumericError:
        return NumericError(
            "E304",
            f"{self.model.flat.name} has no response at {hertz:g} Hz: oscillations grow without bound",
            location=here(),
            advice="take other frequencies: an undamped mode has this one, or an integrator at 0 Hz",
        )


class _Matrix:
    """The matrix of the model, with a row and a column for each delay after it."""

    def __init__(self, pattern: Pattern, delayed: DelayedSignals | None) -> None:
        self._delayed = delayed
        self._order: Any = slice(None)
        self.pattern = pattern
        if delayed is not None:
            size = pattern.shape[0]
            rows = np.concatenate([pattern.indices, delayed.row, size + delayed.places[:, 0]])
            columns = np.concatenate([pattern.column_of_entry, size + delayed.column, delayed.places[:, 1]])
            shape = (size + delayed.count, size + delayed.count)
            self.pattern, self._order = Pattern.of(rows.astype(np.int64), columns.astype(np.int64), shape)
        self.twice = _TwicePattern(self.pattern)

    def parts(self, real: FloatArray, imaginary: FloatArray, w: float) -> tuple[FloatArray, FloatArray]:
        """All entries from those of the model, real and imaginary."""
        if self._delayed is not None:
            past = self._delayed.past_of_unknowns(w)
            real = np.concatenate([real, self._delayed.slope, past.real])[self._order]
            imaginary = np.concatenate([imaginary, np.zeros(len(self._delayed.slope)), past.imag])[self._order]
        return real, imaginary

    def below(self, numbers: Any, past: Any) -> Any:
        """Numbers of the equations, and under them those of delays (0 where None)."""
        if self._delayed is None:
            return numbers
        shape = (self._delayed.count, *numbers.shape[1:])
        return np.concatenate([numbers, np.zeros(shape, complex) if past is None else past])


class _TwicePattern:
    """A complex matrix R + j X, or its transpose, as a real one of twice the size: [[R, -X], [X, R]], by unknowns.

    The factorization is the one of all other analyses, on real numbers and with its own pivots.
    """

    def __init__(self, pattern: Pattern, transposed: bool = False) -> None:
        row = np.tile(np.asarray(pattern.indices, np.int64), 4)
        column = np.tile(np.asarray(pattern.column_of_entry, np.int64), 4)
        if transposed:
            row, column = column, row
        below = np.repeat([0, 0, 1, 1], pattern.count)
        right = np.repeat([0, 1, 0, 1], pattern.count)
        rows = 2 * row + below
        columns = 2 * column + right
        shape = (2 * pattern.shape[0], 2 * pattern.shape[1])
        self.pattern, self._order = Pattern.of(rows, columns, shape)

    def values(self, real: FloatArray, imaginary: FloatArray) -> FloatArray:
        """The entries of the real matrix."""
        return np.concatenate([real, -imaginary, imaginary, real])[self._order]

    def times(self, values: FloatArray, numbers: FloatArray) -> FloatArray:
        """The product of the matrix with these entries and a vector."""
        products = values * numbers[self.pattern.column_of_entry]
        sums: Any = np.bincount(self.pattern.indices, products, minlength=self.pattern.shape[0])
        return sums

    def split(self, numbers: Any) -> FloatArray:
        """Complex numbers as pairs of real ones."""
        return np.stack([numbers.real, numbers.imag], axis=1).ravel()

    def joined(self, pairs: FloatArray) -> Any:
        """And back."""
        return pairs[::2] + 1j * pairs[1::2]
