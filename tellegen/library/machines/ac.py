"""What AC machines have in common: the stator, seen as one space phasor in a frame of two axes d and q.

A three-phase winding is described by d, q and zero-sequence quantities. With x_a, x_b, x_c the values of the phases and
gamma the electrical angle of the d axis, counted from the axis of phase a,

    x_d =  2/3 (x_a cos gamma + x_b cos(gamma - 2 pi/3) + x_c cos(gamma + 2 pi/3))
    x_q = -2/3 (x_a sin gamma + x_b sin(gamma - 2 pi/3) + x_c sin(gamma + 2 pi/3))
    x_0 =  1/3 (x_a + x_b + x_c)

A balanced set of sines of amplitude X is a phasor of length X (amplitude-invariant), so the power of all phases is
v_a i_a + v_b i_b + v_c i_c = 3/2 (v_d i_d + v_q i_q) + 3 v_0 i_0. In phases the stator is v = Rs i + dpsi/dt. The axes
turn with w_k = dgamma/dt, so the derivative of the flux gets a part that comes from turning:

    v_d = Rs i_d + e_d,     e_d = dpsi_d/dt - w_k psi_q
    v_q = Rs i_q + e_q,     e_q = dpsi_q/dt + w_k psi_d
    v_0 = Rs i_0 + Lszero di_0/dt

Torque: of the power 3/2 (v_d i_d + v_q i_q), what is neither heat of Rs nor stored field leaves through the air gap.
For axes that turn with the rotor, w_k = p w, that part is 3/2 w_k (psi_d i_q - psi_q i_d), and it is tau w:

    tau_electrical = 3/2 p (psi_d i_q - psi_q i_d)

A product of phasors does not depend on the frame, so this holds in every one. The flux is that of the leakage and that
of the air gap, psi = Lssigma i + psi_m; subclasses say what makes psi_m.

Signs: currents flow into the machine (a motor), positive torque turns positive phi forward, and p pole pairs make p
electrical turns of one mechanical turn. Losses beside those of the windings, none unless given:

    core        3/2 G_core (e_d^2 + e_q^2), with core_losses=True: a conductance beside the flux in each phase, whose
                current does not take part in making flux and torque
    friction    (d + d_windage |w|) w^2
    stray load  P_stray (I/Is_nominal)^2 (w/w_nominal)^2, I the RMS of the currents; it brakes
"""

from __future__ import annotations

from math import pi
from typing import Any

import tellegen as tg
from tellegen.library import rotational
from tellegen.library.machines.interfaces import Rotor, Statements, Turning
from tellegen.library.polyphase import Plug
from tellegen.library.polyphase.interfaces import nothing
from tellegen.library.polyphase.transforms import inverse_park, park
from tellegen.library.thermal import HeatPort


class AC_Machine(Turning):
    """Stator of all AC machines in d and q; subclasses say what makes psi_m, and how stator and shaft are connected."""

    heat_port_r = HeatPort("where the losses of the rotor go").only_if(Turning.use_heat_port, must_connect=True)
    heat_port_frame = HeatPort("where the losses of core, bearings and windage go").only_if(
        Turning.use_heat_port, must_connect=True
    )
    core_losses = tg.parameter(False, structural=True, description="the core has losses, G_core")
    Tr_operational = tg.parameter(Turning.T_operational, "K", "temperature of the rotor without heat ports", min=0.0)
    p = tg.parameter(2, "1", "pole pairs", min=1)
    fs_nominal = tg.parameter(50.0, "Hz", "rated frequency", min=0.0)
    Jr = tg.parameter(0.29, "kg.m2", "moment of inertia of the rotor", min=0.0)
    Rs = tg.parameter(0.03, "ohm", "resistance of a phase of the stator at T_ref", min=0.0)
    alpha_s = tg.parameter(0.0, "1/K", "relative change of Rs with temperature, copper 0.0039")
    Lssigma = tg.parameter(0.1 / (2.0 * pi * fs_nominal), "H", "leakage inductance of a phase of the stator", min=0.0)
    G_core = tg.parameter(1e-3, "S", "conductance of the core in each phase, with core_losses", min=0.0)
    d_windage = tg.parameter(0.0, "N.m.s2/rad2", "windage: torque over the square of the speed", min=0.0)
    P_stray = tg.parameter(0.0, "W", "stray-load losses in the rated point", min=0.0)
    Is_nominal = tg.parameter(100.0, "A", "rated current of a phase, RMS; for the stray-load losses", min=0.0)
    w_nominal = tg.parameter(2.0 * pi * fs_nominal / p, "rad/s", "rated speed; for the stray-load losses", min=0.0)
    v_d = tg.variable("V", "voltage of the stator, d axis")
    v_q = tg.variable("V", "voltage of the stator, q axis")
    i_d = tg.variable("A", "current of the stator, d axis", start=0.0)
    i_q = tg.variable("A", "current of the stator, q axis", start=0.0)
    e_d = tg.variable("V", "induced voltage of the stator, d axis")
    e_q = tg.variable("V", "induced voltage of the stator, q axis")
    psi_d = tg.variable("Wb", "flux linkage of the stator, d axis", start=0.0)
    psi_q = tg.variable("Wb", "flux linkage of the stator, q axis", start=0.0)
    psi_md = tg.variable("Wb", "flux linkage of the air gap, d axis", start=0.0)
    psi_mq = tg.variable("Wb", "flux linkage of the air gap, q axis", start=0.0)

    def axis_speed(self) -> Any:
        """w_k, the electrical angular velocity of the axes against the stator."""
        raise NotImplementedError(f"{type(self).__name__} has to define axis_speed()")

    def resistance(self) -> Any:
        return self.Rs * (1.0 + self.alpha_s * (self.temperature() - self.T_ref))

    def zero_sequence(self) -> Any:
        """The current i_0, where the stator has phases."""
        return 0.0

    def losses(self) -> Any:
        """Those of the stator winding."""
        return self.resistance() * (1.5 * (self.i_d**2 + self.i_q**2) + 3.0 * self.zero_sequence() ** 2)

    def rotor_losses(self) -> Any:
        """Those of cage, damper or rotor winding."""
        return 0.0

    def losses_of_core(self) -> Any:
        return 1.5 * self.G_core * (self.e_d**2 + self.e_q**2) if self.core_losses else 0.0

    def magnetizing(self) -> tuple[Any, Any]:
        """The part of i_d and i_q that makes flux: what the core does not take."""
        if not self.core_losses:
            return self.i_d, self.i_q
        return self.i_d - self.G_core * self.e_d, self.i_q - self.G_core * self.e_q

    def rotor_temperature(self) -> Any:
        return self.heat_port_r.T if self.use_heat_port else self.Tr_operational

    def braking(self) -> Any:
        square = 0.5 * (self.i_d**2 + self.i_q**2) / self.Is_nominal**2  # of the RMS current, in rated ones
        return (self.d + self.d_windage * abs(self.w) + self.P_stray * square / self.w_nominal**2) * self.w

    def equations(self) -> Statements:
        R = self.resistance()
        w_k = self.axis_speed()
        i_d, i_q = self.magnetizing()
        yield self.v_d == R * self.i_d + self.e_d
        yield self.v_q == R * self.i_q + self.e_q
        yield self.e_d == tg.der(self.psi_d) - w_k * self.psi_q
        yield self.e_q == tg.der(self.psi_q) + w_k * self.psi_d
        yield self.psi_d == self.Lssigma * i_d + self.psi_md
        yield self.psi_q == self.Lssigma * i_q + self.psi_mq
        yield self.tau_electrical == 1.5 * self.p * (self.psi_d * i_q - self.psi_q * i_d)
        if self.use_heat_port:
            yield self.heat_port_r.Q_flow == -self.rotor_losses()
            yield self.heat_port_frame.Q_flow == -self.losses_of_core() - self.braking() * self.w


