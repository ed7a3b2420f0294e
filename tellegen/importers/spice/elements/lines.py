"""Transmission lines: T."""

from __future__ import annotations

from functools import partial

from tellegen.importers.spice.netlist.sheet import Element, Sheet
from tellegen.importers.spice.netlist.words import Card
from tellegen.library import electrical as el

_QUARTER = 0.25  # of a wave length, where nl is not given


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
