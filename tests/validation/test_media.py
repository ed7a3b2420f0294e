"""Ideal gases and moist air against CoolProp, tables of textbooks and closed formulas."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import fluid as fl
from tellegen.library import media
from tellegen.library import thermal as th
from tellegen.library.media.gas_data import R_GAS
from tellegen.library.media.saturated_water import saturation_pressure, saturation_temperature
from validation.measured import relative, within

CoolProp = pytest.importorskip("CoolProp")
HAPropsSI = pytest.importorskip("CoolProp.CoolProp").HAPropsSI

IN_COOLPROP = {
    **{"Ar": "Argon", "CO": "CarbonMonoxide", "CO2": "CarbonDioxide", "H2": "Hydrogen", "H2O": "Water", "He": "Helium"},
    **{"CH4": "Methane", "C2H4": "Ethylene", "C2H6": "Ethane", "NH3": "Ammonia", "N2": "Nitrogen", "Ne": "Neon"},
    **{"N2O": "NitrousOxide", "O2": "Oxygen", "SO2": "SulfurDioxide"},
}
THIN = 1e-6
"""kg/m3: a real gas as thin as this is ideal."""


@pytest.mark.parametrize("name", media.GASES)
def test_polynomials_are_consistent(name: str) -> None:
    """Enthalpy of formation, equal values on both sides of 1000 K, h' = cp and s' = cp/T."""
    gas, data = media.IdealGas(name), media.GASES[name]
    formation = gas.enthalpy(1e5, 298.15) * data.M - data.Hf
    within("NASA polynomials: enthalpy of formation at 298.15 K", formation, 1e-3, "their table, J/mol")
    poly = gas.polynomials()
    for below, above in zip(("cp", "h", "s0"), ("cp", "h", "s0"), strict=True):
        jump = getattr(poly, below)(999.9999999) - getattr(poly, above)(1000.0)
        within(f"NASA polynomials: {below} meets at 1000 K", jump / getattr(poly, below)(999.0), 2e-6, "each other")
    for T in (250.0, 700.0, 1500.0, 4000.0):
        step = 1e-3 * T
        by_h = (poly.h(T + step) - poly.h(T - step)) / (2.0 * step)
        by_s = (poly.s0(T + step) - poly.s0(T - step)) / (2.0 * step) * T
        slopes = relative([by_h, by_s], poly.cp(T))
        within("NASA polynomials: slopes of h and s are cp and cp/T", slopes, 1e-5, "central differences of 0.1 %")


@pytest.mark.parametrize("name", IN_COOLPROP)
def test_heat_capacity_against_coolprop(name: str) -> None:
    """Both are fits to the same spectra; of NH3 and CH4 CoolProp's is the older one."""
    state, gas = CoolProp.AbstractState("HEOS", IN_COOLPROP[name]), media.IdealGas(name)
    errors = []
    for T in (250.0, 300.0, 400.0, 600.0, 900.0):
        state.update(CoolProp.DmassT_INPUTS, THIN, T)
        errors.append(gas.cp(gas.at(1e5, T)) * media.GASES[name].M / state.cp0molar() - 1.0)
    tolerance = 1.1e-2 if name == "CH4" else 6e-3 if name in ("NH3", "SO2") else 2e-3
    kind = "CH4, NH3, SO2" if name in ("CH4", "NH3", "SO2") else "all others"
    within(f"Heat capacity of gases, 250 to 900 K: {kind}", errors, tolerance, "CoolProp, ideal-gas part")


def test_entropy_and_enthalpy_of_well_known_gases() -> None:
    """S(298.15 K, 1 bar) of the CODATA key values, J/(mol K); h(1000 K) - h(298.15 K) of textbooks' tables, J/mol."""
    codata = {"N2": 191.609, "O2": 205.152, "H2": 130.680, "CO2": 213.785, "CO": 197.660, "H2O": 188.835, "Ar": 154.846}
    for name, value in codata.items():
        gas = media.IdealGas(name)
        found = gas.entropy(gas.at(1e5, 298.15)) * media.GASES[name].M
        within("Entropy of gases at 298.15 K and 1 bar", found - value, 0.01, "CODATA key values, J/(mol K)")
    tables = {"N2": 30129 - 8669, "O2": 31389 - 8682, "CO2": 42769 - 9364, "CO": 30355 - 8669, "H2": 29154 - 8468}
    for name, value in tables.items():
        gas = media.IdealGas(name)
        found = (gas.enthalpy(1e5, 1000.0) - gas.enthalpy(1e5, 298.15)) * media.GASES[name].M
        within("Enthalpy of gases, 298.15 to 1000 K", found / value - 1.0, 4e-4, "ideal-gas tables of textbooks")


