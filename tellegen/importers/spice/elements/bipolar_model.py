"""What the card of a bipolar model says beside the parameters of a component: its level and its substrate.

.model qn npn(cjs=2p vjs=0.8 mjs=0.3)     a depletion layer between the substrate and the inner collector

The substrate is a junction of its own, which carries no current, and the resistance of the collector before it too. Of
a PNP transistor it is at the base, as in ngspice.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from tellegen.importers.spice.elements.temperature import warmed
from tellegen.importers.spice.netlist.sheet import Sheet
from tellegen.importers.spice.netlist.words import Card
from tellegen.library import electrical as el

OTHERS = ("level", "ptf", "cjs", "vjs", "mjs")
"""Parameters of a card that are used here."""

NAMES = {"ccs": "cjs", "csub": "cjs", "ps": "vjs", "psub": "vjs", "ms": "mjs", "esub": "mjs", "nkf": "nk"}
"""Other names of them."""

_PLAIN: dict[str, Any] = {"npn": el.NPN, "pnp": el.PNP}
_DELAYED: dict[str, Any] = {"npn": el.DelayedNPN, "pnp": el.DelayedPNP}
_JUNCTIONS = "qdc"  # first letters of elements through which no direct current need flow
_POTENTIAL = 0.75  # V, where vjs is not given
_NO_CURRENT = {"Is": 0.0, "N": 1e6, "Fc": 0.0}  # from 0 V on the capacitance continues straight


def class_of(kind: str, numbers: Mapping[str, float]) -> Any:
    """The component for a card with these numbers."""
    return (_DELAYED if numbers.get("ptf") and numbers.get("tf") else _PLAIN)[kind]


def put_substrate(
    sheet: Sheet, card: Card, ends: tuple[str, str], layer: dict[str, float], measured: float, own: float
) -> None:
    """The depletion layer between the substrate and another node; its numbers are `measured` at another temperature."""
    numbers = {**layer, **warmed(el.Diode, layer, measured, own), **_NO_CURRENT}
    make = partial(el.Diode, **numbers, T=own + 273.15, Gmin=sheet.settings.gmin)
    sheet.put(f"{card.name}_substrate", make, card.location, p=ends[0], n=ends[1])


def leak_to_substrates(sheet: Sheet, ports: Mapping[str, str]) -> None:
    """Gmin from the substrate, as ngspice has it, where nothing else determines the potential of a node.

    Such a node is at junctions and capacitors alone; anywhere else a current of 1e-12 A is not seen.
    """
    for card, substrate, node in sheet.leaking:
        if node not in ports and all(part[0] in _JUNCTIONS for part, _, _ in sheet.wires[node]):
            make = partial(el.Resistor, R=1.0 / sheet.settings.gmin)
            sheet.put(f"{card.name}_leak", make, card.location, p=substrate, n=node)


def depletion_layer(others: dict[str, float], area: float) -> dict[str, float]:
    """The numbers of the substrate's junction."""
    return {
        "Cjo": others["cjs"] * area,
        "Vj": others.get("vjs", _POTENTIAL),
        "M": others.get("mjs", 0.0),
    }
