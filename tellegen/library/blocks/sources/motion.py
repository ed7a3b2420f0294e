"""Motion from rest to rest as fast as limits of speed and acceleration allow."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.blocks.interfaces import Source, Statements


class KinematicPTP(Source):
    """Position, speed and acceleration of the fastest motion from rest to rest over the distance deltaq.

    It accelerates with qdd_max, continues with qd_max if the distance is long enough, and slows down with -qdd_max. y
    is the acceleration; q, qd and qdd are position, speed and acceleration.
    """

    deltaq = tg.parameter(1.0, description="distance, of either sign")
    qd_max = tg.parameter(1.0, description="largest speed", min=1e-300)
    qdd_max = tg.parameter(1.0, description="largest acceleration", min=1e-300)
    start_time = tg.parameter(0.0, "s", "begin of the motion")
    top = tg.parameter(tg.minimum(tg.sqrt(abs(deltaq) * qdd_max), qd_max), description="speed that is reached")
    Ta = tg.parameter(top / qdd_max, "s", "duration of speeding up, and of slowing down")
    Te = tg.parameter(Ta + abs(deltaq) / tg.maximum(top, 1e-300), "s", "duration of the whole motion")
    q = tg.output(description="position")
    qd = tg.output(description="speed")
    qdd = tg.output(description="acceleration")

    def equations(self) -> Statements:
        t = tg.time - self.start_time
        rest = self.start_time + self.Te - tg.time
        sign = tg.where(self.deltaq < 0.0, -1.0, 1.0)
        began = tg.time >= self.start_time
        fast = tg.time >= self.start_time + self.Ta
        slow = tg.time >= self.start_time + self.Te - self.Ta
        ended = tg.time >= self.start_time + self.Te
        a = sign * self.qdd_max
        v = sign * self.top
        length = self.deltaq

        def phases(before: object, up: object, even: object, down: object, after: object) -> object:
            return tg.where(ended, after, tg.where(slow, down, tg.where(fast, even, tg.where(began, up, before))))

        yield self.qdd == phases(0.0, a, 0.0, -a, 0.0)
        yield self.qd == phases(0.0, a * t, v, a * rest, 0.0)
        yield self.q == phases(0.0, 0.5 * a * t**2, v * (t - 0.5 * self.Ta), length - 0.5 * a * rest**2, length)
        yield self.y == self.qdd
