"""An operator of a software component written in Python: what it reads, and how it is called with numbers."""

from __future__ import annotations

import dis
import re
from dataclasses import dataclass
from types import CodeType, FunctionType, SimpleNamespace
from typing import Any

from tellegen.errors import LanguageError
from tellegen.frontends.python.declare import Declaration
from tellegen.frontends.python.refusal import unknown_name, users_code
from tellegen.frontends.python.results import as_numbers


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
        code, record = getattr(self.cls, self.method), Record()
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

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = _of_class(self._class, name)
        if found is not None:
            return found.__get__(self) if hasattr(found, "__get__") else found
        declared = self._class._info.variables.get(name)
        if declared is not None and declared.role == "input":
            raise LanguageError(
                "E190",
                f"outputs() of {self._class.__name__} reads its input '{name}', but the class says feedthrough = False",
                place=self._class._info.place,
                advice="say feedthrough = True, or compute outputs from states alone",
            )
        numbers = [known for known in vars(self) if known != "_class"]
        known = dict.fromkeys([*numbers, *self._class._info.variables, *self._class._info.parameters], "")
        raise unknown_name(f"self in {self._class.__name__}", name, known)


def _of_class(cls: type[Any], name: str) -> Any:
    """What the user's class body defines under a name, besides declarations."""
    for base in cls.__mro__:
        if base.__module__.startswith("tellegen.frontends"):
            return None
        value = base.__dict__.get(name)
        if value is not None and not isinstance(value, Declaration):
            return value
    return None


def names_read(cls: type[Any], code: Any) -> set[str] | None:
    """The names that a method and the methods it calls read from `self`; None where that cannot be told.

    Read off the bytecode: every use of `self` must be `self.name`.
    """
    read: set[str] = set()
    waiting, seen = [code], set()
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
            elif isinstance(found, (FunctionType, classmethod)):
                waiting.append(found)
    return read


def _attributes(function: Any) -> set[str] | None:
    if not isinstance(function, FunctionType) or not function.__code__.co_argcount:
        return None
    code = function.__code__
    me = code.co_varnames[0]
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
