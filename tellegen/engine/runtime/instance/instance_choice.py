"""States that are chosen by numbers in a run without Python: one of some choices that were prepared before.

instance_located     the present choice, after an image was copied to another place
choose_states        another choice where the present one is doubtful and another one is much better
is_doubtful          whether the present choice has to be compared with others

What engine/integrators/ does by compiling the model for any choice is done here among those that a trial run has met:
they are compared by the smallest singular values of what follows from them (state_watch.py).
"""

from __future__ import annotations

import math

from tellegen.engine.runtime.algebra.ode_rhs import Ode, ode_again
from tellegen.engine.runtime.algebra.state_watch import (
    GOOD,
    KEEP,
    LOOKS_UNTIL_COMPARED,
    WORSE,
    ChoiceWatch,
    choice_is_doubtful,
    reduce_row,
    smallest_singular_value,
    take_square,
)
from tellegen.engine.runtime.events.relation_values import copy
from tellegen.engine.runtime.instance.instance_record import Instance
from tellegen.procedures.language import f64, i64, procedure

_LONGEST_PATIENCE = 10000  # looks


@procedure
def take_steps(ode: Ode, of: Ode) -> None:
    """Compute from the states of another record."""
    ode.state_index = of.state_index
    ode.steps = of.steps
    ode.step_count = of.step_count
    ode.rate_steps = of.rate_steps
    ode.solve_step = of.solve_step
    ode.divisor_entry = of.divisor_entry
    ode.divisor_count = of.divisor_count
    ode.divisors = of.divisors
    ode.divisors_before = of.divisors_before
    ode.equations = of.equations
    ode.jacobian = of.jacobian
    ode.pattern_count = of.pattern_count
    ode.by_value = of.by_value
    ode.by_rate = of.by_rate
    ode.values = of.values
    ode.column_start = of.column_start
    ode.row_index = of.row_index
    ode.full = of.full
    ode.given = of.given
    ode.left = of.left
    ode.lu = of.lu
    ode.projection = of.projection
    ode.project = of.project


@procedure
def take_choice(inst: Instance, number: i64) -> None:
    """The states of a choice."""
    choice = inst.choices[number]
    inst.choice = number
    take_steps(inst.ode, choice.ode)
    inst.loop.run.watch = choice.watch
    if inst.events is not None:
        inst.events.state_index = choice.ode.state_index


@procedure
def instance_located(inst: Instance) -> None:
    """The image of an instance has the addresses of its first choice of states: take those of the present one."""
    if inst.choice_count > 0:
        take_choice(inst, inst.choice)


@procedure
def stage_value(watch: ChoiceWatch, number: i64) -> f64:
    """The smallest singular value of a stage, for the numbers in `values`; negative where they say nothing."""
    stage = watch.stages[number]
    if stage.is_foreign:
        return 0.0
    for row in range(stage.left_count):
        if not reduce_row(watch, stage, row):
            return -1.0
    take_square(watch, stage, stage.chosen)
    return smallest_singular_value(watch, stage.left_count)


@procedure
def choice_value(inst: Instance, watch: ChoiceWatch) -> f64:
    """How far a choice is from singular where the instance stands."""
    w = inst.ode.w
    rates = w[inst.ode.size :]
    entry = watch.constraints
    for k in range(entry.count):
        entry.calls[k](inst.t, 1.0, 0.0, w, rates, watch.parameters, watch.values, entry.tables)
    least = math.inf
    for k in range(watch.stage_count):
        least = min(least, stage_value(watch, k))
    return least


@procedure
def begin_watch(watch: ChoiceWatch) -> None:
    """A choice that has not been compared with others yet."""
    watch.looks = LOOKS_UNTIL_COMPARED
    watch.patience = LOOKS_UNTIL_COMPARED
    watch.looked_at = math.inf
    watch.next_look = -math.inf
    for k in range(watch.stage_count):
        watch.was_good[k] = 0


@procedure
def keep_choice(inst: Instance, watch: ChoiceWatch) -> None:
    """The present choice was compared with others, and is kept."""
    choice_value(inst, watch)
    for k in range(watch.stage_count):
        watch.doubtful_below[k] = min(GOOD, WORSE * stage_value(watch, k))
    watch.looks = 0
    watch.patience = min(2 * watch.patience, _LONGEST_PATIENCE)


@procedure
def is_doubtful(inst: Instance) -> bool:
    """Whether the present choice has to be compared with others where the unknowns are known."""
    if inst.choice_count == 0:
        return False
    w = inst.ode.w
    return choice_is_doubtful(inst.choices[inst.choice].watch, inst.t, w, w[inst.ode.size :]) != 0


@procedure
def best_choice(inst: Instance) -> i64:
    """The choice that is much better than the present one, or that."""
    present = choice_value(inst, inst.choices[inst.choice].watch)
    best = inst.choice
    most = present
    for k in range(inst.choice_count):
        value = choice_value(inst, inst.choices[k].watch)
        if value > most:
            most = value
            best = k
    return best if present < KEEP * most else inst.choice


@procedure
def take_tolerances(inst: Instance, number: i64) -> None:
    """The tolerances of the states of a choice, whose largest values so far stand in `largest`."""
    run = inst.loop.run
    choice = inst.choices[number]
    for k in range(run.count):
        run.atol[k] = choice.atol[k]
        run.part[k] = choice.part[k]
        run.peak[k] = inst.largest[inst.ode.state_index[k]]


@procedure
def choose_states(inst: Instance) -> bool:
    """Go on with other states where the unknowns are known, if that is much better; whether it does."""
    ode = inst.ode
    run = inst.loop.run
    before = inst.choice
    best = best_choice(inst)
    if best != before:
        copy(ode.w, inst.solved, 2 * ode.size)
        for k in range(ode.size):
            inst.largest[k] = abs(ode.w[k])
        for k in range(run.count):
            inst.largest[ode.state_index[k]] = run.peak[k]
        take_choice(inst, best)
        if ode_again(inst.t, ode) == 0:
            take_tolerances(inst, best)
            begin_watch(inst.choices[best].watch)
            return True
        take_choice(inst, before)
        copy(inst.solved, ode.w, 2 * ode.size)
    keep_choice(inst, inst.choices[before].watch)
    return False
