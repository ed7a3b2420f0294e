"""What a run reports of its invariants: how far they drifted in a step, and whether the equations keep them at all."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.engine.loaded.invariant_components import components
from tellegen.engine.loaded.invariant_projection import InvariantProjection
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.errors import warn_user
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.show.reduced_rows import variable_text

_JUMP = 3000.0  # tolerances: a single correction that is reported
_FAR = 10.0  # relative tolerances: a drift that is reported


def count_projections(projection: InvariantProjection, stats: dict[str, Any], t: float, x: FloatArray) -> None:
    """Enter the largest residual and the number of projections of a run that ended at t and x, and warn of states that
    projection moved too far."""
    record = projection.record
    stats["projections"] = stats.get("projections", 0) + record.get("count")
    stats["drift"] = max(stats.get("drift", 0.0), record.get_double("drift"))
    row = projection.unkept(t, x)
    if row >= 0:
        _warn_of_leak(projection, row)
    elif record.get_double("largest") > _JUMP:
        _warn_of_jump(projection, record.get("drifted"))


def _warn_of_leak(projection: InvariantProjection, row: int) -> None:
    model = projection.system.model.reduced
    warn_user(
        f"{model.flat.name}: the equations do not keep the invariant '{_name(model, projection.components.rows[row])}' "
        "zero, but projection does; check that the residual is constant along solutions, and its derivatives"
    )


def _warn_of_jump(projection: InvariantProjection, row: int) -> None:
    model = projection.system.model.reduced
    record = projection.record
    warn_user(
        f"{model.flat.name}: at t = {record.get_double('largest_time'):.6g} projection moved the states by "
        f"{record.get_double('largest'):.3g} times their tolerances to keep the invariant "
        f"'{_name(model, projection.components.rows[row])}' zero; where a tg.reinit makes states jump, let all of them "
        "jump so that it stays zero"
    )


def drift_of_rows(model: NativeModel, rows: FloatArray, p: FloatArray, rtol: float) -> dict[str, float]:
    """The largest residual in rows that were computed without projection; warn where it is large."""
    reduced = model.reduced
    of = components(reduced, np.flatnonzero(reduced.is_state))
    if of is None or not len(rows):
        return {}
    drift = np.abs(rows[:, of.residual])
    size = np.maximum(np.abs(rows[:, reduced.is_state]).max(axis=0), 1e-300)
    relative = drift[-1] / of.row_lengths(rows[-1], p, size)
    if relative.max() > _FAR * rtol:
        worst = int(np.argmax(relative))
        warn_user(
            f"{reduced.flat.name}: the invariant '{_name(reduced, of.rows[worst])}' has drifted to "
            f"{rows[-1, of.residual[worst]]:.3g}: IDA does not project states; "
            "solver='rk45', 'rodas' and 'cvode' do, or use a smaller rtol"
        )
    return {"drift": float(drift.max())}


def _name(model: ReducedModel, row: Any) -> str:
    assert model.invariants is not None
    return variable_text(model, int(model.invariants.residual[row]))
