"""Pneumatics: ports with the absolute pressure p, a mass flow m_flow into the component and its temperature; ideal gas.

For example:

    import tellegen as tg
    from tellegen.library import pneumatic as pn

    class Filling(tg.Component):
        gas = pn.Gas()
        supply = pn.FixedPressure(p="7 bar")
        nozzle = pn.Nozzle(A="2 mm2")
        tank = pn.Volume(V="5 l", G=0.5)

        def connections(self):
            yield self.supply.port, self.nozzle.port_a
            yield self.nozzle.port_b, self.tank.port

    tg.simulate(Filling(), stop=20.0).plot("tank.p", "tank.T", "nozzle.m_flow")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.pneumatic.cylinders import DoubleActingCylinder, PneumaticPiston, SingleActingCylinder
from tellegen.library.pneumatic.directional import (
    DirectionalValve22,
    DirectionalValve32,
    DirectionalValve53,
    SpoolValve,
)
from tellegen.library.pneumatic.gas import Gas
from tellegen.library.pneumatic.interfaces import Gassed, Port, TwoPorts
from tellegen.library.pneumatic.lines import Line
from tellegen.library.pneumatic.machines import AirMotor, Compressor, GasMachine
from tellegen.library.pneumatic.restrictions import (
    IsoRestriction,
    LaminarRestriction,
    Nozzle,
    Restriction,
    VariableIsoRestriction,
    VariableNozzle,
)
from tellegen.library.pneumatic.sensors import FlowSensor, PressureSensor, RelPressureSensor, TemperatureSensor
from tellegen.library.pneumatic.sources import (
    Ambient,
    FixedFlow,
    FixedPressure,
    PrescribedFlow,
    PrescribedPressure,
    Source,
)
from tellegen.library.pneumatic.storage import Chamber, PistonChamber, Volume
from tellegen.library.pneumatic.valves import CheckValve, PressureReducingValve, PressureValve, ReliefValve

__all__ = [
    "AirMotor",
    "Ambient",
    "Chamber",
    "CheckValve",
    "Compressor",
    "DirectionalValve22",
    "DirectionalValve32",
    "DirectionalValve53",
    "DoubleActingCylinder",
    "FixedFlow",
    "FixedPressure",
    "FlowSensor",
    "Gas",
    "GasMachine",
    "Gassed",
    "IsoRestriction",
    "LaminarRestriction",
    "Line",
    "Nozzle",
    "PistonChamber",
    "PneumaticPiston",
    "Port",
    "PrescribedFlow",
    "PrescribedPressure",
    "PressureReducingValve",
    "PressureSensor",
    "PressureValve",
    "RelPressureSensor",
    "ReliefValve",
    "Restriction",
    "SingleActingCylinder",
    "Source",
    "SpoolValve",
    "TemperatureSensor",
    "TwoPorts",
    "VariableIsoRestriction",
    "VariableNozzle",
    "Volume",
]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
