"""Events in the user's words: the statements whose conditions switched or that fired, and the values they saw."""

from __future__ import annotations

from tellegen.engine.compiled import CompiledModel
from tellegen.engine.events import Happening
from tellegen.engine.values import values_text
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import FloatArray
from tellegen.ir.show import show_row
from tellegen.ir.sorted import UNKNOWN, SortedGroup
from tellegen.ir.template import WhenTemplate

_SHOWN = 5


def happening_texts(model: CompiledModel, happening: Happening) -> tuple[str, ...]:
    """The statements that took part in an event, each once."""
    events, flat = model.sorted.events, model.flat
    assert events is not None
    fired = [_fired(flat, *events.sources[when], branch) for when, branch in happening.fired]
    in_equations = [k for k in happening.switched if _relation(model, k)[0].source >= 0]
    return tuple(dict.fromkeys([*fired, *(_statement(model, k) for k in in_equations[:_SHOWN])]))


def _fired(flat: FlatModel, source: int, row: int, branch: int) -> str:
    """A when-statement that acted; of modes the transition that was taken."""
    group = flat.whens[source]
    assert isinstance(group.template, WhenTemplate)
    title = group.template.branches[branch].title
    if not title:
        return show_row(flat, group, row)
    path = flat.tree.path(*group.owner(row))
    return f"{path}.{title}" if path else title


def switching_values(model: CompiledModel, happening: Happening, y: FloatArray) -> tuple[str, ...]:
    """The unknowns in the relations that switched, with their values."""
    found: dict[str, None] = {}
    for number in dict.fromkeys(happening.switched[-_SHOWN:]):
        group, row = _relation(model, number)
        for slot, kind in enumerate(group.kinds):
            if kind == UNKNOWN:
                place = int(model.sorted.position[group.bindings[row, slot]])
                found.setdefault(values_text(model.flat, int(model.sorted.written[place]), float(y[place])))
    return tuple(found)


def _relation(model: CompiledModel, number: int) -> tuple[SortedGroup, int]:
    """The group of a relation, and its row there."""
    events = model.sorted.events
    assert events is not None
    differences = events.relations.differences
    for group, places in zip(differences.groups, differences.places, strict=True):
        if places[0] <= number <= places[-1]:
            return group, number - int(places[0])
    raise IndexError(number)


def _statement(model: CompiledModel, number: int) -> str:
    """The equation a relation stands in."""
    group, row = _relation(model, number)
    return show_row(model.flat, model.flat.equations[group.source], int(group.source_rows[row]))
