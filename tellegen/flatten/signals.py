"""Signals: every input takes the value of exactly one output."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.errors import LanguageError
from tellegen.flatten.connect import Sets, across_equalities
from tellegen.flatten.layout import Layout
from tellegen.flatten.values import described
from tellegen.graph.arrays import distinct
from tellegen.ir.expressions.expr import Slot
from tellegen.ir.expressions.template import EquationTemplate, SlotInfo
from tellegen.ir.flat import Group
from tellegen.ir.model import Array, Kind, Ref
from tellegen.ir.source_location import SourceLocation


def signal_equalities(layout: Layout, sets: Sets | None) -> tuple[Any, Any]:
    """Pairs (input, its source), and the inputs that nothing feeds.

    A source is an output of a child or an input of the component itself; each set needs exactly one.
    """
    if sets is None:
        return np.zeros((0, 2), np.int64), np.zeros(0, np.int64)
    column = sets.columns[0]
    is_input = np.concatenate([np.full(b.length, _is_input(layout, b)) for b in sets.blocks])[sets.members]
    source = is_input == sets.inner  # outputs seen from outside, inputs seen from inside
    lengths = np.diff(sets.begins)
    label = np.repeat(np.arange(len(lengths)), lengths)
    count = np.bincount(label, weights=source, minlength=len(lengths)).astype(int)
    if (count > 1).any():
        raise _two_sources(layout, sets, source, label, int(np.flatnonzero(count > 1)[0]))
    fed = count[label] == 1
    first = np.zeros(len(lengths), np.int64)
    first[label[source]] = column[source]
    sinks = ~source & fed
    pairs = np.stack([column[sinks], first[label[sinks]]], axis=1)
    return pairs, _open_inputs(layout, column, label, lengths, ~source & ~fed & ~sets.inner)


def undirected_signals(layout: Layout, sets: Sets | None) -> tuple[Any, Any]:
    """Pairs of connected signals, whichever is the source, and the inputs of the model itself.

    Where inputs need no source the balance of the whole model decides whether something determines them.
    """
    if sets is None:
        return np.zeros((0, 2), np.int64), np.zeros(0, np.int64)
    root = layout.tree.nodes[0]
    found = [np.zeros(0, np.int64)]
    for number, variable in enumerate(root.kind.variables):
        if variable.role == "input":
            found.append(root.variable_base[number] + np.arange(variable.size))
    return across_equalities(sets, 0), np.concatenate(found)


def _open_inputs(layout: Layout, column: Array, label: Array, lengths: Array, unfed: Array) -> Any:
    """Inputs with no source; several joined with each other but to no output are an error."""
    joined = unfed & (lengths[label] > 1)
    if joined.any():
        names = [layout.variables.name(int(v)) for v in column[joined & (label == label[np.flatnonzero(joined)[0]])]]
        raise LanguageError(
            "E171",
            f"the inputs {' and '.join(repr(n) for n in names[:4])} are connected to each other but not to an output",
            location=_location_of_set(layout, column[joined]),
            advice="connect one output to them",
            about=names,
        )
    return column[unfed]


def _is_input(layout: Layout, block: Any) -> bool:
    kind = layout.tree.nodes[block.node].kind
    return kind.variables[kind.ports[block.port].variables[0]].role == "input"


def _two_sources(layout: Layout, sets: Sets, source: Array, label: Array, which: int) -> LanguageError:
    chosen = np.flatnonzero((label == which) & source)
    others = np.flatnonzero((label == which) & ~source)
    names = [layout.variables.name(int(sets.columns[0][k])) for k in chosen]
    target = f"input '{layout.variables.name(int(sets.columns[0][others[0]]))}'" if len(others) else "one signal"
    return LanguageError(
        "E170",
        f"{target} is connected to {len(names)} outputs: {', '.join(names)}",
        location=_location_of_set(layout, sets.columns[0][label == which]),
        advice="keep one of the connections, or combine the signals in a component (a sum, a switch)",
        about=[layout.variables.name(int(sets.columns[0][k])) for k in np.flatnonzero(label == which)],
    )


def _location_of_set(layout: Layout, signals: Array) -> SourceLocation | None:
    """The first connect statement that mentions one of these signals."""
    wanted = {layout.variables.locate(int(index))[:2] for index in signals}
    for n, node in enumerate(layout.tree.nodes):
        for connection in node.kind.connections:
            for end in (connection.a, connection.b):
                child = layout.tree.children[n, end.group] if end.group >= 0 else n
                ports = layout.tree.nodes[child].kind.ports
                if not end.outer and (child, ports[end.port].variables[0]) in wanted:
                    return connection.location
    return None


def driven_inputs(layout: Layout) -> Any:
    """Inputs of children that an equation of an enclosing component mentions: that equation determines them."""
    found = [np.zeros(0, np.int64)]
    for n, node in enumerate(layout.tree.nodes):
        for ref in mentioned_inputs(node.kind):
            found.append(layout.indices(n, ref).ravel())
    return distinct(np.concatenate(found))


def mentioned_inputs(kind: Kind) -> list[Ref]:
    """The refs to inputs of children in a kind's own equations, less those that a connection feeds."""
    refs = []
    for stamp in kind.stamps:
        if stamp.section != "equation":
            continue
        for slot, ref in zip(stamp.template.slots, stamp.refs, strict=True):
            if slot.role == "input" and ref.path:
                elements = ref.elements[~_is_fed(kind, ref)]
                if len(elements):
                    refs.append(Ref(ref.path, ref.member, elements, False))
    return refs


