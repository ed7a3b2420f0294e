"""Events: what a hybrid model does at instants, as lists of values to compute and a table of actions.

Between events everything discrete is constant, so it lives in the vector of parameters, after the homotopy parameter:
one entry for each relation that can switch ("flag"), for each value whose past is read ("pre"), for
initial(), terminal() and every sample(). Relations in equations read their flag, so integrators see smooth functions
and the instants of switching are roots of left - right.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.ir.model import IntArray
from tellegen.ir.reduced import BoolArray, Int8Array, Int32Array, ReducedGroup
from tellegen.start.records import dataclass

ASSIGN, REINIT, TERMINATE, ASSERT = range(4)
VERBS = {"assign": ASSIGN, "reinit": REINIT, "terminate": TERMINATE, "assert": ASSERT}
OPERATORS = {"lt": 0, "le": 1, "gt": 2, "ge": 3}
REACH = "reach"
"""How levels rise: where left > right, and where left == right stays so; not where it goes on falling from there."""
OPERATOR_NUMBERS = {**OPERATORS, REACH: 4}


@dataclass(frozen=True, eq=False)
class Values:
    """Numbers to compute: row r of groups[k] is number indices[k][r] of `count`."""

    groups: tuple[ReducedGroup, ...]
    indices: tuple[IntArray, ...]
    count: int


@dataclass(frozen=True, eq=False)
class Relations:
    """left - right of relations that can switch, their operators and flags."""

    differences: Values
    operator: Int8Array
    flag: Int32Array


@dataclass(frozen=True, eq=False)
class Gates:
    """Relations of unknowns that matter only while a discrete condition holds: number k of `values` for `relation[k]`.

    In `mode == stuck and s > s_max` the second relation needs no event while the first is false, and must have none
    where s and s_max are both zero but for roundings.
    """

    values: Values
    relation: Int32Array


@dataclass(frozen=True, eq=False)
class Samples:
    """sample(start, period): numbers 2k and 2k+1 of `values` are start and period of sample k, which raises `flag`."""

    values: Values
    flag: Int32Array


CONSTANT_DELAY, VARYING_DELAY, TRANSPORT = range(3)

DELAY_NUMBERS = (2, 3, 4)
"""How many numbers are computed for a delay of each kind."""

PAST_COEFFICIENTS = 5
"""Of a polynomial through what was noted of a signal."""

PRESENT_COEFFICIENTS = 4
"""Of the weight of its present value, where the past is not noted yet."""

PAST_ENTRIES = 1 + PAST_COEFFICIENTS + PRESENT_COEFFICIENTS
TRANSPORT_ENTRIES = 5
MOVING_ENTRIES = (1, PAST_ENTRIES, TRANSPORT_ENTRIES)
"""How many parameters of a delay of each kind change between events."""

WINDOW_ENTRIES = 2
"""And how many after them change at events, of those that are not constant."""


@dataclass(frozen=True, eq=False)
class Delays:
    """What was: numbers `number[k]`, ... of `values` are what is delayed, and parameters `index[k]`, ... its past.

    - delay(u, T) with a constant T: u and T; the past value.
    - With a T that varies: u, T and the longest T. What u was near the time t - T: an instant, the coefficients of a
      polynomial in the time after it, and of one that u itself is multiplied by, for times after the last step.
    - Of a transport: what enters at the near end, how far the content has moved (x), what enters at the far end,
      whether it leaves there. What leaves: x, the value there and its slope over x; whether it was in the pipe at the
      start, and x at the start.

    Unlike everything else among the parameters these change between events. The last two have a window as well: the
    jumps of the past next to what is read, below and above, as times or as values of x. They change at events, for
    relations with the flags `rises` and `falls` say where a jump is reached.
    """

    values: Values
    index: Int32Array
    kind: Int8Array
    number: Int32Array
    rises: Int32Array  # -1 where the delay is constant
    falls: Int32Array

    @property
    def varies(self) -> BoolArray:
        """Which of them are not constant."""
        return np.asarray(self.kind != CONSTANT_DELAY)

    @property
    def moving(self) -> IntArray:
        """All parameters that say what was: they change between events."""
        return _ranges(self.index, [MOVING_ENTRIES[kind] for kind in self.kind.tolist()])

    @property
    def windows(self) -> IntArray:
        """The first parameter of each window; beyond a constant delay, which has none, for that too."""
        sizes = np.array([MOVING_ENTRIES[kind] for kind in self.kind.tolist()], np.int64)
        return np.asarray(self.index + sizes)

    @property
    def entries(self) -> IntArray:
        """All parameters of delays."""
        windows = self.windows[self.varies]
        return np.concatenate([self.moving, _ranges(windows, [WINDOW_ENTRIES] * len(windows))])


def _ranges(first: Any, counts: list[int]) -> IntArray:
    """first[k], first[k] + 1, ... of each k."""
    parts = [start + np.arange(count) for start, count in zip(first.tolist(), counts, strict=True)]
    return np.concatenate([np.zeros(0, np.int64), *parts]).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Actions:
    """One row per action: the when-statement and branch it belongs to, what it does to which variable, its value."""

    when: Int32Array
    branch: Int32Array
    verb: Int8Array
    target: Int32Array  # variable (representative), -1 for none
    sign: Int8Array
    value: Int32Array  # number in `values`


@dataclass(frozen=True, eq=False)
class DiscreteEquations:
    """Discrete variables that equations give their values, at every event: sign * variable is number `value`."""

    variable: Int32Array  # representative
    sign: Int8Array
    value: Int32Array  # number in `values`


@dataclass(frozen=True, eq=False)
class InitialAssignments:
    """What initial equations give discrete variables and pre(): entry `index` of the parameters is sign * `value`.

    A `tentative` one gives way to when-statements that are active in the initial instant.
    """

    values: Values
    index: Int32Array
    sign: Int8Array
    value: Int32Array  # number in `values`
    tentative: BoolArray


@dataclass(frozen=True, eq=False)
class Levels:
    """What integer-valued functions became: number `value` stands at `index` among the parameters."""

    index: Int32Array
    value: Int32Array  # number in `values`


@dataclass(frozen=True, eq=False, kw_only=True)
class Events:
    """See the top of this file.

    When-statement w has conditions first_condition[w] .. first_condition[w+1]-1, one for each branch. `sources` says
    for each when-statement the group and row of flat.whens it came from.
    """

    relations: Relations  # they switch where an unknown makes left - right zero: roots for the integrator
    gates: Gates  # of these
    instants: Relations  # left - right is linear in time and otherwise constant: the instant is computed
    samples: Samples
    delays: Delays
    conditions: Values
    first_condition: IntArray
    actions: Actions
    values: Values
    always: DiscreteEquations
    initial: InitialAssignments
    levels: Levels
    pre_index: Int32Array
    pre_variable: Int32Array
    initial_index: int
    terminal_index: int
    entry_count: int  # number of entries after the homotopy parameter
    sources: tuple[tuple[int, int], ...]
    messages: tuple[str, ...]  # per action
    active_at_start: BoolArray  # per condition: whether it is active in the initial instant
    act_first: BoolArray  # per condition: whether it acts right after it where it held in it
    events_at_start: bool = True  # as in Rules
    reinit_at_once: bool = True  # as in Rules
    reads_initial: bool = False  # whether an equation is another one while initial values are found

    @property
    def whens(self) -> int:
        """Number of when-statements."""
        return len(self.first_condition) - 1


def joined(parts: list[Any], kind: Any) -> Any:
    """Columns of several parts as one array."""
    return np.concatenate(parts).astype(kind) if parts else np.zeros(0, kind)
