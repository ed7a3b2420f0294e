"""Real fluids by CoolProp and as tables: an evaporator, a Rankine cycle and a heat pump against properties by hand."""

from __future__ import annotations

import runpy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import tellegen as tg
from tellegen.library import fluid as fl
from tellegen.library import media
from tellegen.library import thermal as th
from validation.measured import relative, within

CP = pytest.importorskip("CoolProp")
PropsSI = pytest.importorskip("CoolProp.CoolProp").PropsSI
EXAMPLES = Path(__file__).parents[2] / "examples"


@cache
def table(name: str) -> media.TabulatedFluid:
    return media.TabulatedFluid(name)


class Rig(tg.Component):
    """An evaporator of R134a, fed with a wet mixture and heated until it runs dry; vapour leaves through a valve."""

    medium = tg.parameter(media.RealFluid("R134a"), structural=True)
    feed = fl.MassFlowSource_h(medium=medium, m_flow=0.01, h=2.5e5)
    evaporator = fl.Evaporator(medium=medium, V=5e-3, p_start=3e5, h_start=2.25e5)
    valve = fl.ValveLinear(medium=medium, m_flow_nominal=0.01, dp_nominal=1e5)
    sink = fl.Boundary_ph(medium=medium, p=2e5, h=4e5)
    heat = th.FixedHeatFlow(Q_flow=1800.0)

    def connections(self) -> Any:
        yield self.feed.port, self.evaporator.ports[0]
        yield self.evaporator.ports[1], self.valve.port_a
        yield self.valve.port_b, self.sink.port
        yield self.heat.port, self.evaporator.heat_port


def by_hand(times: Any) -> Any:
    """p, T and mass of the same evaporator: balances of M and U, the state from density and energy by CoolProp."""
    state, edge = CP.AbstractState("HEOS", "R134a"), CP.AbstractState("HEOS", "R134a")

    def known(M: float, U: float) -> tuple[float, float, float]:
        state.update(CP.DmassUmass_INPUTS, M / 5e-3, U / M)
        return state.p(), state.T(), state.hmass()

    def rates(_: float, y: Any) -> list[float]:
        p, _, h = known(*y)
        edge.update(CP.PQ_INPUTS, p, 1.0)
        out = 0.01 * (p - 2e5) / 1e5
        return [0.01 - out, 0.01 * 2.5e5 + 1800.0 - out * max(h, edge.hmass())]

    state.update(CP.HmassP_INPUTS, 2.25e5, 3e5)
    start = [5e-3 * state.rhomass(), 5e-3 * state.rhomass() * state.umass()]
    found = solve_ivp(rates, (0.0, times[-1]), start, "DOP853", t_eval=times, rtol=1e-9, max_step=5.0)
    return np.array([(*known(*y)[:2], y[0]) for y in found.y.T])


@pytest.mark.parametrize("kind", ["coolprop", "table"])
def test_evaporator_against_property_balances(kind: str) -> None:
    """From wet to dry. The reference goes another way to its states, by density and energy, and another integrator."""
    medium = media.RealFluid("R134a") if kind == "coolprop" else table("R134a")
    run = tg.simulate(Rig(medium=medium), stop=400.0, points=81, rtol=1e-8)
    assert run["evaporator.level"][0] > 0.05
    assert run["evaporator.level"][-1] == 0.0  # it ran dry
    errors = relative(np.array([run[f"evaporator.{n}"] for n in ("p", "T", "M")]).T, by_hand(run.time))
    tolerance, what = (1e-6, "by CoolProp") if kind == "coolprop" else (5e-5, "as tables")
    within(
        f"R134a evaporator boiling dry, {what}: p, T and mass", errors, tolerance, "balances with CoolProp, by DOP853"
    )


def test_evaporator_at_rest() -> None:
    """m (h_out - h_in) = Q with the state that CoolProp has at the pressure of the valve."""
    end = tg.simulate(Rig(), stop=3000.0)
    h = 2.5e5 + 1800.0 / 0.01
    T = PropsSI("T", "P", 3e5, "H", h, "R134a")
    within("R134a evaporator at rest, temperature", end["evaporator.T"][-1] / T - 1, 1e-8, "CoolProp at m dh = Q")


