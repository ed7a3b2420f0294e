"""What the card of a MOS model says beside the parameters of a component: its level, and what follows from the doping.

.model nm nmos(level=3 nsub=1e16 tox=20n)     Phi, Gamma and Vto of a gate of this doping and oxide, as SPICE finds them
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log, sqrt
from typing import Any

from tellegen.importers.spice.elements.temperature import band_gap
from tellegen.library import electrical as el
from tellegen.library.electrical.semiconductors.junction import BOLTZMANN_OVER_CHARGE
from tellegen.library.electrical.semiconductors.mos_charges import PERMITTIVITY
from tellegen.library.electrical.thermal_noise import CHARGE

CLASSES: dict[tuple[str, float], Any] = {
    ("nmos", 1.0): el.NMOS,
    ("pmos", 1.0): el.PMOS,
    ("nmos", 2.0): el.NMOS2,
    ("pmos", 2.0): el.PMOS2,
    ("nmos", 3.0): el.NMOS3,
    ("pmos", 3.0): el.PMOS3,
    ("nmos", 6.0): el.NMOS6,
    ("pmos", 6.0): el.PMOS6,
}
OTHERS = ("level", "nsub", "nss", "tpg", "rsh", "js")
"""Parameters of a card that are used here."""

_OF_NONE = ("utra", "xqc", "cox", "capop")  # the last two are of HSPICE
WITHOUT_EFFECT: dict[float, frozenset[str]] = {
    1.0: frozenset((*_OF_NONE, "wd", "xj", "delta", "vmax", "nfs", "neff", "ucrit", "uexp", "theta", "eta", "kappa")),
    2.0: frozenset((*_OF_NONE, "wd", "theta", "eta", "kappa")),
    3.0: frozenset((*_OF_NONE, "ucrit", "uexp", "neff")),
    6.0: frozenset(
        (*_OF_NONE, "xj", "ucrit", "uexp", "neff", "vmax", "nvth", "ps", "nfs", "delta", "theta", "eta", "kp")
    ),
}
"""Parameters of other levels, which ngspice ignores at this one."""

_SILICON = 11.7 * 8.854214871e-12  # F/m, permittivity
_CARRIERS = 1.45e16  # 1/m3, of pure silicon at 300 K
_ROOM = 300.0  # K
_PER_CUBIC_METRE = 1e6
_PER_SQUARE_METRE = 1e4
_PER_SQUARE_CENTIMETRE = 1e-4
_KELVIN = 273.15
_LEAST_POTENTIAL = 0.1  # V


def of_doping(cls: Any, numbers: Mapping[str, float], others: Mapping[str, float], celsius: float) -> dict[str, float]:
    """Phi, Gamma and Vto where the card does not give them, but the doping and the oxide."""
    doping = others.get("nsub", 0.0) * _PER_CUBIC_METRE
    is_short = cls in (el.NMOS3, el.PMOS3)
    oxide = numbers.get("Tox", 0.0 if cls in (el.NMOS, el.PMOS, el.NMOS6, el.PMOS6) else 1e-7)
    T = celsius + _KELVIN
    carriers = _carriers(T) if is_short else _CARRIERS  # as ngspice has it
    found = dict(numbers)
    if cls in (el.NMOS6, el.PMOS6) and "Lambda" in numbers:
        found.setdefault("Lambda0", numbers["Lambda"])
    if cls in (el.NMOS6, el.PMOS6) and oxide:
        found.setdefault("Kc", 0.5 * numbers.get("U0", 600.0) * _PER_SQUARE_CENTIMETRE * PERMITTIVITY / oxide)
    if not (doping > carriers and oxide):
        return found
    capacitance = PERMITTIVITY / oxide
    sign = cls.SIGN
    potential = 2.0 * BOLTZMANN_OVER_CHARGE * T * log(doping / carriers)
    phi = found.setdefault("Phi", max(potential, _LEAST_POTENTIAL))
    gamma = found.setdefault("Gamma", sqrt(2.0 * _SILICON * CHARGE * doping) / capacitance)
    gap = band_gap(T)
    gate = others.get("tpg", 1.0)
    work = 3.25 + 0.5 * gap - sign * gate * 0.5 * gap if gate else 3.2
    flat = work - (3.25 + 0.5 * gap + sign * 0.5 * phi)
    flat -= others.get("nss", 0.0) * _PER_SQUARE_METRE * CHARGE / capacitance
    found.setdefault("Vto", flat + sign * (gamma * sqrt(phi) + phi))
    return found


def _carriers(T: float) -> float:
    """Of pure silicon, in 1/m3."""
    warmer = 0.5 * band_gap(T) * (1.0 / _ROOM - 1.0 / T) / BOLTZMANN_OVER_CHARGE
    return _CARRIERS * (T / _ROOM) ** 1.5 * exp(warmer)


def of_areas(numbers: dict[str, float], others: Mapping[str, float], squares: Mapping[str, float]) -> dict[str, float]:
    """Rd and Rs of the sheet resistance and the squares of an element, Is of the density and its areas."""
    found: dict[str, float] = {}
    for own, key in (("Rd", "nrd"), ("Rs", "nrs")):
        if others.get("rsh") and own not in numbers:
            found[own] = others["rsh"] * squares[key]
    if others.get("js") and numbers.get("Ad") and numbers.get("As"):
        found["Is"] = others["js"] * numbers["As"]
        found["Is_d"] = others["js"] * numbers["Ad"]
    return found
