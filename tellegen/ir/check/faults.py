"""What all checkers share: a fault of a stage is ours, never the user's, and the first one found is reported."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tellegen.errors import InternalError
from tellegen.ir.expressions.expr import Apply, Call, Expr, Lookup
from tellegen.ir.expressions.ops import OPS

Indices = np.ndarray[Any, Any]
"""Integers of any width."""

REPORT_IT = "please report this with the model"
_FEW = 16  # numbers that Python looks at in a tenth of NumPy's time


def checking() -> bool:
    """Whether models are checked after every pass and programs before they are compiled: TELLEGEN_CHECK=1."""
    return os.environ.get("TELLEGEN_CHECK", "0") != "0"


def refuse(what: str, faults: Iterator[str]) -> None:
    """Raise E903 with the first fault, if there is one."""
    fault = next(faults, None)
    if fault is not None:
        raise InternalError("E903", f"{what} is not well formed: {fault}", advice=REPORT_IT)


def within(numbers: Indices, count: int) -> bool:
    """Whether all are indices of something with `count` elements."""
    if len(numbers) <= _FEW:
        values = numbers.tolist()
        return not values or (min(values) >= 0 and max(values) < count)
    return bool(0 <= numbers.min() and numbers.max() < count)


def repeated(numbers: Indices) -> bool:
    """Whether a number occurs twice."""
    ordered = np.sort(numbers)
    return bool((ordered[1:] == ordered[:-1]).any())


def once(numbers: Indices, count: int) -> bool:
    """Whether these are the numbers 0 to count - 1, each once."""
    return len(numbers) == count and within(numbers, count) and bool((np.bincount(numbers, minlength=count) == 1).all())


def expression_faults(nodes: Iterable[Expr]) -> Iterator[str]:
    """Operations, functions and tables with the wrong number of operands."""
    for node in nodes:
        if isinstance(node, Call) and (node.op not in OPS or OPS[node.op].arity not in (-1, len(node.args))):
            yield f"operation {node.op} with {len(node.args)} operands"
        if isinstance(node, Apply) and not 0 <= node.output < node.function.outputs:
            yield f"output {node.output} of {node.function.name}"
        if isinstance(node, Lookup) and len(node.args) != len(node.table.breaks):
            yield f"a table of {len(node.table.breaks)} arguments with {len(node.args)}"
