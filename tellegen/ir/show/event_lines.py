"""The events of a ReducedModel, line by line: what switches, what is computed at instants, and what acts then.

    flag1: h < 0
    when flag1 > 0.5
      reinit(v, -e*pre(v))

Everything discrete is a place among the parameters; equations read flag1, level1, delay1, pre(v), initial, ...
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tellegen.ir.equation import parameter_leaf
from tellegen.ir.events import (
    ASSERT,
    OPERATOR_NUMBERS,
    REACH,
    REINIT,
    TERMINATE,
    TRANSPORT,
    VARYING_DELAY,
    Events,
    Relations,
    Values,
)
from tellegen.ir.expressions.ops import OPS
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.show.equation_lines import expression_line
from tellegen.ir.show.flat_model import SHOWN, cut
from tellegen.ir.show.reduced_rows import variable_text

_INFIX = {OPERATOR_NUMBERS[name]: OPS["gt" if name == REACH else name].infix for name in OPERATOR_NUMBERS}


def event_lines(model: ReducedModel) -> Iterator[str]:
    """All events; of many alike the first and last."""
    if model.events is not None:
        yield from _Lines(model, model.events).all()


class _Numbers:
    """The expressions of a table of values, by number."""

    def __init__(self, model: ReducedModel, values: Values) -> None:
        self.model = model
        self.values = values
        self.group = np.zeros(values.count, np.int64)
        self.row = np.zeros(values.count, np.int64)
        for k, numbers in enumerate(values.indices):
            self.group[numbers] = k
            self.row[numbers] = np.arange(len(numbers))

    def __getitem__(self, number: int) -> str:
        return expression_line(self.model, self.values.groups[self.group[number]], int(self.row[number]))


class _Lines:
    def __init__(self, model: ReducedModel, events: Events) -> None:
        self.model = model
        self.events = events
        self.conditions = _Numbers(model, events.conditions)
        self.values = _Numbers(model, events.values)
        self.initial_values = _Numbers(model, events.initial.values)
        self.samples = _Numbers(model, events.samples.values)
        self.delays = _Numbers(model, events.delays.values)

    def all(self) -> Iterator[str]:
        events = self.events
        yield from self._relations(events.relations, 1, self._gates())
        yield from self._relations(events.instants, 1 + len(events.relations.flag), {})
        yield from cut(len(events.samples.flag), self._sample)
        yield from cut(len(events.delays.index), self._delay)
        yield from cut(len(events.levels.index), self._level)
        yield from cut(len(events.always.variable), self._always)
        yield from cut(len(events.initial.index), self._initial)
        for when in range(min(events.whens, SHOWN)):
            yield from self._when(when)
        if events.whens > SHOWN:
            yield f"... {events.whens - SHOWN} more when-statements"

    def _gates(self) -> dict[int, str]:
        """When relations matter that do not always."""
        gates = self.events.gates
        conditions = _Numbers(self.model, gates.values)
        return {relation: f", while {conditions[k]}" for k, relation in enumerate(gates.relation.tolist())}

    def _relations(self, relations: Relations, first: int, gates: dict[int, str]) -> Iterator[str]:
        differences = _Numbers(self.model, relations.differences)
        sign = relations.operator.tolist()
        yield from cut(len(sign), lambda k: f"flag{first + k}: {differences[k]} {_INFIX[sign[k]]} 0{gates.get(k, '')}")

    def _sample(self, k: int) -> str:
        return f"sample{k + 1}: first at {self.samples[2 * k]}, then every {self.samples[2 * k + 1]}"

    def _delay(self, k: int) -> str:
        kind = self.events.delays.kind[k]
        first = int(self.events.delays.number[k])
        what = self.delays[first]
        if kind == TRANSPORT:
            return f"delay{k + 1}: {what}, carried by {self.delays[first + 1]}, while {self.delays[first + 3]}"
        varies = " (varies)" if kind == VARYING_DELAY else ""
        return f"delay{k + 1}: {what}, {self.delays[first + 1]} ago{varies}"

    def _level(self, k: int) -> str:
        return f"level{k + 1} := {self.values[int(self.events.levels.value[k])]}"

    def _always(self, k: int) -> str:
        """A discrete variable that an equation gives its value."""
        always = self.events.always
        return f"{self._target(int(always.variable[k]), int(always.sign[k]))} := {self.values[int(always.value[k])]}"

    def _initial(self, k: int) -> str:
        """A discrete variable, or its pre(), that an initial equation gives its value."""
        initial = self.events.initial
        sign = "-" if initial.sign[k] < 0 else ""
        value = self.initial_values[int(initial.value[k])]
        return f"initially {sign}{self._entry(int(initial.index[k]))} := {value}"

    def _entry(self, index: int) -> str:
        """A discrete variable, or its past, by its place among the parameters."""
        model = self.model
        if index < model.homotopy_index:
            return variable_text(model, int(model.known[index - model.flat.parameters.count]))
        return parameter_leaf(model, index).name

    def _when(self, when: int) -> Iterator[str]:
        actions = self.events.actions
        first, last = self.events.first_condition[when : when + 2].tolist()
        for branch in range(last - first):
            yield f"{'elsewhen' if branch else 'when'} {self.conditions[first + branch]}"
            for k in np.flatnonzero((actions.when == when) & (actions.branch == branch)).tolist():
                yield f"  {self._action(k)}"

    def _action(self, k: int) -> str:
        actions = self.events.actions
        verb = int(actions.verb[k])
        value = self.values[int(actions.value[k])]
        if verb == TERMINATE:
            return f"terminate({self.events.messages[k]!r})"
        if verb == ASSERT:
            return f"assert {value}"
        target = self._target(int(actions.target[k]), int(actions.sign[k]))
        return f"reinit({target}, {value})" if verb == REINIT else f"{target} := {value}"

    def _target(self, variable: int, sign: int) -> str:
        return ("-" if sign < 0 else "") + variable_text(self.model, variable)
