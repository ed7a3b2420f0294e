"""Tellegen's theorem as a property of flat models.

Whatever potentials obey the equalities of the connections and whatever flows obey their sums, the power over all
ports of all leaf components adds up to zero. Composite ports are counted on both sides with opposite signs, so they
drop out. Nothing is assumed about the components.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from tellegen.ir.flat import FlatModel, Sums


def random_across(flat: FlatModel, random: np.random.Generator) -> Any:
    """A random value for every variable, the same for variables that connections make equal."""
    count = flat.variables.count
    a, b = flat.equalities[:, 0], flat.equalities[:, 1]
    graph = csr_matrix((np.ones(len(a)), (a, b)), shape=(count, count))
    classes, label = connected_components(graph, directed=False)
    return random.normal(size=classes)[label]


def random_through(flat: FlatModel, random: np.random.Generator) -> Any:
    """Random values for the flows, projected on those that obey every sum; the other variables get zero."""
    sums, count = flat.sums, flat.variables.count
    matrix = csr_matrix((sums.signs.astype(float), sums.indices, sums.indptr), shape=(sums.rows, count))
    square = (matrix @ matrix.T).toarray()
    out = np.zeros(count)
    out[np.unique(sums.indices)] = random.normal(size=len(np.unique(sums.indices)))
    for _ in range(2):  # the second time takes away the round-off of the first
        out -= matrix.T @ np.linalg.lstsq(square, matrix @ out)[0]
    assert np.abs(matrix @ out).max(initial=0.0) < 1e-12
    return out


def port_pairs(flat: FlatModel) -> tuple[Any, Any]:
    """The across and through scalars of all ports of all leaf components, in the same order."""
    across: list[Any] = []
    through: list[Any] = []
    for node in flat.tree.nodes:
        kind = node.kind
        if kind.groups:  # a composite: its ports only hand on
            continue
        for port in kind.ports:
            by_role: dict[str, list[int]] = {"across": [], "through": []}
            for member in port.variables:
                role = kind.variables[member].role
                if role in by_role:
                    size = node.count * kind.variables[member].size
                    by_role[role].extend(range(node.variable_base[member], node.variable_base[member] + size))
            across += by_role["across"]
            through += by_role["through"]
    assert len(across) == len(through)
    return np.array(across, int), np.array(through, int)


def power(flat: FlatModel, seed: int = 0) -> tuple[float, float]:
    """The sum of across times through over all leaf ports, and the sum of its absolute terms, for one random draw."""
    random = np.random.default_rng(seed)
    potential, flow = random_across(flat, random), random_through(flat, random)
    across, through = port_pairs(flat)
    terms = potential[across] * flow[through]
    return float(terms.sum()), float(np.abs(terms).sum())


def check_tellegen(flat: FlatModel, seed: int = 0) -> None:
    """Assert the theorem for one random draw; the draw must move power, or the test says nothing."""
    total, scale = power(flat, seed)
    assert scale > 0.0, "no power flows: the network is too small for this test"
    assert abs(total) <= 1e-12 * scale * max(1, flat.sums.rows), (total, scale)


def tampered(flat: FlatModel, row: int) -> FlatModel:
    """The model with the sign of one flow in one sum turned round."""
    signs = flat.sums.signs.copy()
    signs[flat.sums.indptr[row]] *= -1
    return replace(flat, sums=Sums(flat.sums.indptr, flat.sums.indices, signs))
