"""How phases are joined: star and delta, also of systems of many phases that consist of several base systems."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.losses import Lossy
from tellegen.library.polyphase.base_systems import base_systems
from tellegen.library.quasi_static.interfaces import PhasorPin, Statements, current, potential
from tellegen.library.quasi_static.phasors import Phasor, equal


class ThreePhases(tg.Component):
    """Base of what joins phases, three unless m says otherwise."""

    m = tg.parameter(3, structural=True, description="number of phases", min=1)


class Star(ThreePhases):
    """Joins all phases of p in one terminal: p.v = n.v, the sum of p.i = -n.i."""

    p = PhasorPin.array(ThreePhases.m, "what is joined")
    n = PhasorPin.array(1, "star point; left open, the currents sum to zero")

    def equations(self) -> Statements:
        for k in range(self.m):
            yield from equal(potential(self.p)[k], potential(self.n)[0])
        yield from equal(current(self.p).total(), -current(self.n)[0])


class Delta(ThreePhases):
    """Joins the end of each phase with the begin of the next: n[k].v = p[k + 1].v, n[k].i = -p[k + 1].i."""

    p = PhasorPin.array(ThreePhases.m, "the lines")
    n = PhasorPin.array(ThreePhases.m, "ends of the phases")

    def equations(self) -> Statements:
        for k in range(self.m):
            following = (k + 1) % self.m
            yield from equal(potential(self.n)[k], potential(self.p)[following])
            yield from equal(current(self.n)[k], -current(self.p)[following])


class MultiStar(ThreePhases):
    """Joins each base system s in a star point of its own: p[k].v = starpoints[s].v."""

    p = PhasorPin.array(ThreePhases.m, "what is joined")
    starpoints = PhasorPin.array(lambda self: base_systems(self.m), "a star point for each base system")

    def equations(self) -> Statements:
        basic = self.m // base_systems(self.m)
        for s in range(base_systems(self.m)):
            own = slice(s * basic, (s + 1) * basic)
            for k in range(s * basic, (s + 1) * basic):
                yield from equal(potential(self.p)[k], potential(self.starpoints)[s])
            yield from equal(current(self.p)[own].total(), -current(self.starpoints)[s])


class MultiDelta(ThreePhases):
    """Joins each base system to a polygon: n[k].v = p[k + k_polygon].v within it."""

    k_polygon = tg.parameter(1, structural=True, description="how many phases further a polygon goes", min=1)
    p = PhasorPin.array(ThreePhases.m, "the lines")
    n = PhasorPin.array(ThreePhases.m, "ends of the phases")

    def equations(self) -> Statements:
        basic = self.m // base_systems(self.m)
        step = self.k_polygon if self.k_polygon <= (basic - 1) // 2 else 1
        for k in range(self.m):
            begin = k // basic * basic + (k % basic + step) % basic
            yield from equal(potential(self.n)[k], potential(self.p)[begin])
            yield from equal(current(self.n)[k], -current(self.p)[begin])


class MultiStarResistance(Lossy, ThreePhases):
    """The star points of all base systems joined through resistors: v_star - n.v = R i_star."""

    R = tg.parameter(1e6, "ohm", "resistance from a star point to n", min=1e-300)
    p = PhasorPin.array(ThreePhases.m, "what is joined")
    n = PhasorPin.array(1, "where the resistors meet")

    def star_currents(self) -> list[Phasor]:
        """What flows into each star point."""
        basic = self.m // base_systems(self.m)
        return [current(self.p)[k : k + basic].total() for k in range(0, self.m, basic)]

    def losses(self) -> Any:
        return self.R * tg.sum([i.re**2 + i.im**2 for i in self.star_currents()])

    def equations(self) -> Statements:
        stars = self.star_currents()
        basic = self.m // len(stars)
        for k in range(self.m):
            drop = potential(self.p)[k] - potential(self.n)[0]
            yield from equal(drop, stars[k // basic].scaled(self.R))
        yield from equal(current(self.p).total(), -current(self.n)[0])
