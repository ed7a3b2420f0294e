"""One-dimensional rotation: flanges with absolute angle phi and cut torque tau, positive into the component.

For example:

    import tellegen as tg
    from tellegen.library import rotational as rot

    class Shaft(tg.Component):
        motor = rot.ConstantTorque(tau_constant=2.0)
        rotor = rot.Inertia(J=0.01)
        gear = rot.IdealGear(ratio=5.0)
        brake = rot.Damper(d=0.5)
        wall = rot.Fixed()

        def connections(self):
            yield self.motor.flange, self.rotor.flange_a
            yield self.rotor.flange_b, self.gear.flange_a
            yield self.gear.flange_b, self.brake.flange_b
            yield self.brake.flange_a, self.wall.flange

    spin = tg.simulate(Shaft(), stop=6.0)
    assert abs(spin["rotor.w"][-1] - 2.0 * 5.0**2 / 0.5) < 0.1  # rad/s
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.rotational.belts import ElasticBelt, IdealBelt
from tellegen.library.rotational.components import (
    Damper,
    Disc,
    ElastoBacklash,
    Fixed,
    Inertia,
    RigidContact,
    Spring,
    SpringDamper,
)
from tellegen.library.rotational.friction import BearingFriction, Brake, Clutch, InHousing, OneWayClutch, PressedPlates
from tellegen.library.rotational.gears import (
    IdealDifferential,
    IdealGear,
    IdealGearR2T,
    IdealPlanetary,
    IdealRollingWheel,
    RackAndPinion,
)
from tellegen.library.rotational.interfaces import Compliant, Flange, OneFlange, Supported, TwoFlanges
from tellegen.library.rotational.lossy_gears import Gearbox, LossyGear
from tellegen.library.rotational.motion import Accelerate, ConstantSpeed, Position, Speed
from tellegen.library.rotational.sensors import (
    AccSensor,
    AngleSensor,
    MultiSensor,
    PowerSensor,
    RelAccSensor,
    RelAngleSensor,
    RelSpeedSensor,
    SpeedSensor,
    TorqueSensor,
)
from tellegen.library.rotational.sources import (
    ConstantTorque,
    EddyCurrentTorque,
    InverseSpeedDependentTorque,
    LinearSpeedDependentTorque,
    QuadraticSpeedDependentTorque,
    SignTorque,
    Torque,
    Torque2,
    TorqueStep,
)
from tellegen.library.rotational.vehicles import Vehicle

__all__ = [
    "AccSensor",
    "Accelerate",
    "AngleSensor",
    "BearingFriction",
    "Brake",
    "Clutch",
    "Compliant",
    "ConstantSpeed",
    "ConstantTorque",
    "Damper",
    "Disc",
    "EddyCurrentTorque",
    "ElasticBelt",
    "ElastoBacklash",
    "Fixed",
    "Flange",
    "Gearbox",
    "IdealBelt",
    "IdealDifferential",
    "IdealGear",
    "IdealGearR2T",
    "IdealPlanetary",
    "IdealRollingWheel",
    "InHousing",
    "Inertia",
    "InverseSpeedDependentTorque",
    "LinearSpeedDependentTorque",
    "LossyGear",
    "MultiSensor",
    "OneFlange",
    "OneWayClutch",
    "Position",
    "PowerSensor",
    "PressedPlates",
    "QuadraticSpeedDependentTorque",
    "RackAndPinion",
    "RelAccSensor",
    "RelAngleSensor",
    "RelSpeedSensor",
    "RigidContact",
    "SignTorque",
    "Speed",
    "SpeedSensor",
    "Spring",
    "SpringDamper",
    "Supported",
    "Torque",
    "Torque2",
    "TorqueSensor",
    "TorqueStep",
    "TwoFlanges",
    "Vehicle",
]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
