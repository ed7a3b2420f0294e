"""The FlatModel in residual form: where the passes begin.

    before   r.v == r.R * r.i            r.n.v, c.p.v connected         n == pre(n) + 1
    after    r.v - r.R * r.i             r.n.v - c.p.v (linear row)     - (computed at events: find_events.py)

Inputs and whatever events give a value are known; every other variable is an unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.ir.expressions.expr import Expr, Slot
from tellegen.ir.expressions.template import EquationTemplate
from tellegen.ir.flat import FlatModel, Group
from tellegen.ir.reduced import Int32Array, LinearRows, ReducedModel
from tellegen.structure.reduction.variants import Recovery, Variants


def residual_form(flat: FlatModel) -> ReducedModel:
    """Every equation and variable as written; connections become linear rows."""
    count = flat.variables.count
    discrete = discrete_groups(flat)
    of_discrete = {equation.source for equation in discrete}
    given = [equation.variables for equation in discrete]
    known = np.unique(np.concatenate([flat.inputs, flat.assigned_variables, *given])).astype(np.int32)
    is_known = np.zeros(count, bool)
    is_known[known] = True
    everyone = Recovery(np.arange(count, dtype=np.int32), np.ones(count, np.int8), is_known)
    return ReducedModel(
        flat=flat,
        groups=tuple(
            part
            for k, group in enumerate(flat.equations)
            if k not in of_discrete
            for part in Variants(group, k).split(np.arange(group.rows), everyone)
        ),
        linear=_connections(flat),
        initial=(),
        representative=everyone.representative,
        sign=everyone.sign,
        known=known,
        unknowns=np.flatnonzero(~is_known).astype(np.int32),
        is_state=np.zeros(count - len(known), bool),
    )


@dataclass(frozen=True, eq=False)
class DiscreteGroup:
    """Group `source` of the FlatModel gives the discrete variables in a slot their value."""

    source: int
    group: Group
    slot: int
    value: Expr

    @property
    def variables(self) -> Int32Array:
        """The variable of each row."""
        return self.group.bindings[:, self.slot]


def discrete_groups(flat: FlatModel) -> list[DiscreteGroup]:
    """Equations that give a discrete variable its value.

    Between events the value is constant, so they are not equations for the integrator but are computed at events.
    """
    found: dict[int, DiscreteGroup] = {}
    given: list[Any] = [flat.assigned_variables]  # by when-statements
    for side in ("lhs", "rhs"):  # `u == on` gives u its value, unless nothing else gives `on` one
        for k, group in enumerate(flat.equations):
            template = group.template
            assert isinstance(template, EquationTemplate)
            one, other = (template.lhs, template.rhs) if side == "lhs" else (template.rhs, template.lhs)
            if k in found or not isinstance(one, Slot):
                continue
            slot = template.slots[one.index]
            bound = group.bindings[:, one.index]
            if slot.parameter or not slot.discrete or any(np.isin(bound, known).any() for known in given):
                continue
            found[k] = DiscreteGroup(k, group, one.index, other)
            given.append(bound)
    return [found[k] for k in sorted(found)]


def _connections(flat: FlatModel) -> LinearRows:
    """Equalities and sums as rows of weights."""
    pairs = flat.equalities
    sums = flat.sums
    offset = 2 * len(pairs)
    return LinearRows(
        np.concatenate([np.arange(0, offset, 2), offset + sums.indptr]).astype(np.int32),
        np.concatenate([pairs.ravel(), sums.indices]).astype(np.int32),
        np.concatenate([np.tile([1, -1], len(pairs)), sums.signs]).astype(np.int32),
        np.concatenate([-1 - np.arange(len(pairs)), np.arange(sums.rows)]).astype(np.int64),
    )
