"""Walking over an expression: every node once, operands first, and nothing that outlives the expression."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from tellegen.ir.expressions.expr import Call, Expr, Slot, walk


def shared() -> Expr:
    square = Call("mul", (Slot(0), Slot(0)))
    return Call("add", (square, Call("neg", (square,))))


def test_every_node_once_operands_first() -> None:
    root = shared()
    nodes = walk(root)
    assert [len(node.args) for node in nodes] == [0, 2, 1, 2]
    assert nodes[-1] is root
    assert walk(root) == nodes  # the second time from what is kept
    assert walk(root.args[0]) == nodes[:2]
    assert walk(Slot(3)) == (Slot(3),)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_is_that_of_a_walk_in_depth_whatever_was_walked_before(seed: int) -> None:
    random = np.random.default_rng(seed)
    nodes: list[Expr] = [Slot(k) for k in range(4)]
    for _ in range(40):
        nodes.append(Call("add", tuple(nodes[k] for k in random.integers(0, len(nodes), 2))))
        if random.random() < 0.3:
            walk(nodes[-1])
    for root in nodes:
        assert walk(root) == tuple(in_depth(root, {}))
    assert walk(*nodes) == tuple({node: None for root in nodes for node in in_depth(root, {})})


def in_depth(node: Expr, seen: dict[Expr, None]) -> dict[Expr, None]:
    for arg in node.args:
        in_depth(arg, seen)
    seen.setdefault(node)
    return seen


def test_what_is_kept_is_no_cycle() -> None:
    """A cycle would wait for a search for garbage: with thousands of expressions in every model these take long."""
    gc.collect(0)
    gc.disable()
    try:
        for root in (shared(), Slot(1)):
            walk(root)
        del root
        assert gc.collect(0) == 0  # of the young ones: all objects of the suite would take a second
    finally:
        gc.enable()
