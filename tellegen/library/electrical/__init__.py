"""Electrical components: pins with potential v and current i, positive into the component.

For example:

    import tellegen as tg
    from tellegen.library import electrical as el

    class LowPass(tg.Component):
        source = el.StepVoltage(V=5.0, start_time="1 ms")
        r = el.Resistor(R="1 kohm")
        c = el.Capacitor(C="1 uF")
        ground = el.Ground()

        def connections(self):
            yield self.source.p, self.r.p
            yield self.r.n, self.c.p
            yield self.source.n, self.c.n, self.ground.p

    tg.simulate(LowPass(), stop=6e-3).plot("source.v", "c.v")
"""

from __future__ import annotations

from tellegen.library.electrical.components import EMF, Capacitor, Ground, Inductor, Resistor
from tellegen.library.electrical.controlled import (
    CCC,
    CCV,
    VCC,
    VCV,
    PolynomialCCC,
    PolynomialCCV,
    PolynomialSource,
    PolynomialVCC,
    PolynomialVCV,
)
from tellegen.library.electrical.coupled import (
    CoupledInductors,
    Gyrator,
    IdealTransformer,
    LossyTransformer,
    Transformer,
)
from tellegen.library.electrical.ideal import (
    IdealBranches,
    IdealClosingSwitch,
    IdealDiode,
    IdealGTOThyristor,
    IdealOpeningSwitch,
    IdealSwitch,
    IdealThyristor,
)
from tellegen.library.electrical.interfaces import OnePort, Pin, TwoPort
from tellegen.library.electrical.semiconductors import (
    BJT,
    MOSFET,
    NMOS,
    NPN,
    PMOS,
    PNP,
    Diode,
    Semiconductor,
    ZDiode,
)
from tellegen.library.electrical.sensors import CurrentSensor, PotentialSensor
from tellegen.library.electrical.sources import (
    ConstantCurrent,
    ConstantVoltage,
    PulseVoltage,
    SignalVoltage,
    SineVoltage,
    StepVoltage,
    TrapezoidVoltage,
)
from tellegen.library.electrical.switches import (
    CurrentControlledSwitch,
    HystereticSwitch,
    SmoothSwitch,
    VoltageControlledSwitch,
)

__all__ = [
    "BJT",
    "CCC",
    "CCV",
    "EMF",
    "MOSFET",
    "NMOS",
    "NPN",
    "PMOS",
    "PNP",
    "VCC",
    "VCV",
    "Capacitor",
    "ConstantCurrent",
    "ConstantVoltage",
    "CoupledInductors",
    "CurrentControlledSwitch",
    "CurrentSensor",
    "Diode",
    "Ground",
    "Gyrator",
    "HystereticSwitch",
    "IdealBranches",
    "IdealClosingSwitch",
    "IdealDiode",
    "IdealGTOThyristor",
    "IdealOpeningSwitch",
    "IdealSwitch",
    "IdealThyristor",
    "IdealTransformer",
    "Inductor",
    "LossyTransformer",
    "OnePort",
    "Pin",
    "PolynomialCCC",
    "PolynomialCCV",
    "PolynomialSource",
    "PolynomialVCC",
    "PolynomialVCV",
    "PotentialSensor",
    "PulseVoltage",
    "Resistor",
    "Semiconductor",
    "SignalVoltage",
    "SineVoltage",
    "SmoothSwitch",
    "StepVoltage",
    "Transformer",
    "TrapezoidVoltage",
    "TwoPort",
    "VoltageControlledSwitch",
    "ZDiode",
]
