"""Hydraulics: ports with the absolute pressure p and a mass flow m_flow, positive into the component; compressible oil.

For example:

    import tellegen as tg
    from tellegen.library import hydraulic as hy

    class Throttled(tg.Component):
        oil = hy.Oil(air=0.005)
        supply = hy.FixedPressure(p="100 bar")
        orifice = hy.Orifice(A="2 mm2")
        chamber = hy.Volume(V0="1 l")

        def connections(self):
            yield self.supply.port, self.orifice.port_a
            yield self.orifice.port_b, self.chamber.port

    tg.simulate(Throttled(), stop=0.2).plot("chamber.p", "orifice.q")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.hydraulic.cylinders import DoubleActingCylinder, SingleActingCylinder
from tellegen.library.hydraulic.directional import (
    DirectionalValve22,
    DirectionalValve32,
    DirectionalValve43,
    SpoolValve,
)
from tellegen.library.hydraulic.displacement import DisplacementMachine, Motor, Pump, VariableMotor, VariablePump
from tellegen.library.hydraulic.interfaces import Oiled, Port, Restriction, TwoPorts
from tellegen.library.hydraulic.lines import Inertance, Line
from tellegen.library.hydraulic.oil import Liquid, Oil, Water
from tellegen.library.hydraulic.restrictions import (
    AnnularGap,
    LaminarRestriction,
    Orifice,
    TubeResistance,
    TurbulentRestriction,
    VariableOrifice,
)
from tellegen.library.hydraulic.sensors import FlowSensor, PressureSensor, RelPressureSensor, VolumeSensor
from tellegen.library.hydraulic.sources import FixedFlow, FixedPressure, PrescribedFlow, PrescribedPressure, Source
from tellegen.library.hydraulic.storage import GasAccumulator, OpenTank, SpringAccumulator, Storage, Tank, Volume
from tellegen.library.hydraulic.valves import (
    CheckValve,
    PilotedCheckValve,
    PressureReducingValve,
    PressureValve,
    ReliefValve,
)

__all__ = [
    "AnnularGap",
    "CheckValve",
    "DirectionalValve22",
    "DirectionalValve32",
    "DirectionalValve43",
    "DisplacementMachine",
    "DoubleActingCylinder",
    "FixedFlow",
    "FixedPressure",
    "FlowSensor",
    "GasAccumulator",
    "Inertance",
    "LaminarRestriction",
    "Line",
    "Liquid",
    "Motor",
    "Oil",
    "Oiled",
    "OpenTank",
    "Orifice",
    "PilotedCheckValve",
    "Port",
    "PrescribedFlow",
    "PrescribedPressure",
    "PressureReducingValve",
    "PressureSensor",
    "PressureValve",
    "Pump",
    "RelPressureSensor",
    "ReliefValve",
    "Restriction",
    "SingleActingCylinder",
    "Source",
    "SpoolValve",
    "SpringAccumulator",
    "Storage",
    "Tank",
    "TubeResistance",
    "TurbulentRestriction",
    "TwoPorts",
    "VariableMotor",
    "VariableOrifice",
    "VariablePump",
    "Volume",
    "VolumeSensor",
    "Water",
]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
