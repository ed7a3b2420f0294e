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
block is continuous and its states follow `derivatives()`. With `feedthrough = False` the outputs do not see the
inputs, so the block can never be part of an algebraic loop.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from copy import copy
from types import SimpleNamespace
from typing import Any

import numpy as np

from tellegen.errors import LanguageError, NumericError, nearest
from tellegen.frontends.python.classinfo import class_place
from tellegen.frontends.python.component import Component
from tellegen.frontends.python.declare import Declaration
from tellegen.frontends.python.functions import der, pre, sample, time
from tellegen.frontends.python.refusal import unknown_name, users_code
from tellegen.frontends.python.statements import when
from tellegen.frontends.python.symbol import Operation, Symbol
from tellegen.ir.expr import Function
from tellegen.ir.place import Place


class Software(Component):
    """Base of software components; see the top of this file."""

    feedthrough = True
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
        _check_class(cls, sampled)

    def equations(self) -> Iterator[Any]:
        """The code as equations: continuous, or at the sampling instants."""
        if type(self) is Software:
            return
        names = _names(type(self))
        states = [getattr(self, name) for name in names["states"]]
        inputs = [getattr(self, name) for name in names["inputs"]]
        parameters = [getattr(self, name) for name in names["parameters"]]
        outputs = [getattr(self, name) for name in names["outputs"]]
        sampled = "period" in self._info.parameters
        known = [pre(state) for state in states] if sampled else states
        seen = inputs if self.feedthrough else []
        results = _call(type(self), "outputs", names, [time, *known, *seen, *parameters], len(outputs))
        every = [time, *known, *inputs, *parameters]
        if sampled:
            following = _call(type(self), "next_states", names, every, len(states)) if states else []
            actions = [y == value for y, value in zip([*outputs, *states], [*results, *following], strict=True)]
            yield when(sample(0.0, self.period), *actions)
            return
        for y, value in zip(outputs, results, strict=True):
            yield y == value
        rates = _call(type(self), "derivatives", names, every, len(states)) if states else []
        for state, rate in zip(states, rates, strict=True):
            yield der(state) == rate


def _check_class(cls: type[Software], sampled: bool) -> None:
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
                place=class_place(cls),
                advice=f"define it: it returns the {'outputs' if method == 'outputs' else f'new values for {states}'}"
                + ("" if sampled or method == "outputs" else "; or declare a `period` to make the block sampled"),
            )
    for name, decl in cls._info.variables.items():
        if decl.shape_text:
            raise LanguageError(
                "E190", f"'{name}' of software component {cls.__name__} is not a scalar", place=decl.place
            )


def _names(cls: type[Component]) -> dict[str, list[str]]:
    def of(role: str) -> list[str]:
        return [name for name, decl in cls._info.variables.items() if decl.role == role]

    parameters = list(cls._info.parameters)
    return {"states": of("local"), "inputs": of("input"), "outputs": of("output"), "parameters": parameters}


def _call(
    cls: type[Software], method: str, names: dict[str, list[str]], args: list[Symbol], count: int
) -> list[Symbol]:
    """The results of a method as nodes over the given arguments."""
    if not count:
        return []
    function = _numeric(cls, method, names, len(args), count)
    return [Operation("apply", tuple(args), (), (function, k)) for k in range(count)]


def _numeric(cls: type[Software], method: str, names: dict[str, list[str]], arity: int, count: int) -> Function:
    """A function of SI numbers (time, states, inputs, parameters) that calls the user's code in declared units."""
    with_inputs = arity == 1 + sum(len(names[part]) for part in ("states", "inputs", "parameters"))
    order = [*names["states"], *(names["inputs"] if with_inputs else []), *names["parameters"]]
    declared = {**cls._info.parameters, **cls._info.variables}
    units = [declared[name].unit for name in order]
    code = getattr(cls, method)
    targets = names["outputs"] if method == "outputs" else names["states"]
    out_units = [cls._info.variables[name].unit for name in targets]
    label = f"{cls.__name__}.{method}"
    rates = method == "derivatives"

    def run(now: float, *numbers: float) -> Any:
        values = [unit.from_si(number) for unit, number in zip(units, numbers, strict=True)]
        if isinstance(code, CCode):
            split = np.cumsum([len(names["states"]), len(names["inputs"]) if with_inputs else 0])
            result = code.call(now, values[: split[0]], values[split[0] : split[1]], values[split[1] :], count)
        else:
            with users_code(cls, method, cls):
                result = code(Record(_class=cls, time=now, **dict(zip(order, values, strict=True))))
        return _si(result, out_units, targets, label, rates, code)

    return Function(label, run if count > 1 else lambda *args: run(*args)[0], count)


class Record(SimpleNamespace):
    """`self` in a user's method: plain numbers by name, and whatever else the class body defines."""

    _class: type[Software]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        for cls in self._class.__mro__:
            value = cls.__dict__.get(name)
            if cls is Software:
                break
            if value is not None and not isinstance(value, Declaration):
                return value.__get__(self) if hasattr(value, "__get__") else value
        numbers = [known for known in vars(self) if known != "_class"]
        raise unknown_name(f"self in {self._class.__name__}", name, dict.fromkeys(numbers, ""))


def _si(result: Any, units: list[Any], targets: list[str], label: str, rates: bool, code: Any) -> list[float]:
    if isinstance(result, dict):
        result = [result.get(name) for name in targets]
    values = list(result) if isinstance(result, (list, tuple, np.ndarray)) else [result]
    if len(values) != len(targets) or any(value is None for value in values):
        raise NumericError(
            "E390",
            f"{label}() returned {result!r}, but one number is needed for each of {', '.join(targets)}",
            place=_place(code),
            advice=f"return {', '.join(targets)} in this order, or a dict with these names",
        )
    return [float(v) * u.scale if rates else float(u.to_si(v)) for v, u in zip(values, units, strict=True)]


def _place(code: Any) -> Place | None:
    found = getattr(code, "__code__", None)
    return Place(found.co_filename, found.co_firstlineno) if found is not None else None


class CCode:
    """A function in a shared library: void f(double time, const double *states, const double *inputs,
    const double *parameters, double *results)."""

    def __init__(self, library: str, symbol: str) -> None:
        self.library = library
        self.symbol = symbol
        self._function: Callable[..., Any] | None = None

    def call(self, now: float, states: list[float], inputs: list[float], parameters: list[float], count: int) -> Any:
        """The results for these numbers."""
        if self._function is None:
            self._function = self._load()
        arrays = [np.array(part or [0.0], dtype=float) for part in (states, inputs, parameters)]
        results = np.zeros(count)
        self._function(now, *(array.ctypes.data for array in (*arrays, results)))
        return results

    def _load(self) -> Callable[..., Any]:
        try:
            function = getattr(ctypes.CDLL(self.library), self.symbol)
        except (OSError, AttributeError) as error:
            raise LanguageError(
                "E191",
                f"no function '{self.symbol}' could be loaded from '{self.library}': {error}",
                advice="give the path of a shared library (.so, .dylib, .dll) that exports it",
            ) from None
        function.restype = None
        function.argtypes = [ctypes.c_double, *([ctypes.c_void_p] * 4)]
        return function


def c_code(library: str, symbol: str) -> Any:
    """A method of a software component that lives in a shared library; see CCode for its signature."""
    return CCode(library, symbol)