def test_conserved_and_intensive_storage_agree() -> None:
    """p and h as states do the same, to the integrator's tolerance instead of to round-off."""
    runs = []
    for storage in ("conserved", "intensive"):
        rig = Rig(evaporator=fl.Evaporator(V=5e-3, p_start=3e5, h_start=2.25e5, storage=storage, medium=Rig().medium))
        runs.append(tg.simulate(rig, stop=150.0, points=31, rtol=1e-8)["evaporator.M"])
    within("R134a evaporator, p and h as states instead of M and U: mass", relative(*runs), 1e-5, "each other")


@pytest.mark.parametrize(("name", "density", "enthalpy"), [("R134a", 1.5e-5, 5.0), ("Water", 3e-5, 25.0)])
def test_tables_against_coolprop(name: str, density: float, enthalpy: float) -> None:
    """Points all over liquid, two phases and vapour. Worst near the critical point, where everything is steep."""
    fluid, tabled = media.RealFluid(name), table(name)
    low, high = (tabled.at(h=2e5).p, 0.0)[0], 0.85 * fluid.p_critical
    random = np.random.default_rng(3)
    errors: dict[str, list[float]] = {"T": [], "d": [], "s": [], "h(p, T)": [], "h(p, s)": []}
    for k in range(240):
        p = float(np.exp(random.uniform(np.log(low), np.log(high))))
        at = fluid.saturation(p)
        ends = ((max(at.h_l - 1e5, 1e5), at.h_l), (at.h_l, at.h_v), (at.h_v, at.h_v + 1.2e5))[k % 3]
        real = fluid.at(p, h=float(random.uniform(*ends)))
        mine = tabled.at(p, h=real.h)
        errors["T"].append(mine.T - real.T)
        errors["d"].append(tabled.density(mine) / fluid.density(real) - 1)
        errors["s"].append(tabled.entropy(mine) - fluid.entropy(real))
        if k % 3 != 1:
            errors["h(p, T)"].append(tabled.enthalpy(p, real.T) - real.h)
        errors["h(p, s)"].append(tabled.isentropic_enthalpy(0.7 * p, mine) - fluid.isentropic_enthalpy(0.7 * p, real))
    within(f"{name} as tables: density", errors["d"], density, "CoolProp")
    within(f"{name} as tables: temperature", errors["T"], 2e-3, "CoolProp, K")
    within(f"{name} as tables: entropy", errors["s"], 3e-3, "CoolProp, J/(kg K)")
    within(
        f"{name} as tables: enthalpy at p, T and at p, s",
        errors["h(p, T)"] + errors["h(p, s)"],
        enthalpy,
        "CoolProp, J/kg",
    )


def test_slopes_are_those_of_coolprop() -> None:
    """All ten slopes of T, d, s, dd/dp and dd/dh in liquid, two phases and vapour, against central differences."""
    from tellegen.library.media.coolprop_calls import of_ph

    for h in (1.8e5, 3e5, 4.4e5):
        p = 4e5
        for k, step in ((0, 2e-4 * p), (1, 2e-4 * h)):
            ends = [of_ph("R134a", p + side * (k == 0), h + side * (k == 1))[0] for side in (-step, step)]
            by_difference = np.subtract(ends[1], ends[0]) / (2.0 * step)
            exact = np.array([row[k] for row in of_ph("R134a", p, h)[1]])
            size = np.maximum(np.abs(exact), 1e-6 * np.abs(ends[0]) / step)
            within("Slopes of R134a in all phases", (by_difference - exact) / size, 1e-3, "central differences")


@cache
def rankine() -> tuple[dict[str, Any], tg.Solution]:
    """The plant of examples/rankine.py with an account of its energy."""
    example = runpy.run_path(str(EXAMPLES / "rankine.py"))

    class Accounted(example["Plant"]):
        E = tg.variable("J", "energy that went in", start=0.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.E) == self.Q_in - self.Q_out - self.W_net

    return example, tg.simulate(Accounted(), stop=3600.0)


