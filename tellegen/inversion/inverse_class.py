"""The class of an inverse model: the plant, equations that say what it gives, outputs for what makes it so.

plant.load.phi == with_derivatives(phi, der_phi, der2_phi)        inputs phi, der_phi, der2_phi
v == plant.source.v                                               output v
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import tellegen as tg
from tellegen.frontends.python.components.component import Component
from tellegen.frontends.python.interfaces.duplicate import duplicate
from tellegen.inversion.plant_members import member_at
from tellegen.inversion.reference_filter import ReferenceFilter, SteadyFilter
from tellegen.start.records import dataclass
from tellegen.units import TIME as SECOND
from tellegen.units import Unit, describe


@dataclass(frozen=True, eq=False)
class Signal:
    """A variable of the plant and its name in the inverse; a `reference` is what it is to be, where that is known."""

    path: str
    name: str
    unit: Unit
    reference: Any = None


@dataclass(frozen=True, eq=False)
class Plan:
    """What an inverse model consists of."""

    title: str
    plant: Component
    given: tuple[Signal, ...]
    find: tuple[Signal, ...]


Wanted = Callable[[Any, Signal], Any]
"""What the plant is to give: an expression, for a component of the class and a signal."""


def with_references(plan: Plan, base: type[Component], wanted: Wanted, members: dict[str, Any]) -> Any:
    """A class with these members besides the plant and its outputs."""

    def equations(self: Any) -> Iterator[Any]:
        for signal in plan.given:
            yield member_at(self.plant, signal.path) == wanted(self, signal)
        for signal in plan.find:
            yield getattr(self, signal.name) == member_at(self.plant, signal.path)

    def build(self: Any) -> None:  # a System has no class that instances could be made of
        self.plant = duplicate(plan.plant)

    plant = {"build": build} if plan.plant._open else {"plant": plan.plant}
    outputs = {signal.name: _declared(tg.output, signal, 0) for signal in plan.find}
    body = {**plant, **members, **outputs, "equations": equations}
    return type(plan.title, (base,), {**body, "__doc__": f"Inverse of {plan.title}.", "__module__": __name__})


def with_probes(plan: Plan) -> Any:
    """References that can be differentiated indefinitely: for counting how often they are."""
    numbers = {signal.path: k for k, signal in enumerate(plan.given)}

    def wanted(self: Any, signal: Signal) -> Any:
        return self.probe * tg.sin(tg.time + float(numbers[signal.path]))

    return with_references(plan, Component, wanted, {"probe": tg.parameter(1.0)})


def with_expressions(plan: Plan, references: dict[str, Any], degrees: dict[str, int]) -> Any:
    """References are expressions of time; `more_phi` is added to the highest derivative that is needed of each."""

    def wanted(self: Any, signal: Signal) -> Any:
        derivatives = [references[signal.path]]
        for _ in range(degrees[signal.path]):
            derivatives.append(tg.der(derivatives[-1]))
        derivatives[-1] = derivatives[-1] + getattr(self, more_name(signal))
        return tg.with_derivatives(*(self.one * each for each in derivatives))

    members = {more_name(signal): tg.parameter(0.0) for signal in plan.given}
    return with_references(plan, Component, wanted, {"one": tg.parameter(1.0), **members})


def more_name(signal: Signal) -> str:
    """The parameter that is added to the highest derivative of a reference."""
    return f"more_{signal.name}"


def with_inputs(plan: Plan, base: type[Component], degrees: dict[str, int]) -> Any:
    """References and their derivatives are inputs."""
    members = {}
    for signal in _open(plan):
        for order in range(degrees[signal.path] + 1):
            members[derivative_name(signal, order)] = _declared(tg.input, signal, order)

    def wanted(self: Any, signal: Signal) -> Any:
        if signal.reference is not None:
            return signal.reference
        orders = range(degrees[signal.path] + 1)
        return tg.with_derivatives(*(getattr(self, derivative_name(signal, order)) for order in orders))

    return with_references(plan, base, wanted, members)


def with_signals(plan: Plan, base: type[Component]) -> Any:
    """References are inputs, and what they are connected to is differentiated."""
    members = {signal.name: _declared(tg.input, signal, 0) for signal in _open(plan)}

    def wanted(self: Any, signal: Signal) -> Any:
        return signal.reference if signal.reference is not None else getattr(self, signal.name)

    return with_references(plan, base, wanted, members)


def with_filters(plan: Plan, base: type[Component], chosen: ReferenceFilter, order: int) -> Any:
    """References go through filters of the same order, so that several arrive together."""
    members: dict[str, Any] = {}
    for signal in _open(plan):
        members[signal.name] = declared = _declared(tg.input, signal, 0)
        low_pass = SteadyFilter(analog_filter=chosen.family, order=order, f_cut=chosen.cutoff)
        members[_filter_name(signal)] = low_pass
        declared.description = f"wanted {signal.path}, before the filter"

    def wanted(self: Any, signal: Signal) -> Any:
        return signal.reference if signal.reference is not None else getattr(self, _filter_name(signal)).y

    made = with_references(plan, base, wanted, members)

    def connections(self: Any) -> Iterator[Any]:
        for signal in _open(plan):
            yield getattr(self, signal.name), getattr(self, _filter_name(signal)).u

    made.connections = connections
    return made


def derivative_name(signal: Signal, order: int) -> str:
    """phi, der_phi, der2_phi, ..."""
    return signal.name if order == 0 else f"der{order if order > 1 else ''}_{signal.name}"


def _filter_name(signal: Signal) -> str:
    return f"filter_{signal.name}"


def _open(plan: Plan) -> list[Signal]:
    return [signal for signal in plan.given if signal.reference is None]


def _declared(kind: Any, signal: Signal, order: int) -> Any:
    declared = kind(description=f"derivative {order} of {signal.path}" if order else signal.path)
    declared.unit = signal.unit if order == 0 else _per_second(signal.unit, order)
    return declared


def _per_second(unit: Unit, order: int) -> Unit:
    if unit.dimension is None:
        return unit
    dimension = tuple(a - order * b for a, b in zip(unit.dimension, SECOND, strict=True))
    return Unit(describe(dimension), dimension)
