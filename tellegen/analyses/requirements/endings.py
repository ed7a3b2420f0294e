"""Requirements whose violation is a condition of the present instant, as conditions that end a run.

always from 1 s to 3 s (y < 1.2 and not x > 2)     ->     1 <= time <= 3 and 1.2 - y < 0
                                                          1 <= time <= 3 and x - 2 > 0

Formulas that remember what was (within, until, at_events, windows inside of others) have none.
"""

from __future__ import annotations

from math import inf

from tellegen.analyses.performance.formulas_of_signals import expression_of, in_unit
from tellegen.analyses.requirements.formulas import Condition, Formula, Joined, Named, Not, Window
from tellegen.engine.readout.quantity import quantity
from tellegen.engine.request.path_lookup import Selection
from tellegen.ir.expressions.expr import TIME, ZERO, Call, Const, Expr, Slot
from tellegen.ir.expressions.template import SlotInfo
from tellegen.ir.reduced import ReducedModel
from tellegen.start.records import dataclass
from tellegen.variation.ended import Ending


class HasNoneError(Exception):
    """Whether the formula is violated does not show at the present instant alone."""


@dataclass(frozen=True, eq=False)
class Clause:
    """What ends a run, and the conditions of the requirement that are violated then."""

    ending: Ending
    conditions: tuple[Condition, ...]


def clauses(formula: Formula, model: ReducedModel, start: float) -> list[Clause]:
    """All conditions that violate a requirement, of a run from `start` on; HasNoneError where it has none."""
    if isinstance(formula, Named):
        return clauses(formula.part, model, start)
    if isinstance(formula, Joined) and formula.sign > 0.0:
        return [clause for part in formula.parts for clause in clauses(part, model, start)]
    if not isinstance(formula, Window) or formula.sign < 0.0:
        raise HasNoneError
    parts = _conjuncts(formula.part)
    return [_clause(part, formula, model, start) for part in parts]


def _conjuncts(formula: Formula) -> list[Formula]:
    """What has to hold together, one by one: each has a culprit of its own."""
    if isinstance(formula, Joined) and formula.sign > 0.0:
        return [each for part in formula.parts for each in _conjuncts(part)]
    return [formula]


def _clause(part: Formula, window: Window, model: ReducedModel, start: float) -> Clause:
    scalars = _Scalars(model)
    condition = _violated(part, scalars, holds=False)
    if window.begin > 0.0:
        condition = Call("and", (Call("ge", (TIME, Const(start + window.begin))), condition))
    if window.end < inf:
        condition = Call("and", (Call("le", (TIME, Const(start + window.end))), condition))
    ending = Ending(condition, tuple(scalars.slots), tuple(scalars.indices), str(part))
    return Clause(ending, tuple(scalars.conditions))


def _violated(formula: Formula, scalars: _Scalars, *, holds: bool) -> Expr:
    """Where the margin is below zero, or, with `holds`, above it: a formula under a `not`."""
    if isinstance(formula, Condition):
        margin = scalars.margin(formula)
        return Call("gt" if holds else "lt", (margin, ZERO))
    if isinstance(formula, Not):
        return _violated(formula.part, scalars, holds=not holds)
    if isinstance(formula, Joined):
        both = (formula.sign < 0.0) != holds
        parts = [_violated(part, scalars, holds=holds) for part in formula.parts]
        found = parts[0]
        for part in parts[1:]:
            found = Call("and" if both else "or", (found, part))
        return found
    raise HasNoneError


class _Scalars:
    """The scalars of a model that a condition reads, as slots of a template."""

    def __init__(self, model: ReducedModel) -> None:
        self.model = model
        self.slots: list[SlotInfo] = []
        self.indices: list[int] = []
        self.conditions: list[Condition] = []

    def margin(self, condition: Condition) -> Expr:
        """The margin of a comparison."""
        self.conditions.append(condition)
        return expression_of(condition.comparison.signal(self.model), self._value)

    def _value(self, path: str) -> Expr:
        """A variable or parameter in its declared unit."""
        what = quantity(self.model, path)
        if not isinstance(what.source, Selection) or what.source.indices.size != 1 or what.order:
            raise HasNoneError
        member = what.source.member
        info = SlotInfo(path, what.source.parameter, member.unit, discrete=getattr(member, "discrete", False))
        self.slots.append(info)
        self.indices.append(int(what.source.indices.ravel()[0]))
        return in_unit(Slot(len(self.slots) - 1), what.unit)
