"""One-dimensional translation: flanges with absolute position s and cut force f, positive into the component.

For example:

    import tellegen as tg
    from tellegen.library import translational as tr

    class Oscillator(tg.Component):
        wall = tr.Fixed()
        spring = tr.Spring(c=100.0)
        damper = tr.Damper(d=1.0)
        mass = tr.Mass(m=1.0, s=tg.variable(start=0.1, fixed=True))

        def connections(self):
            yield self.wall.flange, self.spring.flange_a, self.damper.flange_a
            yield self.spring.flange_b, self.damper.flange_b, self.mass.flange_a

    tg.simulate(Oscillator(), stop=5.0).plot("mass.s", "mass.v")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.translational.components import (
    Damper,
    ElastoGap,
    Fixed,
    Lever,
    Mass,
    RigidContact,
    Rod,
    Spring,
    SpringDamper,
)
from tellegen.library.translational.friction import (
    Brake,
    Friction,
    MassWithStopAndFriction,
    OnGround,
    SupportFriction,
)
from tellegen.library.translational.interfaces import Compliant, Flange, OneFlange, Supported, TwoFlanges
from tellegen.library.translational.motion import Accelerate, ConstantSpeed, Position, Speed
from tellegen.library.translational.rolling import RollingResistance
from tellegen.library.translational.sensors import (
    AccSensor,
    ForceSensor,
    MultiSensor,
    PositionSensor,
    PowerSensor,
    RelAccSensor,
    RelPositionSensor,
    RelSpeedSensor,
    SpeedSensor,
)
from tellegen.library.translational.sources import (
    ConstantForce,
    EddyCurrentForce,
    Force,
    Force2,
    ForceStep,
    InverseSpeedDependentForce,
    LinearSpeedDependentForce,
    QuadraticSpeedDependentForce,
    SignForce,
)

__all__ = [
    "AccSensor",
    "Accelerate",
    "Brake",
    "Compliant",
    "ConstantForce",
    "ConstantSpeed",
    "Damper",
    "EddyCurrentForce",
    "ElastoGap",
    "Fixed",
    "Flange",
    "Force",
    "Force2",
    "ForceSensor",
    "ForceStep",
    "Friction",
    "InverseSpeedDependentForce",
    "Lever",
    "LinearSpeedDependentForce",
    "Mass",
    "MassWithStopAndFriction",
    "MultiSensor",
    "OnGround",
    "OneFlange",
    "Position",
    "PositionSensor",
    "PowerSensor",
    "QuadraticSpeedDependentForce",
    "RelAccSensor",
    "RelPositionSensor",
    "RelSpeedSensor",
    "RigidContact",
    "Rod",
    "RollingResistance",
    "SignForce",
    "Speed",
    "SpeedSensor",
    "Spring",
    "SpringDamper",
    "SupportFriction",
    "Supported",
    "TwoFlanges",
]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
