"""Native discrete equations and when-statements: which of them act at an instant, and what they do.

Values of actions that read what other actions assign are equations of the same instant: they are computed again until
they no longer change.
"""

from __future__ import annotations

from tellegen.engine.runtime.events.due_actions import due_values_of_actions, due_values_of_equations
from tellegen.engine.runtime.events.event_record import EventRun, Failure
from tellegen.engine.runtime.events.relation_values import compute
from tellegen.ir.events import ASSERT, ASSIGN, REINIT, TERMINATE
from tellegen.procedures.language import f64, i64, is_finite, procedure

_ROUNDING = 1e-13  # relative: what an iterated loop leaves open
# which values Python is asked for
_OF_EQUATIONS = 0
_OF_ACTIONS = 1
# what actions have done: changed something; used a value that may follow another one
_CHANGED = 1
_FOLLOWS = 2
_MORE_ROUNDS = 64  # than there are chosen conditions, for values that follow each other


@procedure(inline=True)
def compute_values(ev: EventRun, of_what: i64) -> None:
    """The values of discrete equations and actions; those that no native code can compute are left to Python."""
    compute(ev, ev.value_entry, ev.t, ev.values)
    if ev.due is not None:
        if of_what == _OF_ACTIONS:
            due_values_of_actions(ev, ev.due)
        else:
            due_values_of_equations(ev, ev.due)
    if ev.opaque is not None:
        ev.opaque(of_what)


@procedure(inline=True)
def is_new(value: f64, before: f64) -> bool:
    """Whether a value differs from the one before by more than rounding; NaN always does.

    An infinite value is equal to itself, though the difference is NaN.
    """
    return value != before and not (abs(value - before) < _ROUNDING * abs(before))


@procedure
def assign_initial_values(ev: EventRun) -> bool:
    """What initial equations give discrete variables and pre(); whether something changed.

    What when-statements assign in the initial instant counts, where they act.
    """
    compute(ev, ev.initial_entry, ev.t, ev.initial_values)
    changed = False
    for k in range(ev.initial_count):
        place = ev.initial_place[k]
        value = ev.initial_sign[k] * ev.initial_values[ev.initial_number[k]]
        gives_way = ev.initial_tentative[k] != 0 and ev.chosen_count > 0
        if not gives_way and is_finite(value) and is_new(value, ev.p[place]):
            ev.p[place] = value
            changed = True
    return changed


@procedure
def take_discrete_values(ev: EventRun, count: i64) -> bool:
    """The first `count` discrete variables given by equations, from the values they all have; whether one changed."""
    changed = False
    if ev.initializing and ev.initial_count > 0:
        changed = assign_initial_values(ev)
    if ev.discrete_count == 0:
        return changed
    compute_values(ev, _OF_EQUATIONS)
    for k in range(count):
        position = ev.discrete_index[k]
        value = ev.discrete_sign[k] * ev.values[ev.discrete_value[k]]
        if ev.p[position] != value:
            ev.p[position] = value
            changed = True
    return changed


@procedure
def solve_discrete_equations(ev: EventRun) -> bool:
    """Discrete variables given by equations, which may read each other; whether one changed.

    The unknowns are only solved for when all of them agree: a clutch that starts to slide is no longer locked. Levels
    move once: their relations have to be computed again.
    """
    changed = take_discrete_values(ev, ev.discrete_count)
    again = changed
    equations = ev.discrete_count - ev.level_count
    for _ in range(equations):  # as many as may follow each other; a circle is left to the iteration
        if again:
            again = take_discrete_values(ev, equations)
    return changed


@procedure(inline=True)
def choose(ev: EventRun, condition: i64) -> None:
    """Add a condition to those whose actions are taken in this round, and to the report."""
    ev.chosen[ev.chosen_count] = condition
    ev.chosen_count += 1
    if ev.fired_count < ev.fired_room:
        ev.fired[ev.fired_count] = condition
        ev.fired_count += 1


@procedure(inline=True)
def has_acted(ev: EventRun, when: i64, count: i64) -> bool:
    """Whether a condition of a when-statement is among the first `count` that were chosen."""
    found = False
    for c in range(count):
        found = found or ev.condition_when[ev.chosen[c]] == when
    return found


@procedure
def choose_levels(ev: EventRun, first: i64, last: i64, before: i64) -> None:
    """Choose those that have just become true among the conditions of some levels.

    Of two that become true at once the first acts, and the other one has had its turn. Where what was chosen `before`
    in this round makes another condition of its when-statement true, that one acts in the next round.
    """
    for k in range(ev.condition_count):
        if first <= ev.condition_level[k] <= last:
            is_true = ev.conditions[k] > 0.5
            is_active = ev.active_at_start[k] != 0 or not ev.initializing
            is_rising = is_true and is_active and ev.was_true[k] == 0
            when = ev.condition_when[k]
            waits = is_rising and ev.when_stamp[when] == ev.stamp and has_acted(ev, when, before)
            ev.was_true[k] = int(is_true and not waits)
            if is_rising and ev.when_stamp[when] != ev.stamp:
                ev.when_stamp[when] = ev.stamp
                choose(ev, k)


