"""Refusals: the words for what goes wrong in a user's own Python code, or with things used as what they are not."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from inspect import signature
from types import FunctionType, TracebackType
from typing import Any

from tellegen.errors import (
    DataError,
    LanguageError,
    TellegenError,
    UnknownNameError,
    UntraceableError,
    class_of,
    nearest,
)
from tellegen.ir.source_location import (
    NOWHERE,
    SourceLocation,
    beyond_the_library,
    here,
    in_library,
    is_installed,
    is_users,
)

ATTRIBUTES = {"start": "initial value", "fixed": "", "nominal": "typical size", "min": "", "max": ""}
DEEPEST = 150  # levels of components; the machinery itself needs a few Python calls for each


class NotAQuantity:
    """Refuses arithmetic: ports, components and parts that are switched off have quantities but are none."""

    __slots__ = ()

    def _no_quantity(self) -> LanguageError:
        raise NotImplementedError

    def _refuse(self, *_: Any) -> Any:
        raise self._no_quantity()

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse
    __pow__ = __rpow__ = __neg__ = __abs__ = __matmul__ = __rmatmul__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __and__ = __rand__ = __or__ = __ror__ = __invert__ = __float__ = _refuse


class NamedAttributes:
    """Answers a wrong name of an attribute with the right ones."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        error = unknown_name(f"'{self}'", name, ATTRIBUTES)
        if name in ("sum", "dot", "cross", "sin", "cos", "sqrt", "der"):
            error.advice = f"write tg.{name}(...)"
        raise error

    def __setattr__(self, name: str, value: object) -> None:
        try:
            object.__setattr__(self, name, value)
        except AttributeError:
            getattr(self, name)
            raise


def no_quantity(what: str, kind: str, name: str, members: list[str]) -> LanguageError:
    """E113 for a port or component in an expression."""
    shown = ", ".join(f"{name}.{member}" for member in members[:4])
    return UntraceableError(
        "E113",
        f"'{name}' is a {what} ({kind}), so it cannot be used in an expression",
        location=here(),
        advice=f"name one of its quantities: {shown}" if shown else "name a quantity",
    )


def unknown_name(what: str, name: str, declarations: dict[str, str]) -> UnknownNameError:
    """E100, with the nearest of the names that exist; `declarations` maps them to their descriptions."""
    hint = nearest(name, declarations)
    described = [known for known, text in declarations.items() if name.lower() in text.lower().split()]
    spelt_so = any(known.lower() == name.lower() for known in declarations)
    if described and not spelt_so:
        hint = "perhaps you meant " + " or ".join(f"'{known}' ({declarations[known]})" for known in described[:3])
    advice = "in connections(), write: yield self.a.p, self.b.n" if name == "connect" else ""
    return UnknownNameError("E100", f"{what} has no '{name}'; {hint}", location=here(), advice=advice)


def refused(code: str, what: str, advice: str) -> TellegenError:
    """For objects of the library that are not components: an error at the user's line."""
    return class_of(code)(code, what, location=beyond_the_library(), advice=advice)


def check_option(component: Any, name: str, known: Sequence[str]) -> None:
    """E703 for an option of a component that is none of the known words; the nearest one is named."""
    value = getattr(component, name)
    if value not in known:
        what = f"{name}={value!r} does not exist; {nearest(str(value), known)}"
        raise DataError("E703", what, location=component._location, advice=f"for example {name}={known[0]!r}")


def wrong_shapes(sign: str, operands: tuple[Any, ...]) -> LanguageError:
    """E114 for operands that do not broadcast."""
    shapes = " and ".join(f"'{operand}' has shape {operand.shape}" for operand in operands)
    advice = "the last axis of the left operand must be as long as the first of the right one"
    return LanguageError(
        "E114",
        f"shapes do not match in '{sign}': {shapes}",
        location=here(),
        advice=advice if sign == "@" else "use equal lengths, such as x[1:] - x[:-1]",
    )


