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
from tellegen.ir.ode import OdeProgram, Solve
from tellegen.ir.program import PARAMETERS, Entry, Loop, Program
from tellegen.ir.reduced import ReducedModel

Place = tuple[str, int]
"""An array and an element of it."""


@dataclass(frozen=True, eq=False)
class Places:
    """`slots` of parameters that belong to a run, the first ones in the order they were varied; `x` of states."""

    slots: dict[int, int]
    varied: int  # so many slots are given for each run
    x: dict[int, int]  # place of a state in y -> its number
    starts: dict[int, int]  # number of a state -> the slot of its varied start value
    given: FloatArray  # per parameter: 1.0 where it was given a value
    tears: dict[Place, int]  # of nonlinear loops -> their numbers; each run keeps what it found last
    first_tear: int  # where the guesses of tears begin among the common numbers; their scales come after them

    @property
    def first_guess(self) -> int:
        """The slot of the first tear."""
        return len(self.slots) + len(self.starts)

    @property
    def lost(self) -> int:
        """The slot that is 1.0 once a loop had no solution where something is decided."""
        return self.first_guess + len(self.tears)

    @property
    def per_run(self) -> int:
        """Numbers of a run."""
        return self.lost + 1 if self.tears else self.first_guess


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
    tears = {place: k for k, place in enumerate(nonlinear_tears(ode))}
    first_tear = model.parameter_indices + len(ode.states)
    return Places(slots, len(varied) + len(starts), states, first, given, tears, first_tear)


def nonlinear_tears(ode: OdeProgram) -> list[Place]:
    """The tears of nonlinear algebraic loops."""
    loops = [step for step in ode.steps if isinstance(step, Solve) and not step.linear]
    return [place_of(ode, int(at)) for step in loops for at in step.tear_index]


def place_of(program: OdeProgram, at: int) -> Place:
    """An unknown by its place among values and rates."""
    return ("y", at) if at < program.size else ("yp", at - program.size)


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
