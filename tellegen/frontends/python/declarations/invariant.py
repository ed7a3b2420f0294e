"""The statement tg.invariant: a variable that stays zero along the exact solution, and what it changes with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from tellegen.errors import LanguageError
from tellegen.frontends.python.declarations.declare import VariableDecl
from tellegen.frontends.python.declarations.leaf import Leaf
from tellegen.frontends.python.expressions.generator_watch import watched
from tellegen.frontends.python.expressions.symbol import Literal, Shape, Symbol, as_symbol, pick_flat
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass

_ADVICE = "declare variables: yield tg.invariant(self.gap, {self.x: self.gap_by_x, self.y: self.gap_by_y})"


@dataclass(frozen=True, eq=False)
class Partial:
    """Derivatives of residuals by states, entry by entry: three symbols of the same shape."""

    residual: Leaf
    state: Leaf
    derivative: Leaf | Literal


@dataclass(frozen=True, eq=False)
class Invariant:
    """Residuals that stay zero along the exact solution, by their derivatives."""

    partials: tuple[Partial, ...]
    verb: ClassVar[str] = "invariant"


def invariant(gap: Any, derivatives: Mapping[Any, Any]) -> Invariant:
    """A variable that is zero along the exact solution; integrators keep it so by projection after every step.

    `derivatives` gives its partial derivatives by states: variables, parameters or numbers. Of a gap of shape S and a
    state of shape T the derivative has the shape S + T, a Jacobian; where all three have the same shape it is taken
    element by element.

    yield tg.invariant(self.norm, {self.Q: self.norm_by_Q})
    """
    residual = _variable(gap)
    if not isinstance(derivatives, Mapping) or not derivatives:
        raise LanguageError("E148", f"tg.invariant({gap}, ...) names no states", location=here(), advice=_ADVICE)
    pairs = ((_variable(state), _derivative(value)) for state, value in derivatives.items())
    return watched(Invariant(tuple(_partial(residual, state, value) for state, value in pairs)))


def _variable(given: Any) -> Leaf:
    if isinstance(given, Leaf) and isinstance(given.decl, VariableDecl):
        return given
    what = "a parameter" if isinstance(given, Leaf) else "not a declared variable"
    raise LanguageError("E148", f"tg.invariant: '{given}' is {what}", location=here(), advice=_ADVICE)


def _derivative(given: Any) -> Leaf | Literal:
    symbol = as_symbol(given)
    if isinstance(symbol, Leaf | Literal):
        return symbol
    what = f"tg.invariant: the derivative '{symbol}' is an expression"
    raise LanguageError("E148", what, location=here(), advice=_ADVICE)


def _partial(residual: Leaf, state: Leaf, value: Leaf | Literal) -> Partial:
    grid = (*residual.shape, *state.shape)
    if residual.shape == state.shape == value.shape:
        return Partial(residual, state, value)
    if value.shape != grid:
        same = f" or {grid[: len(state.shape)]} (element by element)" if residual.shape == state.shape else ""
        raise LanguageError(
            "E114",
            f"'{residual}' has shape {residual.shape} and '{state}' {state.shape}, so the derivative of one by the "
            f"other has shape {grid}{same}; '{value}' has {value.shape}",
            location=here(),
            advice="give a variable of that shape",
        )
    rows = np.arange(_count(residual.shape)).reshape(*residual.shape, *(1,) * len(state.shape))
    columns = np.arange(_count(state.shape)).reshape(state.shape)
    return Partial(_spread(residual, rows, grid), _spread(state, columns, grid), value)


def _spread(symbol: Leaf, numbers: Any, grid: Shape) -> Any:
    """The elements of a symbol that belong to the entries of a grid."""
    chosen = np.broadcast_to(numbers, grid)
    return pick_flat(symbol, chosen) if symbol.shape else symbol


def _count(shape: Shape) -> int:
    return int(np.prod(shape))


def symbols_of(partial: Partial) -> tuple[Symbol, Symbol, Symbol]:
    """Residual, state and derivative: the slots of the statement."""
    return partial.residual, partial.state, partial.derivative
