"""The equations of one component over symbols of its own, with internal variables eliminated.

    phi == flange_a.phi;  w == der(phi);  a == der(w);  J*a == flange_a.tau + flange_b.tau
    ->  J*der(flange_a.phi, 2) == flange_a.tau + flange_b.tau

A symbol is a variable with the number of its time derivatives, or a parameter; it is a Slot of the expressions here, so
derivatives of any order are leaves like any other. What instances of a kind have in common is found once, on the
first of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tellegen.ir.expressions.expr import Call, Const, Der, Expr, Slot, rebuild, same_with, walk
from tellegen.ir.expressions.template import EquationTemplate
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import Array, Parameter
from tellegen.symbolic.build import call, is_zero, number
from tellegen.symbolic.differentiate import time_derivative
from tellegen.symbolic.linear import cancelled
from tellegen.symbolic.solve import affine

_LONGEST = 400  # nodes of an expression that is still substituted


class Symbol(NamedTuple):
    """A variable (of the flat model, or an edge variable) differentiated `order` times, or a parameter."""

    kind: str  # variable, parameter, across, through (of an edge)
    place: int
    order: int = 0


@dataclass(eq=False)
class Symbols:
    """The symbols in use; symbol k is Slot(k)."""

    known: list[Symbol] = field(default_factory=list)
    number: dict[Symbol, int] = field(default_factory=dict)

    def slot(self, symbol: Symbol) -> Slot:
        """The leaf of a symbol."""
        if symbol not in self.number:
            self.number[symbol] = len(self.known)
            self.known.append(symbol)
        return Slot(self.number[symbol])

    def inside(self, *expressions: Expr) -> Iterator[Symbol]:
        """The symbols that occur, each once."""
        return (self.known[node.index] for node in walk(*expressions) if isinstance(node, Slot))

    def derivative(self, expr: Expr) -> Expr | None:
        """d/dt; parameters do not change. None where an operation has no derivative."""

        def of_slot(index: int) -> Expr:
            kind, place, order = self.known[index]
            return Const(0.0) if kind == "parameter" else self.slot(Symbol(kind, place, order + 1))

        return time_derivative(expr, of_slot, of_slot)


def replaced(expr: Expr, value: Callable[[int], Expr | None]) -> Expr:
    """The expression with leaves replaced where `value` gives another; sums are cleared of terms that cancel."""

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Slot):
            other = value(node.index)
            return node if other is None else other
        if args == node.args:
            return node
        new = call(node.op, *args) if isinstance(node, Call) else same_with(node, args)
        return cancelled(new)

    return rebuild(expr, change)


def equations_of(flat: FlatModel, node: int, symbols: Symbols) -> list[Expr]:
    """The residuals of the first instance of a node; numbers written in equations are numbers again."""
    out: list[Expr] = []
    for group in flat.equations:
        template = group.template
        assert isinstance(template, EquationTemplate)
        if _gives_discrete(template):
            continue
        for owner, first, per_instance in group.spans:
            if owner == node:
                rows = group.bindings[first : first + per_instance]
                out += [_residual(flat, template, row, symbols) for row in rows]
    return out


def _gives_discrete(template: EquationTemplate) -> bool:
    """Whether this is logic: the value of a discrete variable, constant between events."""
    sides = [side for side in (template.lhs, template.rhs) if isinstance(side, Slot)]
    return any(template.slots[side.index].discrete and not template.slots[side.index].parameter for side in sides)


def _residual(flat: FlatModel, template: EquationTemplate, row: Array, symbols: Symbols) -> Expr:
    def leaf(index: int, order: int) -> Expr:
        place = int(row[index])
        if not template.slots[index].parameter:
            return symbols.slot(Symbol("variable", place, order))
        declared = flat.parameters.declaration(place)
        if isinstance(declared, Parameter) and declared.literal:
            return Const(float(flat.parameters.column("value")[place]))
        return symbols.slot(Symbol("parameter", place))

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Slot | Der):
            return leaf(node.index, int(isinstance(node, Der)))
        return call(node.op, *args) if isinstance(node, Call) else same_with(node, args)

    return cancelled(rebuild(template.residual, change))


@dataclass(frozen=True, eq=False)
class Outside:
    """What a component shows: the roles of its port variables; and variables that change at events only."""

    roles: dict[int, str]
    constant: frozenset[int]

    def is_plain(self, inside: Iterable[Symbol]) -> bool:
        """Whether all variables are potentials of ports, or all are flows: then a rate of it is one of theirs.

        The charge C*v of a capacitor is; the voltage inside a battery, of current and terminal voltage, is a state.
        """
        found = {
            self.roles.get(s.place, "inner") for s in inside if s.kind == "variable" and s.place not in self.constant
        }
        return found in ({"across"}, {"through"}, set())


def eliminate(
    equations: list[Expr], internal: Iterable[int], symbols: Symbols, outside: Outside
) -> tuple[list[Expr], dict[int, Expr]]:
    """Equations without those internal variables that one of them gives, and the values of these."""
    left, values, wanted = list(equations), {}, set(internal)
    while True:
        found = _best(left, wanted, symbols, outside)
        if found is None:
            return left, values
        row, variable, value = found
        put = _putter(variable, value, symbols)
        try:
            changed = [replaced(other, put) for k, other in enumerate(left) if k != row]
            values = {key: replaced(old, put) for key, old in values.items()}
        except _NoDerivativeError:
            wanted.discard(variable)
            continue
        left = [equation for equation in changed if not is_zero(equation)]
        values[variable] = value
        wanted.discard(variable)


class _NoDerivativeError(Exception):
    """A value that would have to be differentiated cannot be."""


def _best(equations: list[Expr], wanted: set[int], symbols: Symbols, outside: Outside) -> tuple[int, int, Expr] | None:
    """The simplest equation that gives an internal variable: row, variable, value."""
    best: tuple[tuple[int, int], int, int, Expr] | None = None
    moving = {s.place for s in symbols.inside(*equations) if s.kind == "variable" and s.order}
    for row, equation in enumerate(equations):
        inside = list(symbols.inside(equation))
        differentiated = {s.place for s in inside if s.kind == "variable" and s.order}
        for symbol in inside:
            if symbol.kind != "variable" or symbol.place not in wanted or symbol.place in differentiated:
                continue
            parts = affine(equation, symbols.slot(symbol))
            if parts is None or _moves(symbols.inside(parts[0]), outside.constant):
                continue
            if symbol.place in moving and not outside.is_plain(symbols.inside(parts[1])):
                continue
            factor = number(parts[0])
            if factor == 0.0 or sum(1 for _ in walk(parts[1])) > _LONGEST:
                continue
            cost = (0 if factor in (1.0, -1.0) else 1 if factor is not None else 2, sum(1 for _ in walk(equation)))
            if best is None or cost < best[0]:
                value = call("neg", parts[1]) if factor == 1.0 else call("div", call("neg", parts[1]), parts[0])
                best = cost, row, symbol.place, value
    return None if best is None else best[1:]


def _moves(inside: Iterable[Symbol], constant: frozenset[int]) -> bool:
    """Whether a symbol changes between events."""
    return any(symbol.kind != "parameter" and symbol.place not in constant for symbol in inside)


def _putter(variable: int, value: Expr, symbols: Symbols) -> Callable[[int], Expr | None]:
    """The value (or its derivatives) in the place of a variable (or its derivatives)."""
    derivatives = [value]

    def put(index: int) -> Expr | None:
        symbol = symbols.known[index]
        if symbol.kind != "variable" or symbol.place != variable:
            return None
        while len(derivatives) <= symbol.order:
            further = symbols.derivative(derivatives[-1])
            if further is None:
                raise _NoDerivativeError
            derivatives.append(further)
        return derivatives[symbol.order]

    return put
