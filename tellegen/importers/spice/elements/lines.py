"""Transmission lines: T without losses, O and Y with a resistance, U of resistance and capacitance."""

from __future__ import annotations

from functools import partial
from math import log, pi, sqrt
from typing import Any

from tellegen.errors import NetlistError
from tellegen.importers.spice.netlist.sheet import Element, Sheet
from tellegen.importers.spice.netlist.words import Card
from tellegen.library import electrical as el

_QUARTER = 0.25  # of a wave length, where nl is not given
_PIECES = 32  # of a line with a resistance: errors of 0.1 % of a step
_MOST = 60.0  # resistance of a line over its impedance, up to which so many are enough
_SEGMENTS = 60  # of a line of resistance and capacitance
_LEAST = 1e-9  # resistance over impedance below which there is none
_NUMERIC = {
    "rel",
    "abs",
    "compactrel",
    "compactabs",
    "nocontrol",
    "steplimit",
    "nosteplimit",
    "lininterp",
    "quadinterp",
}
_NUMERIC |= {"mixedinterp", "truncnr", "truncdontcut", "nl", "f"}
"""What the methods of a simulator need, and what has no effect there either."""


def line(sheet: Sheet, card: Card) -> None:
    """`T1 a b c d z0=50 td=1n`, or by a frequency and the length in waves: `f=1g nl=0.25`."""
    element = Element(sheet, card)
    p1, n1, p2, n2 = element.nodes(4)
    impedance = element.pair("z0") if "z0" in element.pairs else element.pair("zo")
    delay = element.pair("td")
    frequency = element.pair("f")
    length = element.pair("nl", _QUARTER)
    if "ic" in element.pairs:
        raise element.wrong(f"'ic' of '{card.name}' is not supported", "give .ic to the nodes at its ends")
    element.done()
    element.single()
    delay = delay or (length / frequency if frequency else 0.0)
    if not (impedance > 0.0 and delay > 0.0):
        raise element.wrong(f"'{card.name}' needs an impedance and a delay", "write z0=50 td=1n, or z0=50 f=1g nl=0.25")
    sheet.put(card.name, partial(el.TLine, Z0=impedance, TD=delay), card.location, p1=p1, n1=n1, p2=p2, n2=n2)


def lossy_line(sheet: Sheet, card: Card) -> None:
    """`O1 a b c d model` with `.model model ltra(r=.. l=.. c=.. len=..)`."""
    element = Element(sheet, card)
    nodes = element.nodes(4)
    numbers = _model(element, "ltra", ("r", "l", "g", "c", "len"))
    element.done()
    element.single()
    _put(element, nodes, numbers, numbers.get("len", 1.0))


def single_line(sheet: Sheet, card: Card) -> None:
    """`Y1 a 0 c 0 model [len=..]` with `.model model txl(r=.. l=.. c=.. length=..)`."""
    element = Element(sheet, card)
    nodes = element.nodes(4)
    numbers = _model(element, "txl", ("r", "l", "g", "c", "length"))
    length = element.pair("len", numbers.get("length", 1.0))
    element.done()
    element.single()
    _put(element, nodes, numbers, length)


def _model(element: Element, kind: str, known: tuple[str, ...]) -> dict[str, float]:
    """The numbers of the .model of a line."""
    name = element.word()
    if name is None:
        raise element.wrong(f"'{element.name}' has no model", f".model line {kind}(...)")
    card, scope = element.sheet.scope.model(name, element.card)
    if card.words[2] != kind:
        what = f"the model '{name}' of '{element.name}' is of the type {card.words[2].upper()}, not {kind.upper()}"
        raise NetlistError("E505", what, location=card.location, details=[f"used at {element.location}"])
    strange = [word for word in (*card.words[3:], *card.given) if word not in known and word not in _NUMERIC]
    if strange:
        what = f"{kind.upper()} has no effect for {strange[0].upper()} of the model '{name}'"
        raise NetlistError("E507", what, location=card.location, advice=f"it has {', '.join(known)}")
    return {key: scope.value(text, card.location) for key, text in card.pairs if key in known}


