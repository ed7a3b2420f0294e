"""Ports: every connector without connectors inside is one, and so is every input and output.

    connector Pin: v, flow i              Port "p" of the family "across v, through i"
    connector RealInput u[3]              Port "u" of three signals
    connector Step: input Boolean set     Port "step.set", a signal

Variables of an expandable connector are signals that exist as far as something else is connected to them or reads
them (buses.py). Parameters in connectors are compared, not connected. Records with an equalityConstraint belong to
the graph of overconstrained connections (overconstrained.py), which writes their equations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

import numpy as np

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.variable import NOT_NUMBERED, VariableInstance
from tellegen.frontends.modelica.kinds.parts import Part, PartTree, elements, is_overconstrained, residue_size
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.start.records import dataclass
from tellegen.units import NO_UNIT, Unit, UnitTextError, shown_in

SIGNAL = "signal"
EXPANDABLE = "expandable connector"


@dataclass(slots=True, eq=False)
class PlannedPort:
    """A port of a component, before its variables are numbered as members."""

    name: str
    connector: str
    family: str
    variables: tuple[VariableInstance, ...]
    count: int
    is_array: bool
    on_bus: bool = False  # a variable of an expandable connector
    is_absent: bool = False  # which nothing uses


@dataclass(frozen=True, slots=True)
class Address:
    """One connector of a port of a component."""

    part: int
    port: int
    element: int


@dataclass(slots=True, eq=False)
class Leaves:
    """What one connector consists of, by names seen from it."""

    addresses: dict[str, Address] = field(default_factory=dict)
    parameters: dict[str, VariableInstance] = field(default_factory=dict)
    overconstrained: dict[str, Instance | VariableInstance] = field(default_factory=dict)
    on_bus: bool = False  # of an expandable connector


class PortTable:
    """The ports of all components, and where each connector is among them."""

    def __init__(self, tree: PartTree) -> None:
        self.tree = tree
        self.ports: list[list[PlannedPort]] = [[] for _ in tree.parts]
        self.roles: dict[int, str] = {}  # by the number of a variable's first scalar
        self.flow_of: dict[int, VariableInstance] = {}  # beside a stream variable, by its first scalar
        self._leaves: dict[int, Leaves] = {}  # by id of the connector
        for part in tree.parts:
            if part.is_copy:
                self.ports[part.number] = self.ports[part.original]
            for connector in part.connectors:
                self._connector(connector, part)

    def leaves(self, connector: Instance | VariableInstance) -> Leaves:
        """What a connector consists of."""
        found = self._leaves.get(id(connector))
        if found is None and (copy := _owner(connector).copy_of) is not None:
            found = self._leaves[id(connector)] = self._copied(connector, copy.original)
        if found is None:
            raise EvaluationError("E585", f"{connector.path} is not a connector", "connect connectors of components")
        return found

    def _copied(self, connector: Instance | VariableInstance, original: Instance) -> Leaves:
        """What a connector of a copy consists of."""
        owner = _owner(connector)
        same = original if isinstance(connector, Instance) else original.own(connector.name)
        assert isinstance(same, Instance | VariableInstance)
        leaves = self.leaves(same)
        shift = self.tree.number_of(owner) - self.tree.number_of(original)
        addresses = {name: Address(one.part + shift, one.port, one.element) for name, one in leaves.addresses.items()}
        parameters = {name: owner.counterpart(parameter) for name, parameter in leaves.parameters.items()}
        return Leaves(addresses, parameters)

    def _connector(self, connector: Instance | VariableInstance, part: Part) -> Leaves:
        leaves = self._leaves[id(connector)] = Leaves()
        if isinstance(connector, VariableInstance):
            self._scalar_connector(connector, part, leaves)
        else:
            self._compound(connector, part, leaves)
        return leaves

    def _scalar_connector(self, variable: VariableInstance, part: Part, leaves: Leaves) -> None:
        """A connector of a predefined type: its elements are connectors by themselves."""
        if variable.base in NOT_NUMBERED or variable.variability in ("parameter", "constant"):
            return
        role = self._role(variable)
        family = SIGNAL if role in ("input", "output") else f"{role} {variable.base}"
        port = PlannedPort(
            part.local_name(variable.path),
            _type_name(variable),
            family,
            (variable,),
            variable.size,
            bool(variable.shape),
        )
        self._add(part, port, "", leaves)

    def _compound(self, connector: Instance, part: Part, leaves: Leaves) -> None:
        leaves.on_bus = connector.restriction == EXPANDABLE
        physical: list[tuple[str, VariableInstance]] = []
        for name, field_ in self._fields(connector, "", leaves, part):
            if field_.variability in ("parameter", "constant"):
                leaves.parameters[name] = field_
            elif field_.base not in NOT_NUMBERED:
                if leaves.on_bus or self._role(field_) in ("input", "output"):
                    self._add_signal(field_, part, name, leaves)
                else:
                    physical.append((name, field_))
        if physical:
            physical.sort(key=lambda pair: pair[0])
            family = ", ".join(f"{self._role(v)} {v.base} {name}{list(v.shape) or ''}" for name, v in physical)
            variables = tuple(v for _, v in physical)
            self._check_balance(connector, variables, leaves)
            planned = PlannedPort(part.local_name(connector.path), connector.view.path, family, variables, 1, False)
            self._add(part, planned, "", leaves)
            self._note_flow(variables)

    def _add_signal(self, variable: VariableInstance, part: Part, name: str, leaves: Leaves) -> None:
        """A signal in a connector, which is a connector by itself too."""
        path = part.local_name(variable.path)
        is_array = bool(variable.shape)
        port = PlannedPort(path, _type_name(variable), SIGNAL, (variable,), variable.size, is_array, leaves.on_bus)
        alone = self._leaves[id(variable)] = Leaves()
        self._add(part, port, "", alone)
        leaves.addresses.update({f"{name}{position}": address for position, address in alone.addresses.items()})

    def _fields(
        self, instance: Instance, above: str, leaves: Leaves, part: Part
    ) -> Iterator[tuple[str, VariableInstance]]:
        """The variables of a connector, those of its records included; connectors inside have ports of their own."""
        for name, entity in instance.children():
            several = elements(entity)
            for k, child in enumerate(several):
                path = f"{above}{name}" if child is entity else f"{above}{name}[{k}]"
                if isinstance(child, VariableInstance):
                    if is_overconstrained(child) and instance.restriction != EXPANDABLE:
                        leaves.overconstrained[path] = child
                    else:
                        yield path, child
                elif isinstance(child, Instance):
                    if child.kind_of == "connector":
                        self._nested(child, path, leaves, part)
                    elif is_overconstrained(child):
                        leaves.overconstrained[path] = child
                    else:
                        yield from self._fields(child, f"{path}.", leaves, part)

    def _nested(self, connector: Instance, path: str, leaves: Leaves, part: Part) -> None:
        inner = self._connector(connector, part)
        for mine, theirs in (
            (leaves.addresses, inner.addresses),
            (leaves.parameters, inner.parameters),
            (leaves.overconstrained, inner.overconstrained),
        ):
            mine.update({f"{path}.{name}": what for name, what in theirs.items()})  # type: ignore[arg-type]

    def _add(self, part: Part, port: PlannedPort, name: str, leaves: Leaves) -> None:
        ports = self.ports[part.number]
        for variable in port.variables:
            if variable.size:  # an empty array has the number of what follows it
                self.roles[variable.first_number] = "local" if port.on_bus else self._role(variable)
        if port.is_array:
            for element in range(port.count):
                leaves.addresses[f"{name}[{element}]"] = Address(part.number, len(ports), element)
        else:
            leaves.addresses[name] = Address(part.number, len(ports), 0)
        ports.append(port)

    def _check_balance(self, connector: Instance, variables: tuple[VariableInstance, ...], leaves: Leaves) -> None:
        """Refuse connectors whose flows are too few (MLS 9.3.1), or not one where there are streams (MLS 15.1)."""
        across, flows, streams = (
            sum(v.size for v in variables if self._role(v) == role) for role in ("across", "through", "stream")
        )
        residues = sum(map(residue_size, leaves.overconstrained.values()))
        reason = ""
        if streams and flows != 1:
            reason = f"has stream variables and {flows} flow variables instead of one"
        elif flows and (across > flows or (residues and across + residues < flows)):
            more = f" (with {residues} residues of equalityConstraint)" if residues else ""
            reason = f"has {across + residues} variables without a prefix{more}, but {flows} flow variables to match"
        elif (across or flows or streams) and _is_of_block(connector):
            reason = "belongs to a block, and not all of its variables are inputs or outputs"
        elif across and not flows and self._has_flows(leaves):
            reason = f"has {across} variables without a prefix and no flow variable, but connectors with flows inside"
        if reason:
            raise ModelicaError(
                "E562",
                f"the connector {connector.view.path} of {connector.path} {reason}",
                location=connector.location,
                advice="give a connector a flow variable for each variable without a prefix",
            )

    def _has_flows(self, leaves: Leaves) -> bool:
        """Whether a connector inside has a flow variable."""
        inside = [self.ports[one.part][one.port] for one in leaves.addresses.values()]
        physical = [port for port in inside if len(port.variables) > 1]
        return any(self._role(variable) == "through" for port in physical for variable in port.variables)

    def _note_flow(self, variables: tuple[VariableInstance, ...]) -> None:
        flow = next((v for v in variables if self._role(v) == "through"), None)
        for variable in variables:
            if flow is not None and self._role(variable) == "stream" and variable.size:
                self.flow_of[variable.first_number] = flow

    @staticmethod
    def _role(variable: VariableInstance) -> str:
        for prefix, role in (("flow", "through"), ("stream", "stream"), ("input", "input"), ("output", "output")):
            if prefix in variable.prefixes:
                return role
        return "across"


def _owner(connector: Instance | VariableInstance) -> Instance:
    """The instance that a connector is, or of a signal, that it is in."""
    return connector.owner if isinstance(connector, VariableInstance) else connector


def _type_name(variable: VariableInstance) -> str:
    return str(variable.layout.component.type)


def unit_of(variable: VariableInstance) -> Unit:
    """Units are documentation: numbers are in them already, and nothing is ever converted."""
    text = _text_of(variable, "unit")
    return Unit(text, None) if text else NO_UNIT


def display_unit_of(variable: VariableInstance) -> Unit:
    """The unit in which plots and tables show it; one that does not fit the unit, as some in libraries, is ignored."""
    text = _text_of(variable, "displayUnit")
    unit = unit_of(variable)
    if not text or not unit.text or text == unit.text:
        return NO_UNIT
    try:
        return shown_in(unit, text)
    except UnitTextError:
        return NO_UNIT


def _text_of(variable: VariableInstance, attribute: str) -> str:
    value = variable.attribute(attribute)
    first = value.flat[0] if isinstance(value, np.ndarray) and value.size else value
    return first if isinstance(first, str) else ""


def _is_of_block(connector: Instance) -> bool:
    """Whether it is a public connector of a block (MLS 4.7)."""
    parent = connector.parent
    declaration = connector.declaration
    is_public = declaration is not None and not declaration.protected
    return (
        parent is not None and parent.restriction == "block" and is_public and "expandable" not in connector.restriction
    )
