"""Walking over an expression: every node once, operands first, and nothing that outlives the expression."""

from __future__ import annotations

import gc

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
