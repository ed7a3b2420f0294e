"""Frames lose their variables, but for those that equations mention, of their component or of one around it.

A body does not mention where it is, so nothing is computed there; a spring mentions frame_a.r_0, which becomes an input
that the sweeps supply, and frame_a.f, which it has to give. What a joint takes from the sweeps (its acceleration)
becomes an input as well. A model may read where its parts are: self.tool.frame_b.r_0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tellegen.errors import StructureError
from tellegen.flatten.outer_components import OuterKinds, outer_kinds
from tellegen.ir.model import Kind, Model, Port, Ref, Stamp, Variable
from tellegen.start.records import dataclass

SUPPLIED = ("qdd", "cut_f", "cut_t")
"""Members of joints that the sweeps compute."""

_NOTHING = (0,)


def frame_families(kinds: Iterable[Kind]) -> frozenset[str]:
    """Families of connectors that somebody makes a statement about: frames."""
    return frozenset(kind.ports[q].family for kind in kinds for what in kind.mechanics for q in what.ports)


def without_frame_variables(model: Model) -> Model:
    """See the top of this file."""
    names = _Names(outer_kinds(model))
    families = frame_families(model.kinds())
    mentioned = _mentioned_members(model, names)
    bare = {id(kind): _strip(kind, families, mentioned[id(kind)]) for kind in model.kinds()}
    return replace(model, root=_stripped(model.root, names, bare, {}))


def _stripped(kind: Kind, names: _Names, bare: dict[int, Kind], done: dict[int, Kind]) -> Kind:
    """A kind with its parts and statements, those in `done` as they are."""
    if id(kind) not in done:
        groups = tuple(replace(group, kind=_stripped(group.kind, names, bare, done)) for group in kind.groups)
        stamps = tuple(_with_roles(stamp, names.targets(kind, stamp), bare) for stamp in kind.stamps)
        done[id(kind)] = replace(bare[id(kind)], groups=groups, stamps=stamps)
    return done[id(kind)]


@dataclass(frozen=True)
class _Target:
    """The variable that a ref of a stamp leads to: a member of a kind. None where it leads to a parameter."""

    kind: Kind
    member: int

    @property
    def variable(self) -> Variable:
        return self.kind.variables[self.member]


@dataclass(frozen=True)
class _Names:
    """What refs mean, also those to outer components."""

    outers: OuterKinds

    def targets(self, kind: Kind, stamp: Stamp) -> list[_Target | None]:
        """The variables of a stamp."""
        return [None if ref.parameter else self._target(kind, ref) for ref in stamp.refs]

    def _target(self, kind: Kind, ref: Ref) -> _Target:
        if ref.outer:
            outer = self.outers[id(kind)][ref.outer]
            return _Target(outer, outer.variable_index[ref.outer_member])
        for group in ref.path:
            kind = kind.groups[group].kind
        return _Target(kind, ref.member)


def _mentioned_members(model: Model, names: _Names) -> dict[int, set[int]]:
    """Variables of each kind (by its id) that its equations mention, or those of a component that sees it."""
    mentioned: dict[int, set[int]] = {id(kind): set() for kind in model.kinds()}
    for kind in model.kinds():
        for stamp in kind.stamps:
            for target in names.targets(kind, stamp):
                if target is not None:
                    mentioned[id(target.kind)].add(target.member)
    return mentioned


def _strip(kind: Kind, families: frozenset[str], mentioned: set[int]) -> Kind:
    given = {ref.member for stamp in kind.stamps for ref in stamp.refs if _is_own(ref)}
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


def _with_roles(stamp: Stamp, targets: list[_Target | None], bare: dict[int, Kind]) -> Stamp:
    """A stamp whose slots say what its variables are now; what another component reads is an output to it."""
    slots = list(stamp.template.slots)
    for k, (ref, target) in enumerate(zip(stamp.refs, targets, strict=True)):
        if target is None:
            continue
        new = bare[id(target.kind)].variables[target.member]
        if target.variable.role != new.role:
            if not new.size:
                raise _not_given(stamp, slots[k].name)
            slots[k] = replace(slots[k], role=new.role if _is_own(ref) else "output")
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


def _is_own(ref: Ref) -> bool:
    """Whether a ref is to a variable of the component itself."""
    return not (ref.parameter or ref.path or ref.outer)


def _as_signal(variable: Variable, kept: bool) -> Variable:
    """Known from outside, or for forces to be given by the component; without any element where nobody mentions it."""
    role = "local" if variable.role == "through" else "input"
    return replace(variable, role=role) if kept else replace(variable, role=role, shape=_NOTHING)


def read_quantities(kind: Kind, port: Port) -> set[str]:
    """The names of the quantities of a frame that are left."""
    prefix = f"{port.name}."
    return {v.name[len(prefix) :] for v in kind.variables if v.name.startswith(prefix) and v.size}
