"""With `uic`: whether charges are shared where sources begin.

    v1 a 0 5        before a run begins all sources are 0 and capacitors have their initial voltages; v1 then
    c1 a b 1n       steps to 5 V and drives a charge through both capacitors: b begins at 2.5 V, as in ngspice
    c2 b 0 1n

Capacitors and transistors between nodes of sources, or in a loop with some, share charges. Sources then rise to their
first value within a time that is short beside everything else; where none do, runs begin with the sources at it.
"""

from __future__ import annotations

from tellegen.importers.spice.islands import Groups
from tellegen.importers.spice.netlist.deck import Definition
from tellegen.importers.spice.netlist.sheet import GROUND
from tellegen.importers.spice.netlist.words import Card

_PINS = {"c": 2, "d": 2, "q": 3, "j": 3, "m": 4}
"""Elements with charges, and how many pins they have."""


def charges_are_shared(top: Definition) -> bool:
    """In a netlist or in one of the subcircuits it uses."""
    return any(_shares(definition) for definition in [top, *_used(top, {}).values()])


def _used(definition: Definition, found: dict[int, Definition]) -> dict[int, Definition]:
    """All subcircuits that are called from a definition."""
    for card in definition.elements.values():
        called = _called(definition, card) if card.name[0] == "x" else None
        if called is not None and id(called) not in found:
            found[id(called)] = called
            _used(called, found)
    return found


def _called(definition: Definition | None, card: Card) -> Definition | None:
    """The subcircuit of an X; None where there is none, which is an error elsewhere."""
    name = next((word for word in reversed(card.words) if word != "params:"), "")
    while definition is not None and name not in definition.subcircuits:
        definition = definition.parent
    return None if definition is None else definition.subcircuits[name]


def _shares(definition: Definition) -> bool:
    """Whether a capacitor closes a loop, or a part with several pins is between two nodes of sources and a free one."""
    pins = {name: _nodes(definition, card) for name, card in definition.elements.items()}
    groups = Groups([*{node for nodes in pins.values() for node in nodes}, "0"])
    for name, nodes in pins.items():
        if name[0] == "v":
            groups.join(*nodes)
    seen: set[frozenset[str]] = set()
    for name, nodes in pins.items():
        between = frozenset(groups.of(node) for node in nodes)
        if name[0] == "v" or len(between) < 2 or (len(nodes) == 2 and frozenset(nodes) in seen):
            continue
        if len(between) < len(set(nodes)):  # two pins at nodes of sources, a third elsewhere
            return True
        seen.add(frozenset(nodes))
    loops = Groups(groups.of(node) for node in [*{node for nodes in pins.values() for node in nodes}, "0"])
    for nodes in seen:
        first, *rest = (groups.of(node) for node in nodes)
        for node in rest:
            if loops.of(node) == loops.of(first):
                return True
            loops.join(node, first)
    return False


def _nodes(definition: Definition, card: Card) -> tuple[str, ...]:
    """The nodes of a source or of an element with charges; of others nothing."""
    letter = card.name[0]
    words: tuple[str, ...] = ()
    if letter == "v" or letter in _PINS:
        words = card.words[1 : 1 + _PINS.get(letter, 2)]
    elif letter == "x" and (called := _called(definition, card)) is not None and _has_charges(called, 0):
        words = card.words[1 : 1 + len(called.nodes)]
    return tuple("0" if word in GROUND else word for word in words)


def _has_charges(definition: Definition, depth: int) -> bool:
    if depth > 50:
        return True
    inner = (_called(definition, card) for name, card in definition.elements.items() if name[0] == "x")
    return any(name[0] in _PINS for name in definition.elements) or any(
        each is not None and _has_charges(each, depth + 1) for each in inner
    )