def no_element(symbol: Any, key: Any = None) -> LanguageError:
    """E112 for a scalar taken for an array, E115 for an index beyond one."""
    if not symbol.shape:
        advice = "declare a vector with shape=n, a matrix with shape=(n, m)"
        return UntraceableError("E112", f"'{symbol}' is a scalar: it has no elements", location=here(), advice=advice)
    return LanguageError(
        "E115",
        f"'{symbol}' has shape {symbol.shape}, so it has no element [{key}]",
        location=here(),
        advice="indices start at 0",
    )


def wrong_length(what: str, needed: int, given: int, location: SourceLocation) -> LanguageError:
    """E153 for an array of the wrong size."""
    return LanguageError(
        "E153",
        f"{what} takes {needed} number{'' if needed == 1 else 's'}, but {given} were given",
        location=location,
        advice="give one number for all, or an array of that length"
        if needed != 1
        else "give a single number, or declare it with shape=...",
    )


def wrong_vector(what: str, declared: Any, given: int, location: SourceLocation) -> LanguageError:
    """E153 for a parameter that is a direction: one number is not meant for all of its elements."""
    example = ", ".join(f"{number:g}" for number in declared.ravel()[:6])
    return LanguageError(
        "E153",
        f"{what} takes {declared.size} numbers, but {given} {'was' if given == 1 else 'were'} given",
        location=location,
        advice=f"give an array of that length, such as [{example}{', ...' if declared.size > 6 else ''}]",
    )


def needs_names(what: str, values: tuple[Any, ...], names: list[str]) -> LanguageError:
    """E122 for values without a name."""
    shown = repr(values[0]) if isinstance(values[0], (int, float, str)) else "..."
    example = f"{what}({names[0]}={shown})" if names else f"{what}()"
    return LanguageError("E122", f"{what}(...) takes values by name only", location=here(), advice=f"write {example}")


class NotMade:
    """Stands for the values of a component whose own __init__ did not call that of Component."""

    def _refuse(self, *_: Any) -> Any:
        raise LanguageError(
            "E104",
            "the __init__ of this component does not call super().__init__(), so it cannot hold values",
            location=here(),
            advice="call super().__init__() first; most components need no __init__ at all, only declarations",
        )

    __getitem__ = __setitem__ = __contains__ = __iter__ = __bool__ = get = items = _refuse


NOT_MADE = NotMade()


def check_depth(component: Any) -> None:
    """E158 for components that are nested too deep; most of them contain each other without end."""
    depth = 0
    above = component
    while above is not None and depth <= DEEPEST:
        depth = depth + 1
        above = above._parent
    if depth <= DEEPEST:
        return
    chain = [type(component).__name__]
    above = component._parent
    while above is not None and type(above).__name__ not in chain:
        chain.append(type(above).__name__)
        above = above._parent
    too_deep = f"components are nested more than {DEEPEST} deep"
    if above is None:
        advice = "put components side by side: in an array, or in lists that build() assigns"
        raise LanguageError("E158", too_deep, location=component._location, advice=advice)
    inside = f"{chain[-1]} contains {' contains '.join([*reversed(chain[:-1]), chain[-1]])}"
    name = chain[0]
    raise LanguageError(
        "E158",
        f"{too_deep}: {inside}, endlessly",
        location=component._location,
        advice="end the recursion by a structural parameter:\n"
        f"if self.n > 1: self.rest = {name}(n=self.n - 1)   with n = tg.parameter(..., structural=True)",
    )


def check_needs_no_arguments(cls: type) -> None:
    """Reject an array of a class whose own `__init__` cannot make an element by itself."""
    try:
        signature(cls).bind()
    except TypeError as error:
        raise LanguageError(
            "E115",
            f"{cls.__name__}.array(...) makes its elements as {cls.__name__}(), but {error}",
            location=here(),
            advice="give the arguments of __init__ default values; numbers of an array are those of parameters",
        ) from None


