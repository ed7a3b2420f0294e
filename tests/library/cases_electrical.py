"""Power balance of electrical components. See test_power_balance.py for how to add a case."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from library.case import Case
from tellegen.library import electrical as el
from tellegen.testing import VoltageDrive

BASE = "a base without a law of its own; the components made of it have cases"


def pair_energy(c: Any) -> Any:
    return 0.5 * c.L1 * c.i1**2 + c.M * c.i1 * c.i2 + 0.5 * c.L2 * c.i2**2


def matrix_energy(c: Any) -> Any:
    return 0.5 * tg.dot(c.i, c.L @ c.i)


def core_energy(c: Any) -> Any:
    return 0.5 * c.L1sigma * c.i1**2 + 0.5 * c.L2sigma * c.i2**2 + 0.5 * c.Lm1 * c.im1**2


CASES = [
    Case(el.Ground(), idle=True),
    Case(el.Resistor(R=3.0, alpha=0.02)),
    Case(el.Capacitor(C=0.05), stored=lambda c: 0.5 * c.C * c.v**2),
    Case(el.Inductor(L=0.1), stored=lambda c: 0.5 * c.L * c.i**2),
    Case(el.EMF(k=0.7)),
    Case(el.Transformer(L1=0.2, L2=0.05, M=0.06), stored=pair_energy),
    Case(el.CoupledInductors(L=[[0.2, 0.06, 0.1], [0.06, 0.05, 0.02], [0.1, 0.02, 0.3]]), stored=matrix_energy),
    Case(el.IdealTransformer(n=3.0)),
    Case(el.IdealTransformer(n=3.0, consider_magnetization=True, Lm1=0.1), stored=lambda c: 0.5 * c.Lm1 * c.im1**2),
    Case(el.LossyTransformer(n=3.0, R1=0.3, R2=0.2, L1sigma=0.02, L2sigma=0.01, Lm1=0.2, Gc=0.05), stored=core_energy),
    Case(el.Gyrator(G1=0.3, G2=0.3)),
    Case(el.VoltageControlledSwitch(Ron=0.1, Roff=20.0, Vt=1.0, Vh=0.5)),
    Case(el.CurrentControlledSwitch(Ron=0.1, Roff=20.0, It=1.0, Ih=0.5)),
    Case(el.SmoothSwitch(Ron=0.1, Roff=20.0, Von=3.0, Voff=-1.0)),
    Case(el.IdealDiode(Ron=0.1, Goff=0.01, Vknee=0.6)),
    Case(el.IdealThyristor(Ron=0.1, Goff=0.01, Vknee=0.6)),
    Case(el.IdealGTOThyristor(Ron=0.1, Goff=0.01, Vknee=0.6)),
    Case(el.IdealClosingSwitch(Ron=0.1, Goff=0.01)),
    Case(el.IdealOpeningSwitch(Ron=0.1, Goff=0.01)),
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
    Case(el.VCV(gain=3.0), supplied=lambda c: -c.v2 * c.i2),
    Case(el.VCC(trans_conductance=0.3), supplied=lambda c: -c.v2 * c.i2),
    Case(el.CCV(trans_resistance=3.0), supplied=lambda c: -c.v2 * c.i2),
    Case(el.CCC(gain=3.0), supplied=lambda c: -c.v2 * c.i2),
    Case(el.PolynomialVCV(N=2, coefficients=[1.0, 0.2, 0.3, 0.01, 0.02]), supplied=lambda c: -c.v * c.i),
    Case(el.PolynomialVCC(N=2, coefficients=[1.0, 0.2, 0.3, 0.01, 0.02]), supplied=lambda c: -c.v * c.i),
    Case(el.PolynomialCCV(N=2, coefficients=[1.0, 0.2, 0.3, 0.01, 0.02]), supplied=lambda c: -c.v * c.i),
    Case(el.PolynomialCCC(N=2, coefficients=[1.0, 0.2, 0.3, 0.01, 0.02]), supplied=lambda c: -c.v * c.i),
    Case(el.ConstantCurrent(I=2.0), supplied=lambda c: -c.v * c.I, drive={"n": VoltageDrive(V=4.0, R=2.0)}),
]

EXEMPT = {
    el.OnePort: BASE,
    el.IdealBranches: BASE,
    el.IdealSwitch: BASE,
    el.TwoPort: BASE,
    el.HystereticSwitch: BASE,
    el.PolynomialSource: BASE,
}
