"""M with a VDMOS model: `M1 d g s irf540`, a power transistor with its body diode.

.model irf540 VDMOS(nchan Vto=3 Kp=20 Rd=22m Rs=11m Rb=10m Cgdmax=2n Cgdmin=20p Cgs=1.4n Cjo=0.5n Is=1p)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from tellegen.errors import NetlistError
from tellegen.importers.spice.elements.temperature import warmed
from tellegen.importers.spice.netlist.sheet import Element
from tellegen.importers.spice.netlist.words import Card
from tellegen.library import electrical as el

_TYPES = {"vdmos": 1.0, "vdmosn": 1.0, "vdmosp": -1.0}
_CHANNELS = {"nchan": 1.0, "pchan": -1.0}
_OWN: dict[str, float] = {
    **{"kp": 0.0, "lambda": 0.0, "theta": 0.0, "mtriode": 1.0, "ksubthres": 0.1, "subshift": 0.0, "rd": 0.0, "rs": 0.0},
    **{"rg": 0.0, "rq": 0.0, "vq": 0.0, "cgs": 1.4e-9, "cgdmin": 2e-11, "cgdmax": 2e-9, "a": 1.0},
}
"""Parameters of the transistor with the defaults of ngspice; kp and vto depend on the type."""

_DIODE: dict[str, float] = {
    **{"is": 1e-14, "n": 1.0, "rb": 0.0, "ibv": 1e-10, "nbv": 1.0, "cjo": 5e-10, "vj": 0.8, "m": 0.5, "fc": 0.5},
    **{"tt": 0.0, "eg": 1.11, "xti": 3.0, "bv": 0.0},
}
_WARM: dict[str, float] = dict.fromkeys(("tcvth", "trd1", "trd2", "trs1", "trs2", "trg1", "trg2", "trb1", "trb2"), 0.0)
_WARM |= {"mu": -1.5, "tksubthres1": 0.0, "tksubthres2": 0.0, "texp0": 1.5, "texp1": 0.3}
_NAMES = {"vtotc": "tcvth", "bex": "mu", "vth0": "vto"}
_OTHERS = ("vto", "rds", "tnom", "level", "phi")
_IGNORED = frozenset(
    (
        *("mfg", "vds", "ron", "qg", "vdmos", "kf", "af", "rthjc", "rthca", "cthj", "rth_ext", "derating", "te_max"),
        *("vgs_max", "vgd_max", "vds_max", "vgsr_max", "vgdr_max", "pd_max", "id_max", "idr_max", "vgs"),
    )
)
"""Words for readers, limits that are only checked, and self-heating, which needs more pins."""

_KELVIN = 273.15
_LEAST_RESISTANCE = 1e15  # ohm, of drain and source where the card gives none


def is_card(element: Element) -> bool:
    """Whether the fourth or fifth word after the name is a VDMOS model: such a transistor has no bulk."""
    known = element.sheet.scope.all_models()
    names = [word for word in element.left[3:5] if word in known][:1]
    return any(element.sheet.scope.model(name, element.card)[0].words[2] in _TYPES for name in names)


def put(element: Element) -> None:
    """Add the transistor, its body diode and the resistance beside them to the sheet."""
    d, g, s = element.nodes(3)
    if element.left[0] not in element.sheet.scope.all_models():
        element.nodes(1)  # a fourth node is not used, as in ngspice
    name = str(element.word())
    card, scope = element.sheet.scope.model(name, element.card)
    given = {_NAMES.get(key, key): scope.value(text, card.location) for key, text in card.pairs if key not in _IGNORED}
    sign = _sign(card)
    _refuse(element, card, given)
    count = element.count()
    celsius = element.temperature()
    element.pairs.pop("ic", None)
    element.take("off")
    element.done()
    sheet = element.sheet
    if not count:
        sheet.leave_out(element.card, d, g, s)
        return
    measured = given.get("tnom", sheet.settings.nominal_temperature)
    warm = _Warm(_WARM | given, celsius, measured)
    cls = el.NVDMOS if sign > 0.0 else el.PVDMOS
    made = partial(cls, **_transistor(given, sign, warm, count), T=celsius + _KELVIN)
    sheet.put(element.name, made, element.location, D=d, G=g, S=s)
    diode = partial(el.Diode, **_body_diode(given, warm, count), T=celsius + _KELVIN, Gmin=sheet.settings.gmin)
    ends = (s, d) if sign > 0.0 else (d, s)
    sheet.put(f"{element.name}_body", diode, element.location, p=ends[0], n=ends[1])
    beside = (given.get("rds") or _LEAST_RESISTANCE) / count
    sheet.put(f"{element.name}_rds", partial(el.Resistor, R=beside), element.location, p=d, n=s)


class _Warm:
    """How numbers of a card change with the temperature."""

    def __init__(self, numbers: Mapping[str, float], celsius: float, measured: float) -> None:
        self.numbers = numbers
        self.celsius = celsius
        self.measured = measured

    @property
    def above(self) -> float:
        return self.celsius - self.measured

    def resistance(self, value: float, letter: str) -> float:
        """By a polynomial of the temperature."""
        first = self.numbers[f"tr{letter}1"]
        return value * (1.0 + first * self.above + self.numbers[f"tr{letter}2"] * self.above**2)

    def power(self, exponent: str) -> float:
        """(T/Tnom)^exponent."""
        return ((self.celsius + _KELVIN) / (self.measured + _KELVIN)) ** self.numbers[exponent]


def _sign(card: Card) -> float:
    """1 of an N-channel model."""
    for word in card.words[3:]:
        if word in _CHANNELS:
            return _CHANNELS[word]
    return _TYPES[card.words[2]]


def _refuse(element: Element, card: Card, given: Mapping[str, float]) -> None:
    known = {*_OWN, *_DIODE, *_WARM, *_OTHERS, *element.sheet.settings.left_out}
    strange = [key for key in given if key not in known]
    if strange:
        raise NetlistError(
            "E507",
            f"VDMOS has no effect for {', '.join(f'{key.upper()} = {given[key]:g}' for key in strange)} "
            f"of the model '{card.words[1]}'",
            location=card.location,
            advice=f"to ignore it: tg.read_spice(..., leave_out={strange})",
        )
    others = [word for word in card.words[3:] if word not in _CHANNELS]
    if others:
        raise NetlistError(
            "E506",
            f"'{' '.join(others)}' of the model '{card.words[1]}' is not understood",
            location=card.location,
            advice="parameters of a model are written name=value",
        )


def _transistor(given: Mapping[str, float], sign: float, warm: _Warm, count: float) -> dict[str, Any]:
    """The numbers of so many transistors in parallel."""
    own = {**_OWN, "kp": 15.0 + 5.0 * sign, **{key: value for key, value in given.items() if key in _OWN}}
    threshold = given.get("vto", 3.0 * sign) - sign * warm.numbers["tcvth"] * warm.above  # it falls
    drain = own["rd"] * warm.power("texp0") if "texp0" in given else warm.resistance(own["rd"], "d")
    soft = 1.0 + warm.numbers["tksubthres1"] * warm.above + warm.numbers["tksubthres2"] * warm.above**2
    has_quasi_saturation = "rq" in given and "vq" in given
    return {
        "Vto": threshold,
        "Kp": own["kp"] * count * warm.power("mu"),
        "Rd": drain / count,
        "Rs": warm.resistance(own["rs"], "s") / count,
        "Rg": warm.resistance(own["rg"], "g") / count,
        "Ksubthres": own["ksubthres"] * soft,
        **({"Rq": own["rq"] / count * warm.power("texp1"), "Vq": abs(own["vq"])} if has_quasi_saturation else {}),
        **{key.capitalize(): own[key] for key in ("lambda", "theta", "mtriode", "subshift", "a")},
        **{key.capitalize(): own[key] * count for key in ("cgs", "cgdmin", "cgdmax")},
    }


def _body_diode(given: Mapping[str, float], warm: _Warm, count: float) -> dict[str, float]:
    """The numbers of the diode."""
    own = {**_DIODE, **{key: value for key, value in given.items() if key in _DIODE}}
    found = {key.capitalize(): own[key] for key in ("is", "n", "ibv", "nbv", "cjo", "vj", "m", "fc", "tt", "eg", "xti")}
    found |= {"Bv": abs(own["bv"]), "Rs": warm.resistance(own["rb"], "b") / count}
    found |= warmed(el.Diode, found, warm.measured, warm.celsius)
    return found | {key: found[key] * count for key in ("Is", "Cjo", "Ibv")}
