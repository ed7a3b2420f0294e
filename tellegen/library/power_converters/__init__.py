"""Power converters: rectifier bridges, inverters from averaged to single valves, choppers, pulse width modulation.

For example, a six-pulse rectifier on the grid:

    import tellegen as tg
    from tellegen.library import electrical as el, polyphase as pp, power_converters as pc

    class Rectifier(tg.Component):
        grid = pp.Grid(V=400.0)
        bridge = pc.DiodeBridge2mPulse()
        load = el.Resistor(R=10.0)
        ground = el.Ground()

        def connections(self):
            yield self.grid.plug_p, self.bridge.ac
            yield self.grid.pin_n, self.ground.p
            yield self.bridge.dc_p, self.load.p
            yield self.bridge.dc_n, self.load.n

    tg.simulate(Rectifier(), stop=0.04).plot("load.v")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.power_converters.ac_ac import PolyphaseTriac, SinglePhaseTriac, SoftStartControl, VoltageToAngle
from tellegen.library.power_converters.center_taps import (
    DiodeCenterTap2mPulse,
    DiodeCenterTap2Pulse,
    DiodeCenterTapmPulse,
    HalfControlledBridge2mPulse,
    HalfControlledBridge2Pulse,
    ThyristorCenterTap2mPulse,
    ThyristorCenterTap2Pulse,
    ThyristorCenterTapmPulse,
)
from tellegen.library.power_converters.choppers import ChopperBuckBoost, ChopperStepDown, ChopperStepUp
from tellegen.library.power_converters.interfaces import Converter, PolyphaseConverter, SinglePhaseConverter, Valves
from tellegen.library.power_converters.inverters import AverageHBridge, HBridge, Polyphase2Level, SinglePhase2Level
from tellegen.library.power_converters.legs import (
    AverageChopper,
    AverageInverter,
    HalfBridge,
    Legs,
    SwitchedChopper,
    SwitchedInverter,
)
from tellegen.library.power_converters.pulses import SignalPWM, Voltage2DutyCycle
from tellegen.library.power_converters.pwm import PWM, ZeroSequence
from tellegen.library.power_converters.rectifiers import (
    DiodeBridge2mPulse,
    DiodeBridge2Pulse,
    FiringAngle,
    ThyristorBridge2mPulse,
    ThyristorBridge2Pulse,
)

__all__ = [
    "PWM",
    "AverageChopper",
    "AverageHBridge",
    "AverageInverter",
    "ChopperBuckBoost",
    "ChopperStepDown",
    "ChopperStepUp",
    "Converter",
    "DiodeBridge2Pulse",
    "DiodeBridge2mPulse",
    "DiodeCenterTap2Pulse",
    "DiodeCenterTap2mPulse",
    "DiodeCenterTapmPulse",
    "FiringAngle",
    "HBridge",
    "HalfBridge",
    "HalfControlledBridge2Pulse",
    "HalfControlledBridge2mPulse",
    "Legs",
    "Polyphase2Level",
    "PolyphaseConverter",
    "PolyphaseTriac",
    "SignalPWM",
    "SinglePhase2Level",
    "SinglePhaseConverter",
    "SinglePhaseTriac",
    "SoftStartControl",
    "SwitchedChopper",
    "SwitchedInverter",
    "ThyristorBridge2Pulse",
    "ThyristorBridge2mPulse",
    "ThyristorCenterTap2Pulse",
    "ThyristorCenterTap2mPulse",
    "ThyristorCenterTapmPulse",
    "Valves",
    "Voltage2DutyCycle",
    "VoltageToAngle",
    "ZeroSequence",
]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
