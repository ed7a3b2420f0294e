"""The equations of one component over symbols of its own, with internal variables eliminated.

    phi == flange_a.phi;  w == der(phi);  a == der(w);  J*a == flange_a.tau + flange_b.tau
    ->  J*der(flange_a.phi, 2) == flange_a.tau + flange_b.tau

A symbol is a variable with the number of its time derivatives, or a parameter; it is a Slot of the expressions here, so
derivatives of any order are leaves like any other. What instances of a kind have in common is found once, on the
first of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from typing import NamedTuple

from tellegen.ir.expressions.expr import Call, Const, Der, Expr, Slot, rebuild, same_with, walk
from tellegen.ir.expressions.template import EquationTemplate
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import Array, Parameter
from tellegen.start.records import dataclass
from tellegen.symbolic.build import call, is_zero, number
from tellegen.symbolic.differentiate import time_derivative
from tellegen.symbolic.linear import cancelled
from tellegen.symbolic.solve import affine

_LONGEST = 400  # nodes of an expression that is still substituted
_LEAST_COST = 0  # of a coefficient of one: nothing has to be divided
_Put = Callable[[int], Expr | None]


class Symbol(NamedTuple):
    """A variable (of the flat model, or an edge variable) differentiated `order` times, or a parameter."""

    kind: str  # variable, parameter, across, through (of an edge)
    position: int
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
            kind, position, order = self.known[index]
            return Const(0.0) if kind == "parameter" else self.slot(Symbol(kind, position, order + 1))

        return time_derivative(expr, of_slot, of_slot)


def replaced(expr: Expr, value: _Put) -> Expr:
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
        position = int(row[index])
        if not template.slots[index].parameter:
            return symbols.slot(Symbol("variable", position, order))
        declared = flat.parameters.declaration(position)
        if isinstance(declared, Parameter) and declared.literal:
            return Const(float(flat.parameters.column("value")[position]))
        return symbols.slot(Symbol("parameter", position))

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Slot | Der):
            return leaf(node.index, int(isinstance(node, Der)))
        return call(node.op, *args) if isinstance(node, Call) else same_with(node, args)

    return cancelled(rebuild(template.residual, change))


@dataclass(frozen=True, eq=False)
class Outside:
    """What a component shows: the roles of its port variables, and which variables change at events only."""

    roles: dict[int, str]
    constant: frozenset[int]
    outputs: frozenset[int]  # signals that leave it

    def is_plain(self, inside: Iterable[Symbol]) -> bool:
        """Whether all variables are potentials of ports, or all are flows: then a rate of it is one of theirs.

        The charge C*v of a capacitor is; the voltage inside a battery, of current and terminal voltage, is a state.
        """
        found = {
            self.roles.get(s.position, "inner")
            for s in inside
            if s.kind == "variable" and s.position not in self.constant
        }
        return found in ({"across"}, {"through"}, set())


@dataclass(frozen=True, eq=False)
class _Given:
    """An internal variable that an equation gives: coefficient * variable + rest == 0."""

    variable: int
    coefficient: Expr
    rest: Expr
    cost: tuple[int, int]
    is_plain: bool  # the rest, see Outside

    def value(self) -> Expr:
        negative = call("neg", self.rest)
        return negative if number(self.coefficient) == 1.0 else call("div", negative, self.coefficient)


class _Equation:
    """An equation with what does not depend on the others, found once: most outlive many eliminations unchanged."""

    def __init__(self, expr: Expr, symbols: Symbols) -> None:
        self.expr = expr
        self.symbols = symbols
        self.inside = [symbol for symbol in symbols.inside(expr) if symbol.kind == "variable"]
        self.variables = {symbol.position for symbol in self.inside}
        self.moving = {symbol.position for symbol in self.inside if symbol.order}
        self.length = len(walk(expr))
        self._gives: list[_Given] | None = None

    def gives(self, wanted: set[int], symbols: Symbols, outside: Outside) -> Iterator[_Given]:
        """Those of the wanted variables that it gives; from call to call fewer are wanted."""
        if self._gives is None:
            positions = (s.position for s in self.inside if s.position in wanted and s.position not in self.moving)
            found = (_given(self.expr, position, symbols, outside) for position in positions)
            self._gives = [given for given in found if given is not None]
        return (given for given in self._gives if given.variable in wanted)


def eliminate(
    equations: list[Expr], internal: Iterable[int], symbols: Symbols, outside: Outside
) -> tuple[list[Expr], dict[int, Expr]]:
    """Equations without those internal variables that one of them gives, and the values of those that are outputs."""
    wanted = set(internal)
    left: list[_Equation] = [_Equation(expr, symbols) for expr in equations]
    values: dict[int, _Equation] = {}
    while True:
        found: tuple[_Equation, _Given] | None = _best(left, wanted, symbols, outside)
        if found is None:
            return [equation.expr for equation in left], {key: value.expr for key, value in values.items()}
        source, given = found
        put = _putter(given.variable, given.value(), symbols)
        wanted.discard(given.variable)
        try:
            changed: list[_Equation] = [_without(given.variable, other, put) for other in left if other is not source]
            values = {key: _without(given.variable, old, put) for key, old in values.items()}
        except _NoDerivativeError:
            continue
        left = [equation for equation in changed if not is_zero(equation.expr)]
        if given.variable in outside.outputs:
            values[given.variable] = _Equation(given.value(), symbols)


class _NoDerivativeError(Exception):
    """A value that would have to be differentiated cannot be."""


def _without(variable: int, old: _Equation, put: _Put) -> _Equation:
    """An equation with the value of a variable put in its place."""
    return _Equation(replaced(old.expr, put), old.symbols) if variable in old.variables else old


def _best(
    equations: list[_Equation], wanted: set[int], symbols: Symbols, outside: Outside
) -> tuple[_Equation, _Given] | None:
    """The simplest equation that gives an internal variable, and what it gives."""
    best: tuple[_Equation, _Given] | None = None
    moving = set[int]().union(*(equation.moving for equation in equations))
    for equation in sorted(equations, key=lambda each: each.length):
        if best is not None and best[1].cost < (_LEAST_COST, equation.length):
            break  # nothing longer is simpler, and to solve it would take long
        for given in equation.gives(wanted, symbols, outside):
            if given.variable in moving and not given.is_plain:
                continue
            if best is None or given.cost < best[1].cost:
                best = equation, given
    return best


def _given(equation: Expr, variable: int, symbols: Symbols, outside: Outside) -> _Given | None:
    """The variable by the equation; None where it cannot be solved for it, or the solution is too long."""
    parts = affine(equation, symbols.slot(Symbol("variable", variable)))
    if parts is None or _moves(symbols.inside(parts[0]), outside.constant):
        return None
    coefficient, rest = parts
    factor = number(coefficient)
    if factor == 0.0 or len(walk(rest)) > _LONGEST:
        return None
    cost = _LEAST_COST if factor in (1.0, -1.0) else 1 if factor is not None else 2
    is_plain = outside.is_plain(symbols.inside(rest))
    return _Given(variable, coefficient, rest, (cost, len(walk(equation))), is_plain)


def _moves(inside: Iterable[Symbol], constant: frozenset[int]) -> bool:
    """Whether a symbol changes between events."""
    return any(symbol.kind != "parameter" and symbol.position not in constant for symbol in inside)


def _putter(variable: int, value: Expr, symbols: Symbols) -> _Put:
    """The value (or its derivatives) in the place of a variable (or its derivatives)."""
    derivatives = [value]

    def put(index: int) -> Expr | None:
        symbol = symbols.known[index]
        if symbol.kind != "variable" or symbol.position != variable:
            return None
        while len(derivatives) <= symbol.order:
            further = symbols.derivative(derivatives[-1])
            if further is None:
                raise _NoDerivativeError
            derivatives.append(further)
        return derivatives[symbol.order]

    return put
