"""Why start values of storage elements are not free, in the words of networks; for the errors about them.

two capacitors in parallel        b forms a loop with a: they share one state
"""

from __future__ import annotations

from collections.abc import Iterable

from tellegen.ir.flat import FlatModel
from tellegen.network.forest import normal_forest
from tellegen.network.names import Names
from tellegen.network.normal_tree import tree_of
from tellegen.network.system import network_of

_LARGEST = 20_000  # edges of a network that an error message looks at
_SHOWN = 5
CURE = (
    "only one of them can have an independent start value: set fixed=False on the others, or insert a small resistance"
)


def shared_states(flat: FlatModel, variables: Iterable[int]) -> list[str]:
    """Sentences about the loops and cut-sets that the components of these variables are in; empty if there are none."""
    network = network_of(flat)
    if not 0 < network.edge_count <= _LARGEST:
        return []
    names = Names(network)
    owners = {flat.tree.path(node, instance) for node, _, instance, _ in map(flat.variables.locate, variables)}
    lost = tree_of(normal_forest(network), names).lost
    involved = [each for each in lost if owners & {_owner(label, owners) for label in (each.element, *each.members)}]
    return [*(f"  {each}" for each in involved[:_SHOWN]), *([f"  {CURE}"] if involved else [])]


def _owner(label: str, owners: set[str]) -> str:
    """The component of an edge: its label, or what stands before the terminal."""
    return label if label in owners else label.rpartition(".")[0]
