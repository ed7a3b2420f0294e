"""Operators of software components written in C: from a shared library, or from source that is compiled on demand.

Before the source stand the places of all names in their arrays, so that nobody has to count:

    enum { X_integral }; enum { U_error }; enum { P_kp, P_period }; enum { Y_command };

    void outputs(double time, const double *x, const double *u, const double *p, double *y)
    { y[Y_command] = p[P_kp] * u[U_error] + x[X_integral]; }
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tellegen.errors import LanguageError
from tellegen.foreign import CFunction, CLibrary
from tellegen.frontends.python.classinfo import class_place
from tellegen.ir.place import Place, here

_LETTERS = {"states": "X", "inputs": "U", "parameters": "P", "outputs": "Y"}


@dataclass(frozen=True)
class CCode:
    """A function `symbol` in C source or in a shared library (`where` is a text or a path)."""

    where: str
    symbol: str
    place: Place | None = None

    def reads(self, names: dict[str, list[str]]) -> set[str] | None:
        """The inputs that the text of the function mentions; None where that cannot be told."""
        text = _text(self.where, self.place)
        bare = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text or "", flags=re.DOTALL)
        found = re.search(rf"\bvoid\s+{self.symbol}\s*\(([^)]*)\)\s*\{{", bare)
        if text is None or found is None or "#define" in bare or '#include "' in bare:
            return None
        parameters = [re.search(r"(\w+)\s*(?:\[\s*\])?\s*$", part) for part in found[1].split(",")]
        inputs = parameters[2] if len(parameters) == 5 else None
        if inputs is None:
            return None
        everything = dict(enumerate(names["inputs"])) | {f"U_{name}": name for name in names["inputs"]}
        read: set[str] = set()
        for use in re.finditer(rf"\b{inputs[1]}\b(?:\s*\[\s*(\w+)\s*\])?", _body(bare[found.end() :])):
            index = int(use[1]) if (use[1] or "").isdigit() else use[1]
            if index not in everything:
                return None
            read.add(everything[index])
        return read

    def function(self, cls: type[Any], names: dict[str, list[str]], outputs: int) -> CFunction:
        """The function for a class whose members have these names."""
        parts = (len(names["states"]), len(names["inputs"]), len(names["parameters"]))
        text, place = _text(self.where, self.place or class_place(cls)), class_place(cls)
        if text is None:
            library = CLibrary(path=self.where, name=f"'{self.where}'", place=place)
        else:
            library = CLibrary(text=text, header=_header(names), name=cls.__name__, place=place)
        function = CFunction(library, self.symbol, parts, outputs)
        assert function.address  # compiled and loaded now, so that mistakes show before anything runs
        return function


def c_code(where: str | os.PathLike[str], symbol: str) -> Any:
    """An operator of a software component in C: `where` is C source, the path of a .c file or of a shared library.

    void symbol(double time, const double *x, const double *u, const double *p, double *y) gets states, inputs and
    parameters in the order and units declared, and fills in the outputs (or rates, or next states).
    """
    return CCode(str(where), symbol, here())


def in_source(cls: type[Any], operators: tuple[str, ...]) -> dict[str, CCode]:
    """The operators that the `source` of a class defines."""
    where, place = str(cls.source), class_place(cls)
    text = _text(where, place)
    found = [name for name in operators if re.search(rf"\bvoid\s+{name}\s*\(", text or "")]
    if not found:
        raise LanguageError(
            "E190",
            f"the C source of {cls.__name__} defines none of {', '.join(operators)}",
            place=place,
            advice="void outputs(double time, const double *x, const double *u, const double *p, double *y) { ... }\n"
            "in `source`, a text or the path of a .c file; of a shared library: outputs = tg.c_code(path, name)",
        )
    return {name: CCode(where, name, place) for name in found}


def _text(where: str, place: Place | None) -> str | None:
    """C source given as text or in a file, which may lie beside the file that names it; None for a shared library."""
    if "{" in where or "\n" in where:
        return where
    if not where.endswith(".c"):
        return None
    beside = Path(place.file).parent / where if place is not None else Path(where)
    for path in (Path(where), beside):
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise LanguageError("E191", f"there is no file '{where}'", place=place, advice="give the path of a C source")


def _body(text: str) -> str:
    """What stands before the brace that closes a function."""
    depth = 1
    for k, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if not depth:
            return text[:k]
    return text


def _header(names: dict[str, list[str]]) -> str:
    """The places of names in their arrays."""
    lists = [", ".join(f"{letter}_{name}" for name in names[part]) for part, letter in _LETTERS.items() if names[part]]
    return "\n".join(["#include <math.h>", *(f"enum {{ {names} }};" for names in lists), ""])
