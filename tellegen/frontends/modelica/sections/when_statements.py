"""When-statements of algorithms to actions at events.

when c then n := pre(n) + 1; y := 2*n; end when      ->      n := pre(n) + 1,  y := 2*(pre(n) + 1)
"""

from __future__ import annotations

from dataclasses import field

from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.evaluation.statements import Frame, execute
from tellegen.frontends.modelica.sections.assigned import targets_of
from tellegen.frontends.modelica.sections.calls import (
    assert_actions,
    asserted,
    call_in_loop,
    left_out,
    reinit_actions,
    terminate_action,
)
from tellegen.frontends.modelica.sections.equalities import pairs
from tellegen.frontends.modelica.sections.statements import Action, When, WhenBranch
from tellegen.frontends.modelica.sections.when_equations import chosen_actions, edges_of
from tellegen.frontends.modelica.syntax.expressions import Call
from tellegen.frontends.modelica.syntax.statements import Statement, WhenStatement
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, not_supported
from tellegen.frontends.modelica.values.value import Scalar, Value, symbol
from tellegen.ir.expressions.expr import Expr, Slot, walk
from tellegen.start.records import dataclass


class WhenReader:
    """The when-statements of one algorithm section; `variables` are what it assigns, as symbols."""

    def __init__(self, variables: dict[str, Value]) -> None:
        self.variables = variables
        self._whens: list[When] = []

    def read(self, statement: WhenStatement, frame: Frame) -> None:
        """Add a when-statement; afterwards the frame has what it assigned as it is."""
        before = dict(frame.values)
        effects = frame.effects
        branches = []
        for condition, body in statement.branches:
            conditions = edges_of(condition, frame.scope)
            actions = self._actions(body, before, frame)
            frame.effects = effects
            if actions:
                branches.append(WhenBranch(conditions, tuple(actions)))
        for target in targets_of((statement,)):
            frame.values[target.name] = self.variables[target.name]
        if branches:
            self._whens.append(When(tuple(branches), frame.scope.location(statement.token)))

    def _actions(self, body: tuple[Statement, ...], before: dict[str, Value], frame: Frame) -> list[Action]:
        """What a branch does; the frame is as before afterwards."""
        effects = EventEffects(frame.scope)
        frame.effects = effects
        translation = frame.scope.translation
        with translation.called.apart() as demanded:
            execute(body, frame)
        actions = asserted(demanded, translation)
        for name in dict.fromkeys(target.name for target in targets_of(body)):
            finals = [right for _, right in pairs(self.variables[name], frame.values[name])]
            old = pairs(self.variables[name], before[name])
            for (variable, start), final in zip(old, finals, strict=True):
                if isinstance(variable, Slot) and final is not start:
                    actions.append(Action("assign", symbol(final), variable.index))
        frame.values.clear()
        frame.values.update(before)
        return actions + effects.actions

    def whens(self) -> list[When]:
        """All of them; those that assign the same variable as one, in which the last of the text comes first."""
        found: list[When] = []
        for when in self._whens:
            shared = _targets(when) & {target for other in found for target in _targets(other)}
            if shared:
                found = _overridden(found, when, shared)
            else:
                found.append(when)
        return found


def _targets(when: When) -> set[int]:
    return {action.target for branch in when.branches for action in branch.actions if action.verb == "assign"}


def _overridden(earlier: list[When], when: When, shared: set[int]) -> list[When]:
    """A later when-statement for variables that earlier ones assign, too: where both act the later one counts."""
    for branch in when.branches:
        for action in branch.actions:
            read = {node.index for node in walk(action.value) if isinstance(node, Slot)}
            if action.target in shared and read & shared:
                raise not_supported("a when-statement that continues with what another one has assigned")
    rest: list[When] = []
    fallback: list[WhenBranch] = []
    for other in earlier:
        fallback += _part(other, shared, True)
        if kept := _part(other, shared, False):
            rest.append(When(tuple(kept), other.location))
    rest.append(When((*when.branches, *fallback), when.location))
    return rest


def _part(when: When, targets: set[int], inside: bool) -> list[WhenBranch]:
    """The branches of a when-statement with the actions on some variables only, or without these."""
    branches = []
    for branch in when.branches:
        actions = tuple(action for action in branch.actions if (action.target in targets) == inside)
        if actions:
            branches.append(WhenBranch(branch.conditions, actions))
    return branches


@dataclass
class EventEffects:
    """What the statements inside of a when-statement do beyond assigning."""

    scope: Scope
    actions: list[Action] = field(default_factory=list)

    def call(self, call: Call, frame: Frame, condition: Scalar) -> None:
        """assert, reinit, terminate; other calls for their effect are left out with a warning."""
        name = call.function.name
        if frame.scope.recorder is not None:
            call_in_loop(call, frame, condition, self.scope)
        elif name == "assert":
            self.actions += assert_actions(call, frame.scope, condition)
        elif name in ("reinit", "terminate"):
            found = reinit_actions(call, frame.scope) if name == "reinit" else [terminate_action(call, frame.scope)]
            self.actions += chosen_actions(condition, found, []) if isinstance(condition, Expr) else found
        else:
            left_out(call, frame.scope)

    def when(self, statement: WhenStatement, frame: Frame) -> None:
        """Not allowed here."""
        _ = statement, frame
        raise EvaluationError("E581", "a when-statement stands inside of another one")
