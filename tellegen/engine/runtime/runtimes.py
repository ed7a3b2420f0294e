"""Which procedures are compiled together, and from which functions outside they are called.

A model pays only for what it runs: each of these is compiled, or read from the cache, when it is first needed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from tellegen.engine.native.extents import EXTENTS, Extents
from tellegen.engine.native.machine_code import MachineCode, runtime_code
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
from tellegen.engine.runtime.sundials import cvode_callbacks, ida_callbacks, watched_run
from tellegen.ir.program import Module
from tellegen.procedures.bounds import Guard, check_access, check_index

LONG_CODE = 1
HOT_LOOPS = 2
"""How hard LLVM optimizes: long code that is run little, loops that take most of the time of large models."""

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
    instance_run.instance_roots,
    instance_run.instance_next,
    instance_run.instance_event,
    instance_run.instance_keep,
    instance_run.instance_advance,
    instance_run.no_new_pivots,
    instance_derivatives.instance_directional,
    instance_derivatives.instance_adjoint,
)
STANDALONE = (
    *(*ODE, *EVENTS, *BLOCKS, *IMPULSES, *RODAS, *INITIAL, *PROJECTION, *INSTANCE),
    state_watch.choice_is_doubtful,
)
"""All that a run without Python may call."""
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
)


@cache
def ida_runtime() -> MachineCode:
    """What IDA calls, and sparse LU."""
    return runtime_code("ida", lambda: procedure_module(IDA, HOT_LOOPS))


@cache
def watch_runtime() -> MachineCode:
    """The watch over states that are chosen as a model runs, and with it IDA and CVODE step by step."""
    return runtime_code("watch", lambda: procedure_module(WATCH, LONG_CODE))


@cache
def pivot_runtime() -> MachineCode:
    """The search for pivots of sparse matrices."""
    return runtime_code("pivots", lambda: procedure_module(PIVOTS, HOT_LOOPS))


@cache
def ode_runtime() -> MachineCode:
    """The right-hand side of ODE mode and the explicit method."""
    return runtime_code("ode", lambda: procedure_module(ODE, LONG_CODE))


@cache
def event_runtime() -> MachineCode:
    """The iteration at events, root functions and their search in one-step methods, delays, the loop over segments."""
    return runtime_code("events", lambda: procedure_module(EVENTS, LONG_CODE))


@cache
def rodas_runtime() -> MachineCode:
    """The Rosenbrock method."""
    return runtime_code("rodas", lambda: procedure_module(RODAS, LONG_CODE))


@cache
def step_log_runtime() -> MachineCode:
    """The last step of CVODE or IDA into the log, called from Python at the end of a segment."""
    return runtime_code("step_log", lambda: procedure_module(STEP_LOG, LONG_CODE))


@cache
def projection_runtime() -> MachineCode:
    """The projection of states onto invariants, where there are some."""
    return runtime_code("projection", lambda: procedure_module(PROJECTION, HOT_LOOPS))


@cache
def block_runtime() -> MachineCode:
    """The solution of algebraic blocks, where there are some."""
    return runtime_code("blocks", lambda: procedure_module(BLOCKS, LONG_CODE))


@cache
def impulse_runtime() -> MachineCode:
    """States that jump together, where some do."""
    return runtime_code("impulses", lambda: procedure_module(IMPULSES, LONG_CODE))


@cache
def initial_runtime() -> MachineCode:
    """The equations at the initial time as steps."""
    return runtime_code("initial", lambda: procedure_module(INITIAL, LONG_CODE))


@cache
def instance_runtime() -> MachineCode:
    """A run without Python."""
    return runtime_code("instance", lambda: procedure_module(INSTANCE, LONG_CODE))


@cache
def cvode_runtime() -> MachineCode:
    """What CVODE calls."""
    return runtime_code("cvode", lambda: procedure_module(CVODE, LONG_CODE))


def standalone_functions() -> dict[int, str]:
    """The functions that records of a run in ODE mode may refer to, by their addresses in this process.

    They are those of the runtimes that are loaded: no record has the address of another one.
    """
    made = (
        ode_runtime,
        event_runtime,
        block_runtime,
        impulse_runtime,
        rodas_runtime,
        initial_runtime,
        projection_runtime,
        watch_runtime,
    )
    loaded = [make() for make in made if make.cache_info().currsize]
    return {address: name for code in loaded for name, address in code.addresses.items()}


def standalone_module() -> Module:
    """All that a run without Python may call, as one text."""
    return procedure_module(STANDALONE, LONG_CODE)


def procedure_module(entries: tuple[Callable[..., Any], ...], optimize: int) -> Module:
    """The text of a runtime. Nobody needs the compiler of procedures when the object is in the cache."""
    from tellegen.procedures.load import load
    from tellegen.procedures.lower import lower

    return lower(load(*entries), optimize, None if EXTENTS is None else _guard(EXTENTS))


@cache
def bounds_runtime() -> MachineCode:
    """The checks of array accesses that others call, with TELLEGEN_CHECK_BOUNDS=1."""
    from tellegen.procedures.load import load
    from tellegen.procedures.lower import lower

    return MachineCode((lower(load(*BOUNDS), HOT_LOOPS),))


def _guard(extents: Extents) -> Guard:
    """What checked code calls."""
    checks = bounds_runtime().addresses
    return Guard(checks["check_access"], checks["check_index"], extents.address, extents.places)
