"""Values that are taken when a Boolean becomes true and held until it does so again."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.blocks.interfaces import Statements, signal, truth
from tellegen.library.blocks.tables.time_tables import TimeTable


class Triggered(tg.Component):
    """Acts when trigger becomes true: a base."""

    u = tg.input(description="input")
    trigger = tg.input("1", "acts when it rises above 1/2")
    y_start = tg.parameter(0.0, description="output before the first trigger")
    y = tg.output(description="held output")
    held = tg.variable(description="output", discrete=True, start=y_start)

    def taken(self) -> Any:
        """The new output."""
        raise NotImplementedError(f"{type(self).__name__} has to define taken()")

    def equations(self) -> Statements:
        yield tg.when(truth(self.trigger), self.held == tg.where(tg.initial(), self.y_start, self.taken()))
        yield self.y == self.held


class TriggeredSampler(Triggered):
    """y is u of the last instant at which trigger became true."""

    def taken(self) -> Any:
        return self.u


class TriggeredMax(Triggered):
    """y is the largest |u| of all instants at which trigger became true."""

    def taken(self) -> Any:
        return tg.maximum(tg.pre(self.held), abs(self.u))


class TriggeredAdd(tg.Component):
    """Adds u to y whenever trigger becomes true; with use_reset, y becomes `set` when reset becomes true."""

    u = tg.input(description="what is added")
    trigger = tg.input("1", "adds when it rises above 1/2")
    use_reset = tg.parameter(False, structural=True, description="with the inputs reset and set")
    reset = tg.input("1", "with use_reset: sets y when it rises above 1/2", default=0.0)
    set = tg.input(description="with use_reset: the value that y gets", default=0.0)
    y_start = tg.parameter(0.0, description="output at the start")
    y = tg.output(description="sum")
    held = tg.variable(description="sum", discrete=True, start=y_start)

    def equations(self) -> Statements:
        more = tg.where(tg.initial(), 0.0, self.u)
        adds = tg.when(truth(self.trigger), self.held == tg.pre(self.held) + more)
        if self.use_reset:
            adds = tg.when(truth(self.reset), self.held == self.set).elsewhen(
                truth(self.trigger), self.held == tg.pre(self.held) + more
            )
        yield adds
        yield self.y == self.held


class RadioButtonSource(tg.Component):
    """A button pressed at given instants: on is true from then until an element of reset becomes true."""

    button_time_table = tg.parameter((0.0, 1.0), structural=True, description="instants of pressing in seconds, rising")
    n_reset = tg.parameter(1, structural=True, description="number of resets", min=1)
    reset = tg.input("1", "other buttons: the first that rises above 1/2 resets this one", shape=n_reset)
    on = tg.output("1", "output, 0 or 1")
    kept = tg.variable("1", "output", discrete=True, start=0.0)

    def build(self) -> None:
        times = [float(t) for t in self.button_time_table]
        counts = [float(k + 1) for k in range(len(times))]
        self.pressed = TimeTable(times=(times[0] - 1.0, *times), values=(0.0, *counts), smoothness="constant")

    def equations(self) -> Statements:
        presses = tg.when(self.pressed.y > 0.5, self.kept == 1.0)
        for k in range(1, len(self.button_time_table)):
            presses = presses.elsewhen(self.pressed.y > k + 0.5, self.kept == 1.0)
        for k in range(self.n_reset):
            presses = presses.elsewhen(truth(self.reset[k]), self.kept == 0.0)
        yield presses
        yield self.on == signal(self.kept > 0.5)
