"""Statements of algorithms, executed on symbols: of functions and of models.

    if c then y := a; else y := b; end if;      c varies      ->      y is where(c, a, b)

A `return` or `break` under a condition that varies does not stop anything: what follows acts only where the condition
did not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import field
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np

from tellegen.frontends.modelica.evaluation.evaluate import evaluate, evaluate_results
from tellegen.frontends.modelica.evaluation.iterations import VaryingRange, iterator_values, varying_range
from tellegen.frontends.modelica.evaluation.native.loop import looped
from tellegen.frontends.modelica.evaluation.native.recorder import Recorder
from tellegen.frontends.modelica.evaluation.references import positions, put
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.syntax.expressions import Call, Expression, Reference
from tellegen.frontends.modelica.syntax.expressions import Iterator as LoopIterator
from tellegen.frontends.modelica.syntax.statement_queries import all_statements, assigned_names, can_leave
from tellegen.frontends.modelica.syntax.statements import (
    Assignment,
    Break,
    CallStatement,
    ForStatement,
    IfStatement,
    MultipleAssignment,
    Return,
    Statement,
    WhenStatement,
    WhileStatement,
)
from tellegen.frontends.modelica.values.arrays import held_once, put_element, shape_of, where
from tellegen.frontends.modelica.values.entity import Entity
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, NotInlinableError, not_supported
from tellegen.frontends.modelica.values.operand_types import as_condition
from tellegen.frontends.modelica.values.scalars import add, both, compare, either, invert
from tellegen.frontends.modelica.values.value import Scalar, Value, scalars, symbol
from tellegen.ir.expressions.expr import Expr, Slot
from tellegen.start.records import dataclass
from tellegen.symbolic.kernels.kernel import Choose, Step, Store

LOOP_LIMIT = 100_000


class Effects(Protocol):
    """What statements do beyond assigning: a function knows asserts, a model also when, reinit, terminate."""

    def call(self, call: Call, frame: Frame, condition: Scalar) -> None:
        """A call for its effect, where `condition` holds."""

    def when(self, statement: WhenStatement, frame: Frame) -> None:
        """A when statement."""


class State(NamedTuple):
    """What an algorithm has done so far."""

    values: dict[str, Value]
    returned: Scalar
    broken: Scalar


@dataclass
class Frame:
    """The state of an algorithm: the values of what it assigns to, and how far it has been left.

    `scope` is where its names are looked up; it has to see `values` (Scope.with_locals(values, assigned=True)).
    Its guard is the condition under which the present statement acts."""

    scope: Scope
    values: dict[str, Value]
    effects: Effects
    returned: Scalar = False
    broken: Scalar = False
    iterators: dict[str, Value] = field(default_factory=dict)
    flexible: frozenset[str] = frozenset()  # arrays with open sizes, which assignments may change (MLS 12.4.5)

    @property
    def left(self) -> Scalar:
        """Whether statements no longer act."""
        return either(self.returned, self.broken)

    def state(self) -> State:
        """What branches may change."""
        return State(dict(self.values), self.returned, self.broken)

    def restore(self, state: State) -> None:
        """Begin another branch."""
        self.values.clear()
        self.values.update(state.values)
        self.returned = state.returned
        self.broken = state.broken


def execute(statements: Sequence[Statement], frame: Frame) -> None:
    """All statements in order; what they demand counts where the algorithm has not been left before."""
    scope = frame.scope
    for statement in statements:
        if frame.left is True:
            break
        frame.scope = scope if frame.left is False else scope.under_condition(invert(frame.left))
        try:
            _STATEMENTS[type(statement)](statement, frame)
        except EvaluationError as error:
            raise error.located(frame.scope.location(statement.token)) from None
    frame.scope = scope


def _assignment(statement: Assignment, frame: Frame) -> None:
    assign(statement.target, evaluate(statement.value, frame.scope), frame)


def _multiple(statement: MultipleAssignment, frame: Frame) -> None:
    results = evaluate_results(statement.call, frame.scope)
    if len(results) < len(statement.targets):
        wanted = len(statement.targets)
        raise EvaluationError("E570", f"{wanted} results are wanted, {statement.call.function} has {len(results)}")
    for target, value in zip(statement.targets, results, strict=False):
        if target is not None:
            assign(target, value, frame)


def assign(target: Reference, value: Value, frame: Frame) -> None:
    """target := value, where the frame has not been left."""
    name = target.parts[0].name
    if held_once(frame.values, name) and _put_in_place(target, value, frame):
        return
    found = frame.scope.first(name) if name not in frame.values else frame.values[name]
    if found is None or isinstance(found, Entity | ClassView):
        raise EvaluationError("E576", f"'{name}' cannot be assigned to here")
    is_resized = name in frame.flexible and _is_whole(target) and len(shape_of(value)) == len(shape_of(found))
    new = value if is_resized else put(found, target.parts, value, frame.scope)
    left = frame.left
    value = new if left is False else where(left, found, new)
    recorder = frame.scope.recorder
    frame.values[name] = value if recorder is None else recorder.kept(value)


def _is_whole(target: Reference) -> bool:
    return len(target.parts) == 1 and not target.parts[0].subscripts


def _put_in_place(target: Reference, value: Value, frame: Frame) -> bool:
    """Assign to one element of an array that nothing else refers to: a copy each time would make loops quadratic."""
    head = target.parts[0]
    array = frame.values[head.name]
    is_plain = frame.left is False and frame.scope.recorder is None and len(target.parts) == 1
    if not is_plain or not isinstance(array, np.ndarray) or array.base is not None:
        return False
    if len(head.subscripts) != array.ndim or shape_of(value):
        return False
    at = positions(head.subscripts, array.shape, frame.scope)
    if not all(isinstance(position, int) for position in at):
        return False
    put_element(array, at, value)  # type: ignore[arg-type]
    return True


def _if(statement: IfStatement, frame: Frame) -> None:
    _branches(statement.branches, frame)


def _branches(branches: Sequence[tuple[Expression | None, tuple[Statement, ...]]], frame: Frame) -> None:
    if not branches:
        return
    (condition, body), *others = branches
    value = True if condition is None else evaluate(condition, frame.scope)
    test = as_condition("the condition of an if", value, frame.scope.type_of_slot)
    if isinstance(test, bool):
        return execute(body, frame) if test else _branches(others, frame)
    _both_ways(test, body, others, frame)


def _both_ways(
    test: Expr,
    body: Sequence[Statement],
    others: Sequence[tuple[Expression | None, tuple[Statement, ...]]],
    frame: Frame,
) -> None:
    """Execute both branches from the same values, then choose between what each has left."""
    for statements in (body, *(other for _, other in others)):
        for name in assigned_names(statements):
            _declared(name, frame)  # both branches begin with the value of its declaration
    before = frame.state()
    scope = frame.scope
    recorder = scope.recorder
    frame.scope = scope.under_condition(test)
    with _recorded(recorder) as yes_steps:
        execute(body, frame)
    yes = frame.state()
    frame.restore(before)
    frame.scope = scope.under_condition(invert(test))
    with _recorded(recorder) as no_steps:
        _branches(others, frame)
    no = frame.state()
    frame.scope = scope

    def merge(name: str, value: Value, other: Value) -> Value:
        if recorder is not None:
            return recorder.merged(value, other, yes_steps, no_steps)
        return value if value is other else _merged(name, test, value, other)

    frame.returned = merge("return", yes.returned, no.returned)  # type: ignore[assignment]
    frame.broken = merge("break", yes.broken, no.broken)  # type: ignore[assignment]
    for name, value in yes.values.items():
        frame.values[name] = merge(name, value, no.values.get(name, value))
    if recorder is not None:
        recorder.add(Choose(test, tuple(yes_steps), tuple(no_steps)))


def _recorded(recorder: Recorder | None) -> AbstractContextManager[list[Step]]:
    """A list for the steps of a branch; empty where nothing is recorded."""
    return nullcontext([]) if recorder is None else recorder.apart()


def _merged(name: str, test: Expr, value: Value, other: Value) -> Value:
    """What a variable is after an if; one whose size is open has a value in one branch only."""
    if shape_of(value) != shape_of(other):
        if isinstance(other, np.ndarray) and other.size == 0:
            return value
        if isinstance(value, np.ndarray) and value.size == 0:
            return other
        raise NotInlinableError("E569", f"the size of '{name}' depends on a condition that varies")
    return where(test, value, other)


def _for(statement: ForStatement, frame: Frame) -> None:
    around = frame.broken  # the loop around may have been left before, under a condition that varies
    _loop(statement.iterators, statement.body, statement.token, frame)
    frame.broken = around


def _loop(iterators: Sequence[LoopIterator], body: Sequence[Statement], token: int, frame: Frame) -> None:
    if not iterators:
        return execute(body, frame)
    first, *others = iterators
    scope = frame.scope
    if (span := varying_range(first, scope)) is not None:
        inside = [ForStatement(tuple(others), tuple(body), token)] if others else body
        if scope.recorder is not None:
            return _counted(first.name, span, inside, frame)
        return _native(inside, lambda: _counted(first.name, span, inside, frame), frame)
    for value in iterator_values(first, tuple(body), scope, may_vary=True):
        frame.scope = scope.with_locals({first.name: value})
        around = frame.broken
        try:
            _loop(others, body, token, frame)
        finally:
            frame.scope = scope
        if others:  # each iterator is a loop of its own, and break leaves the innermost (MLS 11.2.2.3)
            frame.broken = around
        if frame.left is True:
            break


def _counted(name: str, span: VaryingRange, body: Sequence[Statement], frame: Frame) -> None:
    """A for loop over a range whose ends vary, as steps."""
    scope = frame.scope
    recorder: Recorder = scope.recorder
    counter = recorder.held(span.start)
    stop = recorder.kept(span.stop)
    assert isinstance(counter, Slot)
    frame.scope = scope.with_locals({name: counter})
    before_end = "<=" if span.step > 0 else ">="

    def advance() -> None:
        recorder.add(Store(counter.index, symbol(add(counter, span.step))))

    try:
        _recorded_loop(body, lambda: compare(before_end, counter, stop), frame, advance)  # type: ignore[arg-type]
    finally:
        frame.scope = scope


def _while(statement: WhileStatement, frame: Frame) -> None:
    around = frame.broken
    record = partial(_recorded_loop, statement.body, lambda: evaluate(statement.condition, frame.scope), frame)
    for _ in range(LOOP_LIMIT):
        test = both(evaluate(statement.condition, frame.scope), invert(frame.left))  # type: ignore[arg-type]
        if isinstance(test, Expr) and frame.scope.recorder is not None:
            record()
            break
        if not isinstance(test, bool):
            _native(statement.body, record, frame)
            break
        if not test:
            break
        execute(statement.body, frame)
    else:
        raise NotInlinableError("E573", f"a while loop does not end within {LOOP_LIMIT} rounds")
    frame.broken = around


def _native(body: Sequence[Statement], loop: Callable[[], None], frame: Frame) -> None:
    """A loop of a model whose end varies, as a function; functions are compiled as a whole."""
    if frame.scope.translation is None or frame.left is not False or frame.scope.literal:
        raise NotInlinableError("E569", "the end of a loop varies")
    if any(isinstance(each, WhenStatement | Return) for each in all_statements(body)):
        raise not_supported("a when-statement or a return inside of a loop whose end varies")
    names = [name for name in dict.fromkeys(assigned_names(body)) if _declared(name, frame)]
    scope = frame.scope

    def record(recording: Scope) -> None:
        frame.scope = recording
        try:
            loop()
        finally:
            frame.scope = scope
            frame.returned = frame.broken = False  # what leaves the loop is inside of the function

    frame.values.update(looped(frame.values, names, scope, record))


def _recorded_loop(
    body: Sequence[Statement],
    condition: Callable[[], Value],
    frame: Frame,
    advance: Callable[[], None] = lambda: None,
) -> None:
    """A loop whose end varies, as steps: what it assigns to is held in slots, its flags too."""
    recorder: Recorder = frame.scope.recorder
    names = [name for name in dict.fromkeys(assigned_names(body)) if _declared(name, frame)]
    for name in names:
        frame.values[name] = recorder.held(frame.values[name])
    carried = {name: frame.values[name] for name in names}
    flags = [recorder.held(frame.returned), recorder.held(frame.broken)] if can_leave(body) else []
    left = frame.left if not flags else either(flags[0], flags[1])  # type: ignore[arg-type]

    going: Scalar = True

    def test() -> Expr:
        nonlocal going
        going = symbol(both(condition(), invert(left)))  # type: ignore[arg-type]
        return going

    def round_of() -> None:
        frame.returned = frame.broken = False  # the loop would have been left
        scope = frame.scope
        frame.scope = scope.under_condition(going)
        execute(body, frame)
        frame.scope = scope
        old = [part for name in names for part in scalars(carried[name])]
        new = [part for name in names for part in scalars(frame.values[name])]
        if len(old) != len(new):
            raise NotInlinableError("E569", "a loop changes the size of an array")
        reasons = [frame.returned, frame.broken] if flags else []
        recorder.update([*old, *flags], [*new, *reasons])  # type: ignore[list-item]
        advance()

    before = frame.returned
    recorder.loop(test, round_of)
    frame.values.update(carried)
    frame.returned = flags[0] if flags else before  # type: ignore[assignment]
    frame.broken = False


def _declared(name: str, frame: Frame) -> bool:
    """Whether a name is a variable of the algorithm; its declaration is evaluated now if it was not before."""
    return name in frame.values or (frame.scope.first(name) is not None and name in frame.values)


def _call(statement: CallStatement, frame: Frame) -> None:
    frame.effects.call(statement.call, frame, frame.scope.guard)


def _when(statement: WhenStatement, frame: Frame) -> None:
    if frame.left is not False:
        raise not_supported("a when statement after a return")
    frame.effects.when(statement, frame)


def _break(_: Break, frame: Frame) -> None:
    frame.broken = True if frame.left is False else either(frame.broken, invert(frame.returned))


def _return(_: Return, frame: Frame) -> None:
    frame.returned = True if frame.left is False else either(frame.returned, invert(frame.broken))


_STATEMENTS = {
    Assignment: _assignment,
    MultipleAssignment: _multiple,
    CallStatement: _call,
    IfStatement: _if,
    ForStatement: _for,
    WhileStatement: _while,
    WhenStatement: _when,
    Break: _break,
    Return: _return,
}
