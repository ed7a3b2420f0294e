"""What a Ref leads to: the components passed, the member, and the subscripts of each of its elements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tellegen.ir.model import ChildGroup, IntArray, Kind, Member, Parameter, Ref, Variable


@dataclass(frozen=True, eq=False)
class Target:
    """The end of a Ref. `subscripts[element]` has a number for each group passed, then for each axis of the member."""

    groups: tuple[ChildGroup, ...]
    kind: Kind
    number: int
    member: Variable | Parameter
    subscripts: IntArray
    outer: str = ""

    @property
    def is_literal(self) -> bool:
        """Whether it stands for numbers written inside equations, and is not the default of an input."""
        return isinstance(self.member, Parameter) and self.member.literal and not self.member.name.endswith(".default")

    def literal_value(self, row: int) -> float:
        """The number that a literal stands for in a row."""
        element = self.subscripts[min(row, len(self.subscripts) - 1)]
        values = np.ravel(self.member.attributes["value"])
        return float(values[int(element[-1])] if len(element) else values[0])


def axes(member: Member) -> tuple[int, ...]:
    """The sizes of a member in one component: connectors of an array first, then its own shape."""
    return (member.array, *member.shape) if member.array >= 0 else member.shape


def follow(kind: Kind, ref: Ref, outers: Mapping[str, Kind]) -> Target:
    """The target of a ref of `kind`; `outers` are the kinds of the outer components it sees."""
    groups: list[ChildGroup] = []
    below = kind
    number = ref.member
    if ref.outer:
        below = outers[ref.outer]
        number = (below.parameter_index if ref.parameter else below.variable_index)[ref.outer_member]
    for group in ref.path:
        groups.append(below.groups[group])
        below = below.groups[group].kind
    member = (below.parameters if ref.parameter else below.variables)[number]
    sizes = (*(group.size for group in groups), *axes(member))
    subscripts = np.stack(np.unravel_index(ref.elements, sizes), axis=-1) if sizes else ref.elements[:, None][:, :0]
    return Target(tuple(groups), below, number, member, subscripts.astype(np.int64), ref.outer)
