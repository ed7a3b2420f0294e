"""An FMU and how it is used: its variables, its instances in this process, and its evaluations as functions."""

from __future__ import annotations

import ctypes
import math
from functools import cache, cached_property
from typing import Any

import numpy as np

from tellegen.fmi.description import CoSimulation, ModelExchange
from tellegen.foreign import CFunction, CLibrary
from tellegen.importers.fmu.archive_files import FmuFile, load_library
from tellegen.importers.fmu.evaluations import Evaluated, Layout, layouts
from tellegen.importers.fmu.instance import Instance
from tellegen.importers.fmu.instance2 import FmuInstance2
from tellegen.importers.fmu.instance3 import FmuInstance3
from tellegen.importers.fmu.isolated import IsolatedInstance
from tellegen.importers.fmu.loaded import LoadedFmu
from tellegen.importers.fmu.native_calls import Call
from tellegen.importers.fmu.quantities import Quantities, quantities_of
from tellegen.ir.expressions.expr import Function
from tellegen.procedures.language import field_names
from tellegen.start.records import dataclass
from tellegen.symbolic.slope import SMALLEST

LABELS = len(field_names(Call))
"""The last arguments of an evaluation, which say of what instance and how."""


@dataclass(frozen=True)
class FmuUse:
    """An FMU, and how it is used: what its functions need to be made again in another process."""

    file: FmuFile
    kind: str
    also: tuple[str, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()
    """Parameters that are strings."""
    isolated: bool = False
    """Whether instances are in processes of their own."""

    @property
    def interface(self) -> ModelExchange | CoSimulation:
        """What the FMU offers for this use."""
        description = self.file.description
        found = description.model_exchange if self.kind == "me" else description.co_simulation
        assert found is not None
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return FmuUse, (self.file, self.kind, self.also, self.texts, self.isolated)

    @cached_property
    def quantities(self) -> Quantities:
        """Its variables."""
        return _quantities(self)

    @cached_property
    def layouts(self) -> dict[Evaluated, Layout]:
        """What is evaluated of it."""
        return layouts(self.file.description, self.quantities)

    @cached_property
    def library(self) -> ctypes.CDLL:
        """Its library in this process."""
        return load_library(self.file, self.interface)

    @cached_property
    def loaded(self) -> LoadedFmu:
        """Its instances in this process."""
        return _loaded(self)

    def new_instance(self) -> Instance:
        """An instance, not yet set."""
        interface = self.interface
        if self.isolated:
            assert isinstance(interface, CoSimulation)
            return IsolatedInstance(self.file, interface)
        kind = FmuInstance2 if self.file.description.version == "2.0" else FmuInstance3
        return kind(self.file, self.library, interface)


@cache
def _quantities(use: FmuUse) -> Quantities:
    return quantities_of(use.file, use.interface, use.also)


@cache
def _loaded(use: FmuUse) -> LoadedFmu:
    return LoadedFmu(use.interface, use.quantities, use.layouts if use.kind == "me" else {}, use.new_instance)


@dataclass(frozen=True, eq=False)
class Evaluation(CFunction):
    """One of the evaluations of native_calls.py."""

    use: FmuUse | None = None

    @property
    def address(self) -> int:
        """Where its code begins."""
        assert self.use is not None
        return self.use.loaded.address(self.symbol)

    def __call__(self, *numbers: float) -> Any:
        """The results for time, states, inputs, and which instance is meant."""
        function = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 4)(self.address)
        given = np.array(numbers, float)
        results = np.full(self.outputs, math.nan)
        states, inputs, _ = self.parts
        begin = given.ctypes.data + 8
        pointers = (begin, begin + 8 * states, begin + 8 * (states + inputs), results.ctypes.data)
        function(numbers[0], *pointers)
        return results.tolist() if self.outputs > 1 else float(results[0])


def evaluation(use: FmuUse, what: Evaluated, name: str) -> Function:
    """An evaluation as a function of time, states, inputs and the words of native_calls.Call."""
    layout = use.layouts[what]
    return Function(
        name,
        _native(use, layout, layout.entry, layout.values),
        layout.values,
        derivative=EvaluationSlopes(use, what),
        nominal=(SMALLEST,) * (layout.arity + LABELS),
        labels=LABELS,
        depends=layout.depends,
    )


@dataclass(frozen=True, eq=False)
class EvaluationSlopes:
    """`Function.derivative` of an evaluation."""

    use: FmuUse
    what: Evaluated

    def as_function(self, name: str) -> Function:
        """The derivatives as a function of their own, of which derivatives are difference quotients."""
        layout = self.use.layouts[self.what]
        count = sum(map(len, layout.depends))
        nominal = (SMALLEST,) * (layout.arity + LABELS)
        return Function(name, _native(self.use, layout, "fmu_slopes", count), count, nominal=nominal, labels=LABELS)

    def __call__(self, *numbers: float) -> Any:
        return self.as_function("slopes").callable(*numbers)


def _native(use: FmuUse, layout: Layout, entry: str, outputs: int) -> Evaluation:
    library = CLibrary(name=use.file.path.name, location=use.file.location)
    return Evaluation(library, entry, (layout.states, layout.inputs, LABELS), outputs, use)
