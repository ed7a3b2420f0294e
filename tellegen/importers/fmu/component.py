"""The classes of components that are FMUs: their functions as equations and events.

Model Exchange:

    der(x) == derivatives(t, x, u)          at every evaluation, natively
    y == outputs(t, x, u)                   likewise; only outputs that depend on inputs get them
    z > 0 changes, time >= next_event, or a discrete input changes:
        epoch, next_event, x, discrete outputs = handle_event(t, pre(x), u)

Co-Simulation: at the communication points the FMU is stepped, with inputs from just before (Jacobi), and gets those
after the point for its outputs there. The end of a run is one where steps may be of any length; else a run that ends
between two of them warns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import tellegen as tg
from tellegen.frontends.python.declarations.declare import InstanceNumber
from tellegen.frontends.python.expressions.symbol import Operation, Symbol, as_symbol
from tellegen.frontends.python.software.software import in_declared_unit, in_si
from tellegen.importers.fmu.calls import Begin, DoStep, Slopes
from tellegen.importers.fmu.connectors import connector_equations
from tellegen.importers.fmu.evaluations import Evaluated
from tellegen.importers.fmu.fmu_use import LABELS, FmuUse, evaluation, event_function, event_value, step_function
from tellegen.importers.fmu.influences import NextEvent, influence
from tellegen.importers.fmu.native.events import FIRST, NEVER
from tellegen.importers.fmu.parts import parts_of
from tellegen.importers.fmu.quantities import Quantity, held_name
from tellegen.ir.expressions.expr import Function

_SAME_INSTANT = 1e-6  # of a communication step
_ROUNDING = 1e-15  # of the time


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
        numbers = self._numbers((*self.fmu.kept_parameters, *self.fmu.moved_parameters))
        slot, epoch = self._applied("begin", Begin(self.fmu), [as_symbol(tg.time), self.key, *numbers])
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

    def _applied(self, name: str, code: Begin | DoStep, args: Sequence[Any]) -> list[Symbol]:
        """The results of a function that changes the instance.

        It may be part of loops too: the iteration of an event calls it again where inputs have changed, which is one
        more event."""
        slopes = Slopes(code, len(args))
        name = f"{type(self).__name__}.{name}"
        return _results(Function(name, code, code.outputs, slopes, labels=code.labels, keeps_arguments=True), args)

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
        point = _Point([], self._numbers(quantities.inputs))
        found = self._evaluated(Evaluated.START, point)
        yield from self._equalities(quantities.states, found)

    def equations(self) -> Iterator[Any]:
        """Derivatives, outputs and events."""
        if not hasattr(type(self), "fmu"):
            return
        quantities = self.fmu.quantities
        states = self._numbers(quantities.states)
        inputs = self._numbers(quantities.inputs)
        point = _Point(states, inputs)
        if states:
            rates = self._evaluated(Evaluated.DERIVATIVES, point)
            yield from self._equalities(quantities.states, rates, rates=True)
        for what, where in ((Evaluated.PLAIN_OUTPUTS, _Point(states, [])), (Evaluated.DIRECT_OUTPUTS, point)):
            outputs = self.fmu.layouts[what].results
            if outputs:
                yield from self._equalities(outputs, self._evaluated(what, where))
        yield from connector_equations(self, self.fmu.connectors)
        yield from self._events(point)
        if self.fmu.follows_steps:
            completed = step_function(self.fmu, f"{type(self).__name__}.completed_step")
            given = [as_symbol(tg.time), *states, *inputs, self.instance, self.epoch]
            never = as_symbol(tg.time) >= NEVER  # native code calls it after steps
            yield tg.when(never, self.step_requests == _results(completed, given)[0])
        yield tg.when(self.terminated, tg.terminate(f"{self.fmu.file.path.name} asks to end the run"))

    def _events(self, point: _Point) -> Iterator[Any]:
        quantities = self.fmu.quantities
        indicators: list[Symbol] = []
        if quantities.indicator_count:
            indicators = self._evaluated(Evaluated.INDICATORS, point)
        handle = event_function(self.fmu, f"{type(self).__name__}.handle_event")
        given = [
            as_symbol(tg.time),
            *self._numbers(quantities.states, before=True),
            *self._numbers((*quantities.inputs, *quantities.discrete_inputs)),
            self.instance,
            tg.pre(self.epoch),
        ]
        epoch, following, terminate = _results(handle, given)
        count = quantities.state_count
        assigned = [
            self.instance == tg.pre(self.instance),
            self.epoch == epoch,
            self.next_event == self._with_influence(following),
            self.terminated == (terminate > 0.5),
            *(self.signs[k] == self._after_event(count + k) for k in range(quantities.indicator_count)),
            *self._assignments(quantities.discrete_outputs, self._outputs_after_event()),
            *(held == now for now, held in self._held_inputs()),
        ]
        if self.fmu.follows_steps:
            assigned.append(self.step_requests_seen == self.step_requests)
        jumps = [
            tg.reinit(element, _si(self._after_event(k, before), quantity))
            for k, (quantity, element, before) in enumerate(self._states_before())
        ]
        actions = [*assigned, *jumps]
        clause = tg.when(tg.initial(), *assigned)  # initial equations give the states of that instant
        later = ~tg.initial()
        clause = clause.elsewhen((tg.time >= self.next_event) & later, *actions)
        for k, indicator in enumerate(indicators):  # crossings since the last event, not those it caused
            clause = clause.elsewhen((self.signs[k] * indicator < 0.0) & later, *actions)
        if self.fmu.follows_steps:
            clause = clause.elsewhen((self.step_requests > self.step_requests_seen) & later, *actions)
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

    def _states_before(self) -> Iterator[tuple[Quantity, Symbol, Symbol]]:
        """The states, element by element, with their values before an event in the units of the FMU."""
        before = iter(self._numbers(self.fmu.quantities.states, before=True))
        for quantity in self.fmu.quantities.states:
            for element in _elements(as_symbol(getattr(self, quantity.member)), quantity):
                yield quantity, element, next(before)

    def _after_event(self, number: int, before: Symbol | None = None) -> Symbol:
        """A result of the event that has just been handled, after the first three; of a state with its value before."""
        function = event_value(self.fmu, f"{type(self).__name__}.event_value", is_state=before is not None)
        states = [] if before is None else [before]
        return _results(function, [tg.time, *states, self.instance, self.epoch, float(FIRST + number)])[0]

    def _outputs_after_event(self) -> list[Symbol]:
        quantities = self.fmu.quantities
        first = quantities.state_count + quantities.indicator_count
        count = sum(each.count for each in quantities.discrete_outputs)
        return [self._after_event(first + k) for k in range(count)]

    def _equalities(
        self, quantities: Sequence[Quantity], results: Sequence[Symbol], rates: bool = False
    ) -> Iterator[Any]:
        """Members, or their rates, that equal results."""
        values = iter(results)
        for quantity in quantities:
            for element in _elements(as_symbol(getattr(self, quantity.member)), quantity):
                result = in_si(next(values), quantity.unit, rates)
                yield (tg.der(element) if rates else element) == result

    def _evaluated(self, what: Evaluated, point: _Point) -> list[Symbol]:
        """What an evaluation gives at a point."""
        layout = self.fmu.layouts[what]
        given = [tg.time, *point.states, *point.inputs, self.instance, self.epoch]
        function = evaluation(self.fmu, what, f"{type(self).__name__}.{layout.entry}")
        found: list[Symbol]
        if not layout.lacks_arguments:
            found = _results(function, given)
        else:
            symbols = [as_symbol(each) for each in given]
            found = [
                Operation("apply", tuple(symbols[k] for k in arguments), (), (part, 0))
                for part, arguments in parts_of(function, layout)
            ]
        moved = self._numbers(self.fmu.moved_parameters)
        if not moved:
            return found
        beside = influence(self.fmu, what, f"{type(self).__name__}.{layout.entry}_influence")
        given[-LABELS:-LABELS] = moved
        return [result + more for result, more in zip(found, _results(beside, given), strict=True)]

    def _with_influence(self, following: Symbol) -> Symbol:
        """The time of the next event with what it owes to parameters that derivatives are wanted by."""
        moved = self._numbers(self.fmu.moved_parameters)
        if not moved:
            return following
        beside = NextEvent(len(moved)).function(f"{type(self).__name__}.next_influence")
        return following + _results(beside, [following, *moved])[0]


class FmuCoSimulation(FmuComponent):
    """Base of components made from FMUs for Co-Simulation; see the top of this file."""

    communication_step = tg.parameter(0.01, "s", "from one communication point to the next")
    last_point = tg.variable("s", "the last communication point", discrete=True)

    def equations(self) -> Iterator[Any]:
        """What happens at the communication points."""
        if not hasattr(type(self), "fmu"):
            return
        quantities = self.fmu.quantities
        code = DoStep(self.fmu)
        inputs = (*quantities.inputs, *quantities.discrete_inputs)
        numbers = [*self._numbers(inputs, before=True), *self._numbers(inputs)]
        given = [tg.time, *numbers, self.instance, tg.pre(self.epoch)]
        epoch, terminate, *values = self._applied("do_step", code, given)
        step = [
            self.instance == tg.pre(self.instance),
            self.epoch == epoch,
            self.terminated == (terminate > 0.5),
            self.last_point == tg.time,
            *self._assignments(quantities.discrete_outputs, values),
        ]
        clause = tg.when(tg.sample(0.0, self.communication_step), *step)
        # else the last values of a run would be those of a communication point before its end
        yield clause.elsewhen(tg.terminal(), *step) if self.fmu.steps_vary else clause
        if not self.fmu.steps_vary:
            since = tg.time - self.last_point
            rounding = _SAME_INSTANT * self.communication_step + _ROUNDING * abs(tg.time)
            yield tg.region(
                ~tg.terminal() | tg.no_event(since <= rounding),
                f"the run ends between two communication points, and {self.fmu.file.path.name} takes no shorter steps: "
                "its last values are those of the point before (let the run last a multiple of communication_step)",
            )
        yield tg.when(self.terminated, tg.terminate(f"{self.fmu.file.path.name} asks to end the run"))


class _Point:
    """Where something is evaluated: numbers of states and inputs."""

    def __init__(self, states: Sequence[Any], inputs: Sequence[Any]) -> None:
        self.states = states
        self.inputs = inputs


def _results(function: Function, args: Sequence[Any]) -> list[Symbol]:
    """All results of a function."""
    symbols = tuple(as_symbol(arg) for arg in args)
    return [Operation("apply", symbols, (), (function, k)) for k in range(function.outputs)]


def _elements(symbol: Symbol, quantity: Quantity) -> list[Symbol]:
    """The elements of a member, in row-major order."""
    parts = [symbol]
    for _ in quantity.shape:
        parts = [element for part in parts for element in part]
    return parts


def _si(value: Symbol, quantity: Quantity) -> Any:
    return in_si(value, quantity.unit, False)
