"""Models of R, L and C: `.model thin R(rsh=100 defw=2u tc1=1m)`, amounts from sizes and what temperature does to them.

The formulas are those of ngspice 39: a resistor is (l - 2 short) / (w - 2 narrow) squares long, a capacitor has an area
and an edge. (defl of capacitors counts here, as its manual says; ngspice itself takes 0.)
"""

from __future__ import annotations

from dataclasses import dataclass

from tellegen.importers.spice.netlist.sheet import Element, Sheet

_TYPES = {"r": ("r", "res"), "l": ("l", "ind"), "c": ("c", "cap")}
_AMOUNTS = {"r": ("r", "res"), "l": ("l", "ind"), "c": ("c", "cap")}
_SIZE = 10e-6  # m, of what has none
_VACUUM = 8.854214871e-12  # F/m, the digits of ngspice
_OXIDE = 3.9


@dataclass(frozen=True)
class PassiveModel:
    """What a .model says of one element: how much, and by how much more for each degree."""

    amount: float | None = None
    tc1: float = 0.0
    tc2: float = 0.0
    tce: float | None = None  # percent for each degree
    nominal: float | None = None  # degrees Celsius


def passive_model(element: Element, word: str, letter: str) -> PassiveModel:
    """The model of this name, for an element with its sizes."""
    card, where = element.sheet.scope.model(word, element.card)
    if card.words[2] not in _TYPES[letter]:
        raise element.wrong(
            f"the model '{word}' is of type {card.words[2].upper()}, not {letter.upper()}",
            f"define it: .model {word} {letter.upper()}({letter}=1 tc1=0)",
        )
    model = Element(Sheet(where, element.sheet.settings), card)
    model.left = model.left[2:]
    given = _first(model, *_AMOUNTS[letter])
    if letter == "r":
        given = _of_squares(element, model, given)
    elif letter == "c":
        given = _of_plates(element, model, given)
    found = PassiveModel(
        given,
        _first(model, "tc1", "tc1r") or 0.0,
        _first(model, "tc2", "tc2r") or 0.0,
        _first(model, "tce"),
        _first(model, "tnom"),
    )
    model.done()
    return found


def _first(element: Element, *names: str) -> float | None:
    """The value by one of these names; all of them are taken."""
    values = [element.pair(name) for name in names if name in element.pairs]
    return values[0] if values else None


def _of_squares(element: Element, model: Element, given: float | None) -> float | None:
    """rsh times the squares of a strip, where there is rsh."""
    sheet = model.pair("rsh")
    narrow = _first(model, "narrow", "dw") or 0.0
    short = _first(model, "short", "dlr") or 0.0
    usual = _first(model, "defw", "w")
    width = element.pair("w", _SIZE if usual is None else usual)
    length = element.pair("l", model.pair("l", _SIZE))
    if not length * width * sheet > 0.0:
        return given
    if not width > 2.0 * narrow:
        raise element.wrong(f"'{element.name}' is {width:g} m wide, of which 2 x {narrow:g} m are lost", "give it w=")
    return (length - 2.0 * short) / (width - 2.0 * narrow) * sheet


def _of_plates(element: Element, model: Element, given: float | None) -> float | None:
    """cj of the area and cjsw of the edge, where the model gives no capacitance itself."""
    oxide = _first(model, "di")
    thick = model.pair("thick")
    area = _first(model, "cj", "cox")
    edge = _first(model, "cjsw", "capsw")
    lost = 2.0 * model.pair("del")
    narrow = model.pair("narrow", lost)
    short = model.pair("short", lost)
    usual = _first(model, "defw", "w")
    width = element.pair("w", _SIZE if usual is None else usual) - narrow
    length = element.pair("l", _first(model, "defl", "l") or 0.0) - short
    if area is None and thick > 0.0:
        area = _VACUUM * (_OXIDE if oxide is None else oxide) / thick
    if given is not None or (area is None and edge is None):
        return given
    return (area or 0.0) * width * length + (edge or 0.0) * 2.0 * (width + length)
