"""Transformers of m phases, a core for each, and three-phase transformers of any vector group.

The groups are written as on a name plate: a capital letter for side 1 (Y star, D delta), a small one for side 2 (y, d
or z, zigzag), and a clock number: the lines of side 2 lag those of side 1 by that many times 30 degrees. An n after a
letter, a star point led out, may be written or left; the star points always have a pin.

What a connection does is geometry. In star the voltage of a winding is that from line to star point, 1/sqrt(3) of the
one between lines. In delta winding k lies between lines k and k + 1: the full voltage, 30 degrees ahead of line k. So
equal connections give the clock 0, delta-star 11 and star-delta 1. In zigzag each line has half a winding on its own
core and half a one, the other way round, on the next: sqrt(3) of a half, 30 degrees ahead. Changing the ends of all
windings of side 2 turns by 180 degrees, another naming of its lines by 120 or 240; with both every even difference to
that is reached.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library.electrical import Pin
from tellegen.library.losses import Lossy
from tellegen.library.polyphase.basic import Delta, Star
from tellegen.library.polyphase.interfaces import FourPlug, Phases, Plug, Statements, nothing
from tellegen.library.thermal import HeatPort

LEAD = {"Yy": 0, "Dd": 0, "Dy": 11, "Yd": 1, "Yz": 11, "Dz": 10}
"""The clock number of each pair of connections if windings and lines are named alike."""

TURNS = {"Yd": 1.0 / math.sqrt(3.0), "Dy": math.sqrt(3.0), "Yz": math.sqrt(3.0), "Dz": 3.0}
"""Turns of winding 1 over those of winding 2 (of a half in zigzag) for equal voltages between lines, where not 1."""

HOURS = 12


def zigzag_matrix() -> np.ndarray[Any, Any]:
    """What the lines of a zigzag winding have of the voltages of the halves: own core less next core."""
    return np.eye(3) - np.roll(np.eye(3), 1, axis=1)


@dataclass(frozen=True)
class VectorGroup:
    """How the windings of a three-phase transformer are connected: "Dyn5" as D, y and a clock number of 5."""

    first: str
    second: str
    clock: int

    @staticmethod
    def read(group: str, location: Any = None) -> VectorGroup:
        found = re.fullmatch(r"([YD])N?([ydz])n?(\d+)", group)
        if found:
            pair = found[1] + found[2]
            clock = int(found[3])
            if clock < HOURS and (clock - LEAD[pair]) % 2 == 0:
                return VectorGroup(found[1], found[2], clock)
        advice = "Yy, Dd and Dz have even clock numbers from 0 to 10, Dy, Yd and Yz odd ones to 11: Yy0, Yd11, Dyn5"
        raise tg.DataError("E703", f"there is no vector group {group!r}", location=location, advice=advice)

    @property
    def turns(self) -> float:
        """Turns of winding 1 over those of winding 2 for equal voltages between lines."""
        return TURNS.get(self.first + self.second, 1.0)

    @property
    def turn(self) -> int:
        """How often 60 degrees are left beside what the connections do."""
        return (self.clock - LEAD[self.first + self.second]) % HOURS // 2

    @property
    def reversed(self) -> bool:
        """Whether the ends of windings 2 are changed: 180 degrees, six hours."""
        return self.turn % 2 == 1

    @property
    def shift(self) -> int:
        """By how many phases the lines of side 2 are named further: 120 degrees, four hours each."""
        return (self.turn - 3 * self.reversed) % 6 // 2


class IdealTransformer(FourPlug):
    """v1 = n v2 and i2 = -n (i1 - im1) in every phase, without losses.

    With `consider_magnetization` the currents im1 through the inductances Lm1, Lm1 dim1/dt = v1, magnetize the cores;
    without it im1 is zero and constant voltages are transformed as well.
    """

    consider_magnetization = tg.parameter(False, structural=True, description="the cores take magnetizing currents")
    n = tg.parameter(1.0, "1", "turns of winding 1 over turns of winding 2")
    Lm1 = tg.parameter(1.0, "H", "magnetizing inductances seen from side 1", shape=Phases.m, min=0.0)
    im1 = tg.variable("A", "magnetizing currents seen from side 1", shape=Phases.m)

    def equations(self) -> Statements:
        yield self.v1 == self.n * self.v2
        yield self.i2 == -self.n * (self.i1 - self.im1)
        if self.consider_magnetization:
            yield self.v1 == self.Lm1 * tg.der(self.im1)
        else:
            yield self.im1 == nothing(self.m)


class LossyTransformer(Lossy, FourPlug):
    """The T equivalent circuit in every phase: resistances, leakage, magnetizing inductance and core losses.

        v1 = R1 i1 + L1sigma di1/dt + v_m          v_m: voltages that the common fluxes induce in windings 1
        v2 = R2 i2 + L2sigma di2/dt + v_m/n
        v_m = Lm1 dim1/dt,   im1 + Gc v_m = i1 + i2/n

    All ends of the windings are free: connect them with Star and Delta, or take a `Transformer`, which does. Without
    core_losses there is no current Gc v_m, and one state less in each phase. With `zigzag`, for three phases, winding 2
    is a half on its core and a half on the next one: v_m[k] - v_m[k + 1] for v_m in the second line, and so for i2.
    """

    zigzag = tg.parameter(False, structural=True, description="windings 2 in zigzag")

    core_losses = tg.parameter(True, structural=True, description="core losses; without them Gc is not used")
    n = tg.parameter(1.0, "1", "turns of winding 1 over turns of winding 2")
    R1 = tg.parameter(0.1, "ohm", "resistance of a winding 1", min=0.0)
    R2 = tg.parameter(0.1, "ohm", "resistance of a winding 2", min=0.0)
    L1sigma = tg.parameter(1e-3, "H", "leakage inductance of a winding 1", min=0.0)
    L2sigma = tg.parameter(1e-3, "H", "leakage inductance of a winding 2", min=0.0)
    Lm1 = tg.parameter(1.0, "H", "magnetizing inductance of a core seen from side 1", min=0.0)
    Gc = tg.parameter(1e-3, "S", "conductance of the core losses seen from side 1, or core_losses=False", min=1e-300)
    v_m = tg.variable("V", "voltages induced in windings 1 by the common fluxes", shape=Phases.m)
    im1 = tg.variable("A", "magnetizing currents seen from side 1", shape=Phases.m)

    def losses(self) -> Any:
        copper = self.R1 * tg.dot(self.i1, self.i1) + self.R2 * tg.dot(self.i2, self.i2)
        return copper + self.Gc * tg.dot(self.v_m, self.v_m) if self.core_losses else copper

    def equations(self) -> Statements:
        yield self.v1 == self.R1 * self.i1 + self.L1sigma * tg.der(self.i1) + self.v_m
        induced = zigzag_matrix() @ self.v_m if self.zigzag else 1.0 * self.v_m
        referred = zigzag_matrix().T @ self.i2 if self.zigzag else 1.0 * self.i2
        yield self.v2 == self.R2 * self.i2 + self.L2sigma * tg.der(self.i2) + induced / self.n
        yield self.v_m == self.Lm1 * tg.der(self.im1)
        excitation = self.im1 + self.Gc * self.v_m if self.core_losses else 1.0 * self.im1
        yield excitation == self.i1 + referred / self.n


class Transformer(tg.Component):
    """Three-phase transformer of a vector group such as "Dyn5": a LossyTransformer with its windings connected.

    n is the ratio of the voltages between lines, V1/V2 = n; that of the turns follows with a factor sqrt(3) where one
    side is in star and the other in delta, and sqrt(3) or 3 for half a winding in zigzag. Resistances and inductances
    are those of one winding. The lines of side 2 lag those of side 1 by 30 degrees times the number at the end.
    """

    group = tg.parameter("Dyn5", structural=True, description="vector group: Y or D, then y, d or z, and the clock")
    core_losses = tg.parameter(True, structural=True, description="core losses; without them Gc is not used")
    use_heat_port = tg.parameter(False, structural=True, description="the losses leave through heat_port")
    n = tg.parameter(1.0, "1", "voltage between lines of side 1 over that of side 2, without load")
    R1 = tg.parameter(5e-3, "ohm", "resistance of a winding 1", min=0.0)
    R2 = tg.parameter(5e-3, "ohm", "resistance of a winding 2", min=0.0)
    L1sigma = tg.parameter(78e-6, "H", "leakage inductance of a winding 1", min=0.0)
    L2sigma = tg.parameter(78e-6, "H", "leakage inductance of a winding 2", min=0.0)
    Lm1 = tg.parameter(1.0, "H", "magnetizing inductance of a core seen from winding 1", min=0.0)
    Gc = tg.parameter(1e-4, "S", "conductance of the core losses seen from winding 1, or core_losses=False", min=1e-300)
    plug1 = Plug.array(3, "lines of side 1")
    plug2 = Plug.array(3, "lines of side 2")
    heat_port = HeatPort("where the losses go").only_if(use_heat_port, must_connect=True)

    def build(self) -> None:
        self.wiring = VectorGroup.read(self.group, self._location)
        self.core = LossyTransformer(
            zigzag=self.wiring.second == "z",
            n=self.wiring.turns * self.n,
            R1=self.R1,
            R2=self.R2,
            L1sigma=self.L1sigma,
            L2sigma=self.L2sigma,
            Lm1=self.Lm1,
            Gc=self.Gc,
            core_losses=self.core_losses,
            use_heat_port=self.use_heat_port,
        )
        self.joint1 = Delta() if self.wiring.first == "D" else Star()
        self.joint2 = Delta() if self.wiring.second == "d" else Star()
        if self.wiring.first == "Y":
            self.starpoint1 = Pin("star point of side 1")
        if self.wiring.second != "d":
            self.starpoint2 = Pin("star point of side 2")

    def connections(self) -> Statements:
        core = self.core
        ends2 = (self.core.plug_p2, self.core.plug_n2)
        begin, end = reversed(ends2) if self.wiring.reversed else ends2
        yield self.plug1, core.plug_p1
        yield from join(self.joint1, core.plug_p1, core.plug_n1)
        yield from join(self.joint2, begin, end)
        for k in range(3):
            yield self.plug2[k], begin[(k + self.wiring.shift) % 3]
        if self.wiring.first == "Y":
            yield self.starpoint1, self.joint1.pin_n
        if self.wiring.second != "d":
            yield self.starpoint2, self.joint2.pin_n
        if self.use_heat_port:
            yield self.heat_port, core.heat_port


def join(joint: Any, begin: Any, end: Any) -> Statements:
    """Three windings in star or delta, with their lines at `begin`."""
    if isinstance(joint, Star):
        yield joint.plug_p, end
    else:
        yield joint.plug_p, begin
        yield joint.plug_n, end
