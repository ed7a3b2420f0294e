"""What sampled blocks have in common: a clock, and outputs that are held from tick to tick."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg

Statements = Iterator[Any]


class Sampled(tg.Component):
    """Acts at the ticks of its clock; outputs are held in between, and have their start values before the first."""

    clock = tg.parameter(tg.Clock("1 ms"), structural=True, description="when it acts")

    def build(self) -> None:
        if not isinstance(self.clock, tg.Clock):
            what = f"clock={self.clock!r} is not a clock"
            advice = f"clock=tg.Clock({self.clock!r})"
            raise tg.LanguageError("E195", what, location=self._location, advice=advice)


class SampledSISO(Sampled):
    """One sampled input, one held output."""

    u = tg.input(description="input, read at the ticks")
    y = tg.output(description="output", start=0.0)


def shape_of(value: Any) -> tuple[int, ...]:
    """The shape of an array, of nested lists or of a declared parameter; () for anything else.

    Entries of lists may be symbols, so NumPy cannot be asked.
    """
    if hasattr(value, "shape"):
        return tuple(value.shape)
    return (len(value), *shape_of(value[0])) if isinstance(value, (list, tuple)) and len(value) else ()
