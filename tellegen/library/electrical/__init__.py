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

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.electrical.components import (
    Capacitor,
    Conductor,
    Ground,
    HeatingResistor,
    Idle,
    Inductor,
    Resistor,
    Short,
)
from tellegen.library.electrical.interfaces import OnePort, Pin, TwoPort
from tellegen.start.first_use import first_use

if TYPE_CHECKING:
    from tellegen.library.electrical.arcs import (
        CloserWithArc,
        ControlledCloserWithArc,
        ControlledOpenerWithArc,
        OpenerWithArc,
    )
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
        IdealDiode,
        IdealGTOThyristor,
        IdealThyristor,
        IdealTriac,
    )
    from tellegen.library.electrical.ideal_switches import (
        ControlledIdealClosingSwitch,
        ControlledIdealCommutingSwitch,
        ControlledIdealIntermediateSwitch,
        ControlledIdealOpeningSwitch,
        IdealClosingSwitch,
        IdealCommutingSwitch,
        IdealIntermediateSwitch,
        IdealOpeningSwitch,
        IdealSwitch,
    )
    from tellegen.library.electrical.lines.coupled_ladder import M_OLine
    from tellegen.library.electrical.lines.ideal import TLine, TLine1, TLine2, TLine3
    from tellegen.library.electrical.lines.ladders import OLine, ULine
    from tellegen.library.electrical.lines.lossy import LossyTLine
    from tellegen.library.electrical.nonlinear import (
        NonlinearCapacitor,
        NonlinearInductor,
        NonlinearResistor,
        SaturatingInductor,
    )
    from tellegen.library.electrical.opamps import (
        IdealizedOpAmpLimited,
        IdealOpAmp,
        IdealOpAmp3Pin,
        IdealOpAmpLimited,
        OpAmp,
    )
    from tellegen.library.electrical.semiconductors import (
        BJT,
        JFET,
        MOSFET,
        NJFET,
        NMOS,
        NPN,
        PJFET,
        PMOS,
        PNP,
        Diode,
        Semiconductor,
        ZDiode,
    )
    from tellegen.library.electrical.semiconductors.bsim4.bsim3 import BSIM3, BSIM3NMOS, BSIM3PMOS
    from tellegen.library.electrical.semiconductors.bsim4.transistor import BSIM4, BSIM4NMOS, BSIM4PMOS
    from tellegen.library.electrical.semiconductors.delayed_bjt import DelayedBJT, DelayedNPN, DelayedPNP
    from tellegen.library.electrical.semiconductors.grove_frohman_mos import NMOS2, PMOS2, GroveFrohmanMOSFET
    from tellegen.library.electrical.semiconductors.mesfet import MESFET, NMESFET, PMESFET
    from tellegen.library.electrical.semiconductors.nth_power_mos import NMOS6, PMOS6, NthPowerMOSFET
    from tellegen.library.electrical.semiconductors.semi_empirical_mos import NMOS3, PMOS3, SemiEmpiricalMOSFET
    from tellegen.library.electrical.semiconductors.simple_mos import SimpleMOS, SimpleNMOS, SimplePMOS
    from tellegen.library.electrical.semiconductors.thyristor import SimpleTriac, Thyristor
    from tellegen.library.electrical.semiconductors.vertical_mos import NVDMOS, PVDMOS, VerticalMOS
    from tellegen.library.electrical.sensors import (
        CurrentSensor,
        MultiSensor,
        PotentialSensor,
        PowerSensor,
        VoltageSensor,
    )
    from tellegen.library.electrical.sources.currents import (
        ConstantCurrent,
        CosineCurrent,
        CurrentSource,
        ExponentialsCurrent,
        ExpSineCurrent,
        PulseCurrent,
        RampCurrent,
        SawToothCurrent,
        SignalCurrent,
        SineCurrent,
        StepCurrent,
        TableCurrent,
        TrapezoidCurrent,
    )
    from tellegen.library.electrical.sources.lightning import (
        LightningImpulse,
        LightningImpulseCurrent,
        LightningImpulseVoltage,
    )
    from tellegen.library.electrical.sources.supplies import DCPowerSupply, SupplyVoltage
    from tellegen.library.electrical.sources.varying import (
        CosineCurrentVariableFrequencyAndAmplitude,
        CosineVoltageVariableFrequencyAndAmplitude,
        SineCurrentVariableFrequencyAndAmplitude,
        SineVoltageVariableFrequencyAndAmplitude,
    )
    from tellegen.library.electrical.sources.voltages import (
        ConstantVoltage,
        CosineVoltage,
        ExponentialsVoltage,
        ExpSineVoltage,
        PulseVoltage,
        RampVoltage,
        SawToothVoltage,
        SignalVoltage,
        SineVoltage,
        StepVoltage,
        TableVoltage,
        TrapezoidVoltage,
        VoltageSource,
    )
    from tellegen.library.electrical.switches import (
        CurrentControlledSwitch,
        HystereticSwitch,
        SmoothSwitch,
        VoltageControlledSwitch,
    )
    from tellegen.library.electrical.transducers import EMF, TranslationalEMF
    from tellegen.library.electrical.variable import (
        Potentiometer,
        VariableCapacitor,
        VariableConductor,
        VariableInductor,
        VariableResistor,
    )
    from tellegen.library.electrical.warm_storage import WarmCapacitor, WarmInductor
