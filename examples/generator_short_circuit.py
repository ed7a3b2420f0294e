"""A generator in open circuit is short-circuited: the currents and the classical formula.

The machine is that of P. Kundur, Power System Stability and Control, example 3.2 (per unit values as ohms, one damper
in each axis). Three reactances follow each other: the subtransient one while the damper carries current, the transient
one while the excitation winding does, and the synchronous one. The direct components decay with the time constant of
the armature.
"""

from __future__ import annotations

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

OMEGA = 120.0 * np.pi
E = 1000.0 * np.sqrt(2.0)  # amplitude of the open-circuit voltage of a phase
XL = 0.15
XMD = 1.66
XMQ = 1.61
XF = 0.165
X1D = 0.1713
X1Q = 0.125
RS = 0.003
RF = 0.0006
R1D = 0.0284
R1Q = 0.02368
IE = 500.0
K = E / (XMD * IE)  # ratio of turns


class ShortCircuit(tg.Component):
    """The generator turns at 3600 rpm, excited for 1000 V; at t_short three switches connect its terminals."""

    t_short = tg.parameter(0.05, "s", "when the terminals are short-circuited")
    generator = ma.SM_ElectricalExcited(
        p=1,
        fs_nominal=60.0,
        Vs_nominal=1000.0,
        Ie_open_circuit=IE,
        Rs=RS,
        Lssigma=XL / OMEGA,
        Lmd=XMD / OMEGA,
        Lmq=XMQ / OMEGA,
        Lrsigmad=X1D / OMEGA,
        Lrsigmaq=X1Q / OMEGA,
        Rrd=R1D,
        Rrq=R1Q,
        Re=1.5 * K**2 * RF,
        Lesigma=1.5 * K**2 * XF / OMEGA,
    )
    turbine = rot.ConstantSpeed(w_fixed=OMEGA)
    exciter = el.ConstantVoltage(V=IE * 1.5 * K**2 * RF)
    switches = el.IdealClosingSwitch.array(3)
    star = pp.Star()
    ground = el.Ground()

    def equations(self) -> Iterator[Any]:
        """All three switches close at once."""
        for k in range(3):
            yield self.switches[k].control == tg.where(tg.time < self.t_short, 0.0, 1.0)

    def connections(self) -> Iterator[Any]:
        """From the terminals through the switches to the grounded star point."""
        yield self.generator.flange, self.turbine.flange
        yield self.exciter.p, self.generator.pin_ep
        yield self.exciter.n, self.generator.pin_en, self.ground.p
        yield self.generator.plug_sn, self.star.plug_p
        yield self.star.pin_n, self.ground.p
        yield self.generator.plug_sp, self.switches.p
        yield self.switches.n, self.ground.p


def parallel(*x: float) -> float:
    """Reactances side by side."""
    return 1.0 / sum(1.0 / one for one in x)


def classical(t: Any, angle: float) -> tuple[Any, Any]:
    """Current of phase a a time t after the short circuit with the rotor at `angle`, and its alternating amplitude."""
    xd = XL + XMD
    xd1 = XL + parallel(XMD, XF)
    xd2 = XL + parallel(XMD, XF, X1D)
    xq2 = XL + parallel(XMQ, X1Q)
    td1 = (XMD + XF) / RF / OMEGA * xd1 / xd
    td2 = (X1D + parallel(XMD, XF)) / R1D / OMEGA * xd2 / xd1
    ta = 2.0 * parallel(xd2, xq2) / RS / OMEGA
    amplitude = 1 / xd + (1 / xd1 - 1 / xd) * np.exp(-t / td1) + (1 / xd2 - 1 / xd1) * np.exp(-t / td2)
    direct = 0.5 * np.exp(-t / ta)
    slow = (1 / xd2 + 1 / xq2) * np.cos(angle) + (1 / xd2 - 1 / xq2) * np.cos(2.0 * OMEGA * t + angle)
    return -E * (amplitude * np.cos(OMEGA * t + angle) - direct * slow), E * amplitude


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Simulate, compare with the formula and plot."""
    psi = E / OMEGA
    psi_e = 1.5 * K * psi + 1.5 * K**2 * XF / OMEGA * IE
    start = {"generator.psi_d": psi, "generator.psi_dr": psi, "generator.psi_e": psi_e}
    s = tg.simulate(ShortCircuit(), 1.05, points=8401, rtol=1e-7, initial=start)
    after = s.time >= 0.05
    t = s.time[after] - 0.05
    current = s["generator.plug_sp.i"][:, 0]
    formula, envelope = classical(t, OMEGA * 0.05)
    worst = np.abs(current[after] - formula).max() / np.abs(current).max()
    print(f"peak current {np.abs(s['generator.plug_sp.i']).max():.0f} A, {E / 0.2311:.0f} A would be E/X''d")
    print(f"excitation current rises from {s['generator.ie'][0]:.0f} A to {s['generator.ie'].max():.0f} A")
    print(f"the classical formula is within {100 * worst:.1f} % of the peak")
    figure, axes = plt.subplots(3, 1, figsize=(9, 8), sharex=True, layout="constrained")
    axes[0].plot(s.time, 1e-3 * current, linewidth=0.8, label="phase a")
    axes[0].plot(s.time[after], 1e-3 * formula, "k:", linewidth=0.8, label="classical formula")
    axes[0].plot(s.time[after], 1e-3 * envelope, color="0.5", linewidth=1.0, label="alternating part, amplitude")
    axes[0].set_ylabel("current [kA]")
    axes[0].legend(loc="upper right")
    axes[1].plot(s.time, s["generator.ie"], linewidth=0.8)
    axes[1].set_ylabel("excitation [A]")
    axes[2].plot(s.time, 1e-3 * s["generator.tau_electrical"], linewidth=0.8)
    axes[2].set(ylabel="torque [kN m]", xlabel="time [s]")
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "generator_short_circuit.png", dpi=110)
    print(f"plot:  {folder / 'generator_short_circuit.png'}")
    return s


if __name__ == "__main__":
    main()
