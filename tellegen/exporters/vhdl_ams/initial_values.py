"""Which quantities begin at their start values: for each entity, and for each of the parts in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from tellegen.exporters.source.prepared import chosen_states
from tellegen.exporters.vhdl_ams.names import LibraryNames, refused
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import Kind


@dataclass
class InitialValues:
    """`elements` are the scalars that begin at their start values, by id(kind) and variable. Of those in `sometimes`
    only some instances do: `parts` says which, by id(parent), group, child and variable."""

    elements: dict[int, dict[int, list[int]]] = field(default_factory=dict)
    sometimes: set[tuple[int, int]] = field(default_factory=set)
    parts: dict[tuple[int, int, int, int], bool] = field(default_factory=dict)

    def held(self, kind: Kind) -> dict[int, list[int]]:
        """The variables of a kind that begin at their start values, and which of their elements do."""
        return self.elements.get(id(kind), {})


def initial_values(flat: FlatModel, library: LibraryNames) -> InitialValues:
    """Collect them from the instances of a model."""
    held = chosen_states(flat) | (flat.variables.column("fixed", 0.0) > 0)
    found = InitialValues()
    patterns: dict[tuple[int, int], set[tuple[bool, ...]]] = {}
    for node in flat.tree.nodes:
        for number, variable in enumerate(node.kind.variables):
            if number in library.of(node.kind).signals or not variable.size:
                continue
            base = node.variable_base[number]
            flags = held[base : base + node.count * variable.size].reshape(node.count, variable.size)
            patterns.setdefault((id(node.kind), number), set()).update(tuple(row) for row in flags.tolist())
            for child in range(node.size if node.parent >= 0 else 0):
                parent = flat.tree.nodes[node.parent].kind
                begins = {any(row) for row in flags[child :: node.size].tolist()}
                key = (id(parent), node.group, child, number)
                if begins != {found.parts.setdefault(key, any(begins))}:
                    raise refused(f"'{variable.name}' of parts that begin in different ways", parent)
    kinds = {id(node.kind): node.kind for node in flat.tree.nodes}
    for (key, number), rows in patterns.items():
        beginning = [row for row in rows if any(row)]
        if len(beginning) > 1:
            raise refused(
                f"'{kinds[key].variables[number].name}', of which other elements begin elsewhere,", kinds[key]
            )
        if beginning:
            elements = [k for k, begins in enumerate(beginning[0]) if begins]
            found.elements.setdefault(key, {})[number] = elements
            if len(rows) > 1:
                found.sometimes.add((key, number))
    return found