else:
    __getattr__ = first_use(
        __name__,
        {
            "arcs": "CloserWithArc ControlledCloserWithArc ControlledOpenerWithArc OpenerWithArc",
            "controlled": "CCC CCV VCC VCV PolynomialCCC PolynomialCCV PolynomialSource PolynomialVCC PolynomialVCV",
            "coupled": "CoupledInductors Gyrator IdealTransformer LossyTransformer Transformer",
            "ideal": "IdealBranches IdealDiode IdealGTOThyristor IdealThyristor IdealTriac",
            "ideal_switches": """
                ControlledIdealClosingSwitch ControlledIdealCommutingSwitch
                ControlledIdealIntermediateSwitch ControlledIdealOpeningSwitch IdealClosingSwitch
                IdealCommutingSwitch IdealIntermediateSwitch IdealOpeningSwitch IdealSwitch""",
            "lines.coupled_ladder": "M_OLine",
            "lines.ideal": "TLine TLine1 TLine2 TLine3",
            "lines.ladders": "OLine ULine",
            "lines.lossy": "LossyTLine",
            "nonlinear": "NonlinearCapacitor NonlinearInductor NonlinearResistor SaturatingInductor",
            "opamps": "IdealizedOpAmpLimited IdealOpAmp IdealOpAmp3Pin IdealOpAmpLimited OpAmp",
            "semiconductors": "BJT JFET MOSFET NJFET NMOS NPN PJFET PMOS PNP Diode Semiconductor ZDiode",
            "semiconductors.delayed_bjt": "DelayedBJT DelayedNPN DelayedPNP",
            "semiconductors.grove_frohman_mos": "NMOS2 PMOS2 GroveFrohmanMOSFET",
            "semiconductors.bsim4.bsim3": "BSIM3 BSIM3NMOS BSIM3PMOS",
            "semiconductors.bsim4.transistor": "BSIM4 BSIM4NMOS BSIM4PMOS",
            "semiconductors.mesfet": "MESFET NMESFET PMESFET",
            "semiconductors.nth_power_mos": "NMOS6 PMOS6 NthPowerMOSFET",
            "semiconductors.semi_empirical_mos": "NMOS3 PMOS3 SemiEmpiricalMOSFET",
            "semiconductors.simple_mos": "SimpleMOS SimpleNMOS SimplePMOS",
            "semiconductors.thyristor": "SimpleTriac Thyristor",
            "semiconductors.vertical_mos": "NVDMOS PVDMOS VerticalMOS",
            "sensors": "CurrentSensor MultiSensor PotentialSensor PowerSensor VoltageSensor",
            "sources.currents": """
                ConstantCurrent CosineCurrent CurrentSource ExponentialsCurrent ExpSineCurrent
                PulseCurrent RampCurrent SawToothCurrent SignalCurrent SineCurrent StepCurrent
                TableCurrent TrapezoidCurrent""",
            "sources.lightning": "LightningImpulse LightningImpulseCurrent LightningImpulseVoltage",
            "sources.supplies": "DCPowerSupply SupplyVoltage",
            "sources.varying": """
                CosineCurrentVariableFrequencyAndAmplitude CosineVoltageVariableFrequencyAndAmplitude
                SineCurrentVariableFrequencyAndAmplitude SineVoltageVariableFrequencyAndAmplitude""",
            "sources.voltages": """
                ConstantVoltage CosineVoltage ExponentialsVoltage ExpSineVoltage PulseVoltage RampVoltage
                SawToothVoltage SignalVoltage SineVoltage StepVoltage TableVoltage TrapezoidVoltage
                VoltageSource""",
            "switches": "CurrentControlledSwitch HystereticSwitch SmoothSwitch VoltageControlledSwitch",
            "transducers": "EMF TranslationalEMF",
            "variable": "Potentiometer VariableCapacitor VariableConductor VariableInductor VariableResistor",
            "warm_storage": "WarmCapacitor WarmInductor",
        },
        otherwise=unknown_part(__name__),
    )

