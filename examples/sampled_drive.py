"""A drive without a sensor of speed: a sampled controller and a Kalman filter in the loop, and both as C code.

The speed controller is designed as a continuous block and sampled with 1 kHz. A Kalman filter made of the motor's own
equations finds the speed and the resistance of the winding, which is 25 % above its nominal value, from the measured
current. `tg.write_c` writes both for the processor that will do this.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tellegen as tg
from tellegen.library import blocks, sampled

CLOCK = tg.Clock(rate="1 kHz")
NOMINAL = 2.0


class Motor(tg.Component):
    """A DC motor with an inertia, and a torque that disturbs it."""

    v = tg.input("V", "voltage")
    disturbance = tg.input("N.m", "torque against the motion", default=0.0)
    i = tg.variable("A", "current", start=0.0, fixed=True)
    w = tg.variable("rad/s", "speed", start=0.0, fixed=True)
    R = tg.parameter(NOMINAL, "ohm", "resistance")
    L = tg.parameter("5 mH", "H", "inductance")
    k = tg.parameter(0.1, "N.m/A", "torque constant")
    J = tg.parameter(1e-3, "kg.m2", "inertia")

    def equations(self) -> Iterator[Any]:
        """Voltages and torques."""
        yield self.L * tg.der(self.i) == self.v - self.R * self.i - self.k * self.w
        yield self.J * tg.der(self.w) == self.k * self.i - self.disturbance


OBSERVER = tg.kalman_filter(
    Motor(),
    CLOCK.period,
    states={"i": 0.1, "w": 5.0},
    parameters={"R": 0.5},
    noise=tg.NoiseLevels(measured={"i": "50 mA"}, walk={"i": 0.5, "w": 5.0, "R": 0.05}),
)
CONTROLLER = tg.discretize(blocks.LimPID(k=0.4, Ti=0.08, Td=1e-3, y_max=24.0), CLOCK, "tustin")


class Drive(tg.Component):
    """Motor, noisy current sensor, filter and controller."""

    motor = Motor(R=1.25 * NOMINAL)
    noise = sampled.GaussianNoise(clock=CLOCK, sigma=0.05, seed=3)
    observer = OBSERVER
    control = CONTROLLER
    wanted = tg.parameter(100.0, "rad/s", "speed")

    def equations(self) -> Iterator[Any]:
        """The load comes after 0.5 s."""
        yield self.motor.disturbance == tg.where(tg.time > 0.5, 0.05, 0.0)
        yield self.observer.v == self.motor.v
        yield self.observer.measured_i == self.motor.i + self.noise.y
        yield self.control.u_s == self.wanted
        yield self.control.u_m == self.observer.w
        yield self.motor.v == self.control.y


def main() -> None:
    """Run the drive, plot it, and write the C code."""
    folder = Path("demo_output")
    folder.mkdir(exist_ok=True)
    run = tg.simulate(Drive(), stop=0.8)
    figure = run.plot("motor.w", "observer.w", "control.y", "motor.i", "observer.R")
    figure.savefig(folder / "sampled_drive.png", dpi=110)
    for name, component in {"speed_control": CONTROLLER, "speed_observer": OBSERVER}.items():
        print(tg.write_c(component, folder / f"{name}.c"))
    print(f"speed {run['motor.w'][-1]:.1f} rad/s, estimated {run['observer.w'][-1]:.1f} rad/s")
    print(f"resistance {1.25 * NOMINAL} ohm, estimated {run['observer.R'][-1]:.2f} ohm")
    print(f"see {folder}/sampled_drive.png and {folder}/speed_control.c")


if __name__ == "__main__":
    main()