def _is_fed(kind: Kind, ref: Ref) -> Any:
    """Which elements of an input below a kind are ends of connections of the component around it."""
    for group in ref.path[:-1]:
        kind = kind.groups[group].kind
    around = kind.groups[ref.path[-1]]
    fed = [np.zeros(0, np.int64)]
    for connection in kind.connections:
        for end in (connection.a, connection.b):
            if end.group == ref.path[-1] and not end.outer and around.kind.ports[end.port].variables == (ref.member,):
                fed.append(end.elements)
    return np.isin(ref.elements % (around.size * around.kind.variables[ref.member].size), np.concatenate(fed))


def default_inputs(layout: Layout, open_inputs: Array, values: Array) -> tuple[list[Group], Any]:
    """Equations for unconnected inputs that have a default; inputs of the root without one are known from outside."""
    groups: list[Group] = []
    outside: list[Any] = []
    blocks: dict[tuple[int, int], list[int]] = {}
    for index in np.asarray(open_inputs).tolist():
        node, member, _, _ = layout.variables.locate(index)
        blocks.setdefault((node, member), []).append(index)
    for (n, member), indices in blocks.items():
        node = layout.tree.nodes[n]
        declared = node.kind.variables[member]
        parameter = node.kind.parameter_index[f"{declared.name}.default"]
        variables = np.array(indices)
        defaults = variables - node.variable_base[member] + node.parameter_base[parameter]
        given = ~np.isnan(values[defaults])
        if given.any():
            slots = (
                SlotInfo(declared.name, False, declared.unit),
                SlotInfo(f"{declared.name}.default", True, declared.unit),
            )
            template = EquationTemplate(
                slots=slots, lhs=Slot(0), rhs=Slot(1), owner=node.kind.name, location=declared.location
            )
            bindings = np.stack([variables[given], defaults[given]], axis=1).astype(np.int32)
            groups.append(Group(template, bindings, ((n, 0, max(declared.size, 1)),)))
        if n == 0:
            outside.append(variables[~given])
        elif not given.all():
            raise _dangling(layout, int(variables[~given][0]), declared)
    return groups, np.concatenate(outside).astype(np.int32) if outside else np.zeros(0, np.int32)


def _dangling(layout: Layout, index: int, declared: Any) -> LanguageError:
    name = layout.variables.name(index)
    return LanguageError(
        "E172",
        f"input '{name}' is not connected",
        location=layout.variables.location(index),
        details=described(declared),
        advice=f"connect an output to it, or give a value: {declared.name}=...",
    )
