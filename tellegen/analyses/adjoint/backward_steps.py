"""A part of a segment backwards: the adjoint equations with steps under control, and the sums over time.

Steps keep the estimated error of the weights below the tolerance. Whether the sums that parameters get are as exact is
looked at afterwards, for all steps at once; steps for which they are not are divided.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tellegen.analyses.adjoint.event_jumps import Side, not_backwards
from tellegen.analyses.adjoint.functional_recorder import Density
from tellegen.analyses.adjoint.local_weights import LocalPoint
from tellegen.analyses.adjoint.radau import ESTIMATE, GAMMA, NODES, STAGES, Collocation, Sampled, Source, StepStart
from tellegen.analyses.adjoint.run_curves import Segment
from tellegen.analyses.adjoint.signal_derivatives import Readings
from tellegen.analyses.adjoint.weighted_partials import ByParameters
from tellegen.analyses.sensitivities.value_slopes import Instants
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.ir.model import FloatArray

_SHORTEST = 1e-13  # of the run
_DEPTH = 3  # how often a step is divided for one kind of parameter
_DEEPEST = 12  # and for a function
_FIRST = 0.01  # of a part: the first step
_MOST_STEPS = 2_000  # at least, whatever the run needed
_MOST_OF_RUN = 100  # times the steps of the run
_SMALL = 1e-5  # of all together: what one kind of parameter has to do with a function, to count by itself


@dataclass(eq=False)
class Variant:
    """A choice of states, with what is computed from it."""

    model: NativeModel
    wanted: Any
    steps: Collocation = field(init=False)
    parameters: ByParameters = field(init=False)

    def __post_init__(self) -> None:
        self.steps = Collocation(self.model)
        self.parameters = ByParameters(self.model.reduced, self.wanted)

    def side(self, at: Instants) -> Side:
        """The equations around a point."""
        return Side(LocalPoint(self.model, at, self.steps.one), self.parameters)


@dataclass(frozen=True, eq=False)
class Frame:
    """What is the same for all parts; `largest` are the weights so far, times the sizes of states."""

    readings: Readings
    span: float
    size: FloatArray
    tolerance: float
    largest: FloatArray
    steps_of_run: int

    @property
    def most_steps(self) -> int:
        """Of a part. Where more are needed nothing but roundings is followed, of a quantity that never changes."""
        return max(_MOST_STEPS, _MOST_OF_RUN * self.steps_of_run)


@dataclass(frozen=True, eq=False)
class Part:
    """From t1 back to t0 in a segment, with the densities that are integrated there (weights per function)."""

    segment: Segment
    t0: float
    t1: float
    densities: list[tuple[Density, FloatArray]]


@dataclass(frozen=True, eq=False)
class _Limits:
    """Errors that sums over time may have, (kinds of parameters, functions): by their own size, and of all together."""

    each: FloatArray
    all_together: FloatArray

    @staticmethod
    def of(total: FloatArray, frame: Frame) -> _Limits:
        """For sums of these sizes."""
        largest = np.maximum(total.sum(axis=0), frame.largest)
        each = np.maximum(total, _SMALL * largest)
        return _Limits(frame.tolerance * each, frame.tolerance * np.broadcast_to(largest, total.shape))


class Track:
    """One integration over a part."""

    def __init__(self, frame: Frame, variant: Variant, part: Part, longest: float) -> None:
        self.frame = frame
        self.variant = variant
        self.part = part
        self.longest = longest  # step
        self.functions = len(frame.largest)
        self.lengths: list[float] = []
        self.begins: list[FloatArray] = []  # the weights where each step starts
        self.nodes: list[Sampled] = []
        self.multipliers: list[FloatArray] = []

    def _sampled(self, times: FloatArray) -> tuple[Sampled, Source]:
        segment = self.part.segment
        frame = self.frame
        nodes = self.variant.steps.sampled(times, *segment.at(times), segment.p)
        shape = (len(times), len(frame.size), self.functions)
        source = Source(np.zeros(shape), np.zeros(shape))
        at = Instants(nodes.t, nodes.y, nodes.yp, segment.p)
        for density, weight in self.part.densities:
            for position, slope in self.frame.readings.slopes(density.curve, at):
                if position.array in ("y", "yp"):
                    getattr(source, position.array)[:, position.position] += position.factor * slope[:, None] * weight
        return nodes, source

    def run(self, mu: FloatArray) -> FloatArray:
        """The weights on states at the earlier end, for those at the later one."""
        part = self.part
        steps = self.variant.steps
        t = part.t1
        here, source = self._sampled(np.array([t]))
        rate, self.first_q = steps.rate(here, source, mu)
        self.first = here
        whole = part.t1 - part.t0
        h = _FIRST * whole if self.longest == np.inf else self.longest
        failed = False
        while t > part.t0:
            h = min(h, self.longest)
            if t - h < part.t0 + 1e-10 * whole:
                h = t - part.t0
            nodes, source = self._sampled(np.clip(t - NODES * h, part.t0, part.t1))
            step = steps.step(StepStart(here, mu, rate), nodes, source, h)
            error = np.inf if step is None else self._size(step.error, np.maximum(np.abs(mu), np.abs(step.mu)))
            if step is None or not error <= 1.0:
                h *= 0.1 if not np.isfinite(error) else max(0.1, 0.9 * error**-0.25)
                failed = True
                if h < _SHORTEST * self.frame.span:
                    raise not_backwards(f"steps near t = {t:.6g} become too short")
                continue
            if len(self.lengths) >= self.frame.most_steps:
                raise not_backwards(f"more than {self.frame.most_steps} steps are needed near t = {t:.6g}")
            self.lengths.append(h)
            self.begins.append(mu)
            self.nodes.append(nodes)
            self.multipliers.append(step.q)
            t = part.t0 if h == t - part.t0 else t - h
            mu = step.mu
            rate = step.rate
            here = nodes.last()
            self._note(mu)
            grown = min(8.0, 0.9 * max(error, 1e-8) ** -0.25)
            h *= min(grown, 1.0) if failed else grown
            failed = False
        return mu

    def _note(self, mu: FloatArray) -> None:
        np.maximum(self.frame.largest, np.abs(mu * self.frame.size).max(axis=0), out=self.frame.largest)

    def _size(self, error: FloatArray, mu: FloatArray) -> float:
        """How large an error is beside what is allowed; weights count by the size of their states."""
        size = self.frame.size
        scale = np.maximum(self.frame.largest, np.abs(mu * size).max(axis=0))
        found = np.abs(error * size).max(axis=0) / np.where(scale > 0, scale, 1.0)
        return float(found.max()) / self.frame.tolerance

    # -- sums over time --------------------------------------------------------------------------------------------
    def _instants(self) -> Instants:
        parts = [(node.t, node.y, node.yp) for node in self.nodes]
        t, y, yp = (np.concatenate([part[k] for part in parts]) for k in range(3))
        return Instants(t, y, yp, self.part.segment.p)

    def add_up(self, out: FloatArray) -> None:
        """What parameters get: the integral of -q dF/dp, and of the densities by parameters."""
        if not self.nodes:
            return
        at = self._instants()
        weights = np.concatenate([h * STAGES[2] for h in self.lengths])
        q = np.concatenate(self.multipliers) * weights[:, None, None]
        self.variant.parameters.weighed(at, q, out)
        for density, weight in self.part.densities:
            for position, slope in self.frame.readings.slopes(density.curve, at):
                if position.array == "p":
                    out[position.position] += position.factor * float(weights @ slope) * weight

    def refine(self, limits: _Limits | None = None, depth: int = 0) -> None:
        """Divide steps that are too long for the sums over time, by the same estimate as for the weights.

        Only the sums need it: mu after a step stays what it is.
        """
        if not self.nodes:
            return
        profile = self._profile()
        h = np.array(self.lengths)
        inner = profile[1:].reshape(len(h), 3, -1)
        begin = np.concatenate([profile[:1].reshape(1, -1), inner[:-1, 2]])
        error = GAMMA * h[:, None] * np.abs(begin + np.einsum("i,ij,kjc->kc", ESTIMATE, STAGES, inner))
        total = (h[:, None] * np.abs(inner).mean(axis=1)).sum(axis=0).reshape(-1, self.functions)
        if limits is None:
            limits = _Limits.of(total, self.frame)
        limit = limits.each if depth < _DEPTH else limits.all_together
        allowed = np.where(limit > 0, limit, np.inf)
        worst = (error.reshape(len(h), *allowed.shape) / allowed).max(axis=(1, 2), initial=0.0)
        ends = self.part.t1 - np.cumsum(h)
        for k in np.flatnonzero(worst > 1.0)[::-1].tolist():
            part = replace(self.part, t0=float(ends[k]), t1=float(ends[k] + h[k]))
            shorter = Track(self.frame, self.variant, part, float(h[k] * max(0.1, 0.8 * worst[k] ** -0.25)))
            shorter.run(self.begins[k])
            if depth == _DEEPEST:
                raise not_backwards(f"integrals over time do not converge near t = {part.t0:.6g}")
            shorter.refine(limits, depth + 1)
            self.lengths[k : k + 1] = shorter.lengths
            self.begins[k : k + 1] = shorter.begins
            self.nodes[k : k + 1] = shorter.nodes
            self.multipliers[k : k + 1] = shorter.multipliers

    def _profile(self) -> FloatArray:
        """What is integrated over time, at the first instant and all nodes."""
        at = self._instants()
        first = self.first
        t, y, yp = (np.concatenate(pair) for pair in ((first.t, at.t), (first.y, at.y), (first.yp, at.yp)))
        at = Instants(t, y, yp, at.p)
        return self.variant.parameters.profile(at, np.concatenate([self.first_q[None], *self.multipliers]))
