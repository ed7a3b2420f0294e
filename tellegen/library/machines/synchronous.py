"""Synchronous machines: permanent magnets, electrical excitation, reluctance; in three phases and in d and q.

The axes turn with the rotor, w_k = p w, and d is the axis of its poles. There the inductances do not depend on the
angle, even if they differ in d and q (saliency). A damper is a cage of two short-circuited windings in the axes;
`field` is the flux that the rotor makes by itself:

    psi_md = Lmd (i_d + i_dr) + field,        0 = Rrd i_dr + dpsi_dr/dt,      psi_dr = Lrsigmad i_dr + psi_md
    psi_mq = Lmq (i_q + i_qr),                0 = Rrq i_qr + dpsi_qr/dt,      psi_qr = Lrsigmaq i_qr + psi_mq

    permanent magnets    field = psi_pm, constant: that of the open-circuit voltage
    excitation           field = Lmd k ie with the ratio of turns k, and it sees psi_e = 3/2 k psi_md + Lesigma ie
    reluctance           field = 0

The 3/2 in psi_e is that of the power: 3/2 of the product of the phasors is what goes through the air gap, and a winding
with one circuit has its power without that factor. Without damper the torque is
3/2 p (field i_q + (Lmd - Lmq) i_d i_q), the part of the field and that of the saliency.
"""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

import tellegen as tg
from tellegen.library.electrical import Pin
from tellegen.library.machines.ac import AC_Machine, DirectQuadrature, ThreePhase
from tellegen.library.machines.interfaces import Statements
from tellegen.library.thermal import HeatPort

OMEGA = 2.0 * pi * AC_Machine.fs_nominal


class SynchronousMachine(AC_Machine):
    """Air gap and damper of synchronous machines; subclasses say which flux the rotor makes (`field`)."""

    use_damper_cage = tg.parameter(True, structural=True, description="the rotor has a damper cage")
    Lmd = tg.parameter(0.3 / OMEGA, "H", "main inductance of a phase, d axis", min=0.0)
    Lmq = tg.parameter(0.3 / OMEGA, "H", "main inductance of a phase, q axis", min=0.0)
    Lrsigmad = tg.parameter(0.05 / OMEGA, "H", "leakage inductance of the damper, d axis", min=0.0)
    Lrsigmaq = tg.parameter(Lrsigmad, "H", "leakage inductance of the damper, q axis", min=0.0)
    Rrd = tg.parameter(0.04, "ohm", "resistance of the damper at T_ref, d axis", min=0.0)
    Rrq = tg.parameter(Rrd, "ohm", "resistance of the damper at T_ref, q axis", min=0.0)
    alpha_r = tg.parameter(0.0, "1/K", "relative change of Rrd and Rrq with temperature, aluminium 0.004")
    i_dr = tg.variable("A", "current of the damper, d axis", start=0.0)
    i_qr = tg.variable("A", "current of the damper, q axis", start=0.0)
    psi_dr = tg.variable("Wb", "flux linkage of the damper, d axis", start=0.0)
    psi_qr = tg.variable("Wb", "flux linkage of the damper, q axis", start=0.0)

    def field(self) -> Any:
        """The flux linkage in the d axis that the rotor makes by itself."""
        return 0.0

    def axis_speed(self) -> Any:
        return self.p * self.w

    def rotor_losses(self) -> Any:
        warm = 1.0 + self.alpha_r * (self.rotor_temperature() - self.T_ref)
        return 1.5 * warm * (self.Rrd * self.i_dr**2 + self.Rrq * self.i_qr**2) if self.use_damper_cage else 0.0

    def equations(self) -> Statements:
        i_d, i_q = self.magnetizing()
        yield self.psi_md == self.Lmd * (i_d + self.i_dr) + self.field()
        yield self.psi_mq == self.Lmq * (i_q + self.i_qr)
        yield self.psi_dr == self.Lrsigmad * self.i_dr + self.psi_md
        yield self.psi_qr == self.Lrsigmaq * self.i_qr + self.psi_mq
        warm = 1.0 + self.alpha_r * (self.rotor_temperature() - self.T_ref)
        yield self.Rrd * warm * self.i_dr + tg.der(self.psi_dr) == 0 if self.use_damper_cage else self.i_dr == 0
        yield self.Rrq * warm * self.i_qr + tg.der(self.psi_qr) == 0 if self.use_damper_cage else self.i_qr == 0


class RotorFrame(ThreePhase, SynchronousMachine):
    """A synchronous machine in three phases: the d axis stands at p phi from the axis of phase a."""

    def axis_angle(self) -> Any:
        return self.p * self.phi


class Magnets(SynchronousMachine):
    """A rotor with permanent magnets."""

    Vs_open_circuit = tg.parameter(112.3, "V", "open-circuit voltage of a phase at fs_nominal, RMS", min=0.0)
    psi_pm = tg.parameter(
        sqrt(2.0) * Vs_open_circuit / OMEGA,
        "Wb",
        "flux linkage of the magnets, amplitude; follows from the open-circuit voltage if it is not given",
    )
    psi_d = tg.variable("Wb", "flux linkage of the stator, d axis", start=psi_pm)  # so that it starts without currents
    psi_md = tg.variable("Wb", "flux linkage of the air gap, d axis", start=psi_pm)
    psi_dr = tg.variable("Wb", "flux linkage of the damper, d axis", start=psi_pm)

    def field(self) -> Any:
        return self.psi_pm


