"""Operators of software components written in C: from a shared library, or from source that is compiled on demand.

Before the source stand the places of all names in their arrays, so that nobody has to count, and the operators as they
must be, so that the compiler rejects others:

    enum { X_integral }; enum { U_error }; enum { P_kp, P_period }; enum { Y_command };
    void outputs(double time, const double *x, const double *u, const double *p, double *y);

    void outputs(double time, const double *x, const double *u, const double *p, double *y)
    { y[Y_command] = p[P_kp] * u[U_error] + x[X_integral]; }
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tellegen.errors import LanguageError
from tellegen.foreign import CFunction, CLibrary, prototype
from tellegen.frontends.python.declarations.class_info import class_location
from tellegen.frontends.python.software.c_source import defined, inputs_read
from tellegen.ir.source_location import SourceLocation, here
from tellegen.start.records import dataclass

_LETTERS = {"states": "X", "inputs": "U", "parameters": "P", "outputs": "Y"}


@dataclass(frozen=True)
class CCode:
    """A function `symbol` in C source or in a shared library (`where` is a text or a path)."""

    where: str
    symbol: str
    location: SourceLocation | None = None

    def reads(self, names: dict[str, list[str]]) -> set[str] | None:
        """The inputs that the text of the function mentions; None where that cannot be determined."""
        text = _text(self.where, self.location)
        return None if text is None else inputs_read(text, self.symbol, names["inputs"])

    def function(self, cls: type[Any], names: dict[str, list[str]], outputs: int) -> CFunction:
        """The function for a class whose members have these names."""
        parts = (len(names["states"]), len(names["inputs"]), len(names["parameters"]))
        text = _text(self.where, self.location or class_location(cls))
        location = class_location(cls)
        if text is None:
            library = CLibrary(path=self.where, name=f"'{self.where}'", location=location)
        else:
            header = _header(names) + _prototypes(cls, names, self.where)
            library = CLibrary(text=text, header=header, name=cls.__name__, location=location)
        function = CFunction(library, self.symbol, parts, outputs)
        _ = function.address  # compiled and loaded now, so that mistakes show before anything runs
        return function


def c_code(where: str | os.PathLike[str], symbol: str) -> Any:
    """An operator of a software component in C: `where` is C source, the path of a .c file or of a shared library.

    void symbol(double time, const double *x, const double *u, const double *p, double *y) gets states, inputs and
    parameters in the order and units declared, and fills in the outputs (or rates, or next states).
    """
    return CCode(str(where), symbol, here())


def in_source(cls: type[Any], operators: tuple[str, ...]) -> dict[str, CCode]:
    """The operators that the `source` of a class defines."""
    where = str(cls.source)
    location = class_location(cls)
    text = _text(where, location)
    found = defined(text or "", operators)
    if not found:
        raise LanguageError(
            "E190",
            f"the C source of {cls.__name__} defines none of {', '.join(operators)}",
            location=location,
            advice=f"{prototype('outputs')} {{ ... }}\n"
            "in `source`, a string or the path of a .c file; from a shared library: outputs = tg.c_code(path, name)",
        )
    return {name: CCode(where, name, location) for name in found}


def _text(where: str, location: SourceLocation | None) -> str | None:
    """C source given as text or in a file, which may lie beside the file that names it; None for a shared library."""
    if "{" in where or "\n" in where:
        return where
    if not where.endswith(".c"):
        return None
    beside = Path(location.file).parent / where if location is not None else Path(where)
    for path in (Path(where), beside):
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise LanguageError("E191", f"there is no file '{where}'", location=location, advice="give the path of a C source")


def _header(names: dict[str, list[str]]) -> str:
    """The places of names in their arrays."""
    lists = [", ".join(f"{letter}_{name}" for name in names[part]) for part, letter in _LETTERS.items() if names[part]]
    return "\n".join(["#include <math.h>", *(f"enum {{ {names} }};" for names in lists), ""])


def _prototypes(cls: type[Any], names: dict[str, list[str]], where: str) -> str:
    """The operators of a class in one source, declared, so that the compiler rejects those of another type."""
    states = "next_states" if "period" in names["parameters"] else "derivatives"
    needed = [getattr(cls, operator) for operator, part in (("outputs", "outputs"), (states, "states")) if names[part]]
    mine = [code.symbol for code in needed if isinstance(code, CCode) and code.where == where]
    return "".join(f"{prototype(symbol)};\n" for symbol in mine)
