"""The slots of a tangent: those of the template, then one more for each leaf that can change."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.ir.expr import Der, Expr, Slot
from tellegen.ir.flat import Group


class TangentSlots:
    """Slots and bindings of the tangent of a group. `place` and `direction` lead to tangents and directions."""

    def __init__(self, group: Group, place: Any, direction: Any, moved: Any) -> None:
        self.group, self.place, self.direction, self.moved = group, place, direction, moved
        self.infos = list(group.template.slots)
        self.of: dict[tuple[int, bool], int] = {}
        self.sources: list[tuple[int, bool]] = []

    def leaf(self, node: Slot | Der) -> Expr | None:
        """The tangent of a slot or of its derivative."""
        info, index = self.group.template.slots[node.index], node.index
        if info.parameter:
            if not self.moved[self.group.bindings[:, index]].any():
                return None
        elif info.type != "real":
            return None
        key = index, info.parameter
        if key not in self.of:
            self.of[key] = len(self.infos)
            self.infos.append(replace(info, name=f"{info.name}'"))
            self.sources.append(key)
        return Der(self.of[key]) if isinstance(node, Der) else Slot(self.of[key])

    def bindings(self, directions: Any) -> Any:
        """Rows for the directions, one below the other."""
        own = self.group.bindings
        parts = []
        for j in directions:
            more = [
                (self.direction if is_parameter else self.place)[own[:, index], j][:, None]
                for index, is_parameter in self.sources
            ]
            parts.append(np.concatenate([own, *more], axis=1))
        return np.concatenate(parts).astype(np.int32)
