"""Where the numbers of a run stand: which parameters are the same for all runs, and which every run has of its own.

p[0], p[1], ...    ->    common[k], the same address for all runs
                         q[slot], in registers or memory of the run: what is varied, what follows from it, and
                         everything discrete
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tellegen.ensembles.refused import RefusedError
from tellegen.ir.events import Events
from tellegen.ir.model import FloatArray
from tellegen.ir.ode import OdeProgram
from tellegen.ir.program import PARAMETERS, Entry, Loop, Program
from tellegen.ir.reduced import ReducedModel


@dataclass(frozen=True, eq=False)
class Places:
    """`slots` of parameters that belong to a run, the first ones in the order they were varied; `x` of states."""

    slots: dict[int, int]
    varied: int  # so many slots are given for each run
    x: dict[int, int]  # place of a state in y -> its number
    starts: dict[int, int]  # number of a state -> the slot of its varied start value
    given: FloatArray  # per parameter: 1.0 where it was given a value

    @property
    def per_run(self) -> int:
        """Numbers of a run."""
        return len(self.slots) + len(self.starts)


def places(
    model: ReducedModel,
    program: Program,
    ode: OdeProgram,
    varied: list[int],
    starts: list[int],
    given: FloatArray,
    computed: set[int],
) -> Places:
    """See the top of this file; `varied` are parameters, `starts` states as unknowns whose start values are varied.

    `computed` are discrete variables whose start values are.
    """
    states = {int(place): k for k, place in enumerate(ode.states.tolist())}
    unknown = [place for place in starts if place not in states]
    if unknown:
        raise RefusedError("the start value of something other than a state is varied")
    slots = {index: k for k, index in enumerate(varied)}
    first = {states[place]: len(varied) + k for k, place in enumerate(starts)}
    count = len(varied) + len(starts)
    own = set(varied) | computed
    if PARAMETERS in program.entries:
        own |= dependents(program.entries[PARAMETERS], own, given)
    if model.events is not None:
        own |= discrete_places(model, model.events)
    for index in sorted(own - set(varied)):
        slots[index] = count
        count += 1
    return Places(slots, len(varied) + len(starts), states, first, given)


def dependents(entry: Entry, varied: set[int], given: FloatArray) -> set[int]:
    """The parameters that follow from those that are varied."""
    found = set(varied)
    for loop in entry.loops:
        for row in range(loop.rows):
            target, read = row_of(loop, row)
            if not given[target] and read & found:
                found.add(target)
    return found


def row_of(loop: Loop, row: int) -> tuple[int, set[int]]:
    """What a row of computed parameters gives, and the parameters it reads."""
    table = loop.table[row]
    target = int(table[loop.stores[0].column])
    read = {int(table[operand.column]) for operand in loop.operands if operand.array == "p" and operand.column >= 0}
    return target, read - {target}


def discrete_places(model: ReducedModel, events: Events) -> set[int]:
    """Everything among the parameters that changes at events."""
    targets = events.actions.target[events.actions.target >= 0]
    variables = np.concatenate([targets, events.always.variable]).astype(np.int64)
    assigned = model.known_position[variables] if len(variables) else np.zeros(0, np.int64)
    parts = (
        *(events.relations.flag, events.instants.flag, events.samples.flag, events.levels.index),
        *(events.pre_index, assigned[assigned >= 0], np.array([events.initial_index, events.terminal_index])),
    )
    return {int(index) for part in parts for index in part if index >= 0}
