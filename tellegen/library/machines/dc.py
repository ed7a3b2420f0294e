"""DC machines: permanent magnets, a separate excitation, or the excitation in series with the armature.

The armature is a resistance, an inductance, the brushes and the induced voltage vi in series. The flux makes the
constant c that turns speed into voltage and current into torque; magnets make it once for all, an excitation with its
current:

    va = Ra (1 + alpha_a (T - T_ref)) ia + La dia/dt + v_brush + vi,     vi = c w
    tau_electrical = c (ia - G_core vi)

Signs: with va > 0 a current ia > 0 flows from pin_ap to pin_an and drives the shaft in the direction of positive w. The
induced voltage then opposes the current, and what it takes, vi ia, is the mechanical power tau_electrical w and the
core losses G_core vi^2. Losses, all of them zero by default but that of the armature:

    armature    Ra(T) ia^2 + v_brush ia          to heat_port, where T is
    frame       G_core vi^2 + (d + d_windage |w|) w^2 + P_stray (ia/Ia_nominal)^2 (w/w_nominal)^2
                                                 to heat_port_frame; what P_stray takes, stray-load losses, brakes
    excitation  Re(Te) ie^2                      to heat_port_e, where Te is

Nameplate: give the rated values Va_nominal, Ia_nominal, w_nominal instead of the constant, and it follows from the
balance of voltages at that point, c = (Va - Ra(Ta_nominal) Ia - V_brush)/w, as the defaults do.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical import Pin
from tellegen.library.machines.interfaces import Rotor, Statements
from tellegen.library.thermal import HeatPort


class DC_Machine(Rotor):
    """Armature, brushes, rotor and frame of all DC machines; subclasses say where the flux comes from (`constant`)."""

    pin_ap = Pin("positive pin of the armature")
    pin_an = Pin("negative pin of the armature")
    heat_port_frame = HeatPort("where the losses of core, bearings and windage go").only_if(
        Rotor.use_heat_port, must_connect=True
    )
    Va_nominal = tg.parameter(100.0, "V", "rated voltage of the armature")
    Ia_nominal = tg.parameter(100.0, "A", "rated current of the armature")
    w_nominal = tg.parameter(149.2256510455152, "rad/s", "rated speed", min=0.0)
    Ta_nominal = tg.parameter(Rotor.T_ref, "K", "temperature of the armature in the rated point", min=0.0)
    Ra = tg.parameter(0.05, "ohm", "resistance of the armature at T_ref", min=0.0)
    alpha_a = tg.parameter(0.0, "1/K", "relative change of Ra with temperature, copper 0.0039")
    La = tg.parameter(0.0015, "H", "inductance of the armature", min=0.0)
    V_brush = tg.parameter(0.0, "V", "voltage drop of the brushes", min=0.0)
    I_brush = tg.parameter(0.01 * Ia_nominal, "A", "current up to which that drop is proportional to it", min=0.0)
    G_core = tg.parameter(0.0, "S", "conductance of the core: its losses are G_core vi^2", min=0.0)
    d_windage = tg.parameter(0.0, "N.m.s2/rad2", "windage: torque over the square of the speed", min=0.0)
    P_stray = tg.parameter(0.0, "W", "stray-load losses in the rated point", min=0.0)
    Vi_nominal = tg.parameter(
        Va_nominal - Ra * (1.0 + alpha_a * (Ta_nominal - Rotor.T_ref)) * Ia_nominal - V_brush,
        "V",
        "induced voltage in the rated point",
    )
    va = tg.variable("V", "voltage of the armature")
    ia = tg.variable("A", "current of the armature", start=0.0)
    vi = tg.variable("V", "induced voltage")

    def constant(self) -> Any:
        """Induced voltage over speed."""
        raise NotImplementedError(f"{type(self).__name__} has to define constant()")

    def inductance(self) -> Any:
        """Of the circuit of the armature."""
        return self.La

    def resistance(self) -> Any:
        """Of the circuit of the armature."""
        return self.Ra * (1.0 + self.alpha_a * (self.temperature() - self.T_ref))

    def brushes(self) -> Any:
        """Their voltage drop: V_brush in the direction of the current, a straight line through zero between."""
        ratio = self.ia / self.I_brush
        return self.V_brush * tg.minimum(tg.maximum(ratio, -1.0), 1.0)

    def braking(self) -> Any:
        stray = self.P_stray * (self.ia / (self.Ia_nominal * self.w_nominal)) ** 2
        return (self.d + self.d_windage * abs(self.w) + stray) * self.w

    def losses(self) -> Any:
        """Those of the circuit of the armature."""
        return (self.resistance() * self.ia + self.brushes()) * self.ia

    def equations(self) -> Statements:
        yield self.va == self.pin_ap.v - self.pin_an.v
        yield self.ia == self.pin_ap.i
        yield self.pin_ap.i + self.pin_an.i == 0
        drop = self.resistance() * self.ia + self.inductance() * tg.der(self.ia) + self.brushes()
        yield self.va == drop + self.vi
        yield self.vi == self.constant() * self.w
        if self.use_heat_port:
            yield (
                self.heat_port_frame.Q_flow
                == self.tau_electrical * self.w - self.vi * self.ia - self.braking() * self.w
            )


class DC_PermanentMagnet(DC_Machine):
    """DC machine with permanent magnets: vi = k w, tau_electrical = k (ia - G_core vi).

    A datasheet may give a torque constant that differs from the voltage constant, because part of the torque is lost
    with the current. With `two_constants` the torque is k_t (ia - G_core vi) instead, and the rest of the power becomes
    heat of the frame. That is a model of a motor only: a generator would gain what a motor loses; a warning says so.
    """

    two_constants = tg.parameter(False, structural=True, description="the torque has a constant k_t of its own")
    k = tg.parameter(
        DC_Machine.Vi_nominal / DC_Machine.w_nominal,
        "N.m/A",
        "constant of the machine; follows from the rated point if it is not given",
    )
    k_t = tg.parameter(k, "N.m/A", "torque constant, with two_constants")

    def constant(self) -> Any:
        return self.k

    def equations(self) -> Statements:
        k_t = self.k_t if self.two_constants else self.k
        yield self.tau_electrical == k_t * (self.ia - self.G_core * self.vi)
        if self.two_constants:
            gained = (self.k_t - self.k) * self.ia * self.w
            yield tg.region(gained <= 1e-9, "two constants of a machine that brakes: it gains energy from nowhere")


class DC_ElectricalExcited(DC_Machine):
    """DC machine with a separate excitation: vi = k_e ie w, tau_electrical = k_e ie (ia - G_core vi).

    The excitation is a circuit of its own, ve = Re (1 + alpha_e (Te - T_ref)) ie + Le die/dt. Connect it in parallel to
    the armature for a shunt machine.
    """

    pin_ep = Pin("positive pin of the excitation")
    pin_en = Pin("negative pin of the excitation")
    heat_port_e = HeatPort("where the losses of the excitation go").only_if(DC_Machine.use_heat_port, must_connect=True)
    Ie_nominal = tg.parameter(1.0, "A", "rated current of the excitation")
    Re = tg.parameter(100.0, "ohm", "resistance of the excitation at T_ref", min=0.0)
    alpha_e = tg.parameter(0.0, "1/K", "relative change of Re with temperature, copper 0.0039")
    Te_operational = tg.parameter(DC_Machine.T_operational, "K", "temperature of it without heat port", min=0.0)
    Le = tg.parameter(1.0, "H", "inductance of the excitation", min=0.0)
    k_e = tg.parameter(
        DC_Machine.Vi_nominal / (DC_Machine.w_nominal * Ie_nominal),
        "N.m/A2",
        "constant over the current of the excitation; follows from the rated point if it is not given",
    )
    ve = tg.variable("V", "voltage of the excitation")
    ie = tg.variable("A", "current of the excitation", start=0.0)

    def constant(self) -> Any:
        return self.k_e * self.ie

    def equations(self) -> Statements:
        yield self.ve == self.pin_ep.v - self.pin_en.v
        yield self.ie == self.pin_ep.i
        yield self.pin_ep.i + self.pin_en.i == 0
        temperature = self.heat_port_e.T if self.use_heat_port else self.Te_operational
        warm = 1.0 + self.alpha_e * (temperature - self.T_ref)
        yield self.ve == self.Re * warm * self.ie + self.Le * tg.der(self.ie)
        yield self.tau_electrical == self.constant() * (self.ia - self.G_core * self.vi)
        if self.use_heat_port:
            yield self.heat_port_e.Q_flow == -self.Re * warm * self.ie**2


class DC_SeriesExcited(DC_Machine):
    """DC machine whose excitation is in series with the armature: vi = k_e ia w, tau_electrical = k_e ia^2.

    With core losses tau_electrical = k_e ia (ia - G_core vi). Both windings lie between pin_ap and pin_an and share
    heat_port. The torque does not depend on the direction of the current, so the machine runs on alternating voltage
    too; without load its speed has no limit.

    With excitation_pins the excitation has pins of its own, for resistors beside it and for reversing the field:
    connect pin_an with pin_ep. Its current ie then takes the place of the one ia that makes the flux.
    """

    excitation_pins = tg.parameter(False, structural=True, description="the excitation has pins of its own")
    pin_ep = Pin("positive pin of the excitation").only_if(excitation_pins)
    pin_en = Pin("negative pin of the excitation").only_if(excitation_pins)
    ie = tg.variable("A", "current of the excitation", start=0.0)
    Re = tg.parameter(0.01, "ohm", "resistance of the excitation at T_ref", min=0.0)
    Le = tg.parameter(0.0005, "H", "inductance of the excitation", min=0.0)
    w_nominal = tg.parameter(147.65485471872029, "rad/s", "rated speed", min=0.0)
    k_e = tg.parameter(
        (
            DC_Machine.Vi_nominal
            - Re * (1.0 + DC_Machine.alpha_a * (DC_Machine.Ta_nominal - DC_Machine.T_ref)) * DC_Machine.Ia_nominal
        )
        / (w_nominal * DC_Machine.Ia_nominal),
        "N.m/A2",
        "constant over the current; follows from the rated point if it is not given",
    )

    def constant(self) -> Any:
        return self.k_e * self.ie

    def warmth(self) -> Any:
        """Resistances over those at T_ref."""
        return 1.0 + self.alpha_a * (self.temperature() - self.T_ref)

    def inductance(self) -> Any:
        return self.La if self.excitation_pins else self.La + self.Le

    def resistance(self) -> Any:
        return (self.Ra if self.excitation_pins else self.Ra + self.Re) * self.warmth()

    def losses(self) -> Any:
        """Those of both windings."""
        armature = (self.resistance() * self.ia + self.brushes()) * self.ia
        return armature + self.Re * self.warmth() * self.ie**2 if self.excitation_pins else armature

    def equations(self) -> Statements:
        yield self.tau_electrical == self.constant() * (self.ia - self.G_core * self.vi)
        if not self.excitation_pins:
            yield self.ie == self.ia
            return
        yield self.pin_ep.i + self.pin_en.i == 0
        yield self.ie == self.pin_ep.i
        drop = self.Re * self.warmth() * self.ie + self.Le * tg.der(self.ie)
        yield self.pin_ep.v - self.pin_en.v == drop
