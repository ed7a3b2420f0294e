"""A digital node: the value that its outputs agree on."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.importers.spice.elements.digital.outputs import Statements
from tellegen.importers.spice.netlist.logic import STRONG, SWITCHED, WEAK
from tellegen.library.digital.logic import ONE, ZERO, X, all_of, any_of, logic_input, logic_output


class LogicNode(tg.Component):
    """What several outputs drive: strong ones win over weak ones, these over those that are switched off.

    Those that decide have to agree, else the value is unknown. One output alone decides also where it is off. A node
    that nothing drives is 0.
    """

    kinds = tg.parameter((), structural=True, description="how each output drives: strong, weak or switched")
    n = tg.parameter(0, structural=True, description="number of outputs")
    x = logic_input("values of the outputs", n)
    on = logic_input("strength of those that can be switched, in their order", lambda self: self.kinds.count(SWITCHED))
    y = logic_output("value")
    v = tg.variable("V", "0 for 0, 1 for 1, 1/2 for unknown", discrete=True, start=0.0)

    def equations(self) -> Statements:
        yield self.y == self._value()
        yield self.v == tg.where(self.y == "0", 0.0, tg.where(self.y == "1", 1.0, 0.5))

    def _value(self) -> Any:
        if not self.kinds:
            return ZERO
        if len(self.kinds) == 1:
            return self.x[0]
        never = self.x[0] == "-"
        strong = [self._is(k, "1") if kind == SWITCHED else kind == STRONG for k, kind in enumerate(self.kinds)]
        doubtful = [self._is(k, "X") if kind == SWITCHED else False for k, kind in enumerate(self.kinds)]
        weak = [kind == WEAK for kind in self.kinds]
        decided = _agreement(self._among([strong, doubtful], never))
        in_doubt = _agreement(self._among([doubtful, weak] if any(weak) else [[True] * len(weak)], never))
        rest = _agreement(self._among([weak] if any(weak) else [[True] * len(weak)], never))
        some_strong = any_of([_condition(each, never) for each in strong])
        some_doubt = any_of([_condition(each, never) for each in doubtful])
        return tg.where(some_strong, decided, tg.where(some_doubt, in_doubt, rest))

    def _is(self, k: int, value: str) -> Any:
        return self.on[self.kinds[:k].count(SWITCHED)] == value

    def _among(self, sets: list[list[Any]], never: Any) -> list[tuple[Any, Any]]:
        """Each output with the condition that it counts."""
        found = []
        for k in range(len(self.kinds)):
            counts = [_condition(each[k], never) for each in sets if each[k] is not False]
            if counts:
                found.append((any_of(counts), self.x[k]))
        return found


def _condition(known: Any, never: Any) -> Any:
    """A Boolean as a condition."""
    if isinstance(known, bool):
        return ~never if known else never
    return known


def _agreement(outputs: list[tuple[Any, Any]]) -> Any:
    """The value of those that count, if they have the same."""
    if not outputs:
        return X
    all_low = all_of([~counts | (x == "0") for counts, x in outputs])
    all_high = all_of([~counts | (x == "1") for counts, x in outputs])
    return tg.where(all_low, ZERO, tg.where(all_high, ONE, X))
