"""A model that runs without Python: its image, and the code that the image refers to.

Symbols have prefixes: names of procedures such as `advance` also exist in C libraries, and the two programs of a model
have functions of the same name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tellegen.engine.loaded.native_entry import LoadedEntries
from tellegen.engine.native.user_functions import kernel_module
from tellegen.engine.runtime.instance.instance_record import Instance
from tellegen.engine.runtime.runtimes import standalone_functions
from tellegen.exporters.image.image import Image, image_of
from tellegen.exporters.image.prepared_run import PreparedRun
from tellegen.foreign import CFunction, CLibrary
from tellegen.ir.expressions.expr import Function
from tellegen.ir.program import Module, Pointer
from tellegen.symbolic.kernels.kernel import ENTRY, Kernel

RUNTIME = "tellegen_"
"""The prefix of the procedures that are the same for all models."""

_SUBSTITUTES = {
    ("LuFactors", "repivot"): RUNTIME + "no_new_pivots",
    ("LuFactors", "get_array"): "",
    ("LuFactors", "get_values"): "",
    ("Ode", "get_array"): "",
}
"""Pivots were found before, and what asks SUNDIALS for numbers is not called by one-step methods."""


_DEFINED = re.compile(r"\b(\w+)\s*\([^;{}()]*\)\s*\{")
_STATEMENTS = {"if", "for", "while", "switch"}
"""Names before parentheses and a brace that are not functions."""


@dataclass(frozen=True, eq=False)
class Code:
    """A module of a model, and what its functions are called."""

    module: Module
    symbols: dict[str, str]


@dataclass(frozen=True)
class UserSource:
    """C source of the user, and what its functions are called here: others may have functions of the same names."""

    library: CLibrary
    symbols: tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class PythonFunction:
    """A function in Python, by its number, and how many numbers it is given."""

    number: int
    arity: int
    function: Function

    @property
    def symbol(self) -> str:
        """What stands for it in native code."""
        return f"python_{self.number}"


@dataclass(frozen=True, eq=False)
class Standalone:
    """The image of a prepared run, and the modules and C sources of its model; the runtime is not among them."""

    prepared: PreparedRun
    image: Image
    code: tuple[Code, ...]
    sources: tuple[UserSource, ...] = ()
    python: tuple[PythonFunction, ...] = ()


def standalone(prepared: PreparedRun) -> Standalone:
    """The image and the code of a run."""
    model = prepared.model
    functions = {address: RUNTIME + name for address, name in standalone_functions().items()}
    programs = {"equations_": model.entries, "ordered_": model.ode.entries}
    for k, other in enumerate(prepared.choices.models[1:] if prepared.choices is not None else ()):
        programs |= {f"equations{k}_": other.entries, f"ordered{k}_": other.ode.entries}
    if prepared.derivatives is not None:
        programs["derivatives_"] = prepared.derivatives.entries
    for prefix, entries in programs.items():
        functions |= dict(_functions(entries, prefix))
    pointers = _user_functions(list(programs.values()))
    called = {address: pointer.function.callable for address, pointer in pointers.items()}
    kernels = {address: each for address, each in called.items() if isinstance(each, Kernel)}
    functions |= {address: f"kernel_{k}" for k, address in enumerate(kernels)}
    libraries = list(dict.fromkeys(each.library for each in called.values() if isinstance(each, CFunction)))
    for address, each in called.items():
        if isinstance(each, CFunction):
            functions[address] = f"user{libraries.index(each.library)}_{each.symbol}"
    python: dict[tuple[Function, int], PythonFunction] = {}
    for address, pointer in pointers.items():
        if not isinstance(pointer.function.callable, Kernel | CFunction):
            made = PythonFunction(len(python), pointer.arity, pointer.function)
            functions[address] = python.setdefault((pointer.function, pointer.arity), made).symbol
    owners = (prepared, *programs.values())
    image = image_of(prepared.instance, Instance, owners, functions, _SUBSTITUTES)
    code = [Code(kernel_module(kernel), {ENTRY: f"kernel_{k}"}) for k, kernel in enumerate(kernels.values())]
    for prefix, entries in programs.items():
        for module in entries.native.modules:
            symbols = {name: prefix + name for name in module.functions}
            if set(symbols.values()) & set(image.functions):
                code.append(Code(module, symbols))
    sources = tuple(_source(k, library, called.values()) for k, library in enumerate(libraries))
    return Standalone(prepared, image, tuple(code), sources, tuple(python.values()))


def _source(number: int, library: CLibrary, called: Iterable[Any]) -> UserSource:
    """A library with new names of the functions that are called, and of others that its text defines."""
    names = {each.symbol for each in called if isinstance(each, CFunction) and each.library == library}
    names |= set(_DEFINED.findall(library.text)) - _STATEMENTS
    return UserSource(library, tuple((name, f"user{number}_{name}") for name in sorted(names)))


def _functions(entries: LoadedEntries, prefix: str) -> Iterator[tuple[int, str]]:
    """Addresses and symbols of the entries that are loaded."""
    for name, entry in entries.items():
        for address, call in zip(entry.addresses.tolist(), entries.native.calls[name], strict=True):
            yield address, prefix + call


def _user_functions(programs: list[LoadedEntries]) -> dict[int, Pointer]:
    """The user's functions that entries call, by address."""
    loaded = (entry for entries in programs for entry in entries.values())
    return {each.address: each.pointer for entry in loaded for each in entry.callbacks.values()}
