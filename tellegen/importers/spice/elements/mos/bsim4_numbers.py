"""What follows from a BSIM4 card for one transistor: its size and temperature put into the card's formulas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import atan, exp, log, pi, sqrt

from tellegen.importers.spice.elements.mos.bsim4_card import Bsim4Card
from tellegen.importers.spice.elements.mos.bsim4_diffusion import diffusion
from tellegen.library.electrical.semiconductors.bsim4.parameters import ELECTRON, SILICON, THERMAL, VACUUM

_PER_CUBIC_METRE = 1e6
_KELVIN = 273.15
_LARGEST = 34.0
_SMALLEST = 1.713908431e-15


@dataclass(frozen=True)
class Place:
    """A transistor: its drawn sizes, how many are in parallel, and temperatures in kelvin."""

    L: float
    W: float
    nf: float
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
    """Effective lengths and widths of a finger."""

    new_length: float
    length: float
    width: float
    length_cv: float
    width_cv: float
    width_cj: float


@dataclass(frozen=True)
class Body:
    """What threshold, leakage and charges have in common."""

    toxe: float
    toxp: float
    coxe: float
    phi: float
    k1: float
    k2: float
    k1ox: float
    k2ox: float
    vth0: float  # times the sign
    vfb: float
    ndep: float
    vt: float  # at the temperature where the card was measured
    xdep: float
    vbi: float


def numbers(card: Bsim4Card, at: Place) -> dict[str, float]:
    """The parameters of the component."""
    sizes = _sizes(card, at)
    card.bin(sizes.length, sizes.width)
    body = _body(card, at)
    found = {
        "T": at.T,
        "Nf": at.nf * at.count,
        "Leff": sizes.length,
        "Weff": sizes.width,
        "Toxe": body.toxe,
        "Toxp": body.toxp,
        "Epsrox": card.get("epsrox"),
        "Vtfb": max(body.vth0 - body.vfb - body.phi, 0.0),
        "mobmod": int(card.mode("mobmod")),
    }
    found |= _threshold(card, at, sizes, body) | _current(card, at, sizes, body)
    found |= _leakage(card, at, sizes, body) | _charges(card, at, sizes, body)
    return found | _junctions(card, at, sizes) | _resistances(card, at, sizes)


def _sizes(card: Bsim4Card, at: Place) -> Sizes:
    L = at.L + card.get("xl")
    W = at.W / at.nf + card.get("xw")

    def shorter(letter: str, ending: str, own: str) -> float:
        along = L ** card.get(f"{own}ln")
        across = W ** card.get(f"{own}wn")
        terms = (f"{letter}l{ending}", along), (f"{letter}w{ending}", across), (f"{letter}wl{ending}", along * across)
        return sum(card.get(name) / power for name, power in terms)

    wint = card.get("wint")
    dwc = card.given.get("dwc", wint)
    dlc = card.given.get("dlc", card.get("lint"))
    narrower = shorter("w", "c", "w")
    return Sizes(
        L,
        L - 2.0 * (card.get("lint") + shorter("l", "", "l")),
        W - 2.0 * (wint + shorter("w", "", "w")),
        L - 2.0 * (dlc + shorter("l", "c", "l")),
        W - 2.0 * (dwc + narrower),
        W - 2.0 * (card.given.get("dwj", dwc) + narrower),
    )


def _doping(value: float, limit: float) -> float:
    """In 1/cm3, where a card may give it in 1/m3."""
    return value * 1e-6 if value > limit else value


def _gap(T: float) -> float:
    return 1.16 - 7.02e-4 * T**2 / (T + 1108.0)


def _body(card: Bsim4Card, at: Place) -> Body:
    given = card.given
    toxe = given.get("toxe", given["toxp"] + card.get("dtox") if card.has("toxp") else 3e-9)
    toxp = given.get("toxp", toxe - card.get("dtox"))
    toxm = given.get("toxm", toxe)
    coxe = card.get("epsrox") * VACUUM / toxe
    T = at.measured
    vt = THERMAL * T
    ni = 1.45e10 * (T / 300.15) ** 1.5 * exp(21.5565981 - _gap(T) / (2.0 * vt))
    ndep = _doping(card.get("ndep"), 1e20)
    if not card.has("ndep") and card.has("gamma1"):
        ndep = 3.01248e22 * (card.get("gamma1", 0.0) * coxe) ** 2
    phi = vt * log(ndep / ni) + card.get("phin") + 0.4
    k1, k2 = _body_effect(card, coxe, phi, ndep)
    vfb = card.get("vfb", -1.0)
    vth0 = card.sign * card.by_type("vth0", 0.7, -0.7)
    if not card.has("vfb") and card.has("vth0"):
        vfb = vth0 - phi - k1 * sqrt(phi)
    if not card.has("vth0"):
        vth0 = vfb + phi + k1 * sqrt(phi)
    xdep = sqrt(2.0 * SILICON / (ELECTRON * ndep * _PER_CUBIC_METRE)) * sqrt(phi)
    vbi = vt * log(_doping(card.get("nsd"), 1e23) * ndep / ni**2)
    thicker = toxe / toxm
    return Body(toxe, toxp, coxe, phi, k1, k2, k1 * thicker, k2 * thicker, vth0, vfb, ndep, vt, xdep, vbi)


def _body_effect(card: Bsim4Card, coxe: float, phi: float, ndep: float) -> tuple[float, float]:
    """k1 and k2, where the card gives none of them those of the doping."""
    if card.has("k1") or card.has("k2"):
        return card.get("k1", 0.53), card.get("k2", -0.0186)
    vbx = -abs(card.get("vbx", phi - 7.7348e-4 * ndep * card.get("xt") ** 2))
    vbm = -abs(card.get("vbm"))
    gamma1 = card.get("gamma1", 5.753e-12 * sqrt(ndep) / coxe)
    gamma2 = card.get("gamma2", 5.753e-12 * sqrt(_doping(card.get("nsub"), 1e20)) / coxe)
    rise = sqrt(phi - vbx) - sqrt(phi)
    k2 = (gamma1 - gamma2) * rise / (2.0 * (sqrt(phi * (phi - vbm)) - phi) + vbm)
    return gamma2 - 2.0 * k2 * sqrt(phi - vbm), k2


def _decay(x: float) -> float:
    """1/(2 cosh(x) - 2), within bounds."""
    if x >= _LARGEST:
        return 1.0 / (1.0 / _SMALLEST - 2.0)
    grown = exp(x)
    return grown / ((grown - 1.0) ** 2 + 2.0 * grown * _SMALLEST)


def _reach(card: Bsim4Card, body: Body) -> float:
    return sqrt(SILICON / (card.get("epsrox") * VACUUM) * body.toxe * body.xdep)


def _narrow(card: Bsim4Card, sizes: Sizes, body: Body) -> float:
    return body.toxe * body.phi / (sizes.width + card.get("w0"))


def _threshold(card: Bsim4Card, at: Place, sizes: Sizes, body: Body) -> dict[str, float]:
    root = sqrt(body.phi)
    narrow = _narrow(card, sizes, body)
    kt = (card.get("kt1") + card.get("kt1l") / sizes.length) * at.warmer
    pockets = body.k1ox * (sqrt(1.0 + card.get("lpe0") / sizes.length) - 1.0) * root
    along = sqrt(1.0 + card.get("lpeb") / sizes.length)
    vbc = -30.0
    if body.k2 < 0.0:
        vbc = min(max(0.9 * (body.phi - (0.5 * body.k1 / body.k2) ** 2), -30.0), -3.0)
    dT = at.T - at.measured
    return {
        "Vt0": body.vth0 + pockets + kt + card.get("k3") * narrow - body.k1 * root * along,
        "Kb1": body.k1ox * along,
        "Kb2": -body.k2ox + card.get("k3b") * narrow + card.get("kt2") * at.warmer,
        "Kb0": body.k2ox - card.get("k3b") * narrow,
        "Phi": body.phi,
        "Vbc": min(vbc, card.get("vbm")),
        "Xdep0": body.xdep,
        "V0": body.vbi - body.phi,
        **{name.capitalize(): card.get(name) for name in ("dvt0", "dvt1", "dvt2", "dvt0w", "dvt1w", "dvt2w")},
        "Eta0": card.get("eta0") + card.get("teta0") * dT / at.measured,
        "Etab": card.get("etab"),
        "Dibl": _decay(card.get("dsub", card.get("drout")) * sizes.length / _reach(card, body)),
        "Dvtp0": card.get("dvtp0"),
        "Dvtp1": card.get("dvtp1"),
        "Nfactor": card.get("nfactor") + card.get("tnfactor") * dT / at.measured,
        **{name.capitalize(): card.get(name) for name in ("cdsc", "cdscb", "cdscd", "cit")},
        "Ngate": _gate_doping(card),
        "Vfb": body.vfb,
        "Mstar": 0.5 + atan(card.get("minv")) / pi,
        "Voff": card.get("voff") * (1.0 + card.get("tvoff") * dT) + card.get("voffl") / sizes.length,
        "Cdep0": sqrt(ELECTRON * SILICON * body.ndep * _PER_CUBIC_METRE / 2.0 / body.phi),
    }


def _gate_doping(card: Bsim4Card) -> float:
    """In 1/cm3; outside of 1e18 to 1e25 the gate is a metal."""
    doping = _doping(card.get("ngate"), 1e23)
    return doping if 1e18 < doping < 1e25 else 0.0


def _current(card: Bsim4Card, at: Place, sizes: Sizes, body: Body) -> dict[str, float]:
    warmer = at.warmer
    mobmod = card.mode("mobmod")
    wr = (sizes.width_cj * 1e6) ** card.get("wr")
    u0 = card.by_type("u0", 0.067, 0.025)
    u0 = u0 / 1e4 if u0 > 1.0 else u0
    uc = card.get("uc", -0.0465 if mobmod == 1.0 else -0.0465e-9)
    uc += card.get("uc1", -0.056 if mobmod == 1.0 else -0.056e-9) * warmer
    rout = card.get("pdiblc1") * _decay(card.get("drout") * sizes.length / _reach(card, body)) + card.get("pdiblc2")
    alpha = card.get("alpha0") + card.get("alpha1") * sizes.length
    return {
        "Dwg": card.get("dwg"),
        "Dwb": card.get("dwb"),
        "Rds0": (card.get("rdsw") + card.get("prt") * warmer) / wr,
        "Rdsmin": (card.get("rdswmin") + card.get("prt") * warmer) / wr,
        "Bw": card.get("b0") / (sizes.width + card.get("b1")),
        "U0": u0 * (1.0 - card.get("up") * exp(-sizes.length / card.get("lp"))) * (warmer + 1.0) ** card.get("ute"),
        "Ua": card.get("ua", 1e-9) + card.get("ua1") * warmer,
        "Ub": card.get("ub") + card.get("ub1") * warmer,
        **({"Ucb": uc} if mobmod == 1.0 else {"Uc": uc}),
        "Ud": card.get("ud") + card.get("ud1") * warmer,
        "Vsat": card.get("vsat") - card.get("at") * warmer,
        "Litl": sqrt(3.0 * 3.9 / card.get("epsrox") * card.get("xj") * body.toxe),
        "Rout": rout if rout > _SMALLEST else 0.0,
        "Pdiblb": card.get("pdiblcb"),
        "Alpha": alpha if alpha > 0.0 and card.get("beta0") > 0.0 else 0.0,
        **{name.capitalize(): card.get(name) for name in ("a0", "ags", "keta", "xj", "a1", "a2", "delta", "pclm")},
        **{name.capitalize(): card.get(name) for name in ("fprout", "pvag", "pdits", "pditsd", "pditsl", "pscbe1")},
        **{name.capitalize(): card.get(name) for name in ("pscbe2", "beta0", "prwg", "prwb", "ados", "bdos")},
    }


def _leakage(card: Bsim4Card, at: Place, sizes: Sizes, body: Body) -> dict[str, float]:
    is_n = card.sign > 0.0
    size, barrier = (4.97232e-7, 7.45669e11) if is_n else (3.42537e-7, 1.16645e12)
    edge = body.toxe * card.get("poxedge")
    thin = (card.get("toxref") / body.toxe) ** card.get("ntox") / body.toxe**2
    thin_edge = (card.get("toxref") / edge) ** card.get("ntox") / edge**2
    area = sizes.width * sizes.length
    lint = card.get("lint")
    ngate = _doping(card.get("ngate"), 1e23)
    nsd = _doping(card.get("nsd"), 1e23)
    flat = body.vt * log(ngate / nsd) if ngate > 0.0 else 0.0
    flat += card.get("vfbsdoff") * (1.0 + card.get("tvfbsdoff") * (at.T - at.measured))
    through_channel = card.mode("igcmod") == 1.0
    ends = {f"{letter.upper()}ig{end}": _of_edge(card, letter, end, is_n) for letter in "abc" for end in "sd"}
    root = sqrt(body.phi)
    kt = (card.get("kt1") + card.get("kt1l") / sizes.length) * at.warmer
    pockets = body.k1ox * (sqrt(1.0 + card.get("lpe0") / sizes.length) - 1.0) * root
    reach = _reach(card, body)
    barrier_of_ends = body.vbi - body.phi
    short = card.get("dvt0") * _decay(card.get("dvt1") * sizes.length / reach) * barrier_of_ends
    both = card.get("dvt0w") * _decay(card.get("dvt1w") * sizes.width * sizes.length / reach) * barrier_of_ends
    narrow = card.get("k3") * _narrow(card, sizes, body)
    found = {
        "Wcj": sizes.width_cj,
        "Vfbzb": body.vth0 - short - both + narrow + pockets + kt - body.phi - body.k1 * root,
        "K1ox": body.k1ox,
        "Vth0": body.vth0,
        "Kgc": size * area * thin if through_channel else 0.0,
        "Kge_s": size * sizes.width * card.given.get("dlcig", lint) * thin_edge,
        "Kge_d": size * sizes.width * card.given.get("dlcigd", card.given.get("dlcig", lint)) * thin_edge,
        "Kgb": 4.97232e-7 * area * thin if card.mode("igbmod") == 1.0 else 0.0,
        "Bech": -barrier * body.toxe,
        "Bech_e": -barrier * edge,
        "Aigc": card.by_type("aigc", 0.0136, 0.0098),
        "Bigc": card.by_type("bigc", 1.71e-3, 7.59e-4),
        "Cigc": card.by_type("cigc", 0.075, 0.03),
        "Pigcd": card.get("pigcd", 1.0) if card.has("pigcd") else 0.0,
        "Vfbsd": flat,
        **ends,
    }
    plain = ("nigc", "aigbacc", "bigbacc", "cigbacc", "nigbacc", "aigbinv", "bigbinv", "cigbinv", "nigbinv", "eigbinv")
    found |= {name.capitalize(): card.get(name) for name in plain}
    for letter in "abce":
        found[f"{letter.upper()}gidl"] = card.get(f"{letter}gidl")
        found[f"{letter.upper()}gisl"] = card.get(f"{letter}gisl", card.get(f"{letter}gidl"))
    for end in ("gidl", "gisl"):
        if found[f"B{end}"] <= 0.0 or found[f"C{end}"] <= 0.0 or found[f"A{end}"] < 0.0:
            found[f"A{end}"] = 0.0
    return found


def _of_edge(card: Bsim4Card, letter: str, end: str, is_n: bool) -> float:
    """`aigs`, `bigd`, ...: of the end, or of both."""
    n, p = {"a": (0.0136, 0.0098), "b": (1.71e-3, 7.59e-4), "c": (0.075, 0.03)}[letter]
    both = f"{letter}igsd"
    return card.get(both, 0.0) if card.has(both) else card.get(f"{letter}ig{end}", n if is_n else p)


def _charges(card: Bsim4Card, at: Place, sizes: Sizes, body: Body) -> dict[str, float]:
    xpart = card.get("xpart")
    cf = card.get("cf", 2.0 * card.get("epsrox") * VACUUM / 3.141592654 * log(1.0 + 0.4e-6 / body.toxe))
    dlc = card.given.get("dlc", 0.0)

    def overlap(name: str, light: float) -> float:
        default = dlc * body.coxe - light if dlc > 0.0 else 0.6 * card.get("xj") * body.coxe
        return card.given.get(name, default) + cf

    cgdl = card.get("cgdl", card.get("cgsl") if not card.has("cgdl") else 0.0)
    dwc = card.given.get("dwc", card.get("wint"))
    return {
        "capmod": 2,
        "partition": 0.0 if xpart > 0.5 else 0.4 if xpart < 0.5 else 0.5,
        "Lcv": sizes.length_cv,
        "Wcv": sizes.width_cv,
        "Noff": card.get("noff"),
        "Voffcv": card.get("voffcv") * (1.0 + card.get("tvoffcv") * (at.T - at.measured)),
        "Acde": card.get("acde") * (body.ndep / 2e16) ** -0.25,
        "Ldeb": sqrt(SILICON * body.vt / (ELECTRON * body.ndep * _PER_CUBIC_METRE)) / 3.0,
        "Moin": card.get("moin"),
        "Acv": 1.0 + (card.get("clc") / sizes.length_cv) ** card.get("cle"),
        "Cgso": overlap("cgso", card.get("cgsl")),
        "Cgdo": overlap("cgdo", cgdl),
        "Cgbo": card.given.get("cgbo", 2.0 * dwc * body.coxe),
        "Cgsl": card.get("cgsl"),
        "Cgdl": cgdl,
        "Ckappas": max(card.get("ckappas"), 0.02),
        "Ckappad": max(card.get("ckappad", card.get("ckappas")), 0.02),
    }


def _junctions(card: Bsim4Card, at: Place, sizes: Sizes) -> dict[str, float]:
    found: dict[str, float] = {}
    for end in "sd":
        area, perimeter = diffusion(card, at.given, at.nf, sizes.width_cj, end)

        def of(name: str, end: str = end, default: float | None = None) -> float:
            own = name.replace("*", end)
            return card.get(own, card.get(name.replace("*", "s"), default) if end == "d" else default)

        walls = {"b": ("cj*", "pb*", "mj*", "", area), "w": ("cjsw*", "pbsw*", "mjsw*", "sw", perimeter)}
        walls["g"] = ("cjswg*", "pbswg*", "mjswg*", "swg", sizes.width_cj * at.nf)
        dT = at.T - at.measured
        for part, (capacitance, potential, grading, suffix, size) in walls.items():
            defaults = (card.get("cjsws"), card.get("pbsws"), card.get("mjsws")) if part == "g" else (None, None, None)
            grown = max(1.0 + card.get(f"tcj{suffix}") * dT, 0.0)
            found[f"C{part}_{end}"] = of(capacitance, default=defaults[0]) * grown * size * at.count
            lower = card.get(f"tpb{suffix}") * dT
            found[f"P{part}_{end}"] = max(max(of(potential, default=defaults[1]), 0.1) - lower, 0.01)
            found[f"M{part}_{end}"] = of(grading, default=defaults[2])
        emission = of("nj*")
        n_vt = THERMAL * at.T * emission
        warm = _gap(at.measured) / (THERMAL * at.measured) - _gap(at.T) / (THERMAL * at.T)
        growth = exp((warm + of("xti*") * log(at.T / at.measured)) / emission)
        current = of("js*") * area + of("jsw*") * perimeter + of("jswg*") * sizes.width_cj * at.nf
        current = current * growth if area > 0.0 or perimeter > 0.0 else 0.0
        found[f"Is_{end}"] = current * at.count
        found[f"N_{end}"] = emission
        found[f"Vj_{end}"] = n_vt * log(1.0 + of("ijth*fwd") / current) if current > 0.0 else 1.0
    return found


def _resistances(card: Bsim4Card, at: Place, sizes: Sizes) -> dict[str, float]:
    found: dict[str, float] = {}
    if card.mode("rgatemod") == 1.0:
        contacts = card.get("ngcon")
        length = contacts * at.nf * (sizes.new_length - card.get("xgl"))
        gate = card.get("rshg") * (card.get("xgw") + sizes.width_cj / 3.0 / contacts) / length
        found["Rg"] = (gate if gate > 0.0 else 1e-3) / at.count
    if card.mode("rbodymod") == 1.0:
        ways = {"Gbb": "rbpb", "Gbs": "rbps", "Gbd": "rbpd", "Gs": "rbsb", "Gd": "rbdb"}
        for own, name in ways.items():
            resistance = card.get(name)
            found[own] = (1e3 if resistance < 1e-3 else card.get("gbmin") + 1.0 / resistance) * at.count
    return found
