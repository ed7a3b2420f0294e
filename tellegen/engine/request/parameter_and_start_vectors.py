"""The numbers of a run: parameters (given, overridden, computed from others) and start values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.engine.native.user_functions import raised as raised_by_users
from tellegen.engine.request.argument_checks import by_path
from tellegen.engine.request.path_lookup import Selection, find, find_given
from tellegen.engine.request.scales import Scales, declared_scales
from tellegen.engine.request.warn_bar_as_pascal import warn_of_low_pressure
from tellegen.engine.request.warn_celsius_as_kelvin import warn_of_cold
from tellegen.errors import LanguageError, nearest, warn_user
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import BoolArray, ReducedModel
from tellegen.ir.source_location import here
from tellegen.start.later import later
from tellegen.start.records import dataclass
from tellegen.symbolic.evaluate import evaluate
from tellegen.units import UnitTextError, parse_quantities

with later():
    from tellegen.ir.show.statements import beyond_bound, show_not_computed, zero_vector
    from tellegen.ir.temperatures import mistaken_difference
    from tellegen.network.stories import shared_states

if TYPE_CHECKING:
    from tellegen.engine.loaded.native_model import NativeModel


_ROUNDING = 1e-13  # relative: what two ways to compute a number may differ by


@dataclass(frozen=True, eq=False)
class Starts:
    """Per unknown: the start value, whether it must hold exactly, what it costs to give it up; and the scales.

    `wanted` marks values the user asked for of unknowns that constraints tie to others: they may not all be free, so
    they are not forced; those of them that were declared `fixed` are `promised` and must come out.
    """

    value: FloatArray
    fixed: BoolArray
    cost: FloatArray
    scales: Scales
    wanted: BoolArray
    promised: BoolArray
    source: IntArray  # the variable whose start value it is, -1 where none was given
    states_alone: bool  # whether no value of another unknown than a state was asked for

    @property
    def guessed(self) -> BoolArray:
        """Whether a start value was given at all."""
        return self.source >= 0

    def met_by(self, y: FloatArray) -> BoolArray:
        """Which unknowns have their start values."""
        return np.isclose(y, self.value, rtol=1e-6, atol=1e-9 * self.scales.size)


def parameter_vector(model: NativeModel, overrides: Mapping[str, Any] | None) -> FloatArray:
    """All parameters in SI units, the variables given from outside, and the blend of homotopy (one)."""
    p = _declared(model.reduced)
    _override(model, p, np.zeros(len(p)), overrides)
    return p


def changed_parameters(model: NativeModel, p: FloatArray, overrides: Mapping[str, Any]) -> FloatArray:
    """The numbers of a run with other values of some parameters; everything else is as it was, bit by bit."""
    p = p.copy()
    if overrides:
        given = np.zeros(len(p))
        count = model.flat.parameters.count
        given[:count] = ~_follows(model.flat, p[:count])
        _override(model, p, given, overrides)
    return p


def _override(model: NativeModel, p: FloatArray, given: FloatArray, overrides: Mapping[str, Any] | None) -> None:
    """Other values of parameters and inputs, in place, and of what is computed from them unless it is `given`."""
    reduced = model.reduced
    flat = reduced.flat
    for path, value in by_path("parameters", overrides, "E175").items():
        selection = find_given(reduced, path)
        if selection.parameter:
            _refuse_unread(flat, selection)
            p[selection.indices] = si_values(selection, value)
            given[selection.indices] = 1.0
            continue
        positions = reduced.known_position[selection.indices]
        if (positions < 0).any():
            raise LanguageError(
                "E161",
                f"'{path}' is a variable, not a parameter",
                location=here(),
                advice=f"to start from another value, use initial={{'{path}': ...}}",
            )
        p[positions] = si_values(selection, value)
    values = p[: flat.parameters.count]
    if given.any():
        model.compute_parameters(given, p)
        if not np.isfinite(values).all():
            _refuse_non_finite(flat, given, values)
    warn_of_cold(flat.parameters, values, "is")
    warn_of_low_pressure(flat.parameters, values)


def _declared(model: ReducedModel) -> FloatArray:
    """Parameters as declared, inputs at their start values, the blend of homotopy, then room for events."""
    flat = model.flat
    inputs = np.nan_to_num(flat.variables.column("start")[model.known])
    of_events = model.parameter_indices - model.homotopy_index - 1
    return np.concatenate([flat.parameter_values, inputs, [1.0], np.zeros(of_events)])


def _refuse_non_finite(flat: FlatModel, given: FloatArray, values: FloatArray) -> None:
    """The numbers given may make an expression of another parameter not finite."""
    for group in flat.parameter_bindings:
        rows = group.bindings[given[group.bindings[:, 0]] == 0.0]
        bad = ~np.isfinite(values[rows[:, 0]]) & np.isfinite(values[rows[:, 1:]]).all(axis=1)
        for row in rows[bad]:
            if vector := zero_vector(flat.parameters, row, values):
                raise LanguageError(
                    "E157",
                    f"all components of '{vector}' are zero, so it has no direction",
                    location=here(),
                    advice="give a vector that has a length: [0, 0, 1], or [0, 0, 0, 1] for a quaternion",
                )
            raised = [f"{one.error!r} in {function.name}" for function, one in raised_by_users().items()]
            message, details = show_not_computed(flat.parameters, group, row, values)
            raise LanguageError(
                "E157",
                message,
                location=here(),
                details=[*details, *raised],
                advice="give other values in parameters=: look for a division by zero, or a root or logarithm of a\n"
                "negative number",
            )


def parameters_by_path(flat: FlatModel, p: FloatArray) -> dict[str, Any]:
    """The parameters of a run as `parameters=` takes them: by path, in their declared units, arrays as one entry.

    Left out is what no equation reads and what the model computes from other parameters: given back together with
    another value of these, it would no longer follow them.
    """
    own = flat.parameters_read & ~_follows(flat, p[: flat.parameters.count])
    out: dict[str, Any] = {}
    for first, length, _, member in flat.parameters.blocks():
        if not own[first : first + length].any():
            continue
        for path in flat.tree.paths(flat.parameters.locate(first)[0]):
            name = f"{path}.{member.name}" if path else member.name
            values = member.unit.from_si(p[find(flat, name).indices])
            out[name] = float(values) if values.ndim == 0 else values
    return out


def _follows(flat: FlatModel, p: FloatArray) -> BoolArray:
    """Which parameters the model computes from others and have that value, but for roundings."""
    found = np.zeros(len(p), bool)
    for group in flat.parameter_bindings:
        rows = group.bindings
        target = rows[:, 0]
        computed = evaluate(group.template.value, p[rows.T])  # type: ignore[attr-defined]
        found[target] = np.abs(computed - p[target]) <= _ROUNDING * np.abs(p[target])
    return found


def _refuse_unread(flat: FlatModel, selection: Selection) -> None:
    """A run with another value of a parameter that nothing reads would silently be the same run."""
    if not flat.parameters_read[selection.indices].any() and flat.tangents is None:
        name = selection.path.rpartition(".")[2]
        raise LanguageError(
            "E159",
            f"'{selection.path}' is in no equation of this model, so changing it has no effect",
            location=here(),
            advice=f"if the component omits what was not given, create it with a value: {name}=...;\n"
            "if it belongs to an option such as use_heat_port, enable that",
        )


def si_values(selection: Selection, value: object) -> FloatArray:
    """A value as given for a path, in SI units and checked."""
    unit = selection.member.unit
    names = getattr(selection.member, "literals", ())
    if isinstance(value, str) and names:
        value = _number_of(selection.path, value, names)
    try:
        numbers = np.asarray(parse_quantities(value, unit), float)
        if np.isnan(numbers).any():
            raise ValueError  # None is nan to NumPy as well
    except UnitTextError as error:
        advice = f"give a number in '{unit.text}', or a string with a compatible unit"
        raise LanguageError("E121", f"'{selection.path}': {error}", location=here(), advice=advice) from None
    except (TypeError, ValueError, OverflowError):
        advice = "give a number, an array of numbers, or a string such as '2.2 kohm'"
        raise LanguageError("E122", f"'{selection.path}' cannot be {value!r}", location=here(), advice=advice) from None
    member = selection.member
    if isinstance(value, str) and (mistake := mistaken_difference(value, member.name, member.description, unit)):
        warn_user(f"'{selection.path}': {mistake}")
    if numbers.ndim and numbers.shape != selection.indices.shape:
        raise LanguageError(
            "E162",
            f"'{selection.path}' has the shape {selection.indices.shape}, the value given {numbers.shape}",
            location=here(),
        )
    si = unit.to_si(numbers)
    for bound, wrong in (("min", np.less), ("max", np.greater)) if selection.parameter else ():
        limit = selection.member.attributes.get(bound)
        if limit is not None and np.any(wrong(si, limit)):
            beyond = beyond_bound(bound, limit, unit)
            advice = "give a value within the bounds, or declare wider ones"
            raise LanguageError(
                "E156", f"'{selection.path}' is given {value!r}, {beyond}", location=here(), advice=advice
            )
    return si


def _number_of(path: str, value: str, names: tuple[str, ...]) -> int:
    """The number of a name of an enumeration."""
    if not value or value not in names:
        advice = nearest(value, [name for name in names if name])
        raise LanguageError("E179", f"'{path}' cannot be '{value}'", location=here(), advice=advice)
    return names.index(value)


def starts(native: NativeModel, parameters: FloatArray, overrides: Mapping[str, Any] | None) -> Starts:
    """Start values of the unknowns: every member of an alias class may have brought one; fixed ones win."""
    model = native.reduced
    flat = model.flat
    start = flat.variables.column("start").copy()
    fixed = flat.variables.column("fixed").copy()
    native.compute_start_values(parameters, start)
    rank = np.where(np.isnan(start), 0, np.where(fixed == 1.0, 2, 1))
    for path, value in by_path("initial", overrides, "E185").items():
        selection = find(flat, path)
        if selection.parameter:
            raise LanguageError(
                "E163",
                f"'{path}' is a parameter",
                location=here(),
                advice=f"to change it, use parameters={{'{path}': ...}}",
            )
        start[selection.indices] = si_values(selection, value)
        rank[selection.indices] = 3
    _rank_tangents(flat, start, rank)
    warn_of_cold(flat.variables, start, "starts at")
    _start_discrete(model, parameters, start, rank == 3)
    position = model.position[model.representative]
    is_own = model.representative == np.arange(len(position))
    relevant = (position >= 0) & (model.sign != 0)
    size = len(model.unknowns)
    value = np.zeros(size)
    best = np.zeros(size, np.int64)
    source = np.full(size, -1)
    depth = np.nan_to_num(flat.variables.column("start_level"), nan=np.inf)
    for level in (1, 2, 3):
        chosen = np.flatnonzero(relevant & (rank == level))[::-1]
        # the last one counts: that of the one that is differentiated (zero says little), then of the first one written
        chosen = np.concatenate([chosen, chosen[is_own[chosen] & (start[chosen] != 0.0)]])
        chosen = chosen[np.argsort(-depth[chosen], kind="stable")]  # but before that: written further out
        value[position[chosen]] = model.sign[chosen] * start[chosen]
        best[position[chosen]] = level
        source[position[chosen]] = chosen
    own = model.written
    held = np.zeros(size, bool)
    released = np.zeros(size, bool)
    held[position[relevant & (fixed == 1.0)]] = True
    released[position[relevant & (fixed == 0.0)]] = True
    tied = model.is_tied
    held |= (best == 3) & model.is_state & ~tied
    _refuse_contradictions(model, start, (fixed == 1.0) & relevant & (rank == 2), position, value, best)
    scales = declared_scales(flat.variables.column("nominal")[own])
    # a start of a state is worth more than the guess of one that is tied to it: both at once may be one too many
    start_or_not = np.where(best > 0, np.where(model.is_state, 20.0, 15.0), np.where(model.is_state, 10.0, 8.0))
    cost = np.where(model.is_state | tied, np.where(released, 2.0, start_or_not), 1.0)
    promised = held & tied
    wanted = ((best == 3) & tied) | promised
    cost[((best == 3) & model.is_state) | wanted] = 1000.0
    states_alone = not ((held & ~tied | wanted) & ~model.is_state).any()
    return Starts(value, held & ~tied, cost, scales, wanted, promised & (best < 3), source, states_alone)


def _rank_tangents(flat: FlatModel, start: FloatArray, rank: IntArray) -> None:
    """A tangent is held, or free to move, as what it is the tangent of; its start says how that start is varied."""
    if flat.tangents is None:
        return
    variable, direction = np.nonzero(flat.tangents.variable >= 0)
    tangent = flat.tangents.variable[variable, direction]
    rank[tangent] = np.maximum(rank[variable], np.minimum(rank[tangent], 1))
    start[tangent] = np.where((rank[tangent] > 0) & np.isnan(start[tangent]), 0.0, start[tangent])


def _start_discrete(model: ReducedModel, parameters: FloatArray, start: FloatArray, asked: object) -> None:
    """Discrete variables stand among the parameters; their starts may be asked for, or be computed from others."""
    declared = model.flat.variables.column("start")
    known = model.known_position[model.representative]
    moved = np.flatnonzero((known >= 0) & (model.sign != 0) & (asked | (start != declared)) & ~np.isnan(start))
    parameters[known[moved]] = model.sign[moved] * start[moved]


def _refuse_contradictions(
    model: ReducedModel, start: FloatArray, fixed: BoolArray, position: Any, value: FloatArray, best: Any
) -> None:
    """Two fixed starts of variables that are one and the same must agree."""
    rows = np.flatnonzero(fixed)
    rows = rows[best[position[rows]] == 2]
    wrong = rows[~np.isclose(model.sign[rows] * start[rows], value[position[rows]], rtol=1e-9, atol=1e-12)]
    if len(wrong):
        name = model.flat.variables.name
        other = name(int(model.representative[wrong[0]]))
        raise LanguageError(
            "E164",
            f"'{name(int(wrong[0]))}' and '{other}' are the same quantity (aliases) "
            "but have different fixed start values",
            details=shared_states(model.flat, [int(wrong[0]), int(model.representative[wrong[0]])]),
            advice="fix only one of them",
        )


def values_text(flat: FlatModel, variable: int, value: float) -> str:
    """A variable with its value in its declared unit."""
    declared = flat.variables.declaration(variable)
    unit = declared.unit
    if declared.literals:
        return f"{flat.variables.name(variable)} = {declared.literals[int(value)]}"
    return f"{flat.variables.name(variable)} = {unit.from_si(value):.6g} {unit.text}".rstrip()
