"""The curves that belong to a drawn component: its own variables, or those of the body it is part of."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tellegen.animation.scene import Curve
from tellegen.engine.results.solution import Solution

READINGS = ("r_0", "v_0")
"""Of the outer frame of a body."""


class BodyCurves:
    """Curves of a solution by the component that is drawn."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self._scalars: dict[str, list[str]] = {}
        for name in solution.names():
            owner, _, local = name.rpartition(".")
            if "[" not in local:
                self._scalars.setdefault(owner, []).append(name)

    def of(self, owner: str, limit: int) -> list[Curve]:
        """The first scalar variables of a component; a body has none, so the joint that carries it, and where it is."""
        own = self._own(owner, limit)
        return own or [*self._own(_carrier(self.solution, owner), 2), *_readings(self.solution, owner)]

    def _own(self, owner: str, limit: int) -> list[Curve]:
        names = self._scalars.get(owner, [])[:limit] if owner else []
        return [Curve(name, self.solution.unit(name), np.asarray(self.solution[name], float)) for name in names]


def _carrier(solution: Solution, owner: str) -> str:
    """The joint that carries the body, whose coordinate and speed are its first variables; none carries the ground."""
    mechanism = solution._reduced.flat.mechanism
    assert mechanism is not None
    place = mechanism.frames.get(f"{owner}.frame_a")
    return "" if place is None or place.lump == 0 else mechanism.links[place.lump - 1].path


def _readings(solution: Solution, owner: str) -> Iterator[Curve]:
    """Position and velocity of the outer frame, unless it is at rest."""
    mechanism = solution._reduced.flat.mechanism
    assert mechanism is not None
    frame = next((f"{owner}.{end}" for end in ("frame_b", "frame_a") if f"{owner}.{end}" in mechanism.frames), None)
    if frame is None or mechanism.frames[frame].lump == 0:
        return
    for word in READINGS:
        values = np.asarray(solution[f"{frame}.{word}"], float)
        for k in range(3):
            yield Curve(f"{frame}.{word}[{k}]", solution.unit(f"{frame}.{word}[{k}]"), values[:, k])
