"""A car pulls away, shifts, and runs up to its highest speed in second gear: engine, clutches, gears, wheels, road.

The clutch of the first gear closes slowly, slips, sticks; then it opens while the clutch of the second gear
closes. Which clutch slips and which sticks follows at every event from the torques; no mode is prescribed. All friction
losses heat one thermal mass, so the energy balance can be checked to the last joule, and the final speed
is that of the force balance, computed by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import brentq

import tellegen as tg
from tellegen.library import blocks, thermal
from tellegen.library import rotational as rot
from tellegen.library import translational as tr

SPEEDS = (0.0, 100.0, 250.0, 400.0, 550.0, 650.0, 700.0)  # of the engine, rad/s
TORQUES = (110.0, 150.0, 185.0, 195.0, 170.0, 80.0, -20.0)  # at full throttle, N m
LOW = 3.6
HIGH = 2.0
FINAL = 4.1
RADIUS = 0.3
# kg, N, N s2/m2
MASS = 1300.0
ROLLING = 0.012 * 1300.0 * 9.81
DRAG = 0.5 * 1.2 * 0.7
MESH = [[0.0, 0.95, 0.94, 1.0, 1.0], [300.0, 0.97, 0.96, 4.0, 4.0]]  # losses of the final drive, see LossyGear
WARM = {"use_heat_port": True}
REST = {"start": 0.0, "fixed": True}


class Engine(rot.OneFlange):
    """Full throttle: the torque is a function of the speed."""

    w = tg.variable("rad/s", "speed")
    tau = tg.variable("N.m", "torque at full throttle")
    work = tg.variable("J", "work done", **REST)

    def equations(self) -> Iterator[Any]:
        """The characteristic through the points, and its work."""
        yield self.w == tg.der(self.flange.phi)
        yield self.tau == tg.interpolate(self.w, SPEEDS, TORQUES)
        yield self.flange.tau == -self.tau
        yield tg.der(self.work) == self.tau * self.w


class Car(tg.Component):
    """Engine, two clutches with their gears, final drive, differential, half shafts, wheels, the car on the road."""

    engine = Engine()
    crank = rot.Inertia(J=0.2, w=tg.variable(start=120.0, fixed=True))
    friction = rot.BearingFriction(tau_Coulomb=6.0, tau_prop=0.02, **WARM)
    first = rot.Clutch(mu=0.3, fn_max=8e3, cgeo=0.15, **WARM)
    second = rot.Clutch(mu=0.3, fn_max=8e3, cgeo=0.15, **WARM)
    low = rot.IdealGear(ratio=LOW)
    high = rot.IdealGear(ratio=HIGH)
    propeller = rot.Inertia(J=0.05, phi=tg.variable(**REST), w=tg.variable(**REST))
    final = rot.LossyGear(ratio=FINAL, loss_table=MESH, **WARM)
    differential = rot.IdealDifferential()
    left_shaft = rot.SpringDamper(c=8e3, d=40.0, **WARM)
    right_shaft = rot.SpringDamper(c=8e3, d=40.0, **WARM)
    left = rot.Inertia(J=0.8)
    right = rot.Inertia(J=0.8)
    left_tyre = rot.IdealRollingWheel(radius=RADIUS)
    right_tyre = rot.IdealRollingWheel(radius=RADIUS)
    body = tr.Mass(m=MASS, s=tg.variable(**REST), v=tg.variable(**REST))
    road = tr.SupportFriction(F_Coulomb=ROLLING, **WARM)
    air = tr.QuadraticSpeedDependentForce(f_nominal=-DRAG, v_nominal=1.0, force_direction=False)
    metal = thermal.HeatCapacitor(C=2e4, T=tg.variable(start=300.0, fixed=True))
    press_first = blocks.Table(times=[0.0, 0.5, 2.5, 4.0, 4.2], values=[0.0, 0.0, 1.0, 1.0, 0.0])
    press_second = blocks.Table(times=[0.0, 4.0, 4.8], values=[0.0, 0.0, 1.0])
    blown = tg.variable("J", "energy given to the air", **REST)

    def equations(self) -> Iterator[Any]:
        """What the air takes."""
        yield tg.der(self.blown) == -self.air.f * self.air.v

    def connections(self) -> Iterator[Any]:
        """Both clutches sit on the crank shaft, both gears on the propeller shaft; all heat goes into the metal."""
        yield self.engine.flange, self.crank.flange_a, self.friction.flange_a
        yield self.crank.flange_b, self.first.flange_a, self.second.flange_a
        yield self.first.flange_b, self.low.flange_a
        yield self.second.flange_b, self.high.flange_a
        yield self.low.flange_b, self.high.flange_b, self.propeller.flange_a
        yield self.propeller.flange_b, self.final.flange_a
        yield self.final.flange_b, self.differential.flange_a
        yield self.differential.left, self.left_shaft.flange_a
        yield self.differential.right, self.right_shaft.flange_a
        yield self.left_shaft.flange_b, self.left.flange_a
        yield self.right_shaft.flange_b, self.right.flange_a
        yield self.left.flange_b, self.left_tyre.flange_r
        yield self.right.flange_b, self.right_tyre.flange_r
        yield self.left_tyre.flange_t, self.right_tyre.flange_t, self.body.flange_a
        yield self.body.flange_b, self.road.flange_a, self.air.flange
        yield self.press_first.y, self.first.f_normalized
        yield self.press_second.y, self.second.f_normalized
        for part in (self.friction, self.first, self.second, self.final, self.left_shaft, self.right_shaft, self.road):
            yield self.metal.port, part.heat_port


def highest_speed() -> float:
    """Where the torque of the engine, less all losses in second gear, just carries the resistance of road and air."""

    speeds, efficiency, friction = np.array(MESH)[:, [0, 1, 3]].T

    def surplus(v: float) -> float:
        shaft = v / RADIUS * FINAL
        engine = shaft * HIGH
        torque = HIGH * (np.interp(engine, SPEEDS, TORQUES) - 6.0 - 0.02 * engine)
        wheels = FINAL * (np.interp(shaft, speeds, efficiency) * torque - np.interp(shaft, speeds, friction))
        return wheels / RADIUS - ROLLING - DRAG * v**2

    found: Any = brentq(surplus, 5.0, 30.0)
    return found


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Simulate, check energy and final speed, plot."""
    s = tg.simulate(Car(), stop=40.0, points=4001, rtol=1e-8)
    moving = 0.5 * (0.2 * (s["crank.w"] ** 2 - 120.0**2) + 2 * 0.8 * s["left.w"] ** 2 + MASS * s["body.v"] ** 2)
    moving += 0.5 * 0.05 * s["propeller.w"] ** 2 + 8e3 * s["left_shaft.phi_rel"] ** 2  # both shafts
    heat = 2e4 * (s["metal.T"] - 300.0)
    left_over = s["engine.work"] - moving - heat - s["blown"]
    locked = {name: s.time[np.argmax(s[f"{name}.mode"] == 0)] for name in ("first", "second")}
    print(f"the first clutch sticks at {locked['first']:.3f} s, the second at {locked['second']:.3f} s")
    print(f"energy: {abs(left_over).max() / s['engine.work'][-1]:.1e} of the work of the engine is unaccounted for")
    print(f"speed at the end {s['body.v'][-1]:.6f} m/s; balance of forces: {highest_speed():.6f} m/s")
    figure, axes = plt.subplots(2, 2, figsize=(10, 6), layout="constrained")
    axes[0, 0].plot(s.time, s["crank.w"], label="engine")
    for name, ratio in (("first", LOW), ("second", HIGH)):
        axes[0, 0].plot(s.time, ratio * FINAL * s["left.w"], "--", label=f"wheels, {name} gear")
        axes[0, 1].plot(s.time, s[f"{name}.tau"], label=f"{name} clutch")
    axes[0, 0].set(xlim=(0, 10), ylim=(0, 1000), ylabel="w [rad/s]")
    axes[0, 1].set(xlim=(0, 10), ylabel="torque [N m]")
    axes[1, 0].plot(s.time, s["body.v"], label="car")
    axes[1, 0].axhline(highest_speed(), color="0.6", lw=1, label="balance of forces")
    axes[1, 0].set(ylabel="v [m/s]", xlabel="time [s]")
    parts = (("motion", moving), ("heat", heat), ("air", s["blown"]))
    axes[1, 1].stackplot(s.time, [energy / 1e3 for _, energy in parts], labels=[name for name, _ in parts])
    axes[1, 1].plot(s.time, s["engine.work"] / 1e3, "k--", label="work of the engine")
    axes[1, 1].set(ylabel="energy [kJ]", xlabel="time [s]")
    for axis, corner in zip(axes.flat, ("upper left", "lower right", "lower right", "upper left"), strict=True):
        axis.legend(loc=corner)
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "clutch_drive_train.png", dpi=110)
    print(f"{len(s.events)} events; plot:  {folder / 'clutch_drive_train.png'}")
    return s


if __name__ == "__main__":
    main()
