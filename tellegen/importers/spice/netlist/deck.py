"""From lines to definitions: what a netlist or subcircuit contains, nothing looked up yet.

.subckt amp in out params: gain=10        Definition("amp", nodes=("in", "out"), defaults={"gain": "10"})
e1 out 0 in 0 {gain}                          elements: one Card
.ends
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from tellegen.errors import NetlistError, nearest, warn_user
from tellegen.importers.spice.netlist.functions import without_functions
from tellegen.importers.spice.netlist.lines import Line, Text
from tellegen.importers.spice.netlist.words import Card, card, part_name
from tellegen.ir.source_location import SourceLocation

_QUANTITY = re.compile(r"\b([vi])\s*\(([^(),]*)\)")
_ASSIGNMENT = re.compile(r"([a-z_]\w*)\s*=(?!=)")
ELEMENTS = "abcdefghijklmoqrstuvwxyz"
SKIPPED = {
    ".width": "the layout of print-outs",
    **dict.fromkeys((".four", ".fourier"), "the Fourier analysis"),
    ".tf": "the transfer function at zero frequency: .ac has it",
    ".sens": "the sensitivities: tg.sensitivity has them",
    ".pz": "poles and zeros: tg.linearize has them",
    ".disto": "the distortion analysis",
    ".pss": "the periodic steady state",
    ".wave": "a sound file",
    ".text": "a text",
    **dict.fromkeys((".backanno", ".machine"), "about drawings"),
    **dict.fromkeys((".savebias", ".loadbias"), "operating points in files"),
    ".title": "the title",
    **dict.fromkeys((".prot", ".unprot", ".protect", ".unprotect"), "marks around encrypted models"),
    ".csparam": "a number for scripts",
}


@dataclass
class Definition:
    """A netlist or a subcircuit as written."""

    name: str
    location: SourceLocation
    title: str = ""
    nodes: tuple[str, ...] = ()
    parent: Definition | None = None
    defaults: dict[str, tuple[str, SourceLocation]] = field(default_factory=dict)
    elements: dict[str, Card] = field(default_factory=dict)
    models: dict[str, Card] = field(default_factory=dict)
    subcircuits: dict[str, Definition] = field(default_factory=dict)
    parameters: dict[str, tuple[str, SourceLocation]] = field(default_factory=dict)

    def part(self, word: str) -> str:
        """The name of the part that an element is."""
        return next((name for name, card in self.elements.items() if card.words[0] == word), part_name(word))


@dataclass
class Deck:
    """A whole netlist: its circuit, and the cards that are about the whole."""

    top: Definition
    notes: list[str]
    shared: tuple[str, ...] = ()  # nodes that are the same in all subcircuits
    options: dict[str, tuple[str, SourceLocation]] = field(default_factory=dict)
    ic: list[tuple[str, str, SourceLocation]] = field(default_factory=list)  # node, voltage
    nodeset: list[tuple[str, str, SourceLocation]] = field(default_factory=list)  # as of .ic, with uic
    tran: Card | None = None
    measurements: list[Line] = field(default_factory=list)  # .measure of runs over time
    steps: list[Card] = field(default_factory=list)  # .step
    analyses: list[Card] = field(default_factory=list)  # .op, .dc, .ac and .noise
    stages: list[Any] = field(default_factory=list)  # what the script runs (scripts/interpreter.py)
    shown: list[tuple[str, str]] = field(default_factory=list)  # ("v", node) or ("i", element)


def read_deck(text: Text) -> Deck:
    """All cards of a netlist, each where it belongs."""
    top = Definition(text.name, SourceLocation(text.file, 1), text.title.lstrip("*. \t"))
    deck = Deck(top, text.notes)
    inside = [top]
    for line in without_functions(text.lines):
        head = line.head
        if head[0] != ".":
            _element(inside[-1], line)
        elif head == ".subckt":
            inside.append(_subcircuit(inside[-1], card(line), deck.notes))
        elif head == ".ends":
            if len(inside) == 1:
                raise _wrong(line, ".ends without .subckt", "remove it, or write the .subckt it ends")
            inside.pop()
        elif head in _CARDS:
            _CARDS[head](deck, inside[-1], line)
        elif head in SKIPPED:
            deck.notes.append(f"{line.location}: {head} is not used ({SKIPPED[head]})")
        else:
            known = [*_CARDS, *SKIPPED, ".func", ".subckt", ".ends", ".include", ".end", ".control"]
            raise NetlistError(
                "E503",
                f"the card {head} is not understood; {nearest(head, known)}",
                location=line.location,
                advice="remove it, or write its equivalent with elements, .model, .subckt and .param",
            )
    if len(inside) > 1:
        raise NetlistError(
            "E502",
            f"the subcircuit '{inside[-1].name}' has no end",
            location=inside[-1].location,
            advice="write .ends after its last element",
        )
    if _reads_as_an_element(text.title, top):
        warn_user(
            f"{top.location}: the first line of a netlist is its title, so '{text.title}' is not an element of the "
            "circuit; write a line with a title above it, or * before it if that is meant"
        )
    return deck


def _reads_as_an_element(title: str, top: Definition) -> bool:
    """A name as elements have it, nodes that others are at as well, and a value."""
    words = title.lower().split()
    if len(words) < 4 or not re.fullmatch(f"[{ELEMENTS}]\\w*", words[0]):
        return False
    used = {word for card in top.elements.values() for word in card.words[1:]}
    return words[1] != words[2] and {words[1], words[2]} <= used


def _wrong(line: Line, what: str, advice: str) -> NetlistError:
    return NetlistError("E502", what, location=line.location, advice=advice)


def _element(definition: Definition, line: Line) -> None:
    found = card(line)
    if found.name[0] not in ELEMENTS:
        raise NetlistError(
            "E503",
            f"elements with the letter {found.name[0].upper()} are not understood",
            location=line.location,
            advice=f"there are {', '.join(ELEMENTS.upper())}; a comment begins with *",
        )
    while found.name in definition.elements:
        first = definition.elements[found.name]
        if first.words[0] == found.words[0]:
            raise _wrong(line, f"there is already a '{found.name}', at {first.location}", "give it another name")
        found = replace(found, other_name=f"{found.name}_")  # r- beside r+
    definition.elements[found.name] = found


def _subcircuit(above: Definition, found: Card, notes: list[str]) -> Definition:
    words = [word for word in found.words if word != "params:"]
    if len(words) < 2:
        raise _wrong(found.line, "a .subckt without a name", "write .subckt name node node ...")
    made = Definition(words[1], found.location, f"subcircuit {words[1]}", tuple(words[2:]), above)
    made.defaults = {name: (text, found.location) for name, text in found.pairs if name != "params:"}
    if made.name not in above.subcircuits:  # as in ngspice the first one holds
        above.subcircuits[made.name] = made
    else:
        notes.append(f"{found.location}: there is already a subcircuit '{made.name}', which is used")
    return made


def _model(deck: Deck, definition: Definition, line: Line) -> None:
    found = card(line)
    if len(found.words) < 3:
        raise _wrong(line, "a .model needs a name and a type", "write .model name D(is=1e-14 n=1)")
    if found.words[1] in definition.models:  # as in ngspice the first one holds
        deck.notes.append(f"{line.location}: there is already a model '{found.words[1]}', which is used")
    definition.models.setdefault(found.words[1], found)


def assignments(line: Line) -> dict[str, tuple[str, SourceLocation]]:
    """`a=1 b = 2 * a`: the text of every value."""
    rest = "".join(line.text.split(maxsplit=1)[1:])
    starts = list(_ASSIGNMENT.finditer(rest))
    if not starts or rest[: starts[0].start()].strip():
        raise _wrong(line, "no name=value is found", f"write {line.head} name=value")
    ends = [match.start() for match in starts[1:]] + [len(rest)]
    return {
        match[1]: (rest[match.end() : end].strip(" ,\t{}'\""), line.location)
        for match, end in zip(starts, ends, strict=True)
    }


def _param(_: Deck, definition: Definition, line: Line) -> None:
    definition.parameters |= assignments(line)


def _options(deck: Deck, _: Definition, line: Line) -> None:
    used = ("temp", "tnom", "gmin", "scale", "defw", "defl", "defad", "defas")
    found = {name: (text, line.location) for name, text in card(line).pairs}
    deck.options |= {name: found[name] for name in used if name in found}
    others = [name for name in found if name not in used] + list(card(line).words[1:])
    if others:
        deck.notes.append(
            f"{line.location}: the options {', '.join(others)} are not used; a run has rtol, atol and solver"
        )


def _temp(deck: Deck, _: Definition, line: Line) -> None:
    words = card(line).words
    if len(words) != 2:
        raise _wrong(line, "one temperature is needed", "write .temp 27")
    deck.options["temp"] = (words[1], line.location)


def _ic(deck: Deck, definition: Definition, line: Line) -> None:
    deck.ic += _voltages(deck, definition, line)


def _nodeset(deck: Deck, definition: Definition, line: Line) -> None:
    deck.nodeset += _voltages(deck, definition, line)


def _voltages(deck: Deck, definition: Definition, line: Line) -> list[tuple[str, str, SourceLocation]]:
    """`v(node)=value ...`."""
    found = card(line)
    nodes = [word for word in found.words[1:] if word != "v"]
    names = [name for name, _ in found.pairs]
    if len(found.words) == 1 and not names:
        deck.notes.append(f"{line.location}: {line.head} names no node")
        return []
    if definition is not deck.top or nodes or not names:
        what = f"only the form {line.head} v(node)=value at the top level is supported"
        raise _wrong(line, what, f"{line.head} v(out)=2.5")
    return [(name, text, found.location) for name, text in found.pairs]


def _global(deck: Deck, _: Definition, line: Line) -> None:
    deck.shared += card(line).words[1:]


def _shown(deck: Deck, _: Definition, line: Line) -> None:
    """.print, .plot, .save, .probe: what one wants to see, as far as it has a name here."""
    found = _QUANTITY.findall(line.text)
    deck.shown += [(kind, name.strip()) for kind, name in found]
    rest = _QUANTITY.sub("", line.text).split()[1:]
    if [word for word in rest if word != "tran"]:
        deck.notes.append(f"{line.location}: of {line.head} only v(node) and i(element) are used")


def _analysis(deck: Deck, _: Definition, line: Line) -> None:
    deck.analyses.append(card(line))
    deck.notes.append(f"{line.location}: {line.head} is not used in a run over time: tg.run_spice does that")


def _step(deck: Deck, _: Definition, line: Line) -> None:
    deck.steps.append(card(line))
    deck.notes.append(f"{line.location}: {line.head} is not used in a single run: tg.run_spice does that")


def _measure(deck: Deck, _: Definition, line: Line) -> None:
    if len(line.text.split()) > 3 and line.text.split()[1] == "tran":
        deck.measurements.append(line)
        deck.notes.append(f"{line.location}: {line.head} is not used here: tg.run_spice does that")
    else:
        deck.notes.append(f"{line.location}: {line.head} is not used (of runs over time only)")


def _tran(deck: Deck, _: Definition, line: Line) -> None:
    deck.tran = card(line)


_CARDS: dict[str, Callable[[Deck, Definition, Line], None]] = {
    ".model": _model,
    ".param": _param,
    ".params": _param,
    ".options": _options,
    ".option": _options,
    ".opt": _options,
    ".temp": _temp,
    ".ic": _ic,
    ".nodeset": _nodeset,
    ".global": _global,
    ".tran": _tran,
    ".step": _step,
    **dict.fromkeys((".meas", ".measure"), _measure),
    **dict.fromkeys((".op", ".dc", ".ac", ".noise"), _analysis),
    **dict.fromkeys((".print", ".plot", ".save", ".probe"), _shown),
}
