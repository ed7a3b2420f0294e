"""Equations in symbols as source code: functions of NumPy or C99 that need nothing of Tellegen.

    mass_matrix(q, p)       p are the parameters, as VALUES has them; in C the rows stand one after the other

Common subexpressions are computed once (SymPy's cse).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tellegen.symbolic.to_sympy import the_package

LONG = 10**6
"""Numerators and denominators below are written as they are."""
WHY = "the numbers of tg.mechanism work without it"
_ARGUMENTS = "q v a p out numpy VALUES PARAMETERS"
_OF_C = (
    "auto break case char const continue default do double else enum extern float for goto if inline int long register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while"
)
RESERVED = frozenset(f"{_ARGUMENTS} {_OF_C}".split())
"""Names of arguments, and words of C."""


@dataclass(frozen=True, eq=False)
class Vector:
    """An argument of functions: its letter, and the symbols that are its elements."""

    name: str
    symbols: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class MatrixFunction:
    """A function: what it computes, from which vectors."""

    name: str
    what: str
    value: Any  # a SymPy matrix
    arguments: tuple[Vector, ...]
    flat: bool = False  # a column that is returned as a vector

    def rewritten(self, parameters: dict[Any, float], new: dict[Any, Any]) -> MatrixFunction:
        """With these parameters only, and with other symbols."""
        vectors = [Vector("p", tuple(parameters)) if one.name == "p" else one for one in self.arguments]
        renamed = (Vector(one.name, tuple(new.get(s, s) for s in one.symbols)) for one in vectors)
        return replace(self, value=self.value.xreplace(new).applyfunc(_in_floats), arguments=tuple(renamed))


@dataclass(frozen=True, eq=False)
class Program:
    """What is to be written: functions, and the parameters with their numbers."""

    title: str
    functions: tuple[MatrixFunction, ...]
    parameters: dict[Any, float]

    def printable(self) -> Program:
        """The same with the parameters that occur, and symbols renamed whose names mean something else in code."""
        occurring = {symbol for function in self.functions for symbol in function.value.free_symbols}
        kept = {symbol: value for symbol, value in self.parameters.items() if symbol in occurring}
        symbols = {s for function in self.functions for vector in function.arguments for s in vector.symbols}
        new = {s: s.func(f"{s}_", **s.assumptions0) for s in symbols if str(s) in RESERVED}
        functions = tuple(function.rewritten(kept, new) for function in self.functions)
        return Program(self.title, functions, {new.get(symbol, symbol): value for symbol, value in kept.items()})


def _in_floats(value: Any) -> Any:
    """Numbers that code would not compute exactly (roots, long fractions) as they are stored."""

    def long(one: Any) -> bool:
        return bool(one.is_number) and not (one.is_Rational and abs(one.p) < LONG and one.q < LONG)

    return value.replace(long, lambda one: one.evalf(17))


def python_source(program: Program) -> str:
    """A module of NumPy."""
    sympy = the_package(WHY)
    program = program.printable()
    printer = sympy.printing.numpy.NumPyPrinter()
    names = "".join(f'    "{symbol}",\n' for symbol in program.parameters)
    values = "".join(f"    {value!r},\n" for value in program.parameters.values())
    lines = [
        f'"""{program.title}; p are the parameters in the order of PARAMETERS."""',
        "",
        "import numpy",
        "",
        f"PARAMETERS = (\n{names})",
        f"VALUES = numpy.array((\n{values}))",
    ]
    for function in program.functions:
        lines += ["", "", *_python_function(sympy, printer, function)]
    return "\n".join(lines) + "\n"


def c_source(program: Program) -> str:
    """Functions of C99; matrices are written row by row."""
    sympy = the_package(WHY)
    program = program.printable()
    lines = [f"/* {program.title}.", "   p are the parameters, as in VALUES:"]
    lines += [f"   p[{k}] {symbol}" for k, symbol in enumerate(program.parameters)]
    values = ", ".join(repr(value) for value in program.parameters.values())
    count = max(1, len(program.parameters))
    lines += ["*/", "#include <math.h>", "", f"const double VALUES[{count}] = {{{values or '0.0'}}};"]
    for function in program.functions:
        lines += ["", *_c_function(sympy, function)]
    return "\n".join(lines) + "\n"


def _python_function(sympy: Any, printer: Any, function: MatrixFunction) -> list[str]:
    shared, entries = _shared(sympy, function)
    names = [vector.name for vector in function.arguments]
    arguments = ", ".join(f"{name}=VALUES" if name == "p" else name for name in names)
    lines = [f"def {function.name}({arguments}):", f'    """{function.what}."""']
    lines += [f"    {symbol} = {place}" for symbol, place in _used(function, shared, entries)]
    lines += [f"    {symbol} = {printer.doprint(value)}" for symbol, value in shared]
    rows, columns = function.value.shape
    printed = [printer.doprint(entry) for entry in entries]
    if function.flat:
        return [*lines, f"    return numpy.array([{', '.join(printed)}], float)"]
    shown = ", ".join(f"[{', '.join(printed[columns * k : columns * (k + 1)])}]" for k in range(rows))
    return [*lines, f"    return numpy.array([{shown}], float)"]


def _c_function(sympy: Any, function: MatrixFunction) -> list[str]:
    shared, entries = _shared(sympy, function)
    rows, columns = function.value.shape
    arguments = ", ".join(f"const double {vector.name}[{max(1, len(vector.symbols))}]" for vector in function.arguments)
    lines = [f"/* {function.what} */", f"void {function.name}({arguments}, double out[{max(1, rows * columns)}])", "{"]
    lines += [f"    const double {symbol} = {place};" for symbol, place in _used(function, shared, entries)]
    lines += [f"    const double {symbol} = {sympy.ccode(value)};" for symbol, value in shared]
    lines += [f"    out[{k}] = {sympy.ccode(entry)};" for k, entry in enumerate(entries)]
    unused = [v.name for v in function.arguments if not any(s in _symbols(shared, entries) for s in v.symbols)]
    return [*lines, *(f"    (void){name};" for name in unused), "}"]


def _shared(sympy: Any, function: MatrixFunction) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """Common subexpressions by name, and the entries of the matrix with them."""
    entries = list(function.value)
    taken = {str(symbol) for vector in function.arguments for symbol in vector.symbols}
    names = (symbol for symbol in sympy.numbered_symbols("t") if str(symbol) not in taken)
    shared, reduced = sympy.cse(entries, symbols=names)
    return shared, list(reduced)


def _used(function: MatrixFunction, shared: Sequence[Any], entries: Sequence[Any]) -> Iterable[tuple[Any, str]]:
    """The elements of arguments that occur, and where they stand."""
    occurring = _symbols(shared, entries)
    for vector in function.arguments:
        for k, symbol in enumerate(vector.symbols):
            if symbol in occurring:
                yield symbol, f"{vector.name}[{k}]"


def _symbols(shared: Sequence[Any], entries: Sequence[Any]) -> set[Any]:
    return {symbol for value in (*(value for _, value in shared), *entries) for symbol in value.free_symbols}
