"""The run backwards: from the last event to the start, weights on states are carried, those on parameters summed up.

A segment is cut where something is read or where the choice of states changes. Between the cuts the adjoint equations
are integrated (radau.py) with steps that keep the error of the weights below the tolerance, and afterwards it is looked
whether the sums over time that parameters get are as exact; where not, that part is done again with shorter steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.analyses.adjoint.assembled_start import AssembledStart, Moved
from tellegen.analyses.adjoint.backward_steps import Frame, Part, Track, Variant
from tellegen.analyses.adjoint.event_jumps import Jumps, Side
from tellegen.analyses.adjoint.functional_recorder import Density, Functional
from tellegen.analyses.adjoint.local_weights import Weights
from tellegen.analyses.adjoint.run_curves import Curves, Segment
from tellegen.analyses.adjoint.signal_derivatives import Readings
from tellegen.analyses.sensitivities.value_slopes import Instants
from tellegen.engine.integrators.dynamic_state_selection import StateWatch, depends_on_point
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.ir.model import FloatArray

_CONSTANT = 1e-2  # of its value: how much of an unknown counts that does not change
_ROUNDING = 1e-11  # of weights: what is left of those that cancel
_INSTANT = 1e-13  # of the run: what is read closer together is read at once


class Backward:
    """All performance functions at once: one column each."""

    def __init__(self, curves: Curves, functionals: list[Functional], variants: Any, tolerance: float) -> None:
        self.curves = curves
        self.functionals = functionals
        self.variants = variants  # NativeModel -> Variant
        self.readings = Readings(curves.model.reduced)
        time = curves.solution.time
        self.span = float(time[-1] - time[0])
        unknowns = curves.solution.unknowns  # what counts of a temperature is by how much it changes
        size = np.maximum(np.ptp(unknowns, axis=0), _CONSTANT * np.abs(unknowns).max(axis=0) + 1e-300)[:, None]
        steps = int(curves.solution.stats.get("steps", 0))
        self.frame = Frame(self.readings, self.span, size, tolerance, np.zeros(len(functionals)), steps)
        n = len(curves.model.reduced.unknowns)
        positions = len(curves.segments[0].p)
        self.weights = Weights(n, positions, len(functionals))
        self.steps = 0
        self.watched = depends_on_point(curves.model)
        self.variant: Variant = variants(curves.model)

    def run(self) -> tuple[Weights, Side]:
        """Weights on the states and parameters at the start, and the start itself."""
        segments = self.curves.segments
        for k in range(len(segments) - 1, -1, -1):
            segment = segments[k]
            if k < len(segments) - 1:
                self._through_event(segment, segments[k + 1])
            self._through(segment)
        return self.weights, self.variant.side(self._at(segments[0], segments[0].ends[0]))

    def _at(self, segment: Segment, t: float) -> Instants:
        y, yp = segment.at([t])
        return Instants(np.array([t]), y, yp, segment.p)

    def _through_event(self, before: Segment, after: Segment) -> None:
        history = self.curves.solution.history
        assert history is not None
        what = history.log[before.number]
        for m, functional in enumerate(self.functionals):
            self.weights.t[m] = sum(weight for number, weight in functional.instants if number == before.number)
        sides = [self.variant.side(self._at(s, t)) for s, t in ((before, before.ends[1]), (after, after.ends[0]))]
        moves = what.time > self.curves.solution.time[0]
        self.weights = Jumps(self.variant.model).back(sides[0], sides[1], what, self.weights, moves)

    # -- a segment -------------------------------------------------------------------------------------------------
    def _through(self, segment: Segment) -> None:
        """From its end to its beginning."""
        a, b = segment.ends
        near = _INSTANT * self.span
        readings = [
            (path, min(max(t, a), b), weight, m)
            for m, functional in enumerate(self.functionals)
            for path, number, t, weight in functional.readings
            if number == segment.number
        ]
        densities = self._densities(segment)
        switches = self._switches(segment)
        cuts = {a, b, *(t for _, t, _, _ in readings), *switches}
        for density, _ in densities:
            cuts |= {density.a, density.b, *density.kinks}
        ordered = sorted((min(max(t, a), b) for t in cuts), reverse=True)
        times = [t for k, t in enumerate(ordered) if k == 0 or ordered[k - 1] - t > near]
        at = [int(np.argmin(np.abs(np.array(times) - t))) for _, t, _, _ in readings]
        for k, t in enumerate(times):
            self._read(segment, t, [reading for reading, position in zip(readings, at, strict=True) if position == k])
            if t in switches:
                self._with_states(segment, t, switches[t])
            if k + 1 < len(times):
                until = times[k + 1]
                active = [(d, w) for d, w in densities if d.a <= until + near and t <= d.b + near]
                self._back(Part(segment, until, t, active))

    def _densities(self, segment: Segment) -> list[tuple[Density, FloatArray]]:
        out = []
        for m, functional in enumerate(self.functionals):
            for density, weight in functional.densities:
                if density.segment == segment.number:
                    column = np.zeros(len(self.functionals))
                    column[m] = weight
                    out.append((density, column))
        return out

    def _read(self, segment: Segment, t: float, readings: list[Any]) -> None:
        """Weights on quantities at an instant."""
        if not readings:
            return
        new = Weights(len(self.weights.y), len(self.weights.p), len(self.functionals))
        for path, _, weight, m in readings:
            column = np.zeros(len(self.functionals))
            column[m] = weight
            self.readings.add(path, column, new)
        at = self._at(segment, t)
        self.weights.y += self._on_states(self.variant.side(at), at, new)
        self.weights.p += new.p

    def _on_states(self, side: Side, at: Instants, new: Weights) -> FloatArray:
        """Weights on the states at an instant, for weights on anything there.

        Weights across closed loops go to the parameters of these at once, for backwards nothing keeps loops closed.
        What that leaves of the weights on a body that cannot move is a rounding.
        """
        model = self.variant.model
        if model.reduced.invariants is None:
            return side.pulled(new)[0]

        def pulled(given: Weights) -> FloatArray:
            return side.pulled(given.copy())[0]

        before = np.abs(pulled(new)).max(axis=0)
        AssembledStart(model, at.y[0], at.p, Moved.nowhere(np.ones(len(new.y)))).put(new, pulled)
        on_states = side.pulled(new)[0]
        return np.where(np.abs(on_states).max(axis=0) > _ROUNDING * before, on_states, 0.0)

    # -- states chosen by numbers ----------------------------------------------------------------------------------
    def _switches(self, segment: Segment) -> dict[float, NativeModel]:
        """Where, going backwards, another choice of states is better."""
        if not self.watched or segment.is_instant:
            return {}
        out: dict[float, NativeModel] = {}
        model = self.variant.model
        watch = model.derived(StateWatch)
        for k in range(len(segment.times) - 1, -1, -1):
            t = float(segment.times[k])
            y = segment.rows[k]
            better = watch.better(t, y, np.zeros(len(y)), segment.p, watch.varying)
            if better is not None:
                model = out[t] = model.with_states(better)
                watch = model.derived(StateWatch)
        return out

    def _with_states(self, segment: Segment, t: float, model: NativeModel) -> None:
        """The same weights in terms of other states."""
        self.variant = self.variants(model)
        self.weights.y[:], _ = self.variant.side(self._at(segment, t)).pulled(self.weights)

    # -- between two cuts ------------------------------------------------------------------------------------------
    def _back(self, part: Part) -> None:
        """Integrate over a part."""
        track = Track(self.frame, self.variant, part, np.inf)
        mu = track.run(self.weights.y)
        track.refine()
        self.weights.y[:] = mu
        track.add_up(self.weights.p)
        self.steps += len(track.lengths)