class ThreePhase(Rotor, AC_Machine):
    """An AC machine with six terminals of the stator and a shaft: phase k lies between plug_sp and plug_sn."""

    plug_sp = Plug.array(3, "beginnings of the phases of the stator")
    plug_sn = Plug.array(3, "ends of the phases of the stator")
    Js = tg.parameter(AC_Machine.Jr, "kg.m2", "moment of inertia of the stator, where it has a support", min=0.0)
    Lszero = tg.parameter(AC_Machine.Lssigma, "H", "zero-sequence inductance of the stator", min=0.0)
    v_0 = tg.variable("V", "zero-sequence voltage of the stator")
    i_0 = tg.variable("A", "zero-sequence current of the stator", start=0.0, state="avoid")

    def axis_angle(self) -> Any:
        """gamma, the electrical angle of the d axis from the axis of phase a."""
        raise NotImplementedError(f"{type(self).__name__} has to define axis_angle()")

    def zero_sequence(self) -> Any:
        return self.i_0

    def inertia_of_stator(self) -> Any:
        return self.Js * tg.der(tg.der(self.support.phi))

    def equations(self) -> Statements:
        gamma = self.axis_angle()
        v_d, v_q, _ = park(self.plug_sp.v - self.plug_sn.v, gamma)
        yield self.v_d == v_d
        yield self.v_q == v_q
        yield 3.0 * self.v_0 == tg.sum(self.plug_sp.v - self.plug_sn.v)
        yield self.v_0 == self.resistance() * self.i_0 + self.Lszero * tg.der(self.i_0)
        yield self.plug_sp.i[:2] == inverse_park(self.i_d, self.i_q, gamma, self.i_0)[:2]
        yield (
            tg.sum(self.plug_sp.i) == 3.0 * self.i_0
        )  # as a sum, so that a star without neutral is seen to make it zero
        yield self.plug_sp.i + self.plug_sn.i == nothing(3)


class DirectQuadrature(AC_Machine):
    """An AC machine in d and q: the voltages are signals, so that steady operation is an equilibrium.

    The load is the torque tau_load against the rotation, Jr dw/dt = tau_electrical - d w - tau_load. With
    use_flange=True there is a shaft as well, and the angle of it as a state that never rests.
    """

    use_flange = tg.parameter(False, structural=True, description="the rotor has a shaft, `flange`")
    flange = rotational.Flange("shaft").only_if(use_flange)
    v_d = tg.input("V", "voltage of the stator, d axis")
    v_q = tg.input("V", "voltage of the stator, q axis")
    tau_load = tg.input("N.m", "torque of the load against the rotation", default=0.0)

    def equations(self) -> Statements:
        driving = self.tau_electrical - self.braking() - self.tau_load
        if self.use_flange:
            yield self.w == tg.der(self.flange.phi)
            driving = driving + self.flange.tau
        yield self.Jr * tg.der(self.w) == driving
