"""An induction motor is switched on to the grid: the run-up and the steady-state torque-speed characteristic.

The default machine (24.35 kW at 1440 rpm) starts a fan. In the first periods the torque swings from three and a half
times the rated value to far below zero, because the flux builds up with a direct component that is stationary while the
field rotates. When it has decayed, the torque follows the characteristic of the equivalent circuit.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import machines as ma
from tellegen.library import polyphase as pp
from tellegen.library import rotational as rot

RATED = 1440.45 * np.pi / 30.0


class DirectStart(tg.Component):
    """The motor in star on 100 V per phase, with a fan."""

    grid = pp.SineVoltage(V=100.0 * np.sqrt(2.0), f=50.0)
    neutral = pp.Star()
    ground = el.Ground()
    motor = ma.IM_SquirrelCage()
    box = pp.Star()
    wheel = rot.Inertia(J=0.29)
    fan = rot.QuadraticSpeedDependentTorque(tau_nominal=-161.4, w_nominal=RATED, torque_direction=False)

    def connections(self) -> Iterator[Any]:
        """The star point of the motor is not connected, so no zero-sequence current flows."""
        yield self.grid.plug_n, self.neutral.plug_p
        yield self.neutral.pin_n, self.ground.p
        yield self.grid.plug_p, self.motor.plug_sp
        yield self.motor.plug_sn, self.box.plug_p
        yield self.motor.flange, self.wheel.flange_a
        yield self.wheel.flange_b, self.fan.flange


def steady_torque(w: Any) -> Any:
    """Torque by the equivalent circuit, in steady operation at the speed w."""
    coupling = np.sqrt(1.0 - 0.0667)
    Xs = 3.0 * (1.0 - coupling)
    Xm = 3.0 * coupling
    slip = 1.0 - 2.0 * w / (100.0 * np.pi)
    rotor = 0.04 / slip + 1j * Xs
    gap = 1j * Xm * rotor / (1j * Xm + rotor)
    current = 100.0 / (0.03 + 1j * Xs + gap)
    return 3.0 * np.abs(current) ** 2 * gap.real / (50.0 * np.pi)


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Run for 1.5 s and plot."""
    model = tg.compile(DirectStart())
    model.simulate(1.5)  # the first run compiles
    begin = time.perf_counter()
    s = model.simulate(1.5, points=6001)
    seconds = time.perf_counter() - begin
    w = s["motor.w"]
    torque = s["motor.tau_electrical"]
    near = np.abs(torque - steady_torque(np.minimum(w, 156.9)))[s.time > 1.0].max()
    print(f"1.5 s in {1e3 * seconds:.0f} ms: {s.stats['steps']} steps of {s.stats['solver']}")
    print(f"peak torque {torque.max():.0f} N m, peak current {np.abs(s['motor.plug_sp.i']).max():.0f} A")
    print(f"settles at {w[-1] * 30 / np.pi:.1f} rpm; after 1 s it is within {near:.2f} N m of the steady state")
    figure, axes = plt.subplots(2, 2, figsize=(10, 6.5), layout="constrained")
    axes[0, 0].plot(s.time, w * 30 / np.pi)
    axes[0, 0].set_ylabel("speed [rpm]")
    axes[1, 0].plot(s.time, s["motor.plug_sp.i"][:, 0], linewidth=0.8)
    axes[1, 0].set(ylabel="current of a phase [A]", xlabel="time [s]")
    axes[0, 1].plot(s.time, torque, linewidth=0.8)
    axes[0, 1].set(ylabel="torque of the air gap [N m]", xlabel="time [s]")
    speeds = np.linspace(0.0, 156.9, 500)
    axes[1, 1].plot(w * 30 / np.pi, torque, linewidth=0.7, label="direct start")
    axes[1, 1].plot(speeds * 30 / np.pi, steady_torque(speeds), "k--", label="steady state")
    axes[1, 1].set(xlabel="speed [rpm]", ylabel="torque [N m]")
    axes[1, 1].legend()
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "induction_start.png", dpi=110)
    print(f"plot:  {folder / 'induction_start.png'}")
    return s


if __name__ == "__main__":
    main()
