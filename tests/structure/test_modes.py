"""No row is solved in symbols for an unknown that it lacks in one of its modes, and matchings are mended."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from engine.test_modes import Ball, Charger, SaturatedMotor
from golden_models.hybrid import Vessel
from tellegen.dataflow.rows import rows_of
from tellegen.graph.incidence import incidence
from tellegen.graph.matching import augment, match
from tellegen.ir.expressions.expr import Call, Const, Expr, Slot, rebuild, walk
from tellegen.ir.reduced import KNOWN
from tellegen.ir.sorted import EXPLICIT
from tellegen.stages import reduce_model
from tellegen.structure.passes import sort
from tellegen.symbolic.build import call
from tellegen.symbolic.solve import affine

DRIVE = Path(__file__).resolve().parents[2] / "examples" / "current_limit.py"


def in_mode(expr: Expr, modes: dict[int, int]) -> Expr:
    """The expression while slots hold these modes."""

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Call) and node.op == "eq" and isinstance(args[0], Slot) and args[0].index in modes:
            assert isinstance(args[1], Const)
            return Const(args[1].value == modes[args[0].index])
        return call(node.op, *args) if isinstance(node, Call) else node

    return rebuild(expr, change)


@pytest.mark.parametrize("model", [Ball, Charger, SaturatedMotor, Vessel, "drive"])
def test_nothing_is_divided_by_what_vanishes_in_a_mode(model: Any) -> None:
    component: tg.Component = runpy.run_path(str(DRIVE))["Drive"]() if model == "drive" else model()
    ordered = sort(reduce_model(component))
    blocks = ordered.blocks
    solved = (blocks.kind[blocks.block] == EXPLICIT) | (blocks.inner >= 0)
    looked_at = 0
    for part in rows_of(ordered).sets:
        selectors = {
            node.args[0].index
            for node in walk(part.residual)
            if isinstance(node, Call) and node.op == "eq" and isinstance(node.args[0], Slot)
            if part.kinds[node.args[0].index] == KNOWN
        }
        looked_at += bool(selectors)
        for leaf in part.leaves if selectors else ():
            mine = blocks.assigned[part.rows] == part.columns(leaf, ordered.wanted)
            if not (mine & solved[part.rows]).any():
                continue
            for mode in range(3):
                parts = affine(in_mode(part.residual, dict.fromkeys(selectors, mode)), leaf)
                assert parts is not None
                assert parts[0] != Const(0.0), f"{leaf} has no coefficient in mode {mode}"
    assert looked_at


def test_matchings_are_mended_by_alternating_paths() -> None:
    """Row 0 loses column 0: it takes 1, row 1 takes 2, row 2 takes 0. If row 2 has only column 2, 0 stays free."""
    table = {0: [0, 1], 1: [1, 2], 2: [2, 0]}
    pairs = np.array([(row, column) for row, columns in table.items() for column in columns])
    assert (match(incidence(pairs[:, 0], pairs[:, 1], (3, 3))) >= 0).all()
    row_of = np.arange(3)
    assert augment({**table, 0: [1]}.__getitem__, row_of, [0], [0]) == []
    assert augment({**table, 0: [1], 2: [2]}.__getitem__, row_of, [0], [0]) == [0]
