"""Software components: blocks whose outputs and states are computed by ordinary Python or C code.

    class Controller(tg.Software):
        error = tg.input("rad/s")
        command = tg.output("V")
        integral = tg.variable("rad", start=0.0)          # a state
        kp = tg.parameter(0.1, "V.s/rad")
        period = tg.parameter(1e-3, "s")                  # sampled; leave it out for a continuous block

        def outputs(self):
            return self.kp * self.error + self.integral
        def next_states(self):
            return self.integral + self.period * self.error

Inside the methods `self` is a record of plain numbers in the declared units, and `self.time`. Without `period` the
block is continuous and its states follow `derivatives()`. In C the operators are functions of `source`, a text or the
path of a .c file, or of a shared library (`tg.c_code`).

Which inputs the outputs depend on directly is read off the code (Python and C source; a shared library is taken to use
all); `feedthrough` says it by hand: True all, False none. `in_loops = False` forbids the block in algebraic loops.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from os import PathLike
from typing import Any

from tellegen.errors import LanguageError, nearest
from tellegen.frontends.python.components.component import Component
from tellegen.frontends.python.declarations.class_info import class_location
from tellegen.frontends.python.discrete.statements import when
from tellegen.frontends.python.expressions.functions import der, pre, sample, time
from tellegen.frontends.python.expressions.symbol import Operation, Symbol, as_symbol
from tellegen.frontends.python.software.c_code import CCode, in_source
from tellegen.frontends.python.software.python_code import PythonMethod, names_read
from tellegen.ir.expressions.expr import Function
from tellegen.symbolic.slope import SMALLEST
from tellegen.units import Unit

OPERATORS = ("outputs", "derivatives", "next_states")


class Software(Component):
    """Base of software components; see the top of this file."""

    feedthrough: bool | None = None
    in_loops = True
    source: Any = ""
    outputs: Any = None
    derivatives: Any = None
    next_states: Any = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        sampled = "period" in cls._info.parameters
        for name, inherited in cls._info.variables.items():
            decl = cls._info.variables[name] = copy(inherited)  # a subclass may be sampled where its base is not
            decl.attributes = dict(decl.attributes)
            if decl.role in ("local", "output"):
                decl.discrete = sampled
            if decl.role == "local":
                decl.attributes.setdefault("start", 0.0)
                decl.attributes.setdefault("fixed", True)
        if isinstance(cls.__dict__.get("source"), (str, PathLike)):
            for name, code in in_source(cls, OPERATORS).items():
                setattr(cls, name, code)
        _check_class(cls, sampled)

    def equations(self) -> Iterator[Any]:
        """The code as equations: continuous, or at the sampling instants."""
        if type(self) is Software:
            return
        names = _names(type(self))
        sampled = "period" in self._info.parameters
        _check_operators(type(self), sampled)
        outputs, states = ([getattr(self, name) for name in names[part]] for part in ("outputs", "states"))
        results = self._results("outputs", names)
        if sampled:
            following = self._results("next_states", names)
            actions = [y == value for y, value in zip([*outputs, *states], [*results, *following], strict=True)]
            yield when(sample(0.0, self.period), *actions)
            return
        for y, value in zip(outputs, results, strict=True):
            yield y == value
        for state, rate in zip(states, self._results("derivatives", names), strict=True):
            yield der(state) == rate

    def _results(self, method: str, names: dict[str, list[str]]) -> list[Symbol]:
        """The results of an operator in SI units, as nodes over what it reads."""
        cls = type(self)
        declared = {**self._info.parameters, **self._info.variables}
        targets = names["outputs" if method == "outputs" else "states"]
        if not targets:
            return []
        code = getattr(cls, method)
        sampled = "period" in self._info.parameters
        order = ["time", *names["states"], *names["inputs"], *names["parameters"]]
        read = _read(cls, method, names)
        unseen = set(order) - read
        if isinstance(code, CCode):
            numeric: Any = code.function(cls, names, len(targets))
        else:
            order = [name for name in order if name in read]
            numeric = PythonMethod(cls, method, tuple(order), tuple(targets))
        args = []
        for name in order:
            value = time if name == "time" else getattr(self, name)
            value = pre(value) if sampled and name in names["states"] else value
            if name in declared:
                value = float("nan") if name in unseen else in_declared_unit(value, declared[name].unit)
            args.append(as_symbol(value))
        nominal = tuple(nominal_size(declared.get(name)) for name in order)
        function = Function(
            f"{cls.__name__}.{method}", numeric, len(targets), None, nominal, method, in_loops=cls.in_loops
        )
        calls = [Operation("apply", tuple(args), (), (function, k)) for k in range(len(targets))]
        units = [declared[name].unit for name in targets]
        return [in_si(call, unit, method == "derivatives") for call, unit in zip(calls, units, strict=True)]


def direct_inputs(cls: type[Software]) -> set[str]:
    """The inputs that the outputs of a class depend on directly, as far as that can be determined."""
    names = _names(cls)
    return _read(cls, "outputs", names) & set(names["inputs"]) if names["outputs"] else set()


def _read(cls: type[Software], method: str, names: dict[str, list[str]]) -> set[str]:
    """What an operator depends on; C code is always given time, states and parameters."""
    code = getattr(cls, method)
    inputs = set(names["inputs"])
    others = {"time", *names["states"], *names["parameters"]}
    found = code.reads(names) if isinstance(code, CCode) else names_read(cls, code)
    if method == "outputs" and cls.feedthrough is not None:
        inputs = inputs if cls.feedthrough else set()
    elif found is not None:
        inputs &= found
    return inputs | (others if found is None or cls.feedthrough or isinstance(code, CCode) else others & found)


def in_si(value: Any, unit: Unit, rate: bool) -> Any:
    """A result in SI units; the rate of a temperature in degC has no offset."""
    value = value if unit.scale == 1.0 else value * unit.scale
    return value if rate or unit.offset == 0.0 else value + unit.offset


def in_declared_unit(value: Any, unit: Unit) -> Any:
    """A quantity in its declared unit."""
    value = value if unit.offset == 0.0 else value - unit.offset
    return value if unit.scale == 1.0 else value / unit.scale


def nominal_size(declared: object) -> float:
    """The typical size of an argument in its declared unit."""
    given = getattr(declared, "attributes", {}).get("nominal")
    return abs(float(given)) or SMALLEST if isinstance(given, (int, float)) else SMALLEST


def _check_operators(cls: type[Software], sampled: bool) -> None:
    """Whatever has outputs or states has code for them."""
    names = _names(cls)
    needed = {"outputs": bool(names["outputs"])}
    needed["next_states" if sampled else "derivatives"] = bool(names["states"])
    for method, wanted in needed.items():
        if wanted and getattr(cls, method) is None:
            states = ", ".join(names["states"])
            close = nearest(method, [name for name, value in vars(cls).items() if callable(value)])
            raise LanguageError(
                "E190",
                f"software component {cls.__name__} has no {method}()" + (f"; {close}" if "perhaps" in close else ""),
                location=class_location(cls),
                advice=f"define it: it returns the {'outputs' if method == 'outputs' else f'new values for {states}'}"
                + ("" if sampled or method == "outputs" else "; or declare a `period` to make the block sampled"),
            )


def _check_class(cls: type[Software], sampled: bool) -> None:
    if any(getattr(cls, method) is not None for method in OPERATORS):  # else a base that only declares: no instances
        _check_operators(cls, sampled)
    names = _names(cls)
    for name, decl in cls._info.variables.items():
        if decl.shape_text:
            raise LanguageError(
                "E190", f"'{name}' of software component {cls.__name__} is not a scalar", location=decl.location
            )
    code = cls.outputs
    read = None if code is None else code.reads(names) if isinstance(code, CCode) else names_read(cls, code)
    if cls.feedthrough is False and (direct := sorted((read or set()) & set(names["inputs"]))):
        raise LanguageError(
            "E190",
            f"outputs() of {cls.__name__} reads its input '{direct[0]}', but the class declares feedthrough = False",
            location=class_location(cls),
            advice="omit feedthrough: it is determined from the code; or compute outputs from states alone",
        )


def _names(cls: type[Component]) -> dict[str, list[str]]:
    def of(role: str) -> list[str]:
        return [name for name, decl in cls._info.variables.items() if decl.role == role]

    parameters = list(cls._info.parameters)
    return {"states": of("local"), "inputs": of("input"), "outputs": of("output"), "parameters": parameters}
