"""Where the members of the hidden parts of a mechanism (ir/mechanism.py) stand in the tables of its FlatModel."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tellegen.ir.flat import FlatModel, Tree
from tellegen.ir.model import Member


class TreeInstance(NamedTuple):
    """A component in the tree: its node, and which of the instances of that."""

    node: int
    instance: int


def hidden(tree: Tree, part: str) -> TreeInstance:
    """A hidden part: a child of the root."""
    group, k = tree.nodes[0].kind.child_index[part]
    return TreeInstance(tree.children[0, group], k)


def parameter_indices(tree: Tree, part: str, name: str) -> Any:
    """The numbers of a parameter of a hidden part, in its shape."""
    number, instance = hidden(tree, part)
    node = tree.nodes[number]
    which = node.kind.parameter_index[name]
    return _in_shape(node.parameter_base[which], instance, node.kind.parameters[which])


def variable_indices(tree: Tree, part: str, name: str) -> Any:
    """The numbers of a variable of a hidden part, in its shape."""
    number, instance = hidden(tree, part)
    node = tree.nodes[number]
    which = node.kind.variable_index[name]
    return _in_shape(node.variable_base[which], instance, node.kind.variables[which])


def is_of_hidden_part(flat: FlatModel) -> Any:
    """Which variables belong to the hidden parts of a mechanism."""
    found = np.zeros(flat.variables.count, bool)
    for number in hidden_nodes(flat):
        node = flat.tree.nodes[number]
        for base, member in zip(node.variable_base, node.kind.variables, strict=True):
            found[base : base + node.count * member.size] = True
    return found


def hidden_nodes(flat: FlatModel) -> set[int]:
    """The nodes of the hidden parts of a mechanism."""
    found: set[int] = set()
    if flat.mechanism is None:
        return found
    for number, node in enumerate(flat.tree.nodes):
        if node.parent in found or (number and node.parent == 0 and node.group >= flat.mechanism.first_part):
            found.add(number)
    return found


def _in_shape(base: int, instance: int, member: Member) -> Any:
    first = base + instance * member.size
    return np.arange(first, first + member.size).reshape(member.shape)
