"""homotopy(actual, simplified) becomes a blend that initialization can move.

    before   m == homotopy(A*sqrt(dp), m0*dp/dp0)
    after    m == where(h >= 1, A*sqrt(dp), h*(A*sqrt(dp)) + (1 - h)*(m0*dp/dp0))      h: one more parameter

h comes after all parameters and inputs in the vector of parameters. It is 1 while the model runs.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tellegen.ir.expressions.expr import ONE, Call, Expr, Slot, rebuild, same_with, walk
from tellegen.ir.reduced import PARAMETER, ReducedGroup, ReducedModel
from tellegen.symbolic.build import add, mul, sub, where


def blend_homotopy(model: ReducedModel) -> ReducedModel:
    """See the top of this file."""
    index = model.homotopy_index
    return replace(
        model,
        groups=tuple(_blended(group, index) for group in model.groups),
        initial=tuple(_blended(group, index) for group in model.initial),
    )


def _blended(group: ReducedGroup, index: int) -> ReducedGroup:
    if not any(isinstance(node, Call) and node.op == "homotopy" for node in walk(group.residual)):
        return group
    h = Slot(len(group.kinds))

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Call) and node.op == "homotopy":
            actual, simplified = args
            blend = add(mul(h, actual), mul(sub(ONE, h), simplified))
            return where(Call("ge", (h, ONE)), actual, blend)
        return same_with(node, args)

    column = np.full((group.rows, 1), index, np.int32)
    return replace(
        group,
        residual=rebuild(group.residual, change),
        kinds=(*group.kinds, PARAMETER),
        bindings=np.concatenate([group.bindings, column], axis=1),
    )
