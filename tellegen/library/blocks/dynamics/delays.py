"""Delays: exact, and as a rational function that every solver and analysis takes."""

from __future__ import annotations

from math import factorial

import numpy as np

import tellegen as tg
from tellegen.library.blocks.dynamics.filters import chain, sections
from tellegen.library.blocks.interfaces import SISO, Statements


class FixedDelay(SISO):
    """y(t) = u(t - delay_time); before the start, u at the start. It can be integrated, not linearized."""

    delay_time = tg.parameter(1.0, "s", "delay", min=0.0)

    def equations(self) -> Statements:
        yield self.y == tg.delay(self.u, self.delay_time)


class VariableDelay(SISO):
    """y(t) = u(t - delay_time) with a delay that is an input, from 0 to delay_max; before the start, u at the start."""

    delay_time = tg.input("s", "delay")
    delay_max = tg.parameter(1.0, "s", "largest delay", min=1e-300)

    def equations(self) -> Statements:
        yield self.y == tg.delay(self.u, self.delay_time, self.delay_max)


class PadeDelay(SISO):
    """A delay as an all-pass of order n (H. Pade): right for frequencies up to about n/delay_time rad/s.

    It can be linearized and solved by every method; a jump is answered by a wiggle instead of a late jump.
    """

    delay_time = tg.parameter(1.0, "s", "delay", min=1e-300)
    n = tg.parameter(1, structural=True, description="order")
    x = tg.variable(shape=n, description="states", start=0.0)

    def equations(self) -> Statements:
        """Sections with mirrored zeros: the low pass of each section, twice its own damping taken away."""
        if not 1 <= self.n <= 10:
            what = f"a PadeDelay of order {self.n}"
            advice = "take an order from 1 to 10"
            raise tg.DataError("E704", what, location=self._location, advice=advice)
        n = self.n
        a = [factorial(2 * n - k) / factorial(k) / factorial(n - k) for k in range(n + 1)]
        u = self.u
        number = 0
        for section in sections(np.roots(a[::-1])):
            states = [self.x[number + k] for k in range(len(section))]
            drives, low = chain([section], states, u, False)
            for state, drive in zip(states, drives, strict=True):
                yield self.delay_time * tg.der(state) == drive
            u = 2.0 * low - u if len(section) == 1 else u - 2.0 * section[1] / section[0] * states[1]
            number += len(section)
        yield self.y == u
