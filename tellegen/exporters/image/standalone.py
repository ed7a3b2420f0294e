"""A model that runs without Python: its image, and the code that the image refers to.

Symbols have prefixes: names of procedures such as `advance` also exist in C libraries, and the two programs of a model
have functions of the same name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tellegen.engine.loaded.native_entry import LoadedEntries
from tellegen.engine.native.user_functions import Callback, kernel_module
from tellegen.engine.runtime.instance.instance_record import Instance
from tellegen.engine.runtime.runtimes import standalone_functions
from tellegen.exporters.image.image import Image, image_of
from tellegen.exporters.image.prepared_run import PreparedRun
from tellegen.ir.program import Module, Pointer
from tellegen.symbolic.kernels.kernel import Kernel
from tellegen.symbolic.kernels.procedure import ENTRY

RUNTIME = "tellegen_"
"""The prefix of the procedures that are the same for all models."""

_SUBSTITUTES = {
    ("LuFactors", "repivot"): RUNTIME + "no_new_pivots",
    ("LuFactors", "get_array"): "",
    ("LuFactors", "get_values"): "",
    ("Ode", "get_array"): "",
}
"""Pivots were found before, and what asks SUNDIALS for numbers is not called by one-step methods."""


@dataclass(frozen=True, eq=False)
class Code:
    """A module of a model, and what its functions are called."""

    module: Module
    symbols: dict[str, str]


@dataclass(frozen=True, eq=False)
class Standalone:
    """The image of a prepared run, and the modules of its model; the runtime is not among them."""

    prepared: PreparedRun
    image: Image
    code: tuple[Code, ...]


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
    kernels = dict(_kernels(list(programs.values())))
    functions |= {address: f"kernel_{k}" for k, address in enumerate(kernels)}
    owners = (prepared, *programs.values())
    image = image_of(prepared.instance, Instance, owners, functions, _SUBSTITUTES)
    code = [Code(kernel_module(kernel), {ENTRY: f"kernel_{k}"}) for k, kernel in enumerate(kernels.values())]
    for prefix, entries in programs.items():
        for module in entries.native.modules:
            symbols = {name: prefix + name for name in module.functions}
            if set(symbols.values()) & set(image.functions):
                code.append(Code(module, symbols))
    return Standalone(prepared, image, tuple(code))


def _functions(entries: LoadedEntries, prefix: str) -> Iterator[tuple[int, str]]:
    """Addresses and symbols of the entries that are loaded."""
    for name, entry in entries.items():
        for address, call in zip(entry.addresses.tolist(), entries.native.calls[name], strict=True):
            yield address, prefix + call


def _kernels(programs: list[LoadedEntries]) -> Iterator[tuple[int, Kernel]]:
    """The user's kernels that entries call, by address."""
    for entries in programs:
        for name in entries:
            for table in entries.native.tables[name]:
                if isinstance(table, Pointer) and isinstance(table.function.callable, Kernel):
                    yield Callback(table).address, table.function.callable
