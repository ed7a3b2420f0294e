"""The class of a C component: its methods as equations.

    y == sbsOutputs(time, x, u, p)               at every evaluation
    der(xc) == sbsDerivatives(time, x, u, p)     at every evaluation
    xd = sbsUpdate(time, pre(x), u, p)           at the sampling instants 0, period, 2 period, ...

Where all states are discrete, the outputs too are computed at the sampling instants, before the states change, and
hold their values in between: such a component is a sampled block. With continuous states, or none, they are continuous.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import tellegen as tg
from tellegen.frontends.python.expressions.symbol import Operation, Symbol, as_symbol
from tellegen.frontends.python.software.software import in_declared_unit, in_si, nominal_size
from tellegen.importers.sbs.binary import Sizes, function
from tellegen.importers.sbs.parameters import Parameters
from tellegen.importers.sbs.source import CSource
from tellegen.ir.expressions.expr import Function
from tellegen.symbolic.slope import SMALLEST


@dataclass(frozen=True)
class Description:
    """What the code of a class is, and the names of what it reads and writes."""

    source: CSource
    sizes: Sizes
    parameters: Parameters
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    states: tuple[str, ...]  # the continuous ones first
    feedthrough: frozenset[str]  # inputs that the outputs depend on directly

    @property
    def continuous(self) -> tuple[str, ...]:
        """The continuous states."""
        return self.states[: self.sizes.continuous]

    @property
    def discrete(self) -> tuple[str, ...]:
        """The discrete states."""
        return self.states[self.sizes.continuous :]

    @property
    def is_sampled(self) -> bool:
        """Whether nothing happens between the sampling instants."""
        return bool(self.sizes.discrete) and not self.sizes.continuous


class CComponent(tg.Component):
    """Base of components written in C; see the top of this file."""

    _code: ClassVar[Description]
    _recipe: ClassVar[Any]  # from which the class is made again, see c_component.py

    def __reduce__(self) -> Any:
        return type(self)._recipe.new_instance, (), self.__dict__

    def equations(self) -> Iterator[Any]:
        """The methods of the code."""
        if type(self) is CComponent:
            return
        code = self._code
        outputs = self._equalities("outputs", code.outputs, before=code.states if code.is_sampled else ())
        next_states = self._equalities("next_states", code.discrete, before=code.discrete)
        if code.is_sampled:
            yield tg.when(tg.sample(0.0, self.period), *outputs, *next_states)
            return
        yield from outputs
        yield from self._equalities("derivatives", code.continuous)
        if next_states:
            yield tg.when(tg.sample(0.0, self.period), *next_states)

    def _equalities(self, operator: str, targets: tuple[str, ...], before: tuple[str, ...] = ()) -> list[Any]:
        """What an operator computes, as equations; the states `before` are those from before an instant."""
        if not targets:
            return []
        rates = operator == "derivatives"
        units = [self._info.variables[name].unit for name in targets]
        calls = zip(targets, units, self._calls(operator, len(targets), before), strict=True)
        results = [(getattr(self, name), in_si(call, unit, rates)) for name, unit, call in calls]
        return [(tg.der(target) if rates else target) == result for target, result in results]

    def _calls(self, operator: str, count: int, before: tuple[str, ...]) -> list[Symbol]:
        """The results of an operator in declared units, as nodes over all that it gets."""
        code = self._code
        variables = self._info.variables
        unseen = set(code.inputs) - code.feedthrough if operator == "outputs" else set()
        args = [as_symbol(tg.time)]
        for name in (*code.states, *code.inputs):
            value = getattr(self, name)
            value = tg.pre(value) if name in before else value
            seen = float("nan") if name in unseen else in_declared_unit(value, variables[name].unit)
            args.append(as_symbol(seen))
        args += [as_symbol(number) for number in code.sizes.description(code.parameters.lengths)]
        args += self._numbers()
        nominal = [nominal_size(variables.get(name)) for name in ("time", *code.states, *code.inputs)]
        nominal += [SMALLEST] * (len(args) - len(nominal))
        parameters = len(args) - 1 - len(code.states) - len(code.inputs)
        numeric = function(code.source, operator, code.sizes, parameters)
        name = f"{type(self).__name__}.{operator}"
        called = Function(name, numeric, count, None, tuple(nominal), operator)
        return [Operation("apply", tuple(args), (), (called, k)) for k in range(count)]

    def _numbers(self) -> list[Symbol]:
        """The parameters in declared units, element by element."""
        out = []
        for array in self._code.parameters.arrays:
            for name in array.names:
                value = in_declared_unit(getattr(self, name), self._info.parameters[name].unit)
                out += [as_symbol(value[k]) for k in range(array.length)] if array.whole else [as_symbol(value)]
        return out
