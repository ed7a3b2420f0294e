"""When-statements of a continuous component, judged once at each sample.

    when y > y_max: mode := above, reinit(y, y_max)        condition = y > y_max
                                                           fires = condition and not the one of the sample before
                                                           mode = where(fires, above, mode of the sample before)
                                                           y = where(fires, y_max, y)

What the integrator would find between two samples is found at the next one, and each sample takes the same time. That
is all a sampled controller can do: integrators stop at their limits, hystereses switch, modes change.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tellegen.dataflow.scalar_rows import condition_formulas, substituted
from tellegen.ir.events import Events
from tellegen.ir.expressions.expr import ONE, ZERO, Call, Const, Expr, Slot
from tellegen.sampling.mirror import Place
from tellegen.sampling.sampled_class import SampledParts
from tellegen.symbolic.build import where

_HALF = Const(0.5)
_WHOLE = Place((), "")


class SampledEvents:
    """The events of a component at a sample; `raw` are its states before they act."""

    def __init__(self, parts: SampledParts, events: Events) -> None:
        self.parts = parts
        self.events = events
        self.model = parts.model
        self.before: dict[int, Expr] = {}  # cells as they are before the events of this sample
        self._declare()

    def _declare(self) -> None:
        """Discrete variables, their values at the sample before, and whether there was one."""
        parts = self.parts
        model = self.model
        self.kept: dict[int, Place] = {}
        self.remembered: dict[int, Place] = {}  # what equations compute and the next sample reads
        for cell, variable in model.discrete.items():
            place = parts.mirror.variable(variable, model.discrete_start)
            self.kept[cell] = place
            self.before[cell] = Slot(parts.past(place))
        reduced = model.compiled.reduced
        for cell, variable in zip(self.events.pre_index.tolist(), self.events.pre_variable.tolist(), strict=True):
            own = model.cells.variable(int(variable))
            if own not in self.kept and own not in self.remembered:
                self.remembered[own] = parts.mirror.variable(int(reduced.representative[variable]))
            parts.before[int(cell)] = self.kept[own] if own in self.kept else self.remembered[own]
        started = parts.mirror.new(_WHOLE, "has_started", start=0.0)
        self.is_first = where(Call("gt", (Slot(parts.past(started)), _HALF)), ZERO, ONE)
        parts.assign(started, ONE)
        model.rows.formulas[self.events.initial_index] = self.is_first  # equations may read initial() as well

    def act(self, raw: Sequence[Expr]) -> None:
        """Assigns discrete variables and states."""
        parts = self.parts
        model = self.model
        known: dict[int, Expr] = {**self.before, **dict(zip(model.states, raw, strict=True))}
        fires = self._fires(known)
        values = condition_formulas(model.compiled.reduced, self.events.values)
        actions = self.events.actions
        chosen: dict[int, Expr] = {}
        rows = list(zip(actions.when, actions.branch, actions.target, actions.sign, actions.value, strict=True))
        for when, branch, target, sign, value in reversed(rows):
            cell = model.cells.variable(int(target))
            old = chosen.get(cell, known[cell])
            new = self._here(values[int(value)], known)
            chosen[cell] = where(fires[int(when), int(branch)], new if sign > 0 else Call("neg", (new,)), old)
        for number, cell in enumerate(model.states):
            parts.assign(parts.state(number), chosen.get(cell, raw[number]))
        for cell, place in self.kept.items():
            parts.assign(place, chosen.get(cell, self.before[cell]))
            parts.places[cell] = place
        for cell, place in self.remembered.items():
            if cell not in model.states:
                parts.assign(place, parts.inlined(Slot(cell)))
                parts.places[cell] = place

    def _fires(self, known: dict[int, Expr]) -> dict[tuple[int, int], Expr]:
        """By when-statement and branch; the first branch that becomes true acts."""
        parts = self.parts
        conditions = condition_formulas(self.model.compiled.reduced, self.events.conditions)
        first = self.events.first_condition.tolist()
        found: dict[tuple[int, int], Expr] = {}
        for when, (begin, end) in enumerate(pairwise(first)):
            taken: Expr | None = None
            for number in range(begin, end):
                place = parts.mirror.new(_WHOLE, f"condition_{number}", start=0.0)
                holds = self._here(conditions[number], known)
                truth = holds if _is_truth(holds) else Call("gt", (holds, _HALF))
                parts.assign(place, where(truth, ONE, ZERO))
                slot = self._now(place)
                past = Slot(parts.past(place))
                rises: Expr = Call("gt", (Call("sub", (Slot(slot), past)), _HALF))
                found[when, number - begin] = rises if taken is None else Call("and", (rises, Call("not", (taken,))))
                taken = rises if taken is None else Call("or", (taken, rises))
        return found

    def _now(self, place: Place) -> int:
        slot = self.parts.slot()
        self.parts.places[slot] = place
        return slot

    def _here(self, value: Expr, known: dict[int, Expr]) -> Expr:
        """An expression of cells at this moment."""
        return substituted(self.model.explicit((value,))[0], known)


def _is_truth(value: Expr) -> bool:
    return isinstance(value, Call) and value.op in ("lt", "le", "gt", "ge", "eq", "ne", "and", "or", "not")
