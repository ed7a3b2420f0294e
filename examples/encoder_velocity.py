"""Velocity control of a DC motor by a digital encoder: what sampling and counting do to the current.

Section 9.3 of S. A. Vaze's dissertation: a motor drives a link through a gearbox, a proportional controller holds the
link at 5 rad/s, and the speed is estimated from a 10-bit encoder sampled every 0.1 s or 0.01 s. The speed looks like
that of a continuous loop; the current, and so the torque in the shaft, does not. Motor, gear and link have the numbers
printed there; the gain is not printed, so one is chosen. With a limited current the motor has two sets of equations.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tellegen as tg
from tellegen.library import rotational as rot
from tellegen.library import sampled


class LimitedMotor(tg.Component):
    """DC motor whose amplifier holds the current at a limit until the voltage drives it back."""

    shaft = rot.Flange()
    v = tg.input("V", "voltage")
    R = tg.parameter(2.4, "ohm", "armature resistance")
    L = tg.parameter(4.8e-3, "H", "armature inductance")
    kb = tg.parameter(0.0401, "V.s/rad", "back-EMF constant")
    kt = tg.parameter("5.6 ozf.inch/A", "N.m/A", "torque constant")
    J = tg.parameter("0.0044 ozf.inch.s2", "kg.m2", "inertia of the rotor")
    d = tg.parameter("0.0137 ozf.inch.s/rad", "N.m.s/rad", "friction")
    limit = tg.parameter(1e3, "A", "largest current")
    i = tg.variable("A", "armature current", start=0.0, fixed=True)
    w = tg.variable("rad/s", "speed of the rotor")

    def equations(self) -> Iterator[Any]:
        """The rotor, and the armature in one of three modes."""
        drive = self.v - self.R * self.i - self.kb * self.w
        yield self.w == tg.der(self.shaft.phi)
        yield self.J * tg.der(self.w) == self.kt * self.i - self.d * self.w + self.shaft.tau
        yield tg.modes(
            tg.mode("free", self.L * tg.der(self.i) == drive),
            tg.mode("high", tg.der(self.i) == 0),
            tg.mode("low", tg.der(self.i) == 0),
            tg.transition("free", "high", self.i > self.limit, tg.reinit(self.i, self.limit)),
            tg.transition("free", "low", self.i < -self.limit, tg.reinit(self.i, -self.limit)),
            tg.transition("high", "free", drive < 0),
            tg.transition("low", "free", drive > 0),
        )


class Tachometer(tg.Component):
    """The continuous loop to compare with: the speed itself."""

    phi = tg.input("rad")
    speed = tg.output("rad/s")

    def equations(self) -> Iterator[Any]:
        """No sampling, no counting."""
        yield self.speed == tg.der(self.phi)


class Drive(tg.Component):
    """Motor, gearbox, link; sensor and proportional controller around them."""

    wanted = tg.parameter(5.0, "rad/s", "speed of the link")
    K = tg.parameter(5.0, "V.s/rad", "gain")
    motor = LimitedMotor()
    gear = rot.IdealGear(ratio=12.5)
    link = rot.Inertia(
        J="41.077 ozf.inch.s2",
        phi=tg.variable(start=0.0, fixed=True),
        w=tg.variable(start=0.0, fixed=True),
    )
    sensor = sampled.Encoder(clock=tg.Clock("0.1 s"), lines=256, edges=4)

    def equations(self) -> Iterator[Any]:
        """The encoder sits on the link."""
        yield self.sensor.phi == self.link.phi
        yield self.motor.v == self.K * (self.wanted - self.sensor.speed)

    def connections(self) -> Iterator[Any]:
        """One shaft."""
        yield self.motor.shaft, self.gear.flange_a
        yield self.gear.flange_b, self.link.flange_a


class TachometerDrive(Drive):
    """The same with a tachometer."""

    sensor = Tachometer()


def fast(**values: Any) -> Drive:
    """The drive sampled every 10 ms."""
    return Drive(sensor=sampled.Encoder(clock=tg.Clock("10 ms")), **values)


def main(folder: Path = Path("demo_output")) -> dict[str, tg.Solution]:
    """Simulate the variants of the dissertation, print the range of the current, and plot."""
    import matplotlib.pyplot as plt

    variants = {
        "tachometer": TachometerDrive(),
        "encoder, 0.1 s": Drive(),
        "encoder, 0.01 s": fast(),
        "0.01 s, 100 times L": fast(motor=LimitedMotor(L=0.48)),
        "0.1 s, at most 0.25 A": Drive(motor=LimitedMotor(limit=0.25)),
    }
    runs = {name: tg.simulate(model, 5.0 if "A" not in name else 30.0) for name, model in variants.items()}
    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = plt.subplots(len(runs), 2, figsize=(9, 10), sharex="row", layout="constrained")
    for (name, run), (left, right) in zip(runs.items(), axes, strict=True):
        late = run.time > run.time[-1] - 2.0
        speed = run["link.w"][late]
        current = run["motor.i"][late]
        print(f"{name:22s} {speed.mean():.3f} rad/s, current {current.min():6.2f} to {current.max():5.2f} A")
        left.plot(run.time, run["link.w"])
        left.set_title(f"{name}: speed of the link [rad/s]", fontsize="small")
        right.plot(run.time, run["motor.i"])
        right.set_title("current [A]", fontsize="small")
    figure.savefig(folder / "encoder_velocity.png", dpi=110)
    print(f"plot:  {folder / 'encoder_velocity.png'}")
    return runs


if __name__ == "__main__":
    main()
