"""Expandable connectors: what is on a bus exists where something uses it (MLS 9.1.3).

What connect statements name on a bus is declared there, and on all buses connected with it (bus_declarations.py).
A variable of a bus that is connected to variables of buses only, and that no statement reads, stays out of the model,
with all its connections.
"""

from __future__ import annotations

from collections.abc import Callable

from tellegen.frontends.modelica.kinds.connect import Joint
from tellegen.frontends.modelica.kinds.ports import Address, PlannedPort, PortTable
from tellegen.graph.rooted_forest import Union


def leave_out_unused(
    ports: PortTable, joints: list[list[Joint]], scalars_read: Callable[[], set[int]]
) -> list[list[Joint]]:
    """Mark the ports of buses that nothing uses as absent; the joints of all others."""
    if not any(port.on_bus for of_part in ports.ports for port in of_part):
        return joints
    read = scalars_read()
    numbers: dict[Address, int] = {}
    sets = Union()
    for joint in (joint for of_part in joints for joint in of_part):
        sets.join(_number(joint.a, numbers), _number(joint.b, numbers))
    used: set[int] = set()
    for address, number in numbers.items():
        if _is_used(ports.ports[address.part][address.port], read):
            used.add(sets.find(number))
    for part, of_part in enumerate(ports.ports):
        for k, port in enumerate(of_part):
            connected = [numbers.get(Address(part, k, element), -1) for element in range(port.count)]
            in_use = any(number >= 0 and sets.find(number) in used for number in connected)
            port.is_absent = port.on_bus and not in_use and not _is_used(port, read)
    return [[joint for joint in of_part if not _is_absent(joint, ports)] for of_part in joints]


def _number(address: Address, numbers: dict[Address, int]) -> int:
    return numbers.setdefault(address, len(numbers))


def _is_used(port: PlannedPort, read: set[int]) -> bool:
    """Whether something besides a bus has this port, or a statement reads it."""
    if not port.on_bus:
        return True
    return any(v.first_number + k in read for v in port.variables for k in range(v.size))


def _is_absent(joint: Joint, ports: PortTable) -> bool:
    return ports.ports[joint.a.part][joint.a.port].is_absent or ports.ports[joint.b.part][joint.b.port].is_absent
