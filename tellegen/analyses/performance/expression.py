"""Performance functions: numbers computed from a run, and any expression of them, with exact gradients.

energy = tg.integral("source.v * source.i")
worst = tg.peak("motor.i") / 10.0 + tg.sqrt(energy)
worst(solution)                 the number
worst.gradient(found)           its derivatives by the design variables of a tg.sensitivity
worst <= 2.0                    a Constraint, for tg.optimize
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from tellegen.analyses.performance.dual_numbers import RULES, Dual, apply
from tellegen.analyses.performance.measured import Measured
from tellegen.analyses.performance.response import Response
from tellegen.analyses.performance.signal_expressions import Signal
from tellegen.analyses.sensitivities.sensitivity import Sensitivity
from tellegen.engine.results.solution import Solution
from tellegen.ensembles.refused import RefusedError
from tellegen.errors import DesignError, users_call, warn_user
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here


class Performance(ABC):
    """A number computed from a run; `evaluate` gives it with its derivatives."""

    text = ""
    __array_ufunc__ = None  # arithmetic with NumPy's numbers is ours

    @abstractmethod
    def evaluate(self, response: Response) -> Dual:
        """The value, and its slope by the design variables of the response."""

    def of_runs(self, runs: Measured) -> Any:  # noqa: ARG002
        """The values of many runs, from what lanes have measured; RefusedError where that is not enough."""
        raise RefusedError(f"{self} needs the curves of every run")

    @property
    def members(self) -> tuple[Performance, ...]:
        """The performance functions that it is made of."""
        return ()

    def signals(self, model: ReducedModel) -> tuple[Signal, ...]:
        """The curves that it follows over time: those of its members, and its own."""
        return tuple(signal for each in self.members for signal in each.signals(model))

    @users_call
    def __call__(self, run: Solution | Sensitivity) -> float:
        """The value for a run."""
        return float(self._of(run).value)

    @users_call
    def gradient(self, found: Sensitivity) -> dict[str, float]:
        """The derivatives by each design variable, in declared units."""
        if not isinstance(found, Sensitivity):
            what = f"a gradient is computed from a Sensitivity, not from {type(found).__name__}"
            advice = "found = tg.sensitivity(model, stop, wrt=[...])"
            raise DesignError("E644", what, location=here(), advice=advice)
        return dict(zip(found.wrt, self._of(found).slope.tolist(), strict=True))

    def _of(self, run: Solution | Sensitivity) -> Dual:
        response = shown([self], Response(run))
        found = self.evaluate(response)
        self.warn_of_points(response)
        return found

    def warn_of_points(self, response: Response) -> None:
        """Tell where the run has too few output points for what was computed from it."""
        if response.sparse:
            warn_user(
                f"{self}: the run has only {len(response.solution.time)} output points until it ends at "
                f"t = {response.stop.value:.4g}, too few to interpolate the signal; simulate with more points"
            )
        if response.missed is not None:
            warn_user(
                f"{self}: the run has stepped over a peak of what drives '{response.missed.state}' near "
                f"t = {response.missed.time:.6g}, so its curves are wrong from there on; write the edges of peaks as "
                "conditions (tg.where, tg.when), which are events, or simulate in two runs that meet there"
            )
        for path, times in response.rough.items():
            warn_user(
                f"{self}: '{path}' changes faster than its output points show, first near t = {times.min():.4g}: "
                f"{_reliable(response.error)}; simulate with more points"
            )

    # -- arithmetic ---------------------------------------------------------------------------------------------
    def __add__(self, other: Any) -> Performance:
        return _joined(operator.add, "+", self, other)

    def __radd__(self, other: Any) -> Performance:
        return _joined(operator.add, "+", other, self)

    def __sub__(self, other: Any) -> Performance:
        return _joined(operator.sub, "-", self, other)

    def __rsub__(self, other: Any) -> Performance:
        return _joined(operator.sub, "-", other, self)

    def __mul__(self, other: Any) -> Performance:
        return _joined(operator.mul, "*", self, other)

    def __rmul__(self, other: Any) -> Performance:
        return _joined(operator.mul, "*", other, self)

    def __truediv__(self, other: Any) -> Performance:
        return _joined(operator.truediv, "/", self, other)

    def __rtruediv__(self, other: Any) -> Performance:
        return _joined(operator.truediv, "/", other, self)

    def __pow__(self, other: Any) -> Performance:
        return _joined(operator.pow, "**", self, other)

    def __rpow__(self, other: Any) -> Performance:
        return _joined(operator.pow, "**", other, self)

    def __neg__(self) -> Performance:
        return Computed(operator.neg, (self,), f"-{_inside(self)}")

    def __abs__(self) -> Performance:
        return Computed(operator.abs, (self,), f"abs({self})")

    def apply(self, name: str) -> Performance:
        """A function of it: "sqrt", "exp", "log", ...; tg.sqrt(f) is f.apply("sqrt")."""
        if name not in RULES:
            raise DesignError(
                "E646",
                f"there is no {name} of a performance function",
                location=here(),
                advice=f"one of {', '.join(RULES)}",
            )
        return Computed(partial(_by_rule, name), (self,), f"{name}({self})")

    # -- constraints --------------------------------------------------------------------------------------------
    def __le__(self, other: Any) -> Constraint:
        return _constraint(self, other, -np.inf, 0.0, "<=")

    def __ge__(self, other: Any) -> Constraint:
        return _constraint(self, other, 0.0, np.inf, ">=")

    def __eq__(self, other: Any) -> Constraint:  # type: ignore[override]
        return _constraint(self, other, 0.0, 0.0, "==")

    __lt__ = __le__
    __gt__ = __ge__
    __hash__ = object.__hash__

    @property
    def required(self) -> Constraint | None:
        """The constraint that it is by itself; None: it has to be compared with something."""
        return None

    @property
    def name(self) -> str:
        """What it is called in tables: as it was written."""
        return self.text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Performance {self}>"


class Computed(Performance):
    """A function of other performance functions and numbers."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...], text: str) -> None:
        self.function = function
        self.arguments = arguments
        self.text = text

    @property
    def members(self) -> tuple[Performance, ...]:
        """See Performance."""
        return performances(*self.arguments)

    def evaluate(self, response: Response) -> Dual:
        """The function of the values, with the chain rule."""
        return self.function(*(value_of(argument, response) for argument in self.arguments))

    def of_runs(self, runs: Measured) -> Any:
        """The function of the values."""
        values = [one.of_runs(runs) if isinstance(one, Performance) else one for one in self.arguments]
        with np.errstate(all="ignore"):  # runs without a value are made again one by one
            return self.function(*values)


