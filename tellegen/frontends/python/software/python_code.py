"""An operator of a software component written in Python: what it reads, and how it is called with numbers."""

from __future__ import annotations

import dis
import re
from types import CodeType, FunctionType, SimpleNamespace
from typing import Any

from tellegen.errors import LanguageError
from tellegen.frontends.python.declarations.declare import Declaration
from tellegen.frontends.python.expressions.function_results import as_numbers
from tellegen.frontends.python.expressions.refusal import unknown_name, users_code
from tellegen.start.records import dataclass


@dataclass(frozen=True, eq=False)
class PythonMethod:
    """Called with the numbers of `order`, in declared units; returns the numbers of `targets`, a number if it is one.

    Knows the class, not its code, so that it can be sent to other processes by name.
    """

    cls: type[Any]
    method: str
    order: tuple[str, ...]
    targets: tuple[str, ...]

    def __call__(self, *numbers: float) -> Any:
        code = getattr(self.cls, self.method)
        record = Record()
        record.__dict__.update(zip(self.order, numbers, strict=True), _class=self.cls)
        try:
            result = code(record)
        except BaseException as error:  # anything can go wrong in a user's method
            with users_code(self.cls, self.method, self.cls):
                raise error
        if type(result) is float and len(self.targets) == 1:
            return result
        values = as_numbers(result, self.targets, f"{self.cls.__name__}.{self.method}()", code)
        return values[0] if len(values) == 1 else values


class Record(SimpleNamespace):
    """`self` in a user's method: plain numbers by name, and whatever else the class body defines."""

    _class: type[Any]

    @property
    def __class__(self) -> type[Any]:  # type: ignore[override]  # super() and isinstance take it for a component
        return self._class

    def __setattr__(self, name: str, value: Any) -> None:
        raise _assigned(self._class, name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        cls = self._class
        found = _of_class(cls, name)
        if found is not None:
            return found.__get__(self, cls) if hasattr(found, "__get__") else found
        declared = {**cls._info.parameters, **cls._info.variables}
        if name in declared or name == "time":
            raise _unseen(cls, name, getattr(declared.get(name), "role", ""))
        known = dict.fromkeys([*(known for known in vars(self) if known != "_class"), *declared], "")
        raise unknown_name(f"self in {cls.__name__}", name, known)


def _assigned(cls: type[Any], name: str) -> LanguageError:
    """An assignment to `self`, which is another record in every call."""
    is_state = getattr(cls._info.variables.get(name), "role", "") == "local"
    returned = "next_states()" if "period" in cls._info.parameters else "derivatives()"
    return LanguageError(
        "E190",
        f"the code of {cls.__name__} assigns to self.{name}, which is lost when the method returns",
        location=cls._info.location,
        advice=f"return the new value of '{name}' from {returned}, and use a local variable in between"
        if is_state
        else f"use a local variable; what is to be kept is a state: {name} = tg.variable(start=...) in the class",
    )


def _unseen(cls: type[Any], name: str, role: str) -> LanguageError:
    """A number that was not given to the code, because it did not seem to read it or must not."""
    if role == "input" and cls.feedthrough is False:
        return LanguageError(
            "E190",
            f"outputs() of {cls.__name__} reads its input '{name}', but the class declares feedthrough = False",
            location=cls._info.location,
            advice="declare feedthrough = True, or compute outputs from states alone",
        )
    return LanguageError(
        "E190",
        f"the code of {cls.__name__} reads '{name}' in a way that was not detected",
        location=cls._info.location,
        advice=f"read it in the method itself: self.{name}",
    )


def _of_class(cls: type[Any], name: str) -> Any:
    """What the user's class body defines under a name, besides declarations."""
    for base in cls.__mro__:
        if base.__module__.startswith("tellegen.frontends"):
            continue
        value = base.__dict__.get(name)
        if value is not None and not isinstance(value, Declaration):
            return value
    return None


def names_read(cls: type[Any], code: object) -> set[str] | None:
    """The names that a method and the methods it calls read from `self`; None where that cannot be determined.

    Read off the bytecode: every use of `self` must be `self.name`.
    """
    read: set[str] = set()
    waiting = [code]
    seen = set()
    while waiting:
        function = waiting.pop()
        if function in seen:
            continue
        seen.add(function)
        mine = _attributes(function)
        if mine is None:
            return None
        read |= mine
        for name in mine:
            found = _of_class(cls, name)
            if isinstance(found, property):
                waiting.append(found.fget)
            elif isinstance(found, FunctionType):
                waiting.append(found)
            elif hasattr(found, "__get__") and not isinstance(found, staticmethod):
                return None  # a descriptor of any other kind may hand `self` to whomever it likes
    return read


def _attributes(function: object) -> set[str] | None:
    if not isinstance(function, FunctionType) or not function.__code__.co_argcount:
        return None
    code = function.__code__
    me = code.co_varnames[0]
    if "__class__" in code.co_freevars:
        return None  # super() reads `self` without naming it
    if me in code.co_cellvars or any(isinstance(c, CodeType) and me in c.co_freevars for c in code.co_consts):
        return None  # a function inside uses it
    found: set[str] = set()
    steps = [step for step in dis.get_instructions(code) if step.opname != "CACHE"]
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        kinds = re.findall("(STORE|LOAD|DELETE)_FAST", step.opname)  # from Python 3.13 on one step may be two
        names = step.argval if isinstance(step.argval, tuple) else (step.argval,)
        mine = [k for k, name in enumerate(names[: len(kinds)]) if name == me]
        if not mine:
            continue
        read = mine == [len(kinds) - 1] and kinds[-1] == "LOAD" and following is not None
        if not read or following is None or following.opname not in ("LOAD_ATTR", "LOAD_METHOD"):
            return None
        found.add(following.argval)
    return found
