"""Media as objects: the same for numbers and symbols, equal by value, sent to other processes."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import fluid as fl
from tellegen.library import media
from tellegen.library import thermal as th
from tellegen.library.media import coolprop_calls
from tellegen.library.media.interface import State

pytest.importorskip("CoolProp")
PROPERTIES = ("density", "internal_energy", "entropy", "cp", "cv", "viscosity", "conductivity", "speed_of_sound")
MEDIA = [
    media.IdealGas("CO2"),
    media.dry_air(),
    media.GasMixture(("CH4", "O2", "N2"), X=(0.1, 0.2, 0.7)),
    media.MoistAir(X_start=0.02),
    media.RealFluid("R134a"),
    media.TabulatedFluid("R134a", n_p=20, n_h=12),
]


class Heated(tg.Component):
    """A state that moves; the properties of the medium along the way."""

    medium = tg.parameter(media.dry_air(), structural=True)
    known = tg.parameter(PROPERTIES, structural=True)
    T0 = tg.parameter(285.0, "K")
    T = tg.variable("K", start=300.0)
    h = tg.variable("J/kg", start=3e5)
    y = tg.variable(shape=len(PROPERTIES))

    def state(self) -> State:
        return State(2e5 + 5e4 * tg.time, self.T, self.h, self.medium.X_default)

    def equations(self) -> Any:
        state = self.state()
        if self.medium.basis == "pT":
            yield self.T == self.T0 + 400.0 * tg.time  # through 1000 K at the end, and through saturation of moist air
        else:
            yield self.h == 1.9e5 + 1.3e5 * tg.time  # from liquid into two phases
        yield self.medium.relation(state)
        yield self.y == [getattr(self.medium, name)(state) if name in self.known else 0.0 for name in PROPERTIES]


@pytest.mark.parametrize("medium", MEDIA, ids=lambda medium: f"{type(medium).__name__}-{medium}"[:30])
def test_symbols_give_what_numbers_give(medium: media.Medium) -> None:
    """Native code against Python, on the same formulas; real fluids are called back, tables are searched natively."""
    known = [name for name in PROPERTIES if name != "speed_of_sound" or not isinstance(medium, media.TabulatedFluid)]
    run = tg.simulate(Heated(medium=medium, known=tuple(known)), stop=1.9 if medium.basis == "pT" else 1.0, points=12)
    for k, t in enumerate(run.time):
        state = State(2e5 + 5e4 * t, run["T"][k], run["h"][k], medium.X_default)
        for name in known:
            found = run["y"][k, PROPERTIES.index(name)]
            assert found == pytest.approx(float(getattr(medium, name)(state)), rel=1e-5), name


@pytest.mark.parametrize("medium", MEDIA, ids=lambda medium: f"{type(medium).__name__}-{medium}"[:30])
def test_media_are_values(medium: media.Medium) -> None:
    sent = pickle.loads(pickle.dumps(medium))
    assert sent == medium
    assert hash(sent) == hash(medium)
    assert medium != media.Water()
    state = medium.at(3e5, 290.0)
    assert float(medium.temperature(3e5, state.h, state.X)) == pytest.approx(290.0, abs=1e-3)


def test_temperature_inverts_enthalpy_of_every_gas() -> None:
    for name in media.GASES:
        gas = media.IdealGas(name)
        for T in np.geomspace(200.0, 6000.0, 25):
            assert gas.temperature(1e5, gas.enthalpy(1e5, float(T))) == pytest.approx(T, rel=1e-12)


def test_derivatives_of_density() -> None:
    """By p, by T or h and by X, against differences."""
    for medium in (MEDIA[2], MEDIA[4]):
        at = medium.at(3e5, 300.0)
        by_p, by_x, by_X = medium.density_derivatives(at)
        x, step = ("h", 10.0) if medium.basis == "ph" else ("T", 0.01)

        def slope(field: str, by: float, at: State = at, medium: media.Medium = medium) -> float:
            ends = [medium.density(at._replace(**{field: getattr(at, field) + side})) for side in (-by, by)]
            return float(ends[1] - ends[0]) / (2.0 * by)

        assert by_p == pytest.approx(slope("p", 300.0), rel=1e-5)
        assert by_x == pytest.approx(slope(x, step), rel=1e-5)
        for k, found in enumerate(by_X):
            moved = [tuple(v + side * (j == k) for j, v in enumerate(at.X)) for side in (-1e-6, 1e-6)]
            ends = [float(medium.density(at._replace(X=X))) for X in moved]
            assert found == pytest.approx((ends[1] - ends[0]) / 2e-6, rel=1e-5)


def test_a_compiled_model_with_coolprop_can_be_sent() -> None:
    class Bottle(tg.Component):
        vessel = fl.TwoPhaseVolume(medium=media.RealFluid("R134a"), n_ports=0, p_start=4e5, h_start=3e5)

    compiled = pickle.loads(pickle.dumps(tg.compile(Bottle())))
    assert compiled.simulate(1.0)["vessel.p"][-1] == pytest.approx(4e5, rel=1e-9)


def test_one_call_of_coolprop_for_all_properties(monkeypatch: pytest.MonkeyPatch) -> None:
    """T, density, entropy and their slopes at one state are one flash, whoever asks."""
    fluid = media.RealFluid("R290")
    coolprop_calls.of_ph.cache_clear()
    at = fluid.at(5e5, h=4e5)
    for ask in (fluid.density, fluid.entropy, fluid.density_derivatives, fluid.speed_of_sound):
        ask(at)
    assert coolprop_calls.of_ph.cache_info().misses == 1


def test_without_coolprop_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "CoolProp", None)
    monkeypatch.setattr(coolprop_calls, "_THREAD", type(coolprop_calls._THREAD)())
    with pytest.raises(tg.LanguageError, match=r"(?s)E194.*pip install 'tellegen\[coolprop\]'"):
        media.RealFluid("R134a")
    media.dry_air().at(1e5, 300.0)  # works without


def test_a_run_that_leaves_the_range_is_warned() -> None:
    class Oven(tg.Component):
        gas = fl.ClosedVolume(medium=media.IdealGas("N2"), n_ports=1, V=1e-3, T_start=5500.0)
        feed = fl.MassFlowSource_T(medium=media.IdealGas("N2"), m_flow=1e-4, T=5500.0)

        def connections(self) -> Any:
            yield self.gas.ports[0], self.feed.port

    with pytest.warns(UserWarning, match="N2 is outside of its polynomials, 200 K to 6000 K"):
        tg.simulate(Oven(), stop=10.0)
    table = MEDIA[5]
    with pytest.warns(UserWarning, match="R134a is outside of its tables"):
        tg.simulate(Empty(medium=table), stop=60.0)


class Empty(tg.Component):
    """Vapour that is let out below the pressure of its tables."""

    medium = tg.parameter(MEDIA[5], structural=True)
    vessel = fl.TwoPhaseVolume(medium=medium, n_ports=1, V=1e-3, p_start=2e4, h_start=4e5)
    valve = fl.ValveLinear(medium=medium, m_flow_nominal=1e-3)
    outside = fl.Boundary_ph(medium=medium, p=5e3, h=4e5)

    def connections(self) -> Any:
        yield self.vessel.ports[0], self.valve.port_a
        yield self.valve.port_b, self.outside.port


class Line(tg.Component):
    """A pipe of three cells between two reservoirs."""

    medium = tg.parameter(MEDIA[4], structural=True)
    hot = fl.Boundary_pT(medium=medium, p=4.04e5, T=340.0)
    pipe = fl.DynamicPipe(medium=medium, n=3, length=10.0, diameter=0.05)
    end = fl.Boundary_pT(medium=medium, p=4e5, T=320.0)

    def connections(self) -> Any:
        yield self.hot.port, self.pipe.port_a
        yield self.pipe.port_b, self.end.port


def test_cells_of_a_pipe_are_arrays_for_every_medium() -> None:
    """CoolProp is called cell by cell from one template; at rest each cell has the enthalpy of what flows in."""
    fluid = MEDIA[4]
    run = tg.simulate(Line(), stop=20.0)
    h = fluid.enthalpy(4.04e5, 340.0)
    for p, T in zip(run["pipe.p"][-1], run["pipe.T"][-1], strict=True):
        assert fluid.at(float(p), h=h).T == pytest.approx(T, abs=1e-4)
    table = tg.simulate(Line(medium=media.TabulatedFluid("R134a")), stop=20.0)
    assert table["pipe.port_a.m_flow"][-1] == pytest.approx(run["pipe.port_a.m_flow"][-1], rel=1e-5)


def test_beyond_the_range_of_coolprop_the_run_says_so() -> None:
    class Hot(tg.Component):
        vessel = fl.TwoPhaseVolume(medium=MEDIA[4], n_ports=0, p_start=4e5, h_start=4.3e5, use_heat_port=True)
        heater = th.FixedHeatFlow(Q_flow=100.0)

        def connections(self) -> Any:
            yield self.heater.port, self.vessel.heat_port

    end = tg.simulate(Hot(), stop=200.0, throw=False).outcome
    assert end.code == "exception"
    assert end.message.startswith("CoolProp finds no state of R134a at h = ")
    assert 60.0 < end.time < 75.0
    assert "the range of the fluid" in end.advice


@pytest.mark.parametrize("solver", ["auto", "ida"])
def test_liquid_that_begins_to_boil(solver: str) -> None:
    """Liquid in a closed vessel is let out and heated: the slope of density by pressure grows 300 times at once.

    Mass and energy give the state by CoolProp.
    """
    run = tg.simulate(Boiling(), stop=100.0, solver=solver)
    assert run["vessel.x"][0] == 0.0
    assert run["vessel.x"][-1] > 0.01
    fluid = coolprop_calls.state_of("R134a")
    M, U = run["vessel.M"][-1], run["vessel.U"][-1]
    fluid.update(coolprop_calls.coolprop().DmassUmass_INPUTS, M / 1e-3, U / M)
    assert run["vessel.p"][-1] == pytest.approx(fluid.p(), rel=1e-6)


class Boiling(tg.Component):
    """Subcooled R134a flows out of a heated vessel."""

    vessel = fl.TwoPhaseVolume(medium=MEDIA[4], n_ports=1, V=1e-3, p_start=4e5, h_start=2e5, use_heat_port=True)
    valve = fl.ValveLinear(medium=MEDIA[4], m_flow_nominal=0.002, dp_nominal=4e5)
    outside = fl.Boundary_ph(medium=MEDIA[4], p=1e4, h=4e5)
    heater = th.FixedHeatFlow(Q_flow=1000.0)

    def connections(self) -> Any:
        yield self.vessel.ports[0], self.valve.port_a
        yield self.valve.port_b, self.outside.port
        yield self.heater.port, self.vessel.heat_port
