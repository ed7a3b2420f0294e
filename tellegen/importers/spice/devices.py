"""Elements with a .model: diodes, transistors and switches.

The parameters of a model card are those of the component of the same name, in whatever case. What the card sets and the
component does not know is an error, unless it has no effect in a run over time (noise) or is given its neutral value.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import tellegen as tg
from tellegen.errors import NetlistError, nearest
from tellegen.importers.spice.sheet import Element, Sheet
from tellegen.importers.spice.words import Card
from tellegen.library import electrical as el

_TYPES: dict[str, dict[str, Any]] = {
    "d": {"d": el.Diode},
    "q": {"npn": el.NPN, "pnp": el.PNP},
    "m": {"nmos": el.NMOS, "pmos": el.PMOS},
    "s": {"sw": el.VoltageControlledSwitch, "vswitch": el.SmoothSwitch},
    "w": {"csw": el.CurrentControlledSwitch},
}
_NO_EFFECT = {"kf", "af", "ef", "tnom", "tref", "mfg", "type", "vceo", "icrating", "vpk", "iave"}
_OTHER_NAMES = {"cj0": "cjo", "uo": "u0", "va": "vaf", "ik": "ikf", "vb": "var", "c2": "ise", "c4": "isc", "pe": "vje"}


def model_numbers(element: Element, name: str) -> tuple[str, Any, dict[str, float]]:
    """Type, class and parameters of a model, as the class names them."""
    card, scope = element.sheet.scope.model(name, element.card)
    kind = card.words[2]
    letter = element.name[0]
    if kind not in _TYPES[letter]:
        raise NetlistError(
            "E505",
            f"the model '{name}' of '{element.name}' is of the type {kind.upper()}",
            location=card.location,
            details=[f"used at {element.location}"],
            advice=f"elements with {letter.upper()} need a model of the type "
            f"{' or '.join(known.upper() for known in _TYPES[letter])}",
        )
    cls = _TYPES[letter][kind]
    known = {own.lower(): own for own in cls._info.parameters}
    numbers: dict[str, float] = {}
    strange: dict[str, float] = {}
    for key, text in card.pairs:
        value = scope.value(text, card.location)
        own = known.get(_OTHER_NAMES.get(key, key) if key not in known else key)
        if own is not None:
            numbers[own] = value
        elif key not in _NO_EFFECT and value != _NEUTRAL.get(key) and (key, value) != ("level", 1.0):
            strange[key] = value
    strange = {key: value for key, value in strange.items() if key not in element.sheet.settings.left_out}
    if strange:
        raise _without_effect(card, cls, strange)
    _refuse_words(card)
    return kind, cls, numbers


def _without_effect(card: Card, cls: Any, strange: dict[str, float]) -> NetlistError:
    """E507 for all parameters of a card that the component does not have."""
    shown = ", ".join(f"{key.upper()} = {value:g}" for key, value in strange.items())
    first = next(iter(strange))
    close = nearest(first, [own.lower() for own in cls._info.parameters])
    return NetlistError(
        "E507",
        f"{cls.__name__} has no effect for {shown} of the model '{card.words[1]}' ({card.words[2].upper()})",
        location=card.location,
        advice=f"to ignore it: tg.read_spice(..., leave_out={list(strange)})"
        + (f"; {close}" if len(strange) == 1 and close.startswith("perhaps") else ""),
    )


_NEUTRAL: dict[str, float] = dict.fromkeys(
    ("xtf", "itf", "vtf", "ptf", "rbm", "irb", "cjs", "nsub", "nss", "isr", "ikf", "trs1"), 0.0
)


def _refuse_words(card: Card) -> None:
    if len(card.words) > 3:
        raise NetlistError(
            "E506",
            f"'{' '.join(card.words[3:])}' of the model '{card.words[1]}' is not understood",
            location=card.location,
            advice="parameters of a model are written name=value",
        )


def _semiconductor(
    element: Element, cls: Any, numbers: dict[str, float], starts: dict[str, tuple[str, str]]
) -> Callable[[], Any]:
    """A semiconductor at the temperature for which its parameters hold; with `uic` its voltages are those of .ic."""
    settings = element.sheet.settings
    if settings.warmer:
        raise NetlistError(
            "E507",
            f"'{element.name}' is at {settings.temperature:g} degC, but its parameters are valid at "
            f"{settings.nominal_temperature:g} degC, and they are not converted",
            location=element.location,
            advice=".options temp and tnom must be the same where there are semiconductors",
        )
    common = {"T": settings.temperature + 273.15, "Gmin": settings.gmin}
    if not (settings.uic and settings.ic):
        return partial(cls, **{**common, **numbers})
    sign = getattr(cls, "SIGN", 1.0)
    begin = {name: sign * element.sheet.start_voltage(p, n) for name, (p, n) in starts.items()}
    return lambda: cls(**common, **numbers, **{name: tg.variable(start=volts) for name, volts in begin.items()})


def diode(sheet: Sheet, card: Card) -> None:
    """`D1 anode cathode model [area]`."""
    element = Element(sheet, card)
    p, n = element.nodes(2)
    _, cls, numbers = model_numbers(element, _model_name(element))
    area = _area(element)
    for name in ("Is", "Isr", "Ikf", "Cjo", "Ibv"):
        _scale(cls, numbers, name, area)
    _scale(cls, numbers, "Rs", 1.0 / area)
    element.done()
    sheet.put(card.name, _semiconductor(element, cls, numbers, {"v_j": (p, n)}), card.location, p=p, n=n)


def bipolar(sheet: Sheet, card: Card) -> None:
    """`Q1 collector base emitter [substrate] model [area]`."""
    element = Element(sheet, card)
    c, b, e = element.nodes(3)
    if len(element.left) > 1 and element.left[0] not in sheet.scope.all_models():
        element.nodes(1)  # the substrate carries no current: a capacitance to it (cjs) is rejected in the model
    _, cls, numbers = model_numbers(element, _model_name(element))
    area = _area(element)
    for name in ("Is", "Ise", "Isc", "Ikf", "Ikr", "Itf", "Cje", "Cjc"):
        _scale(cls, numbers, name, area)
    for name in ("Rb", "Rbm", "Re", "Rc"):
        _scale(cls, numbers, name, 1.0 / area)
    element.done()
    starts = {"v_be": (b, e), "v_bc": (b, c)}
    sheet.put(card.name, _semiconductor(element, cls, numbers, starts), card.location, C=c, B=b, E=e)


def mosfet(sheet: Sheet, card: Card) -> None:
    """`M1 drain gate source bulk model [w=10u] [l=1u] ...`."""
    element = Element(sheet, card)
    d, g, s, b = element.nodes(4)
    _, cls, numbers = model_numbers(element, _model_name(element))
    known = {own.lower(): own for own in cls._info.parameters}
    multiplier = element.pair("m", 1.0)
    for key in [key for key in element.pairs if key in known]:
        numbers[known[key]] = element.pair(key)
    element.take("off")
    element.done()
    if multiplier != 1.0:
        raise element.wrong(f"m={multiplier:g} of '{card.name}' is not understood", "write a wider transistor: w=...")
    starts = {"v_gs": (g, s), "v_ds": (d, s), "v_bs": (b, s)}
    sheet.put(card.name, _semiconductor(element, cls, numbers, starts), card.location, D=d, G=g, S=s, B=b)


def switch(sheet: Sheet, card: Card) -> None:
    """`S1 p n cp cn model [on|off]` and `W1 p n vsource model [on|off]`."""
    element = Element(sheet, card)
    p, n = element.nodes(2)
    by_voltage = card.name[0] == "s"
    control = element.nodes(2) if by_voltage else [str(element.word())]
    kind, cls, numbers = model_numbers(element, _model_name(element))
    numbers = {**_DEFAULTS.get(kind, {}), **numbers}
    closed = element.take("on")
    element.take("off")
    element.done()
    make: Callable[[], Any] = partial(cls, **numbers)
    if closed:
        make = lambda: cls(**numbers, off=tg.boolean(start=False))  # noqa: E731
    sheet.put(card.name, make, card.location, p=p, n=n)
    if by_voltage:
        sheet.wire(card.name, pc=control[0], nc=control[1])
    else:
        sheet.sense(card, control[0], (card.name, "pc", None), (card.name, "nc", None))


_DEFAULTS: dict[str, dict[str, float]] = {"sw": {"Roff": 1e12}, "csw": {"Roff": 1e12}}  # 1/gmin


def _model_name(element: Element) -> str:
    word = element.word()
    if word is None:
        raise element.wrong(f"'{element.name}' has no model", f"write {element.name} node node ... modelname")
    return word


def _area(element: Element) -> float:
    """The area, or how many of them are in parallel."""
    element.take("off")
    written = element.value("area") if element.left else 1.0
    return element.pair("area", written) * element.pair("m", 1.0)


def _scale(cls: Any, numbers: dict[str, float], name: str, factor: float) -> None:
    """Scale a parameter that the card gives or the class has."""
    if factor != 1.0 and name in cls._info.parameters:
        declared = cls._info.parameters[name].value
        numbers[name] = numbers.get(name, 0.0 if declared is None else float(declared)) * factor