__all__ = [
    "BJT",
    "BSIM3",
    "BSIM3NMOS",
    "BSIM3PMOS",
    "BSIM4",
    "BSIM4NMOS",
    "BSIM4PMOS",
    "CCC",
    "CCV",
    "EMF",
    "JFET",
    "MESFET",
    "MOSFET",
    "NJFET",
    "NMESFET",
    "NMOS",
    "NMOS2",
    "NMOS3",
    "NMOS6",
    "NPN",
    "NVDMOS",
    "PJFET",
    "PMESFET",
    "PMOS",
    "PMOS2",
    "PMOS3",
    "PMOS6",
    "PNP",
    "PVDMOS",
    "VCC",
    "VCV",
    "Capacitor",
    "CloserWithArc",
    "Conductor",
    "ConstantCurrent",
    "ConstantVoltage",
    "ControlledCloserWithArc",
    "ControlledIdealClosingSwitch",
    "ControlledIdealCommutingSwitch",
    "ControlledIdealIntermediateSwitch",
    "ControlledIdealOpeningSwitch",
    "ControlledOpenerWithArc",
    "CosineCurrent",
    "CosineCurrentVariableFrequencyAndAmplitude",
    "CosineVoltage",
    "CosineVoltageVariableFrequencyAndAmplitude",
    "CoupledInductors",
    "CurrentControlledSwitch",
    "CurrentSensor",
    "CurrentSource",
    "DCPowerSupply",
    "DelayedBJT",
    "DelayedNPN",
    "DelayedPNP",
    "Diode",
    "ExpSineCurrent",
    "ExpSineVoltage",
    "ExponentialsCurrent",
    "ExponentialsVoltage",
    "Ground",
    "GroveFrohmanMOSFET",
    "Gyrator",
    "HeatingResistor",
    "HystereticSwitch",
    "IdealBranches",
    "IdealClosingSwitch",
    "IdealCommutingSwitch",
    "IdealDiode",
    "IdealGTOThyristor",
    "IdealIntermediateSwitch",
    "IdealOpAmp",
    "IdealOpAmp3Pin",
    "IdealOpAmpLimited",
    "IdealOpeningSwitch",
    "IdealSwitch",
    "IdealThyristor",
    "IdealTransformer",
    "IdealTriac",
    "IdealizedOpAmpLimited",
    "Idle",
    "Inductor",
    "LightningImpulse",
    "LightningImpulseCurrent",
    "LightningImpulseVoltage",
    "LossyTLine",
    "LossyTransformer",
    "M_OLine",
    "MultiSensor",
    "NonlinearCapacitor",
    "NonlinearInductor",
    "NonlinearResistor",
    "NthPowerMOSFET",
    "OLine",
    "OnePort",
    "OpAmp",
    "OpenerWithArc",
    "Pin",
    "PolynomialCCC",
    "PolynomialCCV",
    "PolynomialSource",
    "PolynomialVCC",
    "PolynomialVCV",
    "PotentialSensor",
    "Potentiometer",
    "PowerSensor",
    "PulseCurrent",
    "PulseVoltage",
    "RampCurrent",
    "RampVoltage",
    "Resistor",
    "SaturatingInductor",
    "SawToothCurrent",
    "SawToothVoltage",
    "SemiEmpiricalMOSFET",
    "Semiconductor",
    "Short",
    "SignalCurrent",
    "SignalVoltage",
    "SimpleMOS",
    "SimpleNMOS",
    "SimplePMOS",
    "SimpleTriac",
    "SineCurrent",
    "SineCurrentVariableFrequencyAndAmplitude",
    "SineVoltage",
    "SineVoltageVariableFrequencyAndAmplitude",
    "SmoothSwitch",
    "StepCurrent",
    "StepVoltage",
    "SupplyVoltage",
    "TLine",
    "TLine1",
    "TLine2",
    "TLine3",
    "TableCurrent",
    "TableVoltage",
    "Thyristor",
    "Transformer",
    "TranslationalEMF",
    "TrapezoidCurrent",
    "TrapezoidVoltage",
    "TwoPort",
    "ULine",
    "VariableCapacitor",
    "VariableConductor",
    "VariableInductor",
    "VariableResistor",
    "VerticalMOS",
    "VoltageControlledSwitch",
    "VoltageSensor",
    "VoltageSource",
    "WarmCapacitor",
    "WarmInductor",
    "ZDiode",
]
