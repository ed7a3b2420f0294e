"""Modes as what the language has already: rows that read the active mode, and one when-statement.

    mode "a": der(x) == 1, mode "b": der(x) == -x     ->   der(x) == where(mode == 0, 1, -x)
    transition("a", "b", x > 2, reinit(x, 1))         ->   when (pre(mode) == 0) & (x > 2): mode := 1; reinit(x, 1)

The i-th row takes one equation of each mode, those that resemble each other most. Guards of modes that are not active
have no roots: `x > 2` stands as `where(pre(mode) == 0, x - 2, -1) > 0`. Modes inside a mode nest the same way; their
transitions wait for those of the modes around them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.errors import LanguageError
from tellegen.frontends.python.declarations.declare import VariableDecl
from tellegen.frontends.python.declarations.leaf import Leaf
from tellegen.frontends.python.discrete.guards import all_of, any_of, guarded, uses_after
from tellegen.frontends.python.discrete.modes import Mode, Modes, Transition
from tellegen.frontends.python.discrete.nesting import (
    NEVER,
    Around,
    Inside,
    has_begun,
    once,
    reenterable,
    visits_matter,
)
from tellegen.frontends.python.discrete.resemblance import Row, key_of, paired
from tellegen.frontends.python.discrete.statements import When
from tellegen.frontends.python.expressions.functions import change, edge, initial, pre, time, where
from tellegen.frontends.python.expressions.symbol import Symbol, as_symbol, operation
from tellegen.frontends.python.tracing.trace import Naming
from tellegen.ir.model import Variable
from tellegen.start.records import dataclass
from tellegen.units import parse_unit


@dataclass
class Lowered:
    """Everything that modes become: rows of the integrator, values of discrete variables, when-statements."""

    rows: list[Row]
    values: dict[Any, tuple[Symbol, Symbol]]  # by key: the variable and its value
    always: list[tuple[Symbol, Symbol]]  # discrete variables with a value in every mode
    whens: list[When]


class Lowering:
    """Lowers one tg.modes statement; `around` are the conditions set by the mode it stands in."""

    def __init__(self, naming: Naming, statement: Modes, around: Around | None = None) -> None:
        self.naming = naming
        self.statement = statement
        self.around = around
        self.names = statement.names
        self.location = statement.location.within(type(naming.instance).__name__)
        prefix = around.name + "." if around is not None else ""
        self.name = prefix + statement.name if statement.variable is None else statement.variable.member
        self.variable = self._variable()
        asked = any(uses_after(t.guard) for t in statement.transitions) or any(mode.entry for mode in statement.modes)
        timed = asked or around is not None
        self.entered = self._added(f"{self.name}.entered", NEVER, type="real", unit="s") if timed else None
        counted = visits_matter(statement, around)
        self.visits = self._added(f"{self.name}.visits", 0, type="integer") if counted else None
        self.inside = None if around is None else self._inside_of(around)
        self.becoming = self._self_transitions()

    # -- variables ----------------------------------------------------------------------------------------------
    def _variable(self) -> Symbol:
        """The discrete variable that holds the mode, added to the component unless its class declares one."""
        given = self.statement.variable
        if given is None:
            start = self.names.index(self.statement.start)
            return self._added(self.name, start, type="enumeration", literals=self.names)
        number = self.naming.variable_index[given.member]
        declared = self.naming.variables[number]
        if declared.literals and set(declared.literals) != set(self.names):
            raise LanguageError(
                "E179",
                f"'{given}' is one of {', '.join(declared.literals)}, but the modes are {', '.join(self.names)}",
                location=self.location,
                advice="declare the enumeration with the names of the modes",
            )
        self.names = declared.literals or self.names  # a StateMachine learns the names of its modes here
        start = self.names.index(self.statement.start)
        attributes = {**declared.attributes, "start": np.asarray(float(start))}
        self.naming.variables[number] = replace(declared, literals=self.names, attributes=attributes)
        return given

    def _added(self, name: str, start: float, unit: str | None = None, **kind: Any) -> Symbol:
        """A new discrete variable of the component."""
        naming = self.naming
        if name in naming.variable_index or name in naming.parameter_index:
            raise LanguageError(
                "E179",
                f"the variable '{name}' for the active mode has the name of another member",
                location=self.location,
                advice='give the modes another name: tg.modes(..., name="phase"); or, if it is meant to hold the mode, '
                f"variable=self.{name}",
            )
        naming.variable_index[name] = len(naming.variables)
        attributes = {"start": np.asarray(float(start)), "fixed": np.asarray(1.0), "state": 0.0}
        naming.variables.append(
            Variable(
                name=name, unit=parse_unit(unit), discrete=True, attributes=attributes, location=self.location, **kind
            )
        )
        return Leaf(naming.instance, VariableDecl(unit, "", (), "local", {}, **kind, discrete=True), name, ())

    def _inside_of(self, around: Around) -> Inside:
        assert self.entered is not None
        seen = self._added(f"{self.name}.visit", 0, type="integer") if around.visits is not None else None
        return Inside(around, self.entered, seen)

    def _self_transitions(self) -> dict[int, tuple[Symbol, Symbol]]:
        """By number, those of modes with modes inside: whether the guard holds, as a variable that has a past."""
        inner = {mode.name for mode in self.statement.modes if mode.inner}
        numbers = [k for k, t in enumerate(self.statement.transitions) if t.source == t.target and t.source in inner]
        return {
            k: (self._added(f"{self.name}.again{k}", 0, type="boolean"), self._condition(self.statement.transitions[k]))
            for k in numbers
        }

    def _is(self, name: str) -> Symbol:
        """Whether this mode is active, at an event before the present iteration."""
        return operation("eq", pre(self.variable), self.names.index(name))

    def _becomes(self, name: str) -> Symbol:
        return operation("eq", self.variable, self.names.index(name))

    # -- equations ----------------------------------------------------------------------------------------------
    def run(self) -> Lowered:
        """See the top of this file."""
        inside = {mode.name: self._equations(mode) for mode in self.statement.modes}
        ordered = [inside[name] for name in self.names]
        self._check_counts(inside)
        rows = [self._row(list(group)) for group in paired([part.rows for part in ordered])]
        keys = dict.fromkeys(key for part in ordered for key in part.values)
        values = {key: self._value([part.values.get(key) for part in ordered]) for key in keys}
        whens = [self._when(), *(when for part in ordered for when in part.whens)]
        actions = (action for when in whens for _, actions in when.branches for action in actions)
        for target in (action.args[0] for action in actions if isinstance(action, Symbol)):
            if key_of(target) in values:
                raise self._twice(target, "by equations of modes and by actions")
        always = [pair for part in ordered for pair in part.always] + list(self.becoming.values())
        return Lowered(rows, values, always, whens)

    def _equations(self, mode: Mode) -> Lowered:
        """The equations of one mode, those of modes inside it included."""
        out = Lowered([], {}, [], [])
        for equation in mode.equations:
            lhs, rhs = equation.args
            if isinstance(lhs, Leaf) and isinstance(lhs.decl, VariableDecl) and lhs.decl.discrete:
                self._add_value(out, key_of(lhs), lhs, rhs)
            else:
                out.rows.append(Row(lhs, rhs, (("", lhs, rhs),)))
        for statement in mode.inner:
            lower = Lowering(self.naming, statement, self._around(mode)).run()
            out.rows += lower.rows
            for key, (target, value) in lower.values.items():
                self._add_value(out, key, target, value)
            out.always += lower.always
            out.whens += lower.whens
        return out

    def _add_value(self, out: Lowered, key: Any, target: Symbol, value: Symbol) -> None:
        if key in out.values:
            raise self._twice(target, "twice in one mode")
        out.values[key] = (target, value)

    def _twice(self, target: Symbol, how: str) -> LanguageError:
        return LanguageError(
            "E178",
            f"'{target}' is assigned {how}",
            location=self.location,
            advice="assign it once: by an equation of modes, which holds while they are active, or by actions",
        )

    def _around(self, mode: Mode) -> Around:
        """What modes inside a mode see of it. In the round in which it is left its guard may no longer hold."""
        leaving = [
            edge(self.becoming[k][0]) if k in self.becoming else self._guard(t)
            for k, t in enumerate(self.statement.transitions)
            if t.source == mode.name
        ]
        moving = [any_of([*leaving, change(self.variable), *self._visited()])] if leaving else []
        above = () if self.inside is None else self.inside.settled
        visits = self.visits if mode.name in reenterable(self.statement, self.around) else None
        return Around(f"{self.name}.{mode.name}", self._active(mode.name), (*above, *(~m for m in moving)), visits)

    def _active(self, name: str) -> Symbol:
        here = self._is(name)
        return here if self.around is None else self.around.active & here

    def _visited(self) -> list[Symbol]:
        """Whether a mode is re-entered in this round, if that is counted."""
        return [] if self.visits is None else [change(self.visits)]

    def _check_counts(self, inside: dict[str, Lowered]) -> None:
        counts = {name: sum(int(np.prod(row.shape)) for row in part.rows) for name, part in inside.items()}
        if len(set(counts.values())) == 1:
            return
        raise LanguageError(
            "E199",
            "the modes have different numbers of equations: "
            + ", ".join(f"'{name}' has {count}" for name, count in counts.items()),
            location=self.location,
            advice="every mode must determine the same unknowns;\n"
            "a state that is constant in a mode has tg.der(x) == 0 there",
        )

    def _chosen(self, values: list[Symbol]) -> Symbol:
        """The value of the active mode."""
        out = values[-1]
        for k in range(len(values) - 2, -1, -1):
            out = where(operation("eq", self.variable, k), values[k], out)
        return out

    def _row(self, alternatives: list[Row]) -> Row:
        cases = tuple(
            (f"{name}.{inner}" if inner else name, lhs, rhs)
            for name, row in zip(self.names, alternatives, strict=True)
            for inner, lhs, rhs in row.cases
        )
        if len({key_of(row.lhs) for row in alternatives}) == 1:
            return Row(alternatives[0].lhs, self._chosen([row.rhs for row in alternatives]), cases)
        return Row(self._chosen([row.lhs - row.rhs for row in alternatives]), as_symbol(0.0), cases)

    def _value(self, given: list[tuple[Symbol, Symbol] | None]) -> tuple[Symbol, Symbol]:
        """A discrete variable keeps its value in modes that do not give it one."""
        target = next(pair[0] for pair in given if pair is not None)
        return target, self._chosen([pre(target) if pair is None else pair[1] for pair in given])

    # -- transitions --------------------------------------------------------------------------------------------
    def _guard(self, t: Transition) -> Symbol:
        """The guard, with roots only while its mode is active, and with the time since that was entered."""
        return guarded(t.guard, self._is(t.source), self.entered)

    def _condition(self, t: Transition) -> Symbol:
        """Whether a transition is to be taken. One that lost against a self-transition has its turn next."""
        begun = [] if self.entered is None else [has_begun(self.entered)]
        free = begun if self.inside is None else [self.inside.around.active, *self.inside.settled]
        later = [] if t.source == t.target else [~again for again in self._visited()]
        return all_of([*free, self._is(t.source), *later, self._guard(t)])

    def _when(self) -> When:
        when = When(location=self.statement.location)
        if self.inside is None:
            self._starts(when)
        else:
            self._begins(when, self.inside)
        by_name = {mode.name: mode for mode in self.statement.modes}
        for k, t in enumerate(self.statement.transitions):
            source = by_name[t.source]
            target = by_name[t.target]
            actions = [*source.exit, *t.actions, *self._entering(target, again=t.source == t.target)]
            condition = self.becoming[k][0] if k in self.becoming else self._condition(t)
            self._branch(when, condition, actions, f"{t.source} -> {t.target}")
        if self.inside is not None:
            self._ends(when, self.inside)
        return when

    def _starts(self, when: When) -> None:
        """What happens at the start of a run, once, before any transition."""
        if self.entered is None:
            return
        first = initial() & ~has_begun(self.entered)
        for mode in self.statement.modes:
            if mode.entry:
                self._branch(when, first & self._is(mode.name), [*mode.entry, *self._clock()], "begins")
        self._branch(when, first, self._clock(), "begins")

    def _begins(self, when: When, inside: Inside) -> None:
        """What happens when the mode around these is entered, and entered from itself."""
        first = self.statement.first
        begins = [inside.around.active, ~inside.begun]
        self._branch(when, all_of(begins), [*first.entry, *inside.now()], f"starts as {first.name}")
        again = inside.begins_again()
        if not again:
            return
        entering = [*self._entering(first, again=True), *inside.now()]
        for mode in self.statement.modes:
            if mode.exit:
                condition = all_of([*again, self._is(mode.name)])
                self._branch(when, condition, [*mode.exit, *entering], f"restarts, was {mode.name}")
        self._branch(when, all_of(again), entering, f"restarts as {first.name}")

    def _ends(self, when: When, inside: Inside) -> None:
        """What happens when the mode around these is left; then they stand at their start again."""
        home = [self._becomes(self.statement.start), inside.never()]
        for mode in self.statement.modes:
            if mode.exit:
                left = all_of([~inside.around.active, inside.begun, self._is(mode.name)])
                self._branch(when, left, [*mode.exit, *home], f"ends as {mode.name}")
        self._branch(when, ~inside.around.active, home, "ends")

    def _branch(self, when: When, condition: Symbol, actions: list[Any], what: str) -> None:
        if actions:
            when.titles[len(when.branches)] = f"{self.name}: {what}"
            when.branches.append((condition, once(actions)))

    def _entering(self, target: Mode, again: bool) -> list[Any]:
        counted = [] if self.visits is None or not again else [operation("eq", self.visits, pre(self.visits) + 1)]
        return [*target.entry, self._becomes(target.name), *counted, *self._clock()]

    def _clock(self) -> list[Any]:
        return [] if self.entered is None else [operation("eq", self.entered, time)]
