"""Terminals of an FMU as connectors of its component.

FMI knows signals only: of the potential and the flow of a terminal one is an input of the FMU and the other an output.
Where the kind of a terminal is that of a connector of the library (or of its counterpart in Modelica), or the user says
which connector it is, and the members are like that, the component for Model Exchange has the connector:

    flange.phi == phi           an output of the FMU
    flange.tau == tau           an input
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tellegen.errors import FmuError, nearest
from tellegen.fmi.terminals import Terminal, TerminalMember
from tellegen.importers.fmu.quantities import Quantities, Quantity
from tellegen.ir.source_location import SourceLocation

_MODELICA = {
    "Modelica.Electrical.Analog.Interfaces.": ("electrical", "Pin", ("Pin", "PositivePin", "NegativePin")),
    "Modelica.Magnetic.FluxTubes.Interfaces.": (
        "magnetic",
        "MagneticPort",
        ("MagneticPort", "PositiveMagneticPort", "NegativeMagneticPort"),
    ),
    "Modelica.Mechanics.Rotational.Interfaces.": ("rotational", "Flange", ("Flange", "Flange_a", "Flange_b")),
    "Modelica.Mechanics.Translational.Interfaces.": ("translational", "Flange", ("Flange", "Flange_a", "Flange_b")),
    "Modelica.Thermal.HeatTransfer.Interfaces.": ("thermal", "HeatPort", ("HeatPort", "HeatPort_a", "HeatPort_b")),
}
_ROLES = ("across", "through")


@dataclass(frozen=True)
class GivenConnector:
    """A connector that the user asks for; `variables` are those of the FMU by members, a terminal's where empty."""

    name: str
    family: Any
    variables: tuple[tuple[str, str], ...] = ()
    location: SourceLocation | None = None


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


def connectors_of(
    terminals: tuple[Terminal, ...], quantities: Quantities, given: tuple[GivenConnector, ...]
) -> tuple[FmuConnector, ...]:
    """The terminals that are connectors, and those asked for; others stay inputs and outputs."""
    asked = [_asked(each, terminals, quantities) for each in given]
    names = {each.name for each in given}
    families = _families()
    found = [
        _connector(terminal, families[terminal.kind], quantities)
        for terminal in terminals
        if terminal.name not in names and terminal.kind in families and terminal.name.isidentifier()
    ]
    return (*asked, *(connector for connector in found if isinstance(connector, FmuConnector)))


def _asked(given: GivenConnector, terminals: tuple[Terminal, ...], quantities: Quantities) -> FmuConnector:
    """A connector of the user; an error where it cannot be one."""
    terminal = next((each for each in terminals if each.name == given.name), None)
    if given.variables:
        terminal = Terminal(given.name, tuple(_named(*pair) for pair in given.variables))
    if terminal is None:
        known = [each.name for each in terminals]
        advice = (
            nearest(given.name, known) if known else "say which variables: {'shaft': (Flange, {'phi': 'angle', ...})}"
        )
        raise FmuError("E521", f"there is no terminal '{given.name}'", location=given.location, advice=advice)
    found = _connector(terminal, given.family, quantities)
    if isinstance(found, FmuConnector):
        return found
    what = f"'{given.name}' cannot be a {given.family.__name__}: {found}"
    advice = "of its potentials and flows one kind has to be inputs of the FMU and the other outputs"
    raise FmuError("E521", what, location=given.location, advice=advice)


def _named(member: str, variable: str) -> TerminalMember:
    """A member that the user names; `-` before a flow says that it counts as it leaves the FMU."""
    return TerminalMember(variable.removeprefix("-"), member, "outflow" if variable.startswith("-") else "signal")


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
    """Connectors of potentials and flows by the kinds of terminals."""
    from tellegen.library import electrical, magnetic, planar, rotational, thermal, translational

    modules = (electrical, magnetic, rotational, thermal, translational)
    library = {module.__name__.rpartition(".")[2]: module for module in modules}
    found: dict[str, Any] = {planar.Frame._family: planar.Frame}
    for prefix, (domain, name, names) in _MODELICA.items():
        family = getattr(library[domain], name)
        found[family._family] = family
        found |= {f"{prefix}{each}": family for each in names}
    return found


def _connector(terminal: Terminal, family: Any, quantities: Quantities) -> FmuConnector | str:
    """A terminal as a connector of a family, or why it is none."""
    inputs = {each.variable.name: each for each in quantities.inputs}
    outputs = {each.variable.name: each for each in (*quantities.outputs, *quantities.states)}
    given = {member.member: member for member in terminal.members}
    declared = family._info.variables
    members: list[BoundMember] = []
    inputs_by_role: dict[str, set[bool]] = {role: set() for role in _ROLES}
    for name, variable in declared.items():
        member = given.get(name)
        if member is None:
            return f"nothing is known of its '{name}'"
        known = inputs.get(member.variable) or outputs.get(member.variable)
        if known is None or known.shape or variable.role not in _ROLES:
            return f"'{member.variable}' is not a continuous scalar that is an input or an output"
        sign = -1.0 if member.kind == "outflow" else 1.0
        is_input = member.variable in inputs
        inputs_by_role[variable.role].add(is_input)
        members.append(BoundMember(name, known, is_input, sign))
    if sorted(map(sorted, inputs_by_role.values())) != [[False], [True]]:
        return "its variables are all inputs, or all outputs"
    return FmuConnector(terminal.name, family, terminal.description, tuple(members))
