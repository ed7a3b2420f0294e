"""@tg.function: ordinary Python functions inside equations.

Called with numbers, the function runs as it is. Called with symbols, it is traced: its arithmetic becomes part of the
equation. What cannot be traced (it branches on values, calls code that needs numbers) is kept as an opaque numeric
function, with the derivative the user may supply.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from tellegen.errors import LanguageError
from tellegen.frontends.python.symbol import Operation, Symbol, as_symbol, pick_flat, stack
from tellegen.ir.expr import Function
from tellegen.ir.place import here

UNTRACEABLE = frozenset({"E110", "E111", "E112", "E113"})  # the errors of symbols used where numbers are needed


class UserFunction:
    """A decorated function."""

    def __init__(
        self, function: Callable[..., Any], opaque: bool, outputs: int, derivative: Callable[..., Any] | None
    ) -> None:
        self.python = function
        self.opaque = opaque
        self.numeric = Function(function.__name__, function, outputs, derivative)
        update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        if not any(isinstance(arg, Symbol) for arg in args):
            return self.python(*args)
        if not self.opaque:
            try:
                return self.python(*args)
            except LanguageError as error:
                if error.code not in UNTRACEABLE:
                    raise
            except (TypeError, ValueError):
                pass  # numeric libraries refuse symbols in their own ways; below the function is kept whole
        return self._apply([as_symbol(arg) for arg in args])

    def _apply(self, args: list[Symbol]) -> Any:
        """A call node; array arguments are passed element by element."""
        flat: list[Symbol] = []
        for arg in args:
            if len(arg.shape) > 1:
                raise LanguageError(
                    "E180",
                    f"{self.numeric.name} got an argument of shape {arg.shape}",
                    place=here(),
                    advice="pass scalars",
                )
            flat += [arg] if not arg.shape else [pick_flat(arg, _index(k)) for k in range(arg.shape[0])]
        calls: list[Symbol] = [
            Operation("apply", tuple(flat), (), (self.numeric, k)) for k in range(self.numeric.outputs)
        ]
        return calls[0] if len(calls) == 1 else stack(calls)


def _index(k: int) -> Any:
    import numpy as np

    return np.asarray(k)


def function(
    python: Callable[..., Any] | None = None,
    *,
    opaque: bool = False,
    outputs: int = 1,
    derivative: Callable[..., Any] | None = None,
) -> Any:
    """Make a Python function usable in equations.

    `opaque` skips tracing; `outputs` is the number of results; `derivative(*args)` returns the partial derivatives
    of the result with respect to each argument (a row for each output when there are several).
    """
    if python is None:
        return lambda f: UserFunction(f, opaque, outputs, derivative)
    return UserFunction(python, opaque, outputs, derivative)
