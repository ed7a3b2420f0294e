"""Templates: statements written once per class shape, over local slots.

    class Resistor:  yield self.v == self.R * self.i
    EquationTemplate(lhs=Slot(0), rhs=Slot(1)*Slot(2), slots=(v, R, i))

A thousand resistors are this one template and a matrix of a thousand rows and three columns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cached_property
from string import Formatter
from typing import Any

from tellegen.ir.expressions.expr import Call, Expr, Slot, walk
from tellegen.ir.source_location import NOWHERE, SourceLocation
from tellegen.start.records import dataclass
from tellegen.units import NO_UNIT, Unit


@dataclass(frozen=True, slots=True)
class SlotInfo:
    """What a slot stands for, in the words of the class that wrote the template."""

    name: str
    parameter: bool
    unit: Unit = NO_UNIT
    role: str = "local"
    type: str = "real"
    discrete: bool = False
    literals: tuple[str, ...] = ()  # the names of an enumeration's values


@dataclass(frozen=True, eq=False, kw_only=True)
class Template:
    """Base: the slots, who wrote the statement and where."""

    slots: tuple[SlotInfo, ...]
    owner: str = ""
    location: SourceLocation = NOWHERE

    def expressions(self) -> tuple[Expr, ...]:
        """All expressions of the statement."""
        raise NotImplementedError

    @cached_property
    def nodes(self) -> tuple[Expr, ...]:
        """Every distinct node of the statement, operands first."""
        return tuple(walk(*self.expressions()))


@dataclass(frozen=True, slots=True)
class Noise:
    """A random signal on the right-hand side of an equation, times a factor: its density is density/f**exponent.

    Signals of one name in one component are the same.
    """

    name: str
    density: Expr
    exponent: Expr
    factor: float


@dataclass(frozen=True, eq=False, kw_only=True)
class EquationTemplate(Template):
    """lhs == rhs. Its noises take part in noise analyses alone; they may have slots of their own."""

    lhs: Expr
    rhs: Expr
    noises: tuple[Noise, ...] = ()

    def expressions(self) -> tuple[Expr, ...]:
        return (self.lhs, self.rhs)

    @property
    def residual(self) -> Expr:
        """lhs - rhs."""
        return Call("sub", (self.lhs, self.rhs))


@dataclass(frozen=True, eq=False, kw_only=True)
class ModalTemplate(EquationTemplate):
    """An equation that depends on the active mode; `cases` are the equations it stands for, by mode."""

    cases: tuple[tuple[str, Expr, Expr], ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class ValueTemplate(Template):
    """slot 0 := value: a parameter or a start value given by an expression of parameters."""

    value: Expr

    def expressions(self) -> tuple[Expr, ...]:
        return (Slot(0), self.value)


@dataclass(frozen=True, eq=False, kw_only=True)
class AssertTemplate(Template):
    """A condition that must hold while the model runs. With `values` the message is a format string that takes them."""

    condition: Expr
    message: str
    warning: bool = False
    values: tuple[Expr, ...] = ()

    def expressions(self) -> tuple[Expr, ...]:
        return (self.condition, *self.values)


def formatted(message: str, values: Sequence[Expr], text: Callable[[Expr], Any]) -> str:
    """A message with its values: numbers in the formats it asks for, or strings as they are."""
    if not values:
        return message
    given = [text(value) for value in values]
    if any(isinstance(one, str) for one in given):
        message = "".join(
            literal.replace("{", "{{").replace("}", "}}") + ("{}" if name is not None else "")
            for literal, name, _, _ in Formatter().parse(message)
        )
    return message.format(*given)


@dataclass(frozen=True, eq=False, kw_only=True)
class InvariantTemplate(Template):
    """Slot 0 is zero along the exact solution, and slot 2 is its partial derivative by the state in slot 1."""

    def expressions(self) -> tuple[Expr, ...]:
        return (Slot(0), Call("mul", (Slot(2), Slot(1))))


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do at an event: "assign" or "reinit" slot `target`, "assert" a Boolean, "terminate" if one is true.

    With `values` the message is a format string that takes them.
    """

    verb: str
    value: Expr
    target: int = -1
    message: str = ""
    values: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """The actions to take when a condition becomes true; `title` says what that means if the text would not."""

    condition: Expr
    actions: tuple[Action, ...]
    title: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class WhenTemplate(Template):
    """when / elsewhen: the first branch whose condition becomes true acts; with `at_start` also one that holds at the
    start (not so in Modelica, see Rules.events_at_start)."""

    branches: tuple[Branch, ...] = field(default=())
    at_start: bool = True

    def expressions(self) -> tuple[Expr, ...]:
        parts: list[Expr] = []
        for branch in self.branches:
            parts.append(branch.condition)
            for action in branch.actions:
                parts += (action.value, *action.values)
                if action.target >= 0:
                    parts.append(Slot(action.target))
        return tuple(parts)

    def assigned(self) -> tuple[int, ...]:
        """The slots this statement determines (not those it only re-initializes)."""
        targets = (a.target for b in self.branches for a in b.actions if a.verb == "assign")
        return tuple(dict.fromkeys(targets))