@procedure
def choose_conditions(ev: EventRun) -> bool:
    """Choose the conditions that have just become true, of each when-statement the first; whether there are any.

    Those that read what others assign are looked at when these have acted. After a reinit all of them are, for they
    act in the next round. In the initial instant those count that are active in it.
    """
    if ev.condition_count == 0:
        return False
    compute(ev, ev.condition_entry, ev.t, ev.conditions)
    before = ev.chosen_count
    if before == 0 or ev.reinitialized:  # a new round
        ev.stamp += 1
    if ev.reinitialized:
        choose_levels(ev, 0, ev.last_level, before)
    else:
        for level in range(ev.last_level + 1):
            if ev.chosen_count == before:
                choose_levels(ev, level, level, before)
    return ev.chosen_count > before


@procedure(inline=True)
def reinitialize(ev: EventRun, position: i64, value: f64) -> None:
    """Give a state a new value."""
    ev.y[position] = value
    ev.jumped = True
    ev.reinitialized = True


@procedure
def reinitialize_last(ev: EventRun, acted: i64) -> bool:
    """At the end of a round, the reinits of the first `acted` conditions that waited for it; whether there are any.

    All values are computed before a state has a new one.
    """
    if ev.reinit_at_once or acted == 0:
        return False
    compute_values(ev, _OF_ACTIONS)
    found = False
    for c in range(acted):
        condition = ev.chosen[c]
        for action in range(ev.action_start[condition], ev.action_start[condition + 1]):
            if ev.action_verb[action] == REINIT:
                value = ev.values[ev.action_value[action]] * ev.action_sign[action]
                reinitialize(ev, ev.action_index[action], value)
                found = True
    return found


@procedure
def take_action(ev: EventRun, action: i64) -> i64:
    """Do what an action says; _CHANGED if that changed something."""
    verb = ev.action_verb[action]
    position = ev.action_index[action]
    value = ev.values[ev.action_value[action]] * ev.action_sign[action]
    if verb == ASSIGN:
        changed = ev.p[position] != value
        ev.p[position] = value
        return _CHANGED if changed else 0
    if verb == REINIT and ev.reinit_at_once:
        reinitialize(ev, position, value)
        return _CHANGED
    if verb == TERMINATE and value > 0.5:
        ev.message = action + 1
    if verb == ASSERT and not (value > 0.5):  # NaN counts as false
        ev.failed = action + 1
    return 0


@procedure
def take_actions(ev: EventRun) -> i64:
    """Take the actions of the chosen conditions; _CHANGED and _FOLLOWS, added up."""
    result = 0
    for c in range(ev.chosen_count):
        condition = ev.chosen[c]
        for action in range(ev.action_start[condition], ev.action_start[condition + 1]):
            if ev.action_follows[action] != 0:
                result = result | _FOLLOWS
            result = result | take_action(ev, action)
    return result


@procedure
def values_are_new(ev: EventRun) -> bool:
    """Whether a value of the chosen actions differs from when they were last taken; the present ones are remembered."""
    found = False
    for c in range(ev.chosen_count):
        condition = ev.chosen[c]
        for action in range(ev.action_start[condition], ev.action_start[condition + 1]):
            number = ev.action_value[action]
            found = is_new(ev.values[number], ev.values_before[number]) or found
            ev.values_before[number] = ev.values[number]
    return found


@procedure
def act(ev: EventRun) -> bool:
    """Take the chosen actions if they or their values are new, again while values follow; whether something changed.

    A sampled unknown of an iterated loop may come back with other last digits in every round; that is nothing new.
    """
    if ev.chosen_count == 0:
        return False
    most_rounds = ev.chosen_count + _MORE_ROUNDS
    rounds = 0
    changed = False
    while True:
        compute_values(ev, _OF_ACTIONS)
        have_changed = values_are_new(ev)
        if not (ev.chosen_is_new or have_changed):
            return changed
        ev.chosen_is_new = False
        result = take_actions(ev)
        changed = changed or result & _CHANGED != 0
        rounds += 1
        if result & _FOLLOWS == 0 or rounds > most_rounds:
            return changed


@procedure
def check_finite(ev: EventRun, acted: i64) -> None:
    """At the end of a round, what was assigned must be finite: a circle of assignments may end at infinity.

    The first `acted` of the chosen conditions have taken their actions.
    """
    for c in range(acted):
        condition = ev.chosen[c]
        for action in range(ev.action_start[condition], ev.action_start[condition + 1]):
            if not is_finite(ev.values[ev.action_value[action]]):
                ev.failed = Failure.NOT_FINITE
