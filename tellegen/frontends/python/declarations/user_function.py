"""@tg.function: ordinary Python functions inside equations.

Called with numbers, the function runs as it is. Called with symbols, it is traced: its arithmetic becomes part of the
equation. What cannot be traced (it branches on values, calls code that needs numbers) is kept as an opaque numeric
function, called while the model runs, with the derivative the user may supply.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import update_wrapper
from inspect import signature
from typing import Any

import numpy as np

from tellegen.errors import LanguageError, TellegenError, UntraceableError
from tellegen.frontends.python.declarations.declare import has_symbols
from tellegen.frontends.python.expressions.function_results import as_numbers
from tellegen.frontends.python.expressions.generator_watch import Watch
from tellegen.frontends.python.expressions.refusal import failed_call
from tellegen.frontends.python.expressions.symbol import (
    Operation,
    Shape,
    Symbol,
    as_symbol,
    common_shape,
    pick_flat,
    stack,
)
from tellegen.ir.expressions.expr import Function
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass


class UserFunction:
    """A decorated function."""

    def __init__(
        self,
        function: Callable[..., Any],
        opaque: bool,
        outputs: int,
        derivative: Callable[..., Any] | None,
        nominal: Sequence[float],
        elementwise: bool = False,
    ) -> None:
        update_wrapper(self, function)
        self.python = function
        self.opaque = opaque
        self.name = getattr(function, "__name__", type(function).__name__)
        self.outputs = outputs
        self.derivative = derivative
        self.nominal = tuple(nominal)
        self.elementwise = elementwise
        self.by_shapes: dict[tuple[Shape, ...], Function] = {}

    def __reduce__(self) -> Any:
        if self._has_a_name():
            return self.python.__qualname__  # other processes import it under its name
        how = (self.opaque, self.outputs, self.derivative, self.nominal, self.elementwise)
        return (UserFunction, (self.python, *how))  # of an object, or of a function that is found by itself

    def _has_a_name(self) -> bool:
        """Whether the module of the function knows this object by the function's name."""
        found: Any = sys.modules.get(getattr(self.python, "__module__", None) or "")
        for part in getattr(self.python, "__qualname__", "<>").split("."):
            found = getattr(found, part, None)
        return found is self

    def __call__(self, *args: Any, **named: Any) -> Any:
        if named:
            bound = signature(self.python).bind(*args, **named)
            bound.apply_defaults()
            args = bound.args
        args = tuple(as_symbol(arg) if has_symbols(arg) else arg for arg in args)
        if not any(isinstance(arg, Symbol) for arg in args):
            return self.python(*args)
        if not self.opaque:
            open_equations = dict(Watch.active.open) if Watch.active is not None else {}
            try:
                return self.python(*args)
            except LanguageError as error:
                if not isinstance(error, UntraceableError):
                    raise
            except (TypeError, ValueError):
                pass  # numeric libraries reject symbols in their own ways; below the function is kept whole
            if Watch.active is not None:
                Watch.active.open = open_equations  # an `if x == 0` of the function was no equation
        return self._apply([as_symbol(arg) for arg in args])

    def _apply(self, args: list[Symbol]) -> Any:
        """A call node; the elements of array arguments are operands by themselves."""
        if self.elementwise:
            return self._each(args)
        numeric = self.of_shapes(tuple(arg.shape for arg in args))
        flat: list[Symbol] = []
        for arg in args:
            if len(arg.shape) > 1:
                raise LanguageError(
                    "E180",
                    f"{self.name} got an argument of shape {arg.shape}",
                    location=here(),
                    advice="pass scalars and vectors",
                )
            flat += [arg] if not arg.shape else [pick_flat(arg, _index(k)) for k in range(arg.shape[0])]
        calls: list[Symbol] = [Operation("apply", tuple(flat), (), (numeric, k)) for k in range(numeric.outputs)]
        return calls[0] if len(calls) == 1 else stack(calls)

    def _each(self, args: list[Symbol]) -> Any:
        """One call for every element of array arguments; several outputs are a tuple, for each is an array itself."""
        numeric = self.of_shapes(((),) * len(args))
        shape = common_shape(self.name, tuple(args))
        calls = tuple(Operation("apply", tuple(args), shape, (numeric, k)) for k in range(numeric.outputs))
        return calls[0] if len(calls) == 1 else calls

    def of_shapes(self, shapes: tuple[Shape, ...]) -> Function:
        """The function of scalars that gathers arguments of these shapes again, the same one for every use."""
        if shapes not in self.by_shapes:
            slopes = None if self.derivative is None else UserSlopes(self, shapes)
            self.by_shapes[shapes] = Function(
                self.name, UserCall(self, shapes), self.outputs, slopes, self._nominal(shapes)
            )
        return self.by_shapes[shapes]

    def _nominal(self, shapes: tuple[Shape, ...]) -> tuple[float, ...]:
        """The typical size of every scalar."""
        if not self.nominal:
            return ()
        if len(self.nominal) != len(shapes):
            raise LanguageError(
                "E180",
                f"{self.name} has {len(shapes)} arguments, but nominal has {len(self.nominal)}",
                location=here(),
                advice="give one number for each argument",
            )
        sizes = zip(self.nominal, shapes, strict=True)
        return tuple(abs(float(size)) for size, shape in sizes for _ in range(shape[0] if shape else 1))


