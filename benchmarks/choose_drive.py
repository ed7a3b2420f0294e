"""Motor, gearbox and controller for a positioning axis: the fastest of 43 200 combinations, with its gains.

A table turns by one radian as fast as a drive of at most 200 g does it, without overshoot. The motor and the gearbox
come from the catalogue, the controller is one of three implementations of an interface, and its gains are searched for
each combination. Limits are those of the data sheets: the current a motor bears all the time (as a root of the mean
square over the cycle), the peak torque of a gearbox, the speed of a motor, and the supply of 24 V.

Most combinations are never simulated: the numbers of all motors and gearboxes that are left form a box, in which the
best imaginable drive is found with exact gradients; where even that is too heavy or too slow, all of them are left out.

A search to the end takes 434 s of CPU in all processes (265 s on two cores when half of them was free): 277 of 43 200
combinations (0.64 %) simulated, 262 bounds, 17 224 runs, proven; workers keep to 285 MB, the
main process to 330 MB. Found: maxon ECXZ16M1KN40N1IL1D560A with gear maxon 406770 and rate feedback, 0.0226058. It is
the best of all 360 combinations with its gear. Reduced to eight motors and eight gears (seeds 0, 1, 2), bounds find
what all 192 combinations have.

    python benchmarks/choose_drive.py                all combinations, by bounds
    python benchmarks/choose_drive.py --reduced 6    six motors and six gears, by bounds and one by one
"""

import os
from argparse import ArgumentParser
from multiprocessing import active_children
from pathlib import Path
from time import perf_counter

import numpy as np

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.library.interfaces import DCMotorInterface, GearboxInterface

MOVE = 1.0
SUPPLY = 24.0
TIME = 0.5
MASS = 0.2


class RotorMotor(tg.Component, implements=DCMotorInterface, name="rotor"):
    """Resistance, induced voltage and rotor; the inductance matters for microseconds only."""

    winding = el.Resistor(R=DCMotorInterface.R)
    emf = el.EMF(k=DCMotorInterface.k)
    rotor = rot.Inertia(J=DCMotorInterface.J)

    def connections(self):
        yield self.p, self.winding.p
        yield self.winding.n, self.emf.p
        yield self.emf.n, self.n
        yield self.emf.flange, self.rotor.flange_a
        yield self.rotor.flange_b, self.flange


class PositionController(tg.Interface):
    """From angle and speed of the table to the voltage of the motor."""

    wanted = tg.input("rad")
    phi = tg.input("rad")
    w = tg.input("rad/s")
    v = tg.output("V")
    stiffness = tg.parameter(100.0, "V/rad", semantics="proportional_gain")
    damping = tg.parameter(5.0, "V.s/rad", semantics="derivative_gain")


class RateFeedback(tg.Component, implements=PositionController, name="rate feedback", default=True):
    """v = stiffness e - damping w."""

    def equations(self):
        yield self.v == self.stiffness * (self.wanted - self.phi) - self.damping * self.w


class FilteredRate(tg.Component, implements=PositionController, name="filtered rate"):
    """As RateFeedback, with the speed by a filter of 2 ms."""

    T = tg.parameter(2e-3, "s")
    filtered = tg.variable("rad/s", start=0.0, fixed=True)

    def equations(self):
        yield self.T * tg.der(self.filtered) == self.w - self.filtered
        yield self.v == self.stiffness * (self.wanted - self.phi) - self.damping * self.filtered


class WithIntegral(tg.Component, implements=PositionController, name="integral"):
    """As RateFeedback, with the integral of the error over 0.5 s."""

    T = tg.parameter(0.5, "s")
    sum = tg.variable("rad", start=0.0, fixed=True)

    def equations(self):
        error = self.wanted - self.phi
        yield self.T * tg.der(self.sum) == error
        yield self.v == self.stiffness * (error + self.sum) - self.damping * self.w


