"""`.ac` and `.noise`: analyses of small signals around the operating point.

.ac dec 10 1 1meg                 tg.frequency_response, from the sources that have AC amplitudes
.noise v(out) v1 dec 10 1 1meg    tg.noise of a node, or of the difference of two, and of the source that would cause it
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.errors import NetlistError, nearest
from tellegen.importers.spice.netlist.deck import Deck, Definition
from tellegen.importers.spice.netlist.scope import Scope
from tellegen.importers.spice.netlist.words import Card
from tellegen.ir.model import FloatArray

_SWEPT = {"v": "V", "i": "I", "r": "R"}
_MOST_NODES = 40  # whose potentials are computed where no .print names any
_RANGES = ("dec", "oct", "lin")


def source_path(deck: Deck, name: str, location: Any) -> str:
    """The path of the number of a source or resistor."""
    if name not in deck.top.elements or name[0] not in _SWEPT:
        known = [element for element in deck.top.elements if element[0] in _SWEPT]
        what = f"'{name}' is not a source or resistor of the top level; {nearest(name, known)}"
        raise NetlistError("E506", what, location=location, advice="sweep one of these elements")
    return f"{name}.{_SWEPT[name[0]]}"


def response(static: Any, scope: Scope, card: Card, amplitudes: dict[str, complex]) -> tg.FrequencyResponse:
    """What `.ac` asks for."""
    frequencies = _frequencies(scope, card, card.words[1:])
    if not amplitudes:
        raise NetlistError("E506", "no source has an AC amplitude", location=card.location, advice="v1 in 0 dc 0 ac 1")
    shown = list(static.flat.experiment.shown)
    return tg.frequency_response(static, frequencies, inputs=list(amplitudes), outputs=shown[:_MOST_NODES])


def noise_spectrum(static: Any, deck: Deck, scope: Scope, card: Card, nodes: dict[str, str]) -> tg.NoiseSpectrum:
    """What `.noise` asks for; a last number, how often ngspice lists contributions, has no meaning here."""
    words = card.words[1:]
    start = next((k for k, word in enumerate(words) if word in _RANGES), 0)
    if start not in (3, 4) or words[0] != "v":
        what = ".noise needs the voltage of a node, a source, a count and two ends"
        raise NetlistError("E506", what, location=card.location, advice=".noise v(out) v1 dec 10 1 1meg")
    outputs = [_node(nodes, name, card) for name in words[1 : start - 1]]
    switch = _a_switch(deck.top)
    if switch:
        what = f"'{switch}' is a switch, whose noise is not computed"
        raise NetlistError("E506", what, location=card.location, advice="put a resistor in its place")
    return tg.noise(
        static,
        _frequencies(scope, card, words[start : start + 4]),
        outputs[0],
        reference=outputs[1] if len(outputs) > 1 else None,
        input=source_path(deck, deck.top.part(words[start - 1]), card.location),
    )


def _a_switch(definition: Definition) -> str:
    """The path of a switch, also inside of subcircuits that are used; empty where there is none."""
    for name, card in definition.elements.items():
        if name[0] in "sw":
            return name
        if name[0] == "x":
            below = next(filter(None, (_subcircuit(definition, word) for word in card.words[1:])), None)
            if below is not None and (switch := _a_switch(below)):
                return f"{name}.{switch}"
    return ""


def _subcircuit(definition: Definition | None, name: str) -> Definition | None:
    """The subcircuit of this name that a definition sees: its own, or one of those around it."""
    if definition is None:
        return None
    return definition.subcircuits.get(name) or _subcircuit(definition.parent, name)


def _node(nodes: dict[str, str], name: str, card: Card) -> str:
    """The potential of a node."""
    if name not in nodes:
        what = f"there is no node '{name}'; {nearest(name, list(nodes))}"
        raise NetlistError("E506", what, location=card.location, advice="correct the name in v(...)")
    return f"{nodes[name]}.v"


def _frequencies(scope: Scope, card: Card, words: Sequence[str]) -> FloatArray:
    """`dec 10 1 1meg`; oct and lin count per octave and in all.

    As in ngspice a range of decades contains both ends: steps that do not fit into it are a little longer. Octaves end
    with the last step of the usual length.
    """
    head = card.words[0]
    if len(words) != 4 or words[0] not in _RANGES:
        what = f"{head} needs a count and two ends"
        raise NetlistError("E506", what, location=card.location, advice=f"{head} ... dec 10 1 1meg")
    count, low, high = (scope.plain(word, card.location) for word in words[1:])
    if not (count >= 1.0 and 0.0 < low <= high):
        what = f"{head} from {low:g} to {high:g} Hz with {count:g} points has no frequencies"
        raise NetlistError("E506", what, location=card.location, advice=f"{head} ... dec 10 1 1meg")
    if words[0] == "lin":
        return np.linspace(low, high, int(count))
    if words[0] == "dec" and low < high:
        return np.geomspace(low, high, max(int(np.floor(np.log10(high / low) * count + 1e-9)), 1) + 1)
    return low * 2.0 ** (np.arange(int(np.floor(np.log2(high / low) * count + 1e-9)) + 1) / count)
