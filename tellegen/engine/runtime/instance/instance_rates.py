"""The rates of the states where an importer's integrator has set time and states, any point, in any order.

instance_rates       from time, states, inputs and parameters as they stand
instance_rates_at    from a time and states that are given: what Tellegen as the importer calls

Loops begin from the last solution. Where that does not lead to one, they are followed from the last point that had
one along a straight line to the present point, then tried from the solution at the last accepted point: an integrator
that only rejects points it cannot evaluate would stop at the first one that needs a better guess.
"""

from __future__ import annotations

from tellegen.engine.runtime.algebra.ode_rhs import (
    Ode,
    ode_rates_again,
    rates_again,
    return_to_solutions,
    run_steps,
)
from tellegen.engine.runtime.instance.instance_record import Instance, Status
from tellegen.procedures.language import Array, f64, i32, i64, procedure

_MOST_PIECES = 60
_SHORTEST = 1e-4  # of the way
_NAN = float("nan")


@procedure
def note_states(ode: Ode, states: Array[f64]) -> None:
    """The states as they stand."""
    for k in range(ode.state_count):
        states[k] = ode.w[ode.state_index[k]]


@procedure(seldom=True)
def rates_between(inst: Instance, part: f64) -> i32:
    """The rates at a part of the way from the last point with a solution to the goal; 1 where there are none."""
    ode = inst.ode
    for k in range(ode.state_count):
        begin = inst.solved_states[k]
        end = inst.goal[k]
        ode.w[ode.state_index[k]] = end if part == 1.0 else begin + part * (end - begin)
    t = inst.t if part == 1.0 else inst.solved_time + part * (inst.t - inst.solved_time)
    return ode_rates_again(t, ode)


@procedure(seldom=True)
def follow(inst: Instance) -> i32:
    """The rates, in pieces of the way from the last point with a solution; 1 where that does not lead here."""
    note_states(inst.ode, inst.goal)
    reached = 0.0
    piece = 0.5
    for _ in range(_MOST_PIECES):
        tried = min(reached + piece, 1.0)
        if rates_between(inst, tried) == 0:
            if tried == 1.0:
                return 0
            reached = tried
            piece = 2.0 * piece
        else:
            piece = 0.5 * piece
            if piece < _SHORTEST:
                break
    return_to_solutions(inst.ode)
    return rates_between(inst, 1.0)


@procedure
def instance_rates(inst: Instance) -> i32:
    """The rates of the states; what serves outputs only is computed when it is asked for.

    A point without a solution stays one, whatever is asked of it next."""
    if not inst.is_stale:
        return Status.DONE
    bad = rates_again(inst.t, inst.ode)  # importers' integrators call it at every evaluation
    if inst.has_loops:
        if bad != 0:
            bad = follow(inst)
        if bad == 0:
            note_states(inst.ode, inst.solved_states)
            inst.solved_time = inst.t
    inst.is_stale = bad != 0
    inst.lacks_outputs = True
    return Status.UNSOLVED if bad != 0 else Status.DONE


@procedure(inline=True)
def set_states(ode: Ode, x: Array[f64]) -> bool:
    """Give the states; whether one of them has another value than before, which is seldom asked for twice."""
    w = ode.w
    positions = ode.state_index
    for k in range(ode.state_count):
        if w[positions[k]] != x[k]:
            for j in range(k, ode.state_count):
                w[positions[j]] = x[j]
            return True
    return False


@procedure(seldom=True)
def forget_numbers(numbers: Array[f64], count: i64) -> None:
    """There are none."""
    for k in range(count):
        numbers[k] = _NAN


@procedure(seldom=True)
def rates_with_loops(inst: Instance, x: Array[f64], rates: Array[f64]) -> i32:
    """The rates at states that are given, where there are loops or delays."""
    ode = inst.ode
    set_states(ode, x)
    inst.is_stale = True
    status = instance_rates(inst)
    for k in range(ode.state_count):
        rates[k] = ode.w[ode.size + ode.state_index[k]]
    if status != Status.DONE:
        forget_numbers(rates, ode.state_count)
    return status


@procedure
def rates_by_steps(inst: Instance, x: Array[f64], rates: Array[f64]) -> i32:
    """The rates at states that are given, where these take several steps, loops or delays."""
    ode = inst.ode
    if inst.has_loops or ode.event_fill is not None:
        return rates_with_loops(inst, x, rates)
    w = ode.w
    positions = ode.state_index
    states = ode.state_count
    for k in range(states):
        w[positions[k]] = x[k]
    bad = run_steps(inst.t, ode, 0, ode.rate_steps)
    inst.lacks_outputs = True
    inst.is_stale = bad != 0
    derivatives = w[ode.size :]
    for k in range(states):
        rates[k] = derivatives[positions[k]]
    if bad != 0:
        forget_numbers(rates, states)
        return Status.UNSOLVED
    return Status.DONE


@procedure
def instance_rates_at(inst: Instance, t: f64, x: Array[f64], rates: Array[f64]) -> i32:
    """The rates at a point, with one copy of the states and one of the rates: where a model takes 20 ns it counts.

    NaN where there is no solution; the caller looks whether they are finite, as it does with all rates."""
    inst.t = t
    if not inst.is_plain:
        return rates_by_steps(inst, x, rates)
    inst.lacks_outputs = True
    inst.is_stale = False
    ode = inst.ode
    w = ode.w
    positions = ode.state_index
    states = ode.state_count
    for k in range(states):
        w[positions[k]] = x[k]
    derivatives = w[ode.size :]
    equations = ode.steps[0].entry
    equations.calls[0](t, w, derivatives, ode.parameters, ode.residual, equations.tables)
    for k in range(states):
        rates[k] = derivatives[positions[k]]
    return Status.DONE
