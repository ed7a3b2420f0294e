"""What to say when no consistent initial values are found: which conditions, equations and unknowns are to blame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.engine.diagnostics.faulty_equation import equations, fault, raised_in
from tellegen.engine.diagnostics.switched_relations import State
from tellegen.engine.linear_algebra.damped_newton import Newton
from tellegen.engine.linear_algebra.rank_deficiency import LARGEST, dependent, is_singular
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.user_functions import Raised, raised
from tellegen.engine.request.parameter_and_start_vectors import Starts, values_text
from tellegen.errors import DependentByValuesError, FmuError, NumericError, RunFailedError
from tellegen.graph.incidence import Incidence, incidence
from tellegen.graph.matching import conflict, match
from tellegen.ir.expressions.expr import Function
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import ReducedModel
from tellegen.start.later import later
from tellegen.start.on_use import scipy
from tellegen.start.records import dataclass

with later():
    from tellegen.engine.diagnostics.invariant_drift import invariant_text
    from tellegen.ir.show.reduced_rows import equation_location, equation_text, unknown_text, variable_location
    from tellegen.network.stories import shared_states

if TYPE_CHECKING:
    from tellegen.engine.initialization.initial_blocks import Part
    from tellegen.engine.initialization.initial_solver import InitialSolver
    from tellegen.engine.initialization.initial_system import InitialSystem

_SHOWN = 5
_FAR = 1e-6
_OTHER = 1e-2  # by how much parameters are changed to see whether it is their values that are special
_INVOLVED = 0.1  # of the largest share: those that are named


def check_promises(model: NativeModel, starts: Starts, y: FloatArray) -> None:
    """Fixed start values that the constraints between them do not allow."""
    off = starts.promised & ~starts.met_by(y)
    if not off.any():
        return
    flat = model.reduced.flat
    unknowns = model.reduced.written
    wrong = [
        f"  {values_text(flat, int(unknowns[k]), float(starts.value[k]))} is requested, "
        f"{values_text(flat, int(unknowns[k]), float(y[k]))} follows"
        for k in np.flatnonzero(off)[:_SHOWN]
    ]
    others = [int(unknowns[k]) for k in np.flatnonzero(starts.promised & ~off)[:_SHOWN]]
    details = ["fixed start values that cannot be satisfied:", *wrong]
    if others:
        details += ["because of these:", *(f"  {flat.variables.name(k)}" for k in others)]
    if shared := shared_states(flat, [int(unknowns[k]) for k in np.flatnonzero(off)[:_SHOWN]]):
        details += ["according to the network:", *shared]
    raise NumericError(
        "E303",
        "the fixed start values contradict each other: the equations relate these quantities",
        location=flat.variables.location(int(unknowns[np.flatnonzero(off)[0]])),
        details=details,
        advice="fix only as many of them as are independent (fixed=False, or no start value, for the others)",
    )


def too_many_conditions(model: NativeModel, starts: Starts, pattern: Incidence) -> NumericError:
    """The error for more conditions than states, with those in conflict.

    `pattern` has all equations, initial ones last, with the values and then the rates of the unknowns.
    """
    reduced = model.reduced
    program = model.program
    pattern = pattern.without(np.append(starts.fixed, ~reduced.is_state))
    unknowns = int((~starts.fixed).sum() + reduced.is_state.sum())
    rows, _ = conflict(pattern, match(pattern))
    entries = np.isin(program.pattern.indices, rows)
    fixed = np.unique(program.pattern.column_of_entry[entries])
    fixed = fixed[starts.fixed[fixed]]
    written = reduced.written
    details = [f"  {values_text(reduced.flat, int(written[k]), float(starts.value[k]))}" for k in fixed[:_SHOWN]]
    details = ["fixed start values in conflict:", *details] if details else []
    extra = [int(r) for r in rows if r >= program.size]
    if extra:
        details += ["initial equations in conflict:"]
        details += [f"  {equation_text(reduced, k)}" for k in extra[:_SHOWN]]
    ties = [int(r) for r in rows if r < program.size]
    if ties:
        details += ["related by:", *(f"  {equation_text(reduced, k)}" for k in ties[:_SHOWN])]
    if shared := shared_states(reduced.flat, [int(written[k]) for k in fixed[:_SHOWN]]):
        details += ["according to the network:", *shared]
    conditions = program.initial_size + int(starts.fixed.sum())
    location = reduced.flat.variables.location(int(written[fixed[0]])) if len(fixed) else None
    location = equation_location(reduced, extra[0]) if extra else location
    return NumericError(
        "E303",
        f"the initial conditions contradict each other: {conditions} conditions for "
        f"{int(reduced.is_state.sum())} states ({pattern.shape[0]} equations, {unknowns} unknowns at the start)",
        location=location,
        details=details,
        advice="remove initial equations or fixed start values, or set fixed=False on some of them",
    )


@dataclass(frozen=True, eq=False)
class OpenInvariant:
    """A residual that no start values close: which unknown it is, and the states it could be closed by."""

    residual: int
    value: float
    free: IntArray
    held: IntArray
    would_close: bool  # if the states that are held were free


def not_assembled(model: NativeModel, found: OpenInvariant, guess: FloatArray, y: FloatArray) -> NumericError:
    """The error for an invariant that the start values do not satisfy, wherever its free states are moved."""
    flat = model.reduced.flat
    written = model.reduced.written
    name = invariant_text(model.reduced, int(written[found.residual]))
    stays = values_text(flat, int(written[found.residual]), found.value)

    def at(y: FloatArray, k: int) -> str:
        return values_text(flat, int(written[k]), float(y[k]))

    details = []
    if len(found.free):
        details += ["states that are free:", *(f"  {at(guess, k)}, moved to {at(y, k)}" for k in found.free[:_SHOWN])]
    if len(found.held):
        details += ["held at fixed start values:", *(f"  {at(y, k)}" for k in found.held[:_SHOWN])]
    location = variable_location(flat, int(written[found.residual]))
    if found.would_close:
        return NumericError(
            "E303",
            f"the fixed start values contradict {name}: {stays} stays",
            location=location,
            details=details,
            advice="fix only as many of them as are independent (fixed=False for the others)",
        )
    return NumericError(
        "E301",
        f"no start values were found that satisfy {name}: {stays} stays",
        location=location,
        details=details,
        advice="look for dimensions that cannot fit, or give start values nearer to a solution",
    )


def failure(solver: InitialSolver, result: Newton, part: Part | None) -> NumericError:
    """The error with the block at fault and everything it contains; without a block all equations are looked at."""
    system = solver.system
    model = system.model.reduced
    target = system if part is None else part
    exceptions = raised()
    for each in exceptions.values():
        if isinstance(each.error, FmuError):  # it says what is wrong with which FMU; no equation explains more
            raise each.error
    own_rows, columns = _own(system, part)
    u = result.u[columns]
    residual = target.residual(u)
    pattern = target.pattern
    here = State(system.point.t, system.y, system.yp, system.point.p)
    matrix = scipy.sparse.csc_array((target.jacobian(u), pattern.indices, pattern.indptr), shape=pattern.shape)
    local = _worst(matrix, residual, u)
    if (thrown := _exception(model, [int(own_rows[k]) for k in local], here, exceptions)) is not None:
        return thrown
    reason, advice = _reason(model, result, [int(own_rows[k]) for k in local], here)
    by_values = False
    if result.ended != "not finite" and len(residual) <= LARGEST:
        found = dependent(matrix.toarray(), np.abs(residual), np.maximum(np.abs(u), 1.0))
        if found is not None:
            local, loose_columns = found
            loose_names = [_unknown(system, int(columns[k])) for k in loose_columns]
            reason, advice = _if_singular(loose_names, bool(np.abs(residual[local]).max() > _FAR))
            by_values = _regular_with_other_numbers(system, part, u)
            if by_values:
                reason, advice = _BY_NUMBERS
    title = "equations at fault:"
    if part is not None:
        local += [k for k in range(len(residual)) if k not in local]
        title = f"the block that cannot be solved, {len(residual)} of {system.pattern.shape[0]} equations:"
    rows = [int(own_rows[k]) for k in local]
    details = equations(model, rows, here, title)
    for k, row in enumerate(local[:_SHOWN], start=1):
        details[k] += f"   (off by {residual[row]:.3g})" if np.isfinite(residual[row]) else ""
    if part is not None:
        details += suspects(solver, part, matrix, residual)
    error = (DependentByValuesError if by_values else RunFailedError)(
        "E301",
        f"no consistent initial values found at t = {here.t:g}: {reason}",
        location=equation_location(model, rows[0]) if rows else None,
        details=details,
        advice=f"{advice} (start=..., or initial={{'path': value}})",
    )
    if isinstance(error, DependentByValuesError):
        error.parameters = here.p
    return error


def _exception(
    model: ReducedModel, rows: list[int], here: State, exceptions: dict[Function, Raised]
) -> NumericError | None:
    """The error for an exception of the user's code, here or on the way, with the equation that called it."""
    found = next(((what, row) for row in rows[:_SHOWN] if (what := fault(model, row, here)) and what.error), None)
    found = found or raised_in(model, here, exceptions)
    if found is None or found[0].error is None:
        return None
    return RunFailedError(
        "E301",
        f"no consistent initial values found at t = {here.t:g}: {found[0]}",
        location=found[0].error.location,
        details=equations(model, [found[1]], here, "in the equation:"),
        advice=found[0].advice,
    )


