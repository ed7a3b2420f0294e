"""Inputs of components that nothing feeds: they keep their default."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tellegen.flatten.signals import mentioned_inputs
from tellegen.ir.model import End, IntArray, Kind, Model


@dataclass(frozen=True, eq=False)
class OpenInput:
    """Elements of an input of the children in a group (-1: of the model itself), counted over the group."""

    group: int
    variable: int
    parameter: int  # its default
    elements: IntArray


class OpenInputs:
    """The open inputs of the children of each kind, and of the model itself."""

    def __init__(self, model: Model) -> None:
        self._driven: dict[tuple[int, int, int], list[IntArray]] = {}
        self.outer_fed = {name for kind in model.kinds() for name in _outer_ends(kind)}
        for kind in model.kinds():
            for ref in mentioned_inputs(kind):
                parent = kind
                for group in ref.path[:-1]:
                    parent = parent.groups[group].kind
                per_parent = parent.groups[ref.path[-1]].size * _size(parent, ref.path[-1], ref.member)
                key = (id(parent), ref.path[-1], ref.member)
                self._driven.setdefault(key, []).append(np.unique(ref.elements % per_parent))
        self.by_kind = {id(kind): list(self._of(kind)) for kind in model.kinds()}
        self.of_root = list(_own_inputs(model.root))
        used = {(id(model.root), found.parameter) for found in self.of_root}
        for kind in model.kinds():
            used |= {(id(kind.groups[found.group].kind), found.parameter) for found in self.by_kind[id(kind)]}
        self.used = used

    def _of(self, kind: Kind) -> Iterator[OpenInput]:
        for g, group in enumerate(kind.groups):
            for number, variable in enumerate(group.kind.variables):
                if variable.role != "input" or self.outer_fed & {*group.names}:
                    continue
                ends = [end for c in kind.connections for end in (c.a, c.b)]
                fed = [end.elements for end in ends if _is(end, g, group.kind, number)]
                fed += self._driven.get((id(kind), g, number), [])
                total = np.arange(group.size * variable.size)
                open_elements = total[~np.isin(total, np.concatenate(fed))] if fed else total
                if len(open_elements):
                    default = group.kind.parameter_index[f"{variable.name}.default"]
                    yield OpenInput(g, number, default, open_elements)


def _size(kind: Kind, group: int, variable: int) -> int:
    return kind.groups[group].kind.variables[variable].size


def _is(end: End, group: int, kind: Kind, variable: int) -> bool:
    return end.group == group and not end.outer and kind.ports[end.port].variables == (variable,)


def _outer_ends(kind: Kind) -> set[str]:
    """Outer components that a kind connects itself to."""
    return {end.outer for c in kind.connections for end in (c.a, c.b) if end.outer}


def _own_inputs(kind: Kind) -> Iterator[OpenInput]:
    for number, variable in enumerate(kind.variables):
        default = kind.parameter_index.get(f"{variable.name}.default", -1)
        if variable.role == "input" and default >= 0 and variable.size:
            yield OpenInput(-1, number, default, np.arange(variable.size))
