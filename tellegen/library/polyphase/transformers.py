"""Transformers of m phases, a core for each, and three-phase transformers of any vector group.

The groups are written as on a name plate: a capital letter for side 1 (Y star, D delta), a small one for side 2, and a
clock number: the lines of side 2 lag those of side 1 by that many times 30 degrees. An n after a letter, a
star point led out, may be written or left; the star points always have a pin.

What a connection does is geometry. In star the voltage of a winding is that from line to star point, 1/sqrt(3) of the
one between lines. In delta winding k lies between lines k and k + 1: the full voltage, 30 degrees ahead of line k. So
equal connections give the clock 0, delta-star 11 and star-delta 1. Changing the ends of all windings of side 2 turns by
180 degrees, another naming of its lines by 120 or 240; with both every even difference to that is reached.
"""

from __future__ import annotations

import math
import re
from typing import Any

import tellegen as tg
from tellegen.library.electrical import Pin
from tellegen.library.losses import Lossy
from tellegen.library.polyphase.basic import Delta, Star
from tellegen.library.polyphase.interfaces import FourPlug, Phases, Plug, Statements, nothing
from tellegen.library.thermal import HeatPort

LEAD = {"Yy": 0, "Dd": 0, "Dy": 11, "Yd": 1}
"""The clock number of each pair of connections if windings and lines are named alike."""

HOURS = 12


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
    core_losses there is no current Gc v_m, and one state less in each phase.
    """

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
        yield self.v2 == self.R2 * self.i2 + self.L2sigma * tg.der(self.i2) + self.v_m / self.n
        yield self.v_m == self.Lm1 * tg.der(self.im1)
        excitation = self.im1 + self.Gc * self.v_m if self.core_losses else 1.0 * self.im1
        yield excitation == self.i1 + self.i2 / self.n


class Transformer(tg.Component):
    """Three-phase transformer of a vector group such as "Dyn5": a LossyTransformer with its windings connected.

    n is the ratio of the voltages between lines, V1/V2 = n; that of the turns follows with a factor sqrt(3) where one
    side is in star and the other in delta. Resistances and inductances are those of one winding. The lines of side 2
    lag those of side 1 by 30 degrees times the number at the end of the group.
    """

    group = tg.parameter("Dyn5", structural=True, description="vector group: Yy, Dd, Dy or Yd and a clock number")
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
        self.first, self.second, clock = connections_of(self.group, self._location)
        turn = (clock - LEAD[self.first + self.second]) % HOURS // 2
        self.reversed = turn % 2 == 1  # by 180 degrees, six hours
        self.shift = (turn - 3 * self.reversed) % 6 // 2  # by 120 degrees each, four hours
        turns = {"Yd": 1.0 / math.sqrt(3.0), "Dy": math.sqrt(3.0)}.get(self.first + self.second, 1.0)
        self.core = LossyTransformer(
            n=turns * self.n,
            R1=self.R1,
            R2=self.R2,
            L1sigma=self.L1sigma,
            L2sigma=self.L2sigma,
            Lm1=self.Lm1,
            Gc=self.Gc,
            core_losses=self.core_losses,
            use_heat_port=self.use_heat_port,
        )
        self.joint1 = Star() if self.first == "Y" else Delta()
        self.joint2 = Star() if self.second == "y" else Delta()
        if self.first == "Y":
            self.starpoint1 = Pin("star point of side 1")
        if self.second == "y":
            self.starpoint2 = Pin("star point of side 2")

    def connections(self) -> Statements:
        core = self.core
        ends2 = (self.core.plug_p2, self.core.plug_n2)
        begin, end = reversed(ends2) if self.reversed else ends2
        yield self.plug1, core.plug_p1
        yield from join(self.joint1, core.plug_p1, core.plug_n1)
        yield from join(self.joint2, begin, end)
        for k in range(3):
            yield self.plug2[k], begin[(k + self.shift) % 3]
        if self.first == "Y":
            yield self.starpoint1, self.joint1.pin_n
        if self.second == "y":
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


def connections_of(group: str, location: Any = None) -> tuple[str, str, int]:
    """ "Dyn5" as ("D", "y", 5)."""
    found = re.fullmatch(r"([YD])N?([yd])n?(\d+)", group)
    if found:
        first = found[1]
        second = found[2]
        clock = int(found[3])
        if clock < HOURS and (clock - LEAD[first + second]) % 2 == 0:
            return first, second, clock
    advice = "Yy and Dd have even clock numbers from 0 to 10, Dy and Yd odd ones to 11: Yy0, Yd11, Dyn5"
    raise tg.DataError("E703", f"there is no vector group {group!r}", location=location, advice=advice)