class SM_PermanentMagnet(RotorFrame, Magnets):
    """Synchronous machine with permanent magnets, in three phases.

    The defaults are a machine of 100 V and 100 A per phase, 50 Hz, 181.4 N m at 1500 rpm. Servo motors have no damper:
    use_damper_cage=False. With use_heat_port=True there are heat_port (stator winding), heat_port_r (damper) and
    heat_port_frame (core, friction, stray load). At phi = 0 the magnets lie in the axis of phase a.
    """


class SM_PermanentMagnetDQ(DirectQuadrature, Magnets):
    """Synchronous machine with permanent magnets in d and q, with voltages as signals, to design controllers with."""


class SM_ReluctanceRotor(RotorFrame):
    """Synchronous reluctance machine in three phases: torque by saliency alone; it starts by its damper cage."""

    Lmd = tg.parameter(2.9 / OMEGA, "H", "main inductance of a phase, d axis", min=0.0)
    Lmq = tg.parameter(0.9 / OMEGA, "H", "main inductance of a phase, q axis", min=0.0)


class SM_ReluctanceRotorDQ(DirectQuadrature, SynchronousMachine):
    """Synchronous reluctance machine in d and q, with voltages as signals."""

    Lmd = tg.parameter(2.9 / OMEGA, "H", "main inductance of a phase, d axis", min=0.0)
    Lmq = tg.parameter(0.9 / OMEGA, "H", "main inductance of a phase, q axis", min=0.0)


class Excited(SynchronousMachine):
    """A rotor with an excitation winding between pin_ep and pin_en: ve = Re ie + dpsi_e/dt.

    The ratio of turns k follows from the excitation current Ie_open_circuit that makes the rated voltage in open
    circuit, and the leakage from its share sigmae of the whole inductance of the winding.
    """

    pin_ep = Pin("positive pin of the excitation")
    pin_en = Pin("negative pin of the excitation")
    heat_port_e = HeatPort("where the losses of the excitation go").only_if(AC_Machine.use_heat_port, must_connect=True)
    Lmd = tg.parameter(1.5 / OMEGA, "H", "main inductance of a phase, d axis", min=0.0)
    Lmq = tg.parameter(1.5 / OMEGA, "H", "main inductance of a phase, q axis", min=0.0)
    Vs_nominal = tg.parameter(100.0, "V", "rated voltage of a phase, RMS", min=0.0)
    Ie_open_circuit = tg.parameter(10.0, "A", "excitation current that makes it in open circuit at fs_nominal")
    Re = tg.parameter(2.5, "ohm", "resistance of the excitation at T_ref", min=0.0)
    alpha_e = tg.parameter(0.0, "1/K", "relative change of Re with temperature, copper 0.0039")
    sigmae = tg.parameter(0.025, "1", "leakage of the excitation over its whole inductance", min=0.0, max=1.0)
    k = tg.parameter(
        sqrt(2.0) * Vs_nominal / (OMEGA * Lmd * Ie_open_circuit),
        "1",
        "turns of the excitation over those of the stator",
    )
    Lesigma = tg.parameter(1.5 * Lmd * k**2 * sigmae / (1.0 - sigmae), "H", "leakage inductance of the excitation")
    ve = tg.variable("V", "voltage of the excitation")
    ie = tg.variable("A", "current of the excitation", start=0.0)
    psi_e = tg.variable("Wb", "flux linkage of the excitation", start=0.0)

    def field(self) -> Any:
        return self.Lmd * self.k * self.ie

    def equations(self) -> Statements:
        yield self.ve == self.pin_ep.v - self.pin_en.v
        yield self.ie == self.pin_ep.i
        yield self.pin_ep.i + self.pin_en.i == 0
        warm = 1.0 + self.alpha_e * (self.heat_port_e.T - self.T_ref) if self.use_heat_port else 1.0
        yield self.psi_e == 1.5 * self.k * self.psi_md + self.Lesigma * self.ie
        yield self.ve == self.Re * warm * self.ie + tg.der(self.psi_e)
        if self.use_heat_port:
            yield self.heat_port_e.Q_flow == -self.Re * warm * self.ie**2


class SM_ElectricalExcited(RotorFrame, Excited):
    """Synchronous machine with electrical excitation and damper cage, in three phases; motor or generator.

    The defaults are a machine of 100 V and 100 A per phase at 50 Hz and 1500 rpm, excited with 10 A in open circuit.
    Beside the heat ports of all AC machines (heat_port, heat_port_r, heat_port_frame) there is heat_port_e for the
    excitation.
    """


class SM_ElectricalExcitedDQ(DirectQuadrature, Excited):
    """Synchronous machine with electrical excitation in d and q, with voltages of the stator as signals."""
