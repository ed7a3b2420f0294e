"""Flat models read by name: values, starts, statements, sums and equal variables as plain Python data."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

import tellegen as tg
from tellegen.ir.flat import FlatModel, Group
from tellegen.ir.show.statements import show_row
from tellegen.symbolic.evaluate import evaluate


def values(model: Any) -> dict[str, float]:
    """Every parameter by name, in SI units."""
    flat = tg.flatten(model)
    column = flat.parameter_values
    hidden = {k for s, n, _, decl in flat.parameters.blocks() if decl.literal for k in range(s, s + n)}
    return {flat.parameters.name(k): float(column[k]) for k in range(flat.parameters.count) if k not in hidden}


def column(model: Any, attribute: str) -> dict[str, float]:
    """An attribute of the variables that have it, in SI units; start values given by expressions are computed."""
    flat = tg.flatten(model)
    numbers = flat.variables.column(attribute).copy()
    parameters = flat.parameter_values
    if attribute == "start":
        seen: set[int] = set()
        for group in flat.start_bindings:
            for row in group.bindings:
                assert int(row[0]) not in seen, "two expressions for one start value"
                seen.add(int(row[0]))
                numbers[row[0]] = evaluate(group.template.value, [None, *parameters[row[1:]]])  # type: ignore[attr-defined]
    return {flat.variables.name(k): float(x) for k, x in enumerate(numbers) if not np.isnan(x)}


def statements(model: Any, section: str = "equations") -> list[str]:
    """All rows of a section with full names."""
    flat = tg.flatten(model)
    return [line for group in getattr(flat, section) for line in rows(flat, group)]


def rows(flat: FlatModel, group: Group) -> list[str]:
    """All rows of a group with full names."""
    return [show_row(flat, group, k) for k in range(group.rows)]


def sums(model: Any) -> set[frozenset[str]]:
    """Kirchhoff's sums, each a set of signed names; a sum and its negative are the same, the first name gets a plus."""
    flat = tg.flatten(model)
    out = set()
    for row in range(flat.sums.rows):
        part = slice(int(flat.sums.indptr[row]), int(flat.sums.indptr[row + 1]))
        terms = sorted(
            (flat.variables.name(int(v)), int(s))
            for v, s in zip(flat.sums.indices[part], flat.sums.signs[part], strict=True)
        )
        turn = terms[0][1]
        out.add(frozenset(f"{'+' if sign * turn > 0 else '-'}{name}" for name, sign in terms))
    assert len(out) == flat.sums.rows, "a sum stands twice"
    return out


def nodes(model: Any) -> set[frozenset[str]]:
    """The classes of variables that connections make equal (of two or more)."""
    flat = tg.flatten(model)
    count = flat.variables.count
    a, b = flat.equalities[:, 0], flat.equalities[:, 1]
    graph = csr_matrix((np.ones(len(a)), (a, b)), shape=(count, count))
    classes, label = connected_components(graph, directed=False)
    assert len(a) == count - classes, "equalities say the same twice"
    found: list[list[str]] = [[] for _ in range(classes)]
    for k in range(count):
        found[label[k]].append(flat.variables.name(k))
    return {frozenset(names) for names in found if len(names) > 1}


def names(model: Any) -> list[str]:
    """All variables."""
    found = list(tg.flatten(model).variables.names())
    assert len(set(found)) == len(found), "a name stands twice"
    return found


def traced(model: Any) -> int:
    """How many shapes were traced."""
    return tg.flatten(model).summary.traced


def node(*parts: str) -> frozenset[str]:
    """A class of equal variables, or the terms of a sum as `sums` writes them."""
    first = min(parts, key=lambda part: part.lstrip("+-"))
    if first.startswith("-"):
        return frozenset(("-" if part[0] == "+" else "+") + part[1:] for part in parts)
    return frozenset(parts)
