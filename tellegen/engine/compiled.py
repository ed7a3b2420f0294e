"""CompiledModel: native code and what it needs to know; no numbers of any run.

Immutable and shared freely: parameters and starts come with each call, work space belongs to the run. Pickles carry
the text of the code; the receiving process compiles it again, from the cache on disk.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.engine.asked import seconds
from tellegen.engine.callback import Callback, forget
from tellegen.engine.emit import Record
from tellegen.engine.ida_callbacks import MODEL
from tellegen.engine.jit import MachineCode
from tellegen.engine.linear import Elimination
from tellegen.engine.options import MAX_STEPS, often_asked, until
from tellegen.engine.sundials import sundials
from tellegen.errors import users_call
from tellegen.ir.flat import FlatModel
from tellegen.ir.initial import InitialOrder
from tellegen.ir.model import FloatArray
from tellegen.ir.ode import OdeCode
from tellegen.ir.program import NativeText, Pointer, Program
from tellegen.ir.reduced import ReducedModel, Wanted
from tellegen.ir.states import with_stages
from tellegen.ir.table import Table

if TYPE_CHECKING:
    from tellegen.dataflow.schedule import Schedule
    from tellegen.engine.ode import OdeMachine
    from tellegen.engine.report import Report
    from tellegen.engine.solution import Solution


class NativeEntry:
    """An entry point: addresses of its functions and of its index tables, callable from Python with NumPy arrays."""

    def __init__(
        self, addresses: list[int], tables: tuple[Any, ...], signature: tuple[int, int], code: Any = None
    ) -> None:
        scalars, arrays = signature
        self.addresses = np.array(addresses, np.int64)
        opaque = {k: Callback(table) for k, table in enumerate(tables) if isinstance(table, Pointer)}
        words = [_address(table, opaque.get(k)) for k, table in enumerate(tables)]
        self.tables = np.array(words, np.int64).reshape(-1, 2)
        kind = ctypes.CFUNCTYPE(None, *[ctypes.c_double] * scalars, *[ctypes.c_void_p] * (arrays + 1))
        self.functions = [kind(address) for address in addresses]
        self._scalars = scalars
        self._kept = (tables, opaque, code)  # addresses hold as long as these live

    def at_rows(self, numbers: Any, *arrays: Any) -> None:
        """Call it once for each row of scalars; arrays of two dimensions are passed row by row."""
        first = [array.ctypes.data for array in arrays]
        step = [array.strides[0] if array.ndim == 2 else 0 for array in arrays]
        tables = self.tables.ctypes.data
        for k, scalars in enumerate(numbers):
            pointers = [a + k * s for a, s in zip(first, step, strict=True)]
            for function in self.functions:
                function(*scalars, *pointers, tables)

    def __call__(self, *arguments: Any) -> None:
        numbers = arguments[: self._scalars]
        pointers = [array.ctypes.data for array in arguments[self._scalars :]]
        for function in self.functions:
            function(*numbers, *pointers, self.tables.ctypes.data)


def _address(table: Any, opaque: Callback | None) -> tuple[int, int]:
    """Where native code finds a function, a table of numbers or an index table, and the rows of the last."""
    if opaque is not None:
        return opaque.address, 0
    return (table.data.ctypes.data, 0) if isinstance(table, Table) else (table.ctypes.data, len(table))


@dataclass(frozen=True, eq=False)
class CompiledModel:
    """A model ready to run."""

    reduced: ReducedModel
    program: Program
    native: NativeText
    pivots: dict[Any, Elimination] = field(default_factory=dict, repr=False)  # remembered from earlier runs
    remake: Callable[[ReducedModel], CompiledModel] | None = None  # compiles the model with other states
    variants: dict[bytes, CompiledModel] = field(default_factory=dict, repr=False)
    make_ode: Callable[[ReducedModel], OdeCode] | None = None  # orders the equations and compiles them for ODE mode
    order_initial: Callable[[ReducedModel, Wanted, bool], InitialOrder] | None = None  # the same for the initial time
    parts: dict[Any, Any] = field(default_factory=dict, repr=False)  # of initial systems, by what is free

    def with_states(self, stages: tuple[Any, ...]) -> CompiledModel:
        """The same model with another choice of states, compiled once and remembered."""
        key = b"".join(stage.tobytes() for stage in stages)
        if key not in self.variants:
            assert self.remake is not None
            made = self.remake(with_stages(self.reduced, stages))
            self.variants[key] = replace(made, variants=self.variants)
        return self.variants[key]

    @property
    def flat(self) -> FlatModel:
        """The flat model it was made from."""
        return self.reduced.flat

    @cached_property
    def _code(self) -> MachineCode:
        return MachineCode(self.native.modules)

    @cached_property
    def entries(self) -> dict[str, NativeEntry]:
        """The entry points of the program, loaded on first use."""
        code = self._code
        return {
            name: NativeEntry(
                [code.addresses[call] for call in self.native.calls[name]],
                self.native.tables[name],
                (len(entry.scalars), len(entry.arrays)),
                code,
            )
            for name, entry in self.program.entries.items()
        }

    @cached_property
    def ode(self) -> OdeMachine:
        """ODE mode, made on first use: a run with IDA does without."""
        from tellegen.engine.ode import OdeMachine

        return OdeMachine(self.make_ode(self.reduced) if self.make_ode is not None else None)

    def __getstate__(self) -> dict[str, Any]:
        return {
            name: self.__dict__[name]
            for name in ("reduced", "program", "native", "pivots", "remake", "make_ode", "order_initial")
        } | {"variants": {}, "parts": {}}

    def residual(self, t: float, y: FloatArray, yp: FloatArray, p: FloatArray) -> FloatArray:
        """F(t, y, y', p)."""
        r = np.zeros(self.program.size)
        self.entries["residual"](t, y, yp, p, r)
        return r

    def jacobian(self, t: float, y: FloatArray, yp: FloatArray, p: FloatArray, weights: tuple[float, float]) -> Any:
        """The entries of weights[0] dF/dy + weights[1] dF/dy' on the program's pattern."""
        values = np.zeros(self.program.pattern.count)
        self.entries["jacobian"](t, *weights, y, yp, p, values)
        return values

    def record(self, p: FloatArray) -> Record:
        """The model as SUNDIALS' callbacks see it, with the parameters of one run."""
        library = sundials()
        record = Record(MODEL)
        record.set(
            size=self.program.size,
            parameters=p,
            get_array=library.address["N_VGetArrayPointer"],
            get_values=library.address["SUNSparseMatrix_Data"],
        )
        for name in ("residual", "jacobian"):
            entry = self.entries[name]
            record.set(
                **{
                    f"{name}_calls": entry.addresses,
                    f"{name}_count": len(entry.addresses),
                    f"{name}_tables": entry.tables,
                }
            )
        return record

    @users_call
    def simulate(
        self,
        stop: float | str | None = None,
        *,
        start: float | str = 0.0,
        rtol: float = 1e-6,
        atol: float | None = None,
        points: int | Sequence[float] | FloatArray = 500,
        solver: str = "auto",
        max_steps: int = MAX_STEPS,
        chattering: str = "stop",
        parameters: Mapping[str, Any] | None = None,
        initial: Mapping[str, Any] | str | None = None,
        throw: bool = True,
    ) -> Solution:
        """Simulate from `start` to `stop`; see tg.simulate. Nothing is compiled again."""
        from tellegen.engine.run import complete, run

        forget()
        meant = self.flat.experiment
        start, stop = seconds("start", start), until(meant.stop if stop is None else stop)
        initial = meant.initial if initial is None else initial
        asked: Any = (start, stop, rtol, atol, points, solver, max_steps, chattering)
        try:
            options = often_asked(*asked)
        except TypeError:  # a list of output times
            options = often_asked.__wrapped__(*asked)
        solution = run(self, options, parameters, initial)
        if initial is not None and not isinstance(initial, str):
            from tellegen.engine.guesses import tell_guesses
            from tellegen.engine.snapshot import Snapshot

            if not isinstance(initial, Snapshot):
                tell_guesses(solution, initial)
        return complete(solution) if throw else solution

    def report(self) -> Report:
        """What the passes did, how large everything is, which states were chosen and why: print it."""
        from tellegen.engine.report import Report

        return Report(self)

    def schedule(self) -> Schedule:
        """In which order components are evaluated, level by level, and which of them can run at once: print it."""
        from tellegen.dataflow.schedule import schedule_of

        assert self.ode.sorted is not None, "a model is compiled with the way to order its equations"
        return schedule_of(self.ode.sorted)

    def equations(self, form: str = "text") -> Any:
        """The equations as they are solved: "text", "latex" (both texts) or "sympy" (a list of sympy.Eq)."""
        from tellegen.engine.equations import equations

        return equations(self.reduced, form)
