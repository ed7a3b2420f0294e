"""Is an inverse model of use? Its zero dynamics must be stable, and what it finds must stay finite.

What a model does while its given signals are held at their references is its zero dynamics: the states of the inverse.
Their eigenvalues at a point are the zeros of the linearized model. An unstable one lets the inverse grow without bound.

    given^(r) = a(x) + B(x) u           u = B^-1 (reference^(r) - a)       B: the decoupling matrix (Isidori, 1995)

Where B is singular the relative degree drops, and no finite input does what is wanted. B^-1 is how what is found
depends on the highest derivatives of the references.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tellegen.analyses.linearization.linear_model import LinearModel
from tellegen.analyses.linearization.linearize import linearize
from tellegen.compile import compile_model
from tellegen.errors import DesignError, users_call
from tellegen.figure import entitle, panels
from tellegen.frontends.python.expressions.symbol import as_symbol
from tellegen.inversion.inverse import InverseModel
from tellegen.inversion.inverse_class import Plan, more_name, with_expressions
from tellegen.inversion.singular_points import SingularPoint, singular_points
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.sheet import Result, Table
from tellegen.start.records import dataclass

_MARGINAL = 1e-9  # of the largest eigenvalue: an eigenvalue this close to the axis counts as lying on it
_SHOWN = 10
_CARRIES = 0.1
_BEFORE_THE_END = 1e-3  # of the run: so much before its failure it is looked at once more


@dataclass(frozen=True, eq=False)
class Zero:
    """A zero in 1/s, the states that carry it with their shares, and whether it decays.

    One at the origin that what is found does not depend on is an angle that nobody asks for: it counts as decayed.
    """

    value: complex
    states: tuple[tuple[str, float], ...]
    stable: bool

    def __str__(self) -> str:
        value = f"{self.value.real:.5g}" + (f" ± {abs(self.value.imag):.5g}j" if self.value.imag else "")
        return f"{value} 1/s, carried by {self.carriers}"

    @property
    def carriers(self) -> str:
        """The states that have more than a tenth of it."""
        return ", ".join(name for name, share in self.states if share > _CARRIES)


@dataclass(frozen=True, eq=False)
class Zeros:
    """The zeros at one point: a time of the run, or None at rest."""

    time: float | None
    values: tuple[Zero, ...]


@dataclass(frozen=True, eq=False, repr=False)
class ZeroDynamics(Result):
    """See the top of this file."""

    name: str
    states: tuple[str, ...]
    points: tuple[Zeros, ...]
    singular: tuple[SingularPoint, ...]
    failure: str = ""

    @property
    def zeros(self) -> Any:
        """The zeros at the first point."""
        return np.array([zero.value for zero in self.points[0].values]) if self.points else np.zeros(0, complex)

    @property
    def unstable(self) -> tuple[tuple[float | None, Zero], ...]:
        """Zeros that do not decay, with the times at which they are there."""
        return tuple((point.time, zero) for point in self.points for zero in point.values if not zero.stable)

    @property
    def success(self) -> bool:
        """Whether the inverse can be used: stable zeros, no singular points, and the run went to its end."""
        return not (self.unstable or self.singular or self.failure)

    @property
    def message(self) -> str:
        """What is in the way of using the inverse; empty where nothing is."""
        lines = [f"{_when(time)}: unstable zero at {zero}" for time, zero in self.unstable[:_SHOWN]]
        lines += [str(each) for each in self.singular]
        return "\n".join([*lines, *([self.failure] if self.failure else [])])

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each zero; the time of the point is missing at rest."""
        import pandas as pd

        rows = [(point.time, zero.value, zero.stable, zero.carriers) for point in self.points for zero in point.values]
        return pd.DataFrame(rows, columns=["time", "zero", "stable", "carried by"])

    def plot(self) -> Any:
        """The zeros in the complex plane, all points over each other; unstable ones in red."""
        with panels(1, 1, (6.0, 5.0)) as (figure, ((axis,),)):
            values: Any = np.array([zero.value for point in self.points for zero in point.values], complex)
            both: Any = np.concatenate([values, values.conj()])
            axis.axvline(0.0, color="#888888", linewidth=0.9)
            for chosen, color in ((both.real < 0.0, "#3366aa"), (both.real >= 0.0, "#dd5533")):
                axis.plot(both.real[chosen], both.imag[chosen], "o", color=color, fillstyle="none")
            axis.set_xlabel("real part [1/s]")
            axis.set_ylabel("imaginary part [1/s]")
            entitle(figure, f"{self.name}: zeros")
        return figure

    def _title(self) -> str:
        count = f"{len(self.states)} states" if self.states else "none: the references decide all states"
        state = "can be used" if self.success else "cannot be used as it is"
        return f"ZeroDynamics of {self.name}: {count}; the inverse {state}"

    def _page(self) -> list[Table | str]:
        rows = []
        for point in self.points[:_SHOWN]:
            rows += [(_when(point.time), *str(zero).split(" 1/s, carried by ")) for zero in point.values]
        return [Table(("at", "zero [1/s]", "carried by"), rows) if rows else "", self.message]