@dataclass(frozen=True, eq=False)
class Constraint:
    """low <= performance <= high."""

    performance: Performance
    low: float
    high: float
    text: str

    def __bool__(self) -> bool:
        raise DesignError(
            "E646",
            f"'{self.text}' is a constraint, which cannot be evaluated before a run",
            location=here(),
            advice="give it to tg.optimize(..., subject_to=[...]); two limits are two constraints",
        )

    def __repr__(self) -> str:
        return f"<Constraint {self.text}>"


def shown(functions: Iterable[Performance], response: Response) -> Response:
    """A run with points enough to see what the curves do that performance functions follow."""
    model = response.solution._reduced
    signals = [signal for each in functions for signal in each.signals(model)]
    return response.showing(signals) if signals else response


class Lookout:
    """In which of the many runs of a search peaks between points are looked for: that takes longer than a short run.

    In the first, the second, the fourth, the eighth, ... and, once there were such peaks, in all. Requirements are
    always judged by all that a run does.
    """

    def __init__(self) -> None:
        self.runs = 0
        self.has_peaks = False

    def shown(self, functions: Sequence[Performance], response: Response) -> Response:
        """A run with points enough, as far as it is looked into."""
        self.runs += 1
        is_power_of_two = not self.runs & (self.runs - 1)
        everything = self.has_peaks or is_power_of_two
        asked = [each for each in functions if everything or each.required is not None]
        seen = shown(asked, response) if asked else response
        self.has_peaks |= seen is not response
        return seen


def performances(*parts: Any) -> tuple[Performance, ...]:
    """Those of some parts that are performance functions, not numbers."""
    return tuple(part for part in parts if isinstance(part, Performance))


def value_of(what: Any, response: Response) -> Any:
    """A performance function as a Dual; numbers are what they are."""
    return what.evaluate(response) if isinstance(what, Performance) else what


def number(what: Any) -> Any:
    """What may stand beside a performance function: another one, or a number."""
    if isinstance(what, Performance):
        return what
    try:
        return float(what)
    except (TypeError, ValueError):
        raise DesignError(
            "E646",
            f"{what!r} is neither a number nor a performance function",
            location=here(),
            advice="write tg.final('load.w') for the final value of a signal",
        ) from None


def _by_rule(name: str, x: Any) -> Any:
    return apply(x, *RULES[name])


def _joined(function: Callable[..., Any], sign: str, left: Any, right: Any) -> Performance:
    left = number(left)
    right = number(right)
    return Computed(function, (left, right), f"{_inside(left)} {sign} {_inside(right)}")


def _inside(part: Any) -> str:
    text = f"{part:g}" if isinstance(part, float) else str(part)
    return f"({text})" if isinstance(part, Computed) and " " in text else text


def _constraint(left: Performance, right: Any, low: float, high: float, sign: str) -> Constraint:
    """A number on the right is the limit; of two performance functions the difference is limited."""
    right = number(right)
    if isinstance(right, Performance):
        return Constraint(left - right, low, high, f"{left} {sign} {right}")
    return Constraint(left, low + right, high + right, f"{left} {sign} {right:g}")


def _reliable(error: float) -> str:
    """What an error leaves of a number."""
    digits = int(np.floor(-np.log10(min(error, 1.0))))
    if digits < 2:
        return "only the first digit is reliable" if digits else "no digit of it is reliable"
    return f"only the first {digits} digits are reliable"
