"""One motor, many models: a DC motor as an interface, composed of interfaces in turn, and every model of it.

The motor has two pins, a rotor and a housing. One implementation is ideal; the other is composed of an electrical, a
converting and a mechanical part, each an interface with models of its own. The tree of all models is printed and drawn,
all of them are run on the same task, and the cheapest one that is good enough is proposed.
"""

from pathlib import Path

import matplotlib.pyplot as plt

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class DCMotor(tg.Interface):
    """A permanent-magnet DC motor with its housing."""

    pos = el.Pin()
    neg = el.Pin()
    rotor = rot.Flange()
    reference = rot.Flange()
    ktau = tg.parameter(32e-3, "N.m/A", "torque per current", semantics="torque_constant")
    km = tg.parameter(32e-3, "V.s/rad", "voltage per speed", semantics="motor_constant")
    Ra = tg.parameter(10.0, "ohm", semantics="armature_resistance")
    La = tg.parameter(0.1, "H", semantics="armature_inductance")
    Jm = tg.parameter(1e-5, "kg.m2", semantics="rotor_inertia")
    Bm = tg.parameter(1e-5, "N.m.s/rad", semantics="friction")
    semantics = tg.Semantics(
        assumptions=["the field is constant", "the shaft is rigid"],
        proportional=[("rotor.tau", "-", "pos.i")],
        functions=[
            {"requires": {"pos": "current"}, "provides": {"rotor": "torque"}},
            {"requires": {"rotor": "torque"}, "provides": {"pos": "current"}},
        ],
        limits={"voltage_max": "pos.v - neg.v", "current_max": "pos.i", "torque_max": "rotor.tau"},
    )


class Electrical(tg.Interface):
    """The winding: from the positive pin to the conversion."""

    pos = el.Pin()
    conv = el.Pin()
    Ra = tg.parameter(1.0, "ohm", semantics="armature_resistance")
    La = tg.parameter(1e-3, "H", semantics="armature_inductance")


class Winding(tg.Interface):
    """Something with two pins that stores energy in its field."""

    p = el.Pin()
    n = el.Pin()
    L = tg.parameter(1e-3, "H", semantics="inductance")


class Conversion(tg.Interface):
    """Between current and torque, voltage and speed."""

    elect = el.Pin()
    neg = el.Pin()
    mech = rot.Flange()
    ref = rot.Flange()
    Kt = tg.parameter(1.0, "N.m/A", semantics="torque_constant")
    Km = tg.parameter(1.0, "V.s/rad", semantics="motor_constant")


class Mechanical(tg.Interface):
    """The rotor in its bearings."""

    conv = rot.Flange()
    load = rot.Flange()
    ref = rot.Flange()
    Jm = tg.parameter(1e-5, "kg.m2", semantics="rotor_inertia")
    Bm = tg.parameter(1e-5, "N.m.s/rad", semantics="friction")


class IdealMotor(tg.Component, implements=DCMotor, name="ideal", tags={"cost": 1}):
    """No losses, no storage: v = km w, tau = ktau i."""

    def equations(self):
        speed = tg.der(self.rotor.phi - self.reference.phi)
        yield self.pos.v - self.neg.v == self.km * speed
        yield self.pos.i + self.neg.i == 0
        yield self.rotor.tau == -self.ktau * self.pos.i
        yield self.reference.tau == self.ktau * self.pos.i


class MotorNetwork(tg.Component, implements=DCMotor, name="network", default=True):
    """Electrical part, conversion and mechanical part."""

    elect = Electrical(Ra=DCMotor.Ra, La=DCMotor.La)
    conv = Conversion(Kt=DCMotor.ktau, Km=DCMotor.km)
    mech = Mechanical(Jm=DCMotor.Jm, Bm=DCMotor.Bm)

    def connections(self):
        yield self.pos, self.elect.pos
        yield self.elect.conv, self.conv.elect
        yield self.conv.neg, self.neg
        yield self.conv.mech, self.mech.conv
        yield self.mech.load, self.rotor
        yield self.mech.ref, self.conv.ref, self.reference


