"""The plans of native/slopes.py as arrays: which arguments are changed together, and where derivatives are put."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tellegen.engine.native.record import address_of
from tellegen.importers.fmu.evaluations import Evaluated, Layout
from tellegen.importers.fmu.native.evaluate import SlopePlan
from tellegen.importers.fmu.native.slopes import DERIVATIVES, INDICATORS, KEPT, REALS, START
from tellegen.procedures.language import field_names

_ENTRIES = {"fmu_derivatives": DERIVATIVES, "fmu_reals": REALS, "fmu_start": START, "fmu_indicators": INDICATORS}
_WORD = {name: k for k, name in enumerate(field_names(SlopePlan))}


class SlopePlans:
    """A row of words for each evaluation; arrays stay alive with it."""

    def __init__(self, layouts: dict[Evaluated, Layout], offers_derivatives: bool) -> None:
        self.table = np.zeros((len(Evaluated), len(_WORD)), np.int64)
        self.room = 1
        """Numbers that an instance needs: two points, and three results."""
        self.kept = 0
        """Numbers that an instance needs to keep the derivatives of all evaluations."""
        self._kept: list[Any] = []
        for what, layout in layouts.items():
            self.room = max(self.room, 2 * (layout.states + layout.inputs) + 3 * layout.values)
            self._fill(self.table[what], layout, offers_derivatives and layout.has_directional)

    def _fill(self, words: Any, layout: Layout, is_offered: bool) -> None:
        pairs = ((row, k) for row, known in enumerate(layout.depends) for k in known)
        entries: dict[int, list[tuple[int, int]]] = {}
        for place, (row, k) in enumerate(pairs):
            entries.setdefault(k, []).append((row, place))
        colours = layout.colours()
        arguments = [k for colour in colours for k in colour]
        targets = [entries.get(k, []) for k in arguments]
        whole = [each.variable.reference for each in layout.arguments]
        if layout.has_arrays:
            knowns = whole
        else:
            knowns = [[0, *whole][k] for k in arguments]
        arrays = {
            "colour_start": _starts(colours),
            "argument": arguments,
            "target_start": _starts(targets),
            "row": [row for found in targets for row, _ in found],
            "place": [place for found in targets for _, place in found],
            "unknowns": [each.variable.reference for each in layout.results],
            "knowns": knowns if is_offered else [],
        }
        ones = np.ones(max(map(len, colours)))
        numbers = {
            "entry": _ENTRIES[layout.entry],
            "states": layout.states,
            "inputs": layout.inputs,
            "values": layout.values,
            "first": layout.first,
            "count": len(layout.results),
            "colours": len(colours),
            "is_offered": is_offered,
            "unknown_count": len(layout.results),
            "known_count": len(whole) if layout.has_arrays else 0,
            "ones": address_of(ones),
            "derivatives": sum(map(len, layout.depends)),
            "lacks_arguments": layout.lacks_arguments,
            "kept": self.kept,
        }
        self.kept += KEPT + layout.states + layout.inputs + sum(map(len, layout.depends))
        self._kept.append(ones)
        for name, values in arrays.items():
            array = np.array([*values, 0], np.int64).astype(np.uint32)
            self._kept.append(array)
            numbers[name] = address_of(array)
        for name, value in numbers.items():
            words[_WORD[name]] = value


def _starts(parts: Iterable[list[Any]]) -> list[int]:
    return [0, *np.cumsum([len(part) for part in parts]).tolist()]
