"""From a BSIM4 model card (levels 14 and 54) and the sizes of a transistor to the numbers of its component.

The formulas are those of BSIM4 4.8 as ngspice 39 has them, for tempMod 0 and mtrlMod 0. Names are those of cards; every
parameter may have additions over length and width: `lvth0`, `wvth0`, `pvth0`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

_DEFAULTS: dict[str, float] = {
    **{"toxref": 3e-9, "dtox": 0.0, "epsrox": 3.9, "xl": 0.0, "xw": 0.0, "lint": 0.0, "wint": 0.0, "dwc": 0.0},
    **dict.fromkeys(("ll", "lw", "lwl", "wl", "ww", "wwl", "llc", "lwc", "lwlc", "wlc", "wwc", "wwlc", "dwj"), 0.0),
    **dict.fromkeys(("lln", "lwn", "wln", "wwn"), 1.0),
    **{"k3": 80.0, "k3b": 0.0, "w0": 2.5e-6, "dvt0": 2.2, "dvt1": 0.53, "dvt2": -0.032, "dvt0w": 0.0, "dvt1w": 5.3e6},
    **{"dvt2w": -0.032, "dsub": 0.56, "minv": 0.0, "voffl": 0.0, "dvtp0": 0.0, "dvtp1": 0.0, "lpe0": 1.74e-7},
    **{"lpeb": 0.0, "xj": 1.5e-7, "ngate": 0.0, "ndep": 1.7e17, "nsub": 6e16, "nsd": 1e20, "phin": 0.0, "xt": 1.55e-7},
    **{"vbm": -3.0, "cdsc": 2.4e-4, "cdscb": 0.0, "cdscd": 0.0, "cit": 0.0, "voff": -0.08, "nfactor": 1.0},
    **{"eta0": 0.08, "etab": -0.07, "ub": 1e-19, "ud": 0.0, "up": 0.0, "lp": 1e-8, "vsat": 8e4, "a0": 1.0, "ags": 0.0},
    **{"a1": 0.0, "a2": 1.0, "b0": 0.0, "b1": 0.0, "keta": -0.047, "dwg": 0.0, "dwb": 0.0, "pclm": 1.3},
    **{"pdiblc1": 0.39, "pdiblc2": 0.0086, "pdiblcb": 0.0, "drout": 0.56, "pvag": 0.0, "delta": 0.01},
    **{"pscbe1": 4.24e8, "pscbe2": 1e-5, "fprout": 0.0, "pdits": 0.0, "pditsd": 0.0, "pditsl": 0.0, "rsh": 0.0},
    **{"rdsw": 200.0, "rdswmin": 0.0, "prwg": 1.0, "prwb": 0.0, "wr": 1.0, "alpha0": 0.0, "alpha1": 0.0, "beta0": 0.0},
    **{"agidl": 0.0, "bgidl": 2.3e9, "cgidl": 0.5, "egidl": 0.8, "aigbacc": 0.0136, "bigbacc": 1.71e-3},
    **{"cigbacc": 0.075, "nigbacc": 1.0, "aigbinv": 0.0111, "bigbinv": 9.49e-4, "cigbinv": 0.006, "nigbinv": 3.0},
    **{"eigbinv": 1.1, "nigc": 1.0, "poxedge": 1.0, "ntox": 1.0, "vfbsdoff": 0.0, "cgsl": 0.0, "ckappas": 0.6},
    **{"clc": 1e-7, "cle": 0.6, "acde": 1.0, "moin": 15.0, "noff": 1.0, "voffcv": 0.0, "xpart": 0.0, "ados": 1.0},
    **{"bdos": 1.0, "kt1": -0.11, "kt1l": 0.0, "kt2": 0.022, "ute": -1.5, "ua1": 1e-9, "ub1": -1e-18, "ud1": 0.0},
    **{"prt": 0.0, "at": 3.3e4, "jss": 1e-4, "jsws": 0.0, "jswgs": 0.0, "njs": 1.0, "ijthsfwd": 0.1, "xtis": 3.0},
    **{"pbs": 1.0, "cjs": 5e-4, "mjs": 0.5, "pbsws": 1.0, "cjsws": 5e-10, "mjsws": 0.33},
    **dict.fromkeys(("tpb", "tcj", "tpbsw", "tcjsw", "tpbswg", "tcjswg"), 0.0),
    **{"dmcg": 0.0, "dmci": -1.0, "dmcgt": 0.0, "dmdg": 0.0, "xgw": 0.0, "xgl": 0.0, "ngcon": 1.0, "rshg": 0.1},
    **{"gbmin": 1e-12, "rbpb": 50.0, "rbpd": 50.0, "rbps": 50.0, "rbdb": 50.0, "rbsb": 50.0},
    **{"tvoff": 0.0, "tnfactor": 0.0, "teta0": 0.0, "tvoffcv": 0.0, "tvfbsdoff": 0.0},
}
_DERIVED = (
    *("toxe", "toxp", "toxm", "vth0", "vfb", "k1", "k2", "gamma1", "gamma2", "vbx", "dlc", "dlcig", "u0", "ua", "uc"),
    *("uc1", "aigc", "bigc", "cigc", "aigsd", "bigsd", "cigsd", "aigs", "bigs", "cigs", "aigd", "bigd", "cigd"),
    *("pigcd", "cgso", "cgdo", "cgbo", "cf", "cgdl", "ckappad", "agisl", "bgisl", "cgisl", "egisl", "pbswgs"),
    *("cjswgs", "mjswgs", "jsd", "jswd", "jswgd", "njd", "ijthdfwd", "xtid", "pbd", "cjd", "mjd", "pbswd", "cjswd"),
    *("mjswd", "pbswgd", "cjswgd", "mjswgd", "dlcigd", "ketac"),
)
"""Parameters whose defaults follow from others or from the type."""

MODES: dict[str, tuple[float, tuple[float, ...]]] = {
    **{"mobmod": (0.0, (0.0, 1.0)), "capmod": (2.0, (2.0,)), "rdsmod": (0.0, (0.0,)), "igcmod": (0.0, (0.0, 1.0))},
    **{"igbmod": (0.0, (0.0, 1.0)), "gidlmod": (0.0, (0.0,)), "trnqsmod": (0.0, (0.0,)), "acnqsmod": (0.0, (0.0,))},
    **{"rgatemod": (0.0, (0.0, 1.0)), "rbodymod": (0.0, (0.0, 1.0)), "tempmod": (0.0, (0.0,)), "wpemod": (0.0, (0.0,))},
    **{"mtrlmod": (0.0, (0.0,)), "cvchargemod": (0.0, (0.0,)), "diomod": (1.0, (1.0,)), "permod": (1.0, (0.0, 1.0))},
    **{"geomod": (0.0, tuple(map(float, range(9)))), "rgeomod": (0.0, (0.0,)), "binunit": (1.0, (0.0, 1.0))},
}
"""Switches of a card: their default, and the values that are understood."""

_WITHOUT_EFFECT = frozenset(
    (
        *(
            "level",
            "version",
            "paramchk",
            "tnoimod",
            "fnoimod",
            "noia",
            "noib",
            "noic",
            "em",
            "ef",
            "af",
            "kf",
            "ntnoi",
        ),
        *("tnoia", "tnoib", "tnoic", "rnoia", "rnoib", "rnoic", "lintnoi", "lmin", "lmax", "wmin", "wmax", "xrcrg1"),
        *("xrcrg2", "rsw", "rdw", "rswmin", "rdwmin", "ijthsrev", "ijthdrev", "bvs", "bvd", "xjbvs", "xjbvd", "saref"),
        *("sbref", "wlod", "scref", "vfbcv", "eu", "ucs", "ucste", "minvcv", "voffcvl", "xn", "mtrlcompatmod"),
        *("vtss", "vtsd", "vtssws", "vtsswd", "vtsswgs", "vtsswgd", "njts", "njtssw", "njtsswg", "phig", "epsrgate"),
        *("eot", "vddeot", "leffeot", "weffeot", "tempeot", "epsrsub", "easub", "ni0sub", "bg0sub"),
        *("ku0", "kvth0", "kvsat", "tku0", "llodku0", "wlodku0", "llodvth", "wlodvth", "stk2", "lodk2", "steta0"),
        *("tbgasub", "tbgbsub", "lodeta0", "web", "wec", "kvth0we", "k2we", "ku0we"),
        *("xtss", "xtsd", "xtssws", "xtsswd", "xtsswgs", "xtsswgd", "njtsd", "njtsswd", "njtsswgd", "jtweff"),
        *("tnjts", "tnjtsd", "tnjtssw", "tnjtsswd", "tnjtsswg", "tnjtsswgd", "rgidl", "kgidl", "fgidl", "rgisl"),
        *("kgisl", "fgisl", "rbpbx0", "rbpbxl", "rbpbxw", "rbpbxnf", "rbpby0", "rbpbyl", "rbpbyw", "rbpbynf"),
        *("rbps0", "rbpsl", "rbpsw", "rbpsnf", "rbpd0", "rbpdl", "rbpdw", "rbpdnf", "rbsbx0", "rbsby0", "rbdbx0"),
        *("rbdby0", "rbsdbxl", "rbsdbxw", "rbsdbxnf", "rbsdbyl", "rbsdbyw", "rbsdbynf", "vgs_max", "vgd_max"),
        *("vgb_max", "vds_max", "vbs_max", "vbd_max", "vgsr_max", "vgdr_max", "vgbr_max", "vbsr_max", "vbdr_max"),
    )
)
"""Of noise, bins, warnings, laws that the switches turn off, and stress, which acts with sa= and sb= alone."""

_OF_OTHER_LAWS = frozenset(
    (
        *("dvtp2", "dvtp3", "dvtp4", "dvtp5", "lambda", "lc", "vtl", "gidlclamp", "idovvds"),
        *("jtss", "jtsd", "jtssws", "jtsswd", "jtsswgs", "jtsswgd"),
    )
)
"""What ngspice knows and is not computed here."""


def _belongs(name: str, known: frozenset[str]) -> bool:
    """Whether a name is known, or an addition to one over length or width."""
    return name in known or (name[0] in "lwp" and name[1:] in known)


class Bsim4Card:
    """The numbers of a card for one length and width, with their additions."""

    DEFAULTS: ClassVar[Mapping[str, float]] = _DEFAULTS
    DERIVED: ClassVar[tuple[str, ...]] = _DERIVED
    MODES: ClassVar[Mapping[str, tuple[float, tuple[float, ...]]]] = MODES
    WITHOUT_EFFECT: ClassVar[frozenset[str]] = _WITHOUT_EFFECT
    OF_OTHER_LAWS: ClassVar[frozenset[str]] = _OF_OTHER_LAWS

    def __init__(self, given: Mapping[str, float], sign: float) -> None:
        self.given = given
        self.sign = sign
        self._over: tuple[float, float, float] = (0.0, 0.0, 0.0)  # 1/L, 1/W, 1/(L W)

    def strange(self) -> dict[str, float]:
        """Laws that are not computed, and switches with other values."""
        others = self.OF_OTHER_LAWS
        found = {name: value for name, value in self.given.items() if value and _belongs(name, others)}
        return found | {name: self.mode(name) for name, (_, fine) in self.MODES.items() if self.mode(name) not in fine}

    def unknown(self) -> list[str]:
        """Names that the law does not have: ngspice ignores them with a warning."""
        known = frozenset((*self.DEFAULTS, *self.DERIVED, *self.MODES, *self.WITHOUT_EFFECT, *self.OF_OTHER_LAWS))
        return [name for name in self.given if not _belongs(name, known)]

    def bin(self, length: float, width: float) -> None:
        """Additions are taken at this size."""
        unit = 1e-6 if self.mode("binunit") == 1.0 else 1.0
        self._over = (unit / length, unit / width, unit**2 / (length * width))

    def mode(self, name: str) -> float:
        """A switch."""
        return self.given.get(name, self.MODES[name][0])

    def has(self, name: str) -> bool:
        """Whether the card gives it."""
        return name in self.given

    def get(self, name: str, default: float | None = None) -> float:
        """A parameter with its additions."""
        value = self.given.get(name, self.DEFAULTS[name] if default is None else default)
        return value + sum(self.given.get(a + name, 0.0) * x for a, x in zip("lwp", self._over, strict=True))

    def by_type(self, name: str, n: float, p: float) -> float:
        """A parameter whose default depends on the type."""
        return self.get(name, n if self.sign > 0.0 else p)