def _own(system: InitialSystem, part: Part | None) -> tuple[Any, Any]:
    """Rows and columns that are looked at."""
    if part is not None:
        return system.rows[part.shape.rows], part.shape.columns
    return system.rows, np.arange(system.pattern.shape[1])


def suspects(solver: InitialSolver, part: Part, matrix: Any, residual: FloatArray) -> list[str]:
    """The iteration variables of a block; first those that Newton's method still wants to change most."""
    tears = np.flatnonzero(part.shape.inner < 0)
    columns = part.shape.columns
    u = part.u
    step = np.zeros(len(u))
    if np.isfinite(residual).all() and np.isfinite(matrix.data).all() and len(u) <= LARGEST:
        step = np.linalg.lstsq(matrix.toarray(), -residual, rcond=1e-12)[0]
    change = np.abs(step) / np.maximum(np.abs(u), solver.scale[columns])
    order = tears[np.argsort(-change[tears], kind="stable")]
    lines = [f"  {_suspect(solver, int(columns[k]), float(u[k]))}" for k in order[:_SHOWN]]
    more = [f"  ... and {len(order) - _SHOWN} more"] if len(order) > _SHOWN else []
    first = "iteration variables, most suspicious first:" if len(order) > 1 else "iteration variable:"
    return [first, *lines, *more]


