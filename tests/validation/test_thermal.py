"""Heat transfer against closed-form solutions: rods, walls, radiation, melting, convection, and a thermostat."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import thermal as th
from validation.measured import relative, within

CLOSED = "closed-form solution"


def at(start: float) -> Any:
    return tg.variable(start=start, fixed=True)


class Quench(tg.Component):
    """A rod at 400 K, insulated at one end; the other is brought to 300 K at once."""

    n = tg.parameter(20, structural=True)
    rod = th.Rod(n=n, L=0.2, A=1e-3, k=50.0, rho=7800.0, c=480.0, T=at(400.0))
    bath = th.FixedTemperature(T=300.0)

    def connections(self) -> Any:
        yield self.bath.port, self.rod.port_a


def series(x: Any, fourier: float, terms: int = 200) -> Any:
    """(T - T_bath)/(T_start - T_bath) of the quenched rod at the part x of its length."""
    roots = (np.arange(terms) + 0.5) * np.pi
    return np.sum(2.0 / roots * np.sin(np.outer(x, roots)) * np.exp(-(roots**2) * fourier), axis=1)


def quench_error(n: int) -> float:
    """Largest error over the rod when the heat has reached the insulated end, as a part of the 100 K."""
    t = 0.2 * 0.2**2 * 7800.0 * 480.0 / 50.0  # Fourier number 0.2
    found = tg.simulate(Quench(n=n), t, rtol=1e-9, points=2)
    x = (np.arange(n) + 0.5) / n
    return float(np.abs((found["rod.T"][-1] - 300.0) / 100.0 - series(x, 0.2)).max())


def test_quenched_rod() -> None:
    """Finite volumes are of second order: an error of about 0.2/n^2, four times less for twice the cells."""
    coarse, fine = quench_error(20), quench_error(40)
    within("quenched rod of 20 cells", coarse, 5e-4, "series of Fourier, part of the step")
    within("quenched rod of 40 cells", fine, 1.3e-4, "series of Fourier, part of the step")
    assert 3.8 < coarse / fine < 4.2


def test_fin() -> None:
    """The steady fin: (T - T_air)/(T_root - T_air) = cosh(m (L - x))/cosh(m L); second order in the cells again."""

    class Fin(tg.Component):
        root = th.FixedTemperature(T=380.0)
        air = th.FixedTemperature(T=300.0)
        rod = th.Rod(n=50, L=0.1, A=1e-4, k=200.0, use_surface=True, h=25.0, perimeter=0.04)

        def connections(self) -> Any:
            yield self.root.port, self.rod.port_a
            yield self.air.port, self.rod.surface

    found = tg.steady_state(Fin())
    m = np.sqrt(25.0 * 0.04 / (200.0 * 1e-4))
    x = 0.1 * (np.arange(50) + 0.5) / 50
    wanted = 300.0 + 80.0 * np.cosh(m * (0.1 - x)) / np.cosh(m * 0.1)
    within("fin, temperatures", found["rod.T"] - wanted, 3e-3, f"{CLOSED}, K")
    heat = np.sqrt(25.0 * 0.04 * 200.0 * 1e-4) * 80.0 * np.tanh(m * 0.1)
    within("fin, heat flow", relative(found["rod.port_a.Q_flow"], heat), 4e-5, CLOSED)


def test_wall_of_layers() -> None:
    """The steady wall is exact for any number of cells: straight lines within the layers, resistances in series."""

    class House(tg.Component):
        inside = th.FixedTemperature(T="20 degC")
        outside = th.FixedTemperature(T="-10 degC")
        wall = th.Wall(
            n=3,
            A=12.0,
            thickness=[0.015, 0.24, 0.1],
            k=[0.7, 0.5, 0.035],
            rho=[1400.0, 1200.0, 30.0],
            c=[1e3, 1e3, 1e3],
        )

        def connections(self) -> Any:
            yield self.inside.port, self.wall.port_a
            yield self.outside.port, self.wall.port_b

    found = tg.steady_state(House())
    resistances = np.array([0.015 / 0.7, 0.24 / 0.5, 0.1 / 0.035]) / 12.0
    heat = 30.0 / resistances.sum()
    within("wall of three layers, heat flow", relative(found["wall.port_a.Q_flow"], heat), 1e-12, CLOSED)
    middle = 293.15 - heat * (resistances[0] + 0.5 * resistances[1])
    within("wall of three layers, middle of the bricks", found["wall.layer[1].T[1]"] - middle, 1e-9, f"{CLOSED}, K")


def test_radiation() -> None:
    """Cooling by radiation into a space at Ta has a closed-form solution t(T)."""

    class Probe(tg.Component):
        body = th.HeatCapacitor(C=200.0, T=at(900.0))
        radiation = th.BodyRadiation(Gr=0.02)
        space = th.FixedTemperature(T=300.0)

        def connections(self) -> Any:
            yield self.body.port, self.radiation.port_a
            yield self.radiation.port_b, self.space.port

    def reached(T: Any) -> Any:
        return np.log((T + 300.0) / (T - 300.0)) + 2.0 * np.arctan(T / 300.0)

    found = tg.simulate(Probe(), 1500.0, rtol=1e-9, points=31)
    scale = 200.0 / (4.0 * 0.02 * 5.670374419e-8 * 300.0**3)
    t = scale * (reached(found["body.T"]) - reached(900.0))
    within("cooling by radiation, instants", (t - found.time)[1:] / found.time[1:], 1e-6, CLOSED)


def test_power_law() -> None:
    """C dT/dt = -K dT^n: dT^(1-n) grows in proportion to time."""

    class Room(tg.Component):
        water = th.HeatCapacitor(C=4e4, T=at(343.15))
        radiator = th.GeneralHeatFlow(Q_nominal=1000.0, dT_nominal=50.0, n=1.3)
        air = th.FixedTemperature()

        def connections(self) -> Any:
            yield self.water.port, self.radiator.port_a
            yield self.radiator.port_b, self.air.port

    found = tg.simulate(Room(), 2e4, rtol=1e-9, points=21)
    K = 1000.0 / 50.0**1.3
    wanted = (50.0**-0.3 + 0.3 * K / 4e4 * found.time) ** (-1.0 / 0.3)
    within("room radiator cooling down", found["water.T"] - 293.15 - wanted, 2e-6, f"{CLOSED}, K")


def test_melting() -> None:
    """10 W into ice: -10 degC to 0 in 4.2 s, molten after 33.4 s more, then 4.18 J/K of water. Corners, no events."""

    class Ice(tg.Component):
        lump = th.MeltingCapacitor(C_solid=4.2, C_liquid=4.18, H_melt=334.0, T_start="-10 degC")
        heater = th.FixedHeatFlow(Q_flow=10.0)

        def connections(self) -> Any:
            yield self.heater.port, self.lump.port

    found = tg.simulate(Ice(), 60.0, points=[2.1, 4.2, 20.9, 37.6, 60.0], rtol=1e-8)
    wanted = [-10.0, -5.0, 0.0, 0.0, 0.0, 224.0 / 4.18]
    within("ice melts, temperatures", found["lump.T"] - 273.15 - wanted, 1e-6, f"{CLOSED}, K")
    assert found["lump.melted"][3] == pytest.approx(0.5)


HOUSE = runpy.run_path(str(Path(__file__).resolve().parents[2] / "examples" / "thermostat_house.py"))


def test_thermostat_of_one_capacity() -> None:
    """A room of one heat capacity: exponentials between the thresholds, so period and duty have closed formulas."""

    class Hut(tg.Component):
        air = th.HeatCapacitor(C=1e6, T=at(293.4))
        heater = th.PrescribedHeatFlow()
        thermostat = HOUSE["Thermostat"](power=4000.0)
        walls = th.ThermalConductor(G=120.0)
        outside = th.FixedTemperature(T="-3 degC")

        def connections(self) -> Any:
            yield self.air.port, self.heater.port, self.walls.port_a
            yield self.walls.port_b, self.outside.port
            yield self.thermostat.y, self.heater.Q_flow

        def equations(self) -> Any:
            yield self.thermostat.T == self.air.T

    found = tg.simulate(Hut(), 4e4, rtol=1e-9)
    switched = np.array([event.time for event in found.events if event.time > 0.0])
    assert len(switched) > 20
    time_constant, hot = 1e6 / 120.0, 4000.0 / 120.0  # above the outside, if the heater stayed on
    on = time_constant * np.log((hot - 23.0) / (hot - 24.0))
    off = time_constant * np.log(24.0 / 23.0)
    lasted = np.diff(switched)
    within("thermostat, time off", relative(lasted[0::2], off), 1e-6, CLOSED)
    within("thermostat, time on", relative(lasted[1::2], on), 1e-6, CLOSED)
    within("thermostat, duty", relative(lasted[1] / (lasted[0] + lasted[1]), on / (on + off)), 1e-6, CLOSED)


def test_house_energy() -> None:
    """The house of the example: what the heaters gave is lost or stored."""
    found = tg.simulate(HOUSE["House"](), 24.0 * 3600.0, rtol=1e-8)
    stored = HOUSE["stored"](found)
    error = found["heat"] - found["lost"] - (stored - stored[0])
    within("house with two rooms, energy balance", error / found["heat"][-1], 1e-9, "heat given")


def convection(component: Any, solid: float, fluid: float) -> Any:
    system = tg.System("convection")
    system.add(part=component, solid=th.FixedTemperature(T=solid), fluid=th.FixedTemperature(T=fluid))
    system.connect(system.solid.port, component.solid)
    system.connect(system.fluid.port, component.fluid)
    return tg.steady_state(system)


TEXTBOOK = [
    (
        "plate in a stream of air",
        th.ForcedConvectionPlate(k=0.0364, nu=5.21e-4, Pr=0.687, L=0.5, A=0.5, v=10.0),
        (300.15, 573.15),
        {"Re": 9597.0, "Nu": 57.4, "h": 4.18},
        "Incropera and DeWitt, example 7.1",
    ),
    (
        "glass door before a fire",
        th.FreeConvectionVerticalPlate(k=33.8e-3, nu=26.4e-6, Pr=0.69, L=0.71, A=0.71 * 1.02, g=9.8),
        (505.15, 296.15),
        {"Ra": 1.813e9, "Nu": 147.0, "h": 7.0, "Q_flow": 1060.0},
        "Incropera and DeWitt, example 9.2",
    ),
    (
        "air in a warm tube",
        th.ForcedConvectionPipe(
            k=0.0386, nu=2.57e-5 / 1.493, Pr=0.681, L=0.0254, A=0.1, v=10.0, correlation="dittus_boelter"
        ),
        (493.15, 473.15),
        {"Re": 14756.0, "Nu": 42.67, "h": 64.85},
        "Holman, example 6-1",
    ),
    (
        "air in a warm tube, after Gnielinski",
        th.ForcedConvectionPipe(k=0.0386, nu=2.57e-5 / 1.493, Pr=0.681, L=0.0254, A=0.1, v=10.0),
        (493.15, 473.15),
        {"Nu": 39.97},
        "formula by hand",
    ),
]


@pytest.mark.parametrize(("case", "component", "temperatures", "printed", "book"), TEXTBOOK, ids=lambda x: str(x)[:30])
def test_textbook_numbers(case: str, component: Any, temperatures: Any, printed: dict[str, float], book: str) -> None:
    """To the three digits that are printed, and those of the properties they were computed from."""
    found = convection(component, *temperatures)
    for name, value in printed.items():
        within(f"{case}, {name}", relative(found[f"part.{name}"], value), 1.5e-3, book)


@pytest.mark.parametrize(
    ("cls", "L", "speeds"),
    [
        (th.ForcedConvectionPlate, 1.0, [7.9449, 7.9451]),
        (th.ForcedConvectionPipe, 0.05, [0.73093, 0.73095, 1.27119, 1.27121]),
    ],
)
def test_no_jumps_between_regimes(cls: Any, L: float, speeds: list[float]) -> None:
    """The formulas of neighbouring regimes meet: Re = 5e5 for the plate, 2300 and 4000 for the pipe."""
    values = [convection(cls(L=L, v=v), 310.0, 300.0)["part.Nu"] for v in speeds]
    for k in range(0, len(values), 2):
        assert values[k] == pytest.approx(values[k + 1], rel=3e-4)


def test_leaving_the_range_is_told() -> None:
    slow = th.ForcedConvectionPipe(L=0.02, v=1.0, correlation="dittus_boelter")
    system = tg.System("slow")
    system.add(pipe=slow, a=th.FixedTemperature(T=310.0), b=th.FixedTemperature())
    system.connect(slow.solid, system.a.port)
    system.connect(slow.fluid, system.b.port)
    with pytest.warns(UserWarning, match="turbulent flow, Re > 1e4"):
        found = tg.simulate(system, 1.0)
    assert len(found.warnings) == 1


def test_a_misspelt_correlation_is_refused() -> None:
    with pytest.raises(tg.LanguageError, match=r"E703.*'dittus' does not exist"):
        tg.compile(th.ForcedConvectionPipe(correlation="dittus"))
