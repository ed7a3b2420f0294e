"""Native: values of actions that call functions of C or kernels, computed only where an action is due.

Such functions may keep something to themselves (an FMU its discrete state), so they are called for the actions that are
taken and for no others; and while an event is iterated, again only where something they read has changed. Every loop of
the entry therefore gets a table with the rows of the moment.

Functions that want to know of every accepted step of the integrator are called after it, and for nothing else. Where
what they give changes, there is an event.
"""

from __future__ import annotations

from tellegen.engine.runtime.events.event_record import DueActions, DueLoop, EventRun
from tellegen.procedures.language import f64, i32, i64, procedure


@procedure(inline=True)
def has_changed(loop: DueLoop, row: i64, ev: EventRun) -> bool:
    """Whether something that a row may read differs from the last time; what it reads now is remembered."""
    last = loop.last[row * (loop.reads + 1) :]
    table = loop.table[row * loop.width :]
    columns = loop.read_column  # in loops that write numbers, native code would look up arrays again and again
    arrays = loop.read_array
    y = ev.y
    yp = ev.yp
    p = ev.p
    changed = ev.t != last[0]
    last[0] = ev.t
    for k in range(loop.reads):
        place = table[columns[k]]
        array = arrays[k]
        now = p[place] if array > 1 else (y[place] if array == 0 else yp[place])
        if now != last[k + 1]:
            changed = True
            last[k + 1] = now
    return changed


@procedure(inline=True)
def is_due(due: DueActions, loop: DueLoop, row: i64) -> bool:
    """Whether a row gives a value that is asked for."""
    table = loop.table[row * loop.width :]
    found = False
    for k in range(loop.gives):
        found = found or due.asked[table[loop.give_column[k]]] == due.stamp
    return found


@procedure
def compute_due(ev: EventRun, due: DueActions) -> None:
    """The values that are asked for."""
    for number in range(due.count):
        loop = due.loops[number]
        count = 0
        for row in range(loop.rows):
            if is_due(due, loop, row) and has_changed(loop, row, ev):
                for k in range(loop.width):
                    loop.due_rows[count * loop.width + k] = loop.table[row * loop.width + k]
                count += 1
        if count > 0:
            due.row_counts[2 * loop.number] = count
            loop.call[0](ev.t, ev.y, ev.yp, ev.p, ev.values, due.tables)


@procedure
def due_values_of_equations(ev: EventRun, due: DueActions) -> None:
    """The values of all discrete equations."""
    due.stamp += 1
    for k in range(ev.discrete_count):
        due.asked[ev.discrete_value[k]] = due.stamp
    compute_due(ev, due)


@procedure
def due_values_of_actions(ev: EventRun, due: DueActions) -> None:
    """The values that the chosen conditions assign."""
    due.stamp += 1
    for c in range(ev.chosen_count):
        condition = ev.chosen[c]
        for action in range(ev.action_start[condition], ev.action_start[condition + 1]):
            due.asked[ev.action_value[action]] = due.stamp
    compute_due(ev, due)


@procedure
def event_stepped(ev: EventRun, t: f64) -> i32:
    """A step was accepted, and the unknowns are those at its end; whether a function asks for an event there."""
    due = ev.due
    if due is None:
        return 0
    for number in range(due.step_count):
        loop = due.steps[number]
        for k in range(loop.rows * loop.width):
            loop.due_rows[k] = loop.table[k]
        due.row_counts[2 * loop.number] = loop.rows
        loop.call[0](t, ev.y, ev.yp, ev.p, ev.values, due.tables)
    asks = 0
    for k in range(due.step_actions):
        value = ev.values[due.step_value[k]]
        if ev.p[due.step_place[k]] != value:
            ev.p[due.step_place[k]] = value
            asks = 1
    return asks
