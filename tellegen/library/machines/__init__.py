"""Electrical machines: DC, induction and synchronous machines, steppers, solenoids, batteries and limits of supplies.

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

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.machines.battery import Battery, CCCVcharger, SuperCap
from tellegen.library.machines.dc import DC_ElectricalExcited, DC_Machine, DC_PermanentMagnet, DC_SeriesExcited
from tellegen.library.machines.induction import IM_SlipRing, IM_SlipRingDQ, IM_SquirrelCage, IM_SquirrelCageDQ
from tellegen.library.machines.interfaces import Rotor
from tellegen.library.machines.limiter import CurrentLimiter
from tellegen.library.machines.shaft_sensors import HallSensor, RotorDisplacementAngle, SinCosEvaluation, SinCosResolver
from tellegen.library.machines.solenoid import SolenoidActuator
from tellegen.library.machines.stepper import StepperMotor
from tellegen.library.machines.synchronous import (
    SM_ElectricalExcited,
    SM_ElectricalExcitedDQ,
    SM_PermanentMagnet,
    SM_PermanentMagnetDQ,
    SM_ReluctanceRotor,
    SM_ReluctanceRotorDQ,
)
from tellegen.library.machines.terminals import (
    RampedRheostat,
    SwitchedRheostat,
    SwitchYD,
    SwitchYDwithArc,
    TerminalBox,
    VfController,
)

__all__ = [
    "Battery",
    "CCCVcharger",
    "CurrentLimiter",
    "DC_ElectricalExcited",
    "DC_Machine",
    "DC_PermanentMagnet",
    "DC_SeriesExcited",
    "HallSensor",
    "IM_SlipRing",
    "IM_SlipRingDQ",
    "IM_SquirrelCage",
    "IM_SquirrelCageDQ",
    "RampedRheostat",
    "Rotor",
    "RotorDisplacementAngle",
    "SM_ElectricalExcited",
    "SM_ElectricalExcitedDQ",
    "SM_PermanentMagnet",
    "SM_PermanentMagnetDQ",
    "SM_ReluctanceRotor",
    "SM_ReluctanceRotorDQ",
    "SinCosEvaluation",
    "SinCosResolver",
    "SolenoidActuator",
    "StepperMotor",
    "SuperCap",
    "SwitchYD",
    "SwitchYDwithArc",
    "SwitchedRheostat",
    "TerminalBox",
    "VfController",
]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
