"""Fluids that carry enthalpy and substances: vessels, pipes, valves, pumps, exchangers, with any medium.

For example:

    import tellegen as tg
    from tellegen.library import fluid, media

    class Emptying(tg.Component):
        tank = fluid.OpenTank(level_start=2.0, A=0.5)
        pipe = fluid.StaticPipe(length=5.0, diameter=0.02)
        ground = fluid.FixedBoundary()

        def connections(self):
            yield self.tank.ports[0], self.pipe.port_a
            yield self.pipe.port_b, self.ground.port

    tg.simulate(Emptying(), stop=600.0).plot("tank.level", "pipe.m_flow")

Every component takes its medium as `medium=media.Water()`; see `tellegen.library.media`. A port carries pressure p,
mass flow m_flow (positive into the component) and, as streams, specific enthalpy and mass fractions: flow may turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.fluid.boiling import Condenser, Evaporator, TwoPhaseVolume
from tellegen.library.fluid.boundaries import (
    Boundary_ph,
    Boundary_pT,
    FixedBoundary,
    MassFlowSource_h,
    MassFlowSource_T,
)
from tellegen.library.fluid.exchangers import DynamicHeatExchanger, HeatExchangerNTU, WallPiece
from tellegen.library.fluid.fittings import (
    AbruptAdaptor,
    Junction,
    JunctionVolume,
    SharpEdgedOrifice,
    SimpleGenericOrifice,
)
from tellegen.library.fluid.interfaces import FluidPort, PartialThrottle, PartialTwoPort, enthalpy_flow
from tellegen.library.fluid.pipes import DynamicPipe, StaticPipe
from tellegen.library.fluid.pumps import ControlledPump, Fan, PrescribedPump, Pump
from tellegen.library.fluid.sensors import (
    Density,
    DensityTwoPort,
    MassFlowRate,
    MassFractions,
    MassFractionsTwoPort,
    Pressure,
    RelativePressure,
    SpecificEnthalpy,
    SpecificEnthalpyTwoPort,
    SpecificEntropy,
    SpecificEntropyTwoPort,
    Temperature,
    TemperatureTwoPort,
    VolumeFlowRate,
)
from tellegen.library.fluid.turbomachines import Compressor, Turbine
from tellegen.library.fluid.valves import (
    ValveCompressible,
    ValveDiscrete,
    ValveDiscreteRamp,
    ValveIncompressible,
    ValveLinear,
)
from tellegen.library.fluid.vapour_cycles import ExpansionValve, SuperheatSensor
from tellegen.library.fluid.volumes import ClosedVolume, OpenTank

__all__ = [
    "AbruptAdaptor",
    "Boundary_pT",
    "Boundary_ph",
    "ClosedVolume",
    "Compressor",
    "Condenser",
    "ControlledPump",
    "Density",
    "DensityTwoPort",
    "DynamicHeatExchanger",
    "DynamicPipe",
    "Evaporator",
    "ExpansionValve",
    "Fan",
    "FixedBoundary",
    "FluidPort",
    "HeatExchangerNTU",
    "Junction",
    "JunctionVolume",
    "MassFlowRate",
    "MassFlowSource_T",
    "MassFlowSource_h",
    "MassFractions",
    "MassFractionsTwoPort",
    "OpenTank",
    "PartialThrottle",
    "PartialTwoPort",
    "PrescribedPump",
    "Pressure",
    "Pump",
    "RelativePressure",
    "SharpEdgedOrifice",
    "SimpleGenericOrifice",
    "SpecificEnthalpy",
    "SpecificEnthalpyTwoPort",
    "SpecificEntropy",
    "SpecificEntropyTwoPort",
    "StaticPipe",
    "SuperheatSensor",
    "Temperature",
    "TemperatureTwoPort",
    "Turbine",
    "TwoPhaseVolume",
    "ValveCompressible",
    "ValveDiscrete",
    "ValveDiscreteRamp",
    "ValveIncompressible",
    "ValveLinear",
    "VolumeFlowRate",
    "WallPiece",
    "enthalpy_flow",
]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
