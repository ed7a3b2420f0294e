"""Ports that nobody connects: their flows are zero, which is what an open end means; some ports cannot be one.

A component with losses that is asked for its heat port has to get rid of heat, and without a connection it could not:
its losses would have to be zero. Such ports say `must_connect` where they are declared.
"""

from __future__ import annotations

import numpy as np

from tellegen.errors import StructureError
from tellegen.flatten.connect import Joined
from tellegen.flatten.layout import Layout
from tellegen.ir.model import IntArray


def check_open_ports(joined: Joined) -> None:
    """Raise E214 for a port that must be connected and is not. Open ports of the model itself are its surroundings'."""
    nodes = joined.layout.tree.nodes
    asked = [b for b in joined.blocks if b.node and not b.inner and nodes[b.node].kind.ports[b.port].must_connect]
    if not asked:
        return
    members = np.bincount(joined.labels)
    for block in asked:
        alone = np.flatnonzero(members[joined.labels[block.first : block.first + block.length]] == 1)
        if len(alone):
            _refuse(joined, block.node, block.port, int(alone[0]))


def driven_variables(layout: Layout) -> IntArray:
    """Of connectors of the model itself: the variables that are given from outside, like inputs."""
    root = layout.tree.nodes[0]
    found = [np.zeros(0, np.int64)]
    for port in root.kind.ports:
        for number in port.variables:
            variable = root.kind.variables[number]
            if port.driven and variable.role == port.driven:
                found.append(root.variable_base[number] + np.arange(variable.size))
    return np.concatenate(found)


def _refuse(joined: Joined, n: int, q: int, element: int) -> None:
    layout = joined.layout
    port = layout.tree.nodes[n].kind.ports[q]
    first = layout.tree.nodes[n].variable_base[port.variables[0]] + element
    path, _, _ = layout.variables.name(first).rpartition(".")
    raise StructureError(
        "E214",
        f"'{path}' is not connected: its flow has nowhere to go",
        location=layout.variables.location(first),
        advice="connect it to a HeatCapacitor, a FixedTemperature, ..., or disable the port: use_heat_port=False",
    )
