"""Reproducible noise: the same numbers in every run and on every machine, and other ones for every seed.

Two multiplicative congruential generators (P. L'Ecuyer, Communications of the ACM 31, 1988), whose products stay below
2^53 and so are exact in floating point; nothing outside the equations is called.
"""

from __future__ import annotations

from math import tau

import tellegen as tg
from tellegen.library.sampled.base import Sampled, Statements

FIRST, SECOND = (40014, 2147483563), (40692, 2147483399)  # factor and modulus
SCRAMBLE = 1234567891  # carries neighbouring seeds far apart


class Noise(Sampled):
    """Two independent numbers between 0 and 1 at every tick, from a seed. Give every source a seed of its own."""

    seed = tg.parameter(1, "1", "which sequence", min=1, max=1000000)
    y = tg.output(description="noise", start=0.0)
    first = tg.variable("1", "state of a generator", discrete=True, start=(seed * SCRAMBLE) % FIRST[1])
    second = tg.variable("1", "state of the other", discrete=True, start=(seed * SCRAMBLE) % SECOND[1])

    def equations(self) -> Statements:
        yield tg.when(
            self.clock.tick,
            self.first == (FIRST[0] * tg.pre(self.first)) % FIRST[1],
            self.second == (SECOND[0] * tg.pre(self.second)) % SECOND[1],
        )


class UniformNoise(Noise):
    """Evenly between low and high, anew at every tick."""

    low = tg.parameter(-1.0, description="lower bound")
    high = tg.parameter(1.0, description="upper bound")

    def equations(self) -> Statements:
        both = (self.first / FIRST[1] + self.second / SECOND[1]) % 1.0
        yield tg.when(self.clock.tick, self.y == self.low + (self.high - self.low) * both)


class GaussianNoise(Noise):
    """Normally distributed, anew at every tick (method of G. E. P. Box and M. E. Muller, 1958)."""

    mean = tg.parameter(0.0, description="mean")
    sigma = tg.parameter(1.0, description="standard deviation", min=0.0)

    def equations(self) -> Statements:
        radius = tg.sqrt(-2.0 * tg.log(self.first / FIRST[1]))
        yield tg.when(
            self.clock.tick, self.y == self.mean + self.sigma * radius * tg.cos(tau * self.second / SECOND[1])
        )
