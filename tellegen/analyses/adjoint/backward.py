"""The run backwards: from the last event to the start, weights on states are carried, those on parameters summed up.

A stretch is cut where something is read or where the choice of states changes. Between the cuts the adjoint equations
are integrated (radau.py) with steps that keep the error of the weights below the tolerance, and afterwards it is looked
whether the sums over time that parameters get are as exact; where not, that part is done again with shorter steps.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tellegen.analyses.adjoint.curves import Curves, Stretch
from tellegen.analyses.adjoint.jumps import Jumps, Side, not_backwards
from tellegen.analyses.adjoint.partials import ByParameters, Instants
from tellegen.analyses.adjoint.point import LocalPoint, Weights
from tellegen.analyses.adjoint.radau import ESTIMATE, GAMMA, NODES, STAGES, Collocation, Sampled, Source
from tellegen.analyses.adjoint.readings import Readings
from tellegen.analyses.adjoint.recorder import Density, Functional
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.reselect import StateWatch, depends_on_place
from tellegen.ir.model import FloatArray

_INSTANT = 1e-13  # of the run: what is read closer together is read at once
_SHORTEST = 1e-13  # of the run
_AGAIN = 6  # how often a part is done again for the sums over time
_FIRST = 0.01  # of a part: the first step


@dataclass(eq=False)
class Variant:
    """A choice of states, with what is computed from it."""

    model: CompiledModel
    wanted: Any
    steps: Collocation = field(init=False)
    parameters: ByParameters = field(init=False)

    def __post_init__(self) -> None:
        self.steps = Collocation(self.model)
        self.parameters = ByParameters(self.model.sorted, self.wanted)

    def side(self, at: Instants) -> Side:
        """The equations around a point."""
        return Side(LocalPoint(self.model, at, self.steps.one), self.parameters)


@dataclass(frozen=True, eq=False)
class _Part:
    """From t1 back to t0 in a stretch, with the densities that are integrated there (weights per function)."""

    stretch: Stretch
    t0: float
    t1: float
    densities: list[tuple[Density, FloatArray]]


class Backward:
    """All performance functions at once: one column each."""

    def __init__(self, curves: Curves, functionals: list[Functional], variants: Any, tolerance: float) -> None:
        self.curves, self.functionals, self.tolerance = curves, functionals, tolerance
        self.variants = variants  # CompiledModel -> Variant
        self.readings = Readings(curves.model.sorted)
        time = curves.solution.time
        self.span = float(time[-1] - time[0])
        self.size = np.maximum(np.abs(curves.solution.unknowns).max(axis=0), 1e-300)[:, None]
        n, places = len(curves.model.sorted.unknowns), len(curves.stretches[0].p)
        self.weights = Weights(n, places, len(functionals))
        self.largest = np.zeros(len(functionals))  # of the weights so far, times the size of states
        self.steps = 0
        candidates = curves.model.sorted.candidates
        self.watched = depends_on_place(candidates)
        self.variant: Variant = variants(curves.model)

    def run(self) -> tuple[Weights, Side]:
        """Weights on the states and parameters at the start, and the start itself."""
        stretches = self.curves.stretches
        for k in range(len(stretches) - 1, -1, -1):
            stretch = stretches[k]
            if k < len(stretches) - 1:
                self._through_event(stretch, stretches[k + 1])
            self._through(stretch)
        return self.weights, self.variant.side(self._at(stretches[0], stretches[0].ends[0]))

    def _at(self, stretch: Stretch, t: float) -> Instants:
        y, yp = stretch.at([t])
        return Instants(np.array([t]), y, yp, stretch.p)

    def _through_event(self, before: Stretch, after: Stretch) -> None:
        history = self.curves.solution.history
        assert history is not None
        what = history.log[before.number]
        for m, functional in enumerate(self.functionals):
            self.weights.t[m] = sum(weight for number, weight in functional.instants if number == before.number)
        sides = [self.variant.side(self._at(s, t)) for s, t in ((before, before.ends[1]), (after, after.ends[0]))]
        moves = what.time > self.curves.solution.time[0]
        self.weights = Jumps(self.variant.model).back(sides[0], sides[1], what, self.weights, moves)

    # -- a stretch -------------------------------------------------------------------------------------------------
    def _through(self, stretch: Stretch) -> None:
        """From its end to its beginning."""
        a, b = stretch.ends
        near = _INSTANT * self.span
        readings = [
            (path, min(max(t, a), b), weight, m)
            for m, functional in enumerate(self.functionals)
            for path, number, t, weight in functional.readings
            if number == stretch.number
        ]
        densities = self._densities(stretch)
        switches = self._switches(stretch)
        cuts = {a, b, *(t for _, t, _, _ in readings), *switches}
        for density, _ in densities:
            cuts |= {density.a, density.b, *density.kinks}
        ordered = sorted((min(max(t, a), b) for t in cuts), reverse=True)
        times = [t for k, t in enumerate(ordered) if k == 0 or ordered[k - 1] - t > near]
        at = [int(np.argmin(np.abs(np.array(times) - t))) for _, t, _, _ in readings]
        for k, t in enumerate(times):
            self._read(stretch, t, [reading for reading, place in zip(readings, at, strict=True) if place == k])
            if t in switches:
                self._with_states(stretch, t, switches[t])
            if k + 1 < len(times):
                until = times[k + 1]
                active = [(d, w) for d, w in densities if d.a <= until + near and t <= d.b + near]
                self._back(_Part(stretch, until, t, active))

    def _densities(self, stretch: Stretch) -> list[tuple[Density, FloatArray]]:
        out = []
        for m, functional in enumerate(self.functionals):
            for density, weight in functional.densities:
                if density.stretch == stretch.number:
                    column = np.zeros(len(self.functionals))
                    column[m] = weight
                    out.append((density, column))
        return out

    def _read(self, stretch: Stretch, t: float, readings: list[Any]) -> None:
        """Weights on quantities at an instant."""
        if not readings:
            return
        new = Weights(len(self.weights.y), len(self.weights.p), len(self.functionals))
        for path, _, weight, m in readings:
            column = np.zeros(len(self.functionals))
            column[m] = weight
            self.readings.add(path, column, new)
        on_states, _ = self.variant.side(self._at(stretch, t)).pulled(new)
        self.weights.y += on_states
        self.weights.p += new.p

    # -- states chosen by numbers ----------------------------------------------------------------------------------
    def _switches(self, stretch: Stretch) -> dict[float, CompiledModel]:
        """Where, going backwards, another choice of states is better."""
        if not self.watched or stretch.is_instant:
            return {}
        out: dict[float, CompiledModel] = {}
        model = self.variant.model
        watch = StateWatch(model)
        for k in range(len(stretch.times) - 1, -1, -1):
            t, y = float(stretch.times[k]), stretch.rows[k]
            better = watch.better(t, y, np.zeros(len(y)), stretch.p, watch.varying)
            if better is not None:
                model = out[t] = model.with_states(better)
                watch = StateWatch(model)
        return out

    def _with_states(self, stretch: Stretch, t: float, model: CompiledModel) -> None:
        """The same weights in terms of other states."""
        self.variant = self.variants(model)
        self.weights.y[:], _ = self.variant.side(self._at(stretch, t)).pulled(self.weights)

    # -- between two cuts ------------------------------------------------------------------------------------------
    def _back(self, part: _Part) -> None:
        """Integrate over a part, as often as the sums over time need it."""
        track = _Track(self, part, [])
        mu = track.run()
        for _ in range(_AGAIN):
            limits = track.too_long()
            if not limits:
                break
            track = _Track(self, part, limits)
            mu = track.run()
        self.weights.y[:] = mu
        track.add_up()
        self.steps += len(track.lengths)


class _Track:
    """One integration over a part."""

    def __init__(
        self, owner: Backward, part: _Part, limits: list[tuple[float, float, float]]
    ) -> None:  # from, to, longest step
        self.owner, self.part, self.limits = owner, part, limits
        self.variant, self.tolerance = owner.variant, owner.tolerance
        self.lengths: list[float] = []
        self.nodes: list[Sampled] = []
        self.multipliers: list[FloatArray] = []

    def _sampled(self, times: FloatArray) -> tuple[Sampled, Source]:
        stretch, owner = self.part.stretch, self.owner
        nodes = self.variant.steps.sampled(times, stretch.at(times), stretch.p)
        shape = (len(times), len(owner.weights.y), len(owner.functionals))
        source = Source(np.zeros(shape), np.zeros(shape))
        at = Instants(nodes.t, nodes.y, nodes.yp, stretch.p)
        for density, weight in self.part.densities:
            for place, slope in owner.readings.slopes(density.curve, at):
                if place.array in ("y", "yp"):
                    getattr(source, place.array)[:, place.place] += place.factor * slope[:, None] * weight
        return nodes, source

    def run(self) -> FloatArray:
        """mu at the earlier end."""
        part, owner, steps = self.part, self.owner, self.variant.steps
        t, mu = part.t1, owner.weights.y
        here, source = self._sampled(np.array([t]))
        rate, self.first_q = steps.rate(here, source, mu)
        self.first = here
        h, whole = _FIRST * (part.t1 - part.t0), part.t1 - part.t0
        failed = False
        while t > part.t0:
            h = self._limited(t, h)
            if t - h < part.t0 + 1e-10 * whole:
                h = t - part.t0
            nodes, source = self._sampled(np.clip(t - NODES * h, part.t0, part.t1))
            step = steps.step((here, mu, rate), nodes, source, h)
            error = np.inf if step is None else self._size(step.error, np.maximum(np.abs(mu), np.abs(step.mu)))
            if step is None or not error <= 1.0:
                h *= 0.1 if not np.isfinite(error) else max(0.1, 0.9 * error**-0.25)
                failed = True
                if h < _SHORTEST * owner.span:
                    raise not_backwards(f"steps near t = {t:.6g} become too short")
                continue
            self.lengths.append(h)
            self.nodes.append(nodes)
            self.multipliers.append(step.q)
            t = part.t0 if h == t - part.t0 else t - h
            mu, rate, here = step.mu, step.rate, nodes.last()
            self._note(mu)
            grown = min(8.0, 0.9 * max(error, 1e-8) ** -0.25)
            h *= min(grown, 1.0) if failed else grown
            failed = False
        return mu

    def _note(self, mu: FloatArray) -> None:
        np.maximum(self.owner.largest, np.abs(mu * self.owner.size).max(axis=0), out=self.owner.largest)

    def _size(self, error: FloatArray, mu: FloatArray) -> float:
        """How large an error is beside what is allowed; weights count by the size of their states."""
        size = self.owner.size
        scale = np.maximum(self.owner.largest, np.abs(mu * size).max(axis=0))
        found = np.sqrt(((error * size) ** 2).mean(axis=0)) / np.where(scale > 0, scale, 1.0)
        return float(found.max()) / self.tolerance

    def _limited(self, t: float, h: float) -> float:
        for a, b, longest in self.limits:
            if a < t and t - h < b:
                h = min(h, max(longest, t - b) if t > b else longest)
        return h

    # -- sums over time --------------------------------------------------------------------------------------------
    def _instants(self) -> Instants:
        parts = [(node.t, node.y, node.yp) for node in self.nodes]
        t, y, yp = (np.concatenate([part[k] for part in parts]) for k in range(3))
        return Instants(t, y, yp, self.part.stretch.p)

    def add_up(self) -> None:
        """What parameters get: the integral of -q dF/dp, and of the densities by parameters."""
        if not self.nodes:
            return
        at, owner = self._instants(), self.owner
        weights = np.concatenate([h * STAGES[2] for h in self.lengths])
        q = np.concatenate(self.multipliers) * weights[:, None, None]
        self.variant.parameters.weighed(at, q, owner.weights.p)
        for density, weight in self.part.densities:
            for place, slope in owner.readings.slopes(density.curve, at):
                if place.array == "p":
                    owner.weights.p[place.place] += place.factor * float(weights @ slope) * weight

    def too_long(self) -> list[tuple[float, float, float]]:
        """Parts in which the sums over time need shorter steps, by the same estimate as for the weights."""
        if not self.nodes:
            return []
        at, first = self._instants(), self.first
        at = Instants(
            np.concatenate([first.t, at.t]), np.concatenate([first.y, at.y]), np.concatenate([first.yp, at.yp]), at.p
        )
        profile = self.variant.parameters.profile(at, np.concatenate([self.first_q[None], *self.multipliers]))
        h = np.array(self.lengths)
        inner = profile[1:].reshape(len(h), 3, -1)
        begin = np.concatenate([profile[:1].reshape(1, -1), inner[:-1, 2]])
        away = np.einsum("i,ij,kjc->kc", ESTIMATE, STAGES, inner)
        error = GAMMA * h[:, None] * np.abs(begin + away)
        total = (h[:, None] * np.abs(inner).mean(axis=1)).sum(axis=0)
        functions = len(self.owner.functionals)
        allowed = self.tolerance * total.reshape(-1, functions).sum(axis=0)
        by_function = error.reshape(len(h), -1, functions).sum(axis=1) / np.where(allowed > 0, allowed, np.inf)
        worst = by_function.max(axis=1, initial=0.0)
        ends = self.part.t1 - np.cumsum(h)
        return [
            (float(ends[k]), float(ends[k] + h[k]), float(h[k] * max(0.1, 0.8 * worst[k] ** -0.25)))
            for k in np.flatnonzero(worst > 1.0)
        ] + (self.limits if (worst > 1.0).any() else [])
