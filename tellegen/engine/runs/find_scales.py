"""Scales found by the run itself: where absolute tolerances prove too loose, the run is repeated with smaller ones.

    a coil with 1 nA       first run: size 1, tolerance 1e-9: nothing of the current is controlled; it stays below 1e-3
                           second run: size 1e-9, tolerance 1e-18

A tolerance is too loose where the largest value of an unknown times rtol is below it. The next run takes that largest
value for the size. It may itself be wrong, but by no more than the tolerance, which shrinks with it from run to run.

Some unknowns are small because they are zero: the current through a balanced bridge is the rounding of others. To
control the error of noise would make steps tiny, so no size is below what roundings of all terms of the equations make
of an unknown over the length of the run (engine/linear_algebra/rounding_noise.py).

States of a mechanism that cannot move are zero for another reason: its constraints leave them no freedom, and
projection onto these puts them in their place after every step. They are not judged.

Others are zero in effect: at the far end of a chain of links values are a millionth of a millionth of those at its
beginning, and nobody wants them to as many digits. So what is beyond all digits of the largest of its kind counts as
noise: the same variable of the same class, like `phi` of all joints, or an element of the same array. Values along a
chain decrease gradually; those far below all others are a kind of their own.

A tolerance is too loose, too, where it leaves algebraic unknowns undetermined (amplified_errors.py).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

import numpy as np

from tellegen.engine.linear_algebra.pivoted_lu import DenseLU, SparseLU
from tellegen.engine.linear_algebra.pivots import SingularMatrixError, choose_pivots
from tellegen.engine.linear_algebra.rounding_noise import rounding_noise
from tellegen.engine.loaded.invariant_components import components
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.outcome import OutcomeCode
from tellegen.engine.request.run_options import Options
from tellegen.engine.request.scales import PART, Peaks, Scales
from tellegen.engine.results.check_assertions import judged
from tellegen.engine.results.solution import Solution
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import BoolArray, Int32Array, ReducedModel
from tellegen.start.later import later

with later():
    from tellegen.engine.loaded.sampled_noise import sampled_noise
    from tellegen.engine.runs.amplified_errors import wanted_tolerances
    from tellegen.ir.show.reduced_rows import variable_text

_MOST_REPEATS = 5
_ABOVE_NOISE = 100.0  # roundings add up over many steps
_NEGLIGIBLE = 1e-15  # of the largest of its kind: beyond the digits of that
_APART = 1e-9  # of the next larger value: not the far end of a chain, but something else
_PROJECTED = (
    5e-14  # of the largest state: roundings, and the compliance of constraints (library/multibody/sweeps/cuts.py)
)
_WORTH = 0.3  # a smaller size is worth another run below this part of the old one
_LARGE = 1000  # unknowns from which on the Jacobian is not factored for an estimate
_ODE_MODE = ("rk45", "rodas", "cvode")
_DENSE = 40  # unknowns up to which a dense factorization is faster
_MOST_SEARCHED = 5000  # unknowns up to which pivots are searched for this alone: recurrences have dense factors
_SHOWN = 3
_OF_PEAK = 0.1  # a start value of this part of the largest value is meant as such
# what noise under too small a tolerance leads to
_TOO_FINE = (OutcomeCode.STEP_TOO_SMALL, OutcomeCode.NO_CONVERGENCE, OutcomeCode.TOO_MANY_STEPS)
_UNSOLVED = (*_TOO_FINE, OutcomeCode.NOT_FINITE)  # what may come of unknowns that are not determined
_IMPLICIT = ("cvode", "rodas")  # in ODE mode


def fits(model: NativeModel, options: Options, scales: Scales, solution: Solution) -> bool:
    """Whether the scales of a run fit what came out of it; most of them do. Runs of its parts have their own.

    Errors that loops amplify are looked for where implicit steps succeed all the same, because they test the errors of
    states alone; IDA has looked on its way (`is_low`).
    """
    peaks = solution.peaks
    if peaks is None:
        return True
    if not solution.outcome.ok:
        if solution.outcome.code is OutcomeCode.STAGGERED:
            return True
        if solution.outcome.code in _UNSOLVED:
            return False
    if peaks.is_low:
        return False
    if solution.stats["solver"] not in _IMPLICIT or not len(model.ode.iterated):
        return True
    return not _Judge(model, options).is_amplified(scales, solution)


def with_found_scales(
    model: NativeModel,
    options: Options,
    scales: Scales,
    solution: Solution,
    attempt: Callable[[Scales], Solution],
) -> Solution:
    """The solution with scales that fit it, from one with others; `attempt` runs the model with given scales."""
    verdict = judged(solution).outcome
    if verdict is not solution.outcome and not verdict.ok and verdict.time <= float(solution.time[0]):
        return solution  # an assertion that the start violates: no scales help
    judge = _Judge(model, options)
    for _ in range(_MOST_REPEATS):
        better = judge.better(scales, solution)
        if better is None:
            break
        again = attempt(better)
        if not again.outcome.ok and again.outcome.time < solution.outcome.time:
            judge.warn_of_failed_repeat(scales, better, again)
            break
        solution = again
        scales = better
    judge.warn(scales, solution)
    return solution


class FoundScales(Mapping[str, float]):
    """The sizes that the tolerances of a run were relative to in the end, by the unknowns' names and in SI units."""

    def __init__(self, model: ReducedModel, scales: Scales, peaks: Peaks) -> None:
        self.model = model
        self.scales = scales
        self.peaks = peaks

    @cached_property
    def _by_name(self) -> dict[str, float]:
        size = self.scales.size.copy()
        seen = self.peaks.unknowns
        grown = np.maximum(size[seen], self.peaks.value)
        size[seen] = np.where(self.scales.is_declared[seen], size[seen], grown)
        names = (variable_text(self.model, int(variable)) for variable in self.model.unknowns)
        return dict(zip(names, size.tolist(), strict=True))

    def __getitem__(self, name: str) -> float:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self.scales.size)

    def __repr__(self) -> str:
        return repr(self._by_name)


