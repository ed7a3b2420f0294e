"""Power balance of quasi-static components: active power in = heat, and none in coils and capacitors."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from library.case import Case
from tellegen.library import quasi_static as qs

BASE = "a base without a law of its own; the components made of it have cases"
COUPLED = [[0.2, 0.06], [0.06, 0.15]]
WINDINGS = {"n": 3.0, "R1": 0.3, "R2": 0.2, "L1sigma": 0.02, "L2sigma": 0.01, "Lm1": 0.2, "Gc": 0.05}


def balance(component: Any, **how: Any) -> Case:
    """A case with a reference beside the component, over half a period of its drives: there are no transients."""
    return Case(component, around={"reference": qs.Reference(f=5.0)}, stop=0.5, **how)


def given(c: Any) -> Any:
    """What a source gives."""
    return -c.P


def one(value: Any) -> Any:
    """An input of one phase."""
    return lambda t: [value(t)]


def sine(t: Any) -> Any:
    return 0.5 * (4.0 + tg.sin(5.0 * t))


def switching(m: int = 1) -> Any:
    return {"control": lambda t: [0.5 + tg.sin(15.0 * t + 0.3)] * m}


SWITCH = {"Ron": 0.1, "Goff": 0.01}

CASES = [
    balance(qs.Ground(), idle=True),
    balance(qs.Resistor(R=3.0, alpha=0.02)),
    balance(qs.Conductor(G=0.3, alpha=0.02)),
    balance(qs.Inductor(L=0.1)),
    balance(qs.Capacitor(C=0.02)),
    balance(qs.MutualInductor(m=2, L=COUPLED)),
    balance(qs.Impedance(R=3.0, X=2.0, alpha=0.02, frequency_dependent=True)),
    balance(qs.Admittance(G=0.3, B=0.2, alpha=0.02)),
    balance(qs.VariableResistor(alpha=0.02), drive={"R": one(sine)}),
    balance(qs.VariableConductor(alpha=0.02), drive={"G": one(sine)}),
    balance(qs.VariableInductor(), drive={"L": one(lambda t: 0.1 * sine(t))}),
    balance(qs.VariableCapacitor(), drive={"C": one(lambda t: 0.01 * sine(t))}),
    balance(qs.VariableImpedance(), drive={"R": one(sine), "X": one(sine)}),
    balance(qs.VariableAdmittance(), drive={"G": one(sine), "B": one(sine)}),
    balance(qs.Short()),
    balance(qs.Idle(), idle=True),
    balance(qs.IdealClosingSwitch(**SWITCH), drive=switching()),
    balance(qs.IdealOpeningSwitch(**SWITCH), drive=switching()),
    balance(qs.IdealCommutingSwitch(**SWITCH), drive=switching()),
    balance(qs.IdealIntermediateSwitch(**SWITCH), drive=switching()),
    balance(qs.Star()),
    balance(qs.Delta()),
    balance(qs.MultiStar(m=4)),
    balance(qs.MultiDelta(m=4)),
    balance(qs.MultiStarResistance(m=4, R=3.0)),
    balance(qs.IdealTransformer(n=3.0)),
    balance(qs.Transformer(L1=0.2, L2=0.05, M=0.06)),
    balance(qs.Windings(magnetization=True, zigzag=True, **WINDINGS)),
    balance(qs.ThreePhaseTransformer(group="Dyn5", **WINDINGS)),
    balance(qs.VoltageSource(V=3.0, phi=[0.4]), supplied=given),
    balance(qs.CurrentSource(I=3.0, phi=[0.4]), supplied=given),
    balance(qs.VariableVoltageSource(), supplied=given, drive={"V_re": one(sine), "V_im": one(sine)}),
    balance(qs.VariableCurrentSource(), supplied=given, drive={"I_re": one(sine), "I_im": one(sine)}),
    balance(qs.PotentialSensor(), idle=True),
    balance(qs.VoltageSensor(), idle=True),
    balance(qs.CurrentSensor()),
    balance(qs.VoltageRMSSensor(), idle=True),
    balance(qs.CurrentRMSSensor()),
    balance(qs.MultiSensor()),
    balance(qs.PowerSensor()),
    balance(qs.AronSensor()),
    balance(qs.ReactivePowerSensor()),
    balance(qs.IdealACDCConverter(conversion_factor=1.5)),
]
EXEMPT = {qs.TwoPin: BASE, qs.FourPin: BASE}
