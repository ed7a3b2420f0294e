"""Choose a motor and a gearbox from the catalogue: the lightest pair that moves an axis of a camera fast enough.

The axis swings by one radian twice a second. A query leaves the parts that can be considered at all, by torque, speed
and voltage; each pair of them is bound to the same system, simulated, and compared with its limits.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import blocks as bl
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.library.interfaces import DCMotorInterface, GearboxInterface

LOAD = 0.0012  # kg.m2
PERIOD = 0.5  # s
SPEED = 2 * np.pi / PERIOD  # rad/s, of the axis
TORQUE = LOAD * SPEED**2  # N.m, at the axis
SUPPLY = 24.0  # V
ERROR = 0.06  # rad, what the axis may lag


class Axis(tg.Component):
    """Reference, controller, amplifier, motor, gearbox and axis."""

    stiffness = tg.parameter(2000.0, "V/rad", "of the position controller")
    damping = tg.parameter(20.0, "V.s/rad", "of the position controller")
    error = tg.variable("rad", "reference less position")
    torque = tg.variable("N.m", "of the motor")
    reference = bl.Sine(amplitude=1.0, f=1.0 / PERIOD, phase=np.pi / 2)
    amplifier = el.SignalVoltage()
    ground = el.Ground()
    motor = DCMotorInterface()
    gear = GearboxInterface()
    axis = rot.Inertia(J=LOAD, phi=tg.variable(start=1.0, fixed=True), w=tg.variable(start=0.0, fixed=True))

    def connections(self):
        yield self.amplifier.p, self.motor.p
        yield self.amplifier.n, self.motor.n, self.ground.p
        yield self.motor.flange, self.gear.flange_a
        yield self.gear.flange_b, self.axis.flange_a

    def equations(self):
        wanted = self.stiffness * self.error + self.damping * (tg.der(self.reference.y) - self.axis.w)
        yield self.error == self.reference.y - self.axis.phi
        yield self.torque == self.motor.k * self.motor.p.i
        yield self.amplifier.u == tg.minimum(tg.maximum(wanted, -SUPPLY), SUPPLY)


def candidates() -> tuple[list[tg.Part], list[tg.Part]]:
    """Motors and gearboxes that a query leaves, the lightest first."""
    catalogue = tg.catalogue()
    gears = catalogue.find(GearboxInterface, f"torque_max > {TORQUE} N.m", "8 < ratio < 70", order_by="mass", limit=3)
    motors = catalogue.find(
        DCMotorInterface,
        f"voltage_nominal == {SUPPLY} V",
        f"torque_max > {TORQUE / 70} N.m",
        f"speed_no_load > {8 * SPEED} rad/s",
        order_by="mass",
        limit=4,
    )
    return list(motors), list(gears)


def mass(*parts: tg.Part) -> float:
    """Of parts together, in g."""
    return sum(part.limits["mass"].to("g") for part in parts)


def main() -> None:
    motors, gears = candidates()
    feasible = []
    print(f"{'motor':28} {'gearbox':27} {'mass/g':>7} {'error/rad':>10} {'torque/mN.m':>12} {'of':>6}")
    for motor, gear in sorted(((m, g) for m in motors for g in gears), key=lambda pair: mass(*pair)):
        if gear.parameters["ratio"] * SPEED > motor.limits["speed_no_load"].to("rad/s"):
            continue  # it would be too slow
        solution = tg.simulate(tg.bind(Axis(), {"motor": motor, "gear": gear}), stop=2 * PERIOD)
        settled = solution.time > PERIOD
        error = max(abs(solution["error"][settled]))
        torque = 1e3 * np.sqrt(np.mean(solution["torque"][settled] ** 2))
        limit = motor.limits["torque_max"].to("mN.m")
        good = error < ERROR and torque < limit
        row = f"{motor.name:28} {gear.name:27} {mass(motor, gear):7.0f} {error:10.3f} {torque:12.2f} {limit:6.2f}"
        print(row, "feasible" if good else "")
        if good:
            feasible.append((motor, gear, solution))
    motor, gear, solution = feasible[0]
    print(f"\nthe lightest: {motor.name} with {gear.name}, {mass(motor, gear):.0f} g")
    print(f"  {motor.source}")
    draw(solution, Path("demo_output") / "choose_from_catalogue.png")


def draw(solution: tg.Solution, path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    figure, axes = plt.subplots(2, 1, sharex=True, layout="constrained")
    solution.plot("reference.y", "axis.phi", axes=axes[0])
    solution.plot("torque [mN.m]", axes=axes[1])
    figure.savefig(path, dpi=150)
    print(f"plot: {path}")


if __name__ == "__main__":
    main()
