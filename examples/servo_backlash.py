"""A servo whose gear has backlash: the load oscillates in a limit cycle; without backlash it settles.

A PI controller turns the error of the load angle into a wanted speed, a fast loop of the motor follows it. The same
piecewise linear system is integrated by SciPy, flank by flank, as an independent reference; and the describing function
of the dead zone predicts amplitude and frequency of the cycle without any simulation.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import rotational as rot

# gear, motor, load, stiffness at the load
N = 10.0
JM = 2e-4
DM = 1e-3
JL = 0.05
DL = 0.05
C = 60.0
# speed loop, PI controller
KV = 0.05
KP = 8.0
TI = 0.2
B = 0.02  # backlash, rad
START = {"start": 0.0, "fixed": True}


class Servo(tg.Component):
    """Motor, gear with elasticity and backlash, load; the angle of the load is controlled."""

    Kv = tg.parameter(KV, "N.m.s/rad", "gain of the speed loop")
    wanted = blocks.Step(height=0.5, start_time=0.1)
    error = blocks.Feedback()
    control = blocks.PI(k=KP, T=TI)
    torque = rot.Torque()
    motor = rot.Inertia(J=JM, phi=tg.variable(**START), w=tg.variable(**START))
    gear = rot.Gearbox(ratio=N, c=C, b=B)
    load = rot.Inertia(J=JL, phi=tg.variable(**START), w=tg.variable(**START))
    angle = rot.AngleSensor()
    drag_motor = rot.Damper(d=DM)
    drag_load = rot.Damper(d=DL)
    ground = rot.Fixed()

    def equations(self) -> Iterator[Any]:
        """The speed loop: N times the wanted speed of the load is that of the motor."""
        yield self.torque.tau == self.Kv * (self.gear.ratio * self.control.y - self.motor.w)

    def connections(self) -> Iterator[Any]:
        """The shaft from the torque to the load, and the loop around it."""
        yield self.torque.flange, self.motor.flange_a, self.drag_motor.flange_a
        yield self.motor.flange_b, self.gear.flange_a
        yield self.gear.flange_b, self.load.flange_a
        yield self.load.flange_b, self.angle.flange, self.drag_load.flange_a
        yield self.drag_motor.flange_b, self.drag_load.flange_b, self.ground.flange
        yield self.wanted.y, self.error.u1
        yield self.angle.phi, self.error.u2
        yield self.error.y, self.control.u


def reference(b: float, times: Any) -> Any:
    """The load angle by SciPy: three linear systems, one for each flank and one between, joined where they meet."""

    def rates(_: float, x: Any, side: int) -> Any:
        phi_m, w_m, phi_l, w_l, integral = x
        torque = C * (phi_m / N - phi_l - side * b / 2) if side or not b else 0.0
        error = 0.5 - phi_l
        drive = KV * (N * KP * (error + integral / TI) - w_m)
        return [w_m, (drive - DM * w_m - torque / N) / JM, w_l, (torque - DL * w_l) / JL, error]

    def passes(side: int, direction: int) -> Any:
        def distance(_: float, x: Any, __: int) -> float:
            return x[0] / N - x[2] - side * b / 2

        distance.terminal = True  # type: ignore[attr-defined]
        distance.direction = direction  # type: ignore[attr-defined]
        return distance

    x = np.zeros(5)
    t = 0.1
    side = 0
    out = np.zeros(len(times))
    ends = {1: [passes(1, -1)], 0: [passes(-1, -1), passes(1, 1)], -1: [passes(-1, 1)]} if b else {0: []}
    tight = {"method": "DOP853", "rtol": 1e-11, "atol": 1e-13, "dense_output": True}
    while t < times[-1]:
        run: Any = solve_ivp(rates, (t, times[-1]), x, args=(side,), events=ends[side], **tight)
        inside = (times >= t) & (times <= run.t[-1])
        if inside.any():
            out[inside] = run.sol(times[inside])[2]
        t = run.t[-1]
        x = run.y[:, -1]
        if run.status == 1:  # a flank is reached or left
            side = 0 if side else (1 if len(run.t_events[1]) else -1)
    return out


def predicted(b: float) -> tuple[float, float]:
    """Angular frequency of the cycle and amplitude of the load, from the describing function of the dead zone.

    A twist A sin(w t) makes a torque with the fundamental n(A) A sin(w t), where n(A) is
    C (1 - 2/pi (asin q + q sqrt(1 - q^2))) with q = b/2A. The rest of the loop is linear, twist = g(s) torque. The
    cycle is where n(A) g(jw) = 1.
    """

    def g(s: complex) -> complex:
        load = 1.0 / (JL * s**2 + DL * s)
        motor = -(1.0 / N + KV * N * KP * (1.0 + 1.0 / (TI * s)) * load) / (JM * s**2 + (DM + KV) * s)
        return motor / N - load

    def missing(amplitude: float, gain: float) -> float:
        q = b / (2 * amplitude)
        return C * (1 - 2 / np.pi * (np.arcsin(q) + q * np.sqrt(1 - q**2))) - gain

    w: Any = brentq(lambda w: (1.0 / g(1j * w)).imag, 5.0, 50.0)
    gain = (1.0 / g(1j * w)).real
    twist: Any = brentq(missing, b / 2 * (1 + 1e-9), 100 * b, args=(gain,))
    return w, gain * twist * abs(1.0 / (JL * (1j * w) ** 2 + DL * 1j * w))


def cycle(time: Any, angle: Any) -> tuple[float, float]:
    """Angular frequency and amplitude of an oscillation, from its rising zeros and its extremes."""
    swing = angle - (angle.max() + angle.min()) / 2
    up = np.flatnonzero((swing[:-1] < 0) & (swing[1:] >= 0))
    zeros = time[up] - swing[up] * (time[up + 1] - time[up]) / (swing[up + 1] - swing[up])
    return 2 * np.pi / np.diff(zeros).mean(), (angle.max() - angle.min()) / 2


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Simulate with and without backlash, compare, plot."""
    compiled = tg.compile(Servo())
    loose = compiled.simulate(8.0, rtol=1e-9, atol=1e-12, points=4001)
    tight = compiled.simulate(8.0, rtol=1e-9, atol=1e-12, points=4001, parameters={"gear.b": 0.0})
    for name, run, b in (("with", loose, B), ("without", tight, 0.0)):
        late = run.time >= 0.1
        error = np.abs(run["load.phi"][late] - reference(b, run.time[late])).max()
        print(f"{name} backlash: within {error:.1e} rad of SciPy, {len(run.events)} events")
    settled = loose.time > 4.0
    w, amplitude = cycle(loose.time[settled], loose["load.phi"][settled])
    expected = predicted(B)
    print(f"limit cycle: {w:.3f} rad/s, {1e3 * amplitude:.3f} mrad", end="; ")
    print(f"describing function: {expected[0]:.3f} rad/s, {1e3 * expected[1]:.3f} mrad")
    print(f"without backlash the load ends {abs(tight['load.phi'][-1] - 0.5):.1e} rad from where it should")
    figure, axes = plt.subplots(2, 2, figsize=(10, 6), layout="constrained")
    for name, run in (("with backlash", loose), ("without", tight)):
        axes[0, 0].plot(run.time, run["load.phi"], label=name)
        axes[0, 1].plot(run.time, 1e3 * (run["load.phi"] - 0.5), label=name)
        axes[1, 0].plot(run.time, run["gear.elasto_backlash.tau"], label=name)
    axes[0, 1].set(xlim=(5, 8), ylim=(-2e3 * amplitude, 2e3 * amplitude), ylabel="error of the load [mrad]")
    axes[0, 0].set(ylabel="angle of the load [rad]")
    axes[1, 0].set(xlim=(5, 8), ylim=(-2, 2), ylabel="torque of the flanks [N m]", xlabel="time [s]")
    axes[1, 1].plot(1e3 * loose["gear.elasto_backlash.phi_rel"][settled], loose["gear.elasto_backlash.w_rel"][settled])
    axes[1, 1].set(xlabel="twist in the gear [mrad]", ylabel="its rate [rad/s]")
    for side in (-0.5, 0.5):
        axes[1, 1].axvline(1e3 * side * B, color="0.6", lw=1)
    axes[0, 0].legend(loc="lower right")
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "servo_backlash.png", dpi=110)
    print(f"plot:  {folder / 'servo_backlash.png'}")
    return loose


if __name__ == "__main__":
    main()
