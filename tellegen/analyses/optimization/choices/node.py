"""A node of the tree: for each list, the options that are left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod

import numpy as np

from tellegen.analyses.optimization.choices.options import Options
from tellegen.analyses.optimization.choices.shape import Shape
from tellegen.analyses.optimization.choices.space import Place
from tellegen.ir.model import FloatArray

_SHOWN = 3  # labels of a list


@dataclass(frozen=True, eq=False)
class Node:
    """`left` are the numbers of the options that are left of each list of a shape.

    `bound` is a value of the objective (of which smaller is better) that none of its leaves falls below. `guess` is
    where the relaxed problem has it (or its best value so far), and `influence` how much objective and constraints
    change over the range of each of its variables, relative to their sizes. `is_confirmed` says that searches from
    other starts did not fall below the bound either: only then the node may be left out. `reached` is the objective at
    `guess`, where all constraints are satisfied there.
    """

    shape: int
    left: tuple[tuple[int, ...], ...]
    bound: float = -np.inf
    is_confirmed: bool = False
    reached: float = np.inf
    guess: FloatArray = field(default_factory=lambda: np.zeros(0))
    influence: FloatArray = field(default_factory=lambda: np.zeros(0))

    def __len__(self) -> int:
        """How many leaves it has."""
        return prod(len(options) for options in self.left)

    def __contains__(self, place: Place) -> bool:
        return place.shape == self.shape and all(k in left for k, left in zip(place.picked, self.left, strict=True))

    def leaves(self) -> Iterator[Place]:
        """All its combinations."""
        return (Place(self.shape, picked) for picked in product(*self.left))

    def text(self, options: Options) -> str:
        """What is left, in words; lists of which all is left are not mentioned."""
        parts = []
        for (key, listed), left in zip(options.lists.items(), self.left, strict=True):
            if len(left) == len(listed) > 1:
                continue
            labels = ", ".join(str(listed[k].label) for k in left[:_SHOWN])
            more = f" and {len(left) - _SHOWN} more" if len(left) > _SHOWN else ""
            parts.append(f"{key}: {labels}{more}")
        return "; ".join(parts) or "all"


def root(shape: int, options: Options) -> Node:
    """Everything is left of a shape."""
    return Node(shape, tuple(tuple(range(len(listed))) for listed in options.lists.values()))


def split(node: Node, shape: Shape) -> tuple[Node, Node]:
    """Two halves: of the list, by the number, whose range matters most for the bound."""
    best = (-1.0, 0, 0)
    for key, (each, listed) in enumerate(zip(shape.numbers, node.left, strict=True)):
        values = each.values[list(listed)]
        for k, influence in enumerate(node.influence[shape.columns[key]]):
            if np.ptp(values[:, k]) > 0:
                best = max(best, (float(influence), key, k))
    influence, key, k = best
    if influence < 0:  # the options that are left set equal numbers
        key = int(np.argmax([len(listed) for listed in node.left]))
        ordered = list(node.left[key])
        middle = len(ordered) // 2
    else:
        values = shape.numbers[key].values[:, k]
        ordered = sorted(node.left[key], key=lambda option: values[option])
        middle = _middle(values[ordered])
    halves = (tuple(ordered[:middle]), tuple(ordered[middle:]))
    first, second = ((*node.left[:key], half, *node.left[key + 1 :]) for half in halves)
    open_ = replace(node, is_confirmed=False)
    return replace(open_, left=first), replace(open_, left=second)


def _middle(ascending: FloatArray) -> int:
    """Where to cut: near the middle, between numbers that differ."""
    steps = np.flatnonzero(np.diff(ascending) > 0) + 1
    return int(steps[np.argmin(np.abs(steps - len(ascending) / 2))])
