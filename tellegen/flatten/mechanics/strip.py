"""Frames lose their variables, but for those that the equations of their component mention.

A body does not mention where it is, so nothing is computed there; a spring mentions frame_a.r_0, which becomes an input
that the sweeps supply, and frame_a.f, which it has to give. What a joint takes from the sweeps (its acceleration)
becomes an input as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from tellegen.ir.model import ChildGroup, Kind, Model, Port, Ref, Stamp, Variable

SUPPLIED = ("qdd", "cut_f", "cut_t")
"""Members of joints that the sweeps compute."""

_NOTHING = (0,)


def frame_families(kinds: Iterable[Kind]) -> frozenset[str]:
    """Families of connectors that somebody makes a statement about: frames."""
    return frozenset(kind.ports[q].family for kind in kinds for what in kind.mechanics for q in what.ports)


def without_frame_variables(model: Model) -> Model:
    """See the top of this file."""
    families = frame_families(model.kinds())
    done: dict[int, Kind] = {}

    def stripped(kind: Kind) -> Kind:
        if id(kind) not in done:
            groups = tuple(_with_kind(group, stripped(group.kind)) for group in kind.groups)
            done[id(kind)] = replace(_strip(kind, families), groups=groups)
        return done[id(kind)]

    return replace(model, root=stripped(model.root))


def _with_kind(group: ChildGroup, kind: Kind) -> ChildGroup:
    return replace(group, kind=kind)


def _strip(kind: Kind, families: frozenset[str]) -> Kind:
    used = {ref.member for stamp in kind.stamps for ref in stamp.refs if _is_own_variable(ref)}
    variables = list(kind.variables)
    ports = list(kind.ports)
    for q, port in enumerate(ports):
        if port.family in families:
            forces = [v for v in port.variables if variables[v].role == "through"]
            acts = not used.isdisjoint(forces)
            for v in port.variables:
                variables[v] = _as_signal(variables[v], acts if v in forces else v in used)
            ports[q] = replace(port, variables=())
    for what in kind.mechanics:
        for word in SUPPLIED:
            if word in what.members:
                member = what.members[word].member
                variables[member] = replace(variables[member], role="input")
    stamps = tuple(_with_roles(stamp, kind.variables, variables) for stamp in kind.stamps)
    return replace(kind, variables=tuple(variables), ports=tuple(ports), stamps=stamps)


def _with_roles(stamp: Stamp, before: tuple[Variable, ...], after: list[Variable]) -> Stamp:
    """A stamp whose slots say what its variables are now."""
    changed = [_is_own_variable(ref) and before[ref.member].role != after[ref.member].role for ref in stamp.refs]
    if not any(changed):
        return stamp
    slots = list(stamp.template.slots)
    for k in np.flatnonzero(changed).tolist():
        slots[k] = replace(slots[k], role=after[stamp.refs[k].member].role)
    return replace(stamp, template=replace(stamp.template, slots=tuple(slots)))


def _is_own_variable(ref: Ref) -> bool:
    return not ref.path and not ref.outer and not ref.parameter


def _as_signal(variable: Variable, kept: bool) -> Variable:
    """Known from outside, or for forces to be given by the component; without any element where nobody mentions it."""
    role = "local" if variable.role == "through" else "input"
    return replace(variable, role=role) if kept else replace(variable, role=role, shape=_NOTHING)


def read_quantities(kind: Kind, port: Port) -> set[str]:
    """The names of the quantities of a frame that are left."""
    prefix = f"{port.name}."
    return {v.name[len(prefix) :] for v in kind.variables if v.name.startswith(prefix) and v.size}
