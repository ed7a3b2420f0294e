"""Where the names of a Modelica class are in the kind of another front end that stands for its equations.

ports[2].T  of the class    ->    element 1 of the member "ports.T" of the kind: there indices begin at 0
"""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import NamedTuple

from tellegen.ir.model import Kind, Member
from tellegen.start.records import dataclass


class MemberPlace(NamedTuple):
    """The first scalar of a variable or parameter of the class: a member of the kind and an element of it."""

    is_parameter: bool
    member: int
    first: int


class PortPlace(NamedTuple):
    """The first connector of a port of the class: a port of the kind and an element of it."""

    port: int
    first: int


@dataclass(frozen=True, eq=False)
class Implementation:
    """A kind, by the names that Modelica text has for what is in it."""

    kind: Kind

    @cached_property
    def members(self) -> dict[str, MemberPlace]:
        """Variables and parameters."""
        found: dict[str, MemberPlace] = {}
        for is_parameter, members in ((True, self.kind.parameters), (False, self.kind.variables)):
            for number, member in enumerate(members):
                for name, first in _names(member):
                    found[name] = MemberPlace(is_parameter, number, first)
        return found

    @cached_property
    def ports(self) -> dict[str, PortPlace]:
        """Connectors; signals keep their indices, an array of them is one port."""
        found: dict[str, PortPlace] = {}
        for number, port in enumerate(self.kind.ports):
            found[port.name] = PortPlace(number, 0)
            if port.is_array and port.family != "signal":
                for element in range(port.count):
                    found[f"{port.name}[{element + 1}]"] = PortPlace(number, element)
        return found


def _names(member: Member) -> list[tuple[str, int]]:
    """The names of a member in Modelica, each with the number of its first scalar."""
    if member.array < 0:
        return [(member.name, 0)]
    below = member.name[len(member.array_name) :]
    inner = prod(member.shape)
    return [(f"{member.array_name}[{k + 1}]{below}", k * inner) for k in range(member.array)]
