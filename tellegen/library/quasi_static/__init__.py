"""Quasi-static circuits: alternating currents as phasors of effective values, single phase or m phases.

A part named `reference` gives the frequency. For example, a series resonance:

    import tellegen as tg
    from tellegen.library import quasi_static as qs

    class Resonance(tg.Component):
        reference = qs.FrequencySweep(f_start=0.1, f_stop=10.0, duration=1.0)
        source = qs.VoltageSource(V=1.0)
        r, l, c = qs.Resistor(R=0.1), qs.Inductor(L=1.0 / 6.28), qs.Capacitor(C=1.0 / 6.28)
        ground = qs.Ground()

        def connections(self):
            yield self.source.p, self.r.p
            yield self.r.n, self.l.p
            yield self.l.n, self.c.p
            yield self.c.n, self.source.n, self.ground.p

    tg.simulate(Resonance(), stop=1.0).plot("r.abs_i[0]", x="reference.f")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.quasi_static.basic import (
    Admittance,
    Capacitor,
    Conductor,
    Ground,
    Impedance,
    Inductor,
    MutualInductor,
    Resistor,
    VariableAdmittance,
    VariableCapacitor,
    VariableConductor,
    VariableImpedance,
    VariableInductor,
    VariableResistor,
)
from tellegen.library.quasi_static.converters import IdealACDCConverter
from tellegen.library.quasi_static.interfaces import FourPin, PhasorPin, TwoPin
from tellegen.library.quasi_static.joints import Delta, MultiDelta, MultiStar, MultiStarResistance, Star
from tellegen.library.quasi_static.references import AngleReference, FrequencySweep, Reference, VariableReference
from tellegen.library.quasi_static.sensors import (
    AronSensor,
    CurrentRMSSensor,
    CurrentSensor,
    FrequencySensor,
    MultiSensor,
    PotentialSensor,
    PowerSensor,
    ReactivePowerSensor,
    ReferenceSensor,
    VoltageRMSSensor,
    VoltageSensor,
)
from tellegen.library.quasi_static.sources import (
    CurrentSource,
    VariableCurrentSource,
    VariableVoltageSource,
    VoltageSource,
)
from tellegen.library.quasi_static.space_phasors import (
    FromSpacePhasor,
    FromSymmetricalComponents,
    QuasiRMS,
    SingleToPolyphase,
    SymmetricalComponents,
    ToSpacePhasor,
)
from tellegen.library.quasi_static.switches import (
    IdealClosingSwitch,
    IdealCommutingSwitch,
    IdealIntermediateSwitch,
    IdealOpeningSwitch,
    Idle,
    Short,
)
from tellegen.library.quasi_static.transformers import IdealTransformer, ThreePhaseTransformer, Transformer, Windings

__all__ = [
    "Admittance",
    "AngleReference",
    "AronSensor",
    "Capacitor",
    "Conductor",
    "CurrentRMSSensor",
    "CurrentSensor",
    "CurrentSource",
    "Delta",
    "FourPin",
    "FrequencySensor",
    "FrequencySweep",
    "FromSpacePhasor",
    "FromSymmetricalComponents",
    "Ground",
    "IdealACDCConverter",
    "IdealClosingSwitch",
    "IdealCommutingSwitch",
    "IdealIntermediateSwitch",
    "IdealOpeningSwitch",
    "IdealTransformer",
    "Idle",
    "Impedance",
    "Inductor",
    "MultiDelta",
    "MultiSensor",
    "MultiStar",
    "MultiStarResistance",
    "MutualInductor",
    "PhasorPin",
    "PotentialSensor",
    "PowerSensor",
    "QuasiRMS",
    "ReactivePowerSensor",
    "Reference",
    "ReferenceSensor",
    "Resistor",
    "Short",
    "SingleToPolyphase",
    "Star",
    "SymmetricalComponents",
    "ThreePhaseTransformer",
    "ToSpacePhasor",
    "Transformer",
    "TwoPin",
    "VariableAdmittance",
    "VariableCapacitor",
    "VariableConductor",
    "VariableCurrentSource",
    "VariableImpedance",
    "VariableInductor",
    "VariableReference",
    "VariableResistor",
    "VariableVoltageSource",
    "VoltageRMSSensor",
    "VoltageSensor",
    "VoltageSource",
    "Windings",
]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