@dataclass(frozen=True, eq=False)
class UserCall:
    """A user's function as a function of scalars, arrays taken apart."""

    function: UserFunction
    shapes: tuple[Shape, ...]

    def gathered(self, numbers: tuple[float, ...]) -> Sequence[Any]:
        """The arguments as the user wrote them."""
        if len(numbers) == len(self.shapes) and not any(self.shapes):
            return numbers
        rest = iter(numbers)
        return [np.array([next(rest) for _ in range(shape[0])]) if shape else next(rest) for shape in self.shapes]

    def __call__(self, *numbers: float) -> Any:
        name = self.function.name
        count = self.function.outputs
        try:
            result = self.function.python(*self.gathered(numbers))
        except TellegenError:
            raise
        except Exception as error:  # anything can go wrong in a user's function
            raise failed_call(f"{name}()", name, error) from error
        if type(result) is float and count == 1:
            return result
        names = (name,) if count == 1 else [f"result {k}" for k in range(count)]
        values = as_numbers(result, names, f"{name}()", self.function.python)
        return values[0] if count == 1 else values


class UserSlopes(UserCall):
    """Its partial derivatives by all scalars, a row for each output where there are several."""

    def __call__(self, *numbers: float) -> Any:
        assert self.function.derivative is not None
        name = self.function.name
        try:
            result = self.function.derivative(*self.gathered(numbers))
        except Exception as error:  # see above
            raise failed_call(f"the derivative of {name}()", name, error) from error
        several = self.function.outputs > 1
        scalar = len(self.shapes) == 1 and np.ndim(result) == 0
        rows = result if several else [[result] if scalar else result]
        flat = [np.concatenate([np.ravel(part) for part in row]) for row in rows]
        return flat if several else flat[0]


def _index(k: int) -> Any:
    return np.asarray(k)


def function(
    python: Callable[..., Any] | None = None,
    *,
    opaque: bool = False,
    outputs: int = 1,
    derivative: Callable[..., Any] | None = None,
    nominal: Sequence[float] = (),
    elementwise: bool = False,
) -> Any:
    """Make a Python function usable in equations.

    `opaque` skips tracing; `outputs` is the number of results; `derivative(*args)` returns the partial derivatives
    of the result with respect to each argument (a row for each output when there are several). Without it they are
    difference quotients; `nominal` gives the typical size of each argument, in SI units, where it is far from 1.
    `elementwise`: a function of scalars, called for every element of arrays.
    """
    if python is None:
        return lambda f: UserFunction(f, opaque, outputs, derivative, nominal, elementwise)
    return UserFunction(python, opaque, outputs, derivative, nominal, elementwise)
