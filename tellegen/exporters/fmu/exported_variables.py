"""The variables of an FMU: what they are called, where their values stand, and what an importer may do with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from math import prod
from typing import Any

import numpy as np

from tellegen.engine.initialization.initialize import free_at_start
from tellegen.engine.readout.quantity import columns
from tellegen.exporters.fmu.causal_ports import causalities
from tellegen.exporters.fmu.units import UnitTable
from tellegen.exporters.image.prepared_run import PreparedRun
from tellegen.exporters.image.trial_run import TrialRun
from tellegen.fmi.description import Causality, Initial, Value, Variability, Variable
from tellegen.ir.events import ASSIGN
from tellegen.ir.flat import Table
from tellegen.ir.show.reduced_rows import variable_text

_BASES = {"real": "Float64", "integer": "Int32", "boolean": "Boolean", "enumeration": "Enumeration"}


class Kind(IntEnum):
    """Where a value stands, as model.h numbers it."""

    PARAMETER = 0
    UNKNOWN = 1
    RATE = 2
    TIME = 3
    ZERO = 4
    INDICATOR = 5
    STATE = 6
    STATE_RATE = 7
    STRUCTURAL = 8


@dataclass(frozen=True)
class Place:
    """A number of an instance: sign times an element."""

    kind: Kind
    place: int = 0
    sign: int = 1


@dataclass(frozen=True)
class Element:
    """An element of an array: the name and shape of the whole, and its number in row-major order."""

    array: str
    shape: tuple[int, ...]
    number: int


@dataclass(frozen=True)
class Exported:
    """A scalar of the description and the place of its value; its reference is its position in the list."""

    variable: Variable
    place: Place
    literals: tuple[str, ...] = ()
    element: Element | None = None


class ExportedVariables:
    """All variables of a model, in the order of their references."""

    def __init__(self, trial: TrialRun, prepared: PreparedRun, units: UnitTable, indicators: bool) -> None:
        self.trial = trial
        self.prepared = prepared
        self.units = units
        self.model = trial.model.reduced
        self.flat = self.model.flat
        self.rows: list[Exported] = []
        self.position: dict[str, int] = {}
        self.states: list[int] = []  # positions of the variables that are states, in the order of states
        self._add(Variable("time", 0, causality="independent", description="time"), Place(Kind.TIME))
        for exported in (*self._parameters(), *self._variables()):
            self._append(exported)
        if prepared.choices is None:
            self._derivatives()
        else:
            self._chosen_states()
        self.indicators: list[int] = []
        if indicators and prepared.events is not None:
            for k in range(prepared.events.roots_to_watch):
                self.indicators.append(len(self.rows))
                text = Variable(f"event_indicator_{k}", 0, description="passes zero at an event")
                self._add(text, Place(Kind.INDICATOR, k))

    def _add(self, variable: Variable, place: Place) -> None:
        self._append(Exported(variable, place))

    def _append(self, row: Exported) -> None:
        self.position[row.variable.name] = len(self.rows)
        self.rows.append(replace(row, variable=replace(row.variable, reference=len(self.rows))))

    def _parameters(self) -> Iterator[Exported]:
        table = self.flat.parameters
        computed = {int(row[0]) for group in self.flat.parameter_bindings for row in group.bindings}
        read = self.flat.parameters_read
        for k in range(table.count):
            member = table.declaration(k)
            if member.literal or not (read[k] or k in computed):
                continue
            given = _Role("parameter", "tunable", "exact", float(self.prepared.system.p[k]))
            is_computed = k in computed
            exported = self._exported(
                table.name(k),
                member,
                Place(Kind.PARAMETER, k),
                _Role("calculatedParameter", "tunable", "calculated") if is_computed else given,
                (table.column("min")[k], table.column("max")[k], np.nan),
            )
            yield replace(exported, element=_element(table, k))

    def _variables(self) -> Iterator[Exported]:
        table = self.flat.variables
        every = np.arange(table.count)
        where = columns(self.model, every)
        inputs = set(map(int, self.flat.inputs))
        driven = causalities(self.flat.tree.nodes[0].kind)
        bounds = np.array([table.column(name) for name in ("min", "max", "nominal")])
        starts = self._start_values()
        for k in range(table.count):
            place = self._place(where, k)
            if place is None:
                continue
            member = table.declaration(k)
            name = table.name(k)
            start = starts.get(k)
            initial: Initial | None = start.initial if start is not None else "calculated"
            is_output = (member.role == "output" and "." not in name) or driven.get(name) == "output"
            causality: Causality = "output" if is_output else "local"
            if k in inputs:
                causality, initial = "input", None
                start = _Start(None, float(self.prepared.system.p[place.place]) * place.sign)
            is_discrete = member.discrete or member.type != "real"
            variability: Variability = "discrete" if is_discrete else "continuous"
            if member.initial_parameter:
                variability = "fixed"
            value = None if start is None else start.value
            exported = self._exported(
                name,
                member,
                place,
                _Role(causality, variability, initial, value),
                tuple(bounds[:, k]),
            )
            yield replace(exported, element=_element(table, k))

    def _place(self, where: Any, k: int) -> Place | None:
        if where.sign[k] == 0:
            return Place(Kind.ZERO)
        sign = int(where.sign[k])
        if where.index[k] >= 0:
            return Place(Kind.UNKNOWN, int(where.index[k]), sign)
        return Place(Kind.PARAMETER, int(where.given[k]), sign) if where.given[k] >= 0 else None

    def _start_values(self) -> dict[int, _Start]:
        """Start values that an importer may set: of states, and of discrete variables that only actions assign."""
        model = self.model
        starts = self.trial.start.starts
        free = free_at_start(self.trial.model, starts).free.values
        found: dict[int, _Start] = {}
        for position in np.flatnonzero(model.is_state | (starts.fixed & ~free)).tolist():
            leader = int(model.unknowns[position])
            if leader < self.flat.variables.count:
                found[leader] = _Start("approx" if free[position] else "exact", float(starts.value[position]))
        machine = self.prepared.events
        if machine is not None:
            shared = machine.tables.shared
            assigned = set(shared["action_index"][shared["action_verb"] == ASSIGN].tolist())
            assigned -= set(shared["discrete_index"].tolist()) | set(shared["initial_place"].tolist())
            for k in range(self.flat.variables.count):
                known = int(model.known_position[k])
                if model.representative[k] == k and known in assigned:
                    found[k] = _Start("exact", float(self.prepared.system.p[known]))
        return found

    def _exported(
        self,
        name: str,
        member: Any,
        place: Place,
        role: _Role,
        bounds: tuple[float, ...],
    ) -> Exported:
        literals = getattr(member, "literals", ())
        base = _BASES[getattr(member, "type", "real")]
        attributes = self.units.attributes(member, bounds) if base == "Float64" else self.units.nothing
        variable = Variable(
            name,
            0,
            base,
            role.causality,
            role.variability,
            role.initial,
            member.description,
            attributes=attributes,
            start=None if role.start is None else (_typed(role.start, base),),
        )
        return Exported(variable, place, literals)

    def _derivatives(self) -> None:
        """States that have no name of their own, and the rates of all states."""
        model = self.model
        starts = self.trial.start.starts
        for position in self.prepared.system.states.tolist():
            written = variable_text(model, int(model.unknowns[position]))
            name = derivative_name(written)
            if name not in self.position:
                start = (float(starts.value[position]),)
                text = "a state that index reduction has introduced"
                self._add(
                    Variable(name, 0, initial="exact", start=start, description=text), Place(Kind.UNKNOWN, position)
                )
            state = self.position[name]
            self.states.append(state)
            rate = derivative_name(f"der({written})")
            if rate in self.position:
                mine = self.position[rate]
                known = self.rows[mine]
                variable = replace(known.variable, derivative_of=state, initial="calculated", start=None)
                self.rows[mine] = replace(known, variable=variable, place=Place(Kind.RATE, position))
            else:
                variable = Variable(rate, 0, initial="calculated", derivative_of=state)
                element = _derivative_element(self.rows[state])
                self._append(Exported(variable, Place(Kind.RATE, position), element=element))

    def _chosen_states(self) -> None:
        """Where the model chooses its states while it runs: those of the moment."""
        text = "one of the states that are chosen at the moment"
        for k in range(len(self.prepared.system.states)):
            name = f"chosen_state_{k}"
            self._add(Variable(name, 0, initial="calculated", description=text), Place(Kind.STATE, k))
            state = self.position[name]
            self.states.append(state)
            rate = Variable(f"der({name})", 0, initial="calculated", derivative_of=state)
            self._add(rate, Place(Kind.STATE_RATE, k))


def _element(table: Table, k: int) -> Element | None:
    """Which element of which array a scalar is."""
    node, _, instance, element = table.locate(k)
    member = table.declaration(k)
    if not member.shape:
        return None
    path = table.tree.path(node, instance)
    local = member.element_name(element)
    array = local[: local.rindex("[")]
    return Element(f"{path}.{array}" if path else array, member.shape, element % prod(member.shape))


def _derivative_element(state: Exported) -> Element | None:
    """Of the derivative of a state that is an element; states of higher order have names of their own."""
    if state.element is None or state.variable.name.startswith("der("):
        return None
    return replace(state.element, array=f"der({state.element.array})")


def derivative_name(name: str) -> str:
    """As FMI writes derivatives: `der(x,2)` for `der(der(x))`."""
    order = 0
    while name.startswith("der(") and name.endswith(")"):
        name = name[4:-1]
        order += 1
    if order == 0:
        return name
    return f"der({name})" if order == 1 else f"der({name},{order})"


@dataclass(frozen=True)
class _Role:
    """What an importer may do with a variable."""

    causality: Causality
    variability: Variability
    initial: Initial | None
    start: float | None = None


@dataclass(frozen=True)
class _Start:
    initial: Initial | None
    value: float


def _typed(value: float, base: str) -> Value:
    if base == "Float64":
        return value
    return bool(value > 0.5) if base == "Boolean" else round(value)
