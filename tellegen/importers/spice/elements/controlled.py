"""E, F, G, H and B: sources that voltages and currents elsewhere control.

E1 p n cp cn 10                 linear
E1 p n POLY(2) a 0 b 0 0 1 2    a polynomial of several controls
E1 p n VALUE={2*v(a)*v(b)}      any expression; B1 p n v=..., B1 p n i=... [tc1=1m] as well
E1 p n TABLE {v(a)} = (0,0) (1,5)   straight lines over an expression, level beyond them
F1 p n vsense 10                controlled by the current of the voltage source vsense
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from tellegen.errors import NetlistError
from tellegen.importers.spice.elements.parts import ArbitraryCurrent, ArbitraryResistance, ArbitraryVoltage
from tellegen.importers.spice.netlist import expression
from tellegen.importers.spice.netlist.expression import ExpressionError, Tree
from tellegen.importers.spice.netlist.sheet import GROUND, Element, Sheet
from tellegen.importers.spice.netlist.words import Card
from tellegen.library import electrical as el

_LINEAR: dict[str, tuple[Any, str]] = {
    "e": (el.VCV, "gain"),
    "g": (el.VCC, "trans_conductance"),
    "f": (el.CCC, "gain"),
    "h": (el.CCV, "trans_resistance"),
}
_POLYNOMIAL: dict[str, Any] = {
    "e": el.PolynomialVCV,
    "g": el.PolynomialVCC,
    "f": el.PolynomialCCC,
    "h": el.PolynomialCCV,
}
_BRACES = str.maketrans("{}", "()")
_TABLE = re.compile(r"\btable\s*(\{[^{}]*\}|'[^']*')\s*=?\s*(.+)$")
_AFTER_LAW = re.compile(r"\s(tc1|tc2|temp|dtemp)\s*=\s*(\{[^{}]*\}|\S+)")
_LAW = re.compile(r"\b(v|i|value|vol|cur)\s*=(?!=)(.*)$")
_OF_SIGNALS = re.compile(r"\b[vi]\s*\(|\btime\b")
_VALUE = re.compile(r"\b(value)\s*(\{.*)$")  # as above, with the sign left out


def controlled(sheet: Sheet, card: Card) -> None:
    """E, F, G or H."""
    letter = card.name[0]
    match = _LAW.search(card.line.text) or _VALUE.search(card.line.text)
    if letter in "eg" and match and match[1] in ("value", "vol", "cur"):
        _arbitrary(sheet, card, letter == "e", match[2])
        return
    if letter in "eg" and (table := _TABLE.search(card.line.text)):
        points = ",".join(re.findall(r"[^\s(),]+", table[2]))
        _arbitrary(sheet, card, letter == "e", f"table({table[1].strip().translate(_BRACES)},{points})")
        return
    element = Element(sheet, card)
    p, n = element.nodes(2)
    if element.left[:1] == ["poly"]:
        _polynomial(sheet, element, p, n)
        return
    cls, gain = _LINEAR[letter]
    control = element.nodes(2) if letter in "eg" else [str(element.word())]
    numbers = {gain: element.value("gain") * _parallel(element, letter)}
    element.done()
    sheet.put(card.name, partial(cls, **numbers), card.location, p2=p, n2=n)
    if letter in "eg":
        sheet.wire(card.name, p1=control[0], n1=control[1])
    else:
        sheet.sense(card, control[0], (card.name, "p1", None), (card.name, "n1", None))


def _parallel(element: Element, letter: str) -> float:
    """How many sources of current there are for each control; a current that controls is as many times as large."""
    if letter == "g":
        return element.count()
    if letter == "f":
        return element.pair("m", 1.0)
    return 1.0 if letter == "e" else 1.0 / element.sheet.settings.count


def _polynomial(sheet: Sheet, element: Element, p: str, n: str) -> None:
    letter = element.name[0]
    element.word()
    count = int(element.value("number of controls"))
    pairs = [element.nodes(2) if letter in "eg" else [str(element.word())] for _ in range(count)]
    coefficients = element.numbers()
    element.done()
    if letter != "e":
        element.single()
    if not coefficients:
        raise element.wrong(f"POLY of '{element.name}' has no coefficients", "E1 p n POLY(2) a 0 b 0 0 1 1")
    make = partial(_POLYNOMIAL[letter], N=count, coefficients=coefficients)
    sheet.put(element.name, make, element.location, p=p, n=n)
    for k, control in enumerate(pairs):
        if letter in "eg":
            sheet.wire(element.name, **{f"p1_{k}": control[0], f"n1_{k}": control[1]})
        else:
            sheet.sense(element.card, control[0], (element.name, "p1", k), (element.name, "n1", k))


def arbitrary(sheet: Sheet, card: Card) -> None:
    """`B1 p n v={...}` or `i={...}`."""
    match = _LAW.search(card.line.text)
    if match is None or match[1] not in "vi":
        raise NetlistError(
            "E506",
            f"'{card.name}' has no equation",
            location=card.location,
            advice="write B1 p n v={2*v(a)} or i={...}",
        )
    _arbitrary(sheet, card, match[1] == "v", _at_temperature(sheet, card, match[2]))


def _at_temperature(sheet: Sheet, card: Card, law: str) -> str:
    """An expression times 1 + tc1 dT + tc2 dT^2, where such pairs follow it."""
    found = _AFTER_LAW.findall(law)
    if not found:
        return law
    element = Element(sheet, card)
    element.pairs = dict(found)
    warmer = element.temperature() - sheet.settings.nominal_temperature
    factor = 1.0 + element.pair("tc1") * warmer + element.pair("tc2") * warmer**2
    return f"({_AFTER_LAW.sub('', law)}) * {factor!r}"


def law_of_voltage(sheet: Sheet, card: Card, text: str) -> None:
    """A voltage between the nodes of a card that follows an expression."""
    _arbitrary(sheet, card, True, text)


def law_of_value(card: Card, name: str) -> str | None:
    """The value of R or C where it is an expression of voltages, currents or time."""
    text = card.given.get(name, card.words[3] if len(card.words) > 3 else "")
    return text if text.startswith("{") and _OF_SIGNALS.search(text) else None


def passive(sheet: Sheet, card: Card, cls: Any, text: str) -> None:
    """R or C whose value is an expression; of so many in parallel, at its temperature."""
    element = Element(sheet, card)
    warmer = element.temperature() - sheet.settings.nominal_temperature
    factor = 1.0 + element.pair("tc1") * warmer + element.pair("tc2") * warmer**2
    count = element.count()
    if not count:
        sheet.leave_out(card, *element.nodes(2))
        return
    factor = factor / count if cls is ArbitraryResistance else factor * count
    _put(sheet, card, partial(cls, factor=factor), text)


def _arbitrary(sheet: Sheet, card: Card, voltage: bool, text: str) -> None:
    law = _put(sheet, card, ArbitraryVoltage if voltage else ArbitraryCurrent, text)
    if not voltage or any(kind == "i" for kind, *_ in law.controls):
        Element(sheet, card).single()


def _put(sheet: Sheet, card: Card, make: Any, text: str) -> _Law:
    """A part with a law of its own; `make` takes the law."""
    element = Element(sheet, card)
    p, n = element.nodes(2)
    law = _Law(sheet, card)
    try:
        tree = law.known(expression.parse(re.sub(r"['\"]", "", text.strip()).translate(_BRACES)))
    except ExpressionError as error:
        raise NetlistError(
            "E504",
            f"'{text.strip()}' is not understood: {error}",
            location=card.location,
            advice="expressions consist of v(node), v(a,b), i(vsource), time, names of .param and functions",
        ) from None
    numbers: dict[str, Any] = {"law": tree, "kinds": tuple(key[0] for key in law.controls), "N": len(law.controls)}
    sheet.put(card.name, partial(make, **numbers), card.location, p=p, n=n)
    for k, (kind, *names) in enumerate(law.controls):
        if kind == "v":
            sheet.wire(card.name, **{f"pc_{k}": names[0], f"nc_{k}": names[1]})
        else:
            sheet.sense(card, names[0], (card.name, "pc", k), (card.name, "nc", k))
    return law


class _Law:
    """An expression in which parameters are numbers and controls have numbers of their own."""

    def __init__(self, sheet: Sheet, card: Card) -> None:
        self.sheet = sheet
        self.card = card
        self.controls: list[tuple[str, ...]] = []

    def known(self, tree: Tree) -> Tree:
        """The tree with numbers for parameters and `#0`, `#1`, ... for controls."""
        if not isinstance(tree, tuple):
            return tree
        operation, *parts = tree
        if operation == "name":
            return tree if parts[0] == "time" else self.sheet.scope.value(parts[0], self.card.location)
        if operation == "call" and parts[0] in ("v", "i"):
            return ("name", f"#{self._control(*parts)}")
        if operation == "call":
            return ("call", parts[0], *(self.known(part) for part in parts[1:]))
        return (operation, *(self.known(part) for part in parts))

    def _control(self, kind: str, *names: str) -> int:
        nodes = tuple("0" if name in GROUND else name for name in names)
        key = (kind, *nodes, "0") if kind == "v" and len(nodes) == 1 else (kind, *nodes)
        if len(key) != (3 if kind == "v" else 2):
            raise ExpressionError(f"{kind}({','.join(names)}) has the wrong number of names")
        if key not in self.controls:
            self.controls.append(key)
        return self.controls.index(key)