def _put(element: Element, nodes: list[str], numbers: dict[str, float], length: float) -> None:
    """The line that these numbers of a metre and the length make."""
    r, l, g, c = (numbers.get(key, 0.0) * length for key in "rlgc")  # noqa: E741
    p1, n1, p2, n2 = nodes
    make: Any = None
    if length > 0.0 and l > 0.0 and c > 0.0 and g == 0.0:
        impedance = sqrt(l / c)
        waves = {"Z0": impedance, "TD": sqrt(l * c)}
        if r <= _LEAST * impedance:
            make = partial(el.TLine, **waves)
        elif r <= _MOST * impedance:
            make = partial(el.LossyTLine, **waves, R=r, N=_PIECES)
    elif length > 0.0 and r > 0.0 and c > 0.0 and l == g == 0.0 and n1 == n2:
        make = partial(el.ULine, r=r, c=c, length=1.0, N=_SEGMENTS)
        element.sheet.put(element.name, make, element.location)
        for pin, node in (("p1", p1), ("p2", p2), ("p3", n1)):
            element.sheet.wire(element.name, **{pin: node})
        return
    if make is None:
        what = f"a line with r={r:g}, l={l:g}, g={g:g}, c={c:g} in all is not understood"
        advice = f"it needs l and c, with a resistance up to {_MOST:g} sqrt(l/c), or r and c alone with one reference"
        raise element.wrong(f"'{element.name}': {what}", advice)
    element.sheet.put(element.name, make, element.location, p1=p1, n1=n1, p2=p2, n2=n2)


def distributed_rc(sheet: Sheet, card: Card) -> None:
    """`U1 a b reference model l=50u [n=6]`: lumps that grow from both ends to the middle, as SPICE makes them."""
    element = Element(sheet, card)
    left, right, reference = element.nodes(3)
    numbers = _model(element, "urc", ("k", "fmax", "rperl", "cperl"))
    length = element.pair("l")
    given = element.pair("n")
    element.done()
    element.single()
    growth = numbers.get("k", 1.5)
    resistance = numbers.get("rperl", 1000.0) * length
    capacitance = numbers.get("cperl", 1e-12) * length
    if not (growth > 1.0 and resistance > 0.0 and capacitance > 0.0):
        raise element.wrong(f"'{card.name}' needs l=, and k above 1 in its model", "u1 a b 0 m l=50u")
    lumps = int(given) or _lumps(growth, numbers.get("fmax", 1e9) * resistance * capacitance)
    r = resistance * (growth - 1.0) / (2.0 * growth**lumps - 2.0)
    c = capacitance * (growth - 1.0) / (growth ** (lumps - 1) * (growth + 1.0) - 2.0)
    for k in range(lumps):
        middle = f"{card.name}.m" if k == lumps - 1 else ""
        ends = [(side, node, middle or f"{card.name}.{side}{k}") for side, node in (("lo", left), ("hi", right))]
        for side, node, inner in ends:
            make = partial(el.Resistor, R=r * growth**k, T_ref=sheet.settings.temperature + 273.15)
            sheet.put(f"{card.name}_r{side}{k + 1}", make, card.location, p=node, n=inner)
        for side, _, inner in ends[: 1 if middle else 2]:
            make = partial(el.Capacitor, C=c * growth**k)
            sheet.put(f"{card.name}_c{side}{k + 1}", make, card.location, p=inner, n=reference)
        left, right = (inner for _, _, inner in ends)


def _lumps(growth: float, product: float) -> int:
    """How many lumps carry a frequency, from its product with resistance and capacitance."""
    wide = 2.0 * pi * product
    if wide < _WIDE:
        return _FEWEST
    return int(max(float(_FEWEST), log(wide * ((growth - 1.0) / growth) ** 2) / log(growth)))


_WIDE = 35.0
_FEWEST = 3
