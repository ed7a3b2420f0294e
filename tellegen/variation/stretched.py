"""Time that runs at a speed of its own: FlatModel -> FlatModel, so that the length of a run is a parameter.

    der(x) == v     ->     der(x)/interval == v         a run of one second is one of `interval` seconds of the model

Everything that can be done with parameters can then be done with durations: exact derivatives, lanes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tellegen.ir.expressions.expr import Call, Der, Expr, Slot, Time, rebuild, same_with, walk
from tellegen.ir.expressions.template import EquationTemplate, ModalTemplate, SlotInfo
from tellegen.ir.flat import FlatModel, Group
from tellegen.ir.model import Parameter
from tellegen.units import parse_unit
from tellegen.variation.driven import with_parameters

INTERVAL = "interval"


def stretched(flat: FlatModel, seconds: float) -> FlatModel:
    """The model with the parameter `interval`, in the units of its own time."""
    unit = parse_unit("s")
    description = "seconds of the model in a second of the run"
    member = Parameter(name=INTERVAL, unit=unit, description=description, attributes={"value": seconds})
    number = flat.parameters.count
    equations = tuple(_slower(group, number) for group in flat.equations)
    return replace(with_parameters(flat, [member]), equations=equations)


def what_keeps_its_time(flat: FlatModel) -> str:
    """Why a model cannot be stretched, if it cannot: what reads time or derivatives beside its equations."""
    if any(isinstance(node, Time) for node in _nodes(flat.equations + flat.whens)):
        return "it depends on time by itself"
    if any(isinstance(node, Der) for node in _nodes(flat.whens + flat.initial_equations)):
        return "conditions or initial equations in it contain derivatives"
    return ""


def _nodes(groups: tuple[Group, ...]) -> Iterator[Expr]:
    for group in groups:
        yield from walk(*group.template.expressions())


def _slower(group: Group, number: int) -> Group:
    template = group.template
    if not isinstance(template, EquationTemplate) or not any(isinstance(node, Der) for node in _nodes((group,))):
        return group
    interval = Slot(len(template.slots))

    def change(node: Expr, operands: tuple[Expr, ...]) -> Expr:
        return Call("div", (node, interval)) if isinstance(node, Der) else same_with(node, operands)

    def changed(expr: Expr) -> Expr:
        return rebuild(expr, change)

    slots = (*template.slots, SlotInfo(INTERVAL, True, parse_unit("s")))
    made = replace(template, slots=slots, lhs=changed(template.lhs), rhs=changed(template.rhs))
    if isinstance(made, ModalTemplate):
        made = replace(made, cases=tuple((mode, changed(lhs), changed(rhs)) for mode, lhs, rhs in made.cases))
    column = np.full((group.rows, 1), number, np.int32)
    return Group(made, np.hstack([group.bindings, column]), group.spans)
