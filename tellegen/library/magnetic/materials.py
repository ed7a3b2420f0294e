"""Magnetic materials: numbers to give to flux tubes and magnets.

    magnetic.Cuboid(l=0.1, a=0.02, b=0.02, **magnetic.soft("M350_50A"))
    magnetic.PermanentMagnet(l=0.005, area=1e-4, **magnetic.hard("NdFeB"))

Soft ones have a permeability that depends on the flux density, by the formula of Roschke (2000),

    mu_r(B) = 1 + (mu_i - 1 + c_a b) / (1 + c_b b + b^n),       b = |B|/B_max

which rises from mu_i to its largest value near B_max and falls to 1 in saturation. Its five numbers are fitted to
measured curves; those of the Modelica Standard Library are taken, and so are the remanence and coercivity of magnets
at 20 degC. They are ordinary parameters of the component, so one may change or fit them.
"""

from __future__ import annotations

from difflib import get_close_matches

import tellegen as tg
from tellegen.library.magnetic.interfaces import MU_0

SOFT: dict[str, tuple[float, float, float, float, float]] = {  # mu_i, B_max (T), c_a, c_b, n
    "AISI_1008": (200.0, 1.17, 8100.0, 2.59, 10.0),
    "AISI_12L14": (10.0, 0.94, 5900.0, 4.19, 6.4),
    "DC01": (5.0, 1.1, 6450.0, 3.65, 7.7),
    "M350_50A": (1210.0, 1.16, 24630.0, 2.44, 14.0),
    "M530_50A": (2120.0, 1.25, 12400.0, 1.6, 13.5),
    "M700_100A": (1120.0, 1.2, 20750.0, 3.55, 13.15),
    "M940_100A": (680.0, 1.26, 17760.0, 3.13, 13.9),
    "MuMetal": (27300.0, 0.46, 1037500.0, 3.67, 10.0),
    "Permenorm3601K3": (3000.0, 0.67, 50000.0, 2.39, 9.3),
    "RFe80": (123.0, 1.27, 44410.0, 6.4, 10.0),
    "Steel_9SMn28K": (500.0, 1.036, 43414.0, 35.8, 14.0),
    "Steel_9SMnPb28": (400.0, 1.488, 1200.0, 3.0, 12.5),
    "VacoferS2": (2666.0, 1.15, 187000.0, 4.24, 19.0),
    "Vacoflux50": (3850.0, 1.75, 11790.0, 2.63, 15.02),
    "X6Cr17": (274.0, 1.1, 970.0, 1.2, 8.3),
}

HARD: dict[str, tuple[float, float]] = {  # remanence B_r (T), coercivity H_cB (A/m)
    "HardFerrite": (0.38, 170e3),
    "NdFeB": (1.2, 900e3),
    "PlasticHardFerrite": (0.21, 130e3),
    "PlasticNdFeB": (0.58, 400e3),
    "PlasticSmCo": (0.57, 385e3),
    "Sm2Co17": (1.02, 750e3),
    "SmCo5": (0.95, 720e3),
}


def soft(name: str) -> dict[str, float | bool]:
    """The parameters of a soft magnetic material for a flux tube: permeability by Roschke's formula."""
    numbers = _known("soft magnetic", name, SOFT)
    return {"nonlinear": True, **dict(zip(("mu_i", "B_max", "c_a", "c_b", "n"), numbers, strict=True))}


def hard(name: str) -> dict[str, float]:
    """The parameters of a magnet: remanence B_r and relative permeability B_r/(mu_0 H_cB)."""
    B_r, H_cB = _known("hard magnetic", name, HARD)
    return {"B_r": B_r, "mu_r": B_r / (MU_0 * H_cB)}


def _known(kind: str, name: str, table: dict[str, tuple[float, ...]]) -> tuple[float, ...]:
    if name in table:
        return table[name]
    close = get_close_matches(name, table, n=1, cutoff=0.5)
    raise tg.DataError(
        "E706",
        f"there is no {kind} material '{name}'",
        advice=f"{f'did you mean {close[0]!r}? ' if close else ''}Known are {', '.join(table)}",
    )