def _suspect(solver: InitialSolver, column: int, value: float) -> str:
    """An iteration variable with its value and where it started."""
    system = solver.system
    guess = float(solver.guess[column])
    model = system.model.reduced
    count = system.model.flat.variables.count
    variable = int(model.unknowns[system.values[column]]) if column < len(system.values) else count
    if variable >= count:  # a derivative
        return f"{_unknown(system, column)} = {value:.6g}, started from {guess:.6g}"
    unit = model.flat.variables.declaration(variable).unit
    text = (
        f"{values_text(model.flat, variable, value)}, started from {f'{unit.from_si(guess):.6g} {unit.text}'.rstrip()}"
    )
    alike = (model.representative[:count] == variable) & (model.sign[:count] != 0)
    given = guess != 0.0 or not np.isnan(model.flat.variables.column("start")[alike]).all()
    return text if given else f"{text} (no start value given)"


def _if_singular(names: list[str], contradict: bool) -> tuple[str, str]:
    """What went wrong where equations depend on each other, and what to try."""
    if contradict:
        return (
            "the equations seem to have no solution: Newton's method found a local minimum of the residual",
            "look for a contradiction or a wrong sign in these equations, or use another start value",
        )
    return (
        f"the equations do not determine {', '.join(names[:_SHOWN])}",
        "look for redundant equations, or use another start value",
    )


_BY_NUMBERS = (
    "with exactly these parameter values the equations depend on each other, with almost all others they do not",
    "change a parameter in these equations a little: conductances or gains that are equal may cancel each other,\n"
    "and their sum is then a constraint between states that the structure of the equations does not show;\n"
    "if they contradict each other for another reason, use another start value",
)


def _regular_with_other_numbers(system: InitialSystem, part: Part | None, u: FloatArray) -> bool:
    """Whether the equations are independent as soon as no two parameters are equal."""
    p = system.point.p.copy()
    own = slice(0, system.model.flat.parameters.count)
    p[own] *= 1.0 + _OTHER * np.random.default_rng(7).uniform(0.5, 1.0, len(p[own]))
    other = system.at(system.point._replace(p=p))
    target = other if part is None else type(part)(other, part.shape, part.whole.copy())
    return not is_singular(target.pattern, target.jacobian(u))


def _worst(matrix: Any, residual: FloatArray, u: FloatArray) -> list[int]:
    """The equations furthest from being satisfied, those without a value first."""
    bad = ~np.isfinite(residual)
    if bad.any():
        return [int(k) for k in np.flatnonzero(bad)]
    sizes = abs(matrix) @ np.maximum(np.abs(u), 1.0) if np.isfinite(matrix.data).all() else np.ones(len(bad))
    relative = np.abs(residual) / np.where(sizes > 0, sizes, 1.0)
    return [int(k) for k in np.argsort(-relative) if relative[k] > _FAR * relative.max()]


