"""Terminals of an FMU as connectors of its component.

FMI knows signals only: of the potential and the flow of a terminal one is an input of the FMU and the other an output.
Where the kind of a terminal is that of a connector of the library (or of its counterpart in Modelica), and the members
are like that, the component for Model Exchange has the connector:

    flange.phi == phi           an output of the FMU
    flange.tau == tau           an input
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tellegen.fmi.terminals import Terminal
from tellegen.importers.fmu.quantities import Quantities, Quantity

_MODELICA = {
    "Modelica.Electrical.Analog.Interfaces.": ("electrical", "Pin", ("Pin", "PositivePin", "NegativePin")),
    "Modelica.Mechanics.Rotational.Interfaces.": ("rotational", "Flange", ("Flange", "Flange_a", "Flange_b")),
    "Modelica.Mechanics.Translational.Interfaces.": ("translational", "Flange", ("Flange", "Flange_a", "Flange_b")),
    "Modelica.Thermal.HeatTransfer.Interfaces.": ("thermal", "HeatPort", ("HeatPort", "HeatPort_a", "HeatPort_b")),
}


@dataclass(frozen=True)
class BoundMember:
    """A variable of a connector, and the variable of the FMU that it equals."""

    name: str
    quantity: Quantity
    is_input: bool
    sign: float


@dataclass(frozen=True)
class FmuConnector:
    """A connector of the component of an FMU."""

    name: str
    family: Any
    description: str
    members: tuple[BoundMember, ...]


def connectors_of(terminals: tuple[Terminal, ...], quantities: Quantities) -> tuple[FmuConnector, ...]:
    """The terminals that are connectors; others stay inputs and outputs."""
    found = (_connector(terminal, quantities) for terminal in terminals)
    return tuple(connector for connector in found if connector is not None)


def connector_equations(component: Any, connectors: tuple[FmuConnector, ...]) -> Iterator[Any]:
    """What the variables of connectors equal."""
    for connector in connectors:
        port = getattr(component, connector.name)
        for member in connector.members:
            outside = getattr(port, member.name)
            inside = getattr(component, member.quantity.member)
            yield outside == (inside if member.sign > 0.0 else -inside)


@cache
def _families() -> Mapping[str, Any]:
    """Connectors of one potential and one flow by the kinds of terminals."""
    from tellegen.library import electrical, rotational, thermal, translational

    library = {"electrical": electrical, "rotational": rotational, "thermal": thermal, "translational": translational}
    found: dict[str, Any] = {}
    for prefix, (domain, name, names) in _MODELICA.items():
        family = getattr(library[domain], name)
        found[family._family] = family
        found |= {f"{prefix}{each}": family for each in names}
    return found


def _connector(terminal: Terminal, quantities: Quantities) -> FmuConnector | None:
    family = _families().get(terminal.kind)
    if family is None or not terminal.name.isidentifier():
        return None
    inputs = {each.variable.name: each for each in quantities.inputs}
    outputs = {each.variable.name: each for each in (*quantities.outputs, *quantities.states)}
    given = {member.member: member for member in terminal.members}
    members: list[BoundMember] = []
    for name in family._info.variables:
        member = given.get(name)
        known = None if member is None else (inputs.get(member.variable) or outputs.get(member.variable))
        if member is None or known is None or known.shape:
            return None
        sign = -1.0 if member.kind == "outflow" else 1.0
        members.append(BoundMember(name, known, member.variable in inputs, sign))
    if sum(member.is_input for member in members) != 1 or len(members) != 2:
        return None
    return FmuConnector(terminal.name, family, terminal.description, tuple(members))