class ArmatureLosses(tg.Component, implements=Electrical, name="armature losses", default=True, tags={"cost": 2}):
    """Resistance and inductance in series."""

    ra = el.Resistor(R=Electrical.Ra)
    la = Winding(L=Electrical.La)

    def connections(self):
        yield self.pos, self.ra.p
        yield self.ra.n, self.la.p
        yield self.la.n, self.conv


class ResistanceOnly(tg.Component, implements=Electrical, name="resistance", tags={"cost": 1}):
    """For slow currents."""

    ra = el.Resistor(R=Electrical.Ra)

    def connections(self):
        yield self.pos, self.ra.p
        yield self.ra.n, self.conv


class LinearWinding(tg.Component, implements=Winding, name="linear", default=True, tags={"cost": 1}):
    """Flux in proportion to current."""

    coil = el.Inductor(L=Winding.L)

    def connections(self):
        yield self.p, self.coil.p
        yield self.coil.n, self.n


class SaturatingWinding(tg.Component, implements=Winding, name="saturating", tags={"cost": 3}):
    """Its inductance falls with the current."""

    I0 = tg.parameter(5.0, "A", "current at which half of the inductance is left")
    i = tg.variable("A", start=0.0, fixed=True)

    def equations(self):
        yield self.p.i == self.i
        yield self.p.i + self.n.i == 0
        yield self.p.v - self.n.v == self.L / (1 + (self.i / self.I0) ** 2) * tg.der(self.i)


class IdealConversion(tg.Component, implements=Conversion, name="conversion", default=True, tags={"cost": 1}):
    """Power in equals power out where Kt = Km."""

    def equations(self):
        yield self.elect.v - self.neg.v == self.Km * tg.der(self.mech.phi - self.ref.phi)
        yield self.elect.i + self.neg.i == 0
        yield self.mech.tau == -self.Kt * self.elect.i
        yield self.ref.tau == self.Kt * self.elect.i


class RotorWithFriction(tg.Component, implements=Mechanical, name="friction", default=True, tags={"cost": 2}):
    """Inertia, and friction against the housing."""

    inertia = rot.Inertia(J=Mechanical.Jm)
    bearing = rot.Damper(d=Mechanical.Bm)

    def connections(self):
        yield self.conv, self.inertia.flange_a, self.bearing.flange_a
        yield self.inertia.flange_b, self.load
        yield self.bearing.flange_b, self.ref


class FreeRotor(tg.Component, implements=Mechanical, name="no friction", tags={"cost": 1}):
    """Inertia alone."""

    inertia = rot.Inertia(J=Mechanical.Jm)

    def connections(self):
        yield self.conv, self.inertia.flange_a
        yield self.inertia.flange_b, self.load

    def equations(self):
        yield self.ref.tau == 0


class Drive(tg.Component):
    """The conceptual system: it names interfaces, never models."""

    source = el.SineVoltage(V=12.0, f=2.0)
    motor = DCMotor()
    load = rot.Inertia(J=4e-5, phi=tg.variable(start=0.0, fixed=True))
    ground = el.Ground()
    housing = rot.Fixed()

    def connections(self):
        yield self.source.p, self.motor.pos
        yield self.source.n, self.motor.neg, self.ground.p
        yield self.motor.rotor, self.load.flange_a
        yield self.motor.reference, self.housing.flange


if __name__ == "__main__":
    space = tg.model_space(Drive())
    print(space)
    found = tg.compare(
        space,
        of={"speed": tg.peak("load.w"), "current": tg.peak("source.i"), "angle": "load.phi"},
        stop=2.0,
        tolerance=0.03,
        points=4000,
    )
    print(found)

    folder = Path("demo_output")
    folder.mkdir(exist_ok=True)
    space.svg(folder / "reconfigurable_motor.svg")
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4))
    for model in found.models:
        assert model.solution is not None
        left.plot(model.solution.time, model.solution["load.w"], label=model.name)
        right.plot(model.solution.time, model.solution["source.i"])
    left.set_ylabel("speed of the load [rad/s]")
    right.set_ylabel("current of the source [A]")
    left.legend(fontsize="xx-small")
    figure.tight_layout()
    figure.savefig(folder / "reconfigurable_motor.png", dpi=120)
    print(f"see {folder}/reconfigurable_motor.png and .svg")
