"""Statements of a class: equations, assertions and when-clauses, over the rows of their stamps.

A condition that holds at the start acts at the start, which in Modelica takes `initial()` in the head of the clause;
the values assigned there then say which condition they belong to. A reinit cannot act at the start: an assertion says
so where a condition might hold. A reinit of Modelica acts last, so that a state beside it still has its old value: what
reads the new one is given what the reinit assigns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod

import numpy as np

from tellegen.errors import warn_user
from tellegen.exporters.modelica.expressions import Printer
from tellegen.exporters.modelica.lexical import string
from tellegen.exporters.modelica.values import array_text
from tellegen.exporters.source.new_values import read_now, with_new_values
from tellegen.exporters.source.tidy import tidy
from tellegen.ir.expressions.expr import Call, Const, Expr, Slot, rebuild, same_with, walk
from tellegen.ir.expressions.template import (
    Action,
    AssertTemplate,
    Branch,
    EquationTemplate,
    InvariantTemplate,
    WhenTemplate,
    formatted,
)

_FALSE = Const(False)
_ACTS_AT_ONCE = "a condition holds at the start, where Tellegen acts at once and Modelica cannot"
_NEVER_INITIALLY = frozenset({"sample", "edge", "change", "terminal"})


def statement(printer: Printer) -> list[str]:
    """The lines of one statement."""
    template = printer.template
    if isinstance(template, EquationTemplate):
        return [_equation(printer, template)]
    if isinstance(template, AssertTemplate):
        level = ", AssertionLevel.warning" if template.warning else ""
        return [f"assert({printer.text(template.condition)}, {string(_message(printer, template))}{level});"]
    if isinstance(template, InvariantTemplate):
        return []  # it follows from the equations: only solvers profit from it
    assert isinstance(template, WhenTemplate)
    return _when(printer, template)


def _equation(printer: Printer, template: EquationTemplate) -> str:
    left = tidy(template.lhs)
    right = tidy(template.rhs)
    whole = isinstance(left, Slot) and printer.is_integer(left)
    shown = printer.integer(right) if whole else printer.text(right)
    above = 1 if isinstance(left, Call) and left.op == "where" else 0
    return f"{printer.text(left, above)} = {shown};"


# -- when-clauses -------------------------------------------------------------------------------------------------
def _when(printer: Printer, template: WhenTemplate) -> list[str]:
    branches = [_after_reinits(printer, branch) for branch in template.branches]
    early = [_at(branch.condition, initially=True) for branch in branches]
    if all(condition == _FALSE for condition in early):
        return _clause(printer, branches, lambda branch, slot: _given(branch, slot), initially=False)
    assigning = [_only(branch, ("assign", "assert")) for branch in branches]
    others = [_only(branch, ("reinit", "terminate")) for branch in branches]
    lines: list[str] = []
    if any(branch.actions for branch in assigning):
        lines += _clause(printer, assigning, _chosen(assigning), initially=True)
    if any(branch.actions for branch in others):
        lines += _clause(printer, others, lambda branch, slot: _given(branch, slot), initially=False)
        lines += _start_assertions(printer, others)
    return lines


def _after_reinits(printer: Printer, branch: Branch) -> Branch:
    """A branch that reads no state which it reinitializes."""
    new = {action.target: action.value for action in branch.actions if action.verb == "reinit"}
    if not new or not printer.reinit_at_once:
        return branch
    given = tuple(replace(action, value=with_new_values(action.value, new)) for action in branch.actions)
    _warn_of_followers(printer, new, given)
    return replace(branch, actions=given)


def _warn_of_followers(printer: Printer, new: dict[int, Expr], actions: Sequence[Action]) -> None:
    """What is computed from a state that jumps has another value in Modelica, if an action reads it."""
    read = {slot for action in actions for slot in read_now(action.value)}
    slots = printer.slots
    follow = [slot for slot in read - new.keys() if not (slots[slot].parameter or slots[slot].discrete)]
    if follow:
        states = ", ".join(printer.names[slot] for slot in new)
        names = ", ".join(printer.names[slot] for slot in sorted(follow))
        warn_user(
            f"{printer.template.owner}: a when-clause reinitializes {states} and reads {names}, which in Modelica has "
            "its value before the reinit; where that differs, compute the new one from the states in the clause itself"
        )


def _start_assertions(printer: Printer, branches: Sequence[Branch]) -> list[str]:
    """Assertions that no condition holds at the start whose actions Modelica cannot take there."""
    lines = []
    for branch in branches:
        early = _at(branch.condition, initially=True)
        if early != _FALSE and branch.actions:
            condition = printer.text(Call("and", (Call("initial", ()), early)))
            lines.append(f"assert(not ({condition}), {string(_ACTS_AT_ONCE)});")
    return lines


def _clause(
    printer: Printer,
    branches: Sequence[Branch],
    value: Callable[[Branch, int], Expr],
    initially: bool,
) -> list[str]:
    """One when-equation; every branch gives a value to every variable that one of them assigns."""
    targets = list(dict.fromkeys(a.target for b in branches for a in b.actions if a.verb == "assign"))
    lines = []
    for k, branch in enumerate(branches):
        head = _at(branch.condition, initially=False)
        condition = _after_the_start(printer, branch.condition, head)
        if k == 0 and initially:
            condition = "initial()" if head == _FALSE else f"{{initial(), {condition}}}"
        lines.append(f"{'when' if k == 0 else 'elsewhen'} {condition} then")
        given = {slot: printer.assigned(slot, tidy(value(branch, slot))) for slot in targets}
        lines += [f"  {name} = {text};" for name, text in _whole_arrays(printer, given).items()]
        guard = branch.condition if initially and k == 0 else None
        lines += [f"  {_action(printer, action, guard)}" for action in branch.actions if action.verb != "assign"]
    return [*lines, "end when;"]


def has_ticks_besides_the_start(condition: Expr) -> bool:
    """Whether a condition speaks of both samples and the start: a sample at the start is then none of its own.

    Here a sample at the start is part of the start; in Modelica it is an event after it.
    """
    operations = {node.op for node in walk(condition) if isinstance(node, Call)}
    return {"sample", "initial"} <= operations


def _after_the_start(printer: Printer, condition: Expr, later: Expr) -> str:
    """A condition in the head of a clause."""
    if not has_ticks_besides_the_start(condition):
        return printer.text(later)
    return f"{printer.text(later, 30)} and time > {printer.begins}"


def _whole_arrays(printer: Printer, given: dict[int, str]) -> dict[str, str]:
    """Names and values, those of all elements of an array as one; not every reader takes elements in when-clauses."""
    arrays: dict[str, dict[int, str]] = {}
    for slot, text in given.items():
        element = printer.elements[slot] if printer.elements else None
        if element is not None:
            arrays.setdefault(element.array, {})[element.position] = text
    out: dict[str, str] = {}
    for slot, text in given.items():
        element = printer.elements[slot] if printer.elements else None
        if element is None or len(arrays[element.array]) != prod(element.sizes):
            out[printer.names[slot]] = text
        else:
            texts = np.array([arrays[element.array][k] for k in range(prod(element.sizes))], object)
            out[element.array] = array_text(texts.reshape(element.sizes), "value")
    return out


def _chosen(branches: Sequence[Branch]) -> Callable[[Branch, int], Expr]:
    """Values for a clause that is active at the start as well: the first branch then decides for all of them."""

    def value(branch: Branch, slot: int) -> Expr:
        if branch is not branches[0]:
            return _given(branch, slot)
        chosen: Expr = _past(slot)
        for other in reversed(branches):
            early = _at(other.condition, initially=True)
            if early == Const(True):
                chosen = _given(other, slot)
            elif early != _FALSE and _given(other, slot) != chosen:
                chosen = Call("where", (_before(other.condition, assigned), _given(other, slot), chosen))
        return chosen

    assigned = {action.target for branch in branches for action in branch.actions if action.verb == "assign"}
    return value


def _before(condition: Expr, assigned: set[int]) -> Expr:
    """A condition as it was tested: before the clause gave new values to what it reads."""

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Call) and node.op == "pre":
            return node
        return _past(node.index) if isinstance(node, Slot) and node.index in assigned else same_with(node, args)

    return rebuild(condition, change)


def _given(branch: Branch, slot: int) -> Expr:
    return next((a.value for a in branch.actions if a.verb == "assign" and a.target == slot), _past(slot))


def _past(slot: int) -> Expr:
    return Call("pre", (Slot(slot),))


def _only(branch: Branch, verbs: tuple[str, ...]) -> Branch:
    return replace(branch, actions=tuple(action for action in branch.actions if action.verb in verbs))


def _action(printer: Printer, action: Action, guard: Expr | None) -> str:
    if action.verb == "reinit":
        return f"reinit({printer.names[action.target]}, {printer.assigned(action.target, action.value)});"
    if action.verb == "terminate":
        return f"terminate({string(_message(printer, action))});"
    condition = action.value
    if guard is not None:
        condition = Call("or", (Call("not", (guard,)), condition))
    return f"assert({printer.text(condition)}, {string(_message(printer, action))});"


def _message(printer: Printer, statement: AssertTemplate | Action) -> str:
    return formatted(statement.message, statement.values, printer.text)


def _at(condition: Expr, initially: bool) -> Expr:
    """A condition at the start, or after it, with what `initial()` means there worked in."""

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Call) and node.op == "initial":
            return Const(initially)
        if isinstance(node, Call) and node.op in _NEVER_INITIALLY and initially:
            return _FALSE
        if isinstance(node, Call) and node.op in ("and", "or", "not"):
            return _folded(node.op, args)
        return same_with(node, args)

    return rebuild(condition, change)


def _folded(op: str, args: tuple[Expr, ...]) -> Expr:
    """A logical operation whose operands may be known."""
    if op == "not":
        return Const(not args[0].value) if isinstance(args[0], Const) else Call("not", args)
    deciding = op == "or"  # true decides or, false decides and
    open_args = [arg for arg in args if not isinstance(arg, Const)]
    if any(isinstance(arg, Const) and bool(arg.value) == deciding for arg in args):
        return Const(deciding)
    if not open_args:
        return Const(not deciding)
    return open_args[0] if len(open_args) == 1 else Call(op, tuple(open_args))
