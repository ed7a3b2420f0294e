"""Elements with a .model: diodes, transistors and switches.

The parameters of a model card are those of the component of the same name, in whatever case. What the card sets and the
component does not know is an error, unless it has no effect in a run over time (noise) or is given its neutral value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import tellegen as tg
from tellegen.errors import NetlistError, nearest
from tellegen.importers.spice.elements import bipolar_model
from tellegen.importers.spice.elements.mos import bsim3, bsim4, vdmos
from tellegen.importers.spice.elements.mos.bins import of_size
from tellegen.importers.spice.elements.mos.levels import CLASSES, OTHERS, WITHOUT_EFFECT, of_areas, of_doping
from tellegen.importers.spice.elements.temperature import is_idle, warmed
from tellegen.importers.spice.netlist.numbers import number
from tellegen.importers.spice.netlist.sheet import Element, Sheet
from tellegen.importers.spice.netlist.words import Card
from tellegen.library import electrical as el

_TYPES: dict[str, dict[str, Any]] = {
    "d": {"d": el.Diode},
    "q": {"npn": el.NPN, "pnp": el.PNP},
    "j": {"njf": el.NJFET, "pjf": el.PJFET},
    "z": {"nmf": el.NMESFET, "pmf": el.PMESFET},
    "m": {"nmos": el.NMOS, "pmos": el.PMOS},
    "s": {"sw": el.VoltageControlledSwitch, "vswitch": el.SmoothSwitch},
    "w": {"csw": el.CurrentControlledSwitch},
}
_WARM = "dqjm"  # elements that may have a temperature of their own
_MEASURED = ("tnom", "tref", "t_measured")
_NO_EFFECT = {"kf", "af", "ef", "mfg", "type", "vceo", "icrating", "vpk", "iave", "lmin", "lmax", "wmin", "wmax"}
_OTHER_NAMES = {
    "cj0": "cjo",
    "uo": "u0",
    "vt0": "vto",
    "va": "vaf",
    "ik": "ikf",
    "vb": "var",
    "pe": "vje",
    "pc": "vjc",
    "me": "mje",
    "mc": "mjc",
}
_USED = {"m": OTHERS, "q": bipolar_model.OTHERS, "z": ("level",)}
_IN_PARTS_OF_IS = {"c2": "Ise", "c4": "Isc"}


@dataclass(frozen=True)
class Model:
    """A .model: its type, the class of its component and the parameters of that; where those were measured."""

    kind: str
    cls: Any
    numbers: dict[str, float]
    measured: float | None = None  # degrees Celsius
    device: float = 27.0  # the temperature of the element, degrees Celsius
    others: dict[str, float] = field(default_factory=dict)  # of transistors (mos/levels.py, bipolar_model.py)


def read_model(element: Element, name: str) -> Model:
    """The model of an element."""
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
    pairs = [*card.pairs, *_spaced_pairs(card)]
    if letter == "m":
        level = next((scope.value(text, card.location) for key, text in pairs if key == "level"), 1.0)
        cls = CLASSES.get((kind, level), cls)
    if letter == "q":
        cls = bipolar_model.class_of(kind, {key: scope.value(text, card.location) for key, text in pairs})
    known = {own.lower(): own for own in cls._info.parameters}
    numbers: dict[str, float] = {}
    parts, strange = dict[str, float](), dict[str, float]()
    others: dict[str, float] = {}  # of transistors, what numbers of the component follow from
    used = _USED.get(letter, ())
    measured: float | None = None
    for written, text in pairs:
        key = bipolar_model.NAMES.get(written, written) if letter == "q" else written
        value = scope.value(text, card.location)
        if key in _MEASURED:
            measured = value
            continue
        if key in _IN_PARTS_OF_IS and letter == "q":
            parts[_IN_PARTS_OF_IS[key]] = value
            continue
        if key in used:
            others[key] = value
        own = known.get(_OTHER_NAMES.get(key, key) if key not in known else key)
        if own is not None:
            numbers[own] = value
        elif key not in _NO_EFFECT and value != _NEUTRAL.get(key) and key not in used:
            strange[key] = value
    if letter == "m" and (kind, others.get("level", 1.0)) not in CLASSES:
        strange["level"] = others["level"]
    if letter in "qz" and others.get("level", 1.0) != 1.0:
        strange["level"] = others["level"]
    strange = _without_other_levels(element, strange, others) if letter == "m" else strange
    device = element.temperature() if letter in _WARM else element.sheet.settings.temperature
    around = element.sheet.settings.nominal_temperature if measured is None else measured
    left_out = element.sheet.settings.left_out | {key for key in strange if is_idle(letter, key, device != around)}
    strange = {key: value for key, value in strange.items() if key not in left_out}
    if strange:
        raise _without_effect(card, cls, strange)
    _refuse_words(card)
    for own, part in parts.items():
        numbers.setdefault(own, part * numbers.get("Is", _declared(cls, "Is")))
    if letter == "m":
        numbers |= of_doping(cls, numbers, others, around)
    return Model(kind, cls, numbers, measured, device, others)


def _without_other_levels(element: Element, strange: dict[str, float], others: dict[str, float]) -> dict[str, float]:
    """All but the parameters of other levels of a MOS model, which ngspice ignores."""
    ignored = [key for key in strange if key in WITHOUT_EFFECT.get(others.get("level", 1.0), ())]
    if ignored:
        element.sheet.note(element.card, f"{', '.join(ignored)} of its model has no effect at this level")
    return {key: value for key, value in strange.items() if key not in ignored}


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


_NEUTRAL: dict[str, float] = {
    **dict.fromkeys(("xtf", "itf", "vtf", "ptf", "rbm", "irb", "cjs", "nsub", "nss", "isr", "ikf", "trs1"), 0.0),
    **dict.fromkeys(("level", "n"), 1.0),
}


def _spaced_pairs(card: Card) -> list[tuple[str, str]]:
    """`.model qm npn bf 20 rb 100`: names and numbers in turn, without = between them."""
    words = card.words[3:]
    is_in_turn = len(words) % 2 == 0 and all(number(word) is not None for word in words[1::2])
    return list(zip(words[::2], words[1::2], strict=True)) if is_in_turn else []


def _refuse_words(card: Card) -> None:
    if len(card.words) > 3 and not _spaced_pairs(card):
        raise NetlistError(
            "E506",
            f"'{' '.join(card.words[3:])}' of the model '{card.words[1]}' is not understood",
            location=card.location,
            advice="parameters of a model are written name=value",
        )


def _semiconductor(
    element: Element, model: Model, numbers: dict[str, float], starts: dict[str, tuple[str, str]]
) -> Callable[[], Any]:
    """A semiconductor at its temperature; with `uic` its voltages are those of .ic."""
    settings = element.sheet.settings
    cls = model.cls
    measured = settings.nominal_temperature if model.measured is None else model.measured
    numbers = numbers | warmed(cls, numbers, measured, model.device)
    common = {"T": model.device + 273.15, "Gmin": settings.gmin}
    if not (settings.uic and settings.ic):
        return partial(cls, **{**common, **numbers})
    sign = getattr(cls, "SIGN", 1.0)
    begin = {name: sign * element.sheet.start_voltage(p, n) for name, (p, n) in starts.items()}
    return lambda: cls(**common, **numbers, **{name: tg.variable(start=volts) for name, volts in begin.items()})


def diode(sheet: Sheet, card: Card) -> None:
    """`D1 anode cathode model [area]`."""
    element = Element(sheet, card)
    p, n = element.nodes(2)
    model = read_model(element, _model_name(element))
    area = _area(element)
    element.pair("ic")  # without uic it means nothing, and with it the voltages of .ic hold
    element.done()
    if not area:
        sheet.leave_out(card, p, n)
        return
    numbers = _scaled(model, ("Is", "Isr", "Ikf", "Cjo", "Ibv"), area) | _scaled(model, ("Rs",), 1.0 / area)
    made = _semiconductor(element, model, model.numbers | numbers, {"v_j": (p, n)})
    sheet.put(card.name, made, card.location, p=p, n=n)


def bipolar(sheet: Sheet, card: Card) -> None:
    """`Q1 collector base emitter [substrate] model [area]`."""
    element = Element(sheet, card)
    c, b, e = element.nodes(3)
    substrate = "0"
    if len(element.left) > 1 and element.left[0] not in sheet.scope.all_models():
        substrate = element.nodes(1)[0]
    model = read_model(element, _model_name(element))
    _take_initial_voltages(element, 2)
    area = _area(element)
    element.done()
    if not area:
        sheet.leave_out(card, c, b, e)
        return
    numbers = _scaled(model, ("Is", "Ise", "Isc", "Ikf", "Ikr", "Itf", "Cje", "Cjc"), area)
    numbers |= _scaled(model, ("Rb", "Rbm", "Re", "Rc"), 1.0 / area)
    numbers = model.numbers | numbers
    starts = {"v_be": (b, e), "v_bc": (b, c)}
    if model.others.get("cjs"):
        if model.kind == "pnp" and numbers.get("Rb"):
            raise element.wrong(f"cjs= with rb= of the PNP transistor '{card.name}' is not understood", "leave out one")
        resistance = numbers.pop("Rc", 0.0) if model.kind == "npn" else 0.0
        c = sheet.after_resistor(card, c, resistance)
        ends = (substrate, c if model.kind == "npn" else b)
        measured = sheet.settings.nominal_temperature if model.measured is None else model.measured
        layer = bipolar_model.depletion_layer(model.others, area)
        bipolar_model.put_substrate(sheet, card, ends, layer, measured, model.device)
    elif sheet.settings.gmin > 0.0:
        sheet.leaking.append((card, substrate, c if model.kind == "npn" else b))
    made = _semiconductor(element, model, numbers, starts)
    sheet.put(card.name, made, card.location, C=c, B=b, E=e)


def junction_fet(sheet: Sheet, card: Card) -> None:
    """`J1 drain gate source model [area]`."""
    _field_effect(Element(sheet, card))


def metal_fet(sheet: Sheet, card: Card) -> None:
    """`Z1 drain gate source model [area]`; its parameters hold at all temperatures, as in ngspice."""
    _field_effect(Element(sheet, card), is_warm=False)


def _field_effect(element: Element, is_warm: bool = True) -> None:
    sheet = element.sheet
    card = element.card
    d, g, s = element.nodes(3)
    model = read_model(element, _model_name(element))
    _take_initial_voltages(element, 2)
    if element.left and not is_warm:
        sheet.note(card, "ngspice 39 reads an area only with area= before it")
    area = _area(element)
    element.done()
    if not area:
        sheet.leave_out(card, d, g, s)
        return
    numbers = _scaled(model, ("Beta", "Is", "Cgs", "Cgd"), area) | _scaled(model, ("Rd", "Rs"), 1.0 / area)
    model = model if is_warm else replace(model, measured=_ROOM, device=_ROOM)
    made = _semiconductor(element, model, model.numbers | numbers, {"v_gs": (g, s), "v_gd": (g, d)})
    sheet.put(card.name, made, card.location, D=d, G=g, S=s)


_ROOM = 27.0  # degrees Celsius


def mosfet(sheet: Sheet, card: Card) -> None:
    """`M1 drain gate source bulk model [w=10u] [l=1u] ...`."""
    element = Element(sheet, card)
    if vdmos.is_card(element):
        vdmos.put(element)
        return
    d, g, s, b = element.nodes(4)
    name = of_size(element, _model_name(element))
    if bsim4.is_card(element, name):
        bsim4.put(element, name, (d, g, s, b))
        return
    if bsim3.is_card(element, name):
        bsim3.put(element, name, (d, g, s, b))
        return
    model = read_model(element, name)
    known = {own.lower(): own for own in model.cls._info.parameters}
    count = element.count()
    numbers = dict(sheet.settings.mosfet) | model.numbers
    scale = sheet.settings.scale
    for key in [key for key in element.pairs if key in known]:
        own = known[key]
        numbers[own] = element.pair(key) * scale ** _LENGTHS.get(own, 0)
    _take_initial_voltages(element, 3)
    squares = {key: element.pair(key, 1.0) for key in ("nrd", "nrs")}
    numbers |= of_areas(numbers, model.others, squares)
    if numbers.get("Delta") and count not in (0.0, 1.0):
        raise element.wrong(
            f"m={count:g} with delta= in the model of '{card.name}' is not understood", "write it m times"
        )
    element.take("off")
    element.done()
    if not count:
        sheet.leave_out(card, d, g, s, b)
        return
    for own in ("W", "Ad", "As", "Pd", "Ps", "Cbd", "Cbs", "Is", *(["Is_d"] if "Is_d" in numbers else [])):
        _multiply(model.cls, numbers, own, count)
    for own in ("Rd", "Rs"):
        _multiply(model.cls, numbers, own, 1.0 / count)
    if model.others.get("level") == 2.0 and numbers.get("Vmax") and not numbers.get("Nfs"):
        sheet.note(card, "level 2 with vmax= and without nfs=: below the threshold ngspice has a current, here is none")
    starts = {"v_gs": (g, s), "v_ds": (d, s), "v_bs": (b, s)}
    sheet.put(card.name, _semiconductor(element, model, numbers, starts), card.location, D=d, G=g, S=s, B=b)


_LENGTHS = {"W": 1, "L": 1, "Pd": 1, "Ps": 1, "Ad": 2, "As": 2}
"""Powers of a length: what .options scale acts on."""


def _take_initial_voltages(element: Element, most: int) -> None:
    """`ic=0.6, 5`: without uic they mean nothing, and with it the voltages of .ic hold."""
    if "ic" in element.pairs:
        element.pair("ic")
        for _ in range(most - 1):
            if element.left and number(element.left[0]) is not None:
                element.value("initial voltage")


def switch(sheet: Sheet, card: Card) -> None:
    """`S1 p n cp cn model [on|off]` and `W1 p n vsource model [on|off]`."""
    element = Element(sheet, card)
    p, n = element.nodes(2)
    by_voltage = card.name[0] == "s"
    control = element.nodes(2) if by_voltage else [str(element.word())]
    model = read_model(element, _model_name(element))
    cls = model.cls
    numbers = {**_DEFAULTS.get(model.kind, {}), **model.numbers}
    closed = element.take("on")
    element.take("off")
    element.done()
    element.single()
    make: Callable[[], Any] = partial(cls, **numbers)
    if closed and model.kind != "vswitch":  # that one has no memory
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
    return element.pair("area", written) * element.count()


def _declared(cls: Any, name: str) -> float:
    """The default of a parameter."""
    declared = cls._info.parameters[name].value
    return float(declared) if isinstance(declared, int | float) else 0.0


def _scaled(model: Model, names: tuple[str, ...], factor: float) -> dict[str, float]:
    """Parameters that the card gives or the class has, times a factor."""
    known = [name for name in names if factor != 1.0 and name in model.cls._info.parameters]
    return {name: model.numbers.get(name, _declared(model.cls, name)) * factor for name in known}


def _multiply(cls: Any, numbers: dict[str, float], name: str, factor: float) -> None:
    if factor != 1.0:
        numbers[name] = numbers.get(name, _declared(cls, name)) * factor
