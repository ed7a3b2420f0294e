"""Stream connectors: what fluid arriving at a port carries.

In a connection set each member sends fluid to the node with weight w (its outflow) and value c; what arrives at
member i is the mixture of the others, r_i = sum_{j != i} w_j c_j / sum_{j != i} w_j (Franke et al., Modelica 2009).
Members seen from inside a composite send what arrives from outside. Two members: what one sends the other gets.
A lone port gets its own. When nothing flows all weights get the same floor, so the value stays defined; the floor falls
smoothly to zero where EPSILON flows, and from there on the mixture is exact and energy is conserved to round-off.

What arrives at a member that itself sends is what nobody receives, and it would jump wherever another member begins or
ceases to send: solvers would chatter over a value that does not matter. So a sender adds SHARE of its own flow to the
weights of the others: its value is smooth over SHARE of that flow, and exact at the reversal, where it matters.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.flatten.connect import Sets
from tellegen.ir.expressions.expr import ONE, ZERO, Call, Const, Expr, Slot
from tellegen.ir.expressions.template import EquationTemplate, SlotInfo
from tellegen.ir.flat import Group
from tellegen.ir.model import Array

EPSILON = 1e-8  # kg/s; below it the mixture is blended
SHARE = 1e-3  # of what a member sends, added to the weights of all others in what arrives at it


def stream_equations(sets: Sets, flow: int, k: int) -> tuple[Any, list[Group]]:
    """Equalities and mixing equations for stream variable k of a family, carried by variable `flow`."""
    lengths = np.diff(sets.begins)
    pairs = []
    groups = []
    size = sets.sizes[k]
    for e in range(size):
        outflow = sets.columns[k] + e
        inflow = outflow + _inflow_shift(sets, k)
        sent = np.where(sets.inner, inflow, outflow)
        got = np.where(sets.inner, outflow, inflow)
        lone = sets.begins[:-1][lengths == 1]
        pairs.append(np.stack([got[lone], sent[lone]], axis=1))
        first = sets.begins[:-1][lengths == 2]
        pairs.append(np.stack([got[first], sent[first + 1]], axis=1))
        pairs.append(np.stack([got[first + 1], sent[first]], axis=1))
        groups += _mixing(sets, lengths, sets.columns[flow], sent, got)
    return np.concatenate(pairs) if pairs else np.zeros((0, 2), np.int64), groups  # no substances, no equations


def _inflow_shift(sets: Sets, k: int) -> Any:
    """How far the inflow variable lies after the outflow variable (its block follows directly)."""
    lengths = np.array([block.length for block in sets.blocks])
    return np.repeat(lengths * sets.sizes[k], lengths)[sets.members]


def _mixing(sets: Sets, lengths: Array, flow: Array, sent: Array, got: Array) -> list[Group]:
    groups = []
    for n in np.unique(lengths[lengths >= 3]).tolist():
        rows = sets.begins[:-1][lengths == n][:, None] + np.arange(n)
        rows = np.take_along_axis(rows, np.argsort(sets.inner[rows], axis=1, kind="stable"), axis=1)
        inside = sets.inner[rows].sum(axis=1)
        for m in np.unique(inside).tolist():
            chosen = rows[inside == m]
            for i in range(n):
                others = [j for j in range(n) if j != i]
                signs = tuple(1 if j >= n - m else -1 for j in others)
                columns = [
                    got[chosen[:, i]],
                    *(flow[chosen[:, j]] for j in others),
                    *(sent[chosen[:, j]] for j in others),
                    flow[chosen[:, i]],
                ]
                template = mixing_template(signs, 1 if i >= n - m else -1)
                groups.append(
                    Group(template, np.stack(columns, axis=1).astype(np.int32), ((0, 0, max(len(chosen), 1)),))
                )
    return groups


def _outflow(slot: int, sign: int) -> Expr:
    """What flows to the node through a member, zero if it flows the other way."""
    return Call("max", (Slot(slot) if sign > 0 else Call("neg", (Slot(slot),)), ZERO))


def mixing_template(signs: tuple[int, ...], own: int) -> EquationTemplate:
    """slot 0 == mixture of the n others; slots 1..n their flows, n+1..2n what they send, 2n+1 the own flow."""
    n = len(signs)
    weights = [_outflow(j + 1, sign) for j, sign in enumerate(signs)]
    sent: list[Expr] = [Slot(n + 1 + j) for j in range(n)]
    total = Call("add", tuple(weights))
    lacking = Call("max", (Call("sub", (ONE, Call("div", (total, Const(EPSILON))))), ZERO))
    blend = Call("mul", (Const(EPSILON), Call("pow", (lacking, Const(2.0)))))
    floor = Call("add", (blend, Call("mul", (Const(SHARE), _outflow(2 * n + 1, own)))))  # added to every weight
    carried = [Call("mul", pair) for pair in zip(weights, sent, strict=True)]
    carried.append(Call("mul", (floor, Call("add", tuple(sent)))))
    every = Call("add", (total, Call("mul", (Const(float(n)), floor))))
    mixture = Call("no_event", (Call("div", (Call("add", tuple(carried)), every)),))
    names = ("arriving", *(f"flow{j}" for j in range(n)), *(f"sent{j}" for j in range(n)), "own")
    slots = tuple(SlotInfo(name, False) for name in names)
    return EquationTemplate(slots=slots, lhs=Slot(0), rhs=mixture, owner="mixing")
