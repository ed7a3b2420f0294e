"""What a run reports of its invariants: how far they drifted in a step, and whether the equations keep them at all."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.engine.loaded.invariant_components import components
from tellegen.engine.loaded.invariant_projection import InvariantProjection
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.errors import warn_user
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.show.reduced_rows import variable_text

_JUMP = 3000.0  # tolerances: a single correction that is reported
_DWELT = 2  # steps in a row that end in a singular position; a single one is on its way across
_FAR = 10.0  # relative tolerances: a drift that is reported
_SHOWN = 4  # names in a message


def count_projections(projection: InvariantProjection, stats: dict[str, Any], t: float, x: FloatArray) -> None:
    """Enter the largest residual and the number of projections of a run that ended at t and x, and warn of states that
    projection moved too far, or that may be an accident."""
    record = projection.record
    stats["projections"] = stats.get("projections", 0) + record.get("count")
    stats["drift"] = max(stats.get("drift", 0.0), record.get_double("drift"))
    row = -1 if projection.is_singular else projection.unkept(t, x)
    if row >= 0:
        _warn_of_leak(projection, row)
    elif record.get("most_lost") >= _DWELT:
        _warn_of_singular_position(projection)
    elif record.get_double("largest") > _JUMP:
        _warn_of_jump(projection, record.get("drifted"))


def _warn_of_leak(projection: InvariantProjection, row: int) -> None:
    model = projection.system.model.reduced
    warn_user(
        f"{model.flat.name}: the equations do not keep {_name(model, projection.components.rows[row])} "
        "zero, but projection does; check that the residual is constant along solutions, and its derivatives"
    )


def _warn_of_singular_position(projection: InvariantProjection) -> None:
    model = projection.system.model.reduced
    warn_user(
        f"{model.flat.name}: the run saw a singular position, at t = "
        f"{projection.record.get_double('lost_time'):.6g}: {singular_row(projection)} repeats others there for an "
        "instant, and more than one motion can follow; which one it was may be an accident of roundings, so compare "
        "with a run at another rtol and with solver='rk45' and solver='cvode', which mostly pass it as they came"
    )


def singular_row(projection: InvariantProjection) -> str:
    """The constraint that repeated others where one did last."""
    row = projection.components.rows[projection.record.get("lost_row")]
    return _name(projection.system.model.reduced, row)


def _warn_of_jump(projection: InvariantProjection, row: int) -> None:
    model = projection.system.model.reduced
    record = projection.record
    warn_user(
        f"{model.flat.name}: at t = {record.get_double('largest_time'):.6g} projection moved the states by "
        f"{record.get_double('largest'):.3g} times their tolerances to keep "
        f"{_name(model, projection.components.rows[row])} zero; where a tg.reinit makes states jump, let all of them "
        "jump so that it stays zero"
    )


def drift_of_rows(
    model: NativeModel, rows: FloatArray, p: FloatArray, rtol: float, atol: FloatArray
) -> dict[str, float]:
    """The largest residual in rows that were computed without projection; warn where it is large.

    It is compared with what states may be off by: what does not move has an absolute tolerance.
    """
    reduced = model.reduced
    of = components(reduced, np.flatnonzero(reduced.is_state))
    if of is None or not len(rows):
        return {}
    drift = np.abs(rows[:, of.residual])
    size = np.abs(rows[:, reduced.is_state]).max(axis=0) + np.maximum(atol[reduced.is_state] / rtol, 1e-300)
    relative = drift[-1] / of.row_lengths(rows[-1], p, size)
    if relative.max() > _FAR * rtol:
        worst = int(np.argmax(relative))
        warn_user(
            f"{reduced.flat.name}: {_name(reduced, of.rows[worst])} has drifted to "
            f"{rows[-1, of.residual[worst]]:.3g}, so that all values may be wrong: IDA does not project states; "
            "solver='rk45', 'rodas' and 'cvode' do"
        )
    return {"drift": float(drift.max())}


def loop_rows(model: ReducedModel) -> IntArray:
    """The invariants that say that loops of a mechanism are closed."""
    joints = _joints(model)
    if model.invariants is None or not joints:
        return np.zeros(0, np.int64)
    texts = [variable_text(model, int(residual)) for residual in model.invariants.residual]
    return np.flatnonzero([text.rpartition(".")[0] in joints for text in texts])


def _joints(model: ReducedModel) -> dict[str, str]:
    """Paths of the joints that close loops, by the parts that keep them closed."""
    mechanism = model.flat.mechanism
    return {} if mechanism is None else {loop.part: loop.path for loop in mechanism.loops}


def _name(model: ReducedModel, row: Any) -> str:
    """An invariant in words."""
    assert model.invariants is not None
    return invariant_text(model, int(model.invariants.residual[row]))


def coordinates_text(model: ReducedModel, places: IntArray) -> str:
    """Unknowns at some places of the solver's vector; joints and bodies by their own names where these hold them."""
    mechanism = model.flat.mechanism
    holders = {} if mechanism is None else {link.part: link.path for link in mechanism.links}
    names = [model.flat.variables.name(int(model.unknowns[k])) for k in places]
    shown = dict.fromkeys(holders.get(name.rpartition(".")[0], name) for name in names)
    return ", ".join(f"'{name}'" for name in list(shown)[:_SHOWN])


def invariant_text(model: ReducedModel, residual_of: int) -> str:
    """The invariant with this residual in words: the joint that closes a loop, or the residual as it was written."""
    text = variable_text(model, residual_of)
    part, _, residual = text.rpartition(".")
    joints = _joints(model)
    if part in joints:
        return f"the loop that {joints[part]} closes ({residual})"
    return f"the invariant '{text}'"
