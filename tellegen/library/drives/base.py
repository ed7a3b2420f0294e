"""What blocks of drives have in common: the same law runs in continuous time or at the ticks of a clock.

A law is written once, with its integrals as `past(x)` and their rates. In continuous time dx/dt is the rate; at a tick
x becomes its last value plus period times rate, and outputs are held until the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import tellegen as tg

Statements = Iterator[Any]
CONTINUOUS = "continuous"


class Regulator(tg.Component):
    """Base of control blocks that run in continuous time, or at the ticks of a clock."""

    clock = tg.parameter(CONTINUOUS, structural=True, description="when it acts: a tg.Clock, or 'continuous'")

    def build(self) -> None:
        if self.clock != CONTINUOUS and not isinstance(self.clock, tg.Clock):
            what = f"clock={self.clock!r} is not a clock"
            raise tg.LanguageError("E195", what, location=self._location, advice=f"clock=tg.Clock({self.clock!r})")

    @property
    def sampled(self) -> bool:
        """Whether it acts at ticks."""
        return self.clock != CONTINUOUS

    def past(self, x: tg.Expression) -> Any:
        """What an integral is when the law is evaluated: at a tick, what the last one left."""
        return tg.pre(x) if self.sampled else x

    def act(self, rates: Sequence[tuple[Any, Any]], outputs: Sequence[Any]) -> Statements:
        """The statements of a law: integrals with their rates, and equations of outputs."""
        if not self.sampled:
            yield from (tg.der(x) == rate for x, rate in rates)
            yield from outputs
            return
        steps = [x == tg.pre(x) + self.clock.period * rate for x, rate in rates]
        yield tg.when(self.clock.tick, *steps, *outputs)


def within_circle(x: tg.Expression, y: tg.Expression, radius: tg.Expression) -> tuple[Any, Any]:
    """The pointer (x, y), shortened to `radius` where it is longer; no event, and no division by zero."""
    shrink = radius / tg.maximum(tg.sqrt(x**2 + y**2), radius)
    return x * shrink, y * shrink
