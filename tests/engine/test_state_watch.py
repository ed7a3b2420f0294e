"""The native watch over chosen states says what NumPy says of the same matrices."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tellegen.engine.integrators.watched_ida import stage_table
from tellegen.engine.native.record import Record
from tellegen.engine.runtime.sundials.state_watch import GOOD, LOOKS_UNTIL_COMPARED, all_exceed, is_good
from tellegen.graph.core import Core, Cores, Entries
from tellegen.procedures.evaluate import evaluate
from tellegen.procedures.load import load

# `is_good` is no entry, for it returns a Boolean; the evaluator of procedures does not mind
UNIT = load(is_good, all_exceed)


def random_core(random: np.random.Generator) -> tuple[Core, Any, Any]:
    """A random sparse matrix of constraints, what is left to choose of it, its numbers and a choice."""
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
    return core, values, core.chosen(core.reduced(values), keep) if len(core.rows) else None


def smallest_singular_value(core: Core, values: Any, chosen: Any) -> float:
    found = core.square(core.reduced(values), chosen)
    return 0.0 if found is None else float(np.linalg.svd(found[0], compute_uv=False)[-1])


def as_namespace(table: Record) -> SimpleNamespace:
    return SimpleNamespace(**table.kept)


def test_random_constraints() -> None:
    """500 matrices; those whose smallest singular value is within roundings of the limit prove nothing."""
    random = np.random.default_rng(16)
    compared = {True: 0, False: 0}
    for _ in range(500):
        core, values, chosen = random_core(random)
        if chosen is None:
            continue
        if random.random() < 0.3:  # another choice, which may be none for this core
            chosen = random.permutation(chosen)
        smallest = smallest_singular_value(core, values, chosen)
        table = stage_table(core, chosen, np.arange(len(values)))
        assert table is not None
        size = max(core.entries.shape)
        watch = SimpleNamespace(
            looks=LOOKS_UNTIL_COMPARED, jacobian=values, reduced=np.zeros(size), bulk=np.zeros(size)
        )
        watch.square, watch.products = np.zeros(size * size), np.zeros(size * size)
        if abs(smallest - GOOD) > 1e-9:
            assert evaluate(UNIT, "is_good", watch, as_namespace(table), GOOD) == (smallest > GOOD)
            compared[smallest > GOOD] += 1
    assert min(compared.values()) > 50, compared


@pytest.mark.parametrize("count", [1, 2, 5])
def test_singular_values_beyond_a_limit(count: int) -> None:
    """Matrices with known singular values, just above the limit and just below it."""
    random = np.random.default_rng(count)
    left, right = (np.linalg.qr(random.normal(size=(count, count)))[0] for _ in range(2))
    for smallest, expected in ((1.001 * GOOD, True), (0.999 * GOOD, False)):
        square = left @ np.diag([smallest, *np.linspace(1.0, 3.0, count - 1)]) @ right
        watch = SimpleNamespace(square=square.ravel(), products=np.zeros(count * count))
        assert evaluate(UNIT, "all_exceed", watch, count, GOOD) == expected