def test_the_energy_of_a_rankine_loop_closes() -> None:
    """While pressures and levels swing, what went in is stored; at rest, heat in = heat out + work. Mass stays."""
    _, run = rankine()
    vessels = ("boiler", "superheater", "condenser")
    stored = np.sum([run[f"{name}.U"] for name in vessels], axis=0)
    mass = np.sum([run[f"{name}.M"] for name in vessels], axis=0)
    turned_over = run["Q_in"][0] * 3600.0
    within(
        "Rankine loop: energy stored on the way to rest", (stored - stored[0] - run["E"]) / turned_over, 1e-9, "balance"
    )
    within("Rankine loop: mass", mass / mass[0] - 1, 1e-12, "conservation")
    rest = run["Q_in"][-1] - run["Q_out"][-1] - run["W_net"][-1]
    within("Rankine loop at rest: heat in - heat out - work", rest / run["Q_in"][-1], 1e-8, "balance, of the heat in")


def test_efficiency_of_a_rankine_loop() -> None:
    """Between its own pressures and superheat, by PropsSI: pump, turbine with efficiency, saturated liquid."""
    example, run = rankine()
    p_b, p_t, h_t, p_c = (float(run[n][-1]) for n in ("boiler.p", "superheater.p", "superheater.h", "condenser.p"))
    h_1, d_1 = (PropsSI(what, "P", p_c, "Q", 0, "Water") for what in "HD")
    h_2 = h_1 + (p_b - p_c) / d_1 / 0.75
    h_4 = h_t - 0.85 * (h_t - PropsSI("H", "P", p_c, "S", PropsSI("S", "P", p_t, "H", h_t, "Water"), "Water"))
    efficiency = ((h_t - h_4) - (h_2 - h_1)) / (h_t - h_2)
    within("Efficiency of a Rankine loop", run["efficiency"][-1] / efficiency - 1, 1e-7, "the cycle by PropsSI")
    flow = run["turbine.m_flow"][-1]
    stodola = 2.6e-4 * np.sqrt(p_t * PropsSI("D", "P", p_t, "H", h_t, "Water")) * np.sqrt(1 - (p_c / p_t) ** 2)
    within("Its steam by Stodola's law", flow / stodola - 1, 1e-7, "PropsSI")
    assert example["cycle_by_hand"](p_b, p_t, h_t, p_c) == pytest.approx(efficiency, rel=1e-9)


def test_coefficient_of_performance_of_a_heat_pump() -> None:
    """At rest: (h_2 - h_3)/(h_2 - h_1) with saturated vapour, isentropic efficiency and saturated liquid by PropsSI."""
    example = runpy.run_path(str(EXAMPLES / "heat_pump.py"))

    class Bench(tg.Component):
        pump = example["HeatPump"](N=3000.0)
        air = th.FixedTemperature(T="2 degC")
        water = th.FixedTemperature(T="33 degC")
        coil = th.ThermalConductor(G=900.0)
        plates = th.ThermalConductor(G=1500.0)

        def connections(self) -> Any:
            yield self.air.port, self.coil.port_a
            yield self.coil.port_b, self.pump.cold
            yield self.pump.warm, self.plates.port_a
            yield self.plates.port_b, self.water.port

    run = tg.simulate(Bench(), stop=7200.0)
    low, high = float(run["pump.evaporator.p"][-1]), float(run["pump.condenser.p"][-1])
    h_1, s_1 = (PropsSI(what, "P", low, "Q", 1, "R290") for what in "HS")
    h_2 = h_1 + (PropsSI("H", "P", high, "S", s_1, "R290") - h_1) / 0.68
    h_3 = PropsSI("H", "P", high, "Q", 0, "R290")
    cop = (h_2 - h_3) / (h_2 - h_1)
    within("COP of a propane heat pump at rest", run["pump.COP"][-1] / cop - 1, 2e-4, "the cycle by PropsSI")
    balance = run["pump.cold.Q_flow"][-1] + run["pump.P"][-1] - run["pump.Q_warm"][-1]
    within("Its heat and work", balance / run["pump.Q_warm"][-1], 1e-7, "balance")


