"""Reproducible noise around a plant in continuous time: a new number every sample_period, held in between."""

from __future__ import annotations

import math
from typing import Any

import tellegen as tg
from tellegen.library.blocks.interfaces import Source, Statements
from tellegen.library.random_numbers import moved_on, normal, normal_quantile, states_of, uniform


class Noise(Source):
    """A number drawn again every sample_period from start_time on, y_off before: a base. Give every source its seed."""

    seed = tg.parameter(1, "1", "which sequence", min=1, max=1000000)
    sample_period = tg.parameter(0.01, "s", "time from number to number", min=1e-12)
    start_time = tg.parameter(0.0, "s", "instant of the first number")
    y_off = tg.parameter(0.0, description="output before start_time")
    first = tg.variable("1", "state of a generator", discrete=True, start=states_of(seed)[0])
    second = tg.variable("1", "state of the other", discrete=True, start=states_of(seed)[1])
    held = tg.variable(description="last number", discrete=True, start=y_off)

    def drawn(self) -> Any:
        """The number made of both generators."""
        raise NotImplementedError

    def equations(self) -> Statements:
        first, second = moved_on(self.first, self.second)
        tick = tg.sample(self.start_time, self.sample_period)
        yield tg.when(tick, self.first == first, self.second == second, self.held == self.drawn())
        yield self.y == self.held


class UniformNoise(Noise):
    """Evenly distributed between y_min and y_max."""

    y_min = tg.parameter(0.0, description="lower bound")
    y_max = tg.parameter(1.0, description="upper bound")

    def drawn(self) -> Any:
        return self.y_min + (self.y_max - self.y_min) * uniform(self.first, self.second)


class NormalNoise(Noise):
    """Normally distributed with mean mu and standard deviation sigma."""

    mu = tg.parameter(0.0, description="mean")
    sigma = tg.parameter(1.0, description="standard deviation", min=0.0)

    def drawn(self) -> Any:
        return self.mu + self.sigma * normal(self.first, self.second)


class TruncatedNormalNoise(Noise):
    """Normally distributed with mu and sigma, but only between y_min and y_max: what lies outside is never drawn.

    y = mu + sigma q(P_min + (P_max - P_min) u), with the inverse q of the normal distribution and its values P at the
    ends.
    """

    y_min = tg.parameter(-1.0, structural=True, description="lower bound")
    y_max = tg.parameter(1.0, structural=True, description="upper bound")
    mu = tg.parameter(0.5 * (y_min + y_max), structural=True, description="mean of the whole distribution")
    sigma = tg.parameter((y_max - y_min) / 6.0, structural=True, description="standard deviation of the whole one")

    def drawn(self) -> Any:
        mu = self.mu
        sigma = self.sigma
        if not (self.y_min < self.y_max and sigma > 0.0):
            what = f"noise between {self.y_min:g} and {self.y_max:g} with the standard deviation {sigma:g}"
            raise tg.DataError("E704", what, location=self._location, advice="y_min < y_max, and sigma above 0")
        low, high = (0.5 * math.erfc((mu - y) / (sigma * math.sqrt(2.0))) for y in (self.y_min, self.y_max))
        return mu + sigma * normal_quantile(low + (high - low) * uniform(self.first, self.second))


class BandLimitedWhiteNoise(Noise):
    """Normal noise whose power per frequency is noise_power, from 0 to about half its rate.

    Held over a period T, noise of the variance s^2 has the two-sided spectrum s^2 T (sin(pi f T)/(pi f T))^2; so the
    variance is noise_power/sample_period.
    """

    noise_power = tg.parameter(1.0, description="two-sided power per frequency, at low frequencies", min=0.0)

    def drawn(self) -> Any:
        return tg.sqrt(self.noise_power / self.sample_period) * normal(self.first, self.second)
