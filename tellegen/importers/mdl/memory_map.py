"""Where values are stored (thesis, section 2.4.2): one segment of outputs, and for each module where its inputs look.

    address  output            module  inputs look at
    0        g.out[0]          c1      4, 0
    1        g.out[1]          pid     0, 1, 10, 11

The hierarchy is gone: an input holds the address of the output that is computed, however many configurations lie
between. Inputs of the outermost configuration have the addresses after all outputs.
"""

from __future__ import annotations

from dataclasses import dataclass

from tellegen.importers.mdl.network import FlatNetwork, Network, Source, flat
from tellegen.sheet import Shown, Table


@dataclass(frozen=True, eq=False, repr=False)
class MemoryMap(Shown):
    """The values by address, the input segment of each module, and the addresses of the outermost outputs."""

    name: str
    values: tuple[str, ...]
    inputs: dict[str, tuple[int, ...]]
    outputs: tuple[int, ...]

    def _title(self) -> str:
        return f"Memory of {self.name}: {len(self.values)} values, {sum(map(len, self.inputs.values()))} inputs"

    def _page(self) -> list[Table | str]:
        values = [(str(address), value) for address, value in enumerate(self.values)]
        looks = [(name, ", ".join(map(str, addresses)) or "nowhere") for name, addresses in self.inputs.items()]
        looks += [(self.name, ", ".join(map(str, self.outputs)))] if self.outputs else []
        return [Table(("address", "value"), values), Table(("module", "inputs look at"), looks)]


def memory_map_of(network: Network) -> MemoryMap:
    """The map of all primitives of a configuration."""
    whole = flat(network)
    address = _addresses(whole)
    inputs = {path: tuple(address[source] for source in member.sources) for path, member in whole.members.items()}
    return MemoryMap(network.name, tuple(map(str, address)), inputs, tuple(address[source] for source in whole.outputs))


def _addresses(whole: FlatNetwork) -> dict[Source, int]:
    outputs = [Source(path, k) for path, member in whole.members.items() for k in range(member.outputs)]
    everything = [*outputs, *(Source("", k) for k in range(whole.inputs))]
    return {source: address for address, source in enumerate(everything)}
