"""der(x) in conditions and actions, as the variable that index reduction has made of it.

before   x == sin(time), v == der(x), when der(x) < 0
after    x == sin(time), x' == cos(time), v == x', when x' < 0

Integrators know the rates of states alone: of anything else they would read zero. Where x is no state and no equation
differentiates it, there is nothing to read: E215.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.errors import StructureError
from tellegen.ir.events import Values
from tellegen.ir.expressions.expr import Der, Expr, Slot, rebuild, same_with, walk
from tellegen.ir.reduced import UNKNOWN, ReducedGroup, ReducedModel
from tellegen.ir.show.reduced_rows import variable_text


def name_event_rates(model: ReducedModel) -> ReducedModel:
    """See the top of this file."""
    if model.events is None:
        return model
    rates = Rates(model)
    events = model.events
    changed: dict[str, Any] = {name: rates.named(getattr(events, name)) for name in ("conditions", "values")}
    for name in ("relations", "instants"):
        table = getattr(events, name)
        changed[name] = replace(table, differences=rates.named(table.differences))
    for name in ("samples", "delays"):
        table = getattr(events, name)
        changed[name] = replace(table, values=rates.named(table.values))
    return replace(model, events=replace(events, **changed)) if rates.found else model


class Rates:
    """What the derivative of each variable is: the variable `number`, -1 for the rate of a state."""

    def __init__(self, model: ReducedModel) -> None:
        self.model = model
        self.found = False
        count = model.flat.variables.count
        self.number = np.full(count, -1)
        first = np.flatnonzero(model.derivatives.order == 1)
        self.number[model.derivatives.base[first]] = count + first

    def named(self, values: Values) -> Values:
        """The numbers to compute with all rates named."""
        if not any(isinstance(node, Der) for group in values.groups for node in walk(group.residual)):
            return values
        parts = [
            part for group, places in zip(values.groups, values.places, strict=True) for part in self._of(group, places)
        ]
        return replace(values, groups=tuple(group for group, _ in parts), places=tuple(places for _, places in parts))

    def _of(self, group: ReducedGroup, places: Any) -> list[tuple[ReducedGroup, Any]]:
        """A group, alike rows together."""
        slots = [n.index for n in walk(group.residual) if isinstance(n, Der) and group.kinds[n.index] == UNKNOWN]
        if not slots:
            return [(group, places)]
        self.found = True
        number = self.number[group.bindings[:, slots]]
        self._check(group, slots, number)
        out = []
        for pattern in np.unique(number >= 0, axis=0):
            mine = np.flatnonzero(((number >= 0) == pattern).all(axis=1))
            named = [k for k, flag in enumerate(pattern) if flag]
            out.append((self._renamed(group, mine, [slots[k] for k in named], number[mine][:, named]), places[mine]))
        return out

    def _renamed(self, group: ReducedGroup, mine: Any, slots: list[int], numbers: Any) -> ReducedGroup:
        """Rows with new slots for the variables that the rates of `slots` have become."""
        place = {slot: len(group.kinds) + k for k, slot in enumerate(slots)}

        def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
            if isinstance(node, Der) and node.index in place:
                return Slot(place[node.index])
            return same_with(node, args)

        bindings = np.concatenate([group.bindings[mine], numbers], axis=1).astype(np.int32)
        kinds = (*group.kinds, *[UNKNOWN] * len(slots))
        rows = group.source_rows[mine]
        return replace(
            group, residual=rebuild(group.residual, change), kinds=kinds, bindings=bindings, source_rows=rows
        )

    def _check(self, group: ReducedGroup, slots: list[int], number: Any) -> None:
        """Every rate is one of a state or a variable."""
        model = self.model
        variable = group.bindings[:, slots]
        place = model.position[variable]
        wrong = np.argwhere((number < 0) & (place >= 0) & ~model.is_state[place])
        if not len(wrong):
            return
        name = variable_text(model, int(variable[tuple(wrong[0])]))
        raise StructureError(
            "E215",
            f"what happens at events reads der({name}), but '{name}' is no state and no equation differentiates it",
            place=model.flat.variables.place(int(variable[tuple(wrong[0])])),
            advice=f"add a variable for it, with an equation: rate == tg.der({name}), and read that",
        )
