"""Three iterations of a design, by bindings alone: the missile seeker of A. Diaz-Calderon's thesis (2000), chapter 7.

The conceptual system is written once: references, controllers, motors, gears, sensors and the seeker are interfaces.
Each iteration binds other implementations to them and asks the same questions.

    I    motor ideal, controller analog, seeker simple         are the motors strong enough for the estimated loads?
    II   motor complex, seeker dynamics                        and for the masses that come out of the geometry?
    III  controller discrete, amplifier sign/magnitude         how well does the sampled controller follow?

Given by the thesis: the trajectory (2 Hz, 1 rad), loads, masses, materials, 24 V, 4000 rpm, gears of 30:1, torques of
0.13 and 0.24 N.m, at most 800 g. It does not print motor constants, gains, sample time, frequency of the pulses or
friction; those below are chosen such that the peak torques of iteration II come near to the printed 0.07 and 0.06 N.m.
Its chapters disagree on which axis is called what; here the ring turns in yaw and the camera in pitch, as in chapter 7.

Run it again and it writes the tables and figures again: demo_output/seeker_design*.png and seeker_design.txt.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import multibody, sampled
from tellegen.library import rotational as rot

PERIOD = 0.5
AMPLITUDE = 1.0
SUPPLY = 24.0
CARRIER = tg.Clock(rate="4 kHz")
SAVED = Path(__file__).parent / "data" / "seeker.json"


# -- motors -----------------------------------------------------------------------------------------------------------
class Motor(tg.Interface):
    """A permanent-magnet motor between two pins and its shaft."""

    p = el.Pin()
    n = el.Pin()
    flange = rot.Flange()
    k = tg.parameter(0.05, "N.m/A", "torque constant", semantics="torque_constant")
    R = tg.parameter(4.0, "ohm", "resistance of the armature", semantics="armature_resistance")
    L = tg.parameter(2e-3, "H", "inductance of the armature", semantics="armature_inductance")
    J = tg.parameter(1e-5, "kg.m2", "rotor", semantics="rotor_inertia")
    friction = tg.parameter(5e-3, "N.m", "dry friction", semantics="dry_friction")
    tau = tg.variable("N.m", "torque of the field")
    w = tg.variable("rad/s", "speed of the rotor")
    semantics = tg.Semantics(limits={"voltage_max": "p.v - n.v", "torque_max": "tau", "speed_max": "w"})

    def equations(self) -> Iterator[Any]:
        """The field: torque by the current."""
        yield self.tau == self.k * self.p.i
        yield self.w == tg.der(self.flange.phi)
        yield self.p.i + self.n.i == 0


class IdealMotor(tg.Component, implements=Motor, name="ideal", default=True):
    """No inductance, no friction, no rotor."""

    def equations(self) -> Iterator[Any]:
        """Resistance and induced voltage."""
        yield self.p.v - self.n.v == self.R * self.p.i + self.k * self.w
        yield self.flange.tau == -self.tau


class ComplexMotor(tg.Component, implements=Motor, name="complex"):
    """With inductance, rotor and friction."""

    def equations(self) -> Iterator[Any]:
        """The friction changes its sign within 0.2 rad/s."""
        drag = self.friction * tg.tanh(self.w / 0.2)
        yield self.p.v - self.n.v == self.R * self.p.i + self.L * tg.der(self.p.i) + self.k * self.w
        yield self.J * tg.der(self.w) == self.tau - drag + self.flange.tau


# -- amplifiers and controllers ---------------------------------------------------------------------------------------
class Amplifier(tg.Interface):
    """From a command between -1 and 1 to a voltage."""

    command = tg.input("1")
    v = tg.output("V")


class SignMagnitude(tg.Component, implements=Amplifier, name="SM", default=True):
    """Pulses of one sign, as wide as the magnitude of the command: none for zero."""

    pwm = sampled.PWM(clock=CARRIER, code="sign_magnitude")

    def equations(self) -> Iterator[Any]:
        """The supply in one direction, or nothing."""
        yield self.pwm.duty == self.command
        yield self.v == SUPPLY * self.pwm.y


class LockedAntiphase(tg.Component, implements=Amplifier, name="SLA"):
    """The full supply in one direction, then in the other: half of the period each for zero."""

    pwm = sampled.PWM(clock=CARRIER, code="locked_anti_phase")

    def equations(self) -> Iterator[Any]:
        """The supply in one direction or the other."""
        yield self.pwm.duty == self.command
        yield self.v == SUPPLY * self.pwm.y


class Controller(tg.Interface):
    """From the wanted angle and speed, and the angle measured, to a voltage."""

    wanted = tg.input("rad")
    rate = tg.input("rad/s", "wanted")
    angle = tg.input("rad", "measured")
    v = tg.output("V")
    K = tg.parameter(600.0, "V/rad", "proportional gain", semantics="proportional_gain")
    Kv = tg.parameter(1.5, "V.s/rad", "feed-forward of the wanted speed", semantics="speed_gain")


class AnalogController(tg.Component, implements=Controller, name="analog", default=True):
    """Proportional, without delay."""

    def equations(self) -> Iterator[Any]:
        """The wanted speed needs a voltage whatever the error is."""
        yield self.v == self.K * (self.wanted - self.angle) + self.Kv * self.rate


class DiscreteController(tg.Component, implements=Controller, name="discrete"):
    """The same law every half millisecond, by an amplifier of pulses."""

    Ts = tg.parameter(5e-4, "s", "sample time")
    amplifier = Amplifier()
    duty = tg.variable("1", "command, held between samples", start=0.0, discrete=True)

    def equations(self) -> Iterator[Any]:
        """Sampled and limited to what the supply can do."""
        command = (self.K * (self.wanted - self.angle) + self.Kv * self.rate) / SUPPLY
        yield tg.when(tg.sample(0.0, self.Ts), self.duty == tg.maximum(-1.0, tg.minimum(1.0, command)))
        yield self.amplifier.command == self.duty
        yield self.v == self.amplifier.v


class DigitalController(tg.Component, implements=Controller, name="digital"):
    """The discrete controller in integers: angles in steps of an encoder, duty cycles in steps of a timer."""

    Ts = tg.parameter(5e-4, "s", "sample time")
    lines = tg.parameter(16384.0, "1", "steps of the encoder in a turn of the axis")
    ticks = tg.parameter(512.0, "1", "steps of the duty cycle from 0 to 1")
    amplifier = Amplifier()
    duty = tg.variable("1", "command, held between samples", start=0.0, discrete=True)

    def equations(self) -> Iterator[Any]:
        """Sampled, counted, limited."""
        step = 2 * math.pi / self.lines
        counted = step * tg.floor(self.angle / step)
        command = (self.K * (self.wanted - counted) + self.Kv * self.rate) / SUPPLY
        whole = tg.floor(tg.maximum(-1.0, tg.minimum(1.0, command)) * self.ticks) / self.ticks
        yield tg.when(tg.sample(0.0, self.Ts), self.duty == whole)
        yield self.amplifier.command == self.duty
        yield self.v == self.amplifier.v


# -- gears, sensors, the seeker ---------------------------------------------------------------------------------------
class Gear(tg.Interface):
    """A reduction between motor and axis."""

    flange_a = rot.Flange()
    flange_b = rot.Flange()
    ratio = tg.parameter(30.0, "1", semantics="gear_ratio")


class IdealGear(tg.Component, implements=Gear, name="default", default=True):
    """The ratio alone."""

    gear = rot.IdealGear(ratio=Gear.ratio)

    def connections(self) -> Iterator[Any]:
        """Through the gear."""
        yield self.flange_a, self.gear.flange_a
        yield self.gear.flange_b, self.flange_b


class Sensor(tg.Interface):
    """The angle of an axis as a signal."""

    flange = rot.Flange()
    angle = tg.output("rad")


class IdealSensor(tg.Component, implements=Sensor, name="default", default=True):
    """Exact."""

    def equations(self) -> Iterator[Any]:
        """No torque is taken."""
        yield self.angle == self.flange.phi
        yield self.flange.tau == 0


class Seeker(tg.Interface):
    """What the motors turn: the ring in yaw, the camera in pitch."""

    yaw = rot.Flange()
    pitch = rot.Flange()


class SimpleSeeker(tg.Component, implements=Seeker, name="simple", default=True):
    """Two independent moments of inertia, as estimated before there is a geometry."""

    ring = rot.Inertia(J=0.002)
    camera = rot.Inertia(J=0.001)

    def connections(self) -> Iterator[Any]:
        """One for each axis."""
        yield self.yaw, self.ring.flange_a
        yield self.pitch, self.camera.flange_a


MECHANISM = tg.Assembly.load(SAVED)


class SeekerDynamics(tg.Component, implements=Seeker, name="dynamics"):
    """The rigid bodies that were read from CAD (examples/seeker.py), in space and with gravity."""

    world = multibody.World(n=[0, 0, -1], animation=False)
    mechanism = MECHANISM.component()

    def connections(self) -> Iterator[Any]:
        """The outer joint of the drawing carries the ring, which is called yaw here."""
        yield self.world.frame_b, self.mechanism.mount
        yield self.yaw, self.mechanism.axis_pitch
        yield self.pitch, self.mechanism.axis_yaw


# -- the conceptual system --------------------------------------------------------------------------------------------
class Axis(tg.Component):
    """Controller, motor, gear and sensor of one axis; the motor is fed with the voltage of the controller."""

    flange = rot.Flange()
    wanted = tg.input("rad")
    rate = tg.input("rad/s")
    error = tg.variable("rad", "of the angle")
    controller = Controller()
    source = el.SignalVoltage()
    ground = el.Ground()
    motor = Motor()
    gear = Gear()
    sensor = Sensor()

    def connections(self) -> Iterator[Any]:
        """From the controller to the axis."""
        yield self.source.p, self.motor.p
        yield self.source.n, self.motor.n, self.ground.p
        yield self.motor.flange, self.gear.flange_a
        yield self.gear.flange_b, self.sensor.flange, self.flange

    def equations(self) -> Iterator[Any]:
        """Signals."""
        yield self.controller.wanted == self.wanted
        yield self.controller.rate == self.rate
        yield self.controller.angle == self.sensor.angle
        yield self.source.u == self.controller.v
        yield self.error == self.wanted - self.sensor.angle


class SeekerSystem(tg.Component):
    """Two axes that follow a circle of 1 rad at 2 Hz; the run begins on it."""

    pitch = Axis()
    yaw = Axis()
    seeker = Seeker()

    def connections(self) -> Iterator[Any]:
        """The motors turn the seeker."""
        yield self.pitch.flange, self.seeker.pitch
        yield self.yaw.flange, self.seeker.yaw

    def equations(self) -> Iterator[Any]:
        """The trajectory of equation 7-2, and its derivative."""
        w = 2 * math.pi / PERIOD
        yield self.pitch.wanted == AMPLITUDE * tg.sin(w * tg.time)
        yield self.pitch.rate == AMPLITUDE * w * tg.cos(w * tg.time)
        yield self.yaw.wanted == AMPLITUDE * tg.cos(w * tg.time)
        yield self.yaw.rate == -AMPLITUDE * w * tg.sin(w * tg.time)

    def initial_equations(self) -> Iterator[Any]:
        """Both axes are where they should be, as fast as they should be."""
        yield self.pitch.flange.phi == 0.0
        yield self.yaw.flange.phi == AMPLITUDE
        yield tg.der(self.pitch.flange.phi) == AMPLITUDE * 2 * math.pi / PERIOD
        yield tg.der(self.yaw.flange.phi) == 0.0


# -- parts and iterations ---------------------------------------------------------------------------------------------
def motors(implementation: str) -> dict[str, tg.Part]:
    """The motors of the thesis: their ratings are printed there, the other numbers are chosen."""
    common = {"k": 0.05, "R": 4.0, "L": 2e-3, "friction": 5e-3}
    source = "A. Diaz-Calderon, PhD thesis, Carnegie Mellon 2000, section 7.3.4; parameters chosen"
    ratings = {"voltage_max": "24 V", "speed_max": "4000 rpm"}
    return {
        "pitch.motor": tg.Part(
            "MicroMo GNM 26A",
            Motor,
            parameters={**common, "J": 1.2e-5},
            limits={**ratings, "torque_max": "130 mN.m"},
            implementation=implementation,
            source=source,
            date="2000-06",
        ),
        "yaw.motor": tg.Part(
            "MicroMo GNM 31",
            Motor,
            parameters={**common, "J": 0.8e-5},
            limits={**ratings, "torque_max": "240 mN.m"},
            implementation=implementation,
            source=source,
            date="2000-06",
        ),
    }


def both(part: str, implementation: str) -> dict[str, str]:
    """One implementation for both axes."""
    return {f"{axis}.{part}": implementation for axis in ("pitch", "yaw")}


def iterations() -> dict[str, dict[str, Any]]:
    """What is bound in each iteration; each one refines the one before."""
    first = {**motors("ideal"), **both("controller", "analog"), "seeker": "simple"}
    second = {**first, **motors("complex"), "seeker": "dynamics"}
    third = {**second, **both("controller", "discrete"), **both("controller.amplifier", "SM")}
    return {"I": first, "II": second, "III": third}


def after_start(solution: tg.Solution, path: str) -> float:
    """The largest absolute value after the first period."""
    values = solution[path][solution.time > PERIOD]
    return float(max(abs(values.min()), abs(values.max())))


def specifications(solution: tg.Solution) -> list[tuple[str, float, str, bool]]:
    """The specifications of section 7.3.2: what is asked for, the value, its unit, and whether it holds."""
    mass = sum(lump.mass.m for lump in MECHANISM.lumps if lump.name != "housing")
    rows = [("mass of ring and camera at most 0.8 kg", mass, "kg", mass <= 0.8)]
    for axis in ("pitch", "yaw"):
        reach = after_start(solution, f"{axis}.sensor.angle")
        rate = after_start(solution, f"{axis}.motor.w") / 30.0
        error = after_start(solution, f"{axis}.error")
        rows += [
            (f"{axis}: range of motion 1 rad", reach, "rad", reach >= 0.99),
            (f"{axis}: rate at least 0.888 rad/s", rate, "rad/s", rate >= 0.888),
            (f"{axis}: follows 2 Hz within 0.01 rad", error, "rad", error <= 0.01),
        ]
    return rows


def evaluate(name: str, solution: tg.Solution) -> str:
    """The report of an iteration: specifications, peaks and slacks."""
    lines = [f"Iteration {name}", ""]
    for what, value, unit, holds in specifications(solution):
        lines.append(f"  {what:44} {value:8.4f} {unit:6} {'yes' if holds else 'NO'}")
    lines.append("")
    for axis, limit in (("pitch", 0.13), ("yaw", 0.24)):
        torque = after_start(solution, f"{axis}.motor.tau")
        lines.append(f"  {axis}: peak torque {torque:.4f} N.m after the start, slack {limit - torque:.4f} N.m")
    if name != "III":  # pulses are always at the limit of the supply
        lines += ["", str(tg.feasibility(solution))]
    return "\n".join([*lines, ""])


def run(folder: Path) -> dict[str, tg.Solution]:
    """All iterations, with their report and figures."""
    folder.mkdir(parents=True, exist_ok=True)
    system = SeekerSystem()
    found = {}
    report = []
    for name, bindings in iterations().items():
        solution = tg.simulate(tg.bind(system, bindings), stop=2 * PERIOD, points=4000)
        found[name] = solution
        report.append(evaluate(name, solution))
        curves = [f"{axis}.{what}" for what in ("source.v", "motor.tau", "error") for axis in ("pitch", "yaw")]
        solution.plot(*curves).savefig(folder / f"seeker_design_{name}.png", dpi=120)
    (folder / "seeker_design.txt").write_text("\n".join(report))
    return found


def main(folder: Path = Path("demo_output")) -> dict[str, tg.Solution]:
    """The three iterations, and what they say."""
    print(tg.model_space(SeekerSystem()))
    found = run(folder)
    print((folder / "seeker_design.txt").read_text())
    print(f"report: {folder / 'seeker_design.txt'}, plots: {folder / 'seeker_design_*.png'}")
    return found


if __name__ == "__main__":
    main()
