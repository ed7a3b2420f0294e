"""Sizes of a model and places in the memory of a run; the numbers here are put in the place of these names.

A run has one array of work. Places are constants in the code, so that whatever is small stays in registers.
"""

from __future__ import annotations

from dataclasses import dataclass

STATES = 1
VARIED = 1
PER_RUN = 1
OUTPUTS = 1
RELATIONS = 1
INSTANTS = 1
CONDITIONS = 1
VALUES = 1
PRES = 1
ACTIONS = 1
EQUATIONS = 1
LEVELS = 0
SAMPLES = 1
GATES = 1
DIVISORS = 2
JUDGED = 1
CURVES = 1
MEASURES = 1
WINDOWS = 1
HAS_BOUNDS = 1
HAS_GRID = 1
HAS_CURVES = 1
HAS_EVENTS = 1
IMPLICIT = 0
IS_TIMED = 1
LOOPS = 1
GUESS = 0
LANES = 1

Q = X = TRIAL = STAGE = K = PEAK = OUT = LAST = REDUCED = 0
ROOTS = FLAGS = PASSED = LARGEST = HERE = WAS = NOW = VALUE = PRE = FACTORS = FASTEST = BY_TIME = DENSE = WORK = 0
CHOSEN = PICKED = TAKEN = TICK = CLOCK = MATTERS = DIVIDED = ASSERTED = CURVE = MEASURED = PANEL = 0
BOUND = HELD = ASIDE = 0
NUMBERS = (
    *("TIME", "REACHED", "STEP", "TRIED", "SQUARED", "PART", "STATUS", "ACTIVE", "IS_LAST", "SUSPECT", "AT_ROOT"),
    *("DEPARTED", "NEXT_INSTANT", "SINCE", "ROW", "WANTED", "LOG_ERROR", "SEEN", "STIFF", "CALM", "WAS_REJECTED"),
    *("ACCEPTED", "REJECTED", "EVENTS", "CLOSE", "LAST_EVENT", "LAST_GAP", "DENSE_ROOTS"),
    *("INITIALIZING", "REINITIALIZED", "ENDS", "DUE"),
)
"""Single numbers of a run: where it is, the step that is tried, what it has counted. Truths are 1.0 and 0.0."""

TIME = REACHED = STEP = TRIED = SQUARED = PART = STATUS = ACTIVE = IS_LAST = SUSPECT = AT_ROOT = 0
DEPARTED = NEXT_INSTANT = SINCE = ROW = WANTED = LOG_ERROR = SEEN = STIFF = CALM = WAS_REJECTED = 0
ACCEPTED = REJECTED = EVENTS = CLOSE = LAST_EVENT = LAST_GAP = DENSE_ROOTS = 0
INITIALIZING = REINITIALIZED = ENDS = DUE = 0

REDUCTIONS = 5
FINAL, LEAST, MOST, SUM, SQUARES = range(REDUCTIONS)
"""What is kept of every output: its last value, extremes, integrals of it and of its square."""

ROOT_SLOTS = 10
"""Points at which root functions are kept: seven stages and three of a search."""


@dataclass(frozen=True)
class Sizes:
    """How large a model is."""

    states: int
    varied: int
    per_run: int
    outputs: int
    relations: int
    instants: int
    conditions: int
    values: int
    pres: int
    actions: int
    equations: int
    levels: int  # of these, the last ones
    samples: int
    gates: int
    divisors: int  # with what they divide
    curves: int
    measures: int  # of curves
    has_bounds: bool  # whether some of these are bounded
    windows: int  # of time, in which these are measured
    judged: int  # conditions of assertions and variables with limits
    factors: int
    stages: int
    implicit: bool
    is_timed: bool  # whether rates depend on time itself
    loops: int  # numbers that belong to nonlinear loops, the last of a run
    has_grid: bool
    has_curves: bool

    def constants(self) -> dict[str, int]:
        """Numbers for the names of this file."""
        n = self.states
        has_events = self.relations + self.instants + self.conditions + self.equations + self.samples > 0
        has_dense = self.has_grid or self.relations + self.measures > 0  # else the last stage becomes the new point
        sizes = {
            **{"STATES": n, "VARIED": self.varied, "PER_RUN": self.per_run, "OUTPUTS": self.outputs},
            **{"RELATIONS": self.relations, "INSTANTS": self.instants, "CONDITIONS": self.conditions},
            **{"VALUES": self.values, "PRES": self.pres, "ACTIONS": self.actions, "EQUATIONS": self.equations},
            **{"LEVELS": self.levels, "SAMPLES": self.samples, "GATES": self.gates, "DIVISORS": self.divisors},
            **{"JUDGED": self.judged, "CURVES": self.curves, "MEASURES": self.measures, "WINDOWS": self.windows},
            "HAS_BOUNDS": int(self.has_bounds),
            **{"HAS_GRID": int(self.has_grid), "HAS_CURVES": int(self.has_curves)},
            **{"HAS_EVENTS": int(has_events), "IMPLICIT": int(self.implicit), "IS_TIMED": int(self.is_timed)},
            **{"LOOPS": self.loops, "GUESS": self.per_run - self.loops},
        }
        rooms = {
            **{"Q": self.per_run, "X": n, "TRIAL": n if has_dense or not self.implicit else 0, "STAGE": n},
            **{"K": self.stages * n, "PEAK": n},
            **{"OUT": self.outputs, "LAST": self.outputs, "REDUCED": REDUCTIONS * self.outputs},
            **{"ROOTS": ROOT_SLOTS * self.relations, "FLAGS": self.relations, "PASSED": self.relations},
            **{"LARGEST": self.relations, "HERE": self.relations + self.instants, "WAS": self.conditions},
            **{"NOW": max(self.conditions, self.instants, self.relations, self.gates), "VALUE": self.values},
            **{"PRE": self.pres, "CHOSEN": self.conditions, "PICKED": self.conditions, "TAKEN": self.actions},
            **{"TICK": self.samples, "CLOCK": 2 * self.samples, "MATTERS": self.relations},
            **{"DIVIDED": 2 * self.divisors, "ASSERTED": self.judged},
            **{"CURVE": self.curves, "MEASURED": 3 * self.measures, "PANEL": 7 * self.curves},
            "BOUND": 1 + 4 * (n + self.curves) if self.has_bounds else 0,
            **dict.fromkeys(NUMBERS, 1),
            **{"HELD": self.loops, "ASIDE": self.loops},
            **{"FACTORS": self.factors, "FASTEST": int(self.implicit), "BY_TIME": n if self.is_timed else 0},
            **{"DENSE": 5 * n if has_dense else 0},
        }
        places: dict[str, int] = {}
        total = 0
        for name, room in rooms.items():
            places[name] = total
            total += room
        return {**sizes, **places, "WORK": total}