@contextmanager
def users_code(cls: type, method: str, instance: Any) -> Iterator[None]:
    """Whatever a user's method raises is reported as an error of the model, at the user's line."""
    try:
        yield
    except TellegenError as error:
        if error.location is not None and not error.location.scope:
            error.location = error.location.within(cls.__name__)
        raise
    except Exception as error:  # anything can go wrong in a user's method
        raise failed_call(
            f"{method}() of {cls.__name__}", cls.__name__, error, instance._info.order, cls.__dict__.get(method)
        ) from error.with_traceback(_users_part(error.__traceback__))


def called_with(component: Any, function: FunctionType, what: str) -> Any:
    """What a function of the component gives, `start=lambda self: 2 * self.n`; E150 where it fails."""
    scope = type(component).__name__
    try:
        return function(component)
    except TellegenError:
        raise
    except Exception as error:  # anything can go wrong in a user's function
        code = function.__code__
        raise LanguageError(
            "E150",
            f"the function that gives {what} fails with {type(error).__name__}: {error}",
            location=SourceLocation(code.co_filename, code.co_firstlineno).within(scope),
            advice="it takes the component: lambda self: 2 * self.n",
        ) from error


def failed_call(
    what: str, scope: str, error: Exception, members: Container[str] = (), function: Any = None
) -> LanguageError:
    """E150 for an exception in the user's code; `members` are names that are read through self."""
    location = _users_line(error)
    advice = _cure(error, members)
    code = getattr(function, "__code__", None)
    if location is NOWHERE and code is not None:  # it failed before its first line
        location = SourceLocation(code.co_filename, code.co_firstlineno)
        advice = f"write def {function.__name__}(self):" if not code.co_argcount else advice
    return LanguageError(
        "E150",
        f"{what} fails with {type(error).__name__}: {error}",
        location=location.within(scope),
        advice=advice,
    )


def _users_part(frames: TracebackType | None) -> TracebackType | None:
    """A traceback from its first line of the user's on."""
    part = frames
    while part is not None and not is_users(part.tb_frame.f_code.co_filename):
        part = part.tb_next
    return part or frames


def _users_line(error: BaseException) -> SourceLocation:
    """The last line on the way to the fault that is neither ours nor of an installed package."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if in_library(frame.filename) or not is_installed(frame.filename):
            return SourceLocation(frame.filename, frame.lineno or 0)
    return NOWHERE


_ELSEWHERE = {
    "ddt": "der",
    "diff": "der",
    "derivative": "der",
    "dt": "der",
    "if_": "where",
    "ifelse": "where",
    "noEvent": "no_event",
    "max": "maximum",
    "min": "minimum",
    "ln": "log",
}
"""What functions of equations are called in other programs."""


def _public_names() -> tuple[str, ...]:
    """The names of `tg`, which is imported when somebody's model is traced."""
    return tuple(getattr(sys.modules.get("tellegen"), "__all__", ()))


def _cure(error: Exception, members: Container[str]) -> str:
    if isinstance(error, NameError) and error.name and error.name in members:
        return f"members are read through self: self.{error.name}"
    if isinstance(error, NameError) and error.name in _public_names():
        return f"write tg.{error.name}, after: import tellegen as tg"
    if isinstance(error, AttributeError) and getattr(error.obj, "__name__", "") == "tellegen":
        meant = _ELSEWHERE.get(str(error.name))
        return f"write tg.{meant}(...)" if meant else nearest(str(error.name), _public_names())
    if isinstance(error, NameError) and error.name:
        return f"define '{error.name}' before, or import it"
    if any(word in str(error) for word in ("'Operation'", "'Leaf'", "type Operation", "type Leaf")):
        return (
            "this code needs numbers, but quantities of a model are symbols: use Tellegen's functions (tg.sin, ...),\n"
            "or make it an external function with @tg.function(opaque=True)"
        )
    return "the error is in the Python code of this line"


def misplaced_after(location: SourceLocation) -> LanguageError:
    """tg.after outside a guard, where no mode was entered."""
    return LanguageError(
        "E178",
        "tg.after(seconds) counts from the entry into a mode, so it belongs in the guard of a transition",
        location=location,
        advice='write tg.transition("from", "to", tg.after(5.0)); elsewhere compare tg.time',
    )
