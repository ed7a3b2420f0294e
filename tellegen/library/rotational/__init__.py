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

from tellegen.library.rotational.components import Damper, Fixed, IdealGear, Inertia, Spring
from tellegen.library.rotational.friction import BearingFriction, Brake, Clutch, InHousing, OneWayClutch, PressedPlates
from tellegen.library.rotational.interfaces import Compliant, Flange
from tellegen.library.rotational.sensors import SpeedSensor
from tellegen.library.rotational.sources import ConstantSpeed, ConstantTorque, Torque

__all__ = [
    "BearingFriction",
    "Brake",
    "Clutch",
    "Compliant",
    "ConstantSpeed",
    "ConstantTorque",
    "Damper",
    "Fixed",
    "Flange",
    "IdealGear",
    "InHousing",
    "Inertia",
    "OneWayClutch",
    "PressedPlates",
    "SpeedSensor",
    "Spring",
    "Torque",
]
