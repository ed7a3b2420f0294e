"""The slots of a tangent: those of the template, then one more for each leaf that can change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.ir.expressions.expr import Der, Expr, Slot, Time
from tellegen.ir.expressions.template import SlotInfo
from tellegen.ir.flat import Group
from tellegen.ir.model import Array

_TIME = -1  # in the place of the number of a slot


class TangentSlots:
    """Slots and bindings of the tangent of a group. `place` and `direction` lead to tangents and directions."""

    def __init__(self, group: Group, position: Array, direction: Array, moved: Array, time: Any) -> None:
        self.group = group
        self.position = position
        self.direction = direction
        self.moved = moved
        self.time = time
        self.infos = list(group.template.slots)
        self.of: dict[tuple[int, bool], int] = {}
        self.sources: list[tuple[int, bool]] = []
        self.shared: list[Any] = []

    def leaf(self, node: Slot | Der | Time) -> Expr | None:
        """The tangent of a slot or of its derivative, or of time where instants move."""
        if isinstance(node, Time):
            return self._slot(_TIME, True, SlotInfo("time'", True)) if len(self.time) else None
        info = self.group.template.slots[node.index]
        index = node.index
        if info.parameter:
            if not self.moved[self.group.bindings[:, index]].any():
                return None
        elif info.type != "real":
            return None
        found = self._slot(index, info.parameter, replace(info, name=f"{info.name}'"))
        return Der(found.index) if isinstance(node, Der) else found

    def _slot(self, index: int, is_parameter: bool, info: SlotInfo) -> Slot:
        key = (index, is_parameter)
        if key not in self.of:
            self.of[key] = len(self.infos)
            self.infos.append(info)
            self.sources.append(key)
        return Slot(self.of[key])

    def share(self, rows: Array) -> int:
        """One more slot, the same for all directions; after all leaves."""
        self.shared.append(rows[:, None])
        self.infos.append(SlotInfo("shared", False))
        return len(self.infos) - 1

    def bindings(self, directions: Sequence[int]) -> Any:
        """Rows for the directions, one below the other."""
        own = self.group.bindings
        parts = []
        for j in directions:
            more = [self._column(index, is_parameter, j)[:, None] for index, is_parameter in self.sources]
            parts.append(np.concatenate([own, *more, *self.shared], axis=1))
        return np.concatenate(parts).astype(np.int32)

    def _column(self, index: int, is_parameter: bool, j: int) -> Any:
        own = self.group.bindings
        if index == _TIME:
            return np.full(len(own), self.time[j])
        return (self.direction if is_parameter else self.position)[own[:, index], j]
