"""What can be done to a diagram, as data: each is one step of the undo history."""

from __future__ import annotations

from collections.abc import Mapping

from tellegen.start.records import dataclass


@dataclass(frozen=True)
class AddPart:
    """A new part of a class (`electrical.Resistor`, or a class of the file); an empty name is chosen."""

    cls: str
    name: str
    x: int
    y: int
    turned: str = ""


@dataclass(frozen=True)
class AddConnected:
    """A new part with a line from its port to one that is there."""

    cls: str
    port: str
    to: str
    x: int
    y: int


@dataclass(frozen=True)
class PutBetween:
    """A new part in a line: from `first` to its port `input`, from its port `output` to `second`."""

    cls: str
    input: str
    output: str
    wire: int
    first: str
    second: str


@dataclass(frozen=True)
class ReplaceText:
    """What stands at a character of the text becomes another; nothing is done where something else stands there."""

    start: int
    before: str
    after: str


@dataclass(frozen=True)
class RemoveParts:
    """Parts, with the ends of wires at them."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class RenamePart:
    """Another name for a part, wherever the class uses it."""

    old: str
    new: str


@dataclass(frozen=True)
class SetArgument:
    """A parameter of a part, as typed: `2.2 kohm`; empty for the default."""

    part: str
    parameter: str
    typed: str


@dataclass(frozen=True)
class SetParameter:
    """The value of a parameter of the class itself."""

    parameter: str
    typed: str


@dataclass(frozen=True)
class Connect:
    """A wire between two ports, `motor.p` and `source.p`."""

    first: str
    second: str


@dataclass(frozen=True)
class Disconnect:
    """One end of a wire; the wire goes with the last but one."""

    wire: int
    end: str


@dataclass(frozen=True)
class MoveParts:
    """New places: parallel lists of parts and their centres."""

    names: tuple[str, ...]
    x: tuple[int, ...]
    y: tuple[int, ...]


@dataclass(frozen=True)
class TurnPart:
    """An orientation: `r90`, `r180`, `r270`, each also with `m` for mirrored."""

    part: str
    turned: str


@dataclass(frozen=True)
class PastedPart:
    """A part that was copied: its class, its arguments as text, its centre."""

    name: str
    cls: str
    arguments: Mapping[str, str]
    x: int
    y: int
    turned: str = ""
    count: str = ""
    condition: str = ""


@dataclass(frozen=True)
class PastedWire:
    """A connection among parts that were copied."""

    ends: tuple[str, ...]


@dataclass(frozen=True)
class PasteParts:
    """Copies of parts, under free names, with the wires between them."""

    parts: tuple[PastedPart, ...]
    wires: tuple[PastedWire, ...]


@dataclass(frozen=True)
class ReplacePart:
    """Another class for a part, one with the same ports: arguments stay where the names fit."""

    part: str
    cls: str


@dataclass(frozen=True)
class Propagate:
    """A parameter of the model that a part gets its value from; an empty name is that of the part's parameter."""

    part: str
    parameter: str
    name: str = ""


@dataclass(frozen=True)
class SetStart:
    """The value of a variable of a part at the start of a run, as typed; empty for the default."""

    part: str
    variable: str
    typed: str


@dataclass(frozen=True)
class SetCount:
    """How many parts of an array there are, as typed: a number or a structural parameter; empty for a single part."""

    part: str
    typed: str


@dataclass(frozen=True)
class SetCondition:
    """The structural parameter, or expression of such, that a part exists for; empty for always."""

    part: str
    typed: str


@dataclass(frozen=True)
class GroupParts:
    """Some parts become a component class of their own, of this name, and one part of it."""

    names: tuple[str, ...]
    cls: str


@dataclass(frozen=True)
class SetNote:
    """A text on the sheet; an empty name is a new one, an empty text removes it."""

    note: str
    text: str
    x: int
    y: int


Operation = (
    AddPart
    | AddConnected
    | PutBetween
    | ReplaceText
    | RemoveParts
    | RenamePart
    | SetArgument
    | SetParameter
    | Connect
    | Disconnect
    | MoveParts
    | TurnPart
    | PasteParts
    | ReplacePart
    | Propagate
    | SetStart
    | SetCount
    | SetCondition
    | GroupParts
    | SetNote
)
