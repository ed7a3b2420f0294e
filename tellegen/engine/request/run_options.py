"""The numerical options of a run, checked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np

from tellegen.engine.request.argument_checks import LOOSEST, one_of, output_points, seconds, tolerance, whole_number
from tellegen.engine.request.scales import AbsoluteTolerances, Scales
from tellegen.errors import LanguageError
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass

if TYPE_CHECKING:
    from tellegen.engine.diagnostics.step_log import StepLog

CHATTERING = ("stop", "regularize")
SOLVERS = ("auto", "cvode", "ida", "rk45", "rodas")
MAX_STEPS = 200_000
"""Between two output points: then a run is given up as hopeless."""
CURVES = 1e-6
GRADIENTS = 1e-7
SECOND_DERIVATIVES = 1e-9
"""The default relative tolerances: of runs that are looked at, that are differentiated, and twice differentiated."""
_FEW = 10_000
_FINEST = 1e-14  # relative tolerance: no run keeps smaller ones, whatever its clock
_FEWEST_INSTANTS = 1000  # of a run that can be integrated at all


def until(stop: float | str | None) -> float:
    """The end of a run, which must be given."""
    if stop is None:
        advice = "give the stop time in seconds: tg.simulate(model, stop=10.0), tellegen simulate MODEL --stop 10"
        raise LanguageError(
            "E181", "the simulation has no stop time: 'stop' is missing", location=here(), advice=advice
        )
    return seconds("stop", stop)


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of one integration.

    `points` is a number of equally spaced output times, or the times themselves: the output is the start and exactly
    these (and the rows at events), and nothing after the last of them is computed.

    `chattering` says what becomes of a condition that switches without end (engine/runs/hybrid_loop.py).
    `max_steps` is the number of steps allowed from one output point to the next. `step_log` is there in runs that are
    explained (engine/explained/).

    `longest` is that of a step, where the model asks for one.

    `continues` is the length of the run that this one continues, zero for a run of its own. `steps_over` says that
    steep places of a model without states are stepped over (engine/integrators/step_over.py).

    Without `atol`, an unknown of size s is computed to about 1e-3 * rtol * s near zero (engine/request/scales.py).
    """

    start: float
    stop: float
    rtol: float = CURVES
    atol: float | None = None
    points: int | Sequence[float] | FloatArray = 500
    solver: str = "auto"
    max_steps: int = MAX_STEPS
    chattering: str = "stop"
    longest: float | None = None
    continues: float = 0.0
    steps_over: bool = False
    step_log: StepLog | None = field(default=None, repr=False, compare=False)
    _absolute: tuple[Scales, AbsoluteTolerances] | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        put = partial(object.__setattr__, self)
        if type(self.start) is not float or type(self.stop) is not float:
            put("start", seconds("start", self.start))
            put("stop", seconds("stop", self.stop))
        if not self.stop > self.start:
            advice = f"give a later stop time: stop={self.start + 1.0:g}"
            what = f"stop ({self.stop:g}) must be later than start ({self.start:g})"
            raise LanguageError("E181", what, location=here(), advice=advice)
        tolerance("rtol", self.rtol, LOOSEST)
        if self.atol is not None:
            tolerance("atol", self.atol)
        one_of(SOLVERS, self.solver)
        if not isinstance(self.chattering, str) or self.chattering not in CHATTERING:
            advice = "'stop' ends the run where a condition chatters, 'regularize' adds a hysteresis to the condition"
            what = f"chattering is one of {', '.join(map(repr, CHATTERING))}, not {self.chattering!r}"
            raise LanguageError("E183", what, location=here(), advice=advice)
        if self.max_steps is not MAX_STEPS:
            put("max_steps", whole_number("max_steps", self.max_steps))
        points = output_points(self.points, self.start, self.stop)
        self._check_clock(points if isinstance(points, int) else 0)
        if points is not self.points:
            put("points", points)

    @cached_property
    def length(self) -> float:
        """Of the run, or of the longer one that it continues: what longest steps and moments are related to."""
        return max(self.stop - self.start, self.continues)

    def _check_clock(self, points: int) -> None:
        """E181 where steps of the run would be steps of the numbers themselves."""
        instants = (self.stop - self.start) / self.clock_resolution
        if instants < max(_FEWEST_INSTANTS, points):
            what = f"from start = {self.start:g} to stop = {self.stop:g} there are only {instants:.0f} different times"
            advice = f"count time from the start of the run: start=0, stop={self.stop - self.start:g}"
            raise LanguageError("E181", f"{what} in double precision", location=here(), advice=advice)

    @property
    def clock_resolution(self) -> float:
        """The distance of neighbouring times in double precision, at the later end of the run."""
        return math.ulp(max(abs(self.start), abs(self.stop)))

    @cached_property
    def is_clock_coarse(self) -> bool:
        """Whether the errors of times alone may be larger than the tolerance asked for."""
        return self.clock_resolution > max(self.rtol, _FINEST) * self.length

    def times(self) -> FloatArray:
        """The output times, the first one at the start; runs with the same ones share them, read only."""
        if isinstance(self.points, int):
            spaced = _equally_spaced if self.points <= _FEW else np.linspace
            return spaced(self.start, self.stop, self.points)
        times = np.asarray(self.points, float)
        return np.concatenate([[self.start], times[times > self.start]])

    def absolute(self, scales: Scales) -> AbsoluteTolerances:
        """Absolute tolerances of all unknowns; for the same scales the same record."""
        known = self._absolute
        if known is None or known[0] is not scales:
            known = (scales, scales.tolerances(self.rtol, self.atol))
            object.__setattr__(self, "_absolute", known)
        return known[1]


@lru_cache(maxsize=16)
def _equally_spaced(start: float, stop: float, points: int) -> FloatArray:
    """Equally spaced times: NumPy takes a tenth of a small model's run to make them."""
    times = np.linspace(start, stop, points)
    times.setflags(write=False)
    return times


@lru_cache(maxsize=64, typed=True)
def checked_options(
    start: float,
    stop: float,
    rtol: float,
    atol: float | None,
    points: int | Sequence[float] | FloatArray,
    solver: str,
    max_steps: int,
    chattering: str,
) -> Options:
    """The options, checked once for the same values: checking takes as long as a tenth of a small model's run."""
    return Options(
        start=start,
        stop=stop,
        rtol=rtol,
        atol=atol,
        points=points,
        solver=solver,
        max_steps=max_steps,
        chattering=chattering,
    )
