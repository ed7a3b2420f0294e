"""What a run is asked for: nine keywords, the same in every call that runs a model, and the record made of them.

    @run_call(rtol=GRADIENTS)
    def optimize(model, stop=None, *, minimize=None, ..., **run: Unpack[RunKeywords]) -> Optimum:
        request = request_run(compiled.flat.experiment, stop, **run)

`RunKeywords` documents them, `request_run` has their defaults and checks them, `run_call` shows them in full in the
signature of a public call. What runs a model takes the RunRequest.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache, wraps
from typing import Any, ParamSpec, TypedDict, TypeVar

from tellegen.engine.request.argument_checks import by_path, seconds
from tellegen.engine.request.run_options import CURVES, MAX_STEPS, Options, checked_options, until
from tellegen.engine.request.run_state import RunPoint, RunState
from tellegen.errors import DesignError, LanguageError, users_call, warn_user
from tellegen.ir.model import Experiment, FloatArray
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass

P = ParamSpec("P")
R = TypeVar("R")

STEADY = "steady"
_SAME_TIME = 1e-12  # relative: instants that close are meant to be the same


class RunKeywords(TypedDict, total=False):
    """The keywords of a run, besides `stop`; their defaults are those of `request_run`."""

    start: float | str | None
    """The initial time: seconds, or a string with a unit ("20 ms"); 0, or the instant of a snapshot in `initial`."""
    rtol: float
    """The relative tolerance of the integrator."""
    atol: float | None
    """The absolute tolerance of all unknowns; without it 1e-3 * rtol times the nominal value of each."""
    points: int | Sequence[float] | FloatArray
    """How many equally spaced output times, or the times themselves: then nothing after the last is computed."""
    solver: str
    """"auto", "cvode", "ida", "rk45" or "rodas"."""
    max_steps: int
    """How many steps may be taken from one output point to the next."""
    chattering: str
    """A condition that switches without end: "stop" ends the run, "regularize" gives it a narrow hysteresis."""
    parameters: Mapping[str, Any] | None
    """Other values of parameters and inputs, by path, in declared units."""
    initial: Mapping[str, Any] | str | None
    """Other start values by path, "steady": the run starts from the steady state, or a Snapshot: the run continues."""


@dataclass(frozen=True, eq=False)
class RunRequest:
    """One run as asked for: checked, immutable, and picklable, for studies send it to other processes.

    `initial` is "steady", values by path, a Snapshot of a run to continue, or None: start values as declared.
    """

    options: Options
    parameters: Mapping[str, Any]
    initial: Mapping[str, Any] | str | None

    @cached_property
    def steady(self) -> bool:
        """Whether the run starts from the steady state."""
        return isinstance(self.initial, str)

    @cached_property
    def run_state(self) -> RunState | None:
        """Where another run stood, if this one continues it."""
        return None if self.initial is None else _state_of(self.initial)

    @cached_property
    def start_values(self) -> Mapping[str, Any]:
        """The start values asked for, by path."""
        return {} if self.initial is None or isinstance(self.initial, str) else self.initial

    def with_points(self, points: int | Sequence[float] | FloatArray) -> RunRequest:
        """The same run with other output points."""
        if points is self.options.points:
            return self
        return replace(self, options=replace(self.options, points=points))

    def with_values(self, parameters: Mapping[str, Any], initial: Mapping[str, Any] | None = None) -> RunRequest:
        """The same run with other values of some parameters and start values."""
        if not initial:
            return replace(self, parameters={**self.parameters, **parameters})
        self.refuse_varied_starts(initial)
        return replace(self, parameters={**self.parameters, **parameters}, initial={**self.start_values, **initial})

    def without_values(self, paths: Iterable[str]) -> RunRequest:
        """The same run, where these parameters and start values are not given."""
        left_out = set(paths)
        parameters = {path: value for path, value in self.parameters.items() if path not in left_out}
        if self.initial is None or isinstance(self.initial, str):
            return replace(self, parameters=parameters)
        initial = {path: value for path, value in self.initial.items() if path not in left_out}
        return replace(self, parameters=parameters, initial=initial)

    def from_values(self, is_smooth: bool) -> RunRequest:
        """The same run as a new one from the values of a snapshot, for what cannot continue another run.

        E602 where these values are not all that counts: in models with events, delays or initial equations.
        """
        if self.run_state is None:
            return self
        if not is_smooth:
            raise DesignError(
                "E602",
                "a run with derivatives cannot continue from a snapshot of a model with events or initial equations",
                location=here(),
                advice="initial=dict(snapshot) starts a new run from its values: conditions that hold then act again",
            )
        return replace(self, initial=dict(self.start_values), options=replace(self.options, continues=0.0))

    def refuse_varied_starts(self, paths: Iterable[str]) -> None:
        """E602: where the start values are not those given, nothing changes with them."""
        path = next(iter(paths), None)
        if self.run_state is not None and path is not None:
            raise DesignError(
                "E602",
                f"'{path}' is a start value, but the run continues from a snapshot",
                location=here(),
                advice="vary parameters only; initial=dict(snapshot) starts a new run from its values",
            )
        if self.steady and path is not None:
            raise DesignError(
                "E602",
                f"'{path}' is a start value, but with initial='steady' the run starts from the steady state",
                location=here(),
                advice="vary parameters only, or use another start value: initial={} takes the declared start values",
            )


_MOST_STEPS_ASKED = 500  # of a run by the longest step of its model: netlists write a millionth for smooth curves


def request_run(
    experiment: Experiment,
    stop: float | str | None,
    *,
    start: float | str | None = None,
    rtol: float = CURVES,
    atol: float | None = None,
    points: int | Sequence[float] | FloatArray = 500,
    solver: str = "auto",
    max_steps: int = MAX_STEPS,
    chattering: str = "stop",
    parameters: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | str | None = None,
) -> RunRequest:
    """A run as asked for, or the error that says what is wrong; `experiment` is what the model itself asks for."""
    begin = experiment.initial if initial is None else initial
    end = experiment.stop if stop is None else stop
    if rtol == CURVES and experiment.tolerance is not None:
        rtol = min(rtol, experiment.tolerance)
    numerics = (rtol, atol, points, solver, max_steps, chattering)
    if begin is None and parameters is None:
        request = _remembered(_plain_request, experiment.start if start is None else start, end, *numerics)
    else:
        begin = None if begin is None else _checked_initial(begin)
        state = None if begin is None else _state_of(begin)
        first = _first_instant(experiment.start if start is None and state is None else start, state)
        options = _remembered(checked_options, first, until(end), *numerics)
        if state is not None:
            options = replace(options, continues=state.length)
        request = RunRequest(options, by_path("parameters", parameters, "E175"), begin)
    options = request.options
    if experiment.longest_step is not None:
        longest = max(experiment.longest_step, options.length / _MOST_STEPS_ASKED)
        request = replace(request, options=replace(options, longest=longest))
    if options.is_clock_coarse:
        warn_user(
            f"near t = {options.stop:g} s the next number is {options.clock_resolution:.2g} s later: the error of the "
            f"result may be larger than rtol = {options.rtol:g}; count time from the start of the run"
        )
    return request


@lru_cache(maxsize=64, typed=True)
def _plain_request(start: float | str, stop: float | str | None, *numerics: Any) -> RunRequest:
    """A run with all values as declared, checked once: that takes as long as a tenth of a small model's run."""
    return RunRequest(_remembered(checked_options, seconds("start", start), until(stop), *numerics), {}, None)


