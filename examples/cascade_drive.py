"""A servo drive with three controllers of three rates: current at 10 kHz, speed at 1 kHz, position at 100 Hz.

The current controller sets the duty of an H bridge every 100 us. An ADC reads the current where the centred pulses
have their mean, an encoder of 2500 lines gives angle and speed. The same model runs with every pulse, or with the mean
voltage of each period: a third of the events for nearly the same results, which is useful to tune a drive.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.library import sampled


class Servo(tg.Component):
    """Position control of a DC motor with inertia and friction."""

    fast = tg.Clock(rate="10 kHz")
    wanted = tg.parameter(1.0, "rad", "angle to go to")

    position = sampled.PID(clock=fast.every(100), kp=25.0, y_min=-80.0, y_max=80.0)
    speed = sampled.PID(clock=fast.every(10), kp=0.4, ki=5.0, y_min=-5.0, y_max=5.0)
    current = sampled.PID(clock=fast, kp=0.15, ki=125.0, y_min=-0.95, y_max=0.95)
    pwm = sampled.PWM(clock=fast, centred=True)

    bridge = sampled.HBridge(V=24.0, R=0.05)
    r = el.Resistor(R=1.2)
    l = el.Inductor(L=1.5e-3, i=tg.variable(start=0.0, fixed=True))  # noqa: E741
    emf = el.EMF(k=0.06)
    rotor = rot.Inertia(J=2e-4, phi=tg.variable(start=0.0, fixed=True), w=tg.variable(start=0.0, fixed=True))
    bearing = rot.Damper(d=1e-4)
    housing = rot.Fixed()
    ground = el.Ground()

    adc = sampled.ADC(clock=fast, bits=12, low=-10.0, high=10.0)
    encoder = sampled.Encoder(clock=fast.every(10), lines=2500)

    def equations(self) -> Iterator[Any]:
        """What the controllers see of the plant."""
        yield self.position.reference == self.wanted
        yield self.adc.u == self.l.i
        yield self.encoder.phi == self.rotor.phi

    def connections(self) -> Iterator[Any]:
        """Signals first: each controller sets the reference of the next, faster one."""
        yield self.position.y, self.speed.reference
        yield self.speed.y, self.current.reference
        yield self.current.y, self.pwm.duty
        yield self.pwm.y, self.bridge.s
        yield self.encoder.angle, self.position.measured
        yield self.encoder.speed, self.speed.measured
        yield self.adc.y, self.current.measured
        yield self.bridge.p, self.r.p
        yield self.r.n, self.l.p
        yield self.l.n, self.emf.p
        yield self.emf.n, self.bridge.n, self.ground.p
        yield self.emf.flange, self.rotor.flange_a, self.bearing.flange_b
        yield self.bearing.flange_a, self.housing.flange


def main(folder: Path = Path("demo_output")) -> dict[str, tg.Solution]:
    """Run both variants, compare them, and plot."""
    import matplotlib.pyplot as plt

    runs: dict[str, tg.Solution] = {}
    for name, switching in (("mean voltage", False), ("pulses", True)):
        begin = time.perf_counter()
        runs[name] = tg.simulate(Servo(pwm=sampled.PWM(clock=Servo.fast, centred=True, switching=switching)), 0.2)
        events = runs[name].stats["events"]
        print(f"{name:13s} {events:5d} events in {time.perf_counter() - begin:.1f} s")
    instants: Any = np.linspace(0.0, 0.2, 2001)
    mean, pulses = (runs[name].at(instants) for name in runs)
    for path, unit in (("rotor.phi", "rad"), ("rotor.w", "rad/s"), ("l.i", "A")):
        print(f"largest difference of {path}: {np.abs(mean[path] - pulses[path]).max():.2g} {unit}")
    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = plt.subplots(3, 2, figsize=(9, 7), layout="constrained")
    shown = (("rotor.phi", "angle [rad]"), ("rotor.w", "speed [rad/s]"), ("l.i", "current [A]"))
    for (path, label), (left, right) in zip(shown, axes, strict=True):
        for axis in (left, right):
            for name in reversed(runs):
                axis.plot(1e3 * runs[name].time, runs[name][path], label=name, linewidth=1.0)
        near = [run[path][(run.time > 8e-3) & (run.time < 12e-3)] for run in runs.values()]
        right.set(xlim=(8.0, 12.0), ylim=(min(map(np.min, near)), max(map(np.max, near))))
        left.set_ylabel(label)
    axes[0, 0].legend()
    for axis in axes[-1]:
        axis.set_xlabel("time [ms]")
    figure.savefig(folder / "cascade_drive.png", dpi=110)
    print(f"plot:  {folder / 'cascade_drive.png'}")
    return runs


if __name__ == "__main__":
    main()
