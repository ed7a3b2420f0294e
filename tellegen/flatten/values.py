"""Numbers: settings from the inside out (an outer one wins), then parameters given by expressions."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.errors import LanguageError
from tellegen.flatten.layout import Layout
from tellegen.ir.flat import FlatModel, Group, Overrides, Table
from tellegen.ir.model import Array, Model, Setting
from tellegen.ir.show.statements import beyond_bound, show_computed, show_not_computed, show_value, zero_vector
from tellegen.ir.source_location import in_library
from tellegen.symbolic.evaluate import evaluate


def apply_settings(
    layout: Layout, model: Model, bindings: list[Group], starts: list[Group]
) -> tuple[list[Group], list[Group]]:
    """Put all settings into the tables; returns the bindings of parameters and of start values without the rows that a
    setting further out replaces."""
    collected: dict[tuple[bool, str], list[Overrides]] = {}
    depth = {0: 0}
    for n, node in enumerate(layout.tree.nodes):
        if n:
            depth[n] = depth[node.parent] + 1
    far = np.iinfo(np.int32).max
    levels: dict[tuple[bool, str], Any] = {}  # how far in the number or expression stands that holds at present
    if bindings:
        levels[True, "value"] = np.full(layout.parameters.count, far, np.int32)
    if starts:
        levels[False, "start"] = np.full(layout.variables.count, far, np.int32)

    def put(n: int, setting: Setting, outermost: bool) -> None:
        indices = layout.indices(n, setting.ref).ravel()
        values = np.tile(setting.values, layout.tree.nodes[n].count)
        key = (setting.ref.parameter, setting.attribute)
        collected.setdefault(key, []).append(Overrides(indices, values))
        if key in levels:
            levels[key][indices] = -1 if outermost else depth[n]

    collected[True, "value"] = _own_numbers(layout.parameters)
    for n in range(len(layout.tree.nodes) - 1, -1, -1):
        for setting in layout.tree.nodes[n].kind.settings:
            put(n, setting, False)
    for setting in model.settings:
        put(0, setting, True)
    for (is_parameter, attribute), overrides in collected.items():
        table = layout.parameters if is_parameter else layout.variables
        table.overrides[attribute] = tuple(overrides)
    outer = _outermost(bindings, levels.get((True, "value")), depth)
    return outer, _outermost(starts, levels.get((False, "start")), depth)


def _own_numbers(parameters: Table) -> list[Overrides]:
    """The values of parameters that are numbered."""
    spans = (
        np.arange(start, start + length) for start, length, _, declared in parameters.blocks() if declared.numbered
    )
    return [Overrides(span, span.astype(float)) for span in spans]


def _outermost(bindings: list[Group], level: Any, depth: dict[int, int]) -> list[Group]:
    """Of several bindings and settings for one member keep the outermost (smallest depth)."""
    if level is None:
        return []
    depths = [np.concatenate([_span_depth(g, k, depth) for k in range(len(g.spans))]) for g in bindings]
    for group, own in zip(bindings, depths, strict=True):
        np.minimum.at(level, group.bindings[:, 0], own)
    kept = []
    for group, own in zip(bindings, depths, strict=True):
        keep = own <= level[group.bindings[:, 0]]
        if keep.all():
            kept.append(group)
        elif keep.any():
            kept.append(_some_rows(group, keep))
    return kept


def _span_depth(group: Group, k: int, depth: dict[int, int]) -> Any:
    node, first, _ = group.spans[k]
    last = group.spans[k + 1][1] if k + 1 < len(group.spans) else group.rows
    return np.full(last - first, depth[node], np.int32)


def _some_rows(group: Group, keep: Array) -> Group:
    """The group with some rows only; rows keep the owner of their first span."""
    return Group(group.template, group.bindings[keep], ((group.spans[0][0], 0, max(int(keep.sum()), 1)),))


def evaluate_bindings(parameters: Table, ordered: list[Group]) -> Any:
    """The value of every parameter: numbers as set, then expressions in the order they depend on each other."""
    values = parameters.column("value").copy()
    for group in ordered:
        rows = group.bindings
        slots = [values[rows[:, s]] for s in range(rows.shape[1])]
        with np.errstate(all="ignore"):
            values[rows[:, 0]] = evaluate(group.template.value, slots)  # type: ignore[attr-defined]
        bad = ~np.isfinite(values[rows[:, 0]]) & np.isfinite(values[rows[:, 1:]]).all(axis=1)
        if bad.any():
            raise _no_number(parameters, group, rows[bad][0], values)
    values.flags.writeable = False
    return values


def _no_number(parameters: Table, group: Group, row: Array, values: Array) -> LanguageError:
    """E157 for an expression of good numbers that gives none; of one in the library, the part is the user's text."""
    written = group.template.location
    if vector := zero_vector(parameters, row, values):
        raise LanguageError(
            "E157",
            f"all components of '{vector}' are zero, so it has no direction",
            location=parameters.location(int(row[0])) if in_library(written.file) else written,
            advice="give a vector that has a length: [0, 0, 1], or [0, 0, 0, 1] for a quaternion",
        )
    message, details = show_not_computed(parameters, group, row, values)
    return LanguageError(
        "E157",
        message,
        location=parameters.location(int(row[0])) if in_library(written.file) else written,
        details=details,
        advice="look for a division by zero, or a root or logarithm of a negative number",
    )


def check_parameters(flat: FlatModel, values: Array) -> None:
    """Every parameter has a value, inside its bounds."""
    for start, length, _, declared in flat.parameters.blocks():
        if declared.literal or not length:
            continue
        block = values[start : start + length]
        missing = np.flatnonzero(np.isnan(block))
        if missing.size:
            name = flat.parameters.name(start + int(missing[0]))
            raise LanguageError(
                "E155",
                f"parameter '{name}' has no value",
                location=flat.parameters.location(start + int(missing[0])),
                details=described(declared),
                advice=f"give one where the component is created ({declared.name}=...), or later: model.{name} = ...",
            )
        for bound, wrong in (("min", np.less), ("max", np.greater)):
            limit = declared.attributes.get(bound)
            if limit is None:
                continue
            bad = np.flatnonzero(wrong(block, limit))
            if bad.size:
                name = flat.parameters.name(start + int(bad[0]))
                unit = declared.unit
                raise LanguageError(
                    "E156",
                    f"parameter '{name}' is {show_value(block[bad[0]], unit)}, {beyond_bound(bound, limit, unit)}",
                    location=flat.parameters.location(start + int(bad[0])),
                    details=[*_formula(flat, start + int(bad[0]), values), *described(declared)],
                    advice="give a value within the bounds, or declare wider ones",
                )


def _formula(flat: FlatModel, index: int, values: Array) -> list[str]:
    """What a parameter is computed from, if it is: one of those is to be changed then."""
    for group in flat.parameter_bindings:
        rows = np.flatnonzero(group.bindings[:, 0] == index)
        if rows.size:
            return [show_computed(flat.parameters, group, group.bindings[rows[-1]], values)]
    return []


def described(declared: Any) -> list[str]:
    """A line that says what a member is and where it was declared."""
    text = f"'{declared.name}': {declared.description}, " if declared.description else f"'{declared.name}' is "
    return [f"{text}declared at {declared.location}"]
