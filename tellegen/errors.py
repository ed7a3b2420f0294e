"""Every error a user can meet: what happened, where, and what to try.

The class says which kind of mistake it is, the code which one exactly; both are listed in docs/errors.md. Which code
belongs to which class is the table in error_codes.py; an error whose code and class disagree cannot be constructed.
"""

from __future__ import annotations

import difflib
import inspect
import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from tellegen.argument_types import wrong_argument
from tellegen.error_codes import FAMILIES
from tellegen.ir.source_location import SourceLocation, here

P = ParamSpec("P")
R = TypeVar("R")


class TellegenError(Exception):
    """Base of all errors: a code, a message, the source location it is about and advice on the fix.

    `about` are the paths of the components, ports and variables that it names, as data: an editor marks them.
    """

    solution: Any = None  # of a run that stopped early: what was computed until then

    def __init__(
        self,
        code: str,
        message: str,
        *,
        location: SourceLocation | None = None,
        details: Iterable[str] = (),
        advice: str = "",
        about: Iterable[str] = (),
    ) -> None:
        _check_family(type(self), code)
        self.code = code
        self.message = message
        self.location = location
        self.details = tuple(details)
        self.advice = advice
        self.about = tuple(about)
        super().__init__(code, message)

    def __str__(self) -> str:
        return self.text()

    @property
    def place(self) -> SourceLocation | None:
        """The former name of `location`."""
        return self.location

    def text(self) -> str:
        """The whole error as plain text, the same at the terminal, in a notebook and in the golden tests."""
        lines = [f"{self.code}: {self.message}"]
        if self.location is not None:
            lines.append(f"  at {self.location}")
            if source := self.location.source():
                lines.append(f"      {source}")
        lines += [f"  {line}" for detail in self.details for line in detail.splitlines()]
        if self.advice:
            first, *rest = self.advice.splitlines()
            lines += [f"  try: {first}"] + [f"       {line}" for line in rest]
        return "\n".join(lines)


class LanguageError(TellegenError):
    """E1xx: the model as written: unknown names, wrong modifiers, units, connectors."""


class UnknownNameError(LanguageError, AttributeError):
    """A name that an object does not have; also an AttributeError, so that hasattr works."""


class NotAnArrayError(LanguageError, TypeError):
    """Elements of something single; also a TypeError, which Python expects of what has no length."""


class UntraceableError(LanguageError):
    """A symbol is used where Python needs a value; the function is then called with numbers instead."""


class UndeclaredQuantityError(LanguageError):
    """A quantity of a component that is neither this one nor a child; known once the component has its place."""


class DataError(LanguageError):
    """E7xx: the data given to a component: matrices, tables, option words, media."""


class ModelicaError(LanguageError):
    """E540-E599: Modelica text and what it means, with file, line and column."""


class StructureError(TellegenError):
    """E2xx: the equations taken together: too few or too many, singular, no reference."""


class UnbalancedClassError(StructureError):
    """A component class that has too few or too many equations by itself."""

    missing = 0  # equations; negative where there are too many


class UndeterminedError(StructureError):
    """Something is left open, a reference or an equation: what is around a component may determine it."""


class CannotBeFreedError(StructureError):
    """A quantity that an inverse model cannot find, for it is not what drives the model."""


class DelayNotDifferentiableError(StructureError):
    """Sensitivities of an equation with tg.delay."""


class NumericError(TellegenError):
    """E3xx: the numbers: initialization failed, step too small, not a number."""


class RunFailedError(NumericError):
    """A run that cannot be completed with these values; with others it may, so a search continues."""


class DependentByValuesError(RunFailedError):
    """Equations that depend on each other with exactly the parameter values of a run, and with others do not."""

    parameters: Any = None  # these values


class ExportError(TellegenError):
    """E4xx: the target of an export cannot express this."""


class NetlistError(TellegenError):
    """E5xx: a file of another program that is read: what is not understood, with its line."""


class FmuError(TellegenError):
    """E520-E539: an FMU that cannot be used, or that fails while it is."""


class DesignError(TellegenError):
    """E6xx: what is asked of many runs: ranges, samples, outputs, where and how they are made."""


class NotReversibleError(DesignError):
    """A run that the adjoint method cannot follow backwards; the forward method can."""


class NotSampledError(DesignError):
    """A component that cannot be sampled by formulas of its own; the engine can still run it between samples."""


class BindingError(TellegenError):
    """E800-E839: interfaces, their implementations and catalogue parts: what is bound to what."""


class DocumentError(TellegenError):
    """E840-E899: a document that holds models: what is not understood, with its line and column."""


class InternalError(TellegenError):
    """E9xx: a fault of Tellegen itself."""


def class_of(code: str) -> type[TellegenError]:
    """The class of a code."""
    return _CLASSES[_FAMILY_OF[code]]


def _check_family(kind: type[TellegenError], code: str) -> None:
    if kind.__name__ == "TellegenError" or code not in _FAMILY_OF or not issubclass(kind, class_of(code)):
        raise InternalError("E906", f"{code!r} is not a code of {kind.__name__}; see tellegen/error_codes.py")


_CLASSES: dict[str, type[TellegenError]] = {family: globals()[family] for family in FAMILIES}
_FAMILY_OF = {code: family for family, codes in FAMILIES.items() for code in codes}


def warn_user(text: str) -> None:
    """A warning at the line of the user's own code that is being carried out."""
    location = here()
    warnings.warn_explicit(text, UserWarning, location.file, location.line)


