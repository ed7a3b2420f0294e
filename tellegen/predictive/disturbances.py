"""What acts on a plant and nobody measures, found from how its states went on: an integrator for each of it.

    e = x - f(x before, u before, d)          what the model did not expect of the last period
    d + gain * D                              D: least squares of e = df/dd D

Where the loop is at rest nothing is left to add: df/dd' e = 0, so a plan counts on what really acts, and a constant
load leaves no error. States are weighed by how much they move from sample to sample.
"""

from __future__ import annotations

import numpy as np

from tellegen.ir.model import FloatArray
from tellegen.predictive.intervals import Intervals
from tellegen.start.records import dataclass

_NOTHING = 1e-12  # of the largest effect: what is smaller is none


@dataclass(frozen=True, eq=False)
class Believed:
    """Disturbances as they are believed to be, how much states move in a period, and the last sample."""

    values: FloatArray
    moves: FloatArray
    state: FloatArray | None = None
    applied: FloatArray | None = None

    def after(self, state: FloatArray, applied: FloatArray) -> Believed:
        """With what is known of the last sample: where the plant was, and what was applied from then on."""
        return Believed(self.values, self.moves, state, applied)


def corrected(before: Believed, intervals: Intervals, gains: FloatArray, state: FloatArray) -> Believed:
    """What is believed after one more sample: the plant is in this state now."""
    if not len(gains) or before.state is None or before.applied is None:
        return before
    held = np.concatenate([before.applied, before.values])
    ends = intervals.run(np.tile(before.state, (2, 1)), np.tile(held, (2, 1)))
    if not ends.ok.all():
        return before
    error = state - ends.values[0, : len(state)]
    effect = ends.by_input[0, : len(state), len(before.applied) :]
    moves = np.maximum(before.moves, np.maximum(np.abs(state - before.state), np.abs(error)))
    known = moves > 0.0
    if not known.any():
        return before
    found = np.linalg.lstsq(effect[known] / moves[known, None], error[known] / moves[known], rcond=_NOTHING)[0]
    return Believed(before.values + gains * found, moves, state, before.applied)
