"""The names of entities, and in each of terminals, quantities, signals, generics and instances.

Connectors become one terminal for every pair of an across and a through variable; arrays of connectors and of
components are taken apart, arrays of variables are vectors. What a component reads inside a part is an output of
that part.
"""

from __future__ import annotations

from dataclasses import dataclass

from tellegen.errors import ExportError
from tellegen.exporters.source.identifiers import Scope, joined
from tellegen.exporters.source.targets import Target, follow
from tellegen.exporters.vhdl_ams.lexical import RESERVED, identifier
from tellegen.exporters.vhdl_ams.natures import Natures
from tellegen.ir.expressions.template import WhenTemplate
from tellegen.ir.model import Kind, Model, Parameter, Port, Ref, Variable


@dataclass(frozen=True)
class Pin:
    """A terminal: its name and nature, and the scalars it carries, as (variable, element)."""

    name: str
    nature: str
    across: tuple[int, int]
    through: tuple[int, int]


def signal_variables(model: Model) -> dict[int, set[int]]:
    """By id(kind): the variables that change at instants only, declared so or assigned by when-clauses."""
    found = {
        id(kind): {n for n, v in enumerate(kind.variables) if v.discrete or v.type != "real"} for kind in model.kinds()
    }
    for kind in model.kinds():
        for stamp in kind.stamps:
            if isinstance(stamp.template, WhenTemplate):
                for slot in stamp.template.assigned():
                    target = follow(kind, stamp.refs[slot], {})
                    found[id(target.kind)].add(target.number)
    return found


def vhdl_type(variable: Variable) -> str:
    """The type of a quantity or signal."""
    return {"real": "real", "boolean": "boolean"}.get(variable.type, "integer")


def refused(what: str, kind: Kind) -> ExportError:
    """E430 for what VHDL-AMS has no words for, or this writer has none."""
    return ExportError(
        "E430",
        f"{what} in {kind.name}: VHDL-AMS cannot express it",
        location=kind.location,
        advice="replace the component by a simpler one for the export, or write Modelica: tg.write_modelica",
    )


class EntityNames:
    """The names in one entity and its architecture."""

    def __init__(self, kind: Kind, name: str, natures: Natures, exposed: set[int], signals: set[int]) -> None:
        self.kind = kind
        self.name = name
        self.exposed = exposed
        self.signals = signals
        self.scope = Scope(identifier, (*RESERVED, name), ignore_case=True)
        self.parameters = tuple(self.scope.unique(joined(parameter.name)) for parameter in kind.parameters)
        self.scalars: dict[tuple[int, int], str] = {}  # of connectors
        self.pins: dict[int, list[Pin]] = {}
        for number, port in enumerate(kind.ports):
            if port.family != "signal" and port.variables:
                self.pins[number] = list(self._pins(port, natures))
        inside = {number for port in kind.ports if port.family != "signal" for number in port.variables}
        self.variables = {
            number: self.scope.unique(joined(variable.name))
            for number, variable in enumerate(kind.variables)
            if number not in inside
        }
        self.seen = {
            number: self.scope.unique(f"{joined(kind.variables[number].name)}_seen") for number in exposed & inside
        }
        self.labels = tuple(
            tuple(self.scope.unique(joined(group.child_name(k))) for k in range(group.size)) for group in kind.groups
        )
        self.actuals: dict[tuple[int, int, int], str] = {}  # of parts: group, child, variable

    def _pins(self, port: Port, natures: Natures) -> list[Pin]:
        variables = self.kind.variables
        across = [n for n in port.variables if variables[n].role == "across"]
        through = [n for n in port.variables if variables[n].role == "through"]
        if any(variables[n].role == "stream" for n in port.variables):
            raise refused(f"the stream connector '{port.name}'", self.kind)
        if [variables[n].shape for n in across] != [variables[n].shape for n in through]:
            raise refused(f"the connector '{port.name}', whose variables are not pairs,", self.kind)
        pins = []
        for a, t in zip(across, through, strict=True):
            for element in range(variables[a].size):
                parts = [joined(variables[a].element_name(element).rpartition(".")[0])]
                if len(across) > 1:
                    parts.append(joined(variables[a].name.rpartition(".")[2]))
                if variables[a].shape:
                    parts.append(str(element))
                name = self.scope.unique("_".join(parts))
                for number in (a, t):
                    local = f"{name}_{joined(variables[number].name.rpartition('.')[2])}".strip("\\")
                    self.scalars[number, element] = self.scope.unique(local)
                pins.append(Pin(name, natures.name(port, variables[a], variables[t]), (a, element), (t, element)))
        return pins

    def variable(self, number: int, element: int) -> str:
        """A scalar of the entity itself."""
        if (number, element) in self.scalars:
            return self.scalars[number, element]
        name = self.variables[number]
        member = self.kind.variables[number]
        return f"{name}({element})" if member.shape or member.array >= 0 else name

    def actual(self, group: int, child: int, number: int) -> str:
        """The quantity or signal that a part's input or output is associated with."""
        key = (group, child, number)
        if key not in self.actuals:
            member = self.kind.groups[group].kind.variables[number]
            self.actuals[key] = self.scope.unique(f"{self.labels[group][child]}_{joined(member.name)}".strip("\\"))
        return self.actuals[key]


