"""Power balance of electrical components. See test_power_balance.py for how to add a case."""

from __future__ import annotations

from library.case import Case
from tellegen.library import electrical as el
from tellegen.testing import VoltageDrive

BASE = "a base without a law of its own; the components made of it have cases"

CASES = [
    Case(el.Ground(), idle=True),
    Case(el.Resistor(R=3.0, alpha=0.02)),
    Case(el.Capacitor(C=0.05), stored=lambda c: 0.5 * c.C * c.v**2),
    Case(el.Inductor(L=0.1), stored=lambda c: 0.5 * c.L * c.i**2),
    Case(el.EMF(k=0.7)),
    Case(el.IdealDiode(Ron=0.1, Goff=0.01, Vknee=0.6)),
    Case(el.IdealThyristor(Ron=0.1, Goff=0.01, Vknee=0.6)),
    Case(el.IdealGTOThyristor(Ron=0.1, Goff=0.01, Vknee=0.6)),
    Case(el.IdealClosingSwitch(Ron=0.1, Goff=0.01)),
    Case(el.IdealOpeningSwitch(Ron=0.1, Goff=0.01)),
    Case(
        el.Diode(Is=1e-9, N=1.3, Rs=0.2, Gmin=1e-3),
        drive={"p": VoltageDrive(V=4.0, R=2.0), "n": VoltageDrive(V=0.0, R=0.0)},
    ),
    Case(el.PotentialSensor(), idle=True),
    Case(el.CurrentSensor()),
    Case(el.ConstantVoltage(V=3.0), supplied=lambda c: -c.V * c.i),
    Case(el.StepVoltage(V=3.0, offset=1.0, start_time=0.7), supplied=lambda c: -c.v * c.i),
    Case(
        el.SineVoltage(V=3.0, f=2.0, phase=0.3, offset=1.0, start_time=0.2),
        supplied=lambda c: -c.v * c.i,
    ),
    Case(el.SignalVoltage(), supplied=lambda c: -c.u * c.i),
    Case(el.PulseVoltage(V=3.0, width=0.3, period=0.7, offset=1.0), supplied=lambda c: -c.v * c.i),
    Case(el.TrapezoidVoltage(V=3.0, rising=0.1, width=0.3, falling=0.2, period=0.9), supplied=lambda c: -c.v * c.i),
    Case(el.ConstantCurrent(I=2.0), supplied=lambda c: -c.v * c.I, drive={"n": VoltageDrive(V=4.0, R=2.0)}),
]

EXEMPT = {
    el.OnePort: BASE,
    el.IdealBranches: BASE,
    el.IdealSwitch: BASE,
}

WAITING = {
    el.IdealDiode: "elec",
    el.IdealThyristor: "elec",
    el.IdealGTOThyristor: "elec",
    el.IdealClosingSwitch: "elec",
    el.IdealOpeningSwitch: "elec",
    el.Diode: "semi",
}
