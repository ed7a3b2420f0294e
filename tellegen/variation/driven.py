"""Inputs as piecewise functions of time, and an end of the run that can be varied: FlatModel -> FlatModel.

    input u     ->     u == where(time < t2, where(time < t1, v0, v1), where(time < t3, v2, v3))       "constant"
                       the same with v0 + (v1 - v0)*(time - t0)/(t1 - t0) instead of v0, ...           "linear"

The values v are one more parameter of the root, `u.pieces`, so that everything that can be done with parameters can be
done with signals. The corners are instants known in advance. Where the end is free it is the parameter `final_time`:
the model terminates there, and the corners move with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.ir.expressions.expr import TIME, Call, Const, Expr, Slot
from tellegen.ir.expressions.template import Action, Branch, EquationTemplate, SlotInfo, WhenTemplate
from tellegen.ir.flat import FlatModel, Group, Table, Tree
from tellegen.ir.model import Array, FloatArray, Parameter
from tellegen.start.records import dataclass
from tellegen.units import Unit, parse_unit

FINAL_TIME = "final_time"
KINDS = ("constant", "linear")


@dataclass(frozen=True)
class Span:
    """From the start to the end of a run."""

    start: float
    stop: float


@dataclass(frozen=True, eq=False)
class Drive:
    """What an input becomes: pieces of a kind, and their values to begin with (SI, a row for each of its scalars)."""

    path: str
    inputs: Any  # numbers of the variables, in the shape of the input
    kind: str
    values: FloatArray
    unit: Unit

    @property
    def name(self) -> str:
        """The parameter that holds the values."""
        return f"{self.path}.pieces"

    @property
    def pieces(self) -> int:
        """Their number: of straight lines one less than of corners."""
        return self.values.shape[-1] - (self.kind == "linear")


def driven(flat: FlatModel, drives: Sequence[Drive], span: Span, free_end: bool) -> FlatModel:
    """See the top of this file; where the end is free, that of the span is the first guess."""
    members = [
        Parameter(
            name=drive.name,
            unit=drive.unit,
            description=f"values of the {drive.kind} pieces of {drive.path}",
            shape=(*drive.inputs.shape, drive.values.shape[-1]),
            attributes={"value": drive.values.ravel()},
        )
        for drive in drives
    ]
    if free_end:
        unit = parse_unit("s")
        value = {"value": span.stop, "min": span.start}
        members.append(Parameter(name=FINAL_TIME, unit=unit, description="when the run ends", attributes=value))
    bases = flat.parameters.count + np.cumsum([0, *(member.size for member in members)])
    end = int(bases[len(drives)]) if free_end else -1
    equations = [_equation(drive, int(base), span, end) for drive, base in zip(drives, bases, strict=False)]
    freed = np.concatenate([np.zeros(0, int), *(drive.inputs.ravel() for drive in drives)])
    return replace(
        with_parameters(flat, members),
        equations=(*_without_defaults(flat, freed), *equations),
        whens=(*flat.whens, *([_ending(end)] if free_end else [])),
        inputs=flat.inputs[~np.isin(flat.inputs, freed)],
    )


def open_inputs(flat: FlatModel) -> Any:
    """The inputs that nothing feeds: those of the model itself, and those that rest at their default."""
    rows = [group.bindings[:, 0] for group in flat.equations if _is_default(group)]
    return np.concatenate([flat.inputs, *rows])


def _is_default(group: Group) -> bool:
    slots = group.template.slots
    return len(slots) == 2 and slots[1].parameter and slots[1].name == f"{slots[0].name}.default"


def _without_defaults(flat: FlatModel, freed: Array) -> list[Group]:
    """The equations, less those that hold an input which is driven now at its default."""
    kept = []
    for group in flat.equations:
        stays = ~np.isin(group.bindings[:, 0], freed) if _is_default(group) else np.ones(group.rows, bool)
        if stays.all():
            kept.append(group)
        elif stays.any():
            node = group.spans[0][0]  # inputs with a default are one node each (flatten/signals.py)
            kept.append(Group(group.template, group.bindings[stays], ((node, 0, int(stays.sum())),)))
    return kept


def _equation(drive: Drive, first: int, span: Span, end: int) -> Group:
    """input == its pieces; a row for each scalar of the input."""
    count = drive.values.shape[-1]
    pieces = drive.pieces
    slots = [SlotInfo(drive.path, False, drive.unit, "input")]
    slots += [SlotInfo(f"{drive.name}[{k}]", True, drive.unit) for k in range(count)]
    rows = len(drive.values)
    bindings = [drive.inputs.ravel()[:, None], first + np.arange(rows * count).reshape(rows, count)]
    if end >= 0:
        slots.append(SlotInfo(FINAL_TIME, True, parse_unit("s")))
        bindings.append(np.full((rows, 1), end))
    start = span.start
    stop = span.stop

    def corner(k: int) -> Expr:
        part = k / pieces
        if end < 0:
            return Const(start + part * (stop - start))
        moving = Call("mul", (Const(part), Slot(count + 1)))
        return Call("add", (Const((1.0 - part) * start), moving)) if start and part < 1.0 else moving

    def piece(k: int) -> Expr:
        value = Slot(k + 1)
        if drive.kind == "constant":
            return value
        rise = Call("sub", (Slot(k + 2), value))
        since, width = (Call("sub", (x, corner(k))) for x in (TIME, corner(k + 1)))
        return Call("add", (value, Call("mul", (rise, Call("div", (since, width))))))

    def chosen(first: int, last: int) -> Expr:
        """The piece of the present time, by halves: what depends on one value is then short."""
        if last - first == 1:
            return piece(first)
        middle = (first + last) // 2
        return Call("where", (Call("lt", (TIME, corner(middle))), chosen(first, middle), chosen(middle, last)))

    template = EquationTemplate(slots=tuple(slots), lhs=Slot(0), rhs=chosen(0, pieces))
    return Group(template, np.concatenate(bindings, axis=1).astype(np.int32), ((0, 0, max(rows, 1)),))


def _ending(end: int) -> Group:
    """when time >= final_time: terminate."""
    ends = Action("terminate", Const(True), message="the final time is reached")
    condition = Call("ge", (TIME, Slot(0)))
    slots = (SlotInfo(FINAL_TIME, True, parse_unit("s")),)
    return Group(
        WhenTemplate(slots=slots, branches=(Branch(condition, (ends,)),)), np.array([[end]], np.int32), ((0, 0, 1),)
    )


def with_parameters(flat: FlatModel, members: list[Parameter]) -> FlatModel:
    """The model with more parameters of its root."""
    root = flat.tree.nodes[0]
    known = len(root.kind.parameters)
    sizes = [member.size for member in members]
    bases = tuple((flat.parameters.count + np.cumsum([0, *sizes[:-1]])).tolist())[: len(members)]
    kind = replace(root.kind, parameters=(*root.kind.parameters, *members))
    node = replace(root, kind=kind, parameter_base=(*root.parameter_base, *bases))
    tree = Tree(flat.tree.name, (node, *flat.tree.nodes[1:]))
    owners = tuple((0, known + k) for k in range(len(members)))
    old = flat.parameters
    variables = flat.variables
    parameters = Table(
        tree, True, (*old.starts, *bases), (*old.owners, *owners), old.count + sum(sizes), dict(old.overrides)
    )
    values = [np.atleast_1d(member.attributes["value"]).astype(float) for member in members]
    return replace(
        flat,
        tree=tree,
        parameters=parameters,
        variables=replace(variables, tree=tree, _columns={}),
        parameter_values=np.concatenate([flat.parameter_values, *values]),
    )
