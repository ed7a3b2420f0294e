"""`.step`: all analyses of a netlist again for every value of a parameter, a source or the temperature.

.step param r 1k 10k 1k             from, to, by; also with lin before or after the name
.step dec param r 1 1meg 10         so many values for each decade (oct: octave)
.step param r list 1k 2k 5k
.step v1 0 5 1                      the DC value of a source, or of a resistor, coil or capacitor
.step temp -40 125 15               degrees Celsius

The first card changes fastest, as the first source of .dc does.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from tellegen.errors import NetlistError, nearest
from tellegen.importers.spice.changes import Change, check_plain
from tellegen.importers.spice.netlist.deck import Deck
from tellegen.importers.spice.netlist.scope import Scope
from tellegen.importers.spice.netlist.words import Card

_ADVICE = ".step param r 1k 10k 1k, .step dec param r 1 1meg 10, .step v1 list 1 2 5"
_SCALES = ("lin", "dec", "oct")
_ELEMENTS = "virlc"
_MOST = 10_000


def all_changes(deck: Deck, scope: Scope) -> list[tuple[Change, ...]]:
    """What each run changes; empty without .step."""
    if not deck.steps:
        return []
    each = [_changes(deck, scope, card) for card in deck.steps]
    count = int(np.prod([float(len(changes)) for changes in each]))
    if count > _MOST:
        what = f".step asks for {count} runs"
        raise NetlistError("E506", what, location=deck.steps[0].location, advice=f"at most {_MOST}")
    return [tuple(reversed(chosen)) for chosen in product(*reversed(each))]


def _changes(deck: Deck, scope: Scope, card: Card) -> list[Change]:
    """The values of one card."""
    words = [word for word in card.words[1:] if word not in _SCALES]
    scales = [word for word in card.words[1:] if word in _SCALES]
    if words[:1] == ["param"] and card.pairs == () and len(words) > 1:
        kind, name, rest = "param", words[1], words[2:]
    elif words[:1] == ["temp"]:
        kind, name, rest = "temp", "temp", words[1:]
    elif words and words[0][0] in _ELEMENTS:
        kind, name, rest = "element", deck.top.part(words[0]), words[1:]
    else:
        raise NetlistError("E506", f"'{card.line.text}' is not understood", location=card.location, advice=_ADVICE)
    _check_name(deck, card, kind, name)
    numbers = [scope.plain(word, card.location) for word in rest if word != "list"]
    values = numbers if "list" in rest else _range(card, scales[0] if scales else "lin", numbers)
    if not values:
        raise NetlistError("E506", ".step has no values", location=card.location, advice=_ADVICE)
    return [Change(kind, name, float(value)) for value in values]


def _check_name(deck: Deck, card: Card, kind: str, name: str) -> None:
    known = {"param": deck.top.parameters, "element": deck.top.elements, "temp": {"temp": None}}[kind]
    if name not in known:
        what = f"there is no '{name}' at the top level; {nearest(name, known)}"
        raise NetlistError("E506", what, location=card.location, advice=_ADVICE)
    if kind == "element":
        check_plain(deck.top.elements[name])


def _range(card: Card, scale: str, numbers: list[float]) -> list[float]:
    """From the first to the second number, by the third."""
    if len(numbers) != 3:
        raise NetlistError("E506", ".step needs two ends and a step", location=card.location, advice=_ADVICE)
    low, high, step = numbers
    if scale == "lin":
        count = (high - low) / step if step else -1.0
        is_fine = -1e-9 <= count < _MOST
        return [low + step * k for k in range(int(count + 1e-9) + 1)] if is_fine else []
    factor = (10.0 if scale == "dec" else 2.0) ** (1.0 / step) if step >= 1.0 else 1.0
    if not 0.0 < low <= high or factor <= 1.0:
        return []
    count = min(int(np.log(high / low) / np.log(factor) + 1e-9), _MOST)
    return [low * factor**k for k in range(count + 1)]
