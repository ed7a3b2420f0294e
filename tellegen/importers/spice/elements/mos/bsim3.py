"""M with a BSIM3 model (levels 8 and 49): `M1 d g s b nm w=1u l=0.25u [ad=..] [as=..] [pd=..] [nrd=..] ...`.

Versions: 3.2 and 3.3 are one here; what 3.1 differs in is in bsim3_numbers.py; 3.0 is rejected.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import tellegen as tg
from tellegen.errors import NetlistError
from tellegen.importers.spice.elements.mos.bsim3_numbers import Bsim3Card, Place, numbers
from tellegen.importers.spice.elements.mos.bsim4 import note_unknown
from tellegen.importers.spice.netlist.sheet import Element
from tellegen.library import electrical as el

_LEVELS = (8.0, 49.0)
_AREAS = {"ad": 2, "as": 2, "pd": 1, "ps": 1}  # and their powers of a length
_KELVIN = 273.15


def is_card(element: Element, name: str) -> bool:
    """Whether a model is one of BSIM3."""
    card, scope = element.sheet.scope.model(name, element.card)
    level = next((text for key, text in card.pairs if key == "level"), "1")
    return card.words[2] in ("nmos", "pmos") and scope.value(level, card.location) in _LEVELS


def put(element: Element, name: str, nodes: tuple[str, ...]) -> None:
    """Add a transistor, and the resistances of its source and drain, to the sheet."""
    sheet = element.sheet
    card, scope = sheet.scope.model(name, element.card)
    version = next((text for key, text in card.pairs if key == "version"), "3.3").strip("{}")
    given = {key: scope.value(text, card.location) for key, text in card.pairs if key != "version"}
    measured = given.pop("tnom", sheet.settings.nominal_temperature)
    given.pop("t_measured", None)
    if version.startswith("3.0"):
        what = f"the model '{name}' is of BSIM3 version {version}, whose charges are not known here"
        raise NetlistError("E507", what, location=card.location, advice="use version 3.1, 3.2 or 3.3")
    model = Bsim3Card(given, 1.0 if card.words[2] == "nmos" else -1.0, version.startswith("3.1"))
    strange = {key: value for key, value in model.strange().items() if key not in sheet.settings.left_out}
    if strange:
        shown = ", ".join(f"{key.upper()} = {value:g}" for key, value in strange.items())
        raise NetlistError(
            "E507",
            f"BSIM3 has no effect for {shown} of the model '{name}'",
            location=card.location,
            advice=f"to ignore it: tg.read_spice(..., leave_out={list(strange)})",
        )
    note_unknown(element, name, model)
    sizes = {**{"L": 5e-6, "W": 5e-6}, **dict(sheet.settings.mosfet)}
    scale = sheet.settings.scale
    at = Place(
        L=element.pair("l", sizes["L"] / scale) * scale,
        W=element.pair("w", sizes["W"] / scale) * scale,
        count=element.count(),
        T=element.temperature() + _KELVIN,
        measured=measured + _KELVIN,
        given={key: element.pair(key) * scale**power for key, power in _AREAS.items() if key in element.pairs},
    )
    squares = {end: element.pair(f"nr{end}", 1.0) for end in "ds"}
    element.pairs.pop("ic", None)
    element.pairs.pop("geo", None)
    element.take("off")
    element.done()
    if not at.count:
        sheet.leave_out(element.card, *nodes)
        return
    cls = el.BSIM3NMOS if model.sign > 0.0 else el.BSIM3PMOS
    found = {**numbers(model, at), "Gmin": sheet.settings.gmin}
    sheet.noiseless.append(element.name)
    d, g, s, b = nodes
    d = _after_resistor(element, "d", d, given.get("rsh", 0.0) * squares["d"] / at.count)
    s = _after_resistor(element, "s", s, given.get("rsh", 0.0) * squares["s"] / at.count)
    sheet.put(element.name, _made(element, cls, found, (d, g, s, b)), element.location, D=d, G=g, S=s, B=b)


def _after_resistor(element: Element, end: str, node: str, resistance: float) -> str:
    """The node inside of the resistance of source or drain."""
    if not resistance:
        return node
    inner = f"{element.name}.{end}"
    make = partial(el.Resistor, R=resistance)
    element.sheet.put(f"{element.name}_r{end}", make, element.location, p=node, n=inner)
    return inner


def _made(element: Element, cls: Any, found: dict[str, float], nodes: tuple[str, ...]) -> Any:
    """The component; with `uic` its voltages begin with those of .ic."""
    settings = element.sheet.settings
    if not (settings.uic and settings.ic):
        return partial(cls, **found)
    d, g, s, b = nodes
    ends = {"v_gs": (g, s), "v_ds": (d, s), "v_bs": (b, s), "v_js": (b, s), "v_jd": (b, d)}
    begin = {name: cls.SIGN * element.sheet.start_voltage(*pair) for name, pair in ends.items()}
    return lambda: cls(**found, **{name: tg.variable(start=volts) for name, volts in begin.items()})
