"""Rows that call the same opaque function with the same arguments become rows of one loop, which calls it once.

    y[t1] = f(y[t0])[0]   and   y[t1] = f(y[t0])[1]        two loops over tables of (u, a) and (u, b)
    y[t1] = f(y[t0])[0];        y[t2] = f(y[t0])[1]        one loop over the table (u, a, b)

The outputs of a software component are equations of their own, but its code runs once for all of them; so do the
difference quotients of its outputs. The printers call a function once for all results that a row wants.

    y[t1] = a(y[t0])   and   y[t1] = b(y[t0])                          parts of one function f
    y[t1] = f(y[t0], y[t2])[0];       y[t3] = f(y[t0], y[t2])[1]       one loop with all arguments

So an equation of an FMU of a thousand states mentions only those that it depends on.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

import numpy as np

from tellegen.ir.expressions.expr import (
    LACKING,
    Apply,
    Expr,
    Function,
    Slot,
    changed_operands,
    rebuild,
    same_with,
    walk,
)
from tellegen.ir.program import SCALAR, Loop, Operand, Store

Column = bytes | int
"""Where the rows of an operand stand: the content of a column of the table, or SCALAR."""


def share_calls(loops: Iterable[Loop]) -> list[Loop]:
    """The loops, of which none may need what another one computes, with those that share a call joined."""
    positions: dict[tuple[str, Column], Slot] = {}
    cluster_of: dict[Hashable, list[Loop]] = {}
    out: list[list[Loop]] = []
    for loop in loops:
        calls = _calls(loop, positions)
        cluster = next((cluster_of[call] for call in calls if call in cluster_of), None)
        if cluster is None:
            cluster = []
            out.append(cluster)
        cluster.append(loop)
        cluster_of.update((call, cluster) for call in calls)
    return [joined(cluster) for cluster in out]


def _column(loop: Loop, number: int) -> Column:
    return SCALAR if number == SCALAR else loop.table[:, number].tobytes()


def _calls(loop: Loop, positions: dict[tuple[str, Column], Slot]) -> list[Hashable]:
    """Functions with their arguments in terms of `places`, where equal operands have equal slots in all loops."""
    nodes = dict.fromkeys(node for store in loop.stores for node in walk(store.value))
    applied = [node for node in nodes if isinstance(node, Apply)]
    if not applied:
        return []
    keys = [(operand.array, _column(loop, operand.column)) for operand in loop.operands]
    slots = [positions.setdefault(key, Slot(len(positions))) for key in keys]

    changed: dict[Expr, Expr] = {}  # for all arguments together: hundreds of them may have long parts in common
    for node in nodes:
        args = changed_operands(changed, node.args)
        changed[node] = slots[node.index] if isinstance(node, Slot) else same_with(node, args)
    how = (loop.rows, loop.accumulates)
    return [(*_told(node, changed), how) for node in applied]


def _told(node: Apply, changed: Mapping[Expr, Expr]) -> tuple[Function, tuple[Expr, ...]]:
    """What calls must have in common to be one: the function and its arguments; of parts those that label the call."""
    function = node.function
    if function.part is None:
        return function, tuple(changed[arg] for arg in node.args)
    return function.part.whole, tuple(changed[arg] for arg in node.args[len(node.args) - function.labels :])


def joined(loops: list[Loop]) -> Loop:
    """One loop with the stores of all, over a table that has every column once."""
    if len(loops) == 1:
        return loops[0]
    columns: dict[bytes, int] = {}
    operands: dict[Operand, int] = {}
    stores: list[Store] = []

    def position(loop: Loop, number: int) -> int:
        content = _column(loop, number)
        return columns.setdefault(content, len(columns)) if isinstance(content, bytes) else SCALAR

    for loop in loops:
        new = [Operand(o.array, position(loop, o.column)) for o in loop.operands]
        numbers = [operands.setdefault(operand, len(operands)) for operand in new]

        def change(node: Expr, args: tuple[Expr, ...], numbers: list[int] = numbers) -> Expr:
            return Slot(numbers[node.index]) if isinstance(node, Slot) else same_with(node, args)

        stores += [
            Store(s.array, position(loop, s.column), rebuild(s.value, change), s.accumulate) for s in loop.stores
        ]
    table = np.column_stack([np.frombuffer(content, np.int32) for content in columns])
    return Loop(np.ascontiguousarray(table, np.int32), tuple(operands), tuple(_completed(stores)))


def _completed(stores: list[Store]) -> list[Store]:
    """The stores, where parts of a function have become calls of it with the arguments of all, if these agree."""
    found: dict[Function, list[Expr]] = {}
    differ: set[Function] = set()
    nodes = dict.fromkeys(node for store in stores for node in walk(store.value) if isinstance(node, Apply))
    for node, part in ((node, node.function.part) for node in nodes):
        if part is None:
            continue
        args = found.setdefault(part.whole, [LACKING] * part.arity)
        for k, arg in zip(part.arguments, node.args, strict=True):
            if args[k] == LACKING:
                args[k] = arg
            elif args[k] != arg:
                differ.add(part.whole)
    whole = {function: tuple(args) for function, args in found.items() if function not in differ}
    if not whole:
        return stores

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        part = node.function.part if isinstance(node, Apply) else None
        if part is None or part.whole not in whole:
            return same_with(node, args)
        assert isinstance(node, Apply)
        return Apply(part.whole, whole[part.whole], part.outputs[node.output])

    return [Store(each.array, each.column, rebuild(each.value, change), each.accumulate) for each in stores]
