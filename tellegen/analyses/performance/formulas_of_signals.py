"""Signals of a run as formulas of its time, its states and its numbers: what bounds are computed from.

"y - 0.5",  y == exp(-((time - 5)/w)**2)      ->      exp(-((time - 5)/p[0])**2) - 0.5
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from math import pi
from weakref import WeakKeyDictionary

import numpy as np

from tellegen.analyses.performance.signal_expressions import Signal
from tellegen.dataflow.scalar_rows import Cells, ScalarRows, scalar_rows
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.readout.quantity import columns, quantity
from tellegen.engine.request.path_lookup import Selection
from tellegen.ir.expressions.expr import TIME, Call, Const, Der, Expr, Slot, Time, rebuild, same_with, walk
from tellegen.symbolic.build import add, div, mul, neg, pow_, sub
from tellegen.units import Unit

_BINARY = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: div, ast.Pow: pow_}
_MANY = 3000
"""Unknowns of a model, from which on its curves are believed to be what its output points show."""
_TAME = frozenset(("add", "sub", "mul", "neg"))
"""What is made of smooth curves by these is as smooth as they are."""
_KINKS = frozenset(("abs", "min", "max"))

_ROWS: WeakKeyDictionary[NativeModel, ScalarRows | None] = WeakKeyDictionary()
_DRIVES: WeakKeyDictionary[NativeModel, list[Formula]] = WeakKeyDictionary()


class HasNoFormulaError(Exception):
    """A signal that is not computed by formulas from states and time."""


@dataclass(frozen=True, eq=False)
class Formula:
    """A value, the cells it is computed from in their order, and those among them that the run gives."""

    value: Expr
    rows: ScalarRows
    order: tuple[int, ...]
    given: tuple[int, ...]


def formula_of(model: NativeModel, signal: Signal) -> Formula | None:
    """The formula of a signal in the units it is read in; None where its curve shows all that can be seen.

    HasNoFormulaError where it has none.
    """
    cells = Cells(model.reduced)
    value = expression_of(signal, partial(_cell, cells))
    if _is_tame(value, cells.first_unknown) and all(_is_curve(cells, cell) for cell in _read(value)):
        return None
    formula = _formula(value, _rows_of(model))
    return None if _is_made_of_sums(formula) else formula


def loops_below(formula: Formula) -> list[Formula]:
    """What is zero where the algebraic loops are solved that a formula depends on, and those that these depend on."""
    rows = formula.rows
    found: dict[int, Formula] = {}
    open_ = [formula]
    while open_:
        for cell in open_.pop().given:
            if cell in rows.tears and cell not in found:
                found[cell] = _formula(rows.tears[cell], rows)
                open_.append(found[cell])
    return list(found.values())


def drives(model: NativeModel) -> list[Formula]:
    """What the equations of a model contain of time and numbers alone, and may have narrow peaks."""
    if model not in _DRIVES:
        rows = _rows_of(model)
        first = rows.cells.first_unknown
        found: dict[Expr, None] = {}
        for cell, expr in (*rows.formulas.items(), *rows.tears.items()):
            if cell >= first:
                found |= dict.fromkeys(_largest_of_time(expr, first))
        _DRIVES[model] = [_formula(expr, rows) for expr in found if not _is_tame(expr, first)]
    return _DRIVES[model]


def drives_of_states(model: NativeModel) -> list[Formula]:
    """Those among them that rates of states are computed from."""
    rows = _rows_of(model)
    cells = rows.cells
    states = np.flatnonzero(cells.model.is_state).tolist()
    needed = rows.order([cells.of("yp", place) for place in states])
    exprs = [*(rows.formulas[cell] for cell in needed), *rows.tears.values()]
    read = {part for expr in exprs for part in _largest_of_time(expr, cells.first_unknown)}
    return [each for each in drives(model) if each.value in read]


def drives_below(model: NativeModel, formula: Formula) -> list[Formula] | None:
    """The drives that a formula only adds and multiplies, beside states; None where it does more than that.

    Such a formula has a narrow peak only where one of them has.
    """
    rows = formula.rows
    first = rows.cells.first_unknown
    if not rows.tears.keys().isdisjoint(formula.given):
        return None
    known = {each.value: each for each in drives(model)}
    found: list[Formula] = []
    for expr in (formula.value, *(rows.formulas[cell] for cell in formula.order)):
        parts = dict.fromkeys(_largest_of_time(expr, first))
        wild = [part for part in parts if not _is_tame(part, first)]
        if not _is_tame(_as_curves(expr, parts, first), first) or any(part not in known for part in wild):
            return None
        found += [known[part] for part in wild]
    return found


def _as_curves(expr: Expr, parts: Collection[Expr], first_unknown: int) -> Expr:
    """An expression with some parts taken as curves."""

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        return Slot(first_unknown) if node in parts else same_with(node, args)

    return rebuild(expr, change)


def _largest_of_time(expr: Expr, first_unknown: int) -> Iterator[Expr]:
    """The largest parts of an expression that are functions of time."""
    timed: dict[Expr, bool] = {}
    held: dict[Expr, bool] = {}
    for node in walk(expr):
        timed[node] = isinstance(node, Time) or any(timed[arg] for arg in node.args)
        is_number = not isinstance(node, Slot | Der) or (isinstance(node, Slot) and node.index < first_unknown)
        held[node] = is_number and all(held[arg] for arg in node.args)
    if timed[expr] and held[expr]:
        yield expr
    for node in walk(expr):
        if not held[node]:
            yield from (arg for arg in node.args if timed[arg] and held[arg])


def _is_curve(cells: Cells, cell: int) -> bool:
    """Whether it is a number of the run, or a state."""
    place = cell - cells.first_unknown
    return place < 0 or (cell < cells.first_rate and bool(cells.model.is_state[place]))


def _rows_of(model: NativeModel) -> ScalarRows:
    """All formulas of a model; HasNoFormulaError of one that is large or has no ODE mode."""
    if model not in _ROWS:
        is_small = len(model.reduced.unknowns) <= _MANY
        program = model.ode.program if is_small and not model.ode.reason else None
        _ROWS[model] = None if program is None else scalar_rows(model.reduced, program, conditions=False)
    rows = _ROWS[model]
    if rows is None:
        raise HasNoFormulaError
    return rows


def _formula(value: Expr, rows: ScalarRows) -> Formula:
    first = rows.cells.first_unknown
    read = _read(value)
    order = tuple(cell for cell in rows.order(read) if cell >= first)  # parameters are numbers of the run
    needed = read.union(*(_read(rows.formulas[cell]) for cell in order))
    given = tuple(sorted(needed - set(order)))
    events = rows.cells.model.events
    if events is not None and not set(given).isdisjoint(events.delays.entries.tolist()):
        raise HasNoFormulaError
    if given and given[-1] >= rows.cells.first_rate:
        raise HasNoFormulaError
    return Formula(value, rows, order, given)


def _read(expr: Expr) -> set[int]:
    return {node.index for node in walk(expr) if isinstance(node, Slot)}


def _is_made_of_sums(formula: Formula) -> bool:
    """Whether it can have no narrow peak, because the curves that it is computed from have none."""
    rows = formula.rows
    exprs = (formula.value, *(rows.formulas[cell] for cell in formula.order))
    first = rows.cells.first_unknown
    return rows.tears.keys().isdisjoint(formula.given) and all(_is_tame(expr, first) for expr in exprs)


def has_one_kink(formula: Formula) -> bool:
    """Whether sums and products are all but one kink, which makes no narrow peak."""
    rows = formula.rows
    first = rows.cells.first_unknown
    if not rows.tears.keys().isdisjoint(formula.given):
        return False
    exprs = [formula.value, *(rows.formulas[cell] for cell in formula.order)]
    kinks = {node for expr in exprs for node in walk(expr) if isinstance(node, Call) and node.op in _KINKS}
    smooth = (_as_curves(expr, kinks, first) for expr in exprs)
    inner = (arg for kink in kinks for arg in kink.args)
    return len(kinks) == 1 and all(_is_tame(each, first) for each in (*smooth, *inner))


def _is_tame(expr: Expr, first_varying: int) -> bool:
    """Whether only sums and products are made of what varies."""
    varies: dict[Expr, bool] = {}
    for node in walk(expr):
        parts = [varies[arg] for arg in node.args]
        varies[node] = any(parts) or isinstance(node, Time) or (isinstance(node, Slot) and node.index >= first_varying)
        if not any(parts):
            continue
        if not isinstance(node, Call) or not (node.op in _TAME or _is_by_number(node, parts)):
            return False
    return True


def _is_by_number(node: Call, varies: list[bool]) -> bool:
    """Divided by a number, to the power of two or three, chosen by a flag."""
    if node.op == "pow":
        return node.args[1] in (Const(2.0), Const(2), Const(3.0), Const(3))
    return (node.op == "div" and not varies[1]) or (node.op == "where" and not varies[0])


def expression_of(signal: Signal, read: Callable[[str], Expr]) -> Expr:
    """A signal as an expression of what `read` gives for its paths."""
    return read(signal.tree) if isinstance(signal.tree, str) else _expression(signal.tree, read)


def _expression(node: ast.expr, read: Callable[[str], Expr]) -> Expr:
    if isinstance(node, ast.Constant):
        return Const(float(node.value))  # type: ignore[arg-type]
    if isinstance(node, ast.UnaryOp):
        operand = _expression(node.operand, read)
        return neg(operand) if isinstance(node.op, ast.USub) else operand
    if isinstance(node, ast.BinOp):
        return _BINARY[type(node.op)](_expression(node.left, read), _expression(node.right, read))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id != "der":
        return Call(node.func.id, tuple(_expression(argument, read) for argument in node.args))
    path = ast.unparse(node)
    return TIME if path == "time" else Const(pi) if path == "pi" else read(path)


def in_unit(value: Expr, unit: Unit) -> Expr:
    """A number in SI units as one in another unit."""
    shifted = sub(value, Const(unit.offset)) if unit.offset else value
    return div(shifted, Const(unit.scale)) if unit.scale != 1.0 else shifted


def _cell(cells: Cells, path: str) -> Expr:
    """A variable, a derivative or a parameter in its declared unit."""
    model = cells.model
    what = quantity(model, path)
    if not isinstance(what.source, Selection) or what.source.indices.size != 1:
        raise HasNoFormulaError
    indices = what.source.indices.ravel()
    if what.parameter:
        return in_unit(Slot(int(indices[0])), what.unit)
    where = columns(model, indices, what.order, path)
    index, given = int(where.index[0]), int(where.given[0])
    if index < 0 > given:
        return in_unit(Const(0.0), what.unit)
    cell = Slot(given if index < 0 else cells.of("yp" if where.rate[0] else "y", index))
    return in_unit(neg(cell) if where.sign[0] < 0 else cell, what.unit)
