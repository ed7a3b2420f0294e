"""Missing references: a network whose equations know only differences of its potentials has no level.

An equation is anchored when moving all potentials in it by the same amount changes it, or when it contains the time
derivative of a potential (then the initial state fixes the level). A part of the network without any anchored
equation floats. This needs no list of ground components: it is read off the equations.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from tellegen.errors import UndeterminedError
from tellegen.flatten.connect import Sets
from tellegen.graph.sets import connected_sets
from tellegen.ir.expressions.expr import Apply, Call, Der, Expr, Lookup
from tellegen.ir.expressions.ops import OPS
from tellegen.ir.expressions.template import EquationTemplate
from tellegen.ir.flat import FlatModel, Group
from tellegen.ir.model import Array, Port
from tellegen.symbolic.evaluate import evaluate


def check_references(flat: FlatModel, families: dict[str, Sets], set_count: int) -> None:
    """Raise E210 for a floating part of any physical network."""
    set_of = np.full(flat.variables.count, -1, np.int32)
    extra: list[Any] = []
    for sets in families.values():
        for k, role in enumerate(sets.roles):
            if role == "across":
                extra.append(_note_sets(sets, k, set_of))
    edges = [pair for pair in extra if len(pair)]
    anchored = np.zeros(set_count, dtype=bool)
    for group in flat.equations:
        _take(flat, group, set_of, edges, anchored)
    pairs = np.concatenate(edges) if edges else np.zeros((0, 2), np.int64)
    islands = connected_sets(set_count, pairs[:, 0], pairs[:, 1])
    held = np.zeros(set_count, dtype=bool)
    held[islands[anchored]] = True
    root_end = _last_variable_of_root(flat)
    held[islands[set_of[:root_end][set_of[:root_end] >= 0]]] = True  # open ports of the root are held from outside
    with_potential = np.flatnonzero(set_of >= 0)
    floating = with_potential[~held[islands[set_of[with_potential]]]]
    if floating.size:
        _report(flat, floating, islands[set_of[floating]])


def _note_sets(sets: Sets, k: int, set_of: Array) -> Any:
    """Write the set of each potential; returns pairs of sets that share one (the two sides of a composite's port)."""
    pairs = []
    for e in range(sets.sizes[k]):
        outside = sets.columns[k][~sets.inner] + e
        inside = sets.columns[k][sets.inner] + e
        set_of[outside] = sets.labels[~sets.inner]
        pairs.append(np.stack([set_of[inside], sets.labels[sets.inner]], axis=1))
    return np.concatenate(pairs)


def _take(flat: FlatModel, group: Group, set_of: Array, edges: list[Any], anchored: Array) -> None:
    template = group.template
    assert isinstance(template, EquationTemplate)
    across = [s for s, slot in enumerate(template.slots) if slot.role == "across"]
    if not across or not group.rows:
        return
    by_family: dict[str, list[int]] = {}
    for s in across:
        by_family.setdefault(_port(flat, int(group.bindings[0, s])).family, []).append(s)
    for slots in by_family.values():
        sets = set_of[group.bindings[:, slots]]
        if is_anchored(template, slots):
            anchored[sets.ravel()] = True
        for k in range(len(slots) - 1):
            edges.append(sets[:, k : k + 2])


def is_anchored(template: EquationTemplate, slots: list[int]) -> bool:
    """Whether the statement notices when the potentials in `slots` all move together. Tried with numbers."""
    moving = set(slots)
    special: dict[Expr, float] = {}
    random = Random(1)  # numpy.random would take longer to import than a small model to flatten
    for node in template.nodes:
        if (isinstance(node, Der) and node.index in moving) or isinstance(node, Apply | Lookup):
            return True
        if isinstance(node, Call) and OPS[node.op].numeric is None:
            special[node] = random.uniform(0.1, 1.0)
    count = len(template.slots)
    for _ in range(2):
        values = np.array([random.uniform(0.1, 0.9) for _ in range(count)])
        moved = values.copy()
        moved[slots] += 0.37
        ders = np.array([random.uniform(0.1, 0.9) for _ in range(count)])
        before, after = (evaluate(template.residual, v, time=0.3, ders=ders, special=special) for v in (values, moved))
        if np.isfinite(before) and abs(after - before) > 1e-9 * (1 + abs(before)):
            return True
    return False


def _port(flat: FlatModel, variable: int) -> Port:
    """The port a connector variable belongs to."""
    node, member, _, _ = flat.variables.locate(variable)
    return next(port for port in flat.tree.nodes[node].kind.ports if member in port.variables)


def _last_variable_of_root(flat: FlatModel) -> int:
    return sum(variable.size for variable in flat.tree.nodes[0].kind.variables)  # the root comes first


def _report(flat: FlatModel, floating: Array, island: Array) -> None:
    members = floating[island == island[0]]
    names: dict[str, None] = {}
    connector = _port(flat, int(members[0])).connector
    for index in members.tolist()[:2000]:
        node, _, instance, _ = flat.variables.locate(int(index))
        names.setdefault(flat.tree.path(node, instance))
    shown = ", ".join(list(names)[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
    raise UndeterminedError(
        "E210",
        f"a {connector} network has no reference: its equations contain only potential differences",
        location=flat.variables.location(int(members[0])),
        details=[
            f"floating components: {shown}",
            f"for example '{flat.variables.name(int(members[0]))}' could have any value",
        ],
        advice="connect a point of it to a reference of its domain (a Ground, a Fixed support, an ambient temperature)",
        about=[flat.variables.name(int(members[0])), *names],
    )
