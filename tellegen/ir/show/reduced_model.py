"""The reduced model as a readable page: states, unknowns, equations as they are solved, and what was eliminated how.

    x'' is the unknown that index reduction made of the second derivative of x; der(x) is the rate of a state.

Printed by `tellegen show --stage reduced`, with the order of evaluation by `--stage sorted`; pass by pass by
`tellegen report --show PASS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tellegen.ir.equation import group_equation, linear_equation, parameter_leaf, variable_leaf
from tellegen.ir.model import IntArray
from tellegen.ir.reduced import INTEGRATION, ReducedGroup, ReducedModel
from tellegen.ir.show.equation_lines import equation_line, leaf_text
from tellegen.ir.show.event_lines import event_lines
from tellegen.ir.show.flat_model import cut, section
from tellegen.ir.show.reduced_rows import variable_text
from tellegen.ir.show.statements import show_value
from tellegen.ir.sorted import EXPLICIT, LINEAR, SortedModel

_TIMES = {0: "", 1: ", differentiated", 2: ", differentiated twice"}


def show_reduced(model: ReducedModel) -> str:
    """All of a ReducedModel with full names; long groups cut in the middle."""
    states = int(model.is_state.sum())
    count = len(model.unknowns)
    lines = [
        f"{stage_name(model)} model {model.flat.name}: {model.equation_count} equations, {count} unknowns, "
        f"{states} states; {_eliminated_count(model)} variables eliminated"
    ]
    lines += section("states", _unknowns(model, True))
    lines += section("algebraic unknowns", _unknowns(model, False))
    lines += section("inputs and discrete variables", _named(model, model.known))
    lines += section("equations", _equations(model))
    lines += section("sums", cut(model.linear.rows, lambda k: equation_line(linear_equation(model, k))))
    lines += section("initial equations", _initial(model))
    lines += section("invariants", _invariants(model))
    lines += section("events", event_lines(model))
    lines += section("order of evaluation", _blocks(model)) if isinstance(model, SortedModel) else []
    lines += section("eliminated", _eliminated(model))
    return "\n".join(lines) + "\n"


def stage_name(model: ReducedModel) -> str:
    """What a model is: reduced, or sorted as well."""
    return "sorted" if isinstance(model, SortedModel) else "reduced"


def _unknowns(model: ReducedModel, states: bool) -> Iterator[str]:
    """The unknowns of one sort, those of one declaration together."""
    chosen = model.unknowns[model.is_state == states]
    start = model.flat.variables.column("start")

    def line(variable: int) -> str:
        text = leaf_text(variable_leaf(model, variable))
        if variable >= model.flat.variables.count:
            return f"{text}, which is {variable_text(model, variable)}"
        unit = model.flat.variables.declaration(variable).unit
        value = start[variable]
        known = "" if np.isnan(value) or not states else f", starts at {show_value(value, unit)}"
        return f"{text}{f' [{unit.text}]' if unit.text else ''}{known}"

    yield from _by_block(model, chosen, line)


def _by_block(model: ReducedModel, variables: np.ndarray, line: Callable[[int], str]) -> Iterator[str]:
    """Lines for variables, those of one declaration cut together when there are many."""
    starts = np.append(model.flat.variables.starts, model.flat.variables.count)
    block = np.searchsorted(starts, variables, side="right")
    for number in np.unique(block):
        mine = variables[block == number]
        yield from cut(len(mine), lambda k, mine=mine: line(int(mine[k])))


def _named(model: ReducedModel, variables: np.ndarray) -> Iterator[str]:
    yield from cut(len(variables), lambda k: variable_text(model, int(variables[k])))


def _equations(model: ReducedModel) -> Iterator[str]:
    for group in model.groups:
        yield f"# {_source(model, group)}{f'  x {group.rows}' if group.rows > 1 else ''}"
        yield from cut(group.rows, lambda k, group=group: equation_line(group_equation(model, group, k)))


def _source(model: ReducedModel, group: ReducedGroup) -> str:
    """Who wrote the rows of a group, and what was done to them."""
    if group.source == INTEGRATION:
        return "states and their derivatives"
    template = model.flat.equations[group.source].template
    location = template.location
    where = f"{template.owner or location.scope} ({location.within('')})" if location.line else template.owner
    return where + _TIMES.get(group.order, f", differentiated {group.order} times")


def _initial(model: ReducedModel) -> Iterator[str]:
    for group in model.initial:
        yield from cut(group.rows, lambda k, group=group: equation_line(group_equation(model, group, k)))


def _invariants(model: ReducedModel) -> Iterator[str]:
    """The residuals with their derivatives by states."""
    found = model.invariants
    if found is None:
        return

    def term(entry: int) -> str:
        number = int(found.partial[entry])
        leaf = parameter_leaf(model, number) if found.of_parameter[entry] else variable_leaf(model, number)
        state = variable_text(model, int(found.state[entry]))
        return f"{'-' if found.sign[entry] < 0 else ''}{leaf_text(leaf)} by {state}"

    def line(row: int) -> str:
        terms = ", ".join(term(int(entry)) for entry in np.flatnonzero(found.row == row))
        return f"{variable_text(model, int(found.residual[row]))} == 0: {terms}"

    yield from cut(found.rows, line)


def _blocks(model: SortedModel) -> Iterator[str]:
    """What is computed on which level; blocks of one level do not need each other."""
    blocks = model.blocks
    order = np.argsort(blocks.block, kind="stable")
    ends = np.concatenate([[0], np.cumsum(blocks.size)])

    def line(number: int) -> str:
        rows = order[ends[number] : ends[number + 1]]
        text = f"{blocks.level[number] + 1}: {_solved(model, blocks.assigned[rows])}"
        if blocks.kind[number] == EXPLICIT:
            return text
        kind = "linear" if blocks.kind[number] == LINEAR else "nonlinear"
        tears = rows[blocks.inner[rows] < 0]
        if len(rows) == 1:
            return f"{text}   ({kind})"
        if len(tears) == len(rows):
            return f"{text}   ({kind} system of {len(rows)})"
        return f"{text}   ({kind} system of {len(rows)}, torn at {_solved(model, blocks.assigned[tears])})"

    yield from cut(len(blocks.level), line)


def _solved(model: ReducedModel, columns: IntArray) -> str:
    """Names of unknowns, the first few: rates of states, values of all others."""
    names = [leaf_text(variable_leaf(model, int(model.unknowns[column]))) for column in columns[:4]]
    names = [f"der({name})" if model.is_state[k] else name for name, k in zip(names, columns, strict=False)]
    return ", ".join(names) + (f", ... {len(columns) - 4} more" if len(columns) > 4 else "")


def _eliminated_count(model: ReducedModel) -> int:
    return len(_gone(model))


def _gone(model: ReducedModel) -> np.ndarray:
    own = np.arange(model.flat.variables.count)
    return np.flatnonzero((model.representative != own) | (model.sign == 0))


def _eliminated(model: ReducedModel) -> Iterator[str]:
    """How each variable that is no longer there is computed."""

    def line(variable: int) -> str:
        name = model.flat.variables.name(variable)
        sign = int(model.sign[variable])
        if sign == 0:
            return f"{name} = 0"
        return f"{name} = {'-' if sign < 0 else ''}{variable_text(model, int(model.representative[variable]))}"

    yield from _by_block(model, _gone(model), line)
