"""Field-oriented control: from speed, angle and phase currents to phase voltages.

    w_ref -> SpeedController -> torque -> currents -> CurrentController -> v_d, v_q -> phases

in axes of the rotor (synchronous machine) or of the rotor flux (induction machine). Everything runs in continuous
time, or at ticks: `clock` for the currents, `speed_clock` for the speed. The voltages of a tick are held for a period,
in which the axes turn on by w T; their angle is advanced by half of that, which is where the held voltages are on
average.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.drives.base import Regulator, Statements
from tellegen.library.drives.flux_model import RotorFluxModel
from tellegen.library.drives.references import CurrentReference, FieldWeakening
from tellegen.library.drives.regulators import CurrentController, SpeedController
from tellegen.library.polyphase.transforms import inverse_park, park


class FieldOriented(Regulator):
    """Speed loop around current loops: what the controls of all AC machines have in common."""

    speed_clock = tg.parameter(Regulator.clock, structural=True, description="when the speed controller acts")
    w_ref = tg.input("rad/s", "wanted angular velocity")
    w = tg.input("rad/s", "angular velocity of the rotor")
    i = tg.input("A", "currents of the phases", shape=3)
    v_max = tg.input("V", "longest voltage phasor", default=1e9)
    v = tg.output("V", "voltages of the phases", shape=3, start=0.0)
    p = tg.parameter(2, "1", "pole pairs")
    J = tg.parameter(0.29, "kg.m2", "moment of inertia of everything that turns", min=0.0)
    tau_max = tg.parameter(1e9, "N.m", "largest torque", min=0.0)
    w_c = tg.parameter(1000.0, "rad/s", "bandwidth of the currents", min=0.0)
    w_s = tg.parameter(50.0, "rad/s", "bandwidth of the speed", min=0.0)
    speed = SpeedController(clock=speed_clock, J=J, w_s=w_s, tau_max=tau_max)

    def equations(self) -> Statements:
        yield self.speed.w_ref == self.w_ref
        yield self.speed.w == self.w
        yield self.current.v_max == self.v_max  # type: ignore[attr-defined]

    def voltages(self, gamma: tg.Expression, w_axes: tg.Expression) -> Statements:
        """The output, for axes at the angle gamma."""
        current: Any = self.current  # type: ignore[attr-defined]
        ahead = 0.5 * self.clock.period * w_axes if self.sampled else 0.0
        v = inverse_park(current.v_d, current.v_q, gamma + ahead)
        yield from self.act([], [self.v[k] == v[k] for k in range(3)])


class PMSMControl(FieldOriented):
    """Field-oriented control of a synchronous machine with permanent magnets, by speed.

    i_d is zero, or what makes the torque with the least current (mtpa=True), and with field_weakening=True as much
    below that as the voltage asks for. Give it the parameters of the machine: Ld = Lssigma + Lmd, Lq = Lssigma + Lmq.
    """

    mtpa = tg.parameter(False, structural=True, description="the least current for the torque; else i_d = 0")
    field_weakening = tg.parameter(False, structural=True, description="i_d is lowered where the voltage ends")
    phi = tg.input("rad", "angle of the rotor")
    Rs = tg.parameter(0.03, "ohm", "resistance of a phase", min=0.0)
    L_d = tg.parameter(1.2732e-3, "H", "inductance, d axis", min=0.0)
    L_q = tg.parameter(L_d, "H", "inductance, q axis", min=0.0)
    psi_pm = tg.parameter(0.50553, "Wb", "flux linkage of the magnets, amplitude")
    i_max = tg.parameter(1e9, "A", "longest current phasor", min=0.0)
    k_weak = tg.parameter(200.0, "A/(V.s)", "gain of the field weakening", min=0.0)
    reference = CurrentReference(mtpa=mtpa, p=FieldOriented.p, psi=psi_pm, L_d=L_d, L_q=L_q, i_max=i_max)
    current = CurrentController(clock=Regulator.clock, R=Rs, L_d=L_d, L_q=L_q, w_c=FieldOriented.w_c)
    weakening = FieldWeakening(clock=Regulator.clock, k=k_weak, i_max=0.9 * i_max).only_if(field_weakening)

    def equations(self) -> Statements:
        gamma = self.p * self.phi
        w_axes = self.p * self.w
        i_d, i_q, _ = park(self.i, gamma)
        yield self.current.i_d == i_d
        yield self.current.i_q == i_q
        yield self.current.w_axes == w_axes
        yield self.current.psi == self.psi_pm
        yield self.current.i_d_ref == self.reference.i_d
        yield self.current.i_q_ref == self.reference.i_q
        yield self.reference.tau == self.speed.tau
        yield self.reference.i_d_more == (self.weakening.i_d if self.field_weakening else 0.0)
        if self.field_weakening:
            yield self.weakening.v_d == self.current.v_d
            yield self.weakening.v_q == self.current.v_q
            yield self.weakening.v_limit == 0.95 * self.v_max
        yield from self.voltages(gamma, w_axes)


class InductionControl(FieldOriented):
    """Field-oriented control of an induction machine, by speed, with a model of the rotor flux.

    The flux psi_ref is kept up to w_base and falls as 1/w above. Currents are regulated against the leakage inductance
    sigma Ls and the resistance Rs + (Lm/Lr)^2 Rr, which is what they see while the flux of the rotor stays.
    """

    Rs = tg.parameter(0.03, "ohm", "resistance of a phase of the stator", min=0.0)
    Rr = tg.parameter(0.04, "ohm", "resistance of the rotor, referred to the stator", min=0.0)
    Lssigma = tg.parameter(3.2396e-4, "H", "leakage inductance of the stator", min=0.0)
    Lrsigma = tg.parameter(3.2396e-4, "H", "leakage inductance of the rotor, referred to the stator", min=0.0)
    Lm = tg.parameter(9.2253e-3, "H", "main inductance", min=0.0)
    psi_ref = tg.parameter(0.4, "Wb", "flux linkage of the rotor")
    w_base = tg.parameter(157.08, "rad/s", "speed above which the flux is lowered", min=0.0)
    k_r = tg.parameter(Lm / (Lm + Lrsigma), "1", "share of the main flux that reaches the rotor current")
    flux = RotorFluxModel(clock=Regulator.clock, p=FieldOriented.p, Lm=Lm, Lrsigma=Lrsigma, Rr=Rr)
    current = CurrentController(
        clock=Regulator.clock, R=Rs + k_r**2 * Rr, L_d=Lssigma + k_r * Lrsigma, w_c=FieldOriented.w_c
    )

    def equations(self) -> Statements:
        wanted = self.psi_ref * self.w_base / tg.maximum(abs(self.w), self.w_base)
        flux = tg.maximum(self.flux.psi, 0.1 * self.psi_ref)  # the torque needs a flux first
        yield self.flux.i == self.i
        yield self.flux.w == self.w
        yield self.current.i_d == self.flux.i_d
        yield self.current.i_q == self.flux.i_q
        yield self.current.w_axes == self.flux.w_axes
        yield self.current.psi == self.k_r * self.flux.psi
        yield self.current.i_d_ref == wanted / self.Lm
        yield self.current.i_q_ref == self.speed.tau / (1.5 * self.p * self.k_r * flux)
        yield from self.voltages(self.flux.gamma, self.flux.w_axes)
