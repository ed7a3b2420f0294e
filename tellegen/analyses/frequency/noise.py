"""How much noise a model has at an output: the noise analysis of circuit simulators, of any model.

    A(s) Y(s) == B n(s)          S_out(f) == sum over all sources of |c' A^-1 b_k|^2 S_k(f)          s = 2 pi j f

Equations say which random signals they have (`tg.noisy`). One solution of the transposed equations, the adjoint, gives
the gains from all of them to the output at once (Rohrer, Nagel, Meyer and Weber, IEEE J. Solid-State Circuits 6, 1971).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Unpack

import numpy as np

from tellegen.analyses.frequency.delayed_signals import refuse_varying_delays
from tellegen.analyses.frequency.frequencies import frequencies_of
from tellegen.analyses.frequency.frequency_response import SmallSignals
from tellegen.analyses.frequency.noise_spectrum import NoiseSpectrum
from tellegen.analyses.linearization.operating_point import operating_point
from tellegen.analyses.linearization.sampled_map import held_positions
from tellegen.analyses.linearization.signals import Signals, inputs_of, outputs_of
from tellegen.compile import compile_model
from tellegen.engine.readout.quantity import columns
from tellegen.engine.readout.snapshot import Snapshot
from tellegen.engine.request.run_request import STEADY, RunKeywords, run_call
from tellegen.errors import LanguageError, NumericError
from tellegen.ir.expressions.template import EquationTemplate, Noise
from tellegen.ir.flat import Group
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass
from tellegen.symbolic.evaluate import evaluate


@run_call(points=None)
def noise(
    model: Any,
    frequencies: Any,
    output: str,
    *,
    reference: str | None = None,
    input: str | None = None,
    at: Snapshot | str | float | None = STEADY,
    **run: Unpack[RunKeywords],
) -> NoiseSpectrum:
    """The spectral density of the noise of an output, and what each source contributes, at frequencies in Hz.

    With `reference` it is that of the difference between two variables. With `input` it is also divided by the gain
    from there: the noise an input would need to cause the same. `frequencies` and `at` are those of
    tg.frequency_response; the keywords from `start` on are those of tg.simulate.
    """
    hertz = frequencies_of(frequencies)
    if (hertz <= 0.0).any():
        raise LanguageError("E188", "noise is computed at frequencies above zero", location=here())
    compiled = compile_model(model)
    refuse_varying_delays(compiled)
    there, point = operating_point(compiled, at, run)
    if there.reduced.invariants is not None or len(held_positions(there)):
        what = f"{there.flat.name} has invariants or sampled values, whose noise is not computed"
        raise NumericError("E304", what, location=here())
    shown = outputs_of(there.reduced, [output] if reference is None else [output, reference])
    given = inputs_of(there.reduced, [] if input is None else [input])
    sources = list(noise_sources(there.reduced, point))
    if not sources:
        what = f"no part of {there.flat.name} has noise"
        advice = "write it: yield tg.noisy(self.v == self.R * self.i, tg.Noise('thermal', 4*1.380649e-23*300*self.R))"
        raise LanguageError("E188", what, location=here(), advice=advice)
    small = SmallSignals(there, point, given)
    weights = output_weights(there.reduced, shown)
    gains = np.array([_gains(small, sources, weights, f) for f in hertz])
    strength = np.array([source.density / hertz**source.exponent for source in sources]).T
    parts = np.abs(gains) ** 2 * strength / shown.scale[0] ** 2
    response = small.response(hertz, shown)[:, :, 0] if input is not None else None
    if response is not None:
        response = response[:, 0] - (response[:, 1] if reference is not None else 0.0)
    names = tuple(source.name for source in sources)
    return NoiseSpectrum(hertz, parts, names, shown.names, input, response, point)


@dataclass(frozen=True, eq=False)
class NoiseSource:
    """A random signal: the rows it enters, how often each was differentiated, its factors there, and its density."""

    name: str
    rows: IntArray
    orders: IntArray
    factors: FloatArray
    density: float  # at 1 Hz
    exponent: float


def noise_sources(model: ReducedModel, point: Snapshot) -> Iterator[NoiseSource]:
    """All of them that are not zero at a point."""
    rows = _rows_of_equations(model)
    found: dict[tuple[str, str], list[Any]] = {}
    for number, group in enumerate(model.flat.equations):
        template = group.template
        if not isinstance(template, EquationTemplate):
            continue
        for law in template.noises:
            density = _values(model, group, law.density, point)
            exponent = _values(model, group, law.exponent, point)
            for row in np.flatnonzero(density).tolist():
                path = model.flat.tree.path(*group.owner(row))
                entries = rows.get((number, row), ())
                if not entries:
                    raise _unseen(model, group, row, law)
                _check(path, law, float(density[row]))
                numbers = (float(density[row]), float(exponent[row]))
                found.setdefault((path, law.name), []).append((entries, law.factor, numbers))
    for (path, name), parts in found.items():
        entries = [(row, order, factor) for several, factor, _ in parts for row, order in several]
        table = np.array(entries, float)
        density, exponent = parts[0][2]
        ends = (table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2])
        yield NoiseSource(f"{path}.{name}" if path else name, *ends, density, exponent)


def _rows_of_equations(model: ReducedModel) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """The rows of the residual that each noisy equation, by its group and row, has become, with their orders."""
    out: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for offset, group in zip(model.offsets, model.groups, strict=False):
        if group.source < 0 or group.source >= len(model.flat.equations):
            continue
        template = model.flat.equations[group.source].template
        if isinstance(template, EquationTemplate) and template.noises:
            for k, row in enumerate(group.source_rows.tolist()):
                out.setdefault((group.source, row), []).append((int(offset) + k, group.order))
    return out


def _values(model: ReducedModel, group: Group, expr: Any, point: Snapshot) -> FloatArray:
    """An expression of an equation's slots at a point, for all of its rows."""
    slots = [
        point._p[group.bindings[:, k]] if slot.parameter else _variables(model, group.bindings[:, k], point)
        for k, slot in enumerate(group.template.slots)
    ]
    return np.broadcast_to(np.asarray(evaluate(expr, slots, time=point.t), float), len(group.bindings))


