"""Whether the points of a panel show what a curve does there: bounds see peaks between them, whatever their width.

    from the dense output    what states are at most and at least in the panel, and their rates
    from the formula         the same of the curve (symbolic/bounds/traced.py)

The rate of a curve is bounded by little more than its points show, or it may do something between them: then the panel
is halved, as long as that may change what is measured. Single runs: analyses/performance/between_points.py.
"""

from __future__ import annotations

from tellegen.ensembles.kernels.events.locate import interpolate
from tellegen.ensembles.kernels.job import Job, bounds, inverse
from tellegen.ensembles.kernels.sizes import BOUND, STAGE, STATES, TIME, TRIED, Q
from tellegen.procedures.language import Array, f64, procedure

PER_STATE = 4  # lowest, highest, lowest rate, highest rate
_INSIDE = 0.25  # of how much the rate changes, by which a state may be beyond its ends and its middle
_LIKE = 8.0  # times what points show of the change of a rate
_SEEN = 1e-3  # of its size, that a curve may do beside
_EXACT = 1e-6  # of its range: how exactly extremes are known
_FLAT = 1e-5  # of its range: a curve that is bounded so well has been seen
_ROUNDING = 1e-12


@procedure(inline=True)
def bound_states(job: Job, work: Array[f64], begin: f64, end: f64) -> None:
    """Bounds of states from three points of the dense output, and of all curves from them, into `BOUND`."""
    stage = work[STAGE:]
    found = work[BOUND:]
    part = inverse(work[TRIED])
    half = 0.5 * (end - begin)
    middle = begin + half
    found[0] = half
    interpolate(work, (begin - work[TIME]) * part, stage)
    for i in range(STATES):
        found[1 + PER_STATE * i] = stage[i]
    interpolate(work, (end - work[TIME]) * part, stage)
    for i in range(STATES):
        found[2 + PER_STATE * i] = stage[i]
    interpolate(work, (middle - work[TIME]) * part, stage)
    for i in range(STATES):
        first = found[1 + PER_STATE * i]
        last = found[2 + PER_STATE * i]
        before = (stage[i] - first) / half
        after = (last - stage[i]) / half
        bend = abs(after - before)
        beyond = _INSIDE * half * bend
        found[1 + PER_STATE * i] = min(min(first, last), stage[i]) - beyond
        found[2 + PER_STATE * i] = max(max(first, last), stage[i]) + beyond
        found[3 + PER_STATE * i] = min(before, after) - bend
        found[4 + PER_STATE * i] = max(before, after) + bend
    bounds(middle, job.common, work[Q:], stage, found)


@procedure(inline=True)
def is_shown(found: Array[f64], spread: f64, length: f64, size: f64) -> bool:
    """Whether a curve of some size does not more in a panel than its points, whose slopes spread so far, say."""
    reach = length * (found[3] - found[2])
    return reach <= _LIKE * length * spread + _SEEN * size or found[1] - found[0] <= _FLAT * size


@procedure(inline=True)
def is_below(found: Array[f64], sign: f64, best: f64, size: f64) -> bool:
    """Whether a curve cannot be higher (sign 1) or lower (-1) in a panel than it was."""
    top = found[1] if sign > 0.0 else -found[0]
    return top <= best + _EXACT * size


@procedure(inline=True)
def with_rounding(size: f64, largest: f64, floor: f64) -> f64:
    """A size, what is rounding of large numbers, and what does not count."""
    return size + _ROUNDING * largest + floor
