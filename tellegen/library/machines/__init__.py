"""Electrical machines: DC motors, steppers and solenoids, and the batteries and limits that feed them.

For example:

    import tellegen as tg
    from tellegen.library import electrical as el, machines

    class Start(tg.Component):
        battery = machines.Battery(Ns=7)
        motor = machines.DC_PermanentMagnet(Ra=0.6, La="0.4 mH", k=0.05, Jr=2e-4, d=1e-4)
        ground = el.Ground()

        def connections(self):
            yield self.battery.p, self.motor.pin_ap
            yield self.battery.n, self.motor.pin_an, self.ground.p

    tg.simulate(Start(), stop=0.5).plot("motor.ia", "motor.w", "battery.v")
"""

from __future__ import annotations

from tellegen.library.machines.battery import Battery
from tellegen.library.machines.dc import DC_ElectricalExcited, DC_Machine, DC_PermanentMagnet, DC_SeriesExcited
from tellegen.library.machines.interfaces import Rotor
from tellegen.library.machines.limiter import CurrentLimiter
from tellegen.library.machines.solenoid import SolenoidActuator
from tellegen.library.machines.stepper import StepperMotor

__all__ = [
    "Battery",
    "CurrentLimiter",
    "DC_ElectricalExcited",
    "DC_Machine",
    "DC_PermanentMagnet",
    "DC_SeriesExcited",
    "Rotor",
    "SolenoidActuator",
    "StepperMotor",
]
