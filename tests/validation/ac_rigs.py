"""Test rigs of AC machines: a machine on a symmetrical grid with something at its shaft."""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import polyphase as pp
from tellegen.library import rotational as rot

ROOT2 = np.sqrt(2.0)
RATED_SPEED = 1440.45 * np.pi / 30.0


SWITCH = 1e-5
"""The resistance of closed switches in the examples of the Modelica Standard Library, ohm."""


def on_grid(motor: Any, volts: float, f: float = 50.0, box: str = "Y", shaft: Any = None, R: float = 0.0) -> tg.System:
    """`volts` is the RMS voltage of a line to the grounded neutral; the windings are in star (Y) or delta (D).

    R is the resistance of the lines.
    """
    s = tg.System("rig")
    s.add(motor=motor, grid=pp.SineVoltage(V=ROOT2 * volts, f=f), neutral=pp.Star(), ground=el.Ground())
    s.connect(s.grid.plug_n, s.neutral.plug_p)
    s.connect(s.neutral.pin_n, s.ground.p)
    if R:
        s.add(lines=pp.Resistor(R=R))
        s.connect(s.grid.plug_p, s.lines.plug_p)
    s.connect(s.lines.plug_n if R else s.grid.plug_p, motor.plug_sp)
    s.add(box=pp.Star() if box == "Y" else pp.Delta())
    if box == "Y":
        s.connect(motor.plug_sn, s.box.plug_p)
    else:
        s.connect(s.box.plug_p, motor.plug_sp)
        s.connect(s.box.plug_n, motor.plug_sn)
    if shaft is not None:
        s.add(shaft=shaft)
        s.connect(motor.flange, shaft.flange_a if hasattr(shaft, "flange_a") else shaft.flange)
    return s


def fan() -> Any:
    """The rated torque of the default induction machine at its rated speed, rising with the square of the speed."""
    return rot.QuadraticSpeedDependentTorque(tau_nominal=-161.4, w_nominal=RATED_SPEED, torque_direction=False)


def with_load(rig: tg.System, load: Any, J: float) -> tg.System:
    """An inertia and a load behind it."""
    rig.add(inertia=rot.Inertia(J=J), load=load)
    rig.connect(rig.motor.flange, rig.inertia.flange_a)
    rig.connect(rig.inertia.flange_b, load.flange)
    return rig


def turned(run: Any, d: str, q: str, angle: Any) -> Any:
    """The phasor d + j q of a run, seen from axes at `angle`."""
    return (run[d] + 1j * run[q]) * np.exp(-1j * angle)
