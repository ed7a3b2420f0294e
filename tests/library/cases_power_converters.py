"""Power balance of power converters. See test_power_balance.py for how to add a case."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from library.case import Case
from tellegen.library import power_converters as pc
from tellegen.testing import VoltageDrive

BASE = "a base without a law of its own; the converters made of it have cases"
VALVE = {"Ron": 0.1, "Goff": 0.01, "Vknee": 0.6}


def signals(m: int = 3) -> Any:
    return lambda t: [0.5 + 0.8 * tg.sin(5.0 * t + 2.0 * k) for k in range(m)]


def dc() -> dict[str, Any]:
    """A supply on the dc side."""
    return {"dc_p": VoltageDrive(V=1.0, offset=12.0, f=0.7), "dc_n": VoltageDrive(V=1.0, f=1.3)}


def fired(m: int = 3) -> dict[str, Any]:
    """Legs that are up, down or left alone."""
    return {
        "fire_p": lambda t: [0.6 * tg.sin(5.0 * t + 2.0 * k) for k in range(m)],
        "fire_n": lambda t: [-0.6 * tg.sin(5.0 * t + 2.0 * k) for k in range(m)],
    }


def single(*names: str) -> dict[str, Any]:
    """Valves that are fired in turns."""
    both = names or ("fire_p", "fire_n")
    return {name: lambda t, k=k: 0.6 * tg.sin(5.0 * t + 3.0 * k) for k, name in enumerate(both)}


def sides() -> dict[str, Any]:
    """A low and a high dc voltage; the negative pins are one node."""
    low = VoltageDrive(V=1.0, offset=6.0, f=0.7)
    return {"dc_p1": low, "dc_p2": VoltageDrive(V=1.0, offset=9.0, f=1.1), "dc_n2": VoltageDrive(V=0.5, R=2.0, f=1.7)}


CASES = [
    Case(pc.DiodeBridge2mPulse(**VALVE)),
    Case(pc.DiodeBridge2Pulse(**VALVE)),
    Case(pc.ThyristorBridge2mPulse(**VALVE), drive=fired()),
    Case(pc.ThyristorBridge2Pulse(**VALVE), drive=fired(2)),
    Case(pc.Polyphase2Level(**VALVE), drive=fired() | dc()),
    Case(pc.HBridge(**VALVE), drive=fired(2) | dc()),
    Case(pc.SinglePhase2Level(**VALVE), drive=single() | dc()),
    Case(pc.ChopperStepDown(**VALVE), drive=sides() | single("fire_p")),
    Case(pc.ChopperStepUp(**VALVE), drive=sides() | single("fire_p")),
    Case(pc.ChopperBuckBoost(**VALVE), drive=sides() | single()),
    Case(pc.DiodeCenterTap2Pulse(**VALVE)),
    Case(pc.DiodeCenterTapmPulse(**VALVE)),
    Case(pc.DiodeCenterTap2mPulse(**VALVE)),
    Case(pc.ThyristorCenterTap2Pulse(**VALVE), drive=single()),
    Case(pc.ThyristorCenterTapmPulse(**VALVE), drive={"fire_p": signals()}),
    Case(pc.ThyristorCenterTap2mPulse(**VALVE), drive=fired()),
    Case(pc.HalfControlledBridge2Pulse(**VALVE), drive={"fire_p": signals(2)}),
    Case(pc.HalfControlledBridge2mPulse(**VALVE), drive={"fire_p": signals()}),
    Case(pc.SinglePhaseTriac(**VALVE), drive=single("fire1", "fire2")),
    Case(pc.PolyphaseTriac(**VALVE), drive={"fire1": signals(), "fire2": signals()}),
    Case(pc.AverageInverter(R=0.2), drive={"u": signals()} | dc()),
    Case(pc.SwitchedInverter(R=0.2), drive={"fire": signals()} | dc()),
    Case(pc.AverageHBridge(R=0.2), drive={"u": lambda t: 1.2 * tg.sin(5.0 * t)} | dc()),
    Case(pc.AverageChopper(R=0.2), drive=dc()),
    Case(pc.SwitchedChopper(R=0.2), drive=dc()),
]
EXEMPT = dict.fromkeys(
    (pc.Valves, pc.Converter, pc.PolyphaseConverter, pc.SinglePhaseConverter, pc.Legs, pc.HalfBridge), BASE
)