def users_call(function: Callable[P, R]) -> Callable[P, R]:
    """For what users call: a mistake of theirs leaves without the frames of our machinery.

    The message says where the mistake is; TELLEGEN_DEBUG=1 keeps the frames, a fault of ours always does. An exception
    of Python's is explained by the argument that is missing, or not of the type it is declared with.
    """

    known = dict(inspect.signature(function).parameters)  # compared with keywords in half the time of a proxy
    free = any(parameter.kind is parameter.VAR_KEYWORD for parameter in known.values())

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            for name in kwargs:  # faster than to compare sets of keys
                if name not in known and not free:
                    given = _known_keywords(_called(function), kwargs, known)
                    return function(*args, **given)  # type: ignore[arg-type]
            return function(*args, **kwargs)
        except TellegenError as error:
            if isinstance(error, InternalError) or os.environ.get("TELLEGEN_DEBUG"):
                raise
            raise error.with_traceback(None) from error.__cause__
        except Exception as error:
            explained = _explained(function, args, kwargs)
            if explained is None:
                raise
            raise explained from error

    return call


def _called(function: Callable[..., Any]) -> str:
    """The name that users call a function by: of __init__ that of the class."""
    return function.__qualname__.split(".")[-2] if function.__name__ == "__init__" else function.__name__


def _explained(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> LanguageError | None:
    """E173 for arguments that do not fit the function."""
    signature = inspect.signature(function)
    names = [name for name in signature.parameters if name != "self"]
    called = _called(function)
    form = f"{called}({', '.join(names)})"
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        return LanguageError("E173", f"{called}(): {error}", location=here(), advice=form)
    wrong = wrong_argument(function, bound)
    if wrong is None:
        return None
    what = f"{called}(): {wrong.name} is {wrong.expected}, not {wrong.value!r}"
    return LanguageError("E173", what, location=here(), advice=form)


# what other programs call it
ELSEWHERE = {
    "stop": (
        "t_end",
        "tend",
        "end",
        "t_stop",
        "tstop",
        "t_final",
        "tf",
        "tmax",
        "t_max",
        "stop_time",
        "duration",
        "until",
    ),
    "start": ("t_start", "t0", "start_time", "begin"),
    "rtol": ("tol", "tolerance", "reltol", "accuracy"),
    "atol": ("abstol",),
    "points": ("n", "dt", "step", "steps", "t_eval", "times", "npoints", "num_points", "saveat", "output_times"),
    "solver": ("method", "integrator", "algorithm"),
    "parameters": ("params", "p", "modifiers"),
    "initial": ("x0", "y0", "u0", "init", "initial_values", "ic", "start_values"),
    "throw": ("raise_error", "strict"),
    "at": ("point", "t", "operating_point"),
}

# keywords that are accepted under an earlier name as well
RENAMED = {
    ("study", "over"): "variables",
    **{(design, "over"): "variables" for design in ("grid", "latin_hypercube", "sobol", "monte_carlo", "saltelli")},
    ("read_spice", "params"): "parameters",
}

# what another function of ours takes
OTHER_CALLS = {
    ("sensitivity", "of"): "tg.gradient(model, of=[tg.final('load.w')], wrt=[...]) differentiates performance "
    "functions; curves of all variables need no `of`: found['load.w', 'motor.R']",
    ("sensitivity", "method"): 'curves are computed forward; tg.gradient(..., method="adjoint") goes backwards',
}


def _known_keywords(function: str, given: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords by their present names; E173 for one that the function does not have."""
    out: dict[str, Any] = {}
    for name, value in given.items():
        present = RENAMED.get((function, name), name)
        if present not in known or (present != name and present in given):
            raise _no_keyword(function, name, known)
        out[present] = value
    return out


def _no_keyword(function: str, name: str, known: Iterable[str]) -> LanguageError:
    """E173, with the keyword that was probably meant."""
    names = [own for own in known if own != "self"]
    meant = [own for own, others in ELSEWHERE.items() if own in names and name.lower() in others]
    hint = f"perhaps you meant '{meant[0]}'" if meant else nearest(name, names)
    hint = OTHER_CALLS.get((function, name), hint)
    advice = f"{function}({', '.join(names)})"
    return LanguageError("E173", f"{function}() takes no '{name}'; {hint}", location=here(), advice=advice)


def nearest(name: str, candidates: Iterable[str], limit: int = 3) -> str:
    """A half sentence with the right names nearest to a wrong one, or the names that exist."""
    names = list(dict.fromkeys(candidates))
    same = [candidate for candidate in names if _spelled(candidate) == _spelled(name)]
    close = same or [candidate for candidate in names if candidate.endswith(f".{name}")][:limit]
    close = close or difflib.get_close_matches(name, names, n=limit, cutoff=0.5)
    if not close:
        lowered = {candidate.lower(): candidate for candidate in names}
        close = [
            lowered[match] for match in difflib.get_close_matches(name.lower(), list(lowered), n=limit, cutoff=0.5)
        ]
    if close:
        return "perhaps you meant " + " or ".join(repr(match) for match in close)
    if not names:
        return "there are no names here"
    shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f"the names here are: {shown}"


def _spelled(name: str) -> str:
    """A name without what spellings differ in: case, and spaces or hyphens for underscores."""
    return name.lower().replace(" ", "_").replace("-", "_")