def _reason(model: ReducedModel, result: Newton, rows: list[int], here: State) -> tuple[str, str]:
    """What went wrong and what to try."""
    near = "give start values near the solution to the variables above"
    if result.ended != "not finite":
        return "Newton's method does not converge", near
    found = next(filter(None, (fault(model, row, here) for row in rows[:_SHOWN])), None)
    if found is None:
        return "an equation cannot be evaluated at the start values", near
    return f"{found} at the start values", f"{found.advice},\nor use another start value"


def nothing_at_rest(system: InitialSystem) -> NumericError | None:
    """The error for equations in steady state that do not contain some unknown at all, or leave some over."""
    pattern = system.pattern
    model = system.model.reduced
    graph = incidence(pattern.indices, pattern.column_of_entry, pattern.shape)
    across = graph.transposed
    row_of = match(across)
    if (row_of >= 0).all():
        return None
    open_, _ = conflict(across, row_of)
    moving = open_[model.is_state[system.values[open_]]]
    loose = moving if len(moving) else np.flatnonzero(row_of < 0)
    over = [int(system.rows[row]) for row in np.setdiff1d(np.arange(pattern.shape[0]), row_of)][:_SHOWN]
    return NumericError(
        "E302",
        f"{model.flat.name} has no unique steady state: with all derivatives zero, no equation determines "
        + _quoted(system, loose),
        location=equation_location(model, over[0]) if over else None,
        details=["redundant equations in steady state:", *(f"  {equation_text(model, row)}" for row in over)]
        if over
        else [],
        advice=_AT_REST,
    )


_SETTLING = "simulate until it settles: tg.simulate(model, stop=...).at(...)"
_AT_REST = (
    "fix what keeps moving (a Fixed, a spring, a load), start without initial='steady',\nor linearize at a time: at=1.0"
)


def undetermined(system: InitialSystem, share: FloatArray) -> NumericError:
    """The error for unknowns that may have many values in steady state; `share` says how much each is involved."""
    name = system.model.flat.name
    return NumericError(
        "E302",
        f"{name} has no unique steady state: with all derivatives zero, many values are possible of "
        + _quoted(system, _most(share)),
        advice=f"{_SETTLING}; or\n{_AT_REST}",
    )


CHANGES = "the equations say that a sum of these changes at a constant rate"
MOVES = "with all invariants satisfied, these keep moving"


def keeps_changing(system: InitialSystem, share: FloatArray, why: str = CHANGES) -> NumericError:
    """The error for a conserved quantity that changes at a constant rate, or a motion that is prescribed."""
    name = system.model.flat.name
    return NumericError("E302", f"{name} has no steady state: {why}: {_quoted(system, _most(share))}", advice=_AT_REST)


def violates_invariant(system: InitialSystem, residual: int) -> NumericError:
    """The error for a steady state that the equations allow and an invariant does not."""
    flat = system.model.flat
    stays = values_text(flat, int(system.model.reduced.written[residual]), float(system.y[residual]))
    return NumericError(
        "E302",
        f"{flat.name}: the steady state that the equations lead to violates an invariant: {stays} instead of 0",
        advice=_SETTLING,
    )


def never_settles(model: NativeModel, positions: Any, why: str) -> NumericError:
    """The error for discrete variables, by their positions among the parameters, that have no steady value."""
    reduced = model.reduced
    variables = [int(reduced.known[k - reduced.flat.parameters.count]) for k in positions]
    names = ", ".join(f"'{reduced.flat.variables.name(v)}'" for v in variables[:_SHOWN])
    return NumericError(
        "E302",
        f"{reduced.flat.name} has no steady state: the sampled {names} do not settle ({why})",
        advice="switch off what keeps changing (noise, a counter), or simulate: tg.simulate(model, stop=...).at(...)",
    )


def _most(share: FloatArray) -> Any:
    order = np.argsort(-share, kind="stable")
    return order[share[order] > _INVOLVED * share.max()]


def _quoted(system: InitialSystem, columns: Any) -> str:
    return ", ".join(f"'{_unknown(system, int(k))}'" for k in columns[:_SHOWN])


def _unknown(system: InitialSystem, column: int) -> str:
    model = system.model.reduced
    if column < len(system.values):
        return unknown_text(model, int(system.values[column]), rate=False)
    return unknown_text(model, int(system.rates[column - len(system.values)]), rate=True)
