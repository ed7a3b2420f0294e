"""What to say when no consistent initial values are found: which conditions, equations and unknowns are to blame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csc_array, csr_array

from tellegen.engine.compiled import CompiledModel
from tellegen.engine.newton import Newton
from tellegen.engine.values import Starts, values_text
from tellegen.errors import NumericError
from tellegen.graph.matching import conflict, incidence, match
from tellegen.ir.model import FloatArray
from tellegen.ir.show_sorted import equation_text, initial_equation_text, unknown_text

if TYPE_CHECKING:
    from tellegen.engine.initialize import InitialSystem

_SHOWN = 5


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
    pattern = incidence(*graph.nonzero(), graph.shape)
    rows, _ = conflict(pattern, match(pattern))
    entries = np.isin(program.pattern.indices, rows)
    fixed = np.unique(program.pattern.column_of_entry[entries])
    fixed = fixed[starts.fixed[fixed]]
    written = sorted_model.written
    details = [f"  {values_text(sorted_model.flat, int(written[k]), float(starts.value[k]))}" for k in fixed[:_SHOWN]]
    details = ["fixed start values in conflict:", *details] if details else []
    extra = [int(r) - program.size for r in rows if r >= program.size]
    if extra:
        details += ["initial equations in conflict:"]
        details += [f"  {initial_equation_text(sorted_model, k)}" for k in extra[:_SHOWN]]
    conditions = program.initial_size + int(starts.fixed.sum())
    return NumericError(
        "E303",
        f"the initial conditions contradict each other: {conditions} conditions for "
        f"{int(sorted_model.is_state.sum())} states ({graph.shape[0]} equations, {unknowns} unknowns at the start)",
        details=details,
        advice="remove initial equations or fixed start values, or set fixed=False on some of them",
    )


def failure(system: InitialSystem, result: Newton) -> NumericError:
    """The error with the equations that are worst off and the unknowns they contain."""
    model = system.model.sorted
    residual = system.residual(result.u)
    bad = ~np.isfinite(residual)
    pattern = system.pattern
    matrix = csc_array((system.jacobian(result.u), pattern.indices, pattern.indptr), shape=pattern.shape)
    sizes = abs(matrix) @ np.maximum(np.abs(result.u), 1.0) if np.isfinite(matrix.data).all() else np.ones(len(bad))
    relative = np.where(bad, np.inf, np.abs(residual) / np.where(sizes > 0, sizes, 1.0))
    worst = [int(k) for k in np.argsort(-relative)[:_SHOWN] if relative[k] > 0]
    rows = csr_array(matrix)
    details = ["equations furthest from being satisfied:"]
    columns: list[int] = []
    for k in worst:
        text = (
            equation_text(model, k)
            if k < len(model.unknowns)
            else initial_equation_text(model, k - model.equation_count)
        )
        details.append(f"  {text}   (off by {residual[k]:.3g})")
        columns += [int(c) for c in rows.indices[rows.indptr[k] : rows.indptr[k + 1]]]
    details.append("unknowns in them, with their last values:")
    details += [f"  {_unknown(system, c, float(result.u[c]))}" for c in dict.fromkeys(columns[: 2 * _SHOWN])]
    reason = {
        "singular": "the equations do not determine all unknowns there (singular Jacobian)",
        "not finite": "equations cannot be evaluated at the start values (division by zero, logarithm or root of a "
        "negative number)",
        "no progress": "Newton's method makes no progress",
    }[result.ended]
    return NumericError(
        "E301",
        f"no consistent initial values found at t = {system.point.t:g}: {reason}",
        details=details,
        advice="give start values near the solution to the unknowns above (start=..., or initial={'path': value})",
    )


def _unknown(system: InitialSystem, column: int, value: float) -> str:
    model = system.model.sorted
    if column < len(system.values):
        return values_text(model.flat, int(model.unknowns[system.values[column]]), value)
    return f"{unknown_text(model, int(system.rates[column - len(system.values)]), rate=True)} = {value:.6g}"
