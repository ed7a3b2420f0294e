"""What to say when no consistent initial values are found: which conditions, equations and unknowns are to blame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csc_array

from tellegen.engine.blame import ADVICE, equations, fault
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.conditions import State
from tellegen.engine.newton import Newton
from tellegen.engine.rank import LARGEST, dependent
from tellegen.engine.values import Starts, values_text
from tellegen.errors import NumericError
from tellegen.graph.matching import conflict, incidence, match
from tellegen.ir.model import FloatArray
from tellegen.ir.show_sorted import equation_place, equation_text, unknown_text
from tellegen.ir.sorted import SortedModel

if TYPE_CHECKING:
    from tellegen.engine.initialize import InitialSystem

_SHOWN = 5
_FAR = 1e-6


def check_promises(model: CompiledModel, starts: Starts, y: FloatArray) -> None:
    """Fixed start values that the constraints between them do not allow."""
    off = starts.promised & ~np.isclose(y, starts.value, rtol=1e-6, atol=1e-9 * starts.nominal)
    if not off.any():
        return
    flat, unknowns = model.sorted.flat, model.sorted.written
    wrong = [
        f"  {values_text(flat, int(unknowns[k]), float(starts.value[k]))} is asked for, "
        f"{values_text(flat, int(unknowns[k]), float(y[k]))} follows"
        for k in np.flatnonzero(off)[:_SHOWN]
    ]
    others = [int(unknowns[k]) for k in np.flatnonzero(starts.promised & ~off)[:_SHOWN]]
    details = ["fixed start values that cannot hold:", *wrong]
    if others:
        details += ["because of these:", *(f"  {flat.variables.name(k)}" for k in others)]
    raise NumericError(
        "E303",
        "the fixed start values contradict each other: the equations tie these quantities together",
        details=details,
        advice="fix only as many of them as are independent (fixed=False, or no start value, for the others)",
    )


def too_many_conditions(model: CompiledModel, starts: Starts, graph: Any, unknowns: int) -> NumericError:
    """The error for more conditions than states, with those in conflict."""
    sorted_model, program = model.sorted, model.program
    entry_rows, entry_columns = graph.nonzero()
    pattern = incidence(entry_rows, entry_columns, graph.shape)
    rows, _ = conflict(pattern, match(pattern))
    entries = np.isin(program.pattern.indices, rows)
    fixed = np.unique(program.pattern.column_of_entry[entries])
    fixed = fixed[starts.fixed[fixed]]
    written = sorted_model.written
    details = [f"  {values_text(sorted_model.flat, int(written[k]), float(starts.value[k]))}" for k in fixed[:_SHOWN]]
    details = ["fixed start values in conflict:", *details] if details else []
    extra = [int(r) for r in rows if r >= program.size]
    if extra:
        details += ["initial equations in conflict:"]
        details += [f"  {equation_text(sorted_model, k)}" for k in extra[:_SHOWN]]
    ties = [int(r) for r in rows if r < program.size]
    if ties:
        details += ["tied to each other by:", *(f"  {equation_text(sorted_model, k)}" for k in ties[:_SHOWN])]
    conditions = program.initial_size + int(starts.fixed.sum())
    return NumericError(
        "E303",
        f"the initial conditions contradict each other: {conditions} conditions for "
        f"{int(sorted_model.is_state.sum())} states ({graph.shape[0]} equations, {unknowns} unknowns at the start)",
        details=details,
        advice="remove initial equations or fixed start values, or set fixed=False on some of them",
    )


def failure(system: InitialSystem, result: Newton, steady: bool = False) -> NumericError:
    """The error with the equations at fault and everything they contain."""
    if steady and (loose := nothing_at_rest(system.model)) is not None:
        return loose
    model, residual, pattern = system.model.sorted, system.residual(result.u), system.pattern
    here = State(system.point.t, system.y, system.yp, system.point.p)
    matrix = csc_array((system.jacobian(result.u), pattern.indices, pattern.indptr), shape=pattern.shape)
    rows = _worst(matrix, residual, result.u)
    reason, advice = _reason(model, result, rows, here)
    if result.ended != "not finite" and len(residual) <= LARGEST:
        dense, sizes = matrix.toarray(), np.maximum(np.abs(result.u), 1.0)
        if (found := dependent(dense, np.abs(residual), sizes)) is not None:
            rows, columns = found
            reason, advice = _if_singular(system, columns, bool(np.abs(residual[rows]).max() > _FAR))
    details = equations(model, rows, here, "equations at fault:")
    for k, row in enumerate(rows[:_SHOWN], start=1):
        details[k] += f"   (off by {residual[row]:.3g})" if np.isfinite(residual[row]) else ""
    return NumericError(
        "E301",
        f"no consistent initial values found at t = {here.t:g}: {reason}",
        place=equation_place(model, rows[0]) if rows else None,
        details=details,
        advice=f"{advice} (start=..., or initial={{'path': value}})",
    )


def _if_singular(system: InitialSystem, columns: list[int], contradict: bool) -> tuple[str, str]:
    """What went wrong where equations depend on each other, and what to try."""
    if contradict:
        return (
            "the equations seem to have no solution: no change of their unknowns brings them nearer to one",
            "look for a contradiction or a wrong sign in these equations, or start elsewhere",
        )
    loose = ", ".join(_unknown(system, k) for k in columns[:_SHOWN])
    return (
        f"the equations do not determine {loose}",
        "look for equations that say the same, or start elsewhere",
    )


def _worst(matrix: Any, residual: FloatArray, u: FloatArray) -> list[int]:
    """The equations furthest from being satisfied, those without a value first."""
    bad = ~np.isfinite(residual)
    if bad.any():
        return [int(k) for k in np.flatnonzero(bad)]
    sizes = abs(matrix) @ np.maximum(np.abs(u), 1.0) if np.isfinite(matrix.data).all() else np.ones(len(bad))
    relative = np.abs(residual) / np.where(sizes > 0, sizes, 1.0)
    return [int(k) for k in np.argsort(-relative) if relative[k] > _FAR * relative.max()]


def _reason(model: SortedModel, result: Newton, rows: list[int], here: State) -> tuple[str, str]:
    """What went wrong and what to try."""
    near = "give start values near the solution to the variables above"
    if result.ended != "not finite":
        return "Newton's method makes no progress", near
    found = next(filter(None, (fault(model, row, here) for row in rows[:_SHOWN])), None)
    if found is None:
        return "an equation cannot be evaluated at the start values", near
    return f"{found} at the start values", f"{ADVICE[found.sort]},\nor start elsewhere"


def nothing_at_rest(compiled: CompiledModel) -> NumericError | None:
    """The error for a model whose equations at rest do not contain some unknown at all, or leave some over."""
    pattern, model = compiled.program.pattern, compiled.sorted
    by_value = np.flatnonzero(pattern.by_value)
    graph = incidence(pattern.indices[by_value], pattern.column_of_entry[by_value], pattern.shape)
    across = graph.T.tocsr()
    row_of = match(across)
    if (row_of >= 0).all():
        return None
    open_, _ = conflict(across, row_of)
    moving = open_[model.is_state[open_]]
    loose = moving if len(moving) else np.flatnonzero(row_of < 0)
    over = [int(row) for row in np.setdiff1d(np.arange(pattern.shape[0]), row_of)]
    over = [row for row in over if model.origin(row)[0] != "integration"][:_SHOWN]
    return NumericError(
        "E302",
        f"{model.flat.name} has no single point of rest: when nothing changes, no equation determines "
        + ", ".join(f"'{unknown_text(model, int(k), rate=False)}'" for k in loose[:_SHOWN]),
        place=equation_place(model, over[0]) if over else None,
        details=["equations left over at rest:", *(f"  {equation_text(model, row)}" for row in over)] if over else [],
        advice="hold what moves on for ever (a Fixed, a spring, a load), start without initial='steady',\n"
        "or linearize at a time: at=1.0",
    )


def _unknown(system: InitialSystem, column: int) -> str:
    model = system.model.sorted
    if column < len(system.values):
        return unknown_text(model, int(system.values[column]), rate=False)
    return unknown_text(model, int(system.rates[column - len(system.values)]), rate=True)
