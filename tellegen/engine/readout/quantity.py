"""What a path means in numbers: which column of the unknowns (or of their rates, or of the parameters), sign and unit.

"r.n.i"       - column of r.i               an eliminated variable
"der(c.v)"    rate of the state c.v         or the variable that index reduction made of the derivative
"r.R"         a parameter
"rod.frame_b.r_0"                   computed from other variables (frame_readings.py)
"room.T [degC]", "der(room.T) [K/h]", "time [h]"     any of them in another unit than the declared one
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.engine.readout.discrete_history import History
from tellegen.engine.readout.frame_readings import FrameReading, frame_names, frame_reading
from tellegen.engine.request.path_lookup import Selection, path_of, scalars_of, unknown_path
from tellegen.errors import LanguageError
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass
from tellegen.units import TIME, Unit, UnitTextError, parse_unit, shown_in

_DISPLAYED = re.compile(r"(.*\S)\s+\[([^\[\]]+)\]")
_CHUNK = 4096  # columns copied at a time


@dataclass(frozen=True, eq=False)
class Quantity:
    """A path taken apart: what it names, how often that is differentiated, and the unit of the result.

    `path` is what was asked for, `name` the same without a unit in brackets. It names scalars of the model, or
    something that is computed from these.
    """

    path: str
    name: str
    source: Selection | FrameReading
    order: int
    unit: Unit

    @property
    def selection(self) -> Selection:
        """The scalars it names; an error where it is computed from others."""
        if isinstance(self.source, Selection):
            return self.source
        raise LanguageError(
            "E165",
            f"'{self.name}' is not a variable of the model: it can be read, but has no derivatives",
            location=here(),
            advice="a sensor at the frame (AbsolutePosition, AbsoluteVelocity) makes it one",
        )

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of its value at one time."""
        return (self.source.indices if isinstance(self.source, Selection) else self.source.elements).shape

    @property
    def axes(self) -> tuple[str, ...]:
        """A name for each dimension of that."""
        return self.source.axes

    @property
    def parameter(self) -> bool:
        """Whether it is a constant of the run."""
        return isinstance(self.source, Selection) and self.source.parameter

    @property
    def description(self) -> str:
        """What the model says about it."""
        return "" if self.order else self.source.member.description

    @property
    def literals(self) -> tuple[str, ...]:
        """The names of its values, of an enumeration."""
        return getattr(self.source.member, "literals", ())

    def scalar_name(self, model: ReducedModel, k: int) -> str:
        """A name for the k-th number in it."""
        if isinstance(self.source, FrameReading):
            return self.source.scalar_name(k)
        table = model.flat.parameters if self.parameter else model.flat.variables
        return "der(" * self.order + table.name(int(self.source.indices.flat[k])) + ")" * self.order

    def read(self, recorded: RecordedRows) -> FloatArray:
        """Its values over time in SI units; of a parameter its value."""
        if isinstance(self.source, FrameReading):
            return self.source.read(recorded)
        indices = self.source.indices
        if self.parameter:
            return recorded.parameters(indices) if not self.order else np.zeros(indices.shape)
        where = columns(recorded.model, indices.ravel(), self.order, self.path)
        values = where.read(recorded.y, recorded.rates() if where.need_rates else None, recorded.given)
        return values.reshape(len(values), *indices.shape)


@dataclass(frozen=True, eq=False)
class RecordedRows:
    """The unknowns of a run, one row for each time, and what quantities are read from besides."""

    model: ReducedModel
    y: FloatArray
    rates: Callable[[], FloatArray]
    given: FloatArray | History  # what is not solved for
    p: FloatArray  # parameters

    def variables(self, indices: Any, order: int = 0) -> FloatArray:
        """Values of variables or of their derivatives, one column each, in SI units."""
        where = columns(self.model, indices, order)
        return where.read(self.y, self.rates() if where.need_rates else None, self.given)

    def parameters(self, indices: Any) -> FloatArray:
        """Values of parameters in SI units."""
        return self.p[indices]


def quantity(model: ReducedModel, path: str) -> Quantity:
    """The quantity a path names; der(...) may stand around it, a unit in brackets after it."""
    name, wanted = split_unit(path_of(path))
    inner = name
    order = 0
    while inner.startswith("der(") and inner.endswith(")"):
        inner = inner[4:-1].strip()
        order = order + 1
    selection = scalars_of(model.flat, inner)
    if selection is None or not selection.indices.size:  # frames keep the names of what nobody mentions
        reading = frame_reading(model.flat, inner)
        if reading is not None and order:
            raise _no_derivative(path, reading)
        if reading is not None:
            return Quantity(path, name, reading, 0, display_unit(name, reading.unit, wanted))
    if selection is None:
        raise unknown_path(model.flat, inner, frame_names(model.flat))
    unit = selection.member.unit
    for _ in range(order):
        unit = _per_second(unit)
    return Quantity(path, name, selection, order, display_unit(name, unit, wanted))


def _no_derivative(path: str, reading: FrameReading) -> LanguageError:
    rate = reading.member.rate
    return LanguageError(
        "E165",
        f"'{path}' is not computed: '{reading.path}' is not a variable of the model, but computed from others",
        location=here(),
        advice=f"read '{reading.frame}.{rate}'" if rate else "a sensor at the frame makes it a variable",
    )


