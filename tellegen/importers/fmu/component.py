"""The classes of components that are FMUs: their functions as equations and events.

Model Exchange:

    der(x) == derivatives(t, x, u)          at every evaluation, natively
    y == outputs(t, x, u)                   likewise; only outputs that depend on inputs get them
    z > 0 changes, time >= next_event, or a discrete input changes:
        epoch, next_event, x, discrete outputs = handle_event(t, pre(x), u)

Co-Simulation: at the communication points the FMU is stepped, with inputs from just before (Jacobi).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import tellegen as tg
from tellegen.frontends.python.declarations.declare import InstanceNumber
from tellegen.frontends.python.expressions.symbol import Operation, Symbol, as_symbol
from tellegen.frontends.python.software.software import in_declared_unit, in_si
from tellegen.importers.fmu.calls import Begin, DoStep, FmuUse, HandleEvent, Slopes, evaluation
from tellegen.importers.fmu.native_calls import Call
from tellegen.importers.fmu.quantities import Quantity, held_name
from tellegen.ir.expressions.expr import Function
from tellegen.procedures.language import field_names
from tellegen.symbolic.slope import SMALLEST

LABELS = len(field_names(Call))


class FmuComponent(tg.Component):
    """Base of components made from FMUs."""

    fmu: ClassVar[FmuUse]
    """Which FMU it is."""
    _recipe: ClassVar[Any]
    key = InstanceNumber("distinguishes components of one FMU that have the same parameters")
    instance = tg.variable(discrete=True)
    epoch = tg.variable(discrete=True)
    terminated = tg.boolean("the FMU asked to end the run")

    def __reduce__(self) -> Any:
        return type(self)._recipe.new_instance, (), self.__dict__

    def initial_equations(self) -> Iterator[Any]:
        """An instance of the FMU, with the values of the parameters."""
        if not hasattr(type(self), "fmu"):
            return
        numbers = self._numbers(self.fmu.quantities.parameters)
        slot, epoch = self._applied("begin", Begin(self.fmu), 2, [as_symbol(tg.time), self.key, *numbers])
        yield self.instance == slot
        yield self.epoch == epoch

    def _numbers(self, quantities: Sequence[Quantity], before: bool = False) -> list[Symbol]:
        """Members in the units of the FMU, element by element; with `before` from before an event."""
        numbers: list[Symbol] = []
        for quantity in quantities:
            value = getattr(self, quantity.member)
            value = in_declared_unit(tg.pre(value) if before else value, quantity.unit)
            numbers += _elements(as_symbol(value), quantity)
        return numbers

    def _applied(self, name: str, code: Any, outputs: int, args: Sequence[Any]) -> list[Symbol]:
        """The results of a function of the FMU."""
        symbols = tuple(as_symbol(arg) for arg in args)
        function = _function(type(self), name, code, outputs, len(symbols))
        return [Operation("apply", symbols, (), (function, k)) for k in range(outputs)]

    def _assignments(self, quantities: Sequence[Quantity], results: Sequence[Symbol]) -> Iterator[Any]:
        """Discrete members that take results."""
        values = iter(results)
        for quantity in quantities:
            member = getattr(self, quantity.member)
            for element in _elements(as_symbol(member), quantity):
                value = next(values)
                yield element == (value > 0.5 if quantity.variable.base == "Boolean" else _si(value, quantity))


class FmuModelExchange(FmuComponent):
    """Base of components made from FMUs for Model Exchange; see the top of this file."""

    next_event = tg.variable("s", discrete=True)

    def initial_equations(self) -> Iterator[Any]:
        """The instance, and the states it begins with."""
        if not hasattr(type(self), "fmu") or not self.fmu.quantities.states:
            return
        quantities = self.fmu.quantities
        count = quantities.state_count
        point = _Point([], self._numbers(quantities.inputs))
        found = self._evaluated("fmu_start", point, 0, len(quantities.states), count)
        yield from self._equalities(quantities.states, found)

    def equations(self) -> Iterator[Any]:
        """Derivatives, outputs and events."""
        if not hasattr(type(self), "fmu"):
            return
        quantities = self.fmu.quantities
        states = self._numbers(quantities.states)
        inputs = self._numbers(quantities.inputs)
        point = _Point(states, inputs)
        first = len(quantities.states)
        if states:
            rates = self._evaluated("fmu_derivatives", point, first, len(quantities.derivatives), len(states))
            yield from self._equalities(quantities.states, rates, rates=True)
        first += len(quantities.derivatives)
        plain = quantities.outputs[: quantities.without_inputs]
        direct = quantities.outputs[quantities.without_inputs :]
        for part, where in ((plain, _Point(states, [])), (direct, point)):
            if part:
                values = self._evaluated("fmu_reals", where, first, len(part), sum(each.count for each in part))
                yield from self._equalities(part, values)
            first += len(part)
        yield from self._events(point)
        yield tg.when(self.terminated, tg.terminate(f"{self.fmu.file.path.name} asks to end the run"))

    def _events(self, point: _Point) -> Iterator[Any]:
        quantities = self.fmu.quantities
        indicators: list[Symbol] = []
        if quantities.indicator_count:
            indicators = self._evaluated("fmu_indicators", point, 0, 0, quantities.indicator_count)
        code = HandleEvent(self.fmu)
        given = [
            as_symbol(tg.time),
            *self._numbers(quantities.states, before=True),
            *self._numbers((*quantities.inputs, *quantities.discrete_inputs)),
            self.instance,
            tg.pre(self.epoch),
        ]
        epoch, following, terminate, *rest = self._applied("handle_event", code, code.outputs, given)
        count = quantities.state_count
        signs = rest[count : count + quantities.indicator_count]
        discrete = rest[count + quantities.indicator_count :]
        assigned = [
            self.instance == tg.pre(self.instance),
            self.epoch == epoch,
            self.next_event == following,
            self.terminated == (terminate > 0.5),
            *(self.signs[k] == sign for k, sign in enumerate(signs)),
            *self._assignments(quantities.discrete_outputs, discrete),
            *(held == now for now, held in self._held_inputs()),
        ]
        jumps = [
            tg.reinit(element, _si(value, quantity)) for quantity, element, value in self._states_with(rest[:count])
        ]
        actions = [*assigned, *jumps]
        clause = tg.when(tg.initial(), *assigned)  # initial equations give the states of that instant
        later = ~tg.initial()
        clause = clause.elsewhen((tg.time >= self.next_event) & later, *actions)
        for k, indicator in enumerate(indicators):  # crossings since the last event, not those it caused
            clause = clause.elsewhen((indicator > 0.0) & (self.signs[k] < 0.5) & later, *actions)
            clause = clause.elsewhen((indicator < 0.0) & (self.signs[k] > 0.5) & later, *actions)
        for now, held in self._held_inputs():
            clause = clause.elsewhen((now > held) & later, *actions)
            clause = clause.elsewhen((now < held) & later, *actions)
        yield clause

    def _held_inputs(self) -> Iterator[tuple[Symbol, Symbol]]:
        """Discrete inputs, element by element, with the values that the FMU has."""
        for quantity in self.fmu.quantities.discrete_inputs:
            now = _elements(as_symbol(getattr(self, quantity.member)), quantity)
            held = _elements(as_symbol(getattr(self, held_name(quantity))), quantity)
            yield from zip(now, held, strict=True)

    def _states_with(self, values: Sequence[Symbol]) -> Iterator[tuple[Quantity, Symbol, Symbol]]:
        numbers = iter(values)
        for quantity in self.fmu.quantities.states:
            for element in _elements(as_symbol(getattr(self, quantity.member)), quantity):
                yield quantity, element, next(numbers)

    def _equalities(
        self, quantities: Sequence[Quantity], results: Sequence[Symbol], rates: bool = False
    ) -> Iterator[Any]:
        """Members, or their rates, that equal results."""
        values = iter(results)
        for quantity in quantities:
            for element in _elements(as_symbol(getattr(self, quantity.member)), quantity):
                result = in_si(next(values), quantity.unit, rates)
                yield (tg.der(element) if rates else element) == result

    def _evaluated(self, entry: str, point: _Point, first: int, references: int, values: int) -> list[Symbol]:
        """What an evaluation gives at a point."""
        tail = [self.instance, self.epoch, *map(float, (first, references, values, len(point.inputs)))]
        code = evaluation(self.fmu, entry, (len(point.states), len(point.inputs), len(tail)), values)
        return self._applied(entry, code, values, [tg.time, *point.states, *point.inputs, *tail])


class FmuCoSimulation(FmuComponent):
    """Base of components made from FMUs for Co-Simulation; see the top of this file."""

    communication_step = tg.parameter(0.01, "s", "from one communication point to the next")

    def equations(self) -> Iterator[Any]:
        """What happens at the communication points."""
        if not hasattr(type(self), "fmu"):
            return
        quantities = self.fmu.quantities
        code = DoStep(self.fmu)
        inputs = self._numbers((*quantities.inputs, *quantities.discrete_inputs))
        given = [tg.time, self.communication_step, *inputs, self.instance, tg.pre(self.epoch)]
        epoch, terminate, *values = self._applied("do_step", code, code.outputs, given)
        yield tg.when(
            tg.sample(0.0, self.communication_step),
            self.instance == tg.pre(self.instance),
            self.epoch == epoch,
            self.terminated == (terminate > 0.5),
            *self._assignments(quantities.discrete_outputs, values),
        )
        yield tg.when(self.terminated, tg.terminate(f"{self.fmu.file.path.name} asks to end the run"))


class _Point:
    """Where something is evaluated: numbers of states and inputs."""

    def __init__(self, states: Sequence[Any], inputs: Sequence[Any]) -> None:
        self.states = states
        self.inputs = inputs


def _function(cls: type, name: str, code: Any, outputs: int, arity: int) -> Function:
    """A function of the FMU. Those that change the instance may be part of loops too: the iteration of an event calls
    them again where inputs have changed, which is one more event."""
    evaluates = name.startswith("fmu")
    derivative = None if evaluates else Slopes(code, outputs, arity)
    return Function(
        name=f"{cls.__name__}.{name}",
        callable=code,
        outputs=outputs,
        derivative=derivative,
        nominal=(SMALLEST,) * arity,
        labels=LABELS if evaluates else 2,
    )


def _elements(symbol: Symbol, quantity: Quantity) -> list[Symbol]:
    """The elements of a member, in row-major order."""
    parts = [symbol]
    for _ in quantity.shape:
        parts = [element for part in parts for element in part]
    return parts


def _si(value: Symbol, quantity: Quantity) -> Any:
    return in_si(value, quantity.unit, False)
