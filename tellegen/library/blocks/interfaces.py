"""What blocks have in common: inputs u, outputs y, and Booleans as signals.

Signals carry the units of what is connected. A Boolean is a signal of 0 or 1, and an input that stands for one
counts as true above 1/2; so a comparison drives a switch, and a pulse a logical block, without anything in between.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg

Statements = Iterator[Any]


class Source(tg.Component):
    """A signal that depends on time only."""

    y = tg.output(description="output")


class SISO(tg.Component):
    """One input, one output."""

    u = tg.input(description="input")
    y = tg.output(description="output")


class SI2SO(tg.Component):
    """Two inputs, one output."""

    u1 = tg.input(description="first input")
    u2 = tg.input(description="second input")
    y = tg.output(description="output")


class MISO(tg.Component):
    """A vector of inputs, one output."""

    nu = tg.parameter(2, structural=True, description="number of inputs")
    u = tg.input(shape=nu, description="inputs")
    y = tg.output(description="output")


class BooleanSource(tg.Component):
    """A Boolean that depends on time only."""

    y = tg.output("1", "output, 0 or 1")


class BooleanSISO(tg.Component):
    """One Boolean in, one out."""

    u = tg.input("1", "input, true above 1/2")
    y = tg.output("1", "output, 0 or 1")


class BooleanSI2SO(tg.Component):
    """Two Booleans in, one out."""

    u1 = tg.input("1", "first input, true above 1/2")
    u2 = tg.input("1", "second input, true above 1/2")
    y = tg.output("1", "output, 0 or 1")


def truth(u: tg.Expression) -> Any:
    """The Boolean that a signal stands for."""
    return u > 0.5


def signal(condition: tg.Expression) -> Any:
    """A Boolean as a signal."""
    return tg.where(condition, 1.0, 0.0)


def sizes_from(given: dict[str, Any], **sizes: tuple[str, int, int]) -> None:
    """Fill in sizes that arrays determine: `order=("a", 0, -1)` is the length of `a` along axis 0, less 1."""
    for size, (name, axis, more) in sizes.items():
        shape = shape_of(given.get(name))
        if len(shape) > axis:
            given.setdefault(size, shape[axis] + more)


def shape_of(value: Any) -> tuple[int, ...]:
    """The shape of an array, of nested lists or of a declared parameter; () for anything else.

    Entries of lists may be symbols, so NumPy cannot be asked.
    """
    if hasattr(value, "shape"):
        return tuple(value.shape)
    return (len(value), *shape_of(value[0])) if isinstance(value, (list, tuple)) and len(value) else ()
