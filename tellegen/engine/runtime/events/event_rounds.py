"""Native: the rounds of event iteration. In each of them pre() is fixed; then it moves on."""

from __future__ import annotations

from tellegen.engine.runtime.events.event_record import EventRun, Failure
from tellegen.engine.runtime.events.impulse_sharing import keep_round, share_impulses
from tellegen.engine.runtime.events.mode_iteration import converge
from tellegen.engine.runtime.events.relation_switching import solve_unknowns
from tellegen.engine.runtime.events.relation_values import is_over
from tellegen.engine.runtime.events.sample_ticks import lower_samples
from tellegen.engine.runtime.events.when_actions import check_finite, choose_conditions, reinitialize_last
from tellegen.procedures.language import i64, procedure

_MOST_ROUNDS = 400
_ROUNDS_PER_CONDITION = 4  # in a cascade each of them sets off the next: it acts, pre() moves on, others follow


@procedure
def remember_discrete(ev: EventRun) -> None:
    """Present values of discrete variables go where pre() reads them."""
    for k in range(ev.discrete_pre_count):
        ev.p[ev.discrete_pre_index[k]] = ev.p[ev.discrete_pre_source[k]]


@procedure
def remember_unknowns(ev: EventRun) -> None:
    """Present values of unknowns go where pre() reads them."""
    for k in range(ev.unknown_pre_count):
        ev.p[ev.unknown_pre_index[k]] = ev.y[ev.unknown_pre_source[k]]


@procedure
def begin_round(ev: EventRun) -> None:
    """pre() reads the present values, and states will jump from where they are."""
    remember_discrete(ev)
    remember_unknowns(ev)
    keep_round(ev)


@procedure
def next_round(ev: EventRun, finished: i64) -> bool:
    """pre() moves on to the values of the round that ends; of the chosen conditions the first `finished` are done with.

    The others, which a reinit of that round has made true, act in the next one. False where equations that read pre()
    cannot be solved.
    """
    waiting = ev.chosen_count - finished
    for k in range(waiting):
        ev.chosen[k] = ev.chosen[finished + k]
    ev.chosen_count = waiting
    ev.chosen_is_new = waiting > 0
    ev.initializing = False
    lower_samples(ev)
    begin_round(ev)
    return not ev.unknowns_read_pre or solve_unknowns(ev)


@procedure
def finish_reinits(ev: EventRun, acted: i64) -> bool:
    """Reinits that have waited for the end of the round, and what follows from them; False where that is not solved."""
    return not reinitialize_last(ev, acted) or (share_impulses(ev) and solve_unknowns(ev))


@procedure
def iterate(ev: EventRun) -> None:
    """In each round everything is solved together with the when-statements that fire in it; then pre() moves on.

    What a reinit sets off belongs to the next round, where pre() is the value that this reinit gave: impacts that set
    each other off hand on what they have received.
    """
    dirty = False
    most_rounds = _MOST_ROUNDS + _ROUNDS_PER_CONDITION * ev.condition_count
    for _ in range(most_rounds):
        dirty = converge(ev) or dirty
        if is_over(ev):
            return
        acted = ev.chosen_count
        is_chosen = choose_conditions(ev)
        if is_chosen and not ev.reinitialized:
            dirty = True
            ev.chosen_is_new = True
        else:
            check_finite(ev, acted)
            if not dirty:
                return
            dirty = is_chosen
            if not (finish_reinits(ev, acted) and next_round(ev, acted)):
                ev.failed = Failure.NOT_CONSISTENT
                return
    ev.failed = Failure.NOT_CONVERGED


@procedure
def initialize(ev: EventRun) -> None:
    """Solve everything together with the when-statements that are active in initialization; pre() stays as it is."""
    for _ in range(_MOST_ROUNDS):
        converge(ev)
        if is_over(ev):
            return
        acted = ev.chosen_count
        if not choose_conditions(ev):
            check_finite(ev, acted)
            if not finish_reinits(ev, acted):
                ev.failed = Failure.NOT_CONSISTENT
            return
        ev.chosen_is_new = True
    ev.failed = Failure.NOT_CONVERGED
