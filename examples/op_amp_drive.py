"""Velocity control of a link by a PID controller, an op-amp as power stage, a DC motor and a gear.

Example E8 of S. A. Vaze's dissertation, in two stages. First the controller drives the motor directly. Then an op-amp
as voltage follower is inserted between them: a macromodel with a gain-bandwidth product of 1 MHz and an output
resistance of 75 ohm, so that the start gets 0.27 A at most and the controller is retuned. Both bring the link to 5
rad/s; that takes 62.5 rad/s, 0.1529018 A and 2.873214 V at the motor. The gains are not printed there; these are our
own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import electrical as el
from tellegen.library import machines as ma
from tellegen.library import rotational as rot


class Direct(tg.Component):
    """Stage 1: the output of the controller is the voltage of the motor."""

    wanted = blocks.Constant(k=62.5)
    control = blocks.LimPID(k=0.2, Ti=2.5, Td=0.02, Nd=10.0, y_max=20.0)
    drive = el.SignalVoltage()
    ground = el.Ground()
    motor = ma.DC_PermanentMagnet(
        two_constants=True,
        k=0.0401,
        k_t="5.6 ozf.inch/A",
        Ra=2.4,
        La=0.0048,
        Jr="0.0044 ozf.inch.s2",
        d="0.0137 ozf.inch.s/rad",
        ia=tg.variable(start=0.0, fixed=True),
        w=tg.variable(start=0.0, fixed=True),
        phi=tg.variable(start=0.0, fixed=True),
    )
    gear = rot.IdealGear(ratio=12.5)
    link = rot.Inertia(J="41.077 ozf.inch.s2")
    tachometer = rot.SpeedSensor()

    def connections(self) -> Iterator[Any]:
        """The loop of signals, the shaft, and the circuit but for what drives the motor."""
        yield self.wanted.y, self.control.u_s
        yield self.tachometer.w, self.control.u_m
        yield self.control.y, self.drive.u
        yield self.motor.flange, self.gear.flange_a, self.tachometer.flange
        yield self.gear.flange_b, self.link.flange_a
        yield self.drive.n, self.motor.pin_an, self.ground.p
        yield from self.power()

    def power(self) -> Iterator[Any]:
        """From the controller to the motor."""
        yield self.drive.p, self.motor.pin_ap


class Amplified(Direct):
    """Stage 2: an op-amp as follower, with the controller retuned."""

    control = blocks.LimPID(k=0.1, Ti=2.5, Td=0.02, Nd=10.0, y_max=3.2)
    amplifier = el.OpAmp(GBW="1 MHz", Rout=75.0, Vps=22.0, Vns=-22.0)

    def power(self) -> Iterator[Any]:
        """The output follows the positive input, because it is the negative one."""
        yield self.drive.p, self.amplifier.in_p
        yield self.amplifier.out, self.amplifier.in_n, self.motor.pin_ap


def main(folder: Path = Path("demo_output")) -> dict[str, tg.Solution]:
    """Run both stages and compare where they settle."""
    import matplotlib.pyplot as plt

    runs = {"direct": tg.simulate(Direct(), 40.0), "with op-amp": tg.simulate(Amplified(), 40.0)}
    figure, axes = plt.subplots(3, 1, figsize=(8, 8), sharex=True, layout="constrained")
    shown = (("link.w", "link [rad/s]"), ("motor.ia", "current [A]"), ("motor.va", "voltage [V]"))
    for name, run in runs.items():
        w, i, v = (run[path][-1] for path in ("motor.w", "motor.ia", "motor.va"))
        print(f"{name:12s} {w:.4f} rad/s, {i:.7f} A, {v:.6f} V after 40 s")
        for axis, (path, label) in zip(axes, shown, strict=True):
            axis.plot(run.time, run[path], label=name)
            axis.set_ylabel(label)
    axes[1].set_ylim(0.0, 0.6)
    axes[2].set_ylim(0.0, 5.0)
    axes[2].set_xlabel("time [s]")
    axes[0].legend()
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "op_amp_drive.png", dpi=110)
    print(f"plot:  {folder / 'op_amp_drive.png'}")
    return runs


if __name__ == "__main__":
    main()
