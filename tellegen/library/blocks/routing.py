"""Signals joined to vectors, taken apart, chosen and copied."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.blocks.interfaces import Statements, truth


class Switch(tg.Component):
    """y = u1 where u2 is true (above 1/2), else u3."""

    u1 = tg.input(description="input taken where u2 is true")
    u2 = tg.input("1", "which input is taken")
    u3 = tg.input(description="input taken where u2 is false")
    y = tg.output(description="output")

    def equations(self) -> Statements:
        yield self.y == tg.where(truth(self.u2), self.u1, self.u3)


class Multiplex(tg.Component):
    """Two vectors one after the other: y = [u1, u2]."""

    n1 = tg.parameter(1, structural=True, description="length of u1")
    n2 = tg.parameter(1, structural=True, description="length of u2")
    u1 = tg.input(shape=n1, description="first part")
    u2 = tg.input(shape=n2, description="second part")
    y = tg.output(shape=n1 + n2, description="both")

    def equations(self) -> Statements:
        yield self.y[: self.n1] == self.u1
        yield self.y[self.n1 :] == self.u2


class DeMultiplex(tg.Component):
    """A vector in two parts: u = [y1, y2]."""

    n1 = tg.parameter(1, structural=True, description="length of y1")
    n2 = tg.parameter(1, structural=True, description="length of y2")
    u = tg.input(shape=n1 + n2, description="both")
    y1 = tg.output(shape=n1, description="first part")
    y2 = tg.output(shape=n2, description="second part")

    def equations(self) -> Statements:
        yield self.y1 == self.u[: self.n1]
        yield self.y2 == self.u[self.n1 :]


class ExtractSignal(tg.Component):
    """Chosen elements of a vector, counted from 0, in the order wanted."""

    nin = tg.parameter(2, structural=True, description="length of u")
    extract = tg.parameter((0,), structural=True, description="numbers of the elements, counted from 0")
    nout = tg.parameter(1, structural=True, description="how many of them")
    u = tg.input(shape=nin, description="vector")
    y = tg.output(shape=nout, description="chosen elements")

    def __init__(self, *unnamed: object, **given: object) -> None:
        if isinstance(given.get("extract"), (list, tuple)):
            given.setdefault("nout", len(given["extract"]))  # type: ignore[arg-type]
        super().__init__(*unnamed, **given)

    def equations(self) -> Statements:
        for k, number in enumerate(self.extract):
            yield self.y[k] == self.u[int(number)]


class Extractor(tg.Component):
    """The element of a vector whose number, counted from 0, is the input `index`; out_of_range for others."""

    nin = tg.parameter(2, structural=True, description="length of u")
    u = tg.input(shape=nin, description="vector")
    index = tg.input("1", "number of the element; fractions are rounded", default=0.0)
    out_of_range = tg.parameter(0.0, description="output for an index that does not exist")
    y = tg.output(description="chosen element")

    def equations(self) -> Statements:
        y = tg.where(self.index < -0.5, self.out_of_range, self.u[0])
        for k in range(1, self.nin):
            y = tg.where(self.index < k - 0.5, y, self.u[k])
        yield self.y == tg.where(self.index < self.nin - 0.5, y, self.out_of_range)


class Replicator(tg.Component):
    """The same signal nout times."""

    nout = tg.parameter(2, structural=True, description="length of y")
    u = tg.input(description="signal")
    y = tg.output(shape=nout, description="copies")

    def equations(self) -> Statements:
        yield self.y == self.u


class PassThrough(tg.Component):
    """y = u: a name for a signal inside a model."""

    u = tg.input(description="input")
    y = tg.output(description="output")

    def equations(self) -> Statements:
        yield self.y == self.u