def test_viscosity_and_conductivity_against_coolprop() -> None:
    """Fits of dilute gases; conductivities of CoolProp are known to some percent."""
    for name in ("Ar", "CO2", "He", "N2", "O2", "CH4", "H2"):
        state, gas = CoolProp.AbstractState("HEOS", IN_COOLPROP[name]), media.IdealGas(name)
        for T in (300.0, 500.0, 900.0):
            state.update(CoolProp.DmassT_INPUTS, THIN, T)
            at = gas.at(1e5, T)
            within("Viscosity of gases, 300 to 900 K", gas.viscosity(at) / state.viscosity() - 1, 0.018, "CoolProp")
            error = gas.conductivity(at) / state.conductivity() - 1
            within("Thermal conductivity of gases, 300 to 900 K", error, 0.035, "CoolProp")
    air, real = media.dry_air(), CoolProp.AbstractState("HEOS", "Air")
    at = air.at(1e5, 300.0)
    real.update(CoolProp.PT_INPUTS, 1e5, 300.0)
    errors = [air.viscosity(at) / real.viscosity() - 1, air.conductivity(at) / real.conductivity() - 1]
    within("Viscosity and conductivity of dry air at 300 K, by Wilke's rule", errors, 0.012, "CoolProp")
    speed = [air.speed_of_sound(at) / real.speed_sound() - 1, air.density(at) / real.rhomass() - 1]
    within("Speed of sound and density of dry air at 300 K and 1 bar", speed, 1e-3, "CoolProp (a real gas)")


def test_flame_temperature_of_methane() -> None:
    """Stoichiometric, at constant pressure, burnt completely: enthalpy is kept, nothing but the composition changes."""
    gas = media.GasMixture(("CH4", "O2", "CO2", "H2O", "N2"))
    fresh, burnt = gas.X_of_moles(CH4=1, O2=2, N2=7.52), gas.X_of_moles(CO2=1, H2O=2, N2=7.52)
    T = gas.temperature(1e5, gas.enthalpy(1e5, 298.15, fresh), burnt)
    within("Adiabatic flame temperature of methane in air, no dissociation", T - 2328.0, 5.0, "textbooks, 2328 K, in K")
    heat = gas.enthalpy(1e5, 298.15, fresh) - gas.enthalpy(1e5, 298.15, burnt)
    per_mole = heat * (0.01604246 + 2 * 0.0319988 + 7.52 * 0.0280134)
    within("Lower heating value of methane", per_mole / 802.60e3 - 1, 1e-4, "ISO 6976, 802.60 kJ/mol")


class Compression(tg.Component):
    """A compressor without losses between two reservoirs."""

    medium = tg.parameter(media.IdealGas("Ar"), structural=True)
    p_b = tg.parameter(8e5, "Pa")
    source = fl.Boundary_pT(medium=medium, p=1e5, T=300.0)
    compressor = fl.Compressor(medium=medium, eta_is=1.0, clearance=0.0)
    sink = fl.Boundary_pT(medium=medium, p=p_b, T=300.0)

    def connections(self) -> Any:
        yield self.source.port, self.compressor.port_a
        yield self.compressor.port_b, self.sink.port


def end_of(model: Compression) -> tuple[float, float]:
    """Temperature behind the compressor, and its work per kilogram."""
    found = tg.steady_state(model)
    T = model.medium.temperature(0.0, found["compressor.port_b.h_outflow"])
    return T, found["compressor.W"] / found["compressor.m_flow"]


