"""M with a BSIM4 model (levels 14 and 54): `M1 d g s b nm w=1u l=0.1u [nf=2] [ad=..] [as=..] [pd=..] [ps=..]`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import tellegen as tg
from tellegen.errors import NetlistError
from tellegen.importers.spice.elements.mos.bsim4_card import Bsim4Card
from tellegen.importers.spice.elements.mos.bsim4_numbers import Place, numbers
from tellegen.importers.spice.netlist.sheet import Element
from tellegen.library import electrical as el

_LEVELS = (14.0, 54.0)
_AREAS = {"ad": 2, "as": 2, "pd": 1, "ps": 1}  # and their powers of a length
_KELVIN = 273.15


def is_card(element: Element, name: str) -> bool:
    """Whether a model is one of BSIM4."""
    card, scope = element.sheet.scope.model(name, element.card)
    level = next((text for key, text in card.pairs if key == "level"), "1")
    return card.words[2] in ("nmos", "pmos") and scope.value(level, card.location) in _LEVELS


def put(element: Element, name: str, nodes: tuple[str, ...]) -> None:
    """Add a transistor to the sheet."""
    sheet = element.sheet
    card, scope = sheet.scope.model(name, element.card)
    given = {key: scope.value(text, card.location) for key, text in card.pairs if key != "version"}  # 4.6.1
    measured = given.pop("tnom", sheet.settings.nominal_temperature)
    model = Bsim4Card(given, 1.0 if card.words[2] == "nmos" else -1.0)
    strange = {key: value for key, value in model.strange().items() if key not in sheet.settings.left_out}
    if strange:
        shown = ", ".join(f"{key.upper()} = {value:g}" for key, value in strange.items())
        raise NetlistError(
            "E507",
            f"BSIM4 has no effect for {shown} of the model '{name}'",
            location=card.location,
            advice=f"to ignore it: tg.read_spice(..., leave_out={list(strange)})",
        )
    note_unknown(element, name, model)
    scale = sheet.settings.scale
    at = Place(
        L=element.pair("l", 5e-6) * scale,
        W=element.pair("w", 5e-6) * scale,
        nf=element.pair("nf", 1.0),
        count=element.count(),
        T=element.temperature() + _KELVIN,
        measured=measured + _KELVIN,
        given={key: element.pair(key) * scale**power for key, power in _AREAS.items() if key in element.pairs},
    )
    for key in ("nrd", "nrs"):
        if element.pair(key) and given.get("rsh"):
            raise element.wrong(f"{key}= of '{element.name}' with rsh= is not understood", "add a resistor")
    for _ in range(3):
        element.pairs.pop("ic", None)
    element.take("off")
    element.done()
    if not at.count:
        sheet.leave_out(element.card, *nodes)
        return
    cls = el.BSIM4NMOS if model.sign > 0.0 else el.BSIM4PMOS
    found = {**numbers(model, at), "Gmin": sheet.settings.gmin}
    sheet.noiseless.append(element.name)
    d, g, s, b = nodes
    sheet.put(element.name, _made(element, cls, found, nodes), element.location, D=d, G=g, S=s, B=b)


def note_unknown(element: Element, name: str, model: Bsim4Card) -> None:
    """Say which parameters of a model its law does not have, once."""
    unknown = model.unknown()
    text = f"the law of the model '{name}' has no {', '.join(unknown)}: ignored, as in ngspice"
    if unknown and not any(text in note for note in element.sheet.notes):
        element.sheet.note(element.card, text)


def _made(element: Element, cls: Any, found: dict[str, float], nodes: tuple[str, ...]) -> Callable[[], Any]:
    """The component; with `uic` its voltages begin with those of .ic."""
    settings = element.sheet.settings
    if not (settings.uic and settings.ic):
        return partial(cls, **found)
    d, g, s, b = nodes
    ends = {"v_gs": (g, s), "v_ds": (d, s), "v_bs": (b, s), "v_js": (b, s), "v_jd": (b, d)}
    begin = {name: cls.SIGN * element.sheet.start_voltage(*pair) for name, pair in ends.items()}
    return lambda: cls(**found, **{name: tg.variable(start=volts) for name, volts in begin.items()})
