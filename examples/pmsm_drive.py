"""A servo drive with a permanent-magnet motor: field-oriented control, in continuous time and as it is sampled.

The speed is stepped, the shaft loaded, then the speed goes beyond what the supply of 48 V allows with all of the flux
(the field is weakened), and at last it is reversed. The sampled control runs at 10 kHz, its speed loop at 1 kHz, and
knows the angle from a resolver. The inverter is averaged; the beginning is also run with every pulse.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import blocks, drives
from tellegen.library import electrical as el
from tellegen.library import machines as ma
from tellegen.library import polyphase as pp
from tellegen.library import power_converters as pc
from tellegen.library import rotational as rot

V_DC = 48.0
TIMES = [0.0, 0.02, 0.02, 0.4, 0.4, 0.7, 0.7]
SPEEDS = [0.0, 0.0, 80.0, 80.0, 180.0, 180.0, -60.0]


class Drive(tg.Component):
    """Motor, inverter, control, and a load that comes at 0.2 s and goes at 0.35 s."""

    clock = tg.parameter("continuous", structural=True, description="of the currents")
    slow = tg.parameter("continuous", structural=True, description="of the speed")
    switching = tg.parameter(False, structural=True, description="with every pulse of the inverter; needs a clock")
    wanted = blocks.Table(times=TIMES, values=SPEEDS)
    motor = ma.SM_PermanentMagnet(
        use_damper_cage=False, p=3, Rs=0.5, Lssigma=1e-3, Lmd=1e-3, Lmq=2e-3, psi_pm=0.08, Jr=1e-3, d=1e-4
    )
    control = drives.PMSMControl(
        clock=clock,
        speed_clock=slow,
        p=3,
        Rs=0.5,
        L_d=2e-3,
        L_q=3e-3,
        psi_pm=0.08,
        J=1e-3,
        w_c=2000.0,
        w_s=60.0,
        i_max=25.0,
        tau_max=3.0,
        mtpa=True,
        field_weakening=True,
    )
    modulation = drives.SpaceVectorModulation(clock=clock)
    resolver = drives.Resolver()
    tracking = drives.AngleTracking(clock=clock, w_t=1500.0)
    supply = el.ConstantVoltage(V=V_DC)
    star = pp.Star()
    ground = el.Ground()
    load = blocks.Table(times=[0.0, 0.2, 0.2, 0.35, 0.35], values=[0.0, 0.0, -1.0, -1.0, 0.0])
    torque = rot.Torque()

    def build(self) -> None:
        """Two inverters with the same ports to the supply and to the motor."""
        self.inverter = pc.SwitchedInverter(R=5e-3) if self.switching else pc.AverageInverter(R=5e-3)
        if self.switching:
            self.pwm = pc.PWM(clock=self.clock)

    def equations(self) -> Iterator[Any]:
        """Signals that are measured."""
        yield self.control.w_ref == self.wanted.y
        yield self.resolver.phi == self.motor.phi
        yield self.control.phi == self.tracking.phi
        yield self.control.w == self.tracking.w
        yield self.control.i == self.motor.plug_sp.i
        yield self.control.v_max == V_DC / np.sqrt(3.0)
        yield self.modulation.v_dc == self.supply.v

    def connections(self) -> Iterator[Any]:
        """From the control through the inverter to the motor, and back from the resolver."""
        yield self.resolver.sine, self.tracking.sine
        yield self.resolver.cosine, self.tracking.cosine
        yield self.control.v, self.modulation.v
        if self.switching:
            yield self.modulation.u, self.pwm.u
            yield self.pwm.fire_p, self.inverter.fire
        else:
            yield self.modulation.u, self.inverter.u
        yield self.supply.p, self.inverter.dc_p
        yield self.supply.n, self.inverter.dc_n, self.ground.p
        yield self.inverter.ac, self.motor.plug_sp
        yield self.motor.plug_sn, self.star.plug_p
        yield self.load.y, self.torque.tau
        yield self.torque.flange, self.motor.flange


def main(folder: Path = Path("demo_output")) -> dict[str, tg.Solution]:
    """Run both controls, compare them and plot."""
    fast = tg.Clock(rate="10 kHz")
    clocks = {"clock": fast, "slow": fast.every(10)}
    drives_of = {"continuous": Drive(), "sampled": Drive(**clocks), "pulses": Drive(**clocks, switching=True)}
    runs: dict[str, tg.Solution] = {}
    for name, drive in drives_of.items():
        begin = time.perf_counter()
        stop = 0.04 if name == "pulses" else 1.0
        runs[name] = tg.simulate(drive, stop, points=2001, rtol=1e-6)
        print(f"{name:10s} {time.perf_counter() - begin:5.1f} s for {stop} s, {runs[name].stats['steps']} steps")
    settled = {"speed step": 0.19, "load": 0.34, "weakened field": 0.69, "reversed": 1.0}
    for what, t in settled.items():
        at = runs["continuous"].at(t)
        print(f"{what:15s} {at['motor.w']:7.2f} rad/s, i_d {at['motor.i_d']:7.2f} A, i_q {at['motor.i_q']:6.2f} A")
    pulses = runs["pulses"]
    mean = runs["sampled"].at(np.minimum(pulses.time, 0.04))["motor.w"]
    print(f"with every pulse the speed differs by {np.abs(pulses['motor.w'] - mean).max():.2g} rad/s")
    figure, axes = plt.subplots(4, 1, figsize=(9, 10), layout="constrained")
    axes[3].plot(1e3 * pulses.time, pulses["motor.plug_sp.i"], linewidth=0.7)
    axes[3].set(ylabel="phases, every pulse [A]", xlabel="time [ms]", xlim=(18.0, 40.0))
    for name, style in (("continuous", "-"), ("sampled", "--")):
        s = runs[name]
        axes[0].plot(s.time, s["motor.w"], style, label=name)
        axes[1].plot(s.time, s["motor.i_q"], style, color="C0", label=f"i_q, {name}", linewidth=1.0)
        axes[1].plot(s.time, s["motor.i_d"], style, color="C1", label=f"i_d, {name}", linewidth=1.0)
        axes[2].plot(s.time, np.hypot(s["control.current.v_d"], s["control.current.v_q"]), style, linewidth=1.0)
    axes[0].plot(runs["continuous"].time, runs["continuous"]["wanted.y"], "k:", linewidth=0.8, label="wanted")
    axes[2].axhline(V_DC / np.sqrt(3.0), color="0.6", linewidth=0.8)
    axes[0].set_ylabel("speed [rad/s]")
    axes[1].set_ylabel("currents [A]")
    axes[2].set(ylabel="voltage phasor [V]", xlabel="time [s]")
    for axis in axes[:2]:
        axis.legend(loc="lower left", fontsize="small")
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "pmsm_drive.png", dpi=110)
    print(f"plot:  {folder / 'pmsm_drive.png'}")
    return runs


if __name__ == "__main__":
    main()
