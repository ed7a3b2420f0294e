"""State machines: components for supervisory logic, made of modes with actions on discrete variables.

    class Pump(tg.StateMachine):
        level = tg.input("m")
        running = tg.boolean()

        def modes(self):
            yield tg.mode("idle", self.running == False)
            yield tg.mode("pumping", self.running == True)
            yield tg.transition("idle", "pumping", self.level > 2.0)
            yield tg.transition("pumping", "idle", tg.after(30.0))

The first mode is active at the start. Others read `pump.mode == "pumping"` or the variables it sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any

from tellegen.errors import LanguageError
from tellegen.frontends.python.components.component import Component
from tellegen.frontends.python.declarations.class_info import class_location
from tellegen.frontends.python.declarations.declare import Declaration, enumeration
from tellegen.frontends.python.discrete.modes import Modes
from tellegen.frontends.python.discrete.modes import modes as modes_of
from tellegen.frontends.python.expressions.generator_watch import Watch


class StateMachine(Component):
    """Base of state machines; see the top of this file. Equations and connections may be added as in any component."""

    mode = enumeration((), "active mode")

    def modes(self) -> Iterator[Any]:
        """The modes and transitions, to be defined by subclasses as a generator."""
        raise LanguageError(
            "E178",
            f"state machine {type(self).__name__} has no modes()",
            location=class_location(type(self)),
            advice='define it: def modes(self): yield tg.mode("idle"), then the other modes and the transitions',
        )

    def equations(self) -> Iterator[Any]:
        """The modes as a statement."""
        if type(self) is not StateMachine:
            yield self._statement()

    def _statement(self) -> Modes:
        statement = modes_of(*self.modes(), variable=self.mode)
        statement.location = class_location(type(self))
        return statement

    def _member(self, decl: Declaration) -> Any:
        leaf = super()._member(decl)
        if decl is StateMachine.mode:
            own: Any = copy(decl)
            own.literals = self._names()
            leaf.decl = own
        return leaf

    def _names(self) -> tuple[str, ...]:
        """The names of the modes; none while they are being listed."""
        if "_listing" in self.__dict__:
            return ()
        self.__dict__["_listing"] = True
        try:
            with Watch():
                return tuple(item.name for item in self.modes() if hasattr(item, "inner"))
        finally:
            del self.__dict__["_listing"]

    def plot(self, title: str | None = None) -> Any:
        """A matplotlib figure of the machine: modes as boxes, transitions as arrows with their guards."""
        from tellegen.frontends.python.discrete.state_machine_plot import plot

        with Watch():
            return plot(self._statement(), type(self).__name__ if title is None else title)
