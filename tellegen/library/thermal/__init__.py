"""Heat transfer with lumped elements: ports with temperature T and heat flow Q_flow, positive into the component.

For example:

    import tellegen as tg
    from tellegen.library import thermal as th

    class Cooling(tg.Component):
        body = th.HeatCapacitor(C=500.0, T=tg.variable(start=353.15, fixed=True))
        surface = th.ThermalConductor(G=2.0)
        room = th.FixedTemperature(T="20 degC")

        def connections(self):
            yield self.body.port, self.surface.port_a
            yield self.surface.port_b, self.room.port

    tg.simulate(Cooling(), stop=1000.0).plot("body.T", "surface.Q_flow")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.thermal.components import (
    BodyRadiation,
    Convection,
    ConvectiveResistor,
    GeneralHeatFlow,
    HeatCapacitor,
    MeltingCapacitor,
    ThermalCollector,
    ThermalConductor,
    ThermalResistor,
)
from tellegen.library.thermal.correlations import (
    Correlation,
    ForcedConvectionPipe,
    ForcedConvectionPlate,
    FreeConvectionVerticalPlate,
)
from tellegen.library.thermal.interfaces import Element1D, HeatPort, SolidToFluid
from tellegen.library.thermal.sensors import HeatFlowSensor, RelTemperatureSensor, TemperatureSensor
from tellegen.library.thermal.sources import (
    FixedHeatFlow,
    FixedTemperature,
    PrescribedHeatFlow,
    PrescribedTemperature,
)
from tellegen.library.thermal.walls import Rod, Wall

__all__ = [
    "BodyRadiation",
    "Convection",
    "ConvectiveResistor",
    "Correlation",
    "Element1D",
    "FixedHeatFlow",
    "FixedTemperature",
    "ForcedConvectionPipe",
    "ForcedConvectionPlate",
    "FreeConvectionVerticalPlate",
    "GeneralHeatFlow",
    "HeatCapacitor",
    "HeatFlowSensor",
    "HeatPort",
    "MeltingCapacitor",
    "PrescribedHeatFlow",
    "PrescribedTemperature",
    "RelTemperatureSensor",
    "Rod",
    "SolidToFluid",
    "TemperatureSensor",
    "ThermalCollector",
    "ThermalConductor",
    "ThermalResistor",
    "Wall",
]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