class LibraryNames:
    """The names of all entities of a text."""

    def __init__(self, model: Model, package: str) -> None:
        self.model = model
        self.scope = Scope(identifier, RESERVED, ignore_case=True)
        self.package = self.scope.unique(package)
        self.natures = Natures(self.scope)
        exposed = _exposed_variables(model)
        signals = signal_variables(model)
        titles = {id(kind): self.scope.unique(joined(kind.name)) for kind in model.kinds()}
        self.entities = {
            id(kind): EntityNames(kind, titles[id(kind)], self.natures, exposed[id(kind)], signals[id(kind)])
            for kind in model.kinds()
        }
        for entity in self.entities.values():  # functions of the package must be visible everywhere
            self.scope.taken |= entity.scope.taken

    def of(self, kind: Kind) -> EntityNames:
        """The names in the entity of a kind."""
        return self.entities[id(kind)]

    def is_signal(self, kind: Kind, ref: Ref) -> bool:
        """Whether a ref leads to a signal."""
        target = follow(kind, ref, {})
        return not ref.parameter and target.number in self.of(target.kind).signals

    def reference(self, kind: Kind, ref: Ref, row: int) -> str:
        """What a slot stands for in a row, seen from a kind."""
        names = self.of(kind)
        target: Target = follow(kind, ref, {})
        element = int(ref.elements[min(row, len(ref.elements) - 1)])
        size = max(target.member.size, 1)
        if isinstance(target.member, Parameter):
            if ref.path:
                raise refused(f"'{target.member.name}', a parameter of a part,", kind)
            name = names.parameters[target.number]
            return f"{name}({element})" if target.member.shape or target.member.array >= 0 else name
        if not ref.path:
            return names.variable(target.number, element)
        name = names.actual(ref.path[0], element // size, target.number)
        return f"{name}({element % size})" if target.member.shape or target.member.array >= 0 else name


def _exposed_variables(model: Model) -> dict[int, set[int]]:
    """By id(kind): its variables, other than inputs and outputs, that components around it read."""
    found: dict[int, set[int]] = {id(kind): set() for kind in model.kinds()}
    for kind in model.kinds():
        for stamp in kind.stamps:
            for ref in stamp.refs:
                if ref.outer:
                    raise refused(f"the outer component '{ref.outer}'", kind)
                if len(ref.path) > 1 and stamp.section not in ("parameter", "start"):
                    raise refused("a variable two levels down", kind)
                if len(ref.path) == 1 and not ref.parameter:
                    below = kind.groups[ref.path[0]].kind
                    if below.variables[ref.member].role not in ("input", "output"):
                        found[id(below)].add(ref.member)
    return found
