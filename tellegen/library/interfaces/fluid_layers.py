"""Layers of a fluid at rest: what a medium does with heat where it does not flow."""

from __future__ import annotations

import tellegen as tg
from tellegen.library import thermal
from tellegen.library.thermal.interfaces import Statements


class FluidLayerInterface(tg.Interface):
    """A layer of a fluid at rest between two surfaces; the medium is a part of a catalogue."""

    port_a = thermal.HeatPort("one surface")
    port_b = thermal.HeatPort("the other one")
    rho = tg.parameter(995.6, "kg/m3", "density", min=0.0, semantics="density")
    cp = tg.parameter(4177.0, "J/(kg.K)", "specific heat capacity", min=0.0, semantics="specific_heat_capacity")
    conductivity = tg.parameter(0.615, "W/(m.K)", "thermal conductivity", min=0.0, semantics="thermal_conductivity")
    A = tg.parameter(1.0, "m2", "area of the layer", min=0.0)
    thickness = tg.parameter(0.01, "m", "thickness of the layer", min=0.0)


class MixedFluidLayer(tg.Component, implements=FluidLayerInterface, name="mixed", tags={"cost": 1}):
    """One temperature throughout: rho cp A thickness dT/dt = Q_flow of both surfaces."""

    content = thermal.HeatCapacitor(
        C=FluidLayerInterface.rho * FluidLayerInterface.cp * FluidLayerInterface.A * FluidLayerInterface.thickness
    )

    def connections(self) -> Statements:
        yield self.port_a, self.content.port, self.port_b


class StillFluidLayer(tg.Component, implements=FluidLayerInterface, name="conducting", default=True, tags={"cost": 2}):
    """Heat conduction without convection: two halves of the resistance, the heat capacity between them."""

    content = thermal.HeatCapacitor(
        C=FluidLayerInterface.rho * FluidLayerInterface.cp * FluidLayerInterface.A * FluidLayerInterface.thickness
    )
    half_a = thermal.ThermalConductor(
        G=2.0 * FluidLayerInterface.conductivity * FluidLayerInterface.A / FluidLayerInterface.thickness
    )
    half_b = thermal.ThermalConductor(
        G=2.0 * FluidLayerInterface.conductivity * FluidLayerInterface.A / FluidLayerInterface.thickness
    )

    def connections(self) -> Statements:
        yield self.port_a, self.half_a.port_a
        yield self.half_a.port_b, self.content.port, self.half_b.port_a
        yield self.half_b.port_b, self.port_b
