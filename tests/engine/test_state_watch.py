"""The native watch over chosen states says what NumPy says of the same matrices."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tellegen.engine.integrators.watched_choice import stage_table
from tellegen.engine.runtime.algebra.state_watch import (
    GOOD,
    KEEP,
    LOOKS_UNTIL_COMPARED,
    all_exceed,
    is_good,
    is_worth_a_comparison,
    pick_columns,
    smallest_singular_value,
)
from tellegen.graph.core import Core, Cores, Entries
from tellegen.graph.independent import independent_columns
from tellegen.procedures.evaluate import evaluate
from tellegen.procedures.load import load

# these are no entries, for they return Booleans; the evaluator of procedures does not mind
UNIT = load(is_good, is_worth_a_comparison, pick_columns, all_exceed, smallest_singular_value)


def random_core(random: np.random.Generator) -> tuple[Core, Any, Any, Any]:
    """A random sparse matrix of constraints, what is left to choose of it, its numbers, a choice, what is wanted."""
    rows = int(random.integers(1, 7))
    columns = rows + int(random.integers(1, 5))
    pairs = np.argwhere(random.random((rows, columns)) < 0.6)
    varies = random.random(len(pairs)) < 0.5
    values = random.choice([1.0, -1.0, 2.0], len(pairs))
    entries = Entries((rows, columns), pairs[:, 0], pairs[:, 1], varies)
    keep = random.integers(0, 3, columns).astype(float)
    cores = Cores(entries, values, keep, np.ones(rows, int), np.ones(columns, int))
    core = cores.at(1, np.ones(columns, bool))
    values = np.where(varies, random.normal(size=len(pairs)), values)
    return core, values, core.chosen(core.reduced(values), keep) if len(core.rows) else None, keep


def smallest_of(core: Core, values: Any, chosen: Any) -> float:
    found = core.square(core.reduced(values), chosen)
    return 0.0 if found is None else float(np.linalg.svd(found[0], compute_uv=False)[-1])


def watch_of(values: Any, size: int) -> SimpleNamespace:
    """The record of a watch, with room for matrices of that size."""
    rows = {name: np.zeros(size) for name in ("row", "bulk")}
    squares = {name: np.zeros(size * size) for name in ("reduced", "rest", "square", "products")}
    marks = {name: np.zeros(size, np.int32) for name in ("picked", "is_picked")}
    looks = {"looks": LOOKS_UNTIL_COMPARED, "patience": LOOKS_UNTIL_COMPARED}
    return SimpleNamespace(values=values, doubtful_below=np.zeros(1), **rows, **squares, **marks, **looks)


def test_random_constraints() -> None:
    """250 matrices: what is picked, and whether it is so much better that the choice has to be compared.

    Those whose singular values are within the precision of the watch (three digits) of a limit prove nothing.
    """
    random = np.random.default_rng(16)
    compared = {True: 0, False: 0}
    for _ in range(250):
        core, values, chosen, keep = random_core(random)
        if chosen is None:
            continue
        if random.random() < 0.5:  # another choice, which may be none for this core
            chosen = random.permutation(chosen)
        table = SimpleNamespace(**stage_table(core, chosen, keep, np.arange(len(values))).kept)
        watch = watch_of(values, max(core.entries.shape))
        watch.stages = [table]
        found = not evaluate(UNIT, "is_good", watch, table) and evaluate(UNIT, "is_worth_a_comparison", watch, 0)
        picked = independent_columns(core.reduced(values), keep[core.columns], varying=True)
        now = smallest_of(core, values, chosen)
        if core.square(core.reduced(values), chosen) is None:
            assert found
            continue
        if picked is None or now > GOOD + 1e-9:
            assert not found
            continue
        evaluate(UNIT, "pick_columns", watch, table)
        assert watch.picked[: len(core.rows)].tolist() == picked.tolist()
        best = float(np.linalg.svd(core.reduced(values)[:, picked], compute_uv=False)[-1])
        if abs(now - KEEP * best) > 2e-3 and abs(now - GOOD) > 1e-9:
            assert found == (now < KEEP * best)
            compared[found] += 1
    assert min(compared.values()) > 25, compared


@pytest.mark.parametrize("count", [1, 2, 5])
def test_singular_values(count: int) -> None:
    """Matrices with known singular values, just above a limit and just below it."""
    random = np.random.default_rng(count)
    left, right = (np.linalg.qr(random.normal(size=(count, count)))[0] for _ in range(2))
    for smallest, expected in ((1.001 * GOOD, True), (0.999 * GOOD, False)):
        square = left @ np.diag([smallest, *np.linspace(1.0, 3.0, count - 1)]) @ right
        watch = SimpleNamespace(square=square.ravel(), products=np.zeros(count * count))
        assert evaluate(UNIT, "all_exceed", watch, count, GOOD) == expected
        found = evaluate(UNIT, "smallest_singular_value", watch, count)
        assert found == pytest.approx(smallest, abs=np.sqrt(count) / 2**12)
