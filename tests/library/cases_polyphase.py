"""Power balance of components of several phases. See test_power_balance.py for how to add a case."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from library.case import Case
from tellegen.library import polyphase as pp

BASE = "a base without a law of its own; the components made of it have cases"
COUPLED = [[0.2, 0.06, 0.05], [0.06, 0.15, 0.02], [0.05, 0.02, 0.3]]


def given(c: Any) -> Any:
    """What a source gives."""
    return -tg.dot(c.v, c.i)


def signals(t: Any) -> list[Any]:
    return [2.0 * tg.sin(5.0 * t + k) for k in range(3)]


def positive(t: Any) -> list[Any]:
    return [0.1 * (3.0 + tg.sin(5.0 * t + k)) for k in range(3)]


def saturated(c: Any) -> Any:
    """Integral of i dPsi in every phase: that of i Linf di and of i (Lzer - Linf)/(1 + (i/Ipar)^2) di."""
    bend = c.Inom / c.x
    logs = [tg.log(1.0 + (c.i[k] / bend) ** 2) for k in range(3)]
    return 0.5 * c.Linf * tg.dot(c.i, c.i) + 0.5 * (c.Lzer - c.Linf) * bend**2 * tg.sum(logs)


def core_energy(c: Any) -> Any:
    leakage = c.L1sigma * tg.dot(c.i1, c.i1) + c.L2sigma * tg.dot(c.i2, c.i2)
    return 0.5 * (leakage + c.Lm1 * tg.dot(c.im1, c.im1))


WINDINGS = {"n": 3.0, "R1": 0.3, "R2": 0.2, "L1sigma": 0.02, "L2sigma": 0.01, "Lm1": 0.2, "Gc": 0.05}

ARC = {"Ron": 0.1, "Goff": 0.01, "V0": 2.0, "dVdt": 10.0, "Vmax": 4.0}

CASES = [
    Case(pp.Star()),
    Case(
        pp.IdealIntermediateSwitch(m=2, Ron=0.1, Goff=0.01),
        drive={"control": lambda t: [0.5 + tg.sin(9.0 * t), 0.5 + tg.cos(7.0 * t)]},
    ),
    Case(pp.Star(m=5)),
    Case(pp.Delta()),
    Case(pp.Resistor(R=[3.0, 2.0, 1.0], alpha=0.02)),
    Case(pp.Conductor(G=[0.3, 0.2, 0.4], alpha=0.02)),
    Case(pp.Brushes(V=0.3, I=0.2)),
    Case(pp.Capacitor(C=[0.05, 0.02, 0.1]), stored=lambda c: 0.5 * tg.dot(c.C * c.v, c.v)),
    Case(pp.Inductor(m=2, L=[0.1, 0.3]), stored=lambda c: 0.5 * tg.dot(c.L * c.i, c.i)),
    Case(pp.MutualInductor(L=COUPLED), stored=lambda c: 0.5 * tg.dot(c.i, c.L @ c.i)),
    Case(pp.IdealTransformer(n=3.0)),
    Case(
        pp.IdealTransformer(n=3.0, consider_magnetization=True, Lm1=[0.1, 0.2, 0.3]),
        stored=lambda c: 0.5 * tg.dot(c.Lm1 * c.im1, c.im1),
    ),
    Case(pp.LossyTransformer(**WINDINGS), stored=core_energy),
    Case(pp.Transformer(group="Dy5", **WINDINGS), stored=lambda c: core_energy(c.core)),
    Case(pp.Transformer(group="Yd1", **WINDINGS), stored=lambda c: core_energy(c.core)),
    Case(pp.VariableResistor(alpha=0.02), drive={"R": positive}),
    Case(pp.VariableConductor(alpha=0.02), drive={"G": positive}),
    Case(
        pp.VariableCapacitor(),
        drive={"C": positive},
        stored=lambda c: 0.5 * tg.dot(c.Q, c.v),
        supplied=lambda c: -0.5 * tg.dot(c.v * c.v, tg.der(c.C)),
    ),
    Case(
        pp.VariableInductor(),
        drive={"L": positive},
        stored=lambda c: 0.5 * tg.dot(c.Psi, c.i),
        supplied=lambda c: -0.5 * tg.dot(c.i * c.i, tg.der(c.L)),
    ),
    Case(pp.SaturatingInductor(Inom=2.0, Lnom=0.1), stored=saturated),
    Case(pp.ZeroInductor(Lzero=0.3), stored=lambda c: 0.5 * c.m * c.Lzero * c.i0**2),
    Case(pp.MultiStar(m=6)),
    Case(pp.MultiDelta(m=6)),
    Case(pp.MultiDelta(m=5, k_polygon=2)),
    Case(pp.MultiStarResistance(m=6, R=2.0)),
    Case(pp.SplitToSubsystems(m=6)),
    Case(pp.IdealCommutingSwitch(Ron=0.1, Goff=0.01), drive={"control": signals}),
    Case(pp.CosineVoltage(V=2.0, f=1.3, phase=0.2), supplied=given),
    Case(pp.CosineCurrent(I=2.0, f=1.3, phase=0.2), supplied=given),
    Case(pp.AronSensor()),
    Case(pp.MultiSensor()),
    Case(pp.Short()),
    Case(pp.Idle(), idle=True),
    Case(pp.IdealDiode(Ron=0.1, Goff=0.01, Vknee=0.6)),
    Case(pp.IdealThyristor(Ron=0.1, Goff=0.01, Vknee=0.6), drive={"fire": signals}),
    Case(pp.IdealGTOThyristor(Ron=0.1, Goff=0.01, Vknee=0.6), drive={"fire": signals}),
    Case(pp.IdealClosingSwitch(Ron=0.1, Goff=0.01), drive={"control": signals}),
    Case(pp.IdealOpeningSwitch(Ron=0.1, Goff=0.01), drive={"control": signals}),
    Case(pp.OpenerWithArc(**ARC), drive={"control": signals}),
    Case(pp.CloserWithArc(**ARC), drive={"control": signals}),
    Case(pp.PotentialSensor(), idle=True),
    Case(pp.VoltageSensor(), idle=True),
    Case(pp.VoltageQuasiRMSSensor(), idle=True),
    Case(pp.CurrentSensor()),
    Case(pp.CurrentQuasiRMSSensor()),
    Case(pp.PowerSensor()),
    Case(pp.ReactivePowerSensor()),
    Case(pp.Grid(V=5.0, f=1.0), supplied=lambda c: -tg.dot(c.e, c.i), drive={"dV": lambda t: 0.1 * t, "df": 0.2}),
    Case(
        pp.Grid(V=5.0, f=1.0, use_impedance=True, R=0.3, L=0.1, unbalance=[1.0, 0.8, 1.1]),
        supplied=lambda c: -tg.dot(c.e, c.i) - c.R * tg.dot(c.i, c.i),
        stored=lambda c: 0.5 * c.L * tg.dot(c.i, c.i),
    ),
    Case(pp.ConstantVoltage(V=[3.0, 2.0, -1.0]), supplied=given),
    Case(pp.SignalVoltage(), drive={"u": signals}, supplied=given),
    Case(pp.SineVoltage(V=[3.0, 2.0, 1.0], f=2.0, phase=0.3), supplied=given),
    Case(pp.ConstantCurrent(I=[3.0, 2.0, -1.0]), supplied=given),
    Case(pp.SignalCurrent(), drive={"u": signals}, supplied=given),
    Case(pp.SineCurrent(I=[3.0, 2.0, 1.0], f=2.0, phase=0.3), supplied=given),
]
EXEMPT = dict.fromkeys(
    (pp.TwoPlug, pp.FourPlug, pp.IdealBranches, pp.IdealSwitch, pp.AcrossPlugs, pp.InLine, pp.ArcingContacts), BASE
)
