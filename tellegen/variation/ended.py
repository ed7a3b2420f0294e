"""A model that ends where a condition becomes true: FlatModel -> FlatModel.

always (y < 1.2)     ->     when time >= 0 and 1.2 - y < 0: terminate

The integrator watches the condition as it watches those of the model itself, so the run ends at the instant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tellegen.ir.expressions.expr import Const, Expr
from tellegen.ir.expressions.template import Action, Branch, SlotInfo, WhenTemplate
from tellegen.ir.flat import FlatModel, Group
from tellegen.start.records import dataclass


@dataclass(frozen=True, eq=False)
class Ending:
    """A condition over slots, what the slots are, which scalars of the model they stand for, and a message."""

    condition: Expr
    slots: tuple[SlotInfo, ...]
    scalars: tuple[int, ...]
    message: str


def ended(flat: FlatModel, endings: Sequence[Ending]) -> FlatModel:
    """See the top of this file."""
    return replace(flat, whens=(*flat.whens, *map(_when, endings)))


def _when(ending: Ending) -> Group:
    ends = Action("terminate", Const(True), message=ending.message)
    template = WhenTemplate(slots=ending.slots, branches=(Branch(ending.condition, (ends,)),))
    return Group(template, np.array([ending.scalars], np.int32).reshape(1, -1), ((0, 0, 1),))