def test_adiabatic_compression() -> None:
    """T2/T1 = (p2/p1)^((kappa-1)/kappa) for argon; for air, whose cp rises, that of CoolProp's thin gas."""
    T, _ = end_of(Compression())
    within("Argon compressed by an ideal compressor, T2/T1", T / 300.0 / 8.0**0.4 - 1, 1e-12, "closed-form solution")
    T, work = end_of(Compression(medium=media.IdealGas("N2"), p_b=40e5))
    state = CoolProp.AbstractState("HEOS", "Nitrogen")
    state.update(CoolProp.PT_INPUTS, 10.0, 300.0)
    state.update(CoolProp.PSmass_INPUTS, 400.0, state.smass())
    within(
        "Nitrogen compressed 1:40 by an ideal compressor, T2", T / state.T() - 1, 2e-4, "CoolProp at 10 Pa, isentropic"
    )
    gas = media.IdealGas("N2")
    by_hand = gas.enthalpy(1e5, T) - gas.enthalpy(1e5, 300.0)
    within("Work of that compressor", work / by_hand - 1, 1e-9, "difference of enthalpies")


class Filling(tg.Component):
    """An almost empty vessel that fills from a reservoir of the same gas."""

    medium = tg.parameter(media.IdealGas("Ar"), structural=True)
    source = fl.Boundary_pT(medium=medium, p=1e5, T=300.0)
    valve = fl.ValveLinear(medium=medium, m_flow_nominal=1e-3, dp_nominal=1e5)
    vessel = fl.ClosedVolume(medium=medium, n_ports=1, V=1e-3, p_start=10.0, T_start=300.0)

    def connections(self) -> Any:
        yield self.source.port, self.valve.port_a
        yield self.valve.port_b, self.vessel.ports[0]


def test_filling_a_vessel_heats_by_kappa() -> None:
    """U grows by h of what enters: T = kappa T_in, less what was there before (10 Pa of 1e5)."""
    with pytest.warns(UserWarning, match="10 Pa, which is nearly zero"):
        end = tg.simulate(Filling(), stop=60.0)
    M0, M = 10.0 / (R_GAS / 0.039948 * 300.0) * 1e-3, end["vessel.M"][-1]
    exact = 300.0 * (5.0 / 3.0 * (M - M0) + M0) / M
    within(
        "Vessel filled with argon from a line, temperature",
        end["vessel.T"][-1] / exact - 1,
        1e-6,
        "closed-form solution",
    )


class GasMixer(tg.Component):
    """Oxygen and methane flow into a vessel of nitrogen, and the mixture out of it."""

    medium = tg.parameter(media.GasMixture(("CH4", "O2", "N2"), X=(0.0, 0.0, 1.0)), structural=True)
    oxygen = fl.MassFlowSource_T(medium=medium, m_flow=2e-3, T=350.0, X=[0.0, 1.0])
    methane = fl.MassFlowSource_T(medium=medium, m_flow=0.5e-3, T=280.0, X=[1.0, 0.0])
    vessel = fl.ClosedVolume(medium=medium, n_ports=3, V=0.01)
    valve = fl.ValveLinear(medium=medium, m_flow_nominal=2.5e-3, dp_nominal=2e4)
    sink = fl.Boundary_pT(medium=medium, p=1e5)
    out = tg.variable("kg", "mass that left", shape=2, start=0.0, fixed=True)

    def equations(self) -> Any:
        for k in range(2):
            yield tg.der(self.out[k]) == self.valve.m_flow * self.vessel.Xi[k]

    def connections(self) -> Any:
        yield self.oxygen.port, self.vessel.ports[0]
        yield self.methane.port, self.vessel.ports[1]
        yield self.vessel.ports[2], self.valve.port_a
        yield self.valve.port_b, self.sink.port


def test_substances_are_conserved_in_a_mixing_volume() -> None:
    """What flowed in is in the vessel or has left, to round-off; at the end all has the composition of the inflow."""
    run = tg.simulate(GasMixer(), stop=60.0)
    for k, rate in enumerate((0.5e-3, 2e-3)):
        error = (run["vessel.MXi"][:, k] + run["out"][:, k] - rate * run.time) / (rate * 60.0)
        within("Three gases in a mixing volume: each substance", error, 1e-12, "conservation")
    gas = media.GasMixture(("CH4", "O2", "N2"))
    h = 0.2 * gas.enthalpy(1e5, 280.0, (1.0, 0.0)) + 0.8 * gas.enthalpy(1e5, 350.0, (0.0, 1.0))
    T = gas.temperature(1e5, h, (0.2, 0.8))
    within("Temperature of the mixture at the end", run["vessel.T"][-1] - T, 1e-3, "mixing of enthalpies by hand, K")


