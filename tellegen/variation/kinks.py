"""Kinks as events: FlatModel -> FlatModel in which min, max and abs of what varies choose by relations.

    y == max(u, 0)     ->     y == where(u >= 0, u, 0)       an event where u passes zero

A run does well without: integrators only see a kink. Derivatives of a run see a jump there, and a tangent that is
integrated across it, or an adjoint interpolated across it, is off by as much as the step is long, without anything to
show for it. Kinks inside no_event and smooth stay what they are: that is what these functions say. Where a run gets
stuck in one of them all the same (`with_promises_broken`), they are left out, and their relations are events as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tellegen.ir.expressions.expr import ZERO, Call, Der, Expr, Slot, Time, rebuild, same_with, walk
from tellegen.ir.expressions.template import EquationTemplate, ModalTemplate
from tellegen.ir.flat import FlatModel, Group
from tellegen.symbolic.build import neg

_CHOICES: dict[str, Callable[[tuple[Expr, ...]], Expr]] = {
    "min": lambda args: Call("where", (Call("le", args), *args)),
    "max": lambda args: Call("where", (Call("ge", args), *args)),
    "abs": lambda args: Call("where", (Call("ge", (args[0], ZERO)), args[0], neg(args[0]))),
}
_PROTECTS = ("no_event", "smooth")


def with_kinks_located(flat: FlatModel) -> FlatModel:
    """See the top of this file; the model itself where it has no kinks."""
    groups = [_located(group) for group in flat.equations]
    changed = any(new is not old for new, old in zip(groups, flat.equations, strict=True))
    return replace(flat, equations=tuple(groups)) if changed else flat


def with_promises_broken(flat: FlatModel) -> FlatModel:
    """The same without no_event and smooth; the model itself where that changes nothing."""
    groups = [_changed(group, lambda side, _: rebuild(side, _unprotected)) for group in flat.equations]
    changed = any(new is not old for new, old in zip(groups, flat.equations, strict=True))
    return with_kinks_located(replace(flat, equations=tuple(groups)) if changed else flat)


def _unprotected(node: Expr, args: tuple[Expr, ...]) -> Expr:
    return args[-1] if isinstance(node, Call) and node.op in _PROTECTS else same_with(node, args)


def _located(group: Group) -> Group:
    assert isinstance(group.template, EquationTemplate)
    return _changed(group, _rewritten) if any(_is_kink(node) for node in group.template.nodes) else group


def _changed(group: Group, rewrite: Callable[[Expr, Callable[[Expr], bool]], Expr]) -> Group:
    """A group with the sides of its equation rewritten, given what varies; the group itself where they stay."""
    template = group.template
    assert isinstance(template, EquationTemplate)

    def varies(part: Expr) -> bool:
        return any(
            isinstance(node, Der | Time) or (isinstance(node, Slot) and not template.slots[node.index].parameter)
            for node in walk(part)
        )

    def change(side: Expr) -> Expr:
        return rewrite(side, varies)

    sides = {"lhs": change(template.lhs), "rhs": change(template.rhs)}
    if (template.lhs, template.rhs) == (sides["lhs"], sides["rhs"]):
        return group
    if isinstance(template, ModalTemplate):
        cases = tuple((mode, change(lhs), change(rhs)) for mode, lhs, rhs in template.cases)
        return replace(group, template=replace(template, **sides, cases=cases))
    return replace(group, template=replace(template, **sides))


def _is_kink(node: Expr) -> bool:
    return isinstance(node, Call) and node.op in _CHOICES


def _rewritten(side: Expr, varies: Callable[[Expr], bool]) -> Expr:
    protected = {
        inner for node in walk(side) if isinstance(node, Call) and node.op in _PROTECTS for inner in walk(*node.args)
    }

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Call) and node.op in _CHOICES and node not in protected and varies(node):
            return _CHOICES[node.op](args)
        return same_with(node, args)

    return rebuild(side, change)
