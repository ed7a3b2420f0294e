"""Forces and torques that components of a mechanism name, as arrows on the bodies they act on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tellegen.animation.colors import FORCE_COLOR, TORQUE_COLOR
from tellegen.animation.mechanism.moved_visuals import Moved
from tellegen.animation.scene import ArrowItem
from tellegen.ir.model import ARROW_OF_FRAME, PULL, FloatArray

COLORS = {"force": FORCE_COLOR, "torque": TORQUE_COLOR}


def force_arrows(moved: list[Moved], size: float) -> tuple[ArrowItem, ...]:
    """The largest force is as long as `size`, and so is the largest torque: they have no scale in common."""
    return tuple(arrow for word in COLORS for arrow in _scaled(list(_of_word(moved, word)), size))


def _of_word(moved: list[Moved], word: str) -> Iterator[ArrowItem]:
    """All forces, or all torques."""
    for one in moved:
        if word in one.numbers:
            yield from _pulls(one) if one.visual.look.shape == PULL else _arrows(one, word)


def _pulls(one: Moved) -> Iterator[ArrowItem]:
    """Both ends of a line force, each towards the other where it pulls."""
    pull = one.numbers["force"] * one.numbers["e"]
    yield ArrowItem(f"{one.visual.owner} a", one.positions, pull, FORCE_COLOR)
    yield ArrowItem(f"{one.visual.owner} b", one.ends, -pull, FORCE_COLOR)


def _arrows(one: Moved, word: str) -> Iterator[ArrowItem]:
    """One vector, or one for each point."""
    count = len(one.positions)
    vectors = one.numbers[word].reshape(count, -1, 3)
    if one.visual.look.shape == ARROW_OF_FRAME:
        vectors = np.einsum("tij,tkj->tki", one.rotations, vectors)
    arms: FloatArray = one.numbers.get("arm", np.zeros_like(vectors)).reshape(vectors.shape)
    for k in range(vectors.shape[1]):
        name = one.visual.owner if vectors.shape[1] == 1 else f"{one.visual.owner}[{k}]"
        yield ArrowItem(f"{name} {word}", one.ends + arms[:, k], vectors[:, k], COLORS[word])


def _scaled(arrows: list[ArrowItem], size: float) -> list[ArrowItem]:
    longest = max((float(np.linalg.norm(arrow.vectors, axis=1).max()) for arrow in arrows), default=0.0)
    return [replace(arrow, scale=size / longest) for arrow in arrows] if longest > 0.0 else []
