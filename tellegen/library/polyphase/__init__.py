"""Circuits of several phases: plugs with one pin for each, three unless m says otherwise.

For example, a load in star on a grid of 400 V between lines:

    import tellegen as tg
    from tellegen.library import electrical as el, polyphase as pp

    class Load(tg.Component):
        source = pp.SineVoltage(V=326.6, f=50.0)
        r = pp.Resistor(R=10.0)
        supply, load = pp.Star(), pp.Star()
        ground = el.Ground()

        def connections(self):
            yield self.source.plug_p, self.r.plug_p
            yield self.source.plug_n, self.supply.plug_p
            yield self.r.plug_n, self.load.plug_p
            yield self.supply.pin_n, self.ground.p

    tg.simulate(Load(), stop=0.04).plot("r.i")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.polyphase.arcs import ArcingContacts, CloserWithArc, OpenerWithArc
from tellegen.library.polyphase.base_systems import (
    MultiDelta,
    MultiStar,
    MultiStarResistance,
    SplitToSubsystems,
    base_systems,
)
from tellegen.library.polyphase.basic import (
    Brushes,
    Capacitor,
    Conductor,
    Delta,
    Idle,
    Inductor,
    MutualInductor,
    Resistor,
    Short,
    Star,
)
from tellegen.library.polyphase.grid import Grid
from tellegen.library.polyphase.ideal import (
    IdealBranches,
    IdealClosingSwitch,
    IdealCommutingSwitch,
    IdealDiode,
    IdealGTOThyristor,
    IdealIntermediateSwitch,
    IdealOpeningSwitch,
    IdealSwitch,
    IdealThyristor,
)
from tellegen.library.polyphase.interfaces import FourPlug, Phases, Plug, TwoPlug
from tellegen.library.polyphase.pll import PLL
from tellegen.library.polyphase.sensors import (
    AcrossPlugs,
    AronSensor,
    CurrentQuasiRMSSensor,
    CurrentSensor,
    InLine,
    MultiSensor,
    PotentialSensor,
    PowerSensor,
    ReactivePowerSensor,
    VoltageQuasiRMSSensor,
    VoltageSensor,
)
from tellegen.library.polyphase.sources import (
    ConstantCurrent,
    ConstantVoltage,
    CosineCurrent,
    CosineVoltage,
    SignalCurrent,
    SignalVoltage,
    SineCurrent,
    SineVoltage,
)
from tellegen.library.polyphase.transformers import IdealTransformer, LossyTransformer, Transformer
from tellegen.library.polyphase.transforms import (
    Clarke,
    InverseClarke,
    InversePark,
    Park,
    Rotator,
    SpacePhasor,
    Transformation,
)
from tellegen.library.polyphase.variable import (
    SaturatingInductor,
    VariableCapacitor,
    VariableConductor,
    VariableInductor,
    VariableResistor,
    ZeroInductor,
)

__all__ = [
    "PLL",
    "AcrossPlugs",
    "ArcingContacts",
    "AronSensor",
    "Brushes",
    "Capacitor",
    "Clarke",
    "CloserWithArc",
    "Conductor",
    "ConstantCurrent",
    "ConstantVoltage",
    "CosineCurrent",
    "CosineVoltage",
    "CurrentQuasiRMSSensor",
    "CurrentSensor",
    "Delta",
    "FourPlug",
    "Grid",
    "IdealBranches",
    "IdealClosingSwitch",
    "IdealCommutingSwitch",
    "IdealDiode",
    "IdealGTOThyristor",
    "IdealIntermediateSwitch",
    "IdealOpeningSwitch",
    "IdealSwitch",
    "IdealThyristor",
    "IdealTransformer",
    "Idle",
    "InLine",
    "Inductor",
    "InverseClarke",
    "InversePark",
    "LossyTransformer",
    "MultiDelta",
    "MultiSensor",
    "MultiStar",
    "MultiStarResistance",
    "MutualInductor",
    "OpenerWithArc",
    "Park",
    "Phases",
    "Plug",
    "PotentialSensor",
    "PowerSensor",
    "ReactivePowerSensor",
    "Resistor",
    "Rotator",
    "SaturatingInductor",
    "Short",
    "SignalCurrent",
    "SignalVoltage",
    "SineCurrent",
    "SineVoltage",
    "SpacePhasor",
    "SplitToSubsystems",
    "Star",
    "Transformation",
    "Transformer",
    "TwoPlug",
    "VariableCapacitor",
    "VariableConductor",
    "VariableInductor",
    "VariableResistor",
    "VoltageQuasiRMSSensor",
    "VoltageSensor",
    "ZeroInductor",
    "base_systems",
]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
