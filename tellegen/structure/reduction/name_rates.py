"""der(x) outside the equations, as the variable that index reduction has made of it.

before   x == sin(time), v == der(x), when der(x) < 0, initially der(x) == 1
after    x == sin(time), x' == cos(time), v == x', when x' < 0, initially x' == 1

Integrators and initialization know the rates of states alone: of anything else they would read zero. Where x is not a
state and no equation differentiates it, an event has nothing to read: E215.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.errors import StructureError
from tellegen.graph.sets import distinct_rows
from tellegen.ir.events import Events, Values
from tellegen.ir.expressions.expr import Der, Expr, Slot, rebuild, same_with, walk
from tellegen.ir.model import IntArray
from tellegen.ir.reduced import UNKNOWN, ReducedGroup, ReducedModel
from tellegen.ir.show.reduced_rows import variable_text


def name_rates(model: ReducedModel) -> ReducedModel:
    """See the top of this file."""
    rates = Rates(model)
    return replace(
        model,
        initial=tuple(part for group in model.initial for part, _ in rates.split(group)),
        asserted=tuple((number, part) for number, group in model.asserted for part, _ in rates.split(group)),
        events=None if model.events is None else rates.of_events(model.events),
    )


class Rates:
    """What the derivative of each variable is: the variable `number`, -1 for the rate of a state."""

    def __init__(self, model: ReducedModel) -> None:
        self.model = model
        count = model.flat.variables.count
        self.number = np.full(model.variable_count, -1)
        first = np.flatnonzero(model.derivatives.order == 1)
        self.number[model.derivatives.base[first]] = count + first

    def of_events(self, events: Events) -> Events:
        """The events with all rates named."""
        return replace(
            events,
            conditions=self._values(events.conditions),
            values=self._values(events.values),
            relations=replace(events.relations, differences=self._values(events.relations.differences)),
            instants=replace(events.instants, differences=self._values(events.instants.differences)),
            samples=replace(events.samples, values=self._values(events.samples.values)),
            delays=replace(events.delays, values=self._values(events.delays.values)),
        )

    def _values(self, values: Values) -> Values:
        groups: list[ReducedGroup] = []
        indices: list[IntArray] = []
        for group, numbers in zip(values.groups, values.indices, strict=True):
            self._check(group)
            for part, rows in self.split(group):
                groups.append(part)
                indices.append(numbers[rows])
        return replace(values, groups=tuple(groups), indices=tuple(indices))

    def split(self, group: ReducedGroup) -> list[tuple[ReducedGroup, IntArray]]:
        """A group with its rates named, alike rows together; with the rows of each part."""
        slots = _differentiated(group)
        number = self.number[group.bindings[:, slots]]
        if not (number >= 0).any():
            return [(group, np.arange(group.rows))]
        out = []
        for pattern, mine in distinct_rows(number >= 0):
            named = np.flatnonzero(pattern)
            out.append((_renamed(group, mine, [slots[k] for k in named], number[mine][:, named]), mine))
        return out

    def _check(self, group: ReducedGroup) -> None:
        """Every rate is one of a state or a variable."""
        model = self.model
        variable = group.bindings[:, _differentiated(group)]
        column = model.position[variable]
        wrong = np.argwhere((self.number[variable] < 0) & (column >= 0) & ~model.is_state[column])
        if not len(wrong):
            return
        first = int(variable[tuple(wrong[0])])
        name = variable_text(model, first)
        raise StructureError(
            "E215",
            f"an action or condition reads der({name}), but '{name}' is not a state and no equation differentiates it",
            location=model.flat.variables.location(first),
            advice=f"add a variable for it, with an equation: rate == tg.der({name}), and use that",
        )


def _differentiated(group: ReducedGroup) -> list[int]:
    """The slots whose rates are read."""
    return [n.index for n in walk(group.residual) if isinstance(n, Der) and group.kinds[n.index] == UNKNOWN]


def _renamed(group: ReducedGroup, mine: IntArray, slots: list[int], numbers: Any) -> ReducedGroup:
    """Rows with new slots for the variables that the rates of `slots` have become."""
    new = {slot: len(group.kinds) + k for k, slot in enumerate(slots)}

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Der) and node.index in new:
            return Slot(new[node.index])
        return same_with(node, args)

    return replace(
        group,
        residual=rebuild(group.residual, change),
        kinds=(*group.kinds, *[UNKNOWN] * len(slots)),
        bindings=np.concatenate([group.bindings[mine], numbers], axis=1).astype(np.int32),
        source_rows=group.source_rows[mine],
    )
