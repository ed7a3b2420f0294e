"""What follows the derivatives of inputs: a source across a capacitor, a current forced through a coil.

    0 == c1.v + c2.v - u            differentiated by index reduction:   0 == c1.v' + c2.v' - u'

Index reduction takes u as constant, which is right between events, and small deviations of u are not constant. So the
rows of order k get back what u contributes to them, by Leibniz' rule

    (g_u u)^(k) == g_u^(k) u + ... + k g_u' u^(k-1) + g_u u^(k)          g_u^(m) is the derivative by u of g^(m)

and x' == A x + B0 u + B1 u' + ... becomes x~' == A x~ + B u by counting the states from where the inputs put them,
x~ == x - B1 u - ... (Kailath, "Linear Systems", 1980, section 2.1).
"""

from __future__ import annotations

from itertools import pairwise
from math import comb

import numpy as np

from tellegen.errors import NumericError
from tellegen.ir.expressions.expr import Call, Slot, walk, walk_needed
from tellegen.ir.expressions.ops import WITH_DERIVATIVES
from tellegen.ir.model import Array, FloatArray, IntArray
from tellegen.ir.reduced import KNOWN, PARAMETER, ReducedModel
from tellegen.ir.source_location import here

_ROUNDING = 1e-12  # of the terms that cancel


def residual_by_input_derivatives(model: ReducedModel, by_inputs: FloatArray, positions: Array) -> list[FloatArray]:
    """dF/du', dF/du'', ... from dF/du: as many as any row needs, none where nothing was differentiated.

    `positions` are those of the inputs among the parameters. Inputs that come with their derivatives
    (tg.with_derivatives) have these as inputs of their own, and are not differentiated.
    """
    order, below = _derived_rows(model)
    by_inputs = _without_known_derivatives(model, by_inputs, positions)
    out: list[FloatArray] = []
    for j in range(1, int(order.max(initial=0)) + 1):
        columns = np.zeros_like(by_inputs)
        rows = np.flatnonzero(order >= j)
        lower = rows
        for _ in range(j):
            lower = below[lower]
        times = np.array([comb(int(k), j) for k in order[rows]], float)
        columns[rows] = times[:, None] * by_inputs[lower]
        out.append(columns)
    while out and not out[-1].any():
        out.pop()
    return out


def _without_known_derivatives(model: ReducedModel, by_inputs: FloatArray, positions: Array) -> FloatArray:
    out = by_inputs
    place = np.full(model.flat.variables.count, -1)  # of a known variable among the parameters
    place[model.known] = model.flat.parameters.count + np.arange(len(model.known))
    for offset, group in zip(model.offsets, model.groups, strict=False):
        marked = {node for node in walk(group.residual) if isinstance(node, Call) and node.op == WITH_DERIVATIVES}
        if not marked:
            continue
        inside = {node.index for one in marked for node in walk(one) if isinstance(node, Slot)}
        outside = {node.index for node in walk_needed(group.residual) if isinstance(node, Slot)}
        for slot in inside:
            kind = group.kinds[slot]
            if kind not in (KNOWN, PARAMETER):
                continue
            own = group.bindings[:, slot] if kind == PARAMETER else place[group.bindings[:, slot]]
            hit = own[:, None] == np.asarray(positions)[None, :]
            if hit.any() and slot in outside:
                raise _with_and_without(model)
            out = out.copy() if out is by_inputs else out
            out[offset : offset + group.rows][hit] = 0.0
    return out


def _with_and_without(model: ReducedModel) -> NumericError:
    what = f"in {model.flat.name} an equation has an input with its derivatives, and once more without them"
    return NumericError("E304", what, location=here(), advice="write tg.with_derivatives(...) wherever it occurs")


def _derived_rows(model: ReducedModel) -> tuple[IntArray, IntArray]:
    """Per row how often it was differentiated, and the row that it is the derivative of (-1 for none)."""
    order = np.zeros(model.equation_count, np.int64)
    below = np.full(model.equation_count, -1, np.int64)
    for k, group in enumerate(model.groups):
        if group.order == 0:
            continue
        lower = model.groups[k - 1]
        assert (lower.source, lower.order, lower.rows) == (group.source, group.order - 1, group.rows)
        own = int(model.offsets[k]) + np.arange(group.rows)
        order[own] = group.order
        below[own] = int(model.offsets[k - 1]) + np.arange(group.rows)
    first = int(model.offsets[-1])
    by_source = np.argsort(model.linear.sources, kind="stable")  # of each source the row, its derivative, ...
    for lower, row in pairwise(by_source):
        if model.linear.sources[lower] == model.linear.sources[row]:
            order[first + row] = order[first + lower] + 1
            below[first + row] = first + lower
    return order, below


def without_input_derivatives(
    a: FloatArray, b: list[FloatArray], c: FloatArray, d: list[FloatArray]
) -> tuple[FloatArray, list[FloatArray]]:
    """B of x~' == A x~ + B u, and D0, D1, ... of y == C x~ + D0 u + D1 u' + ...; D1, ... are zero up to rounding."""
    b = [each.copy() for each in b]
    d = [each.copy() for each in d]
    size = [np.abs(each) for each in d]
    for j in range(len(b) - 1, 0, -1):
        b[j - 1] += a @ b[j]
        d[j - 1] += c @ b[j]
        size[j - 1] += np.abs(c) @ np.abs(b[j])
    for each, terms in zip(d, size, strict=True):
        each[np.abs(each) <= _ROUNDING * terms] = 0.0
    return b[0], d


def refuse_improper(d: list[FloatArray], outputs: tuple[str, ...], inputs: tuple[str, ...]) -> None:
    """An error that names an output which follows the derivative of an input, where there is one."""
    for order, part in enumerate(d[1:], start=1):
        for row, column in np.argwhere(part):
            rate = "the derivative" if order == 1 else f"derivative {order}"
            raise NumericError(
                "E304",
                f"'{outputs[row]}' follows {rate} of '{inputs[column]}', which no linear model with states can",
                location=here(),
                advice="choose other outputs, or take tg.frequency_response, which has no such limit",
            )
