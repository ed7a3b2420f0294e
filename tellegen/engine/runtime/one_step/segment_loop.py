"""The native loop of a run with events: segments and events one after the other, until Python has to look.

    segment to the next known instant (or the end)  ->  ended early by a root?  ->  event  ->  next segment

It does what engine/runs/hybrid_loop.py does, for one-step methods, as long as all goes well: a failure of the
integrator, an event that may end the run and a full log are left to Python. Rows and events go into a log.
"""

from __future__ import annotations

from tellegen.engine.native.flags import Flag
from tellegen.engine.runtime.events.event_departure import copy
from tellegen.engine.runtime.events.event_iteration import event_happen
from tellegen.engine.runtime.events.past.notes import notes_of_steps
from tellegen.engine.runtime.events.relation_values import is_over
from tellegen.engine.runtime.one_step.segment_record import OFTEN, Returned, SegmentLoop
from tellegen.procedures.language import f64, i32, i64, procedure

_NEAR = 16.0 * 2.220446049250313e-16  # as in engine/integrators/segmented_integrator.py
_SMALLEST = 64.0 * 2.220446049250313e-16  # of the time: the shortest step


@procedure(inline=True)
def near(t: f64) -> f64:
    """Times that close are the same."""
    return _NEAR * abs(t)


@procedure
def integrate(loop: SegmentLoop, first: i64, last: i64) -> i64:
    """Steps until the output times first..last-1 are done; the flag of the integrator."""
    run = loop.run
    run.h_least = max(_SMALLEST * abs(loop.reached), 1e-300)
    run.first = first
    run.last = last
    run.most_steps = run.steps + loop.burst
    flag = loop.advance(run)
    loop.reached = run.t
    return flag


@procedure
def go(loop: SegmentLoop) -> i64:
    """To the end of the segment or to the first root before it. After the output times there is room for that end."""
    end = loop.end
    run = loop.run
    if end - loop.reached < near(end):  # two events a rounding apart
        loop.reached = end
        run.ode_rhs(end, run.ode, run.x, run.rates)  # the start after the first one has looked ahead
        return 0
    run.stop = end
    inside = loop.done
    while inside < loop.total and run.times[inside] < end - near(end):
        inside += 1
    if loop.done < inside:
        flag = integrate(loop, loop.done, inside)
        loop.done = run.first
        if flag != 0:
            return flag
    run.times[loop.total] = end
    flag = integrate(loop, loop.total, loop.total + 1)
    if flag == 0:
        loop.reached = end
    return flag


@procedure
def restart(loop: SegmentLoop) -> None:
    """Go on from the present unknowns, in which an event may have changed anything."""
    run = loop.run
    ode = run.ode
    for k in range(run.count):
        run.x[k] = ode.w[ode.state_index[k]]
    loop.steps += run.steps
    loop.rejected += run.rejected
    run.steps = 0
    run.rejected = 0
    for k in range(2 * ode.divisor_count):  # after a jump divisors may have any sign
        ode.divisors_before[k] = 0.0
    run.t = loop.t
    loop.begin(run)
    loop.reached = loop.t


@procedure
def keep_output(loop: SegmentLoop) -> bool:
    """Whether this is an output time; then the row is kept as such."""
    run = loop.run
    times = run.times
    if loop.done < loop.total and times[loop.done] <= loop.t + near(loop.t):
        times[loop.done] = loop.t
        copy(loop.before, run.output[loop.done * run.size :], run.size)
        loop.done += 1
    return times[loop.done - 1] == loop.t


@procedure
def log_passing(loop: SegmentLoop, at_root: bool) -> i64:
    """Note which relations pass zero, before the event forgets it; how many there are in the log then."""
    log = loop.log
    ev = loop.ev
    count = log.passing_count
    if at_root:
        for k in range(ev.relation_count):
            if ev.roots[k] != 0:
                log.passing[count] = k
                count += 1
    return count


@procedure
def log_changes(loop: SegmentLoop) -> bool:
    """Note the discrete values that have changed since the last event in the log; whether there are any."""
    log = loop.log
    p = loop.ev.p
    last = loop.p_last
    count = log.change_count
    for i in range(loop.p_count):
        if p[i] != last[i]:
            last[i] = p[i]
            log.change_index[count] = i
            log.change_value[count] = p[i]
            count += 1
    found = count > log.change_count
    log.change_count = count
    return found