@users_call
def zero_dynamics(
    inverse: InverseModel,
    reference: Mapping[str, Any] | None = None,
    *,
    times: Sequence[float] | FloatArray | None = None,
    **run: Any,
) -> ZeroDynamics:
    """Whether an inverse model can be used: its zeros, and where its relative degree drops.

    `reference` are the given signals by name or path: numbers, or expressions of tg.time; 0 where none is said. Without
    `times` the zeros are those at rest. With times the inverse is run along the references, and both zeros and singular
    points are looked for along the run. Further keywords are those of tg.simulate.
    """
    if not isinstance(inverse, InverseModel):
        raise DesignError("E681", "zero dynamics are those of a model that tg.inverse has made", location=here())
    plan = inverse._plan
    degrees = {each.signal: each.degree for each in inverse.relative_degrees}
    compiled = compile_model(with_expressions(plan, _references(plan, reference or {}), degrees)())
    if times is None:
        there = linearize(compiled, at="steady", inputs=[], outputs=[signal.name for signal in plan.find], **run)
        return _result(inverse, (Zeros(None, _zeros(there)),), (), "")
    instants = np.unique(np.asarray(times, float))
    if not len(instants) or not np.isfinite(instants).all() or instants[-1] <= run.get("start", 0.0):
        raise DesignError("E681", f"times={times!r}", location=here(), advice="give times after the start of the run")
    solution = compiled.simulate(stop=float(instants[-1]), throw=False, **run)
    failure = (
        "" if solution.success else f"the run of the inverse ended at t = {solution.time[-1]:g}: {solution.message}"
    )
    reached = instants[instants <= solution.time[-1]]
    if failure:  # what went wrong lies just ahead
        end = float(solution.time[-1])
        step = _BEFORE_THE_END * (end - solution.time[0])
        reached = np.unique([*reached, end - 2.0 * step, end - step, end])
    further = [more_name(signal) for signal in plan.given]
    found = [signal.name for signal in plan.find]

    def at(time: float) -> LinearModel:
        return linearize(compiled, at=solution.at(time), inputs=further, outputs=found)

    linear = [at(float(time)) for time in reached]
    points = tuple(Zeros(float(time), _zeros(each)) for time, each in zip(reached, linear, strict=True))
    gains: list[FloatArray] = [each.D for each in linear]
    return _result(inverse, points, singular_points(reached, gains, lambda time: at(time).D, bool(failure)), failure)


def _result(
    inverse: InverseModel, points: tuple[Zeros, ...], singular: tuple[SingularPoint, ...], failure: str
) -> ZeroDynamics:
    return ZeroDynamics(type(inverse).__name__, inverse.internal_states, points, singular, failure)


def _references(plan: Plan, given: Mapping[str, Any]) -> dict[str, Any]:
    known = {name: signal for signal in plan.given for name in (signal.name, signal.path)}
    unknown = next((name for name in given if name not in known), None)
    if unknown is not None:
        names = ", ".join(signal.path for signal in plan.given)
        raise DesignError(
            "E681", f"'{unknown}' is not given in this inverse", location=here(), advice=f"given are: {names}"
        )
    found = {signal.path: signal.reference if signal.reference is not None else 0.0 for signal in plan.given}
    found |= {known[name].path: value for name, value in given.items()}
    return {path: as_symbol(value) for path, value in found.items()}


def _zeros(linear: LinearModel) -> tuple[Zero, ...]:
    """The modes of an inverse, with names of the plant."""
    size = max((abs(mode.eigenvalue) for mode in linear.modes), default=0.0)
    found = []
    for mode in linear.modes:
        states = tuple((name.replace("plant.", ""), share) for name, share in mode.participation)
        is_marginal = abs(mode.eigenvalue.real) <= _MARGINAL * max(size, 1.0)
        is_stable = mode.eigenvalue.real < 0.0 if not is_marginal else not _acts(linear, mode.eigenvalue)
        found.append(Zero(mode.eigenvalue, states, is_stable))
    return tuple(found)


def _acts(linear: LinearModel, eigenvalue: complex) -> bool:
    """Whether what is found depends on a mode (Popov, Belevitch and Hautus)."""
    count = len(linear.states)
    pencil = np.vstack([linear.A - eigenvalue * np.eye(count), linear.C])
    return bool(np.linalg.matrix_rank(pencil) == count)


def _when(time: float | None) -> str:
    return "at rest" if time is None else f"at t = {time:.6g}"
