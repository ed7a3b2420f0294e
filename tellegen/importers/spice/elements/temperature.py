"""Parameters of a .model at the temperature of a run, from those at the temperature where they were measured.

The formulas are those of SPICE 2 and 3: saturation currents grow with the carriers that cross the band gap, potentials
of junctions fall, capacitances follow them, mobilities fall with the power 1.5 of the temperature, gains with Xtb.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import Any

from tellegen.library.electrical.semiconductors.junction import BOLTZMANN_OVER_CHARGE
from tellegen.library.electrical.semiconductors.mos_charges import PERMITTIVITY
from tellegen.library.electrical.semiconductors.mosfet import DEFAULT_KP

_REFERENCE = 300.15  # K, for which the formulas of silicon are written
_GAP_THERE = 1.1150877  # V
_EXPANSION = 4e-4  # 1/K, of capacitances
_KELVIN = 273.15


@dataclass(frozen=True)
class Warmed:
    """Two temperatures in kelvin: where parameters were measured, and that of the device."""

    measured: float
    device: float

    @property
    def ratio(self) -> float:
        """How much warmer the device is."""
        return self.device / self.measured

    def growth(self, gap: float, exponent: float) -> float:
        """The logarithm of the growth of a saturation current."""
        thermal = BOLTZMANN_OVER_CHARGE * self.device
        return (self.ratio - 1.0) * gap / thermal + exponent * log(self.ratio)

    def potential(self, volts: float) -> float:
        """The potential of a junction."""
        return _potential_of(self._intrinsic(volts), self.device)

    def capacitance_factor(self, volts: float, grading: float) -> float:
        """How a depletion capacitance grows; `volts` is the potential of its junction where it was measured."""
        intrinsic = self._intrinsic(volts)

        def relative(temperature: float, potential: float) -> float:
            return 1.0 + grading * (_EXPANSION * (temperature - _REFERENCE) - (potential - intrinsic) / intrinsic)

        return relative(self.device, self.potential(volts)) / relative(self.measured, volts)

    def _intrinsic(self, volts: float) -> float:
        """The potential that a junction would have at the reference."""
        return (volts - _shift(self.measured)) * _REFERENCE / self.measured


def band_gap(temperature: float) -> float:
    """The band gap of silicon."""
    return 1.16 - 7.02e-4 * temperature**2 / (temperature + 1108.0)


def _shift(temperature: float) -> float:
    """What carriers of their own take from the potential of a junction."""
    thermal = BOLTZMANN_OVER_CHARGE * temperature
    carriers = -band_gap(temperature) / (2.0 * thermal) + _GAP_THERE / (2.0 * BOLTZMANN_OVER_CHARGE * _REFERENCE)
    return -2.0 * thermal * (1.5 * log(temperature / _REFERENCE) + carriers)


def _potential_of(intrinsic: float, temperature: float) -> float:
    return intrinsic * temperature / _REFERENCE + _shift(temperature)


def warmed(cls: Any, numbers: Mapping[str, float], measured: float, device: float) -> dict[str, float]:
    """Parameters of a class of semiconductors at the temperature of the device; temperatures are in degrees Celsius.

    Only those that differ are returned.
    """
    if measured == device:
        return {}
    given = _Parameters(cls, numbers)
    heat = Warmed(measured + _KELVIN, device + _KELVIN)
    name = cls.__name__
    if name == "Diode":
        return _diode(given, heat)
    if name in ("NJFET", "PJFET"):
        return _junction_fet(given, heat)
    return _bipolar(given, heat) if name in ("NPN", "PNP", "DelayedNPN", "DelayedPNP") else _mosfet(given, heat)


class _Parameters:
    """Those of a model, with the defaults of its class."""

    def __init__(self, cls: Any, numbers: Mapping[str, float]) -> None:
        self.cls = cls
        self.numbers = numbers

    def __getitem__(self, name: str) -> float:
        if name in self.numbers:
            return self.numbers[name]
        declared = self.cls._info.parameters[name].value
        return float(declared) if isinstance(declared, int | float) else 0.0


def _junction(given: _Parameters, heat: Warmed, potential: str, grading: str, *capacitances: str) -> dict[str, float]:
    """The potential and the capacitances of a depletion layer."""
    volts = given[potential]
    factor = heat.capacitance_factor(volts, given[grading])
    return {potential: heat.potential(volts), **{name: given[name] * factor for name in capacitances if given[name]}}


def _diode(given: _Parameters, heat: Warmed) -> dict[str, float]:
    growth = heat.growth(given["Eg"], given["Xti"])
    changed = {"Is": given["Is"] * exp(growth / given["N"])}
    if given["Isr"]:
        changed["Isr"] = given["Isr"] * exp(growth / given["Nr"])
    return changed | _junction(given, heat, "Vj", "M", "Cjo")


def _bipolar(given: _Parameters, heat: Warmed) -> dict[str, float]:
    growth = heat.growth(given["Eg"], given["Xti"])
    gain = heat.ratio ** given["Xtb"]
    changed = {"Is": given["Is"] * exp(growth), "Bf": given["Bf"] * gain, "Br": given["Br"] * gain}
    for current, emission in (("Ise", "Ne"), ("Isc", "Nc")):
        if given[current]:
            changed[current] = given[current] * exp(growth / given[emission]) / gain
    return changed | _junction(given, heat, "Vje", "Mje", "Cje") | _junction(given, heat, "Vjc", "Mjc", "Cjc")


def _junction_fet(given: _Parameters, heat: Warmed) -> dict[str, float]:
    """Is grows with the band gap alone, without a power of the temperature."""
    growth = heat.growth(given["Eg"], 0.0)
    volts = given["Pb"]
    factor = heat.capacitance_factor(volts, 0.5)
    charges = {name: given[name] * factor for name in ("Cgs", "Cgd") if given[name]}
    return {"Is": given["Is"] * exp(growth), "Pb": heat.potential(volts), "Pb_b": volts, **charges}


def _mosfet(given: _Parameters, heat: Warmed) -> dict[str, float]:
    sign = given.cls.SIGN
    slower = heat.ratio**-1.5
    gaps = band_gap(heat.measured) - band_gap(heat.device)
    phi = given["Phi"]
    potential = heat.potential(phi)
    roots = given["Gamma"] * (sqrt(potential) - sqrt(phi))
    thermal = [BOLTZMANN_OVER_CHARGE * temperature for temperature in (heat.measured, heat.device)]
    growth = exp(band_gap(heat.measured) / thermal[0] - band_gap(heat.device) / thermal[1])
    changed = {
        "U0": given["U0"] * slower,
        "Phi": potential,
        "Vto": given["Vto"] + 0.5 * gaps + sign * (0.5 * (potential - phi) + roots),
        **{name: given[name] * growth for name in ("Is", "Is_d") if given[name]},
    }
    if given.cls.__name__ in ("NMOS2", "PMOS2"):  # the velocity is that of U0 as it was measured
        changed["Kp"] = (given["Kp"] or changed.pop("U0") * 1e-4 * PERMITTIVITY / given["Tox"] / slower) * slower
        changed.pop("U0", None)
    elif given.cls.__name__ in ("NMOS6", "PMOS6"):
        changed["Kc"] = given["Kc"] * slower
    elif given["Kp"] or not given["Tox"]:
        changed["Kp"] = (given["Kp"] or DEFAULT_KP) * slower
    if given["Cjsw"]:
        changed |= {"Cjsw": _junction(given, heat, "Pb", "Mjsw", "Cjsw")["Cjsw"]}
    return changed | _junction(given, heat, "Pb", "Mj", "Cj", "Cbd", "Cbs")


_COEFFICIENTS = {
    "d": re.compile(r"trs[12]?|tcv|tbv[12]|tikf|tm[12]|ttt[12]|ct[acp]|tpb|tvj|tphp|tlevc?"),
    "q": re.compile(
        r"t(re|rc|rb|rm|bf|br|ikf|ikr|irb|n[frecs]|vaf|var|itf|tf|tr|mj[ecs]|is|ise|isc|iss)[12]|ct[ecs]|tvj[ecs]|tlevc?"
    ),
    "j": re.compile(r"tcv|vtotc|betatce|bex"),
}
_SIDE_WALL = ("jsw", "isw", "cjsw", "cjp", "php", "vjsw", "mjsw", "ns", "ikp", "iks", "fcs")


def is_idle(letter: str, key: str, warm: bool) -> bool:
    """Whether a parameter does nothing for an element with this letter, warmer or colder than its model or not."""
    if letter == "d" and key in _SIDE_WALL:
        return True
    return not warm and letter in _COEFFICIENTS and _COEFFICIENTS[letter].fullmatch(key) is not None
