"""From a definition and the numbers it is called with to a component class.

A netlist and every subcircuit in it become classes of components, so that a subcircuit that is used a thousand times is
traced and compiled once. Elements keep their names (`r1`), nodes become small components beside them (`out`, with the
potential `out.v`) or, where they are ports, pins of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import tellegen as tg
from tellegen.errors import NetlistError
from tellegen.importers.spice.elements import bipolar_model, code_models, controlled, devices, lines, passives, sources
from tellegen.importers.spice.elements.digital import wiring as digital_wiring
from tellegen.importers.spice.elements.parts import Hold, Node
from tellegen.importers.spice.islands import held_nodes, islands
from tellegen.importers.spice.netlist.deck import Definition
from tellegen.importers.spice.netlist.logic import LogicDriver, LogicEnd, LogicReader
from tellegen.importers.spice.netlist.scope import Scope
from tellegen.importers.spice.netlist.sheet import GROUND, Element, End, Settings, Sheet
from tellegen.importers.spice.netlist.words import Card
from tellegen.importers.spice.shared_charges import charges_are_shared
from tellegen.library.digital.logic import logic_input, logic_output
from tellegen.library.electrical import Ground, Pin

Seen = frozenset[str]
_VOLTAGE = re.compile(r"\bv\s*\(([^()]*)\)")
_DEEPEST = 50  # subcircuits in each other
_RISE = 1e-6  # of the step of .tran


class Circuit(tg.Component):
    """A netlist: its elements and nodes by name."""

    nodes: ClassVar[dict[str, str]] = {}
    """The name of each node of the netlist in this component."""
    notes: ClassVar[tuple[str, ...]] = ()
    """What the netlist contains and nothing was made of."""
    noiseless: ClassVar[tuple[str, ...]] = ()
    """Elements whose noise is not known."""
    _sheet: ClassVar[Any] = None
    _ports: ClassVar[tuple[str, ...]] = ()  # nodes that are pins of the component
    _signals: ClassVar[dict[str, str]] = {}  # digital nodes that are ports, with their direction: in or out

    def build(self) -> None:
        if self._sheet is None:
            return
        for name, part in self._sheet.parts.items():
            component = part.make()
            component.__dict__["_mark"] = (part.location.file, part.location.line)
            setattr(self, name, component)
        for node, name in self.nodes.items():
            if node not in self._signals and name not in self._sheet.parts:
                setattr(self, name, Pin(f"node {node}") if node in self._ports else Ground() if node == "0" else Node())

    def equations(self) -> Iterator[Any]:
        if self._sheet is None:
            return
        for law in self._sheet.laws:
            yield law(self)
        for node in self._ports:
            if not self._sheet.wires.get(node):
                yield getattr(self, self.nodes[node]).i == 0

    def connections(self) -> Iterator[Any]:
        if self._sheet is None:
            return
        for node, ends in self._sheet.wires.items():
            if not ends:
                continue
            own = getattr(self, self.nodes[node])
            yield own if node in self._ports else own.p, *(self._pin(end) for end in ends)
        for a, b in self._sheet.joints:
            yield self._pin(a), self._pin(b)

    def _pin(self, end: End) -> Any:
        name, pin, number = end
        found = getattr(getattr(self, name), pin)
        return found if number is None else found[number]


class Builder:
    """Makes classes, each once for a definition and the numbers it is called with."""

    def __init__(self, shared: tuple[str, ...]) -> None:
        self.shared = shared
        self.made: dict[Any, type[Circuit]] = {}
        self.grounded = False
        self.notes: list[str] = []
        self.noiseless: list[str] = []  # elements whose noise is not known

    def circuit(
        self, scope: Scope, settings: Settings, ports: dict[str, str], seen: Seen = frozenset(), depth: int = 0
    ) -> type[Circuit]:
        """The class of a definition; `ports` are names of pins by node, `seen` inner nodes that circuits around read.

        An inner node is written as in SPICE: `x1.x2.out`.
        """
        if depth > _DEEPEST:
            raise NetlistError(
                "E505",
                f"the subcircuit '{scope.definition.name}' contains itself",
                location=scope.definition.location,
                advice="a subcircuit may contain others, but not itself",
            )
        if depth == 0 and settings.uic and charges_are_shared(scope.definition):
            settings = replace(settings, rise=_RISE * (settings.step or settings.stop or 1.0))
        sheet = Sheet(scope, settings)
        seen = seen | inner_nodes(scope.definition) | _begun(scope.definition, settings)
        for card in scope.definition.elements.values():
            if card.name[0] == "x":
                self._instance(sheet, card, seen, depth)
            else:
                _ELEMENTS[card.name[0]](sheet, card)
        passives.couple(sheet)
        bipolar_model.leak_to_substrates(sheet, ports)
        sheet.put_in_series()
        taken = {*sheet.parts, *ports.values(), *map(identifier, sheet.wires)}
        logic = digital_wiring.connect(sheet, ports, lambda node: _new_name(node, taken))
        for node in sorted(seen):
            if node not in sheet.wires and node not in logic:
                raise NetlistError(
                    "E506",
                    f"'{scope.definition.name}' has no node '{node}', which is read from elsewhere",
                    location=scope.definition.location,
                    advice="an inner node is written v(x1.node), with the names of the subcircuits before it",
                )
        if depth == 0:
            _ground_islands(sheet, ports)
            if not settings.uic:
                _hold_initially(sheet)
        self.notes += sheet.notes
        self.noiseless += sheet.noiseless
        return self._class(sheet, ports, logic)

    def _instance(self, sheet: Sheet, card: Card, seen: Seen, depth: int) -> None:
        """`X1 node node ... name [params: a=1]`."""
        element = Element(sheet, card)
        element.take("params:")
        if not element.left:
            raise element.wrong(f"'{card.name}' names no subcircuit", "write X1 node node ... name")
        name = element.left.pop()
        definition, around = sheet.scope.subcircuit(name, card)
        if len(element.left) != len(definition.nodes):
            raise element.wrong(
                f"'{card.name}' has {len(element.left)} nodes, the subcircuit '{name}' {len(definition.nodes)}: "
                f"{' '.join(definition.nodes)}",
                f"write {card.name} with {len(definition.nodes)} nodes",
            )
        actual = element.nodes(len(definition.nodes))
        unknown = [key for key in element.pairs if key not in definition.defaults and key != "m"]
        if unknown:
            raise element.wrong(
                f"the subcircuit '{name}' has no parameter '{unknown[0]}'",
                f"its parameters are {', '.join(definition.defaults) or 'none'}: declare it with .subckt "
                f"{name} ... params: {unknown[0]}=1",
            )
        count = sheet.settings.count if "m" in definition.defaults else element.count()
        if not count:
            sheet.leave_out(card, *actual)
            return
        given = {key: element.pair(key) for key in list(element.pairs)}
        formal = ["gnd" if node in GROUND else node for node in definition.nodes]  # a port that nothing inside is at
        nodes = {**dict(zip(formal, actual, strict=True)), **{node: node for node in self.shared}}
        prefix = f"{card.words[0]}."
        read = frozenset(node.removeprefix(prefix) for node in seen if node.startswith(prefix))
        nodes |= {node: prefix + node for node in read if node not in nodes}
        settings = sheet.settings.inside(nodes, count)
        key = (id(definition), tuple(sorted(given.items())), settings, id(around), read)
        if key not in self.made:
            taken = set(definition.elements)
            ports = {}
            for node in nodes:
                ports[node] = free(identifier(node), taken)
                taken.add(ports[node])
            self.made[key] = self.circuit(Scope(definition, around, given), settings, ports, read, depth + 1)
        cls = self.made[key]
        sheet.put(card.name, cls, card.location)
        for inner, outer in nodes.items():
            signal = cls._signals.get(inner)
            end = LogicEnd(card.name, cls.nodes[inner])
            if signal == "out":
                sheet.logic.drive(card, outer, LogicDriver(end))
            elif signal == "in":
                sheet.logic.read(card, outer, LogicReader(end))
            else:
                sheet.wires.setdefault(outer, []).append((card.name, cls.nodes[inner], None))
        for inner in read & set(formal):  # a port has its outer name as well
            sheet.wires.setdefault(prefix + inner, []).append((card.name, cls.nodes[inner], None))

    def _class(self, sheet: Sheet, ports: dict[str, str], logic: dict[str, str]) -> type[Circuit]:
        definition = sheet.scope.definition
        self.grounded |= "0" in sheet.wires
        nodes = {**logic, **ports}
        taken = {*sheet.parts, *nodes.values()}
        for node in sheet.wires:
            if node not in nodes and sheet.wires[node]:
                nodes[node] = free(identifier(node) if node != "0" else "ground", taken)
                taken.add(nodes[node])
        signals = {node: sheet.logic.direction(node) for node in ports if node in logic}
        body = {
            "_sheet": sheet,
            "nodes": nodes,
            "_ports": tuple(node for node in ports if node not in logic),
            "_signals": signals,
            **{ports[node]: (logic_output if way == "out" else logic_input)(node) for node, way in signals.items()},
            "__doc__": definition.title,
            "__module__": __name__,
        }
        made = type(identifier(definition.name), (Circuit,), body)
        made._info.location = definition.location
        return made


def _new_name(node: str, taken: set[str]) -> str:
    """The name of the part at a digital node; it is taken from then on."""
    name = free(identifier(node), taken)
    taken.add(name)
    return name


def identifier(node: str) -> str:
    """A node as a name: `out` is out, `3` is n3, `a+` is a_, `+5v` is n_5v (a name does not begin with `_`)."""
    name = re.sub(r"\W", "_", node)
    return name if name[0].isalpha() else f"n{name}"


def free(name: str, taken: set[str]) -> str:
    """The name, with underscores after it if it is taken."""
    while name in taken or hasattr(Circuit, name):
        name += "_"
    return name


def inner_nodes(definition: Definition) -> Seen:
    """Nodes inside of subcircuits that elements of a definition read: `x1.out` of v(x1.out)."""
    instances = _instances(definition)
    read = [
        node.strip()
        for name, card in definition.elements.items()
        if name[0] in "beg" and "." in card.line.text
        for names in _VOLTAGE.findall(card.line.text)
        for node in names.split(",")
    ]
    return frozenset(node for node in read if node.partition(".")[0] in instances)


def _begun(definition: Definition, settings: Settings) -> Seen:
    """Nodes inside of subcircuits that .ic names: `x1.out`."""
    return frozenset(node for node, _ in settings.ic if node.partition(".")[0] in _instances(definition))


def _instances(definition: Definition) -> set[str]:
    return {card.words[0] for name, card in definition.elements.items() if name[0] == "x"}


def _ground_islands(sheet: Sheet, ports: dict[str, str]) -> None:
    """Circuits that nothing conducts to are at a potential that nobody knows: one of their nodes is grounded."""
    for nodes in islands(sheet):
        if not any(node in ports for node in nodes):
            node = nodes[-1]
            sheet.put(f"ground_{identifier(node)}", Ground, sheet.scope.definition.location, p=node)
            text = f"the nodes {', '.join(nodes)} have no connection to ground: '{node}' is grounded"
            sheet.notes.append(f"{sheet.scope.definition.location}: {text}")


def _hold_initially(sheet: Sheet) -> None:
    """Nodes at the voltages of .ic, but for those that sources hold."""
    held = held_nodes(sheet)
    for node, voltage in sheet.settings.ic:
        if node in held:
            text = f".ic of '{node}' is not used: voltage sources determine it"
            sheet.notes.append(f"{sheet.scope.definition.location}: {text}")
        else:
            sheet.put(f"ic_{identifier(node)}", partial(Hold, V=voltage), sheet.scope.definition.location, p=node)


_ELEMENTS: dict[str, Any] = {
    "a": code_models.code_model,
    "r": passives.resistor,
    "l": passives.inductor,
    "c": passives.capacitor,
    "k": passives.coupling,
    "v": sources.source,
    "i": sources.source,
    "e": controlled.controlled,
    "f": controlled.controlled,
    "g": controlled.controlled,
    "h": controlled.controlled,
    "b": controlled.arbitrary,
    "d": devices.diode,
    "q": devices.bipolar,
    "j": devices.junction_fet,
    "m": devices.mosfet,
    "t": lines.line,
    "o": lines.lossy_line,
    "y": lines.single_line,
    "u": lines.distributed_rc,
    "z": devices.metal_fet,
    "s": devices.switch,
    "w": devices.switch,
}
