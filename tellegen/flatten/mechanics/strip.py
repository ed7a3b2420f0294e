"""Frames lose their variables, but for those that equations mention, of their component or of one around it.

A body does not mention where it is, so nothing is computed there; a spring mentions frame_a.r_0, which becomes an input
that the sweeps supply, and frame_a.f, which it has to give. What a joint takes from the sweeps (its acceleration)
becomes an input as well. A model may read where its parts are: self.tool.frame_b.r_0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tellegen.errors import StructureError
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
    mentioned = _mentioned_members(model)
    done: dict[int, Kind] = {}

    def stripped(kind: Kind) -> Kind:
        if id(kind) not in done:
            groups = tuple(_with_kind(group, stripped(group.kind)) for group in kind.groups)
            new = replace(_strip(kind, families, mentioned[id(kind)]), groups=groups)
            stamps = tuple(_with_roles(stamp, kind, new) for stamp in kind.stamps)
            done[id(kind)] = replace(new, stamps=stamps)
        return done[id(kind)]

    return replace(model, root=stripped(model.root))


def _mentioned_members(model: Model) -> dict[int, set[int]]:
    """Variables of each kind (by its id) that its equations mention, or those of a component around it."""
    mentioned: dict[int, set[int]] = {id(kind): set() for kind in model.kinds()}
    for kind in model.kinds():
        for stamp in kind.stamps:
            for ref in stamp.refs:
                if _is_variable(ref):
                    mentioned[id(_kind_at(kind, ref))].add(ref.member)
    return mentioned


def _with_kind(group: ChildGroup, kind: Kind) -> ChildGroup:
    return replace(group, kind=kind)


def _strip(kind: Kind, families: frozenset[str], mentioned: set[int]) -> Kind:
    given = {ref.member for stamp in kind.stamps for ref in stamp.refs if _is_variable(ref) and not ref.path}
    variables = list(kind.variables)
    ports = list(kind.ports)
    for q, port in enumerate(ports):
        if port.family in families:
            forces = [v for v in port.variables if variables[v].role == "through"]
            acts = not given.isdisjoint(forces)
            for v in port.variables:
                variables[v] = _as_signal(variables[v], acts if v in forces else v in mentioned)
            ports[q] = replace(port, variables=())
    for what in kind.mechanics:
        for word in SUPPLIED:
            if word in what.members:
                member = what.members[word].member
                variables[member] = replace(variables[member], role="input")
    return replace(kind, variables=tuple(variables), ports=tuple(ports))


def _with_roles(stamp: Stamp, before: Kind, after: Kind) -> Stamp:
    """A stamp whose slots say what its variables are now; what a component around reads is an output to it."""
    slots = list(stamp.template.slots)
    for k, ref in enumerate(stamp.refs):
        if not _is_variable(ref):
            continue
        new = _kind_at(after, ref).variables[ref.member]
        if _kind_at(before, ref).variables[ref.member].role != new.role:
            if not new.size:
                raise _not_given(stamp, slots[k].name)
            slots[k] = replace(slots[k], role="output" if ref.path else new.role)
    if tuple(slots) == stamp.template.slots:
        return stamp
    return replace(stamp, template=replace(stamp.template, slots=tuple(slots)))


def _not_given(stamp: Stamp, name: str) -> StructureError:
    return StructureError(
        "E219",
        f"'{name}' is read, but the component does not say what acts at its frame",
        location=stamp.template.location,
        advice="measure it: a multibody.CutForceAndTorque between the two frames",
    )


def _is_variable(ref: Ref) -> bool:
    return not ref.outer and not ref.parameter


def _kind_at(kind: Kind, ref: Ref) -> Kind:
    """The kind that a ref leads to."""
    for group in ref.path:
        kind = kind.groups[group].kind
    return kind


def _as_signal(variable: Variable, kept: bool) -> Variable:
    """Known from outside, or for forces to be given by the component; without any element where nobody mentions it."""
    role = "local" if variable.role == "through" else "input"
    return replace(variable, role=role) if kept else replace(variable, role=role, shape=_NOTHING)


def read_quantities(kind: Kind, port: Port) -> set[str]:
    """The names of the quantities of a frame that are left."""
    prefix = f"{port.name}."
    return {v.name[len(prefix) :] for v in kind.variables if v.name.startswith(prefix) and v.size}
