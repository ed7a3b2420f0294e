"""Terminals: which variables of an FMU belong together as one connector (terminalsAndIcons.xml)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tellegen.fmi.write_common import section
from tellegen.xml.elements import Element
from tellegen.xml.reader import Source, parse
from tellegen.xml.writer import document_text, made

FILE = "terminalsAndIcons/terminalsAndIcons.xml"
FILE_VERSION2 = "extra/org.fmi-standard.fmi-ls-terminals/terminalsAndIcons.xml"


@dataclass(frozen=True)
class TerminalMember:
    """A variable of a terminal; kinds of the standard are "signal", "inflow" and "outflow"."""

    variable: str
    member: str
    kind: str


@dataclass(frozen=True)
class Terminal:
    """A connector of an FMU; its rule says what it fits: "plug" the same members, "bus" those of the same names."""

    name: str
    members: tuple[TerminalMember, ...]
    kind: str = ""
    rule: str = "plug"
    description: str = ""
    terminals: tuple[Terminal, ...] = ()


def read_terminals(data: bytes, file: str) -> tuple[Terminal, ...]:
    """The terminals of a file; `file` is what messages call it."""
    root = parse(Source(data, file, Path()))
    if root.tag != "fmiTerminalsAndIcons":
        raise root.misplaced(f"{root} does not list terminals", "it begins with <fmiTerminalsAndIcons ...>")
    return tuple(_terminal(element) for part in root.all("Terminals") for element in part.all("Terminal"))


def _terminal(element: Element) -> Terminal:
    named = element.attributes.get
    members = tuple(_member(child) for child in element.all("TerminalMemberVariable"))
    below = tuple(_terminal(child) for child in element.all("Terminal"))
    return Terminal(
        name=element.word("name"),
        members=members,
        kind=named("terminalKind", ""),
        rule=element.word("matchingRule"),
        description=named("description", ""),
        terminals=below,
    )


def _member(element: Element) -> TerminalMember:
    variable = element.word("variableName")
    return TerminalMember(variable, element.attributes.get("memberName", variable), element.word("variableKind"))


def write_terminals(terminals: Iterable[Terminal], has_icon: bool = False) -> bytes:
    """The file of these terminals; an icon of the whole FMU fills its square."""
    listed = section("Terminals", map(_written, terminals))
    square = {"x1": "-100", "y1": "-100", "x2": "100", "y2": "100"}
    system = made("CoordinateSystem", {**square, "suggestedScalingFactorTo_mm": "0.1"})
    drawn = [made("GraphicalRepresentation", {}, system, made("Icon", square))] if has_icon else []
    return document_text(made("fmiTerminalsAndIcons", {"fmiVersion": "3.0"}, *drawn, *listed)).encode("utf-8")


def _written(terminal: Terminal) -> Element:
    attributes = {
        "name": terminal.name,
        "matchingRule": terminal.rule,
        "terminalKind": terminal.kind or None,
        "description": terminal.description or None,
    }
    members = [
        made(
            "TerminalMemberVariable", {"variableName": one.variable, "memberName": one.member, "variableKind": one.kind}
        )
        for one in terminal.members
    ]
    return made("Terminal", attributes, *members, *map(_written, terminal.terminals))
