"""Gears, belts and levers: kinematics, reflected inertia, and the losses of gears in four quadrants and at rest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model
from tellegen.library import blocks
from tellegen.library import rotational as rot
from tellegen.library import translational as tr
from validation.measured import relative, within


def joined(*wires: Any, **parts: Any) -> tg.System:
    """A system of parts; wires name the ports that meet, "a.flange_b, b.flange_a"."""
    s = tg.System("gears")
    s.add(**parts)
    for wire in wires:
        ports = []
        for name in wire.split(", "):
            part, port = name.split(".")
            ports.append(getattr(s[part], port))
        s.connect(*ports)
    return s


def test_gear_train_reflects_inertia() -> None:
    """tau/(J_1 + J_2/i_1^2 + J_3/(i_1 i_2)^2) at the motor: constant, so only roundings remain."""
    train = joined(
        "motor.flange, j1.flange_a",
        "j1.flange_b, first.flange_a",
        "first.flange_b, j2.flange_a",
        "j2.flange_b, second.flange_a",
        "second.flange_b, j3.flange_a",
        motor=rot.ConstantTorque(tau_constant=2.0),
        j1=rot.Inertia(J=0.01, w=tg.variable(start=0.0, fixed=True)),
        first=rot.IdealGear(ratio=-4.0),
        j2=rot.Inertia(J=0.1),
        second=rot.IdealBelt(r_a=0.05, r_b=0.15),
        j3=rot.Inertia(J=3.0),
    )
    s = tg.simulate(train, 1.0)
    a = 2.0 / (0.01 + 0.1 / 16 + 3.0 / 144)
    within("Gear and belt in a row, acceleration of the motor", relative(s["j1.a"], a), 1e-12, "reflected inertia")
    within("Gear and belt in a row, speed of the load", s["j3.w"] + s["j1.w"] / 12, 1e-10, "ratios, rad/s")


def test_reaction_of_a_housing() -> None:
    """A gear in a free housing: no torque from outside, so the angular momentum of all three is that of the motor."""
    free = joined(
        "motor.flange, a.flange_a",
        "a.flange_b, gear.flange_a",
        "gear.flange_b, b.flange_a",
        "gear.support, house.flange_a, motor.support",
        motor=rot.ConstantTorque(tau_constant=2.0, use_support=True),
        a=rot.Inertia(J=0.1, phi=tg.variable(start=0.0, fixed=True), w=tg.variable(start=0.0, fixed=True)),
        gear=rot.IdealGear(ratio=3.0, use_support=True),
        b=rot.Inertia(J=0.4, phi=tg.variable(start=0.0, fixed=True), w=tg.variable(start=0.0, fixed=True)),
        house=rot.Inertia(J=2.0),
    )
    s = tg.simulate(free, 1.0)
    momentum = 0.1 * s["a.w"] + 0.4 * s["b.w"] + 2.0 * s["house.w"]
    assert abs(s["house.w"][-1]) > 0.1
    within("Gear in a free housing, angular momentum", momentum, 1e-12, "zero, N m s")
    kinetic = 0.5 * (0.1 * s["a.w"][-1] ** 2 + 0.4 * s["b.w"][-1] ** 2 + 2.0 * s["house.w"][-1] ** 2)
    work = 2.0 * (s["a.phi"][-1] - s["house.phi"][-1])
    within("Gear in a free housing, energy", relative(kinetic, work), 1e-9, "work of the motor")


def test_planetary() -> None:
    """Willis: with the ring held w_sun = (1 + z) w_carrier; the ring holds z times the torque of the sun."""
    planet = joined(
        "motor.flange, sun.flange_a",
        "sun.flange_b, gear.sun",
        "gear.ring, wall.flange",
        "gear.carrier, load.flange_a",
        motor=rot.ConstantTorque(tau_constant=1.0),
        sun=rot.Inertia(J=0.02, w=tg.variable(start=0.0, fixed=True)),
        gear=rot.IdealPlanetary(ratio=2.5),
        wall=rot.Fixed(),
        load=rot.Inertia(J=0.5),
    )
    s = tg.simulate(planet, 1.0)
    a = 1.0 / (0.02 + 0.5 / 3.5**2)
    within("Planetary gear, ring held: acceleration", relative(s["sun.a"], a), 1e-12, "closed-form solution")
    within("Planetary gear, ring held: carrier", s["sun.w"] - 3.5 * s["load.w"], 1e-10, "Willis, rad/s")
    holds = s["wall.flange.tau"] + 2.5 * s["gear.sun.tau"]
    within("Planetary gear, ring held: torque of the ring", holds, 1e-12, "Willis, N m")


def test_differential() -> None:
    """Equal torques: a wheel on ice and one on the road get the same, and their mean speed is that of the shaft."""
    axle = joined(
        "motor.flange, shaft.flange_a",
        "shaft.flange_b, gear.flange_a",
        "gear.left, left.flange_a",
        "gear.right, right.flange_a",
        motor=rot.ConstantTorque(tau_constant=50.0),
        shaft=rot.Inertia(J=0.1),
        gear=rot.IdealDifferential(ratio=4.0),
        left=rot.Inertia(J=1.0, w=tg.variable(start=0.0, fixed=True)),
        right=rot.Inertia(J=3.0, w=tg.variable(start=0.0, fixed=True)),
    )
    s = tg.simulate(axle, 1.0)
    # each wheel gets T = 4/2 (50 - 0.1 a_shaft), with a_shaft = 4/2 (a_left + a_right) = 2 (T/1 + T/3)
    torque = 2.0 * 50.0 / (1.0 + 2.0 * 0.1 * 2.0 * (1.0 + 1.0 / 3.0))
    within("Differential, left wheel", relative(s["left.a"], torque), 1e-12, "closed-form solution")
    within("Differential, right wheel", relative(s["right.a"], torque / 3.0), 1e-12, "closed-form solution")


@pytest.mark.parametrize(
    ("gear", "per_metre"),
    [
        (rot.IdealRollingWheel(radius=0.25), 4.0),
        (rot.RackAndPinion(r=-0.05), -20.0),
        (rot.IdealGearR2T(ratio=300.0), 300.0),
    ],
    ids=lambda x: type(x).__name__,
)
def test_rotation_to_translation(gear: Any, per_metre: float) -> None:
    """(m + J k^2) a = k tau, with k the angle per metre."""
    drive = joined(
        "motor.flange, rotor.flange_a",
        "rotor.flange_b, gear.flange_r",
        "gear.flange_t, cart.flange_a",
        motor=rot.ConstantTorque(tau_constant=3.0),
        rotor=rot.Inertia(J=0.01),
        gear=gear,
        cart=tr.Mass(m=20.0, s=tg.variable(start=0.0, fixed=True), v=tg.variable(start=0.0, fixed=True)),
    )
    s = tg.simulate(drive, 2.0)
    a = per_metre * 3.0 / (20.0 + 0.01 * per_metre**2)
    name = type(gear).__name__
    within(f"{name}, path", s["cart.s"] - a * s.time**2 / 2, 1e-9 * abs(a), "closed-form solution, m")
    within(f"{name}, angle", s["rotor.phi"] - per_metre * s["cart.s"], 1e-9 * abs(per_metre * a), "ratio, rad")


def test_supports_of_a_rack() -> None:
    """A pinion on a cart pushes a rack: the cart takes what the rack does not, and momentum stays zero."""
    drive = joined(
        "motor.flange, gear.flange_r",
        "motor.support, gear.support_r, ground.flange",
        "gear.flange_t, rack.flange_a",
        "gear.support_t, cart.flange_a",
        motor=rot.ConstantTorque(tau_constant=3.0, use_support=True),
        ground=rot.Fixed(),
        gear=rot.RackAndPinion(r=0.1, use_support_r=True, use_support_t=True),
        rack=tr.Mass(m=2.0, s=tg.variable(start=0.0, fixed=True), v=tg.variable(start=0.0, fixed=True)),
        cart=tr.Mass(m=6.0, s=tg.variable(start=0.0, fixed=True), v=tg.variable(start=0.0, fixed=True)),
    )
    s = tg.simulate(drive, 1.0)
    within("Rack on a cart, velocity of the rack", s["rack.v"] - 15.0 * s.time, 1e-9, "closed-form solution, m/s")
    within("Rack on a cart, momentum", 2.0 * s["rack.v"] + 6.0 * s["cart.v"], 1e-9, "zero, N s")


def test_lever() -> None:
    """A mass on the short arm, a spring on the long one: stiffness times ratio squared; the pivot holds the sum."""
    scale = joined(
        "mass.flange_a, lever.flange_a",
        "lever.flange_b, spring.flange_a",
        "spring.flange_b, wall.flange",
        mass=tr.Mass(m=2.0, s=tg.variable(start=0.01, fixed=True), v=tg.variable(start=0.0, fixed=True)),
        lever=tr.Lever(ratio=-0.25),
        spring=tr.Spring(c=50.0),
        wall=tr.Fixed(),
    )
    s = tg.simulate(scale, 2.0, rtol=1e-9)
    w = np.sqrt(50.0 * 16.0 / 2.0)
    within("Lever with a spring, path", s["mass.s"] - 0.01 * np.cos(w * s.time), 1e-9, "closed-form solution, m")
    held = s["lever.f_pivot"] + s["lever.flange_a.f"] * (1 + 0.25)
    within("Lever with a spring, force of the pivot", held, 1e-10, "balance of forces, N")


TABLE = [[0.0, 0.9, 0.8, 0.5, 0.7], [10.0, 0.95, 0.85, 0.3, 0.4]]
ETA1, ETA2, BF1, BF2 = 0.925, 0.825, 0.4, 0.55  # in the middle, at 5 rad/s


def turned(speed: float, load: float) -> tg.System:
    """A lossy gear turned with a speed at flange_a against a torque at flange_b."""
    return joined(
        "drive.flange, gear.flange_a",
        "gear.flange_b, load.flange",
        drive=rot.ConstantSpeed(w_fixed=speed),
        gear=rot.LossyGear(ratio=3.0, loss_table=TABLE),
        load=rot.ConstantTorque(tau_constant=load),
    )


QUADRANTS = {
    "forward, flange_a drives": (5.0, -30.0, (10.0 + BF1) / ETA1),
    "forward, flange_b drives": (5.0, 30.0, ETA2 * (-10.0 + BF2)),
    "backward, flange_a drives": (-5.0, 30.0, -(10.0 + BF1) / ETA1),
    "backward, flange_b drives": (-5.0, -30.0, -ETA2 * (-10.0 + BF2)),
    "forward without load": (5.0, 0.0, max(BF1 / ETA1, ETA2 * BF2)),
}


@pytest.mark.parametrize("name", QUADRANTS)
def test_lossy_gear_in_four_quadrants(name: str) -> None:
    """-tau_b/i = eta_mf1 tau_a - tau_bf1 or tau_a/eta_mf2 - tau_bf2, solved for tau_a by hand."""
    speed, load, tau_a = QUADRANTS[name]
    s = tg.simulate(turned(speed, load), 1.0)
    within(f"LossyGear {name}", relative(s["gear.flange_a.tau"], tau_a), 1e-10, "formula of the quadrant")
    lost = s["gear.flange_a.tau"] * speed + s["gear.flange_b.tau"] * speed / 3.0
    assert (lost > 0).all()


class Hoist(tg.Component):
    """A motor lifts a load through a lossy gear, lets it hang, and gives way."""

    motor = rot.Torque()
    rotor = rot.Inertia(J=0.1, w=tg.variable(start=0.0, fixed=True))
    gear = rot.LossyGear(ratio=10.0, loss_table=[[0.0, 0.8, 0.7, 0.0, 0.0]])
    drum = rot.Inertia(J=1.0)
    weight = rot.ConstantTorque(tau_constant=-100.0)
    pull = blocks.Table(times=[0.0, 1.0, 1.0, 2.0, 4.0], values=[15.0, 15.0, 10.0, 10.0, 4.0])

    def connections(self):
        yield self.pull.y, self.motor.tau
        yield self.motor.flange, self.rotor.flange_a
        yield self.rotor.flange_b, self.gear.flange_a
        yield self.gear.flange_b, self.drum.flange_a
        yield self.drum.flange_b, self.weight.flange


@pytest.mark.parametrize("solver", ["cvode", "rk45"])
def test_hoist_holds_its_load(solver: str) -> None:
    """Lifting needs 10/0.8 = 12.5 N m, lowering less than 10*0.7 = 7 N m; in between the gear holds the load.

    Up: 15 - tau_a = J a, tau_b balance: 10*0.8 tau_a = 100 + J_d a/10. Then 10 N m brake the upward motion; the
    rotor stops and stays until the motor has come down to 7 N m at 3 s.
    """
    s = shared_model(Hoist).simulate(4.0, rtol=1e-9, atol=1e-11, solver=solver)

    def up(motor: float) -> float:
        return (8.0 * motor - 100.0) / (0.1 + 8.0 * 0.1)  # eliminating tau_a = motor - 0.1 a

    lift, brake = up(15.0), up(10.0)
    stop = 1.0 - lift / brake
    rises = s.time <= 1.0
    within("Hoist, lifting", s["rotor.w"][rises] - lift * s.time[rises], 1e-7, "closed-form solution, rad/s", solver)
    held = (s.time > stop + 1e-6) & (s.time < 3.0 - 1e-6)
    assert held.sum() > 50
    within("Hoist, speed while the gear holds", s["rotor.w"][held], 1e-12, "zero, rad/s", solver)
    instants = [event.time for event in s.events if any("mode" in what for what in event.what)]
    within("Hoist, stops and gives way", np.array(instants[-2:]) - [stop, 3.0], 1e-6, "closed-form solution, s", solver)
    # lowering: -(tau_b) = 10 tau_a/0.7 = 100 + J_d a/10, motor = 10 - 3 (t - 2) for t > 3
    t = s.time[s.time > 3.0] - 3.0
    inertia = 0.1 * 10.0 / 0.7 + 0.1
    w = -(10.0 / 0.7) * 3.0 * t**2 / 2 / inertia
    within("Hoist, lowering", s["rotor.w"][s.time > 3.0] - w, 1e-5, "closed-form solution, rad/s", solver)


def test_gear_without_losses_is_ideal() -> None:
    """The default table: it never sticks."""
    ideal = tg.simulate(Hoist(gear=rot.LossyGear(ratio=10.0)), 4.0, rtol=1e-9)
    same = tg.simulate(Hoist(gear=rot.IdealGear(ratio=10.0)), 4.0, rtol=1e-9)
    error = ideal["rotor.w"][-1] - same["rotor.w"][-1]
    within("LossyGear without losses", error / same["rotor.w"][-1], 1e-7, "IdealGear")


@pytest.mark.parametrize("row", [[0.0, 1.2, 1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.9, 0.9, -1.0, 0.0]])
def test_losses_that_gain_are_refused(row: list[float]) -> None:
    with pytest.raises(tg.LanguageError, match="the losses of a gear cannot be these"):
        tg.flatten(rot.LossyGear(loss_table=[row]))


def test_a_table_with_a_column_too_few_is_refused() -> None:
    with pytest.raises(tg.LanguageError, match="needs rows"):
        tg.flatten(rot.LossyGear(loss_table=[[0.0, 0.9, 0.9]]))


class GearAndBearing(tg.Component):
    """LossyGearDemo2 of the Modelica Standard Library: friction of the teeth and of a bearing on one shaft."""

    gear = rot.LossyGear(ratio=2.0, loss_table=[[0.0, 0.5, 0.5, 0.0, 0.0]])
    inertia1 = rot.Inertia(J=1.0)
    inertia2 = rot.Inertia(J=1.5)
    drive = rot.Torque()
    load = rot.Torque()
    sine = blocks.Sine(amplitude=10.0, f=1.0)
    ramp = blocks.Ramp(height=5.0, duration=2.0, offset=-10.0)
    bearing = rot.BearingFriction(tau_pos=[[0.0, 0.5], [1.0, 1.0]])

    def connections(self):
        yield self.sine.y, self.drive.tau
        yield self.ramp.y, self.load.tau
        yield self.drive.flange, self.bearing.flange_a
        yield self.bearing.flange_b, self.inertia1.flange_a
        yield self.inertia1.flange_b, self.gear.flange_a
        yield self.gear.flange_b, self.inertia2.flange_a
        yield self.inertia2.flange_b, self.load.flange


@pytest.mark.parametrize("solver", ["auto", "rk45", "cvode", "ida", "rodas"])
def test_a_lossy_gear_and_a_bearing_on_one_shaft(solver: str) -> None:
    """Both stick and slip within half a second; the reference has seven digits of the speed."""
    s = shared_model(GearAndBearing).simulate(stop=0.5, solver=solver)
    assert s["inertia2.w"][-1] == pytest.approx(-0.009624278, rel=1e-5)
