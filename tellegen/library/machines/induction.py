"""Induction machines: squirrel cage and slip rings, in three phases and in d and q.

The rotor is a winding like that of the stator, seen in the same axes; against it they turn with w_k - p w. With its
quantities referred to the turns of the stator and the air gap common to both,

    v_dr = Rr i_dr + dpsi_dr/dt - (w_k - p w) psi_qr,         psi_dr = Lrsigma i_dr + psi_md
    v_qr = Rr i_qr + dpsi_qr/dt + (w_k - p w) psi_dr,         psi_qr = Lrsigma i_qr + psi_mq
    psi_md = Lm (i_d + i_dr),                                 psi_mq = Lm (i_q + i_qr)

and v_dr = v_qr = 0 in a cage. Any frame will do. In three phases the axes rest (w_k = 0), so no angle is in the
equations of a cage; in d and q the frame is that of whoever feeds the machine, w_k = w_frame, and steady operation on
a grid of that frequency is an equilibrium.

Saturation of the main flux: with psi_m its length, the magnetizing current is psi_m/Lm (1 + (psi_m/psi_sat)^n_sat) in
its direction, so Lm is the unsaturated value, halved at psi_sat. The energy of that field has a closed form, and none
is lost.
"""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

import tellegen as tg
from tellegen.library.machines.ac import AC_Machine, DirectQuadrature, ThreePhase
from tellegen.library.machines.interfaces import Statements
from tellegen.library.polyphase import Plug
from tellegen.library.polyphase.interfaces import nothing
from tellegen.library.polyphase.transforms import inverse_park, park

COUPLING = sqrt(1.0 - 0.0667)


class InductionMachine(AC_Machine):
    """Air gap and rotor of induction machines; subclasses say what the terminals of the rotor are connected to."""

    saturation = tg.parameter(False, structural=True, description="the main flux saturates")
    Lssigma = tg.parameter(
        3.0 * (1.0 - COUPLING) / (2.0 * pi * AC_Machine.fs_nominal),
        "H",
        "leakage inductance of a phase of the stator",
        min=0.0,
    )
    Lm = tg.parameter(3.0 * COUPLING / (2.0 * pi * AC_Machine.fs_nominal), "H", "main inductance", min=0.0)
    Lrsigma = tg.parameter(Lssigma, "H", "leakage inductance of a phase of the rotor", min=0.0)
    Rr = tg.parameter(0.04, "ohm", "resistance of a phase of the rotor at T_ref", min=0.0)
    alpha_r = tg.parameter(0.0, "1/K", "relative change of Rr with temperature, aluminium 0.004")
    psi_sat = tg.parameter(0.6, "Wb", "flux linkage of the air gap at which Lm has halved, with saturation", min=0.0)
    n_sat = tg.parameter(8, structural=True, description="exponent: how sudden the main flux saturates")
    i_dr = tg.variable("A", "current of the rotor, d axis", start=0.0)
    i_qr = tg.variable("A", "current of the rotor, q axis", start=0.0)
    psi_dr = tg.variable("Wb", "flux linkage of the rotor, d axis", start=0.0)
    psi_qr = tg.variable("Wb", "flux linkage of the rotor, q axis", start=0.0)

    def turns(self) -> Any:
        """Turns of the stator over those of the rotor; Rr and Lrsigma are those of the rotor winding."""
        return 1.0

    def rotor_voltage(self) -> tuple[Any, Any]:
        """v_dr and v_qr, referred to the stator."""
        return 0.0, 0.0

    def rotor_resistance(self) -> Any:
        """Referred to the stator."""
        return self.turns() ** 2 * self.Rr * (1.0 + self.alpha_r * (self.rotor_temperature() - self.T_ref))

    def rotor_losses(self) -> Any:
        return 1.5 * self.rotor_resistance() * (self.i_dr**2 + self.i_qr**2)

    def saturated(self) -> Any:
        """The inverse of the main inductance over its value without saturation."""
        if not self.saturation:
            return 1.0
        half = self.n_sat // 2 if self.n_sat % 2 == 0 else self.n_sat / 2.0
        return 1.0 + ((self.psi_md**2 + self.psi_mq**2) / self.psi_sat**2) ** half

    def equations(self) -> Statements:
        R = self.rotor_resistance()
        slip_speed = self.axis_speed() - self.p * self.w
        v_dr, v_qr = self.rotor_voltage()
        yield v_dr == R * self.i_dr + tg.der(self.psi_dr) - slip_speed * self.psi_qr
        yield v_qr == R * self.i_qr + tg.der(self.psi_qr) + slip_speed * self.psi_dr
        leakage = self.turns() ** 2 * self.Lrsigma
        yield self.psi_dr == leakage * self.i_dr + self.psi_md
        yield self.psi_qr == leakage * self.i_qr + self.psi_mq
        i_d, i_q = self.magnetizing()
        yield self.Lm * (i_d + self.i_dr) == self.psi_md * self.saturated()
        yield self.Lm * (i_q + self.i_qr) == self.psi_mq * self.saturated()


