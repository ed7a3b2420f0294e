"""A robot with six axes from a URDF file, with motors, gears and controllers of the library.

Masses, joints and damping come from the file. Every axis gets a servo drive: a DC motor with a gear, the angle
controlled by a PD controller of the motor's angle, without knowing anything of the other axes. The arm moves between
two positions along smooth curves; what the axes do to each other, and gravity, remains as an error of the hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import machines, multibody
from tellegen.library import rotational as rot

FILE = Path(__file__).parent / "data" / "arm6.urdf"
ROBOT = tg.read_urdf(FILE)
AXES = [joint.name for joint in ROBOT.joints]
WAY = (1.2, 0.6, -0.8, 1.0, 0.7, -1.5)  # how far each axis turns [rad]
DURATION = 1.0  # of the motion [s]


class Servo(tg.Component):
    """Motor, gear and controller of one axis; `flange` is at the joint."""

    flange = rot.Flange("to the joint")
    way = tg.parameter(1.0, "rad", "how far it turns")
    duration = tg.parameter(DURATION, "s", "how long that takes")
    stiffness = tg.parameter(6e4, "N.m/rad", "the controller as a spring at the joint")
    damping = tg.parameter(1200.0, "N.m.s/rad", "and as a damper")
    ratio = tg.parameter(100.0, description="of the gear")
    wanted = tg.variable("rad", "wanted angle of the joint")
    rate = tg.variable("rad/s", "and its derivative")

    source = el.SignalVoltage()
    motor = machines.DC_PermanentMagnet(k=0.12, Ra=0.4, La=4e-4, Jr=3e-4)
    gear = rot.IdealGear(ratio=ratio)
    ground = el.Ground()

    def equations(self) -> Iterator[Any]:
        """A curve whose velocity and acceleration begin and end with zero, and PD control in volts."""
        t = tg.minimum(tg.time / self.duration, 1.0)
        yield self.wanted == self.way * t**3 * (10.0 - 15.0 * t + 6.0 * t**2)
        yield self.rate == 30.0 * self.way / self.duration * t**2 * (1.0 - t) ** 2
        error = self.wanted - self.gear.flange_b.phi
        slip = self.rate - self.motor.w / self.ratio
        torque = self.stiffness * error + self.damping * slip
        yield self.source.u == self.motor.Ra * torque / (self.ratio * self.motor.k) + self.motor.k * self.motor.w

    def connections(self) -> Iterator[Any]:
        """From the source to the joint."""
        yield self.source.p, self.motor.pin_ap
        yield self.source.n, self.motor.pin_an, self.ground.p
        yield self.motor.flange, self.gear.flange_a
        yield self.gear.flange_b, self.flange


class Robot(tg.Component):
    """The arm of the file with a servo at each axis."""

    world = multibody.World(n=[0, 0, -1], animation=False)
    arm = ROBOT.component()
    hand = multibody.AbsolutePosition()

    def build(self) -> None:
        """Wrist and hand need softer controllers."""
        for k, (axis, way) in enumerate(zip(AXES, WAY, strict=True)):
            scale = 1.0 if k < 3 else 0.1
            setattr(self, f"servo_{axis}", Servo(way=way, stiffness=6e4 * scale, damping=1200.0 * scale))

    def connections(self) -> Iterator[Any]:
        """Servos at the axes, a sensor at the tool."""
        yield self.world.frame_b, self.arm.mount
        yield self.arm.frame_tool, self.hand.frame_a
        for axis in AXES:
            yield getattr(self, f"servo_{axis}").flange, getattr(self.arm, f"axis_{axis}")


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Move the arm, plot angles, currents and errors, and write an animation."""
    print(ROBOT)
    solution = tg.simulate(Robot(), stop=1.5)
    folder.mkdir(parents=True, exist_ok=True)
    import matplotlib.pyplot as plt

    figure, (angles, currents, errors) = plt.subplots(3, 1, figsize=(7, 8), sharex=True, layout="constrained")
    for axis in AXES:
        servo = f"servo_{axis}"
        error = solution[f"{servo}.wanted"] - solution[f"arm.{axis}.phi"]
        angles.plot(solution.time, solution[f"arm.{axis}.phi"], label=axis)
        currents.plot(solution.time, solution[f"{servo}.motor.ia"])
        errors.plot(solution.time, 1e3 * error)
        print(f"{axis}: largest error {1e3 * np.abs(error).max():.2f} mrad")
    angles.set_ylabel("angle [rad]")
    angles.legend(ncols=2)
    currents.set_ylabel("motor current [A]")
    errors.set_ylabel("error [mrad]")
    errors.set_xlabel("time [s]")
    figure.savefig(folder / "robot_arm.png")
    x, y, z = solution["hand.r"][-1]
    print(f"the tool ends at {x:.3f}, {y:.3f}, {z:.3f} m")
    solution.animate(folder / "robot_arm.html", traces=("arm.hand_shape",))
    print(f"plot:  {folder / 'robot_arm.png'}, animation: {folder / 'robot_arm.html'}")
    return solution


if __name__ == "__main__":
    main()
