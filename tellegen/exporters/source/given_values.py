"""Values that a component gives to members of itself and of the components in it.

Settings are columns of numbers, stamps of the sections "parameter" and "start" are expressions. Here they are sorted
by the member they are for, an array of values for each: what texts write as modifications or generic maps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.exporters.source.targets import Target, axes, follow
from tellegen.ir.model import Array, Kind, Parameter, Setting, Stamp, Variable

Value = float | str
"""A number in SI units, or an expression as it is written."""


@dataclass(frozen=True)
class Address:
    """An attribute of a member; `steps` are the groups passed and the child taken, -1 where the group is an array."""

    steps: tuple[tuple[int, int], ...]
    number: int
    parameter: bool
    attribute: str


class GivenValues:
    """What one kind gives, outermost values last. Arrays have the axes of the component arrays passed in front."""

    def __init__(self, kind: Kind, outers: Mapping[str, Kind], text: Callable[[Stamp, int], str]) -> None:
        self.kind = kind
        self.outers = outers
        self.values: dict[Address, Array] = {}
        self.put(kind.settings)
        for stamp in kind.stamps:
            if stamp.section in ("parameter", "start"):
                attribute = "value" if stamp.section == "parameter" else "start"
                target = follow(kind, stamp.refs[0], outers)
                path = stamp.refs[0].path
                self._take(target, path, attribute, [text(stamp, row) for row in range(stamp.rows)])

    def put(self, settings: Iterable[Setting]) -> None:
        """Take numbers over."""
        for setting in settings:
            target = follow(self.kind, setting.ref, self.outers)
            self._take(target, setting.ref.path, setting.attribute, setting.values.tolist())

    def own(self, number: int, parameter: bool, attribute: str) -> Array | None:
        """The values of a member of the component itself; None where nothing is given."""
        found = self.values.get(Address((), number, parameter, attribute))
        return None if found is None else completed(found, self.kind, number, parameter, attribute)

    def below(self) -> Iterator[tuple[Address, Kind, Array]]:
        """What is given to members of components in it: address, the kind that has the member, complete values."""
        for address, values in self.values.items():
            if address.steps:
                kind = self.kind
                for group, _ in address.steps:
                    kind = kind.groups[group].kind
                key = (address.number, address.parameter, address.attribute)
                yield address, kind, completed(values, kind, *key)

    def _take(self, target: Target, path: tuple[int, ...], attribute: str, values: list[Any]) -> None:
        sizes = [group.size for group in target.groups if group.is_array] + list(axes(target.member))
        for row, value in enumerate(values):
            subscripts = target.subscripts[min(row, len(target.subscripts) - 1)].tolist()
            steps = []
            place = []
            for g, group, k in zip(path, target.groups, subscripts, strict=False):
                steps.append((g, -1 if group.is_array else k))
                if group.is_array:
                    place.append(k)
            place += subscripts[len(path) :]
            address = Address(tuple(steps), target.number, isinstance(target.member, Parameter), attribute)
            if address not in self.values:
                self.values[address] = np.full(tuple(sizes), None, object)
            self.values[address][tuple(place)] = value


def completed(values: Array, kind: Kind, number: int, parameter: bool, attribute: str) -> Array:
    """The array with what its class declares for the elements that nothing is given to."""
    missing = np.array([value is None for value in values.ravel()], bool).reshape(values.shape)
    if not missing.any():
        return values
    member = (kind.parameters if parameter else kind.variables)[number]
    declared = declared_values(member, attribute)
    assert declared is not None, f"{attribute} of a part of the array '{member.name}'"  # the language gives it to all
    out = values.copy()
    out[missing] = np.broadcast_to(declared, values.shape)[missing]
    return out


def declared_values(member: Parameter | Variable, attribute: str) -> Array | None:
    """The numbers that a class declares for an attribute, one for each element; None where it declares none."""
    default = {"fixed": 0.0, "start": 0.0, "state": 0.0}.get(attribute)
    value = member.attributes.get(attribute, default)
    if value is None or not np.isfinite(np.asarray(value, float)).all():
        return None
    sizes = axes(member)
    return np.resize(np.asarray(value, float), sizes).astype(object) if sizes else np.asarray(value, object).reshape(())
