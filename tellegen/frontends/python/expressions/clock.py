"""Clocks: the instants offset, offset + period, offset + 2 period, ... at which sampled blocks act.

    base = tg.Clock(rate="10 kHz")
    speed = base.every(10)                      # 1 kHz, at every tenth tick of the base
    filter = base.times(4)                      # 40 kHz
    control = base.shift("20 us")               # at the rate of the base, 20 us later

    yield tg.when(self.clock.tick, self.y == self.u)

Period and offset are kept as fractions, so rates derived from each other stay in exact integer relations: ticks that
should coincide do, however long the run. An instant is computed from its number, never summed up.
"""

from __future__ import annotations

import fractions
from numbers import Integral, Rational, Real
from typing import ClassVar

from tellegen.errors import LanguageError
from tellegen.frontends.python.expressions.functions import sample
from tellegen.frontends.python.expressions.symbol import Symbol
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass
from tellegen.units import UnitTextError, parse_quantity, parse_unit


@dataclass(frozen=True, init=False)
class Clock:
    """Instants of equal distance. Two clocks with the same instants are equal."""

    exact_period: fractions.Fraction
    exact_offset: fractions.Fraction
    in_equations: ClassVar[str] = "the condition that a clock ticks is its tick: tg.when(self.clock.tick, ...)"

    def __init__(self, period: object = None, offset: object = 0, *, rate: object = None) -> None:
        if (period is None) == (rate is None):
            raise _refused("a clock has either a period or a rate", "tg.Clock('1 ms') or tg.Clock(rate='1 kHz')")
        if rate is None:
            length = _exact(period, "s", "the period")
        else:
            hertz = _exact(rate, "Hz", "the rate")
            length = 1 / hertz if hertz else hertz
        if length <= 0:
            what = f"the {'period' if rate is None else 'rate'} of a clock cannot be {period if rate is None else rate}"
            raise _refused(what, "give the period, such as tg.Clock('1 ms')")
        object.__setattr__(self, "exact_period", length)
        object.__setattr__(self, "exact_offset", _exact(offset, "s", "the offset"))

    @property
    def period(self) -> float:
        """Seconds from tick to tick."""
        return float(self.exact_period)

    @property
    def offset(self) -> float:
        """Seconds from time zero to the first tick."""
        return float(self.exact_offset)

    @property
    def tick(self) -> Symbol:
        """The condition for tg.when: true at the instants of the clock."""
        return sample(self.offset, self.period)

    def every(self, n: int) -> Clock:
        """A clock n times slower: every n-th tick of this one, the first included (sub-sampling)."""
        return Clock(self.exact_period * _whole(n, "every"), self.exact_offset)

    def times(self, n: int) -> Clock:
        """A clock n times faster, with n - 1 ticks between two of this one (super-sampling)."""
        return Clock(self.exact_period / _whole(n, "times"), self.exact_offset)

    def shift(self, by: object) -> Clock:
        """The same rate, with every tick later by a time, or earlier by a negative one."""
        return Clock(self.exact_period, self.exact_offset + _exact(by, "s", "the shift"))

    def __repr__(self) -> str:
        return f"Clock({self.period:g}{f', offset={self.offset:g}' if self.exact_offset else ''})"


def _exact(value: object, unit: str, what: str) -> fractions.Fraction:
    """A number, or a string with a unit, as the simplest fraction that is the same number but for rounding."""
    if isinstance(value, str):
        try:
            value = parse_quantity(value, parse_unit(unit))
        except UnitTextError as error:
            raise _refused(f"{what} of a clock: {error}", f"give a number in {unit}, or a string with a unit") from None
    if isinstance(value, Rational):
        return fractions.Fraction(value)
    if isinstance(value, Real) and abs(float(value)) < float("inf"):
        number = float(value)
        simple = fractions.Fraction(number).limit_denominator(10**9)
        return simple if abs(float(simple) - number) <= 1e-15 * abs(number) else fractions.Fraction(repr(number))
    if isinstance(value, Symbol):
        advice = "a clock is known before equations are traced; declare it: clock = tg.parameter(tg.Clock('1 ms'), "
        raise _refused(f"{what} of a clock cannot be the symbol '{value}'", advice + "structural=True)")
    raise _refused(f"{what} of a clock cannot be {value!r}", f"give a number in {unit}, or a string such as '1 {unit}'")


def _whole(n: object, name: str) -> int:
    if isinstance(n, bool) or not isinstance(n, Integral) or int(n) < 1:
        raise _refused(f"clock.{name}({n!r}): the factor must be an integer ≥ 1", f"clock.{name}(10)")
    return int(n)


def _refused(what: str, advice: str) -> LanguageError:
    return LanguageError("E195", what, location=here(), advice=advice)
