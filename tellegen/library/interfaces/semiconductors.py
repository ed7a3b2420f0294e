"""Diodes and MOS transistors as discrete parts."""

from __future__ import annotations

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library.electrical.interfaces import Statements

VT = 0.0258649  # V: k T/q at 300.15 K, the temperature of the parameters


class DiodeInterface(tg.Interface):
    """A diode that conducts from p (anode) to n (cathode); the parameters are those of SPICE at 27 degC."""

    p = el.Pin("anode")
    n = el.Pin("cathode")
    Is = tg.parameter(1e-14, "A", "saturation current", min=0.0, semantics="saturation_current")
    N = tg.parameter(1.0, "1", "emission coefficient", min=0.0, semantics="emission_coefficient")
    Rs = tg.parameter(0.0, "ohm", "series resistance", min=0.0, semantics="series_resistance")
    Cjo = tg.parameter(1e-12, "F", "capacitance at zero voltage", min=0.0, semantics="junction_capacitance")
    Vj = tg.parameter(1.0, "V", "potential of the junction", min=0.0, semantics="junction_potential")
    M = tg.parameter(0.5, "1", "grading coefficient", min=0.0, semantics="grading_coefficient")
    Tt = tg.parameter(0.0, "s", "transit time", min=0.0, semantics="transit_time")
    semantics = tg.Semantics(limits={"current_max": "p.i", "voltage_max": "p.v - n.v"})


class StraightDiode(tg.Component, implements=DiodeInterface, name="straight", tags={"cost": 1}):
    """Blocks or conducts: v = V_knee + R_on i, the tangent of the characteristic at the current I_ref."""

    I_ref = tg.parameter(0.1, "A", "current at which the tangent touches the characteristic", min=0.0)
    R_on = tg.parameter(DiodeInterface.Rs + DiodeInterface.N * VT / I_ref, "ohm", "resistance of the tangent")
    V_knee = tg.parameter(
        DiodeInterface.N * VT * (tg.log(I_ref / DiodeInterface.Is + 1.0) - 1.0), "V", "where the tangent begins"
    )
    diode = el.IdealDiode(Ron=R_on, Vknee=V_knee, Goff=1e-9)

    def connections(self) -> Statements:
        yield self.p, self.diode.p
        yield self.diode.n, self.n


class StaticDiode(tg.Component, implements=DiodeInterface, name="static", tags={"cost": 2}):
    """The exponential characteristic without charges: i = Is (exp((v - Rs i)/(N Vt)) - 1)."""

    diode = el.Diode(Is=DiodeInterface.Is, N=DiodeInterface.N, Rs=DiodeInterface.Rs)

    def connections(self) -> Statements:
        yield self.p, self.diode.p
        yield self.diode.n, self.n


class DynamicDiode(tg.Component, implements=DiodeInterface, name="dynamic", default=True, tags={"cost": 3}):
    """The exponential characteristic with the charges of the junction and of the carriers."""

    diode = el.Diode(
        Is=DiodeInterface.Is,
        N=DiodeInterface.N,
        Rs=DiodeInterface.Rs,
        Cjo=DiodeInterface.Cjo,
        Vj=DiodeInterface.Vj,
        M=DiodeInterface.M,
        Tt=DiodeInterface.Tt,
    )

    def connections(self) -> Statements:
        yield self.p, self.diode.p
        yield self.diode.n, self.n


class NMOSInterface(tg.Interface):
    """An N-channel power transistor whose bulk is its source, so that it conducts from S to D like a diode."""

    D = el.Pin("drain")
    G = el.Pin("gate")
    S = el.Pin("source")
    Vto = tg.parameter(2.0, "V", "threshold voltage", semantics="threshold_voltage")
    Kp = tg.parameter(50.0, "A/V2", "transconductance", min=0.0, semantics="transconductance")
    Lambda = tg.parameter(0.0, "1/V", "channel length modulation", min=0.0, semantics="channel_length_modulation")
    Rd = tg.parameter(0.0, "ohm", "resistance of the drain", min=0.0, semantics="drain_resistance")
    Rs = tg.parameter(0.0, "ohm", "resistance of the source", min=0.0, semantics="source_resistance")
    Is = tg.parameter(1e-12, "A", "saturation current of the body diode", min=0.0, semantics="saturation_current")
    Ron = tg.parameter(0.01, "ohm", "resistance when it is fully on", min=0.0, semantics="on_resistance")
    semantics = tg.Semantics(limits={"voltage_max": "D.v - S.v"})


class SwitchedNMOS(tg.Component, implements=NMOSInterface, name="switch", tags={"cost": 1}):
    """A switch of the resistance Ron, closed while the gate is above the threshold: v_GS > Vto."""

    switch = el.VoltageControlledSwitch(Vt=NMOSInterface.Vto, Ron=NMOSInterface.Ron)

    def connections(self) -> Statements:
        yield self.D, self.switch.p
        yield self.S, self.switch.n, self.switch.nc
        yield self.G, self.switch.pc


class SquareLawNMOS(tg.Component, implements=NMOSInterface, name="square law", default=True, tags={"cost": 2}):
    """The square law with resistances and the body diode: i_D = Kp/2 (v_GS - Vto)^2 where it saturates."""

    transistor = el.NMOS(
        Vto=NMOSInterface.Vto,
        Kp=NMOSInterface.Kp,
        Lambda=NMOSInterface.Lambda,
        Rd=NMOSInterface.Rd,
        Rs=NMOSInterface.Rs,
        Is=NMOSInterface.Is,
    )

    def connections(self) -> Statements:
        yield self.D, self.transistor.D
        yield self.G, self.transistor.G
        yield self.S, self.transistor.S, self.transistor.B
