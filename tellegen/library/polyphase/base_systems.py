"""Systems of many phases as several base systems: 6 phases are two systems of 3, 12 are four.

The phases of one base system follow each other. An odd number of phases is one base system; an even one
consists of as many as it takes to leave an odd number, but 2 and powers of it end in systems of 2.
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library.electrical import Pin
from tellegen.library.losses import Lossy
from tellegen.library.polyphase.interfaces import Phases, Plug, Statements


def base_systems(m: int) -> int:
    """The number of symmetric base systems of m phases."""
    systems = 1
    while m % 2 == 0 and m > 2:
        m //= 2
        systems *= 2
    return systems


class MultiStar(Phases):
    """Joins each base system s in a star point of its own: plug_p[k].v = starpoints[s].v, sum of currents = 0."""

    plug_p = Plug.array(Phases.m, "what is joined")
    starpoints = Plug.array(lambda self: base_systems(self.m), "a star point for each base system")

    def equations(self) -> Statements:
        systems = base_systems(self.m)
        basic = self.m // systems
        for s in range(systems):
            for k in range(s * basic, (s + 1) * basic):
                yield self.plug_p[k].v == self.starpoints[s].v
            yield tg.sum(self.plug_p.i[s * basic : (s + 1) * basic]) + self.starpoints[s].i == 0


class MultiDelta(Phases):
    """Joins each base system to a polygon: plug_n[k].v = plug_p[k + k_polygon].v and so on, as Delta does."""

    k_polygon = tg.parameter(1, structural=True, description="how many phases further a polygon goes", min=1)
    plug_p = Plug.array(Phases.m, "the lines")
    plug_n = Plug.array(Phases.m, "ends of the phases")

    def equations(self) -> Statements:
        systems = base_systems(self.m)
        basic = self.m // systems
        step = self.k_polygon if self.k_polygon <= (basic - 1) // 2 else 1
        for s in range(systems):
            for k in range(basic):
                end = self.plug_n[s * basic + k]
                begin = self.plug_p[s * basic + (k + step) % basic]
                yield end.v == begin.v
                yield end.i == -begin.i


class MultiStarResistance(Lossy, Phases):
    """The star points of all base systems joined in a pin through resistors: v_star - pin.v = R i_star."""

    R = tg.parameter(1e6, "ohm", "resistance from a star point to the pin", min=1e-300)
    plug = Plug.array(Phases.m, "what is joined")
    pin = Pin("where the resistors meet")

    def currents(self) -> list[object]:
        """What flows into each star point."""
        systems = base_systems(self.m)
        basic = self.m // systems
        return [tg.sum(self.plug.i[s * basic : (s + 1) * basic]) for s in range(systems)]

    def losses(self) -> object:
        return self.R * tg.sum([i**2 for i in self.currents()])  # type: ignore[operator]

    def equations(self) -> Statements:
        currents = self.currents()
        basic = self.m // len(currents)
        for k in range(self.m):
            yield self.plug[k].v - self.pin.v == self.R * currents[k // basic]  # type: ignore[operator]
        yield tg.sum(self.plug.i) + self.pin.i == 0


class SplitToSubsystems(Phases):
    """Wires from m phases to those of their base systems, one after another: plug_p.v = plug_n.v."""

    plug_p = Plug.array(Phases.m, "all phases")
    plug_n = Plug.array(Phases.m, "the same, system by system: phases k basic to (k + 1) basic - 1 are system k")

    def equations(self) -> Statements:
        yield self.plug_p.v == self.plug_n.v
        yield self.plug_p.i + self.plug_n.i == [0.0] * self.m
