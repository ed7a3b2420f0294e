"""When a part of an expression matters: random expressions, against their values with that part either way."""

from __future__ import annotations

from itertools import product

import numpy as np

from tellegen.ir.expressions.expr import Call, Const, Expr, Slot, walk
from tellegen.symbolic.evaluate import evaluate
from tellegen.symbolic.relevance import relevance

_STEADY = 3
_SLOTS = 6
_CONDITIONS = [Call("gt", (Slot(k), Const(0.5))) for k in range(_SLOTS)]


def _steady(expr: Expr) -> bool:
    return all(node.index < _STEADY for node in walk(expr) if isinstance(node, Slot))


def _condition(rng: np.random.Generator, depth: int) -> Expr:
    kind = rng.integers(4) if depth else 3
    if kind == 3:
        return _CONDITIONS[rng.integers(_SLOTS)]
    if kind == 2:
        return Call("not", (_condition(rng, depth - 1),))
    return Call("and" if kind else "or", (_condition(rng, depth - 1), _condition(rng, depth - 1)))


def _number(rng: np.random.Generator, depth: int) -> Expr:
    if not depth:
        return Const(float(rng.integers(5)))
    if rng.random() < 0.3:
        return Call("add", (_number(rng, depth - 1), _number(rng, depth - 1)))
    return Call("where", (_condition(rng, 2), _number(rng, depth - 1), _number(rng, depth - 1)))


def test_a_part_that_does_not_matter_changes_nothing() -> None:
    rng = np.random.default_rng(5)
    idle = 0
    for _ in range(60):
        root = _number(rng, 3)
        found = relevance(root, _steady)
        for relation, condition in found.items():
            if relation not in _CONDITIONS[_STEADY:]:
                continue
            own = _CONDITIONS.index(relation)  # type: ignore[arg-type]
            for values in product((0.0, 1.0), repeat=_SLOTS):
                if evaluate(condition, values):
                    continue
                idle += 1
                other = [1.0 - value if k == own else value for k, value in enumerate(values)]
                assert evaluate(root, values) == evaluate(root, other)
    assert idle > 500


def test_friction_matters_by_mode() -> None:
    """stuck and (s > s0 or started and s > s1): the second one matters while the element is stuck and has started."""
    stuck, started, _, first, second, _ = _CONDITIONS
    whole = Call("and", (stuck, Call("or", (first, Call("and", (started, second))))))
    found = relevance(whole, _steady)
    assert found[first] == stuck
    assert found[second] == Call("and", (stuck, started))