class Condensing(tg.Component):
    """Superheated R134a is condensed and expands through a valve."""

    medium = tg.parameter(table("R134a"), structural=True)
    hot_gas = fl.MassFlowSource_h(medium=medium, m_flow=0.01, h=4.4e5)
    superheat = fl.SuperheatSensor(medium=medium)
    condenser = fl.Condenser(medium=medium, V=2e-3, p_start=9e5, h_start=2.8e5)
    tubes = th.ThermalConductor(G=200.0)
    water = th.FixedTemperature(T="25 degC")
    valve = fl.ExpansionValve(medium=medium, A=5e-7)
    cold = fl.Boundary_ph(medium=medium, p=3e5, h=2.5e5)

    def equations(self) -> Any:
        yield self.valve.opening == 0.8 + 2.0 * (self.condenser.level - 0.4)

    def connections(self) -> Any:
        yield self.hot_gas.port, self.superheat.port, self.condenser.ports[0]
        yield self.condenser.heat_port, self.tubes.port_a
        yield self.tubes.port_b, self.water.port
        yield self.condenser.ports[1], self.valve.port_a
        yield self.valve.port_b, self.cold.port


def test_condenser_and_expansion_valve() -> None:
    """At rest: heat is m (h_in - h'), the valve passes liquid by its orifice, the gas is as hot as CoolProp says."""
    run = tg.simulate(Condensing(), stop=4000.0)
    p, m = float(run["condenser.p"][-1]), 0.01
    assert 0.1 < run["condenser.level"][-1] < 0.9
    T, h, d = (PropsSI(what, "P", p, "Q", 0, "R134a") for what in "THD")
    within(
        "R134a condenser at rest: heat", run["tubes.Q_flow"][-1] / (m * (4.4e5 - h)) - 1, 1e-5, "CoolProp, m (h - h')"
    )
    share = 1e-6 + (1.0 - 1e-6) * run["valve.opening"][-1]
    flow = share * 0.7 * 5e-7 * np.sqrt(2.0 * d * (p - 3e5))
    within("Expansion valve downstream", flow / m - 1, 2e-5, "Cd A sqrt(2 rho dp) with CoolProp's liquid")
    above = PropsSI("T", "P", p, "H", 4.4e5, "R134a") - T
    within("Superheat before it", run["superheat.superheat"][-1] - above, 2e-3, "CoolProp, K")


def test_a_day_of_a_heat_pump_takes_few_steps() -> None:
    """What solving for p and h anew leaves of them is no fast signal of time: it once asked for millions of steps."""
    example = runpy.run_path(str(EXAMPLES / "heat_pump.py"))
    assert tg.simulate(example["House"](), stop=86400.0, max_steps=3000).stats["steps"] < 1500


def test_turbine_on_a_shaft() -> None:
    """Steam through a turbine that turns a loaded shaft: what the fluid loses the shaft gets, also while it starts."""
    from tellegen.library import rotational as rot

    water = media.RealFluid("Water")

    class Rig(tg.Component):
        steam = fl.Boundary_ph(medium=water, p=20e5, h=3.0e6)
        turbine = fl.Turbine(medium=water, Kt=1e-5, use_shaft=True)
        exhaust = fl.Boundary_ph(medium=water, p=1e5, h=2.6e6)
        rotor = rot.Inertia(J=2.0, w=tg.variable(start=0.0, fixed=True))
        load = rot.Damper(d=0.05)
        wall = rot.Fixed()
        E = tg.variable("J", start=0.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.E) == -self.turbine.W - self.load.tau * self.load.w_rel

        def connections(self) -> Any:
            yield self.steam.port, self.turbine.port_a
            yield self.turbine.port_b, self.exhaust.port
            yield self.turbine.flange, self.rotor.flange_a
            yield self.rotor.flange_b, self.load.flange_a
            yield self.load.flange_b, self.wall.flange

    run = tg.simulate(Rig(), stop=100.0)
    stored = 0.5 * 2.0 * run["rotor.w"] ** 2
    within("Turbine that starts a rotor: energy of the shaft", (run["E"] - stored) / stored[-1], 1e-5, "balance")
    drop = 3.0e6 - PropsSI("H", "P", 1e5, "S", PropsSI("S", "P", 20e5, "H", 3.0e6, "Water"), "Water")
    speed = run["rotor.w"][-1]
    power = 0.85 * drop * run["turbine.m_flow"][-1] * speed / (speed + 1.0)
    within("Its power", -run["turbine.W"][-1] / power - 1, 1e-7, "PropsSI")