def test_saturation_of_water() -> None:
    """Over liquid CoolProp's IAPWS-95, from which IF97 differs by 0.016 %; over ice CoolProp's own formula."""
    for T in np.linspace(273.16, 640.0, 30):
        state = CoolProp.AbstractState("HEOS", "Water")
        state.update(CoolProp.QT_INPUTS, 0.0, float(T))
        within(
            "Saturation pressure of water over liquid",
            saturation_pressure(float(T)) / state.p() - 1,
            2e-4,
            "CoolProp",
        )
        back = saturation_temperature(saturation_pressure(float(T)))
        within("Saturation temperature of water inverts it", back - T, 1e-10, "itself, K")
    for T, p in ((230.0, 8.94735), (250.0, 76.02), (270.0, 470.06)):
        within("Saturation pressure of water over ice", saturation_pressure(T) / p - 1, 2e-4, "IAPWS, tabulated")
        within("Frost point inverts it", saturation_temperature(saturation_pressure(T)) - T, 1e-10, "itself, K")


@pytest.mark.parametrize(("t", "phi"), [(20.0, 0.5), (30.0, 0.8), (40.0, 0.3), (5.0, 0.9), (-10.0, 0.7), (50.0, 0.95)])
def test_psychrometry(t: float, phi: float) -> None:
    """HAPropsSI has real gases: air holds 0.4 to 0.6 % more water than an ideal gas (the enhancement factor)."""
    air, T, p = media.MoistAir(), 273.15 + t, 101325.0
    state = air.at(p, T, air.X_of_humidity(p, T, phi))

    def real(what: str) -> float:
        return HAPropsSI(what, "T", T, "P", p, "R", phi)

    ratio = state.X[0] / (1.0 - state.X[0])
    against = "HAPropsSI of CoolProp"
    within("Moist air: humidity ratio", ratio / real("W") - 1, 6.5e-3, against)
    within("Moist air: dew point", air.dew_point(state) - real("D"), 0.02, f"{against}, K")
    within("Moist air: wet-bulb temperature", air.wet_bulb(state) - real("B"), 5e-3, f"{against}, K")
    per_dry = state.h / (1.0 - state.X[0])
    within("Moist air: enthalpy per kg of dry air", (per_dry - real("H")) / 1e5, 1.2e-2, f"{against}, in 100 kJ/kg")
    within("Moist air: density", air.density(state) * real("Vha") - 1, 1e-3, against)
    assert air.relative_humidity(state) == pytest.approx(phi, abs=1e-12)


class Cooling(tg.Component):
    """Moist air in a closed vessel that is cooled until fog forms."""

    medium = tg.parameter(media.MoistAir(), structural=True)
    room = fl.ClosedVolume(medium=medium, n_ports=0, V=1.0, T_start=303.15, X_start=[0.015], use_heat_port=True)
    U = tg.variable("J", start=0.0, fixed=True)
    wall = th.FixedHeatFlow(Q_flow=-50.0)

    def equations(self) -> Any:
        yield tg.der(self.U) == self.wall.Q_flow

    def connections(self) -> Any:
        yield self.wall.port, self.room.heat_port


def test_fog_forms_when_moist_air_is_cooled() -> None:
    """The run goes through saturation; at every instant U, M and X give T by hand, and 1 kg of fog took its heat."""
    run, air = tg.simulate(Cooling(), stop=600.0), media.MoistAir()
    states = [air.at(float(p), float(T), (0.015,)) for p, T in zip(run["room.p"], run["room.T"], strict=True)]
    fog = np.array([air.fog(state) for state in states])
    assert fog[0] == 0.0
    assert fog[-1] > 3e-3
    energy = run["room.M"] * np.array([air.internal_energy(state) for state in states])
    within("Moist air cooled into fog: energy", (energy - energy[0] - run["U"]) / 3e4, 1e-6, "conservation")
    dew = air.dew_point(states[0])
    at = int(np.argmax(fog > 0.0))
    assert run["room.T"][at] == pytest.approx(dew, abs=1.5)  # at constant volume the vapour's pressure falls a little
    assert math.isclose(run["room.M"][-1], run["room.M"][0], rel_tol=1e-14)
