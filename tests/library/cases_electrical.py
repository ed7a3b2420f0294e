"""Power balance of electrical components. See test_power_balance.py for how to add a case."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from library.case import Case
from tellegen.library import electrical as el
from tellegen.library import thermal
from tellegen.testing import VoltageDrive
from tellegen.testing.ports import Drive

BASE = "a base without a law of its own; the components made of it have cases"


def pair_energy(c: Any) -> Any:
    return 0.5 * c.L1 * c.i1**2 + c.M * c.i1 * c.i2 + 0.5 * c.L2 * c.i2**2


def matrix_energy(c: Any) -> Any:
    return 0.5 * tg.dot(c.i, c.L @ c.i)


def core_energy(c: Any) -> Any:
    return 0.5 * c.L1sigma * c.i1**2 + 0.5 * c.L2sigma * c.i2**2 + 0.5 * c.Lm1 * c.im1**2


def core_with_saturation(c: Any) -> Any:
    """Integral of i dPsi: that of i Linf di and of i (Lzer - Linf)/(1 + (i/Ipar)^2) di."""
    bend = c.Inom / c.x
    return 0.5 * c.Linf * c.i**2 + 0.5 * (c.Lzer - c.Linf) * bend**2 * tg.log(1.0 + (c.i / bend) ** 2)


def ladder_energy(c: Any) -> Any:
    part = c.length / c.N
    squares = tg.dot(c.i, c.i) - 0.5 * (c.i[0] ** 2 + c.i[3] ** 2)
    return 0.5 * part * (c.c * tg.dot(c.v, c.v) + c.l * squares)


def coupled_energy(c: Any) -> Any:
    """Both lines of two segments: of capacitances to the reference and between them, and of the inductances."""
    part = c.length / c.N
    electric = [0.5 * part * c.c[j, j] * c.v[2 * j + k] ** 2 for j in range(2) for k in range(2)]
    between = [0.5 * part * c.c[0, 1] * (c.v[k] - c.v[2 + k]) ** 2 for k in range(2)]
    magnetic = [
        0.25 * part * (1.0 + (k == 1)) * c.l[j, m] * c.i[3 * j + k] * c.i[3 * m + k]
        for j in range(2)
        for m in range(2)
        for k in range(3)
    ]
    return tg.sum([*electric, *between, *magnetic])


class HeldTemperature(Drive):
    """A temperature that swings; a drive that gives way would need a heat capacity where no charge is yet."""

    port = thermal.HeatPort()

    def equations(self) -> Any:
        yield self.port.T == 300.0 + 20.0 * self.sine()


def heated() -> dict[str, Any]:
    return {"heat_port": HeldTemperature(f=0.7)}


def supply(positive: str, negative: str) -> dict[str, Any]:
    """Two supplies that give way, farther apart than the outputs are driven."""
    return {
        positive: VoltageDrive(V=1.0, offset=14.0, R=0.1, f=0.8),
        negative: VoltageDrive(V=1.0, offset=-14.0, R=0.1, f=1.3),
    }


SHAPES: dict[str, dict[str, Any]] = {
    "Step": {},
    "Ramp": {"duration": 1.0},
    "Sine": {"f": 2.0, "phase": 0.3},
    "Cosine": {"f": 2.0, "phase": 0.3},
    "ExpSine": {"damping": 0.5},
    "Exponentials": {"rise_time": 0.7},
    "Pulse": {"width": 0.3, "period": 0.7},
    "SawTooth": {"period": 0.7},
    "Trapezoid": {"rising": 0.1, "width": 0.3, "falling": 0.2, "period": 0.9},
    "Table": {"times": (0.0, 0.5, 1.5), "values": (0.0, 2.0, -1.0)},
}

CASES = [
    Case(el.Ground(), idle=True),
    Case(el.Resistor(R=3.0, alpha=0.02)),
    Case(el.Capacitor(C=0.05), stored=lambda c: 0.5 * c.C * c.v**2),
    Case(el.Inductor(L=0.1), stored=lambda c: 0.5 * c.L * c.i**2),
    Case(el.HeatingResistor(R_ref=3.0, alpha=0.02)),
    Case(
        el.WarmCapacitor(C_ref=0.1, alpha=0.02),
        stored=lambda c: 0.5 * (c.C + c.heat_port.T * c.C_ref * c.alpha) * c.v**2,
        drive=heated(),
        reversible=True,
    ),
    Case(
        el.WarmInductor(L_ref=0.1, alpha=0.02),
        stored=lambda c: 0.5 * (c.L + c.heat_port.T * c.L_ref * c.alpha) * c.i**2,
        drive=heated(),
        reversible=True,
    ),
    Case(el.Conductor(G=0.3, alpha=0.02)),
    Case(el.Short()),
    Case(el.Idle(), idle=True),
    Case(el.EMF(k=0.7)),
    Case(el.EMF(k=0.7, use_support=True)),
    Case(el.TranslationalEMF(k=0.7)),
    Case(el.TranslationalEMF(k=0.7, use_support=True)),
    Case(el.VariableResistor(alpha=0.02), drive={"R": lambda t: 0.1 * (20.0 + tg.sin(5.0 * t))}),
    Case(el.VariableConductor(alpha=0.02)),
    Case(
        el.VariableCapacitor(),
        drive={"C": lambda t: 0.1 + 0.05 * tg.sin(5.0 * t)},
        stored=lambda c: 0.5 * c.C * c.v**2,
        supplied=lambda c: -0.5 * c.v**2 * tg.der(c.C),
    ),
    Case(
        el.VariableInductor(),
        drive={"L": lambda t: 0.1 + 0.05 * tg.sin(5.0 * t)},
        stored=lambda c: 0.5 * c.L * c.i**2,
        supplied=lambda c: -0.5 * c.i**2 * tg.der(c.L),
    ),
    Case(el.Potentiometer(R=5.0, alpha=0.02), drive={"r": lambda t: 0.5 + 0.4 * tg.sin(5.0 * t)}),
    Case(el.NonlinearResistor(characteristic=lambda v: 0.1 * v + 0.02 * v**3)),
    Case(el.NonlinearResistor(characteristic=((-2.0, 0.0, 1.0, 3.0), (-1.0, 0.0, 2.0, 3.0)), kind="monotone")),
    Case(
        el.NonlinearCapacitor(characteristic=lambda v: 0.03 * v + 0.001 * v**3),
        stored=lambda c: 0.015 * c.v**2 + 0.00075 * c.v**4,
    ),
    Case(
        el.NonlinearInductor(characteristic=lambda i: 0.1 * tg.tanh(i / 2.0) + 0.01 * i),
        stored=lambda c: 0.1 * c.i * tg.tanh(c.i / 2.0) - 0.2 * tg.log(tg.cosh(c.i / 2.0)) + 0.005 * c.i**2,
    ),
    Case(el.SaturatingInductor(Inom=2.0, Lnom=0.1, Lzer=0.3, Linf=0.02), stored=core_with_saturation),
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
    Case(
        el.OpenerWithArc(Ron=0.1, Goff=0.01, V0=2.0, dVdt=10.0, Vmax=4.0),
        drive={"control": lambda t: 0.5 + tg.sin(5.0 * t + 0.3)},
    ),
    Case(
        el.CloserWithArc(Ron=0.1, Goff=0.01, V0=2.0, dVdt=10.0, Vmax=4.0),
        drive={"control": lambda t: 0.5 + tg.sin(5.0 * t + 0.3)},
    ),
    Case(el.ControlledIdealClosingSwitch(Ron=0.1, Goff=0.01)),
    Case(el.ControlledIdealOpeningSwitch(Ron=0.1, Goff=0.01, level=2.0)),
    Case(el.IdealCommutingSwitch(Ron=0.1, Goff=0.01)),
    Case(el.ControlledIdealCommutingSwitch(Ron=0.1, Goff=0.01)),
    Case(el.IdealIntermediateSwitch(Ron=0.1, Goff=0.01)),
    Case(el.ControlledIdealIntermediateSwitch(Ron=0.1, Goff=0.01)),
    Case(el.IdealizedOpAmpLimited(V0=2.0, use_supply=True), drive=supply("s_p", "s_n")),
    Case(
        el.OpAmp(A0=20.0, GBW=10.0, SR=100.0, Vos=0.1, Rin=50.0, Rout=2.0, use_supply=True),
        drive=supply("s_p", "s_n"),
    ),
    Case(
        el.OpAmp(GBW=10.0, SR=100.0, Cin=0.01, consider_input_capacitance=True, Rin=50.0, Rout=2.0, use_supply=True),
        drive=supply("s_p", "s_n"),
        stored=lambda c: 0.5 * c.Cin * c.v_in**2,
    ),
    Case(el.PotentialSensor(), idle=True),
    Case(el.VoltageSensor(), idle=True),
    Case(el.CurrentSensor()),
    Case(el.PowerSensor()),
    Case(el.MultiSensor()),
    Case(  # as a follower
        el.IdealOpAmp(), drive={"n1": "p2", "n2": VoltageDrive(V=0.0, R=0.0)}, supplied=lambda c: -c.v2 * c.i2
    ),
    Case(el.IdealOpAmp3Pin(), drive={"in_n": "out"}, supplied=lambda c: -c.out.v * c.out.i),
    Case(
        el.IdealOpAmpLimited(),
        drive={
            "in_n": "out",
            "VMax": VoltageDrive(V=0.0, offset=6.0, R=0.1),
            "VMin": VoltageDrive(V=0.0, offset=-5.0, R=0.1),
        },
    ),
    Case(el.ConstantVoltage(V=3.0), supplied=lambda c: -c.V * c.i),
    Case(el.SignalVoltage(), supplied=lambda c: -c.u * c.i),
    Case(el.VCV(gain=3.0), supplied=lambda c: -c.v2 * c.i2),
    Case(el.VCC(trans_conductance=0.3), supplied=lambda c: -c.v2 * c.i2),
    Case(el.CCV(trans_resistance=3.0), supplied=lambda c: -c.v2 * c.i2),
    Case(el.CCC(gain=3.0), supplied=lambda c: -c.v2 * c.i2),
    Case(el.PolynomialVCV(N=2, coefficients=[1.0, 0.2, 0.3, 0.01, 0.02]), supplied=lambda c: -c.v * c.i),
    Case(el.PolynomialVCC(N=2, coefficients=[1.0, 0.2, 0.3, 0.01, 0.02]), supplied=lambda c: -c.v * c.i),
    Case(el.PolynomialCCV(N=2, coefficients=[1.0, 0.2, 0.3, 0.01, 0.02]), supplied=lambda c: -c.v * c.i),
    Case(el.PolynomialCCC(N=2, coefficients=[1.0, 0.2, 0.3, 0.01, 0.02]), supplied=lambda c: -c.v * c.i),
    Case(el.ConstantCurrent(I=2.0), supplied=lambda c: -c.v * c.I, drive={"n": VoltageDrive(V=4.0, R=2.0)}),
    Case(el.SignalCurrent(), supplied=lambda c: -c.v * c.u),
    *(
        Case(getattr(el, f"{shape}{kind}")(offset=1.0, start_time=0.2, **numbers), supplied=lambda c: -c.v * c.i)
        for shape, numbers in SHAPES.items()
        for kind in ("Voltage", "Current")
    ),
    Case(
        el.ControlledOpenerWithArc(Ron=0.1, Goff=0.01, V0=2.0, dVdt=10.0, Vmax=4.0),
        drive={"control": VoltageDrive(V=2.0, R=1.0)},
    ),
    Case(
        el.ControlledCloserWithArc(Ron=0.1, Goff=0.01, V0=2.0, dVdt=10.0, Vmax=4.0),
        drive={"control": VoltageDrive(V=2.0, R=1.0)},
    ),
    Case(
        el.IdealTriac(Ron=0.1, Goff=0.02, Vknee=0.2, Rdis=3.0, Cdis=0.1),
        drive={"fire": lambda t: tg.sin(9.0 * t)},
        stored=lambda c: 0.5 * c.Cdis * c.capacitor.v**2,
    ),
    Case(el.ULine(r=0.7, c=0.3, length=2.0, N=3), stored=lambda c: 0.5 * c.c * c.length / c.N * tg.dot(c.v, c.v)),
    Case(el.OLine(r=0.7, c=0.3, l=0.2, g=0.1, length=2.0, N=3), stored=ladder_energy),
    Case(
        el.M_OLine(
            lines=2,
            N=2,
            length=2.0,
            r=[0.7, 0.4],
            l=[[0.2, 0.1], [0.1, 0.3]],
            g=[[0.1, 0.05], [0.05, 0.2]],
            c=[[0.3, 0.1], [0.1, 0.4]],
        ),
        stored=coupled_energy,
    ),
    Case(
        el.Thyristor(VDRM=10.0, VRRM=12.0, ITM=2.0, TON=1e-2, TOFF=2e-2, IGT=0.1),
        drive={"gate": VoltageDrive(V=3.0, offset=2.0, R=2.0), "cathode": VoltageDrive(V=0.2, f=3.0)},
    ),
    Case(el.SupplyVoltage(Vps=3.0, Vns=-2.0), supplied=lambda c: -c.Vps * c.pin_p.i - c.Vns * c.pin_n.i),
    Case(
        el.DCPowerSupply(V0=5.0, I0=3.0, P0=6.0, Rcv=0.1, Gcc=0.1),
        supplied=lambda c: -c.v * c.i,
        drive={"p": VoltageDrive(V=1.6, offset=1.7, R=0.5), "n": VoltageDrive(V=0.0, R=0.01)},
    ),
    Case(el.LightningImpulseVoltage(V=2.0, T1=0.2, T2=1.0), supplied=lambda c: -c.v * c.i),
    Case(el.LightningImpulseCurrent(I=2.0, T1=0.2, T2=1.0), supplied=lambda c: -c.v * c.i),
    *(
        Case(cls(offset=0.3), supplied=lambda c: -c.v * c.i)
        for cls in (
            el.SineVoltageVariableFrequencyAndAmplitude,
            el.CosineVoltageVariableFrequencyAndAmplitude,
            el.SineCurrentVariableFrequencyAndAmplitude,
            el.CosineCurrentVariableFrequencyAndAmplitude,
        )
    ),
]

CASES += [
    Case(cls(Beta=0.3, use_temperature_dependency=warm, RDS=50.0, W=5.0, L=9.0, dW=-0.5, dL=0.3))
    for cls in (el.SimpleNMOS, el.SimplePMOS)
    for warm in (False, True)
]

EXEMPT = {
    el.SimpleMOS: BASE,
    el.OnePort: BASE,
    el.IdealBranches: BASE,
    el.IdealSwitch: BASE,
    el.TwoPort: BASE,
    el.VoltageSource: BASE,
    el.CurrentSource: BASE,
    el.HystereticSwitch: BASE,
    el.PolynomialSource: BASE,
    **dict.fromkeys((el.TLine1, el.TLine2, el.TLine3), "a TLine by other parameters"),
    el.SimpleTriac: "two thyristors and diodes, which have cases",
    el.LossyTLine: "as of a TLine; tests/importers/test_lossy_lines.py",
    el.TLine: "its energy is in waves on their way; tests/importers/test_transmission_lines.py",
}
