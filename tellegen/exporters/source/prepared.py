"""A model ready to be written: checked, mechanisms composed, and what a run starts from said in full."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tellegen.errors import StructureError
from tellegen.flatten.flatten import flatten
from tellegen.flatten.mechanics.compose import with_mechanism
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import Model, Ref, Setting, whole
from tellegen.structure.passes import reduce


@dataclass(frozen=True)
class Prepared:
    """The model without mechanical statements, and the numbers given to it from outside."""

    model: Model
    flat: FlatModel
    settings: tuple[Setting, ...]


def prepared(model: Model) -> Prepared:
    """Check a model as a compilation would."""
    flat = flatten(model)
    composed = with_mechanism(model)  # the components of the flat model
    return Prepared(composed, flat, (*composed.settings, *fixed_states(flat)))


def fixed_states(flat: FlatModel) -> list[Setting]:
    """`fixed` for the states, which begin at their start values whether somebody said so or not.

    Other programs may choose other states. Initial equations release start values; then nothing is added.
    """
    if flat.initial_equations:
        return []
    try:
        reduced = reduce(flat)
    except StructureError:
        return []  # a component by itself need not determine its unknowns
    states = reduced.unknowns[reduced.is_state]
    fixed = flat.variables.column("fixed", 0.0)
    promised = np.zeros(reduced.variable_count, bool)
    promised[reduced.representative[: len(fixed)][fixed > 0]] = True
    chosen = [int(v) for v in states if v < flat.variables.count and not promised[v]]
    if promised[reduced.unknowns[~reduced.is_state]].any():
        return []
    return [_setting(flat, index) for index in chosen]


def _setting(flat: FlatModel, index: int) -> Setting:
    node, member, instance, element = flat.variables.locate(index)
    path: list[int] = []
    number = node
    while number > 0:
        path.append(flat.tree.nodes[number].group)
        number = flat.tree.nodes[number].parent
    size = flat.tree.nodes[node].kind.variables[member].size
    ref = Ref(tuple(reversed(path)), member, whole([instance * size + element]), False)
    return Setting(ref, "fixed", np.ones(1))