class StatorFrame(ThreePhase, InductionMachine):
    """An induction machine in three phases, in axes that rest: alpha is d, beta is q."""

    def axis_speed(self) -> Any:
        return 0.0

    def axis_angle(self) -> Any:
        return 0.0


class AnyFrame(DirectQuadrature, InductionMachine):
    """An induction machine in d and q, in axes that turn with w_frame."""

    w_frame = tg.input("rad/s", "electrical angular velocity of the axes", default=100.0 * pi)

    def axis_speed(self) -> Any:
        return self.w_frame


class IM_SquirrelCage(StatorFrame):
    """Induction machine with a squirrel cage, in three phases.

    The defaults are a machine of 100 V and 100 A per phase, 50 Hz, 24.35 kW at 1440.45 rpm. The rotor of a cage has no
    terminals, so its quantities are those referred to the stator. With use_heat_port=True there are heat_port (stator
    winding), heat_port_r (cage) and heat_port_frame (core, friction, stray load).
    """


class IM_SquirrelCageDQ(AnyFrame):
    """Induction machine with a squirrel cage in d and q, with voltages as signals, for the design of controllers.

    The axes turn with w_frame: that of the grid, or of the rotor flux of a field-oriented control. The classical model
    of fifth order: two fluxes of the stator, two of the rotor, and the speed.
    """


class Wound(InductionMachine):
    """A rotor with a winding: Rr and Lrsigma are those of it, and turns_ratio refers them to the stator."""

    turns_ratio = tg.parameter(1.0, "1", "effective turns of the stator over those of the rotor", min=0.0)

    def turns(self) -> Any:
        return self.turns_ratio


class IM_SlipRing(StatorFrame, Wound):
    """Induction machine with slip rings: phase k of the rotor winding lies between plug_rp and plug_rn.

    Resistors at the rings raise the torque at standstill, a second voltage there makes a doubly fed machine. The axes
    of the rotor phases turn with the rotor, so a phase of the rotor sees the frequency of the slip. A winding with
    less turns than the stator, turns_ratio > 1, has less voltage and more current.
    """

    plug_rp = Plug.array(3, "beginnings of the phases of the rotor")
    plug_rn = Plug.array(3, "ends of the phases of the rotor")
    Lrzero = tg.parameter(InductionMachine.Lrsigma, "H", "zero-sequence inductance of the rotor", min=0.0)
    v_0r = tg.variable("V", "zero-sequence voltage of the rotor winding")
    i_0r = tg.variable("A", "zero-sequence current of the rotor winding", start=0.0, state="avoid")

    def rotor_angle(self) -> Any:
        """Of the d axis, seen from phase a of the rotor."""
        return -self.p * self.phi

    def rotor_voltage(self) -> tuple[Any, Any]:
        v_dr, v_qr, _ = park(self.plug_rp.v - self.plug_rn.v, self.rotor_angle())
        return self.turns_ratio * v_dr, self.turns_ratio * v_qr

    def rotor_losses(self) -> Any:
        axes = 1.5 * (self.i_dr**2 + self.i_qr**2) + 3.0 * (self.i_0r / self.turns_ratio) ** 2
        return self.rotor_resistance() * axes

    def equations(self) -> Statements:
        yield 3.0 * self.v_0r == tg.sum(self.plug_rp.v - self.plug_rn.v)
        own = self.rotor_resistance() / self.turns_ratio**2
        yield self.v_0r == own * self.i_0r + self.Lrzero * tg.der(self.i_0r)
        winding = self.turns_ratio * self.i_dr, self.turns_ratio * self.i_qr
        yield self.plug_rp.i[:2] == inverse_park(*winding, self.rotor_angle(), self.i_0r)[:2]
        yield tg.sum(self.plug_rp.i) == 3.0 * self.i_0r
        yield self.plug_rp.i + self.plug_rn.i == nothing(3)


class IM_SlipRingDQ(AnyFrame, Wound):
    """Induction machine with slip rings in d and q: voltages of stator and rotor are signals, seen from the stator."""

    v_dr = tg.input("V", "voltage of the rotor, d axis, referred to the stator", default=0.0)
    v_qr = tg.input("V", "voltage of the rotor, q axis, referred to the stator", default=0.0)

    def rotor_voltage(self) -> tuple[Any, Any]:
        return self.v_dr, self.v_qr
