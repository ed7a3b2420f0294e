"""The native kernels, by what runs need; `entry_points` says which procedures each of them is made of.

A model pays only for what it runs: each of these is compiled, or read from the cache, when it is first needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from tellegen.engine.native.extents import EXTENTS, Extents
from tellegen.engine.native.machine_code import MachineCode, code_of_this_process, runtime_code
from tellegen.ir.program import Module
from tellegen.start.later import later

with later():
    from tellegen.engine.runtime.entry_points import entries
    from tellegen.procedures.bounds import Guard
    from tellegen.procedures.load import load
    from tellegen.procedures.lower import lower

LONG_CODE = 1
HOT_LOOPS = 2
_ADDRESSES_ALONE: ContextVar[bool] = ContextVar("addresses_alone", default=False)
_LOADED: dict[str, MachineCode] = {}
_NAMED = ("events", "initial")
"""The runtimes that may stay away where records are only written down, and those of them that are loaded."""
"""How hard LLVM optimizes: long code that is run little, loops that take most of the time of large models."""


@cache
def ida_runtime() -> MachineCode:
    """What IDA calls, and sparse LU."""
    return _kernels("ida", HOT_LOOPS)


@cache
def watch_runtime() -> MachineCode:
    """The watch over states that are chosen as a model runs, and with it IDA and CVODE step by step."""
    return _kernels("watch", LONG_CODE)


@cache
def pivot_runtime() -> MachineCode:
    """The search for pivots of sparse matrices."""
    return _kernels("pivots", LONG_CODE)


@cache
def ode_runtime() -> MachineCode:
    """The right-hand side of ODE mode and the explicit method."""
    return _kernels("ode", LONG_CODE)


def event_runtime() -> MachineCode:
    """The iteration at events, root functions and their search in one-step methods, delays, the loop over segments."""
    return _loaded_or_named("events")


@cache
def time_scan_runtime() -> MachineCode:
    """Root functions over time, which runs are prepared with."""
    return _kernels("time_scan", LONG_CODE)


@cache
def rodas_runtime() -> MachineCode:
    """The Rosenbrock method."""
    return _kernels("rodas", LONG_CODE)


@cache
def step_log_runtime() -> MachineCode:
    """The last step of CVODE or IDA into the log, called from Python at the end of a segment."""
    return _kernels("step_log", LONG_CODE)


@cache
def projection_runtime() -> MachineCode:
    """The projection of states onto invariants, where there are some."""
    return _kernels("projection", HOT_LOOPS)


@cache
def block_runtime() -> MachineCode:
    """The solution of algebraic blocks, where there are some."""
    return _kernels("blocks", LONG_CODE)


@cache
def impulse_runtime() -> MachineCode:
    """States that jump together, where some do."""
    return _kernels("impulses", LONG_CODE)


def initial_runtime() -> MachineCode:
    """The equations at the initial time as steps."""
    return _loaded_or_named("initial")


@cache
def instance_runtime() -> MachineCode:
    """A run without Python."""
    return _kernels("instance", LONG_CODE)


@cache
def cvode_runtime() -> MachineCode:
    """What CVODE calls."""
    return _kernels("cvode", LONG_CODE)


@contextmanager
def addresses_alone() -> Iterator[None]:
    """Here records are made that are written down and never run in this process.

    The procedures of events, which take LLVM most of a second, then need not exist: where they are not loaded, their
    addresses are those of functions that do nothing but stop the process."""
    token = _ADDRESSES_ALONE.set(True)
    try:
        yield
    finally:
        _ADDRESSES_ALONE.reset(token)


def _loaded_or_named(name: str) -> MachineCode:
    """Procedures to be run, or stand-ins for them."""
    if _ADDRESSES_ALONE.get() and name not in _LOADED:
        return _named(name)
    if name not in _LOADED:
        _LOADED[name] = _kernels(name, LONG_CODE)
    return _LOADED[name]


@cache
def _named(name: str) -> MachineCode:
    """A function for each procedure: they differ by their addresses."""
    names = tuple(function.__name__ for function in entries(name))
    bodies = [f"define void @{each}() {{\n  call void @llvm.trap()\n  unreachable\n}}" for each in names]
    return code_of_this_process(Module("\n".join(["declare void @llvm.trap()", *bodies]), 0, names))


def loaded_runtimes() -> dict[str, MachineCode]:
    """Those with procedures that records of a run in ODE mode may refer to; no record has the address of another."""
    made = {
        "ode": ode_runtime,
        "block": block_runtime,
        "impulse": impulse_runtime,
        "rodas": rodas_runtime,
        "projection": projection_runtime,
        "watch": watch_runtime,
    }
    return _LOADED | {name: make() for name, make in made.items() if make.cache_info().currsize}


def standalone_functions() -> dict[int, str]:
    """The functions that records of a run in ODE mode may refer to, by their addresses in this process."""
    codes = [*loaded_runtimes().values(), *map(_named, _NAMED)]
    return {address: name for code in codes for name, address in code.addresses.items()}


@cache
def standalone_module(functions: tuple[Callable[..., Any], ...]) -> Module:
    """The text of a part of what runs without Python call (entry_points.py: standalone_parts)."""
    return procedure_module(functions, LONG_CODE)


def _kernels(name: str, optimize: int) -> MachineCode:
    return runtime_code(name, lambda: procedure_module(entries(name), optimize))


def procedure_module(functions: tuple[Callable[..., Any], ...], optimize: int) -> Module:
    """The text of a runtime. Nobody needs the compiler of procedures when the object is in the cache."""
    return lower(load(*functions), optimize, None if EXTENTS is None else _guard(EXTENTS))


@cache
def bounds_runtime() -> MachineCode:
    """The checks of array accesses that others call, with TELLEGEN_CHECK_BOUNDS=1."""
    return MachineCode((lower(load(*entries("bounds")), HOT_LOOPS),))


def _guard(extents: Extents) -> Guard:
    """What checked code calls."""
    checks = bounds_runtime().addresses
    return Guard(checks["check_access"], checks["check_index"], extents.address, extents.places)