@procedure
def have_moved(loop: SegmentLoop) -> bool:
    """Whether the event has changed an unknown or a rate."""
    w = loop.run.ode.w
    before = loop.before
    found = False
    for i in range(2 * loop.run.size):
        found = found or w[i] != before[i]
    return found


@procedure
def log_event(loop: SegmentLoop, is_output: bool, passing_count: i64) -> None:
    """An event that changed something or activated a when-statement: its rows and what happened."""
    log = loop.log
    ev = loop.ev
    size = loop.run.size
    k = log.count
    log.time[k] = loop.t
    log.done[k] = loop.done
    log.is_output[k] = int(is_output)
    copy(loop.before, log.rows[2 * k * size :], size)
    copy(loop.run.ode.w, log.rows[(2 * k + 1) * size :], size)
    for j in range(ev.fired_count):
        log.fired[log.fired_count + j] = ev.fired[j]
    for j in range(ev.switched_count):
        log.switched[log.switched_count + j] = ev.switched[j]
    log.fired_count += ev.fired_count
    log.switched_count += ev.switched_count
    log.passing_count = passing_count
    log.change_end[k] = log.change_count
    log.fired_end[k] = log.fired_count
    log.switched_end[k] = log.switched_count
    log.passing_end[k] = log.passing_count
    log.count += 1


@procedure
def event(loop: SegmentLoop, at_root: bool) -> bool:
    """What happens at an instant, with the rows before and after; whether Python has to judge if the run ends here.

    An event that changes no unknown and no rate at once needs no restart, unless the integrator is beyond it already: a
    root is found inside a step, which was made with the old equations.
    """
    ev = loop.ev
    is_last = loop.t >= loop.stop
    copy(loop.run.ode.w, loop.before, 2 * loop.run.size)
    is_output = keep_output(loop)
    passing_count = log_passing(loop, at_root)
    event_happen(ev, loop.t, int(at_root), int(is_last))
    moved = have_moved(loop)
    changed = log_changes(loop)
    if moved or changed or ev.fired_count > 0:
        log_event(loop, is_output, passing_count)
        if at_root:  # instants known in advance come to an end, however dense they are
            loop.root_times[loop.root_count] = loop.t
            loop.root_count += 1
        ends = ev.message != 0 or ev.failed > 0  # by terminate or an assertion, which report the values here
        if (moved or at_root) and not ends:
            restart(loop)
    if is_over(ev) or ev.zeno:
        return True
    return loop.root_count > OFTEN and loop.t - loop.root_times[loop.root_count - OFTEN] < loop.dense


@procedure
def has_room(loop: SegmentLoop) -> bool:
    """Whether the log has room for one more event, whatever happens."""
    log = loop.log
    ev = loop.ev
    most = max(loop.p_count, ev.relation_count, ev.fired_room, ev.switched_room)
    longest = max(log.change_count, log.passing_count, log.fired_count, log.switched_count)
    return log.count < log.room and longest + most <= log.list_room


@procedure
def has_room_for_notes(loop: SegmentLoop) -> bool:
    """Whether the notes of delayed signals in one more segment, which takes two bursts at most, have room."""
    ev = loop.ev
    return ev.delay_count == 0 or ev.note_count + notes_of_steps(2 * loop.burst) <= ev.note_room


@procedure
def run_segments(loop: SegmentLoop) -> i32:
    """Go on until Python has to look; see Returned. A negative flag belongs to the segment to `end`."""
    ev = loop.ev
    run = loop.run
    before = loop.steps + run.steps
    while loop.t < loop.stop:
        is_tired = loop.steps + run.steps - before >= loop.burst
        if is_tired or not has_room(loop) or not has_room_for_notes(loop):
            return Returned.PAUSED
        loop.end = min(ev.next_instant, loop.look_again, loop.stop)
        copy(run.ode.w, loop.solved, 2 * run.size)
        flag = go(loop)
        if flag < 0:
            return flag
        at_root = flag == Flag.ROOT
        loop.t = loop.reached if at_root else loop.end
        if at_root and loop.passed < loop.t < ev.departed:
            loop.look_again = ev.departed  # a rounding just after the last event, or something that departs slowly
            loop.passed = loop.t
            continue
        loop.look_again = loop.stop
        is_due = ev.next_instant <= loop.stop + near(loop.stop)
        if (loop.t < loop.stop or at_root or is_due or loop.uses_terminal) and event(loop, at_root):
            return Returned.JUDGE
    return Returned.DONE