class Axis(tg.Component):
    """Controller, amplifier, motor, gearbox and table."""

    motor_mass = tg.parameter(0.1, "kg")
    gear_mass = tg.parameter(0.1, "kg")
    current_max = tg.parameter(1.0, "A", "what the motor bears all the time")
    speed_max = tg.parameter(1000.0, "rad/s", "of the motor")
    torque_peak = tg.parameter(1.0, "N.m", "of the gearbox")
    controller = PositionController()
    amplifier = el.SignalVoltage()
    motor = DCMotorInterface()
    gear = GearboxInterface()
    table = rot.Inertia(J=2e-3, phi=tg.variable(start=0.0, fixed=True), w=tg.variable(start=0.0, fixed=True))
    ground = el.Ground()
    mass = tg.variable("kg", "of motor and gearbox")
    load = tg.variable("1", "current of what the motor bears all the time")
    strain = tg.variable("1", "torque of what the gearbox bears")
    haste = tg.variable("1", "speed of what the motor bears")

    def connections(self):
        yield self.amplifier.p, self.motor.p
        yield self.amplifier.n, self.motor.n, self.ground.p
        yield self.motor.flange, self.gear.flange_a
        yield self.gear.flange_b, self.table.flange_a

    def equations(self):
        yield self.controller.wanted == MOVE
        yield self.controller.phi == self.table.phi
        yield self.controller.w == self.table.w
        yield self.amplifier.u == SUPPLY * tg.tanh(self.controller.v / SUPPLY)
        yield self.mass == self.motor_mass + self.gear_mass
        yield self.load == self.motor.p.i / self.current_max
        yield self.strain == self.gear.flange_b.tau / self.torque_peak
        yield self.haste == self.gear.ratio * self.table.w / self.speed_max


LIMITS = [
    tg.final("mass") <= MASS,
    tg.peak("table.phi") <= 1.01 * MOVE,
    tg.rms("load") <= 1.0,
    tg.peak("abs(strain)") <= 1.0,
    tg.peak("abs(haste)") <= 1.0,
]


def choices() -> dict[str, list]:
    """All motors, all gearboxes and all controllers."""
    parts = tg.catalogue()
    motors = [
        {
            "name": part.name,
            "motor": RotorMotor,
            **{f"motor.{name}": part.parameters[name] for name in ("k", "R", "J")},
            "motor_mass": part.limits["mass"].to("kg"),
            "current_max": part.limits["current_max"].to("A"),
            "speed_max": part.limits["speed_max"].to("rad/s"),
        }
        for part in parts.find(DCMotorInterface)
    ]
    gears = [
        {
            "name": part.name,
            "gear": "inertia",
            **{f"gear.{name}": part.parameters[name] for name in ("ratio", "J")},
            "gear_mass": part.limits["mass"].to("kg"),
            "torque_peak": part.limits["torque_peak"].to("N.m"),
        }
        for part in parts.find(GearboxInterface)
    ]
    return {"motor": motors, "gear": gears, "controller": list(PositionController.implementations)}


def search(lists: dict[str, list], combinations: str = "auto") -> tg.Optimum:
    """The fastest drive that keeps all limits."""
    return tg.optimize(
        Axis(),
        TIME,
        minimize=tg.integral("(1 - table.phi)**2"),
        subject_to=LIMITS,
        variables={"controller.stiffness": (5.0, 2000.0), "controller.damping": (0.1, 100.0)},
        choices=lists,
        combinations=combinations,
        points=100,
    )


def reduced(lists: dict[str, list], count: int, seed: int) -> dict[str, list]:
    """A few motors and gears by chance, and all controllers."""
    rng = np.random.default_rng(seed)
    few = {key: [lists[key][k] for k in rng.choice(len(lists[key]), count, replace=False)] for key in ("motor", "gear")}
    return {**few, "controller": lists["controller"]}


def compare(count: int, seed: int) -> None:
    """Bounds and all combinations of a reduced catalogue."""
    lists = reduced(choices(), count, seed)
    for way in ("all", "bounds"):
        began = perf_counter()
        best = search(lists, way)
        print(f"{way:6} {best.choice} {best.objective:.6g}, {best.choices!r}, {perf_counter() - began:.0f} s")


def cpu_seconds() -> float:
    """Of this process and all that it started; these have ended."""
    for process in active_children():
        process.join()
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def study() -> None:
    """Search, and show the best drive and what became of all others."""
    began = perf_counter()
    best = search(choices())
    print(best)
    assert best.choices is not None
    seconds = perf_counter() - began
    print(f"{seconds:.0f} s, {cpu_seconds():.0f} s of CPU in all processes, proven: {best.choices.proven}")
    output = Path("demo_output")
    output.mkdir(exist_ok=True)
    best.choices.plot().savefig(output / "choose_drive.png", dpi=150)
    best.solution.plot("table.phi", "motor.p.i", "strain", "load").savefig(output / "choose_drive_run.png", dpi=150)
    print(f"plots: {output / 'choose_drive.png'}, {output / 'choose_drive_run.png'}")


if __name__ == "__main__":
    options = ArgumentParser(description="The fastest drive from the catalogue")
    options.add_argument("--reduced", type=int, default=0, help="motors and gears, for a comparison")
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    if given.reduced:
        compare(given.reduced, given.seed)
    else:
        study()
