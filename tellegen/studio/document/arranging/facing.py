"""Which way parts face: sources and what leads to a reference stand upright, ends face what they are connected to.

sources                poles above and below
shunts                 one pole at a net with a ground, and that pole is below
ends, two-pole parts   mirrored where a line would otherwise have to go around them
"""

from __future__ import annotations

from collections.abc import Mapping

from tellegen.studio.document.arranging.nodes import Network, Node, side

OPPOSITE = {"left": "right", "right": "left"}


def facing(network: Network) -> dict[str, str]:
    """How each part is turned."""
    turned: dict[str, str] = {}
    for name, node in network.nodes.items():
        turned[name] = "r90" if node.upright else _shunt(node, network) or _hung(node, network)
    free = [node for node in network.nodes.values() if node.is_turnable and not turned[node.name]]
    ends = [node for node in free if len(node.poles) == 1]
    inner = [node for node in free if len(node.poles) > 1]
    for nodes, least in ((inner, 2), (ends, 1), (inner, 1)):  # an end is rather mirrored than what it ends
        for node in nodes:
            if turned[node.name]:
                continue
            turned[node.name] = "m" if _gain_by_mirror(node, network, turned) >= least else ""
    return turned


def _shunt(node: Node, network: Network) -> str:
    """How a part with two poles, one of them at a ground, stands upright; empty for all others."""
    poles = {pole.name: pole for pole in node.poles}
    plain = len(poles) == 2 and len({pole.type for pole in node.poles}) == 1 and node.is_turnable
    if not plain or {pole.side for pole in node.poles} != {"left", "right"}:
        return ""
    nets = network.at[node.name]
    below = [net for net in nets if network.is_reference(net)]
    if len(nets) != 2 or len(below) != 1:
        return ""
    sides = {poles[end.port].side for end in below[0] if end.part == node.name and end.port in poles}
    return "" if len(sides) != 1 else "r90" if sides == {"right"} else "r270"


def _hung(node: Node, network: Network) -> str:
    """How a part with one port hangs below ports at the bottom of others; empty for all others."""
    if len(node.poles) != 1 or not node.is_turnable or node.poles[0].side not in OPPOSITE:
        return ""
    others = {side(network.nodes[end.part], end.port, "") for end in network.others(node.name)}
    if others != {"bottom"}:
        return ""
    return "r90" if node.poles[0].side == "left" else "r270"


def _gain_by_mirror(node: Node, network: Network, turned: Mapping[str, str]) -> int:
    """How many lines more leave towards what they lead to if a part is mirrored."""
    votes = 0
    sole = len(node.poles) == 1
    for net in network.at[node.name]:
        own = [side(node, end.port, turned[node.name]) for end in net if end.part == node.name]
        if len(own) != 1 or own[0] not in OPPOSITE or (len(net) > 2 and not sole):
            continue
        for end in net:
            if end.part == node.name or network.are_parallel(node.name, end.part):
                continue
            other = side(network.nodes[end.part], end.port, turned[end.part])
            votes += (other == own[0]) - (other == OPPOSITE[own[0]])
    return votes
