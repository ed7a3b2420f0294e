"""The curves that belong to a drawn component: its own variables, or those of the body it is part of."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tellegen.animation.scene import Curve
from tellegen.engine.results.solution import Solution

READINGS = ("r_0", "v_0")
"""Of the outer frame of a body."""


def curves_of(solution: Solution, owner: str, limit: int) -> list[Curve]:
    """The first scalar variables of a component; a body has none, so the joint that carries it, and where it is."""
    own = _own(solution, owner)[:limit]
    return own or [*_carried(solution, owner)[:2], *_readings(solution, owner)]


def _own(solution: Solution, owner: str) -> list[Curve]:
    prefix = f"{owner}."
    found = []
    for name in solution.names():
        local = name.removeprefix(prefix)
        if name.startswith(prefix) and "." not in local and "[" not in local:
            found.append(Curve(name, solution.unit(name), np.asarray(solution[name], float)))
    return found


def _carried(solution: Solution, owner: str) -> list[Curve]:
    """The variables of the joint that carries the body: its coordinate and its speed come first."""
    mechanism = solution._reduced.flat.mechanism
    assert mechanism is not None
    place = mechanism.frames.get(f"{owner}.frame_a")
    if place is None or place.lump == 0:
        return []
    joint = mechanism.links[place.lump - 1].path
    return [] if joint == owner else _own(solution, joint)


def _readings(solution: Solution, owner: str) -> Iterator[Curve]:
    """Position and velocity of the outer frame, where they change."""
    mechanism = solution._reduced.flat.mechanism
    assert mechanism is not None
    frame = next((f"{owner}.{end}" for end in ("frame_b", "frame_a") if f"{owner}.{end}" in mechanism.frames), None)
    if frame is None or mechanism.frames[frame].lump == 0:
        return
    for word in READINGS:
        values = np.asarray(solution[f"{frame}.{word}"], float)
        for k in range(3):
            yield Curve(f"{frame}.{word}[{k}]", solution.unit(f"{frame}.{word}[{k}]"), values[:, k])