class _Judge:
    """Looks at the solutions of one run."""

    def __init__(self, model: NativeModel, options: Options) -> None:
        self.model = model
        self.options = options

    def better(self, scales: Scales, solution: Solution) -> Scales | None:
        """Scales that fit the solution; None where these do."""
        if self.options.atol is not None:
            return None
        peak = _peak(solution)
        loose = (peak < self.options.absolute(scales).too_loose) & (peak > 0.0) & ~scales.is_declared
        if loose.any():
            loose &= ~self._locked(solution)
        too_fine = solution.outcome.code in _TOO_FINE
        wanted = self._wanted(scales, solution)
        amplifies = np.isfinite(wanted)
        if not (loose.any() or too_fine or amplifies.any()):
            return None
        noise = _ABOVE_NOISE * self._noise(solution)
        noise = np.maximum(noise, _ABOVE_NOISE * self._projected_noise(peak, noise))
        of_kind = _NEGLIGIBLE * self._largest_of_kind(peak)
        noise = np.where(peak < of_kind, np.maximum(noise, of_kind), noise)
        least = np.fmax(noise / (PART * self.options.rtol), of_kind / PART)
        size = np.where(loose, np.minimum(scales.size, np.maximum(peak, least)), scales.size)
        if too_fine:
            is_noise = (peak < noise) & ~scales.is_declared
            size = np.where(is_noise, np.maximum(size, least), size)
        size = np.where(amplifies, np.minimum(size, wanted / (PART * self.options.rtol)), size)
        changed = (size < _WORTH * scales.size) | (size > scales.size / _WORTH)
        if not changed.any():
            return None
        return Scales(np.where(changed, size, scales.size), scales.is_declared | amplifies)

    def _largest_of_kind(self, peak: FloatArray) -> FloatArray:
        """The largest value of each unknown's kind; zero for what is the only one.

        Events that are located to a rounding leave one in all states, so with events no kind is divided.
        """
        reduced = self.model.reduced
        return _largest(peak, reduced.alike) if reduced.events else _largest_by_scale(peak, reduced.alike)

    def _wanted(self, scales: Scales, solution: Solution) -> FloatArray:
        """The tolerances without which algebraic unknowns are undetermined; those of states grow with their values."""
        tolerances = self.options.absolute(scales)
        peak = np.nan_to_num(_peak(solution))
        atol = np.maximum(tolerances.start, tolerances.part * peak)
        return wanted_tolerances(self.model, solution, atol, scales.size)

    def is_amplified(self, scales: Scales, solution: Solution) -> bool:
        """Whether tolerances leave algebraic unknowns undetermined."""
        return bool(np.isfinite(self._wanted(scales, solution)).any())

    def warn(self, scales: Scales, solution: Solution) -> None:
        """Name the unknowns that are not zero and yet smaller than the tolerances asked for at all times."""
        if not solution.outcome.ok:
            return
        self._warn_of_unresolved(scales, solution)
        amplified = np.flatnonzero(np.isfinite(self._wanted(scales, solution)))
        if len(amplified) and judged(solution).outcome.ok:  # a violated assertion says more
            warnings.warn(
                f"{self.model.reduced.flat.name}: other variables depend so strongly on {self._named(amplified)} that "
                "the absolute tolerance leaves them undetermined at times, so the curves may be wrong; give a smaller "
                "nominal= or atol=",
                stacklevel=2,
            )
        peak = _peak(solution)
        is_asked_for = scales.is_declared.copy()
        if self.options.atol is not None:  # others may be meant to be zero
            is_asked_for |= self.model.reduced.is_state & (np.abs(solution.unknowns[0]) > _OF_PEAK * peak)
        below = (peak < self.options.absolute(scales).start) & (peak > 0.0) & is_asked_for
        if below.any():
            below &= peak > _ABOVE_NOISE * self._noise(solution)
        if not below.any():
            return
        warnings.warn(
            f"{self.model.reduced.flat.name}: the absolute tolerance is larger than all values of "
            f"{self._named(np.flatnonzero(below))}, so the curve may be wrong; give a smaller nominal= or atol=, "
            "or leave them out",
            stacklevel=2,
        )

    def _warn_of_unresolved(self, scales: Scales, solution: Solution) -> None:
        """Name the states that are apart from their kind and yet not controlled, because the model has events.

        Parts that are held still have neither a start value of that size nor a place in an array.
        """
        reduced = self.model.reduced
        if self.options.atol is not None or not reduced.events:
            return
        peak = _peak(solution)
        of_kind = _NEGLIGIBLE * _largest(peak, reduced.alike)
        is_apart = _largest_by_scale(peak, reduced.alike) < of_kind
        is_meant = reduced.is_array_element | (np.abs(solution.unknowns[0]) > _OF_PEAK * peak)
        below = (peak < of_kind) & (peak > 0.0) & is_apart & is_meant & reduced.is_state & ~scales.is_declared
        if below.any():
            below &= peak > _ABOVE_NOISE * self._noise(solution)
        if below.any():
            warnings.warn(
                f"{reduced.flat.name}: all values of {self._named(np.flatnonzero(below))} are below 1e-15 of others of "
                "their kind, so their errors are not controlled; declare nominal= where they matter",
                stacklevel=2,
            )

    def warn_of_failed_repeat(self, scales: Scales, better: Scales, failed: Solution) -> None:
        """Name the unknowns whose error was not controlled, where a run that would have done so stopped early.

        Where no step is small enough for the smaller tolerances, the values are noise of the integration itself.
        """
        finer = np.flatnonzero(better.size < scales.size)
        if len(finer) and failed.outcome.code is OutcomeCode.TOO_MANY_STEPS:
            warnings.warn(
                f"{self.model.reduced.flat.name}: the absolute tolerance is larger than all values of "
                f"{self._named(finer)}, and with a smaller one the run stops at t = {failed.outcome.time:g} "
                f"({failed.outcome.code}), so the curve may be wrong; declare nominal=, or allow more with max_steps=",
                stacklevel=2,
            )

    def _named(self, unknowns: IntArray) -> str:
        """The first few of them."""
        reduced = self.model.reduced
        names = [variable_text(reduced, int(reduced.unknowns[k])) for k in unknowns[:_SHOWN]]
        more = f" and {len(unknowns) - _SHOWN} more" if len(unknowns) > _SHOWN else ""
        return ", ".join(names) + more

    def _locked(self, solution: Solution) -> BoolArray:
        """States that invariants leave no freedom: projection puts them in their place after every step."""
        locked = np.zeros(len(solution.unknowns[0]), bool)
        states = np.flatnonzero(self.model.reduced.is_state)
        found = components(self.model.reduced, states)
        if found is not None and solution.stats["solver"] in _ODE_MODE:
            locked[states[found.locked(solution.unknowns[-1], self._parameters(solution))]] = True
        return locked

    def _parameters(self, solution: Solution) -> FloatArray:
        """Those at the last point."""
        history = solution.history
        return solution._p if history is None else history.numbers(int(history.segment[-1]))

    def _projected_noise(self, peak: FloatArray, noise_of: FloatArray) -> FloatArray:
        """What projection onto invariants makes of states: a part of the largest one that they hang together with.

        A joint that others lock has a coordinate that is zero, and which moves with the roundings of all around. Where
        all of them are noise, so is what it moves them by.
        """
        noise = np.zeros(len(peak))
        states = np.flatnonzero(self.model.reduced.is_state)
        found = components(self.model.reduced, states)
        if found is not None:
            begins = found.column_start[:-1]
            value = np.nan_to_num(peak[states])[found.state]
            largest = np.maximum.reduceat(value, begins)
            moved = np.maximum.reduceat(np.where(value < noise_of[states][found.state], value, 0.0), begins)
            noise[states[found.state]] = np.repeat(np.fmax(_PROJECTED * largest, moved), np.diff(found.column_start))
            self._raise_tangents(noise)
        return noise

    def _raise_tangents(self, noise: FloatArray) -> None:
        """No tangent is known better than its state: it is the change with a whole design variable, not with a unit."""
        tangents = self.model.reduced.flat.tangents
        if tangents is not None:
            position = self.model.reduced.position
            variable, direction = np.nonzero(tangents.variable >= 0)
            tangent = position[tangents.variable[variable, direction]]
            state = position[variable]
            known = (tangent >= 0) & (state >= 0)
            np.maximum.at(noise, tangent[known], noise[state[known]])

    def _noise(self, solution: Solution) -> FloatArray:
        """What roundings make of each unknown over the run, at its last point; of the largest one if nobody knows."""
        model = self.model
        p = self._parameters(solution)
        y = solution.unknowns[-1]
        span = max(float(solution.time[-1] - solution.time[0]), 1e-3 * (self.options.stop - self.options.start))
        if len(y) == 0:  # everything is discrete
            return np.zeros(0)
        if len(y) > _LARGE and solution.stats["solver"] in _ODE_MODE:
            sampled = sampled_noise(model, float(solution.time[-1]), y, p, span, _peak(solution) / _ABOVE_NOISE)
            if sampled is not None:
                return sampled
        largest = np.maximum(solution.unknowns.max(axis=0), -solution.unknowns.min(axis=0))
        size = np.fmax(largest, _peak(solution))
        of_largest = np.full(len(y), float(np.finfo(float).eps) * float(size.max(initial=0.0)))
        known = model.caches.pivots.get("integration") or model.caches.pivots.get("newton")
        if known is None and len(y) > _MOST_SEARCHED:
            return of_largest
        values = model.jacobian(float(solution.time[-1]), y, np.zeros(len(y)), p, by_rate=1.0 / span)
        pattern = model.program.pattern
        try:
            factors: SparseLU | DenseLU = DenseLU(pattern)
            if len(y) > _DENSE:
                factors = SparseLU(pattern, known or choose_pivots(pattern, values))
            factors.factor(values)
        except SingularMatrixError:
            return of_largest
        noise = rounding_noise(factors, values, size)
        return np.where(np.isfinite(noise), noise, 0.0)


def _peak(solution: Solution) -> FloatArray:
    """The largest value of each unknown; not a number where it has no tolerance."""
    assert solution.peaks is not None
    peak = np.full(len(solution.unknowns[0]), np.nan)
    peak[solution.peaks.unknowns] = solution.peaks.value
    return peak


def _largest(peak: FloatArray, sets: tuple[Int32Array, ...]) -> FloatArray:
    """The largest value that any unknown of the same set has; zero for what is in no set."""
    largest = np.zeros(len(peak))
    for unknowns in sets:
        largest[unknowns] = np.nanmax(peak[unknowns], initial=0.0)
    return largest


def _largest_by_scale(peak: FloatArray, sets: tuple[Int32Array, ...]) -> FloatArray:
    """The same for sets that are divided where values are far below the next larger one."""
    largest = np.zeros(len(peak))
    for unknowns in sets:
        falling = unknowns[np.argsort(-np.nan_to_num(peak[unknowns]), kind="stable")]
        value = np.nan_to_num(peak[falling])
        begins = np.append(True, value[1:] < _APART * value[:-1])
        first = np.maximum.accumulate(np.where(begins, np.arange(len(value)), 0))
        largest[falling] = value[first]
    return largest