def split_unit(path: str) -> tuple[str, str]:
    """A path and the unit it is asked for in: "room.T", "degC" for "room.T [degC]"; no unit for "T[3]"."""
    match = _DISPLAYED.fullmatch(path)
    return (path, "") if match is None else (match[1], match[2].strip())


def display_unit(name: str, own: Unit, wanted: str) -> Unit:
    """The unit asked for, which measures the same as the declared one; the declared one if none is asked for."""
    if not wanted:
        return own
    try:
        parse_unit(wanted)
    except UnitTextError as error:
        raise LanguageError("E121", f"'{name} [{wanted}]': {error}", location=here()) from None
    try:
        return shown_in(own, wanted)
    except UnitTextError:
        raise LanguageError(
            "E121",
            f"'{name}' is measured in {own.text}, which cannot be converted to {wanted}",
            location=here(),
            advice=f"a unit of the same dimension: '{name} [{own.text}]'",
        ) from None


def displayed(model: ReducedModel, path: str) -> Quantity:
    """The quantity a path names, in the unit that plots and tables show it in unless the path says another."""
    what = quantity(model, path)
    if what.order or what.path != what.name or not isinstance(what.source, Selection):
        return what
    unit = what.source.member.display
    return replace(what, path=f"{what.name} [{unit.text}]", unit=unit) if unit.text else what


def _per_second(unit: Unit) -> Unit:
    """The unit of the derivative: V -> V/s, m/s -> m/s2."""
    text = unit.text
    dimension = None if unit.dimension is None else tuple(np.subtract(unit.dimension, TIME).tolist())
    for n in (1, 2, 3):
        if text.endswith(f"/s{n if n > 1 else ''}"):
            return Unit(f"{text[: text.rindex('/s')]}/s{n + 1}", dimension, unit.scale)
    return Unit(f"{text}/s" if text else "", dimension, unit.scale)


@dataclass(frozen=True, eq=False)
class Columns:
    """Where scalars are read: sign * y[index], sign * y'[index] where `rate`, sign * p[given] where index is -1."""

    index: Any
    given: Any
    sign: Any
    rate: Any

    def read(self, y: FloatArray, yp: FloatArray | None, p: FloatArray | History) -> FloatArray:
        """Values in SI units, one column for each scalar; y and y' have one row for each time."""
        plain = (self.index >= 0) & ~self.rate
        if plain.all():  # one copy and no other: solutions of large models are large
            out = y[:, self.index]
            return out if (self.sign == 1).all() else np.multiply(out, self.sign, out=out)
        out = np.zeros((len(y), len(self.index)))
        solved = np.flatnonzero(plain)
        for first in range(0, len(solved), _CHUNK):
            part = solved[first : first + _CHUNK]
            out[:, part] = y[:, self.index[part]]
        rates = np.flatnonzero((self.index >= 0) & self.rate)
        if len(rates):
            assert yp is not None
            out[:, rates] = yp[:, self.index[rates]]
        given = np.flatnonzero(self.given >= 0)
        out[:, given] = p.columns(self.given[given]) if isinstance(p, History) else p[self.given[given]]
        out *= self.sign
        return out

    @property
    def need_rates(self) -> bool:
        """Whether y' is read at all."""
        return bool(self.rate.any())


def columns(model: ReducedModel, variables: Any, order: int = 0, path: str = "") -> Columns:
    """Where to read the derivatives of an order of variables; an error when the model does not contain them."""
    variables = np.asarray(variables)
    leader = model.representative[variables]
    sign = model.sign[variables]
    known = model.known_position[leader]
    if order == 0:
        index = np.where(sign == 0, -1, model.position[leader])
        given = np.where((sign == 0) | (index >= 0), -1, known)
        return Columns(index, given, sign, np.zeros(len(index), bool))
    constant = (sign == 0) | (known >= 0)
    here_, below = (_derivative(model, leader, m) for m in (order, order - 1))
    is_rate = (here_ < 0) & (below >= 0) & ~constant
    state = np.zeros(len(leader), bool)
    state[is_rate] = model.is_state[below[is_rate]]
    missing = ~constant & (here_ < 0) & ~state
    if missing.any():
        raise _not_there(model, path, order, int(variables[np.flatnonzero(missing)[0]]))
    index = np.where(constant, -1, np.where(here_ >= 0, here_, below))
    return Columns(index, np.full(len(index), -1), sign, is_rate)


def _derivative(model: ReducedModel, leader: Any, order: int) -> Any:
    """The unknown that is a derivative of each variable, -1 where there is none."""
    if order == 0:
        return model.position[leader]
    count = model.flat.variables.count
    number = np.full(count, -1)
    mine = np.flatnonzero(model.derivatives.order == order)
    number[model.derivatives.base[mine]] = model.position[count + mine]
    return number[leader]


def _not_there(model: ReducedModel, path: str, order: int, variable: int) -> LanguageError:
    name = model.flat.variables.name(variable)
    path = path or "der(" * order + name + ")" * order
    return LanguageError(
        "E165",
        f"'{path}' is not computed: it occurs nowhere in the equations, and only derivatives of states can be added",
        location=here(),
        advice=f"compiled.report() lists the states; or take np.gradient(solution['{name}'], solution.time)",
    )
