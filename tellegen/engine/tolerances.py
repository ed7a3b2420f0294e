"""Absolute tolerances of the unknowns, and how those of algebraic unknowns give way.

IDA tests the error of all unknowns. That of a state is what counts; an algebraic unknown follows from the states, but
it may amplify their error (a transistor's current, by 1/26 mV), and then asking it for as many digits as the states
makes every second step fail. When that is seen, the tolerance of algebraic unknowns is widened by tens. They stay in
the test, because their values between steps are interpolated and a fast signal must not slip through.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.engine.options import Options
from tellegen.engine.sundials import sundials
from tellegen.ir.model import FloatArray

_MANY = 0.2  # failures per step that call for it
_FEWEST = 50  # steps before judging
_WIDEST = 1e4


class Tolerances:
    """The tolerances of one run."""

    def __init__(self, options: Options, nominal: FloatArray, is_state: Any) -> None:
        usual = replace(options, atol=None).absolute(nominal)
        given = options.absolute(nominal)
        # A very small atol is meant for states: an algebraic unknown may be a difference of large numbers.
        self.atol = np.where(is_state, given, np.maximum(given, usual))
        self.rtol, self.algebraic = options.rtol, ~is_state
        self.factor = 1.0
        self._seen = (0, 0)
        self._largest = np.zeros(len(self.atol))

    def adapt(self, memory: int, y: FloatArray) -> None:
        """Widen the algebraic tolerances if too many steps failed since the last look."""
        library = sundials()
        np.maximum(self._largest, np.abs(y), out=self._largest)
        steps, failures = (library.count(name, memory) for name in ("IDAGetNumSteps", "IDAGetNumErrTestFails"))
        if steps < self._seen[0]:  # the counters start anew with each restart
            self._seen = (0, 0)
        taken, failed = steps - self._seen[0], failures - self._seen[1]
        if taken < _FEWEST:
            return
        self._seen = (steps, failures)
        if failed > _MANY * taken and self.factor < _WIDEST and self.algebraic.any():
            self.factor *= 10.0
            wide = self.factor * self.rtol * self._largest
            np.maximum(self.atol, wide, out=self.atol, where=self.algebraic)  # in place: the integrator reads it there
