"""tg.compare: differences, cost, regions, the proposal. tg.feasibility: limits against a run."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

import tellegen as tg
from motors import Drive, Motor
from tellegen.library import electrical as el
from tellegen.library import rotational as rot

IDEAL, FIRM, COIL = (
    "motor=ideal",
    "motor=complex, motor.armature=resistive",
    "motor=complex, motor.armature=inductive",
)


@pytest.fixture(scope="module")
def compared() -> tg.Comparison:
    return tg.compare(Drive(), of=[tg.final("load.w"), "motor.p.i"], stop=1.0, reference=COIL, tolerance=0.01)


def test_differences_are_those_of_the_closed_solutions(compared: tg.Comparison) -> None:
    """With L, the armature current starts at zero; the final speeds differ by the delay of about L/R."""
    R, L, k, J = 2.4, 4.8e-3, 0.05, 1e-3
    roots = np.roots([L * J, R * J, k**2])
    slow = 12.0 / k * (1.0 - np.exp(-(k**2) / (R * J)))
    weights = np.array([roots[1], -roots[0]]) / (roots[0] - roots[1])
    coupled = 12.0 / k * (1.0 + float(weights @ np.exp(roots)))
    assert compared.values[IDEAL]["final(load.w)"] == pytest.approx(slow, rel=1e-5)
    assert compared.values[COIL]["final(load.w)"] == pytest.approx(coupled, rel=1e-5)
    assert compared.differences[IDEAL]["final(load.w)"] == pytest.approx(abs(slow - coupled) / coupled, rel=0.05)
    assert compared.differences[COIL] == {"final(load.w)": 0.0, "motor.p.i": 0.0}
    assert compared.differences[FIRM]["motor.p.i"] > 0.9


def test_the_proposal_is_the_cheapest_that_fits(compared: tg.Comparison) -> None:
    assert compared.proposed == COIL  # the current alone needs the inductance
    speed = tg.compare(Drive(), of=tg.final("load.w"), stop=1.0, reference=COIL)
    assert speed.proposed == IDEAL
    assert speed.costs == {IDEAL: 1.0, FIRM: 3.0, COIL: 3.0}
    assert "the cheapest is motor=ideal" in str(speed)
    assert list(compared.to_pandas().index) == [IDEAL, FIRM, COIL]
    plt.close(compared.plot())


def test_without_costs_the_work_counts() -> None:
    drives = {"a": tg.compile(Drive()), "b": tg.compile(tg.bind(Drive(), {"motor": "complex"}))}
    found = tg.compare(drives, of=[tg.final("load.w")], stop=0.1)
    assert found.costs["b"] == found.models[1].work > found.costs["a"]
    assert found.reference == "b"
    again = tg.compare(list(drives.values()), of=[tg.final("load.w")], stop=0.1)
    assert [model.name for model in again.models] == [IDEAL, FIRM]


def test_a_model_that_leaves_its_region_is_not_proposed() -> None:
    class Coil(tg.Interface):
        i = tg.output("s", "in units of time, for a ramp")

    class Linear(tg.Component, implements=Coil, name="linear", default=True, tags={"cost": 1}):
        def equations(self):
            yield self.i == tg.time
            yield tg.region(self.i < 0.25, "the core is not saturated")

    class Saturated(tg.Component, implements=Coil, name="saturated", tags={"cost": 2}):
        def equations(self):
            yield self.i == tg.time

    class Magnet(tg.Component):
        coil = Coil()

    with pytest.warns(UserWarning, match="not saturated"):
        found = tg.compare(Magnet(), of=[tg.final("coil.i")], stop=1.0)
    assert found.models[0].left_region == pytest.approx(0.25, abs=1e-3)
    assert found.differences["coil=linear"]["final(coil.i)"] < 1e-9
    assert found.proposed == "coil=saturated"
    assert "t = 0.25 s" in str(found)


def test_a_run_that_fails_is_a_row() -> None:
    class Broken(tg.Component):
        x = tg.variable(start=1.0, fixed=True)

        def equations(self):
            yield tg.der(self.x) == self.x**2

    class Sound(tg.Component):
        x = tg.variable(start=1.0, fixed=True)

        def equations(self):
            yield tg.der(self.x) == 0.1 * self.x

    found = tg.compare({"broken": Broken(), "sound": Sound()}, of=[tg.final("x")], stop=2.0)
    assert not found.success
    assert found.reference == found.proposed == "sound"
    assert "broken:" in found.message


@pytest.mark.parametrize("wrong", [3, [3], {}, []])
def test_wrong_outputs(wrong: object) -> None:
    with pytest.raises(tg.BindingError, match="E809"):
        tg.compare(Drive(), of=wrong, stop=1.0)


def test_wrong_models_and_references() -> None:
    with pytest.raises(tg.BindingError, match=r"E809: tg\.compare needs models"):
        tg.compare("drive", of=["load.w"], stop=1.0)
    with pytest.raises(tg.BindingError, match="E809: reference='coil' is none of the models"):
        tg.compare({"one": Drive()}, of=["load.w"], stop=0.01, reference="coil")


class RatedMotor(tg.Interface):
    """A motor whose ratings say what they limit."""

    p = el.Pin()
    n = el.Pin()
    flange = rot.Flange()
    semantics = tg.Semantics(
        limits={
            "current_max": "p.i",
            "voltage_nominal": "p.v - n.v",
            "speed_max": "der(flange.phi)",
            "power": "p.v*p.i",
        }
    )


class PlainMotor(tg.Component, implements=RatedMotor, default=True):
    """R i + k w, and its torque as a variable."""

    tau = tg.variable("N.m")

    def equations(self):
        yield self.p.v - self.n.v == 2.4 * self.p.i + 0.05 * tg.der(self.flange.phi)
        yield self.p.i + self.n.i == 0
        yield self.tau == 0.05 * self.p.i
        yield self.flange.tau == -self.tau


def rated_drive() -> tg.System:
    drive = tg.System("drive")
    drive.add(source=el.StepVoltage(V=12.0), motor=RatedMotor(), load=rot.Inertia(J=1e-3), ground=el.Ground())
    drive.connect(drive.source.p, drive.motor.p)
    drive.connect(drive.source.n, drive.motor.n, drive.ground.p)
    drive.connect(drive.motor.flange, drive.load.flange_a)
    return drive


def test_ratings_against_a_run() -> None:
    limits = {
        "current_max": "4.5 A",
        "voltage_nominal": "24 V",
        "speed_max": "2000 rpm",
        "tau_max": "300 mN.m",
        "power": "60 W",
        "mass": "0.2 kg",
    }
    part = tg.Part("M1", RatedMotor, limits=limits)
    solution = tg.simulate(tg.bind(rated_drive(), {"motor": part}), stop=1.0)
    found = tg.feasibility(solution, {"load.w": "1500 rpm", "load.phi": (0.0, "90 deg")})
    speed = 240.0 * (1.0 - np.exp(-(0.05**2) / (2.4 * 1e-3)))
    assert found.slack["motor.current_max"] == pytest.approx(-0.5, abs=1e-6)
    assert found.slack["motor.voltage_nominal"] == pytest.approx(12.0)
    assert found.slack["motor.tau_max"] == pytest.approx(300.0 - 250.0, rel=1e-6)
    assert found.slack["motor.speed_max"] == pytest.approx(2000.0 - speed * 30.0 / np.pi, rel=1e-4)
    assert found.slack["motor.power"] == pytest.approx(0.0, abs=1e-6)
    assert found.slack["load.w"] == pytest.approx(50.0 * np.pi - speed, rel=1e-4)
    assert found.slack["load.phi.min"] == pytest.approx(0.0, abs=1e-9)
    assert not found
    assert found.message == "motor.current_max, load.phi.max"  # power and load.phi.min are just reached
    assert found.unchecked == ("motor.mass",)
    assert "exceeded" in str(found)


def test_limits_that_cannot_be_compared() -> None:
    solution = tg.simulate(tg.bind(Drive(), {"motor": tg.Part("M1", Motor, limits={"k_max": "3 V"})}), stop=0.01)
    with pytest.raises(tg.BindingError, match="E809: k_max of M1 is in V"):
        tg.feasibility(solution)
    with pytest.raises(tg.BindingError, match=r"E809: the limit of 'load\.w'"):
        tg.feasibility(tg.simulate(Drive(), stop=0.01), {"load.w": "3 kg"})
    with pytest.raises(tg.BindingError, match=r"E809: tg\.feasibility needs a solution"):
        tg.feasibility(Drive())  # type: ignore[arg-type]


def test_a_product_has_a_unit() -> None:
    """The power of a motor is current by voltage: W, not kg."""
    part = tg.Part("M1", RatedMotor, limits={"power": "60 kg"})
    with pytest.raises(tg.BindingError, match=r"E809: power of M1 is in kg, but '.*' is in W"):
        tg.feasibility(tg.simulate(tg.bind(rated_drive(), {"motor": part}), stop=0.01))


def test_a_rating_that_limits_nothing() -> None:
    with pytest.warns(UserWarning, match="'curent_max' of the part M1 limits nothing; perhaps 'current_max' is meant"):
        bound = tg.bind(rated_drive(), {"motor": tg.Part("M1", RatedMotor, limits={"curent_max": "1 A"})})
    found = tg.feasibility(tg.simulate(bound, stop=0.01))
    assert "nothing was checked" in str(found)
    assert "all hold" not in str(found)
    assert "motor.curent_max" in str(found)


class Pulse(tg.Component):
    """A hump of height 1 and width 2 ms at t = 0.5 s, as a state."""

    x = tg.variable(start=0.0, fixed=True)

    def equations(self):
        s = (tg.time - 0.5) / 1e-3
        yield tg.der(self.x) == -2e3 * s * tg.exp(-s * s)


@pytest.mark.parametrize("points", [[0.0, 0.4, 0.496, 0.504, 0.52], 12])
def test_a_peak_between_output_points_counts(points: Any) -> None:
    """The points see nothing of it (and a spline through the first ones swings to 2663); the integrator's steps do."""
    coarse = tg.simulate(Pulse(), stop=0.52, points=points, rtol=1e-8)
    found = tg.feasibility(coarse, {"x": 0.5})
    assert not found
    assert found.rows[0].reached == pytest.approx(1.0, rel=0.02)  # the largest at a step, not between steps
    assert "between points" in str(found)
