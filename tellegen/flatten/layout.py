"""Where everything goes: one block of scalars for each member of each node.

System with 1000 resistors (v, i) and 1000 capacitors (v)
->  resistor.v: 0..999   resistor.i: 1000..1999   capacitor.v: 2000..2999
"""

from __future__ import annotations

import numpy as np

from tellegen.errors import InternalError
from tellegen.ir.flat import Node, Table, Tree
from tellegen.ir.model import IntArray, Kind, Model, Ref
from tellegen.start.records import dataclass


@dataclass
class Layout:
    """The tree with its two tables of blocks, and the number of ports."""

    tree: Tree
    variables: Table
    parameters: Table
    port_count: int

    def indices(self, node_number: int, ref: Ref) -> IntArray:
        """Scalar numbers that a ref of a kind means, one row for each instance of the node."""
        target, instances, stride = self._target(node_number, ref)
        node = self.tree.nodes[target]
        if ref.outer:
            names = node.kind.parameter_index if ref.parameter else node.kind.variable_index
            member = names[ref.outer_member]
        else:
            member = ref.member
        size = (node.kind.parameters if ref.parameter else node.kind.variables)[member].size
        base = (node.parameter_base if ref.parameter else node.variable_base)[member]
        return base + (instances * (stride * size))[:, None] + ref.elements[None, :]

    def _target(self, node_number: int, ref: Ref) -> tuple[int, IntArray, int]:
        """The node a ref ends at, the instance each starts from, and how many instances lie below one."""
        count = self.tree.nodes[node_number].count
        instances = np.arange(count, dtype=np.int64)
        if ref.outer:
            node, first, _ = self.outer(node_number, ref.outer)
            return node, first, 1
        stride = 1
        for group in ref.path:
            node_number = self.tree.children[node_number, group]
            stride *= self.tree.nodes[node_number].size
        return node_number, instances, stride

    def outer(self, node_number: int, name: str) -> tuple[int, IntArray, int]:
        """The node of an outer component, and which of its instances each instance of the node sees."""
        nodes = self.tree.nodes
        instances = np.arange(nodes[node_number].count, dtype=np.int64)
        while node_number > 0:
            instances = instances // nodes[node_number].size
            node_number = nodes[node_number].parent
            found = nodes[node_number].kind.child_index.get(name)
            if found is not None:
                group, k = found
                size = nodes[node_number].kind.groups[group].size
                return self.tree.children[node_number, group], instances * size + k, k
        raise InternalError("E902", f"outer '{name}' was lost between the model and flattening")


def lay_out(model: Model) -> Layout:
    """Blocks for all variables, parameters and ports of a model, parents before children."""
    nodes: list[Node] = []
    starts: tuple[list[int], list[int]] = ([], [])
    owners: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    totals = [0, 0, 0]
    queue: list[tuple[Kind, int, int, int, int]] = [(model.root, -1, -1, 1, 1)]
    for kind, parent, group, size, count in queue:
        bases: tuple[list[int], list[int], list[int]] = ([], [], [])
        for which, members in enumerate((kind.variables, kind.parameters)):
            for k, member in enumerate(members):
                bases[which].append(totals[which])
                starts[which].append(totals[which])
                owners[which].append((len(nodes), k))
                totals[which] += count * member.size
        for port in kind.ports:
            bases[2].append(totals[2])
            totals[2] += count * port.count
        here = len(nodes)
        nodes.append(Node(kind, parent, group, size, count, tuple(bases[0]), tuple(bases[1]), tuple(bases[2])))
        queue.extend((child.kind, here, g, child.size, count * child.size) for g, child in enumerate(kind.groups))
    tree = Tree(model.name, tuple(nodes))
    tables = [Table(tree, which == 1, tuple(starts[which]), tuple(owners[which]), totals[which]) for which in (0, 1)]
    return Layout(tree, tables[0], tables[1], totals[2])
