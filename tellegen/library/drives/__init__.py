"""Control of AC drives: regulators in d and q, field orientation, modulation, resolvers.

Every block runs in continuous time or, with `clock=tg.Clock(...)`, at ticks. For example, a servo motor at a controlled
speed, fed by ideal voltages:

    import tellegen as tg
    from tellegen.library import drives, electrical as el, machines, polyphase as pp

    class Servo(tg.Component):
        motor = machines.SM_PermanentMagnet(use_damper_cage=False)
        control = drives.PMSMControl(w_s=20.0)
        source = pp.SignalVoltage()
        star, neutral = pp.Star(), pp.Star()
        ground = el.Ground()

        def equations(self):
            yield self.control.w_ref == 100.0
            yield self.control.w == self.motor.w
            yield self.control.phi == self.motor.phi
            yield self.control.i == self.motor.plug_sp.i

        def connections(self):
            yield self.control.v, self.source.u
            yield self.source.plug_p, self.motor.plug_sp
            yield self.source.plug_n, self.neutral.plug_p
            yield self.motor.plug_sn, self.star.plug_p
            yield self.neutral.pin_n, self.ground.p

    tg.simulate(Servo(), stop=0.5).plot("motor.w", "motor.i_q")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.drives.base import Regulator
from tellegen.library.drives.field_oriented import InductionControl, PMSMControl
from tellegen.library.drives.flux_model import RotorFluxModel
from tellegen.library.drives.modulation import SpaceVectorModulation
from tellegen.library.drives.references import CurrentReference, FieldWeakening
from tellegen.library.drives.regulators import CurrentController, SpeedController
from tellegen.library.drives.resolver import AngleTracking, Resolver

__all__ = [
    "AngleTracking",
    "CurrentController",
    "CurrentReference",
    "FieldWeakening",
    "InductionControl",
    "PMSMControl",
    "Regulator",
    "Resolver",
    "RotorFluxModel",
    "SpaceVectorModulation",
    "SpeedController",
]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
