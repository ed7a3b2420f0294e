"""How warm is the winding? The resistance of a motor, estimated while it runs, and its current seen through the noise.

A motor drives a fan with a voltage that changes. Its winding warms up and its resistance rises by a third, which no
sensor measures. An extended Kalman filter with the model of the motor, in which the resistance is constant but for a
little noise, finds it from noisy current and speed; the same model is the plant, with a winding that warms up. The
filter says how well it knows: the truth is inside of its band. A second pass backward in time uses all data.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg


class Motor(tg.Component):
    """A DC motor with a fan: torque in proportion to the square of the speed."""

    u = tg.input("V", "voltage")
    R = tg.parameter(1.2, "ohm", "resistance of the winding")
    L = tg.parameter(2e-2, "H", "its inductance")
    k = tg.parameter(0.05, "N.m/A", "torque constant")
    J = tg.parameter(2e-4, "kg.m2", "inertia")
    b = tg.parameter(2e-5, "N.m.s2/rad2", "drag of the fan")
    i = tg.variable("A", "current", start=0.0, fixed=True)
    w = tg.variable("rad/s", "speed", start=0.0, fixed=True)

    def resistance(self) -> Any:
        """Constant here."""
        return self.R

    def equations(self) -> Iterator[Any]:
        """A circuit and a shaft."""
        yield self.L * tg.der(self.i) == self.u - self.resistance() * self.i - self.k * self.w
        yield self.J * tg.der(self.w) == self.k * self.i - self.b * self.w * abs(self.w)


class WarmMotor(Motor):
    """The same with a winding that warms up."""

    C = tg.parameter(2.5, "J/K", "heat capacity of the winding")
    G = tg.parameter(0.15, "W/K", "conductance to the housing")
    dT = tg.variable("K", "how much warmer the winding is", start=0.0, fixed=True)

    def resistance(self) -> Any:
        """Copper: 0.39 % for each kelvin."""
        return self.R * (1 + 0.0039 * self.dT)

    def equations(self) -> Iterator[Any]:
        """The losses heat it."""
        yield self.C * tg.der(self.dT) == self.resistance() * self.i**2 - self.G * self.dT


def measured(motor: tg.CompiledModel) -> tuple[dict[str, Any], Any]:
    """Noisy current and speed every 0.4 s, and the resistance that nobody measures."""
    rng = np.random.default_rng(5)
    time = np.arange(0.0, 20.0, 0.4)
    voltage = np.where(np.sin(0.9 * time) > -0.3, 12.0, 6.0)
    rows = []
    state = {"i": 0.0, "w": 0.0, "dT": 0.0}
    for volt in voltage:
        rows.append([state["i"], state["w"], 1.2 * (1 + 0.0039 * state["dT"])])
        run = motor.simulate(0.4, points=[0.4], initial=state, parameters={"u": volt})
        state = {name: float(run[name][-1]) for name in state}
    current, speed, resistance = np.array(rows).T
    current = current + 0.1 * rng.normal(size=len(time))
    speed = speed + 2.0 * rng.normal(size=len(time))
    speed[20:28] = np.nan  # the sensor fails for a while
    return {"time": time, "i": current, "w": speed, "voltage": voltage}, resistance


def main() -> None:
    """Estimate and draw."""
    data, resistance = measured(tg.compile(WarmMotor()))
    found = tg.estimate(
        Motor(),
        data,
        states={"i": 0.1, "w": 1.0},
        parameters={"R": "0.2 ohm"},
        noise=tg.NoiseLevels(measured={"i": "0.1 A", "w": "2 rad/s"}, walk={"R": 0.03, "w": 0.1}),
        columns=tg.Columns(inputs={"u": "voltage"}),
    )
    print(found)
    error = found["R"] - resistance
    print(f"resistance {resistance[-1]:.3f} ohm, estimated {found['R'][-1]:.3f} ± {found.sigma('R')[-1]:.3f} ohm")
    print(f"rms error of the filter {np.sqrt(np.mean(error[10:] ** 2)):.3f} ohm,", end=" ")
    print(f"of the smoother {np.sqrt(np.mean((found.smoothed('R') - resistance) ** 2)):.3f} ohm")
    figure = found.plot("R", "i", "w")
    figure.axes[0].plot(data["time"], resistance, "k:", label="truth")
    figure.axes[0].legend(loc="upper left")
    folder = Path("demo_output")
    folder.mkdir(exist_ok=True)
    figure.savefig(folder / "warm_motor.png", dpi=110)
    print("see", folder / "warm_motor.png")


if __name__ == "__main__":
    main()
