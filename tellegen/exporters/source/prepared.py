"""A model ready to be written: checked, mechanisms composed, and what a run starts from said in full."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tellegen.errors import StructureError
from tellegen.flatten.flatten import flatten
from tellegen.flatten.mechanics.compose import with_mechanism
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import Kind, Model, Ref, Setting, whole
from tellegen.ir.reduced import BoolArray
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
    composed = replace(with_mechanism(model), root=flat.tree.nodes[0].kind)  # the very kinds of the flat model
    return Prepared(composed, flat, (*composed.settings, *fixed_states(flat)))


def parts_first(model: Model) -> list[Kind]:
    """Every kind of a model once, those of parts before those that have them."""
    found: dict[int, Kind] = {}

    def visit(kind: Kind) -> None:
        for group in kind.groups:
            if id(group.kind) not in found:
                visit(group.kind)
        found[id(kind)] = kind

    visit(model.root)
    return list(found.values())


def fixed_states(flat: FlatModel) -> list[Setting]:
    """`fixed` for the states, which begin at their start values whether somebody said so or not.

    Other programs may choose other states. Initial equations release start values; then nothing is added.
    """
    return [_setting(flat, int(index)) for index in np.flatnonzero(chosen_states(flat))]


def chosen_states(flat: FlatModel) -> BoolArray:
    """Per variable of the flat model whether it is a state that is not declared fixed, under any of its names."""
    chosen = np.zeros(flat.variables.count, bool)
    if flat.initial_equations:
        return chosen
    try:
        reduced = reduce(flat)
    except StructureError:
        return chosen  # a component by itself need not determine its unknowns
    fixed = flat.variables.column("fixed", 0.0)
    promised = np.zeros(reduced.variable_count, bool)
    promised[reduced.representative[: len(fixed)][fixed > 0]] = True
    if not promised[reduced.unknowns[~reduced.is_state]].any():
        states = reduced.unknowns[reduced.is_state]
        chosen[[int(v) for v in states if v < len(chosen) and not promised[v]]] = True
    return chosen


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
