"""DC motors, brushed or commutated by electronics that the model does not show."""

from __future__ import annotations

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.library.electrical.interfaces import Statements


class DCMotorInterface(tg.Interface):
    """A DC motor between two pins and a shaft: torque k i, induced voltage k w; the housing is the ground."""

    p = el.Pin("positive pin")
    n = el.Pin("negative pin")
    flange = rot.Flange("shaft")
    k = tg.parameter(0.04, "N.m/A", "torque constant", min=0.0, semantics="torque_constant")
    R = tg.parameter(2.4, "ohm", "resistance of the winding", min=0.0, semantics="armature_resistance")
    L = tg.parameter(1e-3, "H", "inductance of the winding", min=0.0, semantics="armature_inductance")
    J = tg.parameter(1e-6, "kg.m2", "moment of inertia of the rotor", min=0.0, semantics="rotor_inertia")
    I0 = tg.parameter(0.0, "A", "current without load", min=0.0, semantics="no_load_current")
    semantics = tg.Semantics(
        assumptions=["the temperature of the winding is that of the data sheet", "the field does not saturate"],
        proportional=[("flange.tau", "+", "p.i"), ("p.i", "-", "R")],
        functions=[
            {"requires": {"p": "current"}, "provides": {"flange": "torque"}},
            {"requires": {"flange": "torque"}, "provides": {"p": "current"}},
        ],
        limits={
            "voltage_nominal": "p.v - n.v",
            "current_max": "p.i",
            "torque_max": "flange.tau",
            "speed_max": "der(flange.phi)",
        },
    )


class StaticDCMotor(tg.Component, implements=DCMotorInterface, name="static", tags={"cost": 1}):
    """Resistance and induced voltage alone: v = R i + k w, tau = k i."""

    winding = el.Resistor(R=DCMotorInterface.R)
    emf = el.EMF(k=DCMotorInterface.k)

    def connections(self) -> Statements:
        yield self.p, self.winding.p
        yield self.winding.n, self.emf.p
        yield self.emf.n, self.n
        yield self.emf.flange, self.flange


class DynamicDCMotor(tg.Component, implements=DCMotorInterface, name="dynamic", default=True, tags={"cost": 2}):
    """With inductance and rotor: v = R i + L di/dt + k w, k i = J dw/dt + tau at the shaft."""

    winding = el.Resistor(R=DCMotorInterface.R)
    coil = el.Inductor(L=DCMotorInterface.L)
    emf = el.EMF(k=DCMotorInterface.k)
    rotor = rot.Inertia(J=DCMotorInterface.J)

    def connections(self) -> Statements:
        yield self.p, self.winding.p
        yield self.winding.n, self.coil.p
        yield self.coil.n, self.emf.p
        yield self.emf.n, self.n
        yield self.emf.flange, self.rotor.flange_a
        yield self.rotor.flange_b, self.flange


class DCMotorWithFriction(tg.Component, implements=DCMotorInterface, name="friction", tags={"cost": 5}):
    """With inductance, rotor and dry friction of the torque k I0, which the current without load overcomes."""

    winding = el.Resistor(R=DCMotorInterface.R)
    coil = el.Inductor(L=DCMotorInterface.L)
    emf = el.EMF(k=DCMotorInterface.k)
    rotor = rot.Inertia(J=DCMotorInterface.J)
    bearing = rot.BearingFriction(tau_Coulomb=DCMotorInterface.k * DCMotorInterface.I0)

    def connections(self) -> Statements:
        yield self.p, self.winding.p
        yield self.winding.n, self.coil.p
        yield self.coil.n, self.emf.p
        yield self.emf.n, self.n
        yield self.emf.flange, self.rotor.flange_a
        yield self.rotor.flange_b, self.bearing.flange_a
        yield self.bearing.flange_b, self.flange