def _variables(model: ReducedModel, numbers: Any, point: Snapshot) -> FloatArray:
    """Variables at a point, in SI units."""
    return columns(model, numbers.tolist(), 0, "noise").read(point.unknowns[None], point.rates[None], point._p)[0]


def _unseen(model: ReducedModel, group: Group, row: int, law: Noise) -> NumericError:
    """Of an equation that was solved in advance, like that of a resistor without a current."""
    path = model.flat.tree.path(*group.owner(row))
    what = f"the noise '{law.name}' of {path} is not computed: its equation only repeats others"
    advice = "a resistor that carries no current has this: connect its open end, or set its T_ref to 0"
    return NumericError("E304", what, location=here(), advice=advice)


def _check(path: str, law: Noise, density: float) -> None:
    if not 0.0 <= density < np.inf:
        what = f"the spectral density of the noise '{law.name}' of {path} is {density:g}"
        raise NumericError("E304", what, location=here(), advice="a density is a positive number: take abs(current)")


def output_weights(model: ReducedModel, shown: Signals) -> FloatArray:
    """The output, or the difference of two, as a sum of unknowns."""
    weights = np.zeros(len(model.unknowns))
    for number, order, name, sign in zip(shown.positions, shown.orders, shown.names, (1.0, -1.0), strict=False):
        leader = model.representative[number]
        place = model.position[leader]
        if order or place < 0 or not model.sign[number]:
            what = f"'{name}' is not a variable whose noise is computed"
            advice = "take one that is solved for: no derivative, and not the value of a source"
            raise LanguageError("E188", what, location=here(), advice=advice)
        weights[place] += sign * model.sign[number]
    return weights


def _gains(small: SmallSignals, sources: list[NoiseSource], weights: Any, hertz: float) -> Any:
    """From all sources to the output at a frequency."""
    adjoint = small.adjoint(hertz, weights)
    s = 2j * np.pi * hertz
    return np.array([np.sum(source.factors * s**source.orders * adjoint[source.rows]) for source in sources])
