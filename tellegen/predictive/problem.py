"""What a predictive controller is asked for, checked: inputs, what is tracked, weights and limits."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from tellegen.engine.request.argument_checks import seconds
from tellegen.engine.request.path_lookup import find
from tellegen.errors import DesignError, nearest, warn_user
from tellegen.ir.expressions.expr import Call, Time
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass
from tellegen.variation.driven import open_inputs

_OF_THE_PAST = ("delay", "varying_delay", "transported")
EXAMPLE = "cost=tg.Cost(track={'s': 1.0}, effort={'force': 0.01}), limits={'force': (-20.0, 20.0), 'v': (-2.0, 2.0)}"


@dataclass(frozen=True, eq=False)
class Cost:
    """What a plan costs: half the sum of weights times squares, by path in declared units.

    track               of (value - reference) at the end of every interval; `final` at the last one
    effort, changes     of inputs, and of their changes from sample to sample
    violation           the price of each unit beyond a limit of a variable; far beyond it is more, b + b**2 / (2 limit)
    """

    track: Mapping[str, Any]
    effort: Mapping[str, Any] | None = None
    changes: Mapping[str, Any] | None = None
    final: Mapping[str, Any] | None = None
    violation: float = 1e4


@dataclass(frozen=True)
class Search:
    """How a plan is searched.

    iterations  at each sample; at the first, as many as the plan needs
    rtol        relative tolerance of the plant's runs
    """

    iterations: int = 1
    rtol: float = 1e-6


@dataclass(frozen=True, eq=False)
class Inputs:
    """What may be set, element by element, and what is not known of the plant."""

    names: tuple[str, ...]
    low: FloatArray
    high: FloatArray
    wholes: tuple[str, ...]  # paths of the inputs: of an array its own
    disturbances: tuple[str, ...]  # open inputs and parameters that are estimated
    gains: FloatArray  # how much of what a sample shows of them is believed


@dataclass(frozen=True, eq=False)
class ControlProblem:
    """Inputs and outputs by path, in declared units; a row of weights for each sample of the horizon."""

    period: float
    horizon: int
    given: Inputs
    effort: FloatArray  # weights of squared inputs
    changes: FloatArray  # weights of squared changes from sample to sample
    tracked: tuple[str, ...]
    weights: FloatArray  # (horizon, tracked)
    limited: tuple[str, ...]
    lowest: FloatArray  # of what is limited
    highest: FloatArray
    violation: float  # the price of a unit beyond a limit

    @property
    def inputs(self) -> tuple[str, ...]:
        """What may be set."""
        return self.given.names

    @property
    def low(self) -> FloatArray:
        """The lower limits of inputs."""
        return self.given.low

    @property
    def high(self) -> FloatArray:
        """The upper limits of inputs."""
        return self.given.high

    @property
    def sizes(self) -> FloatArray:
        """What is large for each that is limited: its larger limit."""
        bounds = np.abs([self.lowest, self.highest])
        found = np.where(np.isfinite(bounds), bounds, 0.0).max(axis=0, initial=0.0)
        return np.where(found > 0.0, found, 1.0)

    @property
    def outputs(self) -> tuple[str, ...]:
        """All that is read of the plant: what is tracked, then what is limited."""
        return *self.tracked, *self.limited


@dataclass(frozen=True, eq=False)
class Asked:
    """The arguments of tg.predictive_control that say what is wanted."""

    period: Any
    horizon: Any
    cost: Any
    limits: Any
    disturbances: Any


def control_problem(flat: FlatModel, asked: Asked) -> ControlProblem:
    """Everything checked against the plant."""
    refuse_time(flat)
    warn_of_memory(flat)
    horizon = asked.horizon
    if isinstance(horizon, bool) or not isinstance(horizon, int) or horizon < 1:
        raise wrong(f"the horizon is a number of samples, not {horizon!r}")
    step = seconds("period", asked.period)
    if not step > 0.0:
        raise wrong(f"the period is a time above zero, not {asked.period!r}")
    cost = asked.cost
    if not isinstance(cost, Cost):
        raise wrong(f"cost is a tg.Cost, not {cost!r}")
    track = _weights(flat, "track", cost.track)
    final = _weights(flat, "final", cost.final)
    effort = _weights(flat, "effort", cost.effort)
    changes = _weights(flat, "changes", cost.changes)
    limits = limits_by_element(flat, asked.limits)
    given = inputs_of(flat, {"limits": limits, "effort": effort, "changes": changes}, asked.disturbances)
    if not given.names or not track:
        raise wrong("a controller needs an input that it may set, and something to track")
    tracked = tuple(dict.fromkeys((*track, *final)))
    weights = np.tile([track.get(path, 0.0) for path in tracked], (horizon, 1))
    weights[-1] = [final.get(path, track.get(path, 0.0)) for path in tracked]
    limited = {path: pair for path, pair in limits.items() if path not in given.names}
    return ControlProblem(
        period=step,
        horizon=horizon,
        given=given,
        effort=np.array([effort.get(path, 0.0) for path in given.names]),
        changes=np.array([changes.get(path, 0.0) for path in given.names]),
        tracked=tracked,
        weights=weights,
        limited=tuple(limited),
        lowest=np.array([low for low, _ in limited.values()]),
        highest=np.array([high for _, high in limited.values()]),
        violation=_number("violation", cost.violation),
    )


def search_of(given: Any) -> Search:
    """How a plan is searched, checked."""
    search = Search() if given is None else given
    if not isinstance(search, Search):
        raise wrong(f"search is a tg.Search, not {search!r}", "search=tg.Search(iterations=3)")
    iterations = search.iterations
    if isinstance(iterations, bool) or not isinstance(iterations, int) or iterations < 1:
        raise wrong(f"iterations is a number from 1 on, not {iterations!r}")
    return search


def inputs_of(flat: FlatModel, asked: Mapping[str, Mapping[str, Any]], disturbances: Any = None) -> Inputs:
    """The open inputs that are named in limits or weights, by element; E690 for weights of what is none."""
    known = {flat.variables.name(int(k)) for k in open_inputs(flat)}
    for name in ("effort", "changes"):
        for path in asked.get(name, {}):
            if path not in known:
                advice = nearest(path, sorted(known)) if known else "this plant has no open input"
                raise wrong(f"{name} names '{path}', which is not an open input of {flat.name}; {advice}")
    names = tuple(dict.fromkeys(path for paths in asked.values() for path in paths if path in known))
    pairs = [asked["limits"].get(path, (-math.inf, math.inf)) for path in names]
    wholes = tuple(dict.fromkeys(_whole(path) for path in names))
    for whole in wholes:
        _refuse_part(flat, whole, names)
    gains = _gains(flat, disturbances, names, known)
    return Inputs(
        names=names,
        low=np.array([low for low, _ in pairs]),
        high=np.array([high for _, high in pairs]),
        wholes=wholes,
        disturbances=tuple(gains),
        gains=np.array(list(gains.values())),
    )


def wrong(what: str, advice: str = EXAMPLE) -> DesignError:
    """E690, of what was asked for."""
    return DesignError("E690", what, location=here(), advice=advice)


def refuse_time(flat: FlatModel) -> None:
    """A plant whose equations contain time is another one at every sample; one with a delay is more than its states."""
    for group in flat.equations:
        nodes = group.template.nodes
        if any(isinstance(node, Call) and node.op in _OF_THE_PAST for node in nodes):
            what = f"{flat.name} has a delay, and a plan begins with its states and nothing else"
            raise wrong(what, "put a lag in its place, or several in a row")
        if any(isinstance(node, Time) for node in nodes):
            raise wrong(
                f"{flat.name} depends on time by itself, and a plan looks ahead from any time",
                "make the source of it an input: load = tg.input('N.m')",
            )


def warn_of_memory(flat: FlatModel) -> None:
    """A plan begins with states; what discrete variables are then is not among what it is given."""
    kept = next((flat.variables.name(start) for start, length, _, member in flat.variables.blocks()
                 if length and member.discrete and not member.initial_parameter), None)  # fmt: skip
    if kept is not None:
        warn_user(
            f"'{kept}' of {flat.name} remembers the past: each interval of a plan begins with its start value; give "
            "the controller a plant without it, or make it an input"
        )


def limits_by_element(flat: FlatModel, given: Any) -> dict[str, tuple[float, float]]:
    """Pairs of numbers by path; of an array for all of its elements, or arrays of its shape."""
    found: dict[str, tuple[float, float]] = {}
    for path, pair in mapping("limits", given).items():
        names = elements(flat, path)
        try:
            low, high = (np.broadcast_to(np.asarray(each, float), len(names)) for each in pair)
        except (TypeError, ValueError):
            low = high = np.full(len(names), np.nan)
        for name, least, most in zip(names, low.tolist(), high.tolist(), strict=True):
            if not least < most:
                what = f"the limits of '{name}' are a low and a high number in its declared unit, not {pair!r}"
                raise wrong(what)
            found[name] = (least, most)
    return found


def elements(flat: FlatModel, path: str) -> tuple[str, ...]:
    """The scalars that a path names."""
    selection = find(flat, path)
    if selection.parameter:
        raise wrong(f"'{path}' is not a variable of {flat.name}", "name a variable, or an element: 'cells[2].T'")
    return tuple(flat.variables.name(int(index)) for index in selection.indices.ravel())


def mapping(name: str, given: Any) -> dict[str, Any]:
    """What was given by path."""
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(path, str) for path in given):
        raise wrong(f"{name} is a mapping by path, not {given!r}")
    return dict(given)


def _weights(flat: FlatModel, name: str, given: Any) -> dict[str, float]:
    """Weights by element; one of an array counts for all of its elements."""
    found: dict[str, float] = {}
    for path, value in mapping(name, given).items():
        weight = _number(f"{name} of '{path}'", value)
        found |= dict.fromkeys(elements(flat, path), weight)
    return found


def _number(name: str, value: Any) -> float:
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = math.nan
    if not (math.isfinite(found) and found >= 0.0):
        raise wrong(f"{name} is a number from zero on, in declared units, not {value!r}")
    return found


def _gains(flat: FlatModel, given: Any, inputs: tuple[str, ...], known: set[str]) -> dict[str, float]:
    """Of disturbances by element: open inputs that are not set, and parameters."""
    found: dict[str, float] = {}
    for path, value in mapping("disturbances", given).items():
        gain = _number(f"the gain of '{path}'", value)
        if not 0.0 < gain <= 1.0:
            raise wrong(f"the gain of '{path}' is {value!r}", "what is believed of a sample, above 0 and up to 1")
        selection = find(flat, path)
        table = flat.parameters if selection.parameter else flat.variables
        names = [table.name(int(index)) for index in selection.indices.ravel()]
        stranger = next((name for name in names if not selection.parameter and name not in known), None)
        if stranger is not None or set(names) & set(inputs):
            what = f"'{path}' of {flat.name} cannot be estimated: it is {'set' if stranger is None else 'computed'}"
            raise wrong(what, "disturbances={'load': 0.3} names open inputs that are not set, and parameters")
        found |= dict.fromkeys(names, gain)
    return found


def _whole(path: str) -> str:
    """The array of an element, or the path itself."""
    return path.rpartition("[")[0] if path.endswith("]") else path


def _refuse_part(flat: FlatModel, whole: str, names: tuple[str, ...]) -> None:
    if "[" in whole:
        raise wrong(f"'{whole}' is an input inside of an array of components", "declare inputs of the plant itself")
    missing = [name for name in elements(flat, whole) if name not in names]
    if missing:
        raise wrong(f"an array is set as a whole, but nothing is said about '{missing[0]}'", f"name '{whole}'")