def _remembered(checked: Any, *asked: Any) -> Any:
    """What a function with a cache returns for these arguments; a list of output times has no hash."""
    try:
        return checked(*asked)
    except TypeError:
        return checked.__wrapped__(*asked)


def _state_of(initial: Mapping[str, Any] | str) -> RunState | None:
    """Where the run stood that is to continue, if it is a snapshot of one."""
    return initial.run_state if isinstance(initial, RunPoint) else None


def _first_instant(start: float | str | None, state: RunState | None) -> float:
    """The initial time as given, or the instant of the run to continue."""
    if state is None:
        assert start is not None
        return seconds("start", start)
    if start is not None and abs(seconds("start", start) - state.t) > _SAME_TIME * abs(state.t):
        raise LanguageError(
            "E185",
            f"the snapshot is of t = {state.t:g} s, so a run that continues from it starts there, not at {start!r}",
            location=here(),
            advice="leave start= out; initial=dict(snapshot) starts a new run from its values at any time",
        )
    return state.t


def _checked_initial(initial: Mapping[str, Any] | str) -> Mapping[str, Any] | str:
    if isinstance(initial, str) and initial != STEADY:
        what = f"initial is 'steady' or values by path, not '{initial}'"
        raise LanguageError("E185", what, location=here(), advice="initial='steady', or initial={'load.w': 2.0}")
    return initial if isinstance(initial, str) else by_path("initial", initial, "E185")


def run_call(
    keywords: Callable[..., Any] = request_run, **other_defaults: Any
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """users_call, for a function that ends in `**run: Unpack[RunKeywords]`: its signature shows all of them.

    `keywords` is the function they are passed on to, which has their defaults.
    """

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            return function(*args, **{**other_defaults, **kwargs})  # type: ignore[arg-type]

        chosen: Any = call if other_defaults else function
        chosen.__signature__ = _in_full(function, keywords, other_defaults)
        return users_call(chosen)

    return decorated


def _in_full(
    function: Callable[..., Any], keywords: Callable[..., Any], other_defaults: Mapping[str, Any]
) -> inspect.Signature:
    """The signature with the keywords that are passed on, in the place of `**run`."""
    own = inspect.signature(function)
    listed = [each for each in own.parameters.values() if each.kind is not each.VAR_KEYWORD]
    for maker in dict.fromkeys([keywords, request_run]):
        for each in inspect.signature(maker).parameters.values():
            if each.kind is each.KEYWORD_ONLY:
                listed.append(each.replace(default=other_defaults.get(each.name, each.default)))
    return own.replace(parameters=listed)
