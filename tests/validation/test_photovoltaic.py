"""Photovoltaics: the characteristic against SciPy, data sheets, trackers against the true maximum, the sun's geometry.

Tolerances: the implicit equation is solved by Newton's method to the tolerance of the run, by SciPy to 1e-13.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import photovoltaic as pv
from tellegen.library import thermal as th
from tellegen.library.photovoltaic.data_sheet import single_diode
from validation.measured import relative, within

VT = 1.380649e-23 / 1.602176634e-19
SHEET = {"Voc": 32.9, "Isc": 8.21, "Vmp": 26.3, "Imp": 7.61}  # KC200GT, as in Villalva et al. (2009)
DEFAULT = {"Iph": 8.8755, "I0": 2.6096e-9, "N": 1.1, "Rs": 0.270284, "Rsh": 436.254, "alpha": 5e-4}


def current(v: float, G: float = 1000.0, T: float = 298.15) -> float:
    """The default module, by bisection of the implicit equation in I as textbooks write it."""
    d, dT = DEFAULT, T - 298.15
    a = d["N"] * 60.0 * VT * T
    gap = 1.121 / VT
    I0 = d["I0"] * (T / 298.15) ** 3 * np.exp(gap / 298.15 - gap * (1.0 - 0.0002677 * dT) / T)
    Iph, Rsh = G / 1000.0 * d["Iph"] * (1.0 + d["alpha"] * dT), d["Rsh"] * 1000.0 / G

    def residual(i: float) -> float:
        return Iph - I0 * (np.exp((v + i * d["Rs"]) / a) - 1.0) - (v + i * d["Rs"]) / Rsh - i

    return float(brentq(residual, -50.0, 20.0, xtol=1e-13))  # type: ignore[arg-type]


def maximum(G: float = 1000.0, T: float = 298.15) -> tuple[float, float]:
    """Voltage and power of the true maximum."""
    found: Any = minimize_scalar(lambda v: -v * current(v, G, T), bounds=(5.0, 45.0), options={"xatol": 1e-10})
    return float(found.x), -float(found.fun)


class Swept(tg.Component):
    """A module whose voltage goes from -2 to 38 V; its temperature is that of a heat port."""

    T = tg.parameter(298.15, "K")
    module = pv.Module(use_heat_port=True)
    sweep = el.RampVoltage(V=40.0, offset=-2.0, duration=1.0)
    warm = th.FixedTemperature(T=T)
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.module.p, self.sweep.p
        yield self.module.n, self.sweep.n, self.ground.p
        yield self.module.heat_port, self.warm.port


@pytest.mark.parametrize(("G", "T"), [(1000.0, 298.15), (300.0, 298.15), (800.0, 338.15), (1000.0, 263.15)])
def test_characteristic(G: float, T: float) -> None:
    s = tg.simulate(Swept(T=T), 1.0, parameters={"module.G": G}, points=81, rtol=1e-9)
    expected = [current(float(v), G, T) for v in s["module.v"]]
    within("module, current over voltage, irradiance and temperature", -s["module.i"] - expected, 1e-6, "SciPy, A")


def test_data_sheet() -> None:
    """The model goes through all three points and has its maximum where the data sheet says; I0 as published."""
    module = pv.Module.from_data_sheet(**SHEET, Ns=54, N=1.3)
    system = tg.System("curve")
    system.add(module=module, sweep=el.RampVoltage(V=33.0, duration=1.0), ground=el.Ground())
    system.connect(module.p, system.sweep.p)
    system.connect(module.n, system.sweep.n, system.ground.p)
    s = tg.simulate(system, 1.0, points=3301, rtol=1e-9)
    v, i = s["module.v"], -s["module.i"]
    at = lambda volts: float(np.interp(volts, v, i))  # noqa: E731
    within("data sheet, short circuit", relative(at(0.0), 8.21), 1e-6, "Isc")
    within("data sheet, open circuit", at(32.9) / 8.21, 1e-4, "no current at Voc, of Isc; interpolated")
    within("data sheet, maximum power", relative((v * i).max(), 26.3 * 7.61), 1e-6, "Vmp Imp")
    within("data sheet, voltage of the maximum", v[int((v * i).argmax())] - 26.3, 0.05, "Vmp, V; flat there")
    found = float(pv.Module.from_data_sheet(**SHEET, Ns=54, N=1.3)._values["I0_ref"])
    within(
        "KC200GT, saturation current", relative(found, 9.825e-8), 0.01, "Villalva et al., table II; two digits of Rs"
    )


def test_impossible_data_sheets_are_refused() -> None:
    with pytest.raises(tg.LanguageError, match=r"(?s)E704.*Vmp = 40.*0 < Vmp < Voc"):
        pv.Module.from_data_sheet(Voc=37.0, Isc=8.0, Vmp=40.0, Imp=7.0)
    with pytest.raises(tg.LanguageError, match=r"(?s)E704.*ideality N = 1.8.*another N"):
        pv.Module.from_data_sheet(**SHEET, Ns=54, N=1.8)
    with pytest.raises(tg.LanguageError, match=r"(?s)E704.*N from 1.1 to 0.8"):
        pv.Module.from_data_sheet(Voc=37.0, Isc=8.0, Vmp=36.0, Imp=7.9)


def test_a_good_module_gets_a_smaller_ideality() -> None:
    """N = 1.1 would ask for a negative shunt here."""
    found = single_diode((37.6, 8.68, 30.5, 8.2), 60.0)
    assert found["N"] == 1.05
    assert found["Rsh"] > 0.0


def test_strings_and_cells() -> None:
    """n_s in series times n_p in parallel of the same light; a cell is a sixtieth of the module."""

    class Both(tg.Component):
        one, many, cell = pv.Module(), pv.Module(n_s=4.0, n_p=3.0), pv.Cell()
        v1 = el.ConstantVoltage(V=30.0)
        v2 = el.ConstantVoltage(V=120.0)
        v3 = el.ConstantVoltage(V=0.5)
        ground = el.Ground()

        def connections(self) -> Any:
            for part, source in ((self.one, self.v1), (self.many, self.v2), (self.cell, self.v3)):
                yield part.p, source.p
                yield part.n, source.n, self.ground.p

    s = tg.steady_state(Both())
    within("array of modules", relative(-s["many.i"], 3.0 * current(30.0)), 1e-7, "n_p times the current at v/n_s")
    within("a cell", relative(-s["cell.i"], current(30.0)), 1e-3, "the module at 60 times the voltage; rounded numbers")
    within("power", relative(s["one.power"], 30.0 * current(30.0)), 1e-7, "v I")


class Tracked(tg.Component):
    """A module and a tracker; the irradiance falls at 5 s."""

    module = pv.Module()
    converter = pv.TrackingConverter(eta=0.95, v1=tg.variable(start=22.0, fixed=True))
    tracker = pv.PerturbObserve(v_start=22.0, step=0.25, clock=tg.Clock("50 ms"))
    battery = el.ConstantVoltage(V=48.0)
    ground = el.Ground()

    def equations(self) -> Any:
        yield self.module.G == tg.where(tg.time < 5.0, 1000.0, 350.0)
        yield self.tracker.v == self.module.v
        yield self.tracker.i == -self.module.i

    def connections(self) -> Any:
        yield self.module.p, self.converter.p1
        yield self.module.n, self.converter.n1, self.ground.p
        yield self.converter.p2, self.battery.p
        yield self.converter.n2, self.battery.n, self.ground.p
        yield self.tracker.v_ref, self.converter.v_ref


@pytest.mark.parametrize(
    ("tracker", "tolerance"),
    [
        (pv.PerturbObserve(v_start=22.0, step=0.25), 5e-3),  # two steps of 0.25 V away cost that much
        (pv.IncrementalConductance(v_start=22.0, step=0.25), 3e-3),
    ],
    ids=["perturb", "conductance"],
)
def test_trackers_find_the_maximum(tracker: Any, tolerance: float) -> None:
    s = tg.simulate(Tracked(tracker=tracker), 10.0, points=2001)
    name = type(tracker).__name__
    for begin, end, G in ((3.0, 5.0, 1000.0), (8.0, 10.0, 350.0)):
        chosen = (s.time > begin) & (s.time < end)
        power = np.trapezoid(s["module.power"][chosen], s.time[chosen]) / np.ptp(s.time[chosen])
        within(f"{name}, mean power at {G:.0f} W/m2", 1.0 - power / maximum(G)[1], tolerance, "true maximum of SciPy")
        within(f"{name}, voltage at {G:.0f} W/m2", s["tracker.v_ref"][chosen] - maximum(G)[0], 0.8, "V, three steps")
    late = s.time > 9.0
    moves = np.abs(np.diff(s["tracker.v_ref"][late])).max()
    assert (moves > 0.0) == isinstance(tracker, pv.PerturbObserve)  # the other one rests
    given = -s["battery.v"] * s["converter.i2"]
    within(f"{name}, efficiency", relative(given[late], 0.95 * s["module.power"][late]), 1e-9, "eta times the power")


@pytest.mark.parametrize(("latitude", "day"), [(48.0, 172.0), (-33.9, 355.0), (10.0, 81.0)])
def test_the_sun(latitude: float, day: float) -> None:
    """Height at noon, hours of light, and the incidence on a plane that faces the noon sun."""
    declination = 23.45 * np.sin(2 * np.pi * (284 + day) / 365)
    s = tg.simulate(
        Lit(sun=pv.ClearSky(latitude=latitude, day=day, tilt=latitude - declination)), 86400.0, points=8641, rtol=1e-8
    )
    noon = s.at(43200.0)
    within(
        "sun, height at noon",
        np.degrees(np.arcsin(noon["sun.height"])) - (90 - abs(latitude - declination)),
        1e-9,
        "deg",
    )
    within("sun, a plane that faces it", noon["sun.incidence"] - 1.0, 1e-12, "cos 0")
    hours = (s["sun.beam"] > 0).sum() * 10.0 / 3600.0
    half = np.degrees(np.arccos(-np.tan(np.radians(latitude)) * np.tan(np.radians(declination)))) / 15.0
    within("sun, hours of light", hours - 2 * half, 0.01, "2/15 acos(-tan lat tan delta), h; samples of 10 s")
    zenith = 90 - np.degrees(np.arcsin(noon["sun.height"]))
    air = 1 / (np.cos(np.radians(zenith)) + 0.50572 * (96.07995 - zenith) ** -1.6364)
    within("sun, beam at noon", relative(noon["sun.beam"], 1353 * 0.7 ** (air**0.678)), 1e-12, "Kasten-Young, Meinel")
    within(
        "sun, plane at noon",
        relative(noon["sun.G"], noon["sun.beam"] * (1.0 + 0.05 * (1 + np.cos(np.radians(latitude - declination))))),
        1e-12,
        "beam and sky",
    )


class Lit(tg.Component):
    """The sun and the energy of a day."""

    sun = pv.ClearSky()
    energy = tg.variable("J/m2", start=0.0)

    def equations(self) -> Any:
        yield tg.der(self.energy) == self.sun.G
