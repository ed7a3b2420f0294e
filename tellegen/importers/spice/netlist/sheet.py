"""What a circuit becomes, collected element by element: parts, which pins lie on which node, and laws between parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from tellegen.errors import NetlistError
from tellegen.importers.spice.netlist.logic import LogicNodes
from tellegen.importers.spice.netlist.scope import Scope
from tellegen.importers.spice.netlist.words import Card
from tellegen.ir.source_location import SourceLocation
from tellegen.library.electrical import Resistor

End = tuple[str, str, int | None]  # part, pin, and the number of the pin where it is an array
GROUND = ("0", "gnd")


@dataclass(frozen=True)
class Settings:
    """The numbers that hold for a whole run."""

    temperature: float = 27.0  # degrees Celsius, of the devices
    nominal_temperature: float = 27.0  # at which their parameters were measured
    gmin: float = 1e-12
    step: float = 0.0  # of .tran: the shortest rise of a pulse
    stop: float | None = None
    longest: float | None = None  # step of a run: that of .tran, or its fourth number
    uic: bool = False
    ic: tuple[tuple[str, float], ...] = ()  # voltages of nodes at the begin
    rise: float = 0.0  # s, in which sources reach their first values where charges are shared (shared_charges.py)
    left_out: frozenset[str] = frozenset()  # parameters of models that the user can do without
    count: float = 1.0  # how many of a circuit are in parallel
    scale: float = 1.0  # of the lengths of MOS transistors
    mosfet: tuple[tuple[str, float], ...] = ()  # defaults of their sizes
    static: bool = False  # sources have their DC values, for .op, .dc and .ac

    def inside(self, nodes: dict[str, str], count: float) -> Settings:
        """The same for so many subcircuits in parallel, whose nodes are those of this circuit."""

        known = dict(self.ic)
        return replace(
            self, count=count, ic=tuple((inner, known[outer]) for inner, outer in nodes.items() if outer in known)
        )


@dataclass(frozen=True)
class Part:
    """A component to be made, and the line that asks for it."""

    make: Callable[[], Any]
    location: SourceLocation


@dataclass
class Sheet:
    """The parts of one circuit and how they hang together."""

    scope: Scope
    settings: Settings
    parts: dict[str, Part] = field(default_factory=dict)
    wires: dict[str, list[End]] = field(default_factory=dict)  # by node
    joints: list[tuple[End, End]] = field(default_factory=list)  # beside the nodes
    sensed: list[tuple[Card, str, End, End]] = field(default_factory=list)  # a voltage source, pins in series with it
    inductors: dict[str, tuple[float, float]] = field(default_factory=dict)  # inductance, current at the begin
    mutual: list[tuple[str, str, float]] = field(default_factory=list)  # coupled inductors and their factor
    laws: list[Callable[[Any], Any]] = field(default_factory=list)  # equations between parts
    notes: list[str] = field(default_factory=list)  # what the user should know
    leaking: list[tuple[Card, str, str]] = field(default_factory=list)  # a transistor, its substrate and the node at it
    noiseless: list[str] = field(default_factory=list)  # elements whose noise is not known
    logic: LogicNodes = field(default_factory=LogicNodes)
    oscillating: dict[str, complex] = field(default_factory=dict)  # AC amplitudes of sources

    def note(self, card: Card, text: str) -> None:
        """Say something about an element."""
        self.notes.append(f"{card.location}: '{card.name}': {text}")

    def put(self, name: str, make: Callable[[], Any], location: SourceLocation, **pins: str) -> None:
        """Add a part with its pins on nodes."""
        self.parts[name] = Part(make, location)
        self.wire(name, **pins)

    def after_resistor(self, card: Card, node: str, resistance: float) -> str:
        """The node after a resistance that belongs to an element (`rser=`), between it and its first node."""
        if not resistance:
            return node
        inner = f"{card.name}.inner"
        self.put(
            f"{card.name}_rser",
            partial(Resistor, R=resistance, T_ref=self.settings.temperature + 273.15),
            card.location,
            p=node,
            n=inner,
        )
        return inner

    def leave_out(self, card: Card, *nodes: str) -> None:
        """An element of the size or number 0: its nodes are there, and no current flows."""
        for node in nodes:
            self.wires.setdefault(node, [])
        self.note(card, "left out, for there are 0 of it")

    def wire(self, name: str, **pins: str) -> None:
        """Put pins of a part on nodes; `p1_0` is p1[0]."""
        for pin, node in pins.items():
            head, underscore, number = pin.partition("_")
            self.wires.setdefault(node, []).append((name, head, int(number) if underscore else None))

    def sense(self, card: Card, source: str, p: End, n: End) -> None:
        """The current of a voltage source goes through these pins as well."""
        self.sensed.append((card, self.scope.definition.part(source), p, n))

    def start_voltage(self, p: str, n: str) -> float:
        """What .ic says of the voltage between two nodes."""
        known = dict(self.settings.ic)
        return known.get(p, 0.0) - known.get(n, 0.0)

    def put_in_series(self) -> None:
        """Voltage sources whose currents are needed: their negative pins reach the node through the sensing pins."""
        for card, source, p, n in self.sensed:
            if source not in self.parts or source[0] != "v":
                names = [name for name in self.parts if name[0] == "v"]
                raise NetlistError(
                    "E506",
                    f"'{card.name}' depends on the current of '{source}', which is "
                    "not a voltage source of this circuit",
                    location=card.location,
                    advice=f"name one of {', '.join(names)}"
                    if names
                    else "insert a source of 0 V where the current flows",
                )
            end = (source, "n", None)
            for ends in self.wires.values():
                if end in ends:
                    ends[ends.index(end)] = n
                    self.joints.append((end, p))
                    break
            else:  # others sense it already: join them after the last one
                at = next(k for k, (first, _) in enumerate(self.joints) if first == end)
                behind = self.joints[at][1]
                self.joints[at] = (end, p)
                self.joints.append((n, behind))


class Element:
    """A card read word by word; what is left at the end was not understood."""

    def __init__(self, sheet: Sheet, card: Card) -> None:
        self.sheet = sheet
        self.card = card
        self.location = card.location
        self.left = list(card.words[1:])
        self.pairs = dict(card.pairs)

    def count(self) -> float:
        """How many of it are in parallel: `m=` of its own and of the subcircuits around it."""
        return self.pair("m", 1.0) * self.sheet.settings.count

    def single(self) -> None:
        """Reject it in a subcircuit with m=."""
        if self.sheet.settings.count != 1.0:
            raise self.wrong(f"'{self.name}' is in a subcircuit that is called with m=", "call it m times")

    def temperature(self) -> float:
        """In degrees Celsius: `temp=` of its own, which then counts alone, or the circuit's and `dtemp=` more."""
        around = self.sheet.settings.temperature
        warmer = around + self.pair("dtemp")
        return self.pair("temp") if "temp" in self.pairs else warmer

    @property
    def name(self) -> str:
        """`r1`."""
        return self.card.name

    def nodes(self, count: int) -> list[str]:
        """The next words as nodes."""
        if len(self.left) < count:
            raise self.wrong(
                f"'{self.name}' needs {count} nodes, and there are {len(self.left)} fields after its name",
                f"write {self.name} {' '.join(f'node{k + 1}' for k in range(count))} ...",
            )
        found = self.left[:count]
        self.left = self.left[count:]
        return ["0" if node in GROUND else node for node in found]

    def word(self) -> str | None:
        """The next word, None at the end."""
        return self.left.pop(0) if self.left else None

    def take(self, word: str) -> bool:
        """Whether a word stands there; it is taken out."""
        if word in self.left:
            self.left.remove(word)
            return True
        return False

    def value(self, what: str) -> float:
        """The next word as a number."""
        if not self.left:
            raise self.wrong(f"'{self.name}' has no {what}", "write a number such as 4.7k after its nodes")
        return self.sheet.scope.plain(self.left.pop(0), self.location)

    def numbers(self) -> list[float]:
        """All words that are left, as numbers."""
        found = self.left
        self.left = []
        return [self.sheet.scope.plain(text, self.location) for text in found]

    def pair(self, name: str, default: float = 0.0) -> float:
        """The value of name=..."""
        return self.sheet.scope.value(self.pairs.pop(name), self.location) if name in self.pairs else default

    def done(self) -> None:
        """Reject what was not used."""
        rest = [*self.left, *(f"{name}={text}" for name, text in self.pairs.items())]
        if rest:
            raise self.wrong(
                f"'{' '.join(rest)}' of '{self.name}' is not understood", "remove it, or look for a missing blank"
            )

    def wrong(self, what: str, advice: str) -> NetlistError:
        """The error of this card."""
        return NetlistError("E506", what, location=self.location, advice=advice)
