"""Changes of a netlist from one run to the next, by `.step` and by scripts: numbers written into its cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tellegen.errors import NetlistError, nearest
from tellegen.importers.spice.netlist.deck import Deck
from tellegen.importers.spice.netlist.numbers import number
from tellegen.importers.spice.netlist.words import Card

_MAIN = {
    "v": ("dc",),
    "i": ("dc",),
    "r": ("r", "resistance"),
    "c": ("c", "capacitance"),
    "l": ("l", "inductance"),
    **dict.fromkeys("efgh", ("gain",)),
}
"""What the value of an element is called where a command names it."""
_PLACE = {"e": 5, "g": 5, "f": 4, "h": 4}  # of the value among the words
_BESIDE = ("ac", "sin", "pulse", "pwl", "exp", "sffm", "am", "trnoise", "trrandom", "external", "distof1", "distof2")
"""What may stand at a source in the place of its DC value."""
_IN_PAIRS = ("w", "l", "area", "m", "ad", "as", "pd", "ps", "temp", "dtemp", "tc1", "tc2", "ic")


@dataclass(frozen=True)
class Change:
    """A number of the netlist that is replaced."""

    kind: str  # "param", "element", "model" or "temp"
    name: str
    value: float
    item: str = ""  # the parameter of an element or model; empty for the value of an element

    @property
    def label(self) -> str:
        """`r1`, `m1.w`."""
        return f"{self.name}.{self.item}" if self.item else self.name


def apply(deck: Deck, changes: Sequence[Change]) -> None:
    """Write the values into the cards."""
    for change in changes:
        location = deck.top.location
        value = repr(change.value)
        if change.kind == "param":
            deck.top.parameters[change.name] = (value, location)
        elif change.kind == "temp":
            deck.options["temp"] = (value, location)
        elif change.kind == "model":
            card = _known(deck, deck.top.models, change)
            deck.top.models[change.name] = _with_pair(card, change.item, value)
        else:
            card = _known(deck, deck.top.elements, change)
            deck.top.elements[change.name] = _changed(card, change.item, value)


def _known(deck: Deck, cards: dict[str, Card], change: Change) -> Card:
    if change.name not in cards:
        what = f"there is no '{change.name}' at the top level, which a script changes; {nearest(change.name, cards)}"
        raise NetlistError("E506", what, location=deck.top.location, advice="correct the name after alter or altermod")
    return cards[change.name]


def _changed(card: Card, item: str, value: str) -> Card:
    """An element with another number."""
    letter = card.name[0]
    if not item or item in _MAIN.get(letter, ()):
        return _with_value(card, value)
    if letter in "vi" and item in ("ac", "acmag"):
        return _with_amplitude(card, value)
    if item in _IN_PAIRS and letter not in "vi":
        return _with_pair(card, item, value)
    what = f"'{item}' of '{card.words[0]}', which a script changes, is not understood"
    advice = "use .param: m1 d g s b mm w={w}, and alterparam w=2u"
    raise NetlistError("E506", what, location=card.location, advice=advice)


def check_plain(card: Card) -> None:
    """Reject an element whose value cannot be changed, and a source with a function of time alone, which would stay."""
    if card.name[0] in "vi" and _is_beside(card.words):
        raise _without_plain_value(card)
    _with_value(card, "0")


def _is_beside(words: tuple[str, ...]) -> bool:
    """Whether a source has no DC value, but something else."""
    return "dc" not in words[3:] and (len(words) == 3 or words[3] in _BESIDE)


def _with_value(card: Card, value: str) -> Card:
    """An element with another value: `v1 a 0 [dc] 5 ...`."""
    letter = card.name[0]
    written = next((name for name in _MAIN.get(letter, ()) if name in card.given), None)
    if written is not None:
        return _with_pair(card, written, value)
    words = card.words
    is_source = letter in "vi"
    if is_source and _is_beside(words):
        return replace(card, words=(*words[:3], "dc", value, *words[3:]))
    at = words.index("dc", 3) + 1 if is_source and "dc" in words[3:] else _PLACE.get(letter, 3)
    old = words[at] if len(words) > at else ""
    if is_source or number(old) is not None or old.startswith("{"):
        return replace(card, words=(*words[:at], value, *words[at + 1 :]))
    raise _without_plain_value(card)


def _without_plain_value(card: Card) -> NetlistError:
    what = f"'{card.words[0]}' has no plain value that can be changed"
    return NetlistError("E506", what, location=card.location, advice="use .param: r1 a b {r} and .step param r ...")


def _with_amplitude(card: Card, value: str) -> Card:
    """A source with another AC amplitude."""
    if "ac" in card.given:
        return _with_pair(card, "ac", value)
    words = card.words
    if "ac" not in words:
        return replace(card, words=(*words, "ac", value))
    at = words.index("ac") + 1
    rest = at + 1 if len(words) > at and number(words[at]) is not None else at
    return replace(card, words=(*words[:at], value, *words[rest:]))


def _with_pair(card: Card, name: str, value: str) -> Card:
    """A card with another name=value."""
    kept = tuple(pair for pair in card.pairs if pair[0] != name)
    words = card.words
    if name in words[3:-1]:  # bf 100, without a sign
        at = words.index(name, 3)
        return replace(card, words=(*words[: at + 1], value, *words[at + 2 :]))
    return replace(card, words=words, pairs=(*kept, (name, value)))
