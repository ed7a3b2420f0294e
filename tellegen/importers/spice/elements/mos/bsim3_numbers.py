"""From a BSIM3 model card (levels 8 and 49) and the sizes of a transistor to the numbers of its component.

The formulas are those of BSIM3v3.3 as ngspice 39 has them. Names are those of cards; every parameter may have additions
over length and width: `lvth0`, `wvth0`, `pvth0`. Cards of version 3.1, for which ngspice has a program of its own, have
other charges (capmod 21 of the component), exponentials without end in their junctions, and neither xl nor xw.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log, pi, sqrt
from typing import ClassVar

from tellegen.importers.spice.elements.mos.bsim4_card import Bsim4Card
from tellegen.library.electrical.semiconductors.bsim4.parameters import ELECTRON, SILICON, THERMAL, VACUUM

_OXIDE = 3.453133e-11  # F/m, to the digits of the published model
_PER_CUBIC_METRE = 1e6
_LARGEST = 34.0
_WITHOUT_AREA = 1e-14  # A, of a junction without area
_STRAIGHT = 80.0  # thermal voltages from which on an exponential without end is straight here


class Bsim3Card(Bsim4Card):
    """The numbers of a card for one length and width, with their additions."""

    DEFAULTS: ClassVar[Mapping[str, float]] = {
        **{"tox": 1.5e-8, "xj": 1.5e-7, "lint": 0.0, "wint": 0.0, "xl": 0.0, "xw": 0.0, "nch": 1.7e17, "nsub": 6e16},
        **dict.fromkeys(("ll", "lw", "lwl", "wl", "ww", "wwl", "llc", "lwc", "lwlc", "wlc", "wwc", "wwlc"), 0.0),
        **dict.fromkeys(("lln", "lwn", "wln", "wwn"), 1.0),
        **{"ngate": 0.0, "vbm": -3.0, "xt": 1.55e-7, "k3": 80.0, "k3b": 0.0, "w0": 2.5e-6, "nlx": 1.74e-7, "dvt0": 2.2},
        **{"dvt1": 0.53, "dvt2": -0.032, "dvt0w": 0.0, "dvt1w": 5.3e6, "dvt2w": -0.032, "drout": 0.56, "cdsc": 2.4e-4},
        **{"cdscb": 0.0, "cdscd": 0.0, "cit": 0.0, "nfactor": 1.0, "voff": -0.08, "eta0": 0.08, "etab": -0.07},
        **{"ua": 2.25e-9, "ub": 5.87e-19, "ute": -1.5, "ua1": 4.31e-9, "ub1": -7.61e-18, "vsat": 8e4, "at": 3.3e4},
        **{"a0": 1.0, "ags": 0.0, "a1": 0.0, "a2": 1.0, "b0": 0.0, "b1": 0.0, "keta": -0.047, "dwg": 0.0, "dwb": 0.0},
        **{"rdsw": 0.0, "prwg": 0.0, "prwb": 0.0, "prt": 0.0, "wr": 1.0, "pclm": 1.3, "pdiblc1": 0.39, "delta": 0.01},
        **{"pdiblc2": 0.0086, "pdiblcb": 0.0, "pvag": 0.0, "pscbe1": 4.24e8, "pscbe2": 1e-5, "alpha0": 0.0},
        **{"alpha1": 0.0, "beta0": 30.0, "kt1": -0.11, "kt1l": 0.0, "kt2": 0.022, "cgsl": 0.0, "cgdl": 0.0},
        **{"ckappa": 0.6, "clc": 1e-7, "cle": 0.6, "acde": 1.0, "moin": 15.0, "noff": 1.0, "voffcv": 0.0, "xpart": 0.0},
        **{"js": 1e-4, "jsw": 0.0, "nj": 1.0, "xti": 3.0, "ijth": 0.1, "cj": 5e-4, "mj": 0.5, "pb": 1.0, "cjsw": 5e-10},
        **{"mjsw": 0.33, "pbsw": 1.0, "rsh": 0.0},
        **dict.fromkeys(("tcj", "tcjsw", "tcjswg", "tpb", "tpbsw", "tpbswg"), 0.0),
    }
    DERIVED: ClassVar[tuple[str, ...]] = (
        *("toxm", "vth0", "vfb", "k1", "k2", "gamma1", "gamma2", "vbx", "dsub", "u0", "uc", "uc1", "dlc", "dwc", "cf"),
        *("cgso", "cgdo", "cgbo", "cjswg", "mjswg", "pbswg"),
    )
    MODES: ClassVar[Mapping[str, tuple[float, tuple[float, ...]]]] = {
        **{
            "mobmod": (1.0, (1.0, 2.0, 3.0)),
            "capmod": (3.0, (2.0, 3.0)),
            "nqsmod": (0.0, (0.0,)),
            "acm": (0.0, (0.0,)),
        },
        **{"acnqsmod": (0.0, (0.0,)), "binunit": (1.0, (0.0, 1.0, 2.0))},
    }
    OF_OTHER_LAWS: ClassVar[frozenset[str]] = frozenset()  # ngspice knows no more of it
    WITHOUT_EFFECT: ClassVar[frozenset[str]] = frozenset(
        (
            *("level", "version", "paramchk", "noimod", "noia", "noib", "noic", "em", "ef", "af", "kf", "lmin", "lmax"),
            *(
                "wmin",
                "wmax",
                "elm",
                "vfbcv",
                "calcacm",
                "hdif",
                "ldif",
                "ld",
                "rd",
                "rs",
                "rdc",
                "rsc",
                "wmlt",
                "lref",
            ),
            *("wref", "lintnoi", "sfvtflag", "tlev", "tlevc", "nds", "vnds", "stimod", "xn", "gamma"),
        )
    )
    """Of noise, of bins, of laws that the switches turn off, and of other simulators."""

    def __init__(self, given: Mapping[str, float], sign: float, is_old: bool) -> None:
        names = {"npeak": "nch", "vtho": "vth0", "pdibl1": "pdiblc1", "pdibl2": "pdiblc2", "pdiblb": "pdiblcb"}
        super().__init__({names.get(key, key): value for key, value in given.items()}, sign)
        self.is_old = is_old

    def mode(self, name: str) -> float:
        return 2.0 if name == "capmod" and self.is_old and not self.has(name) else super().mode(name)


@dataclass(frozen=True)
class Place:
    """A transistor: its drawn sizes, how many are in parallel, and temperatures in kelvin."""

    L: float
    W: float
    count: float
    T: float
    measured: float
    given: Mapping[str, float]  # ad, as, pd, ps

    @property
    def warmer(self) -> float:
        """T/Tnom - 1."""
        return self.T / self.measured - 1.0


@dataclass(frozen=True)
class Sizes:
    """Effective lengths and widths."""

    length: float
    width: float
    length_cv: float
    width_cv: float


@dataclass(frozen=True)
class Body:
    """What threshold, current and charges have in common."""

    tox: float
    cox: float
    phi: float
    k1: float
    k2: float
    thicker: float  # tox/toxm
    vth0: float  # times the sign
    vfb: float
    nch: float
    vt: float  # at the temperature where the card was measured
    xdep: float
    barrier: float  # vbi - phi
    reach: float
    narrow: float


def numbers(card: Bsim3Card, at: Place) -> dict[str, float]:
    """The parameters of the component."""
    sizes = _sizes(card, at)
    card.bin(sizes.length, sizes.width)
    body = _body(card, at, sizes)
    found = _threshold(card, at, sizes, body) | _current(card, at, sizes, body)
    return found | _charges(card, sizes, body) | _junctions(card, at, sizes)


def _sizes(card: Bsim3Card, at: Place) -> Sizes:
    def shorter(letter: str, ending: str) -> float:
        along = at.L ** card.get(f"{letter}ln")
        across = at.W ** card.get(f"{letter}wn")
        terms = (f"{letter}l{ending}", along), (f"{letter}w{ending}", across), (f"{letter}wl{ending}", along * across)
        return sum(card.get(name) / power for name, power in terms)

    L = at.L + (0.0 if card.is_old else card.get("xl"))  # which those versions do not know
    W = at.W + (0.0 if card.is_old else card.get("xw"))
    lint = card.get("lint")
    wint = card.get("wint")
    narrower = card.given.get("dwc", wint)
    return Sizes(
        L - 2.0 * (lint + shorter("l", "")),
        W - 2.0 * (wint + shorter("w", "")),
        L - 2.0 * (card.given.get("dlc", lint) + shorter("l", "" if card.is_old else "c")),
        W - 2.0 * (narrower + shorter("w", "" if card.is_old else "c")),
    )


def _doping(value: float, limit: float) -> float:
    """In 1/cm3, where a card may give it in 1/m3."""
    return value * 1e-6 if value > limit else value


def _body(card: Bsim3Card, at: Place, sizes: Sizes) -> Body:
    tox = card.get("tox")
    cox = _OXIDE / tox
    T = at.measured
    vt = THERMAL * T
    gap = 1.16 - 7.02e-4 * T**2 / (T + 1108.0)
    ni = 1.45e10 * (T / 300.15) ** 1.5 * exp(21.5565981 - gap / (2.0 * vt))
    nch = _doping(card.get("nch"), 1e20)
    if not card.has("nch") and card.has("gamma1"):
        nch = 3.021e22 * (card.get("gamma1", 0.0) * cox) ** 2
    phi = 2.0 * vt * log(nch / ni)
    k1, k2 = _body_effect(card, cox, phi, nch)
    vth0 = card.sign * card.by_type("vth0", 0.7, -0.7)
    vfb = card.get("vfb", -1.0)
    if not card.has("vfb") and card.has("vth0"):
        vfb = vth0 - phi - k1 * sqrt(phi)
    if not card.has("vth0"):
        vth0 = vfb + phi + k1 * sqrt(phi)
    xdep = sqrt(2.0 * SILICON / (ELECTRON * nch * _PER_CUBIC_METRE)) * sqrt(phi)
    barrier = vt * log(1e20 * nch / ni**2) - phi
    reach = sqrt(SILICON / _OXIDE * tox * xdep)
    narrow = tox * phi / (sizes.width + card.get("w0"))
    thicker = 1.0 if card.is_old else tox / card.given.get("toxm", tox)
    return Body(tox, cox, phi, k1, k2, thicker, vth0, vfb, nch, vt, xdep, barrier, reach, narrow)


def _body_effect(card: Bsim3Card, cox: float, phi: float, nch: float) -> tuple[float, float]:
    """k1 and k2, where the card gives none of them those of the doping."""
    if card.has("k1") or card.has("k2"):
        return card.get("k1", 0.53), card.get("k2", -0.0186)
    vbx = -abs(card.get("vbx", phi - 7.7348e-4 * nch * card.get("xt") ** 2))
    vbm = -abs(card.get("vbm"))
    gamma1 = card.get("gamma1", 5.753e-12 * sqrt(nch) / cox)
    gamma2 = card.get("gamma2", 5.753e-12 * sqrt(_doping(card.get("nsub"), 1e20)) / cox)
    rise = sqrt(phi - vbx) - sqrt(phi)
    k2 = (gamma1 - gamma2) * rise / (2.0 * (sqrt(phi * (phi - vbm)) - phi) + vbm)
    return gamma2 - 2.0 * k2 * sqrt(phi - vbm), k2


def _across(x: float) -> float:
    """How the effect of a junction falls with the distance."""
    near = exp(-min(0.5 * x, _LARGEST))
    return near * (1.0 + 2.0 * near)


def _threshold(card: Bsim3Card, at: Place, sizes: Sizes, body: Body) -> dict[str, float]:
    root = sqrt(body.phi)
    k1ox = body.k1 * body.thicker
    k2ox = body.k2 * body.thicker
    pockets = k1ox * (sqrt(1.0 + card.get("nlx") / sizes.length) - 1.0) * root
    kt = (card.get("kt1") + card.get("kt1l") / sizes.length) * at.warmer
    narrow = card.get("k3") * body.narrow
    vbc = -30.0
    if body.k2 < 0.0:
        vbc = min(max(0.9 * (body.phi - (0.5 * body.k1 / body.k2) ** 2), -30.0), -3.0)
    short = card.get("dvt0") * _across(card.get("dvt1") * sizes.length / body.reach)
    both = card.get("dvt0w") * _across(card.get("dvt1w") * sizes.width * sizes.length / body.reach)
    doping = _doping(card.get("ngate"), 1e23)
    dsub = card.get("dsub", card.get("drout"))
    return {
        "T": at.T,
        "Vt0": body.vth0 - body.k1 * root + pockets + kt + narrow,
        "Kb1": k1ox,
        "Kb2": -k2ox + card.get("k3b") * body.narrow + card.get("kt2") * at.warmer,
        "Kb0": 0.0,
        "K1ox": k1ox,
        "Phi": body.phi,
        "Vbc": min(vbc, card.get("vbm")),
        "Xdep0": body.xdep,
        "V0": body.barrier,
        **{name.capitalize(): card.get(name) for name in ("dvt0", "dvt1", "dvt2", "dvt0w", "dvt1w", "dvt2w")},
        **{name.capitalize(): card.get(name) for name in ("eta0", "etab", "nfactor", "cdsc", "cdscb", "cdscd", "cit")},
        "Dibl": _across(dsub * sizes.length / body.reach),
        "Ngate": doping if 1e18 < doping < 1e25 else 0.0,
        "Vfb": body.vfb,
        "Vfbzb": body.vth0 - (short + both) * body.barrier + narrow + pockets + kt - body.phi - body.k1 * root,
        "Mstar": 0.5,
        "Voff": card.get("voff"),
        "Cdep0": sqrt(ELECTRON * SILICON * body.nch * _PER_CUBIC_METRE / 2.0 / body.phi),
    }


def _current(card: Bsim3Card, at: Place, sizes: Sizes, body: Body) -> dict[str, float]:
    mobmod = card.mode("mobmod")
    u0 = card.by_type("u0", 0.067, 0.025)
    u0 = u0 / 1e4 if u0 > 1.0 else u0
    uc = card.get("uc", -0.0465 if mobmod == 3.0 else -0.0465e-9)
    uc += card.get("uc1", -0.056 if mobmod == 3.0 else -0.056e-9) * at.warmer
    rout = card.get("pdiblc1") * _across(card.get("drout") * sizes.length / body.reach) + card.get("pdiblc2")
    alpha = card.get("alpha0") + (0.0 if card.is_old else card.get("alpha1") * sizes.length)
    wide = (sizes.width * 1e6) ** card.get("wr")
    return {
        "Nf": at.count,
        "Leff": sizes.length,
        "Weff": sizes.width,
        "Toxe": body.tox,
        "Toxp": body.tox,
        "Epsrox": _OXIDE / VACUUM,
        "mobmod": {1.0: 0, 2.0: 2, 3.0: 1}[mobmod],
        "Rds0": (card.get("rdsw") + card.get("prt") * at.warmer) / wide,
        "Bw": card.get("b0") / (sizes.width + card.get("b1")),
        "U0": u0 * (at.warmer + 1.0) ** card.get("ute"),
        "Ua": card.get("ua") + card.get("ua1") * at.warmer,
        "Ub": card.get("ub") + card.get("ub1") * at.warmer,
        **({"Ucb": uc} if mobmod == 3.0 else {"Uc": uc}),
        "Vsat": card.get("vsat") - card.get("at") * at.warmer,
        "Litl": sqrt(3.0 * card.get("xj") * body.tox),
        "Rout": max(rout, 0.0),
        "Pdiblb": card.get("pdiblcb"),
        "Alpha": alpha if alpha > 0.0 and card.get("beta0") > 0.0 else 0.0,
        **{name.capitalize(): card.get(name) for name in ("dwg", "dwb", "prwg", "prwb", "a0", "ags", "keta", "xj")},
        **{name.capitalize(): card.get(name) for name in ("a1", "a2", "delta", "pclm", "pvag", "pscbe1", "pscbe2")},
        "Beta0": card.get("beta0"),
    }


def _charges(card: Bsim3Card, sizes: Sizes, body: Body) -> dict[str, float]:
    xpart = card.get("xpart")
    cf = card.get("cf", 2.0 * _OXIDE / pi * log(1.0 + 0.4e-6 / body.tox))
    dlc = card.given.get("dlc", 0.0)

    def overlap(name: str, light: float) -> float:
        default = dlc * body.cox - light if dlc > 0.0 else 0.6 * card.get("xj") * body.cox
        return card.given.get(name, default) + cf

    dwc = card.given.get("dwc", card.get("wint"))
    capmod = 21 if card.is_old else int(card.mode("capmod"))
    return {
        "capmod": capmod,
        "partition": 0.0 if xpart > 0.5 else 0.4 if xpart < 0.5 else 0.5,
        "Lcv": sizes.length_cv,
        "Wcv": sizes.width_cv,
        "Noff": card.get("noff"),
        "Voffcv": card.get("voffcv"),
        "Acde": card.get("acde") * (body.nch / 2e16) ** -0.25,
        "Ldeb": sqrt(SILICON * body.vt / (ELECTRON * body.nch * _PER_CUBIC_METRE)) / 3.0,
        "Moin": card.get("moin"),
        "Acv": 1.0 + (card.get("clc") / sizes.length_cv) ** card.get("cle"),
        "Cgso": overlap("cgso", card.get("cgsl")),
        "Cgdo": overlap("cgdo", card.get("cgdl")),
        "Cgbo": card.given.get("cgbo", 0.0 if card.is_old else 2.0 * dwc * body.cox),
        "Cgsl": card.get("cgsl"),
        "Cgdl": card.get("cgdl"),
        "Ckappas": card.get("ckappa"),
        "Ckappad": card.get("ckappa"),
    }


def _junctions(card: Bsim3Card, at: Place, sizes: Sizes) -> dict[str, float]:
    emission = card.get("nj")
    n_vt = THERMAL * at.T * emission
    gaps = [(1.16 - 7.02e-4 * T**2 / (T + 1108.0)) / (THERMAL * T) for T in (at.measured, at.T)]
    growth = exp((gaps[0] - gaps[1] + card.get("xti") * log(at.T / at.measured)) / emission)
    found: dict[str, float] = {}
    for end in "sd":
        area = at.given.get(f"a{end}", 0.0)
        perimeter = at.given.get(f"p{end}", 0.0)
        has_area = area > 0.0 or perimeter > 0.0
        current = (area * card.get("js") + perimeter * card.get("jsw")) * growth if has_area else _WITHOUT_AREA
        straight = _STRAIGHT * n_vt
        if current > 0.0 and card.get("ijth") > 0.0 and not card.is_old:
            straight = n_vt * log(1.0 + card.get("ijth") / current)
        found |= {f"Is_{end}": current * at.count, f"N_{end}": emission, f"Vj_{end}": straight}
        below = sizes.width if card.is_old and has_area else min(perimeter, sizes.width)
        for part, suffix, size in (("b", "", area), ("w", "sw", max(perimeter - below, 0.0)), ("g", "swg", below)):
            found |= _wall(card, at, suffix, size, part, end)
    return found


def _wall(card: Bsim3Card, at: Place, suffix: str, size: float, part: str, end: str) -> dict[str, float]:
    """The capacitance of a part of a junction, its potential and its grading."""
    of_wall = suffix.removesuffix("g")
    warmer = at.T - at.measured
    defaults = [card.get(f"{name}{of_wall}") for name in ("cj", "pb", "mj")]
    values = [card.get(f"{name}{suffix}", value) for name, value in zip(("cj", "pb", "mj"), defaults, strict=True)]
    grown = max(1.0 + card.get(f"tcj{suffix}") * warmer, 0.0)
    return {
        f"C{part}_{end}": values[0] * grown * size * at.count,
        f"P{part}_{end}": max(max(values[1], 0.1) - card.get(f"tpb{suffix}") * warmer, 0.01),
        f"M{part}_{end}": values[2],
    }
