"""A piston in its bore, what hydraulic and pneumatic cylinders share: way, friction and elastic stops.

The piston moves by s from 0 to the stroke. Stops are springs with dampers that push and never pull (one_sided.py).
Friction is viscous and a dry part that passes through zero speed as tanh(v/v_small); for exact sticking connect
translational.SupportFriction to the flange and leave F_Coulomb at zero. The piston has no mass.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg
from tellegen.library import one_sided
from tellegen.library.losses import Lossy
from tellegen.library.translational import OneFlange

Statements = Iterator[Any]


class PistonInBore(OneFlange, Lossy):
    """A piston with friction and two elastic stops: the flange moves by s, flange.f = friction + stops - `push`."""

    D = tg.parameter(0.05, "m", "diameter of the piston", min=1e-300)
    stroke = tg.parameter(0.5, "m", "way from end to end", min=1e-300)
    d = tg.parameter(100.0, "N.s/m", "viscous friction", min=0.0)
    F_Coulomb = tg.parameter(0.0, "N", "dry friction, smoothed around zero speed", min=0.0)
    v_small = tg.parameter(1e-3, "m/s", "speed below which dry friction is smoothed", min=1e-300)
    c_stop = tg.parameter(1e8, "N/m", "stiffness of the stops", min=0.0)
    d_stop = tg.parameter(1e5, "N.s/m", "damping of the stops", min=0.0)
    s = tg.variable("m", "position of the piston, 0 to stroke", start=0.0)
    v = tg.variable("m/s", "speed of the piston")
    f = tg.variable("N", "force on the flange")
    f_friction = tg.variable("N", "friction, positive against positive v")
    f_stop = tg.variable("N", "force of the stops on the piston, positive out of the lower one")

    def push(self) -> Any:
        """The force of what is in the chambers, positive towards greater s."""
        raise NotImplementedError(f"{type(self).__name__} has to define push()")

    def stop_losses(self) -> Any:
        """What the dampers of the stops take."""
        low = -1.0 * self.s
        high = self.s - self.stroke
        elastic = one_sided.spring(low, self.c_stop) - one_sided.spring(high, self.c_stop)
        return (elastic - self.f_stop) * self.v

    def losses(self) -> Any:
        return self.f_friction * self.v + self.stop_losses()

    def equations(self) -> Statements:
        low = -1.0 * self.s
        high = self.s - self.stroke
        yield self.s == self.position(self.flange)
        yield self.v == tg.der(self.s)
        yield self.f_friction == self.d * self.v + self.F_Coulomb * tg.tanh(self.v / self.v_small)
        bottom = one_sided.push(low, -1.0 * self.v, self.c_stop, self.d_stop)
        yield self.f_stop == bottom - one_sided.push(high, self.v, self.c_stop, self.d_stop)
        yield self.f == self.push() - self.f_friction + self.f_stop
        yield self.flange.f == -self.f
