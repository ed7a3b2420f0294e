"""Runs of a search that were made already, so that none is made twice.

Methods ask for the objective, the constraints and their derivatives at one point separately. A search that continues
after Ctrl-C asks for all runs of the interrupted one again (resume_search.py).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tellegen.analyses.optimization.formulation.evaluation import Evaluation
from tellegen.ir.model import FloatArray

_DIGITS = 12  # of places between 0 and 1: the same up to rounding
_RECENT = 64


def key_of(positions: FloatArray, gradient: bool, constraints: int) -> bytes:
    """What makes two runs the same: places between the bounds, derivatives or not, and how many constraints."""
    return np.round(positions, _DIGITS).tobytes() + bytes([gradient]) + constraints.to_bytes(4)


class EvaluationCache:
    """Recent evaluations by their keys, and those of an interrupted search by choice and key."""

    def __init__(self) -> None:
        self._recent: dict[bytes, Evaluation] = {}
        self._interrupted: dict[tuple[str, bytes], Evaluation] = {}

    def recent(self, key: bytes) -> Evaluation | None:
        """An evaluation of this search."""
        return self._recent.get(key)

    def interrupted(self, label: str, key: bytes) -> Evaluation | None:
        """An evaluation of the interrupted search, for the choice called `label`."""
        return self._interrupted.get((label, key))

    def add(self, found: Evaluation) -> None:
        """Remember it."""
        if len(self._recent) > _RECENT:
            self._recent.clear()
        self._recent[found.key] = found

    def forget_recent(self) -> None:
        """Something else is asked for from now on."""
        self._recent.clear()

    def remember_interrupted(self, history: Iterable[Evaluation]) -> None:
        """All runs of a search that is resumed."""
        self._interrupted = {(each.label, each.key): each for each in history}
