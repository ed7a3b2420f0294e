"""Interfaces of families of parts that catalogues hold: motors, gearboxes, cells, springs, semiconductors, amplifiers.

A system is composed of interfaces; a part of a catalogue, or an implementation by name, is bound to each of them later:

    import tellegen as tg
    from tellegen.library import electrical as el
    from tellegen.library import rotational as rot
    from tellegen.library.interfaces import DCMotorInterface

    class Drive(tg.Component):
        source = el.ConstantVoltage(V=12.0)
        ground = el.Ground()
        motor = DCMotorInterface()
        load = rot.Inertia(J=1e-5)

        def connections(self):
            yield self.source.p, self.motor.p
            yield self.source.n, self.motor.n, self.ground.p
            yield self.motor.flange, self.load.flange_a

    part = tg.catalogue().find(DCMotorInterface, "torque_max > 20 mN.m", order_by="mass")[0]
    drive = tg.bind(Drive(), {"motor": part})

Every interface has implementations of different detail: `DCMotorInterface.implementations` are those of motors.
"""

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.interfaces.amplifiers import DynamicOpAmp, OpAmpInterface, PerfectOpAmp
from tellegen.library.interfaces.batteries import BatteryCellInterface, LinearCell, TableCell
from tellegen.library.interfaces.fluid_layers import FluidLayerInterface, MixedFluidLayer, StillFluidLayer
from tellegen.library.interfaces.gearboxes import (
    GearboxInterface,
    GearboxWithInertia,
    GearOfEfficiency,
    IdealGearbox,
    LossyGearbox,
)
from tellegen.library.interfaces.motors import DCMotorInterface, DCMotorWithFriction, DynamicDCMotor, StaticDCMotor
from tellegen.library.interfaces.passives import (
    CapacitorInterface,
    CapacitorWithLosses,
    IdealCapacitor,
    IdealResistor,
    ResistorInterface,
    ResistorWithLeads,
)
from tellegen.library.interfaces.semiconductors import (
    DiodeInterface,
    DynamicDiode,
    NMOSInterface,
    SquareLawNMOS,
    StaticDiode,
    StraightDiode,
    SwitchedNMOS,
)
from tellegen.library.interfaces.solar_modules import (
    LosslessSolarModule,
    SingleDiodeSolarModule,
    SolarModuleInterface,
)
from tellegen.library.interfaces.springs import MasslessSpring, SpringInterface, SpringWithMass

__all__ = [
    "BatteryCellInterface",
    "CapacitorInterface",
    "CapacitorWithLosses",
    "DCMotorInterface",
    "DCMotorWithFriction",
    "DiodeInterface",
    "DynamicDCMotor",
    "DynamicDiode",
    "DynamicOpAmp",
    "FluidLayerInterface",
    "GearOfEfficiency",
    "GearboxInterface",
    "GearboxWithInertia",
    "IdealCapacitor",
    "IdealGearbox",
    "IdealResistor",
    "LinearCell",
    "LosslessSolarModule",
    "LossyGearbox",
    "MasslessSpring",
    "MixedFluidLayer",
    "NMOSInterface",
    "OpAmpInterface",
    "PerfectOpAmp",
    "ResistorInterface",
    "ResistorWithLeads",
    "SingleDiodeSolarModule",
    "SolarModuleInterface",
    "SpringInterface",
    "SpringWithMass",
    "SquareLawNMOS",
    "StaticDCMotor",
    "StaticDiode",
    "StillFluidLayer",
    "StraightDiode",
    "SwitchedNMOS",
    "TableCell",
]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
