"""Which procedures are compiled together, by the names that `runtimes` asks for them with.

Only who compiles them imports this file, and with it all procedures.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from tellegen.engine.runtime.algebra import (
    block_newton,
    initial_values,
    markowitz,
    ode_rhs,
    projection,
    sparse_lu,
    state_watch,
    step_log,
)
from tellegen.engine.runtime.events import due_actions, event_iteration, root_functions
from tellegen.engine.runtime.events.past import delay_lines
from tellegen.engine.runtime.impulses import share_jumps
from tellegen.engine.runtime.instance import (
    instance_choice,
    instance_derivatives,
    instance_rates,
    instance_run,
    instance_start,
)
from tellegen.engine.runtime.one_step import (
    one_step,
    rk_dense_output,
    rk_root_search,
    rk_step,
    rodas_step,
    segment_loop,
)
from tellegen.engine.runtime.sundials import cvode_callbacks, ida_callbacks, newton_callbacks, watched_run
from tellegen.procedures.bounds import check_access, check_index

IDA = (
    ida_callbacks.ida_residual,
    ida_callbacks.ida_jacobian,
    ida_callbacks.ida_weights,
    ida_callbacks.ida_roots,
    ida_callbacks.ls_type,
    ida_callbacks.ls_setup,
    ida_callbacks.ls_solve,
    ida_callbacks.ida_run,
    sparse_lu.lu_factor,
    sparse_lu.lu_solve,
    sparse_lu.rough_solve,
)
PIVOTS = (markowitz.choose_pivots,)
ODE = (
    ode_rhs.ode_rhs,
    ode_rhs.ode_rates,
    ode_rhs.ode_outputs,
    ode_rhs.ode_again,
    rk_step.rk_begin,
    rk_step.rk_run,
    rk_dense_output.rk_dense,
    one_step.rk_emit,
)
EVENTS = (
    event_iteration.event_begin,
    event_iteration.event_settle,
    event_iteration.event_start,
    event_iteration.event_resume,
    event_iteration.event_find_ticks,
    event_iteration.event_happen,
    root_functions.event_roots,
    root_functions.event_watch,
    root_functions.event_unresolved,
    root_functions.event_keep,
    delay_lines.event_fill,
    delay_lines.event_refill,
    rk_root_search.rk_stop_at_root,
    rk_root_search.rk_note,
    due_actions.event_stepped,
    segment_loop.run_segments,
)
TIME_SCAN = (root_functions.differences_over_time,)
BOUNDS = (check_access, check_index)
RODAS = (rodas_step.rodas_run, rodas_step.rodas_dense)
WATCH = (state_watch.choice_is_doubtful, watched_run.ida_watched_run, watched_run.cv_watched_run)
STEP_LOG = (step_log.log_last_step,)
PROJECTION = (
    projection.project,
    projection.correct,
    projection.project_error,
    projection.find_ranks,
    projection.look_at_rows,
)
BLOCKS = (block_newton.solve_step,)
IMPULSES = (share_jumps.share_jumps,)
INITIAL = (
    initial_values.initial_residual,
    initial_values.initial_jacobian,
    initial_values.initial_inner,
    initial_values.initial_values,
)
INSTANCE = (
    instance_start.instance_experiment,
    instance_start.instance_initialize,
    instance_choice.instance_located,
    instance_run.instance_update,
    instance_rates.instance_rates,
    instance_rates.instance_rates_at,
    instance_run.instance_roots,
    instance_run.instance_roots_at,
    instance_run.instance_next,
    instance_run.instance_event,
    instance_run.instance_keep,
    instance_run.instance_advance,
    instance_run.no_new_pivots,
    instance_derivatives.instance_directional,
    instance_derivatives.instance_adjoint,
)
EVERY_RUN = (*ODE, *EVENTS, *INITIAL, *INSTANCE)
SOME_RUNS = (BLOCKS, IMPULSES, RODAS, (*PROJECTION, state_watch.choice_is_doubtful))
"""What runs without Python call, all of them and some; records have the addresses of the latter, nothing else calls
them."""
STANDALONE = (*EVERY_RUN, *(each for part in SOME_RUNS for each in part))
CVODE = (
    cvode_callbacks.cv_rhs,
    cvode_callbacks.cv_weights,
    cvode_callbacks.cv_roots,
    cvode_callbacks.cv_project,
    cvode_callbacks.cv_system,
    cvode_callbacks.cv_solver_type,
    cvode_callbacks.cv_setup,
    cvode_callbacks.cv_solve,
    cvode_callbacks.cv_run,
    newton_callbacks.nls_type,
    newton_callbacks.nls_solve,
    newton_callbacks.nls_set_residual,
    newton_callbacks.nls_set_set_up,
    newton_callbacks.nls_set_solve,
    newton_callbacks.nls_iterations,
    newton_callbacks.nls_failures,
)

_ENTRIES: dict[str, tuple[Callable[..., Any], ...]] = {
    "ida": IDA,
    "watch": WATCH,
    "pivots": PIVOTS,
    "ode": ODE,
    "events": EVENTS,
    "time_scan": TIME_SCAN,
    "rodas": RODAS,
    "step_log": STEP_LOG,
    "projection": PROJECTION,
    "blocks": BLOCKS,
    "impulses": IMPULSES,
    "initial": INITIAL,
    "instance": INSTANCE,
    "cvode": CVODE,
    "bounds": BOUNDS,
    "standalone": STANDALONE,
}


def standalone_parts(names: Collection[str]) -> tuple[tuple[Callable[..., Any], ...], ...]:
    """What a run without Python calls whose records have the addresses of these procedures."""
    return (EVERY_RUN, *(part for part in SOME_RUNS if any(each.__name__ in names for each in part)))


def entries(name: str) -> tuple[Callable[..., Any], ...]:
    """The procedures that others call in a runtime."""
    return _ENTRIES[name]
