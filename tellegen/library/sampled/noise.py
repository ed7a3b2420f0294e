"""Reproducible noise at the ticks of a clock: the same numbers in every run, and other ones for every seed."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.random_numbers import moved_on, normal, states_of, uniform
from tellegen.library.sampled.base import Sampled, Statements


class Noise(Sampled):
    """Two independent numbers between 0 and 1 at every tick, from a seed. Give every source a seed of its own."""

    seed = tg.parameter(1, "1", "which sequence", min=1, max=1000000)
    y = tg.output(description="noise", start=0.0)
    first = tg.variable("1", "state of a generator", discrete=True, start=states_of(seed)[0])
    second = tg.variable("1", "state of the other", discrete=True, start=states_of(seed)[1])

    def equations(self) -> Statements:
        first, second = moved_on(self.first, self.second)
        yield tg.when(self.clock.tick, self.first == first, self.second == second)


class UniformNoise(Noise):
    """Uniformly distributed between low and high, a new value at every tick."""

    low = tg.parameter(-1.0, description="lower bound")
    high = tg.parameter(1.0, description="upper bound")

    def equations(self) -> Statements:
        drawn = uniform(self.first, self.second)
        yield tg.when(self.clock.tick, self.y == self.low + (self.high - self.low) * drawn)


class GaussianNoise(Noise):
    """Normally distributed, a new value at every tick."""

    mean = tg.parameter(0.0, description="mean")
    sigma = tg.parameter(1.0, description="standard deviation", min=0.0)

    def equations(self) -> Statements:
        yield tg.when(self.clock.tick, self.y == self.mean + self.sigma * normal(self.first, self.second))
