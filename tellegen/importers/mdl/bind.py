"""From the name of a primitive module to a component: a C file beside the .mdl file, or a class given by the user.

The ports of a class are its inputs and outputs in the order declared, its states (what has a start value) and
parameters likewise: setState and setParam give them numbers in this order, in declared units.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.dataflow.direct_inputs import direct_inputs
from tellegen.errors import DocumentError, TellegenError
from tellegen.frontends.python.software.software import direct_inputs as software_inputs
from tellegen.importers.counted import counted
from tellegen.importers.mdl.network import Primitive
from tellegen.importers.mdl.syntax import Arrays, Initialization, Interface, Submodule
from tellegen.importers.mdl.wiring import Shape, Structure
from tellegen.importers.sbs.binary import sizes_of
from tellegen.importers.sbs.c_component import Wanted, component_class
from tellegen.importers.sbs.component import CComponent
from tellegen.importers.sbs.parameters import parameters_of
from tellegen.importers.sbs.source import CSource
from tellegen.ir.source_location import SourceLocation
from tellegen.stages import sort_model


@dataclass(frozen=True)
class Initial:
    """What the configuration around an instance says of it; None where it says nothing."""

    states: Initialization | None = None
    parameters: Initialization | None = None

    @property
    def arrays(self) -> Arrays:
        """The arrays of parameters."""
        return self.parameters.arrays if self.parameters is not None else ()

    @property
    def start(self) -> tuple[float, ...]:
        """The initial states, whether in one array or several."""
        arrays = self.states.arrays if self.states is not None else ()
        return tuple(number for array in arrays for number in array)


class Binder:
    """Makes primitives; a class is made once for a source and the sizes of its arrays."""

    def __init__(self) -> None:
        self._classes: dict[Any, Any] = {}

    def of_source(
        self, source: CSource, submodule: Submodule, initial: Initial, interface: Interface | None
    ) -> Primitive:
        """An instance of a C component."""
        location = initial.parameters.location if initial.parameters is not None else submodule.location
        parameters = parameters_of(source, initial.arrays, location)
        declared = interface.feedthrough if interface is not None else None
        key = (source.text, source.file, parameters.lengths, declared)
        if key not in self._classes:
            wanted = Wanted(parameters=initial.arrays, feedthrough=declared)
            self._classes[key] = component_class(source, wanted, submodule.location)
        cls = self._classes[key]
        self._check_sizes(source, cls, parameters.numbers(), location)
        return of_class(cls, submodule, initial, interface)

    @staticmethod
    def _check_sizes(source: CSource, cls: Any, numbers: Arrays, location: SourceLocation) -> None:
        """Sizes that depend on parameters would be other sizes for other instances of one class."""
        if replace(sizes_of(source, numbers), depends=False) != replace(cls._code.sizes, depends=False):
            raise DocumentError(
                "E866",
                f"the parameters of this '{source.name}' give it other sizes than those of another instance",
                location=location,
                advice="make sizes depend on the lengths of arrays, or use two sources",
            )


def of_class(cls: Any, submodule: Submodule, initial: Initial, interface: Interface | None) -> Primitive:
    """An instance of a component class."""
    inputs = _inputs(cls, interface)
    outputs = _ports(cls, "output")
    states = _states(cls)
    shape = Shape(*(tuple(_structure(cls, name) for name in part) for part in (inputs, outputs)))
    reads = frozenset(k for k in _reads(cls) if k < len(inputs))
    _check_interface(submodule, interface, {"input": len(inputs), "output": len(outputs), "state": len(states)})
    values = {**_parameters(cls, submodule, initial), **_starts(cls, states, submodule, initial)}
    make = partial(_made, cls, values, submodule)
    return Primitive(submodule.module, shape, inputs, outputs, len(states), reads, make)


def _made(cls: Any, values: dict[str, Any], submodule: Submodule) -> Any:
    component = cls(**values)
    component.__dict__["_mark"] = (submodule.location.file, submodule.location.line)
    return component


def _ports(cls: Any, role: str) -> tuple[str, ...]:
    return tuple(name for name, decl in cls._info.variables.items() if decl.role == role)


def _inputs(cls: Any, interface: Interface | None) -> tuple[str, ...]:
    """The inputs that are ports: the last ones may have defaults and be left out, which the interface says."""
    names = _ports(cls, "input")
    needed = [k for k, name in enumerate(names) if "default" not in cls._info.variables[name].attributes]
    least = max(needed, default=-1) + 1
    count = max(least, interface.inputs) if interface is not None else least
    return names[:count]


def _states(cls: Any) -> tuple[str, ...]:
    """The variables that have a start value: in code all of its states."""
    if issubclass(cls, CComponent):
        return cls._code.states
    known = {name: decl for name, decl in cls._info.variables.items() if decl.role in ("local", "output")}
    return tuple(name for name, decl in known.items() if "start" in decl.attributes)


def _structure(cls: Any, name: str) -> Structure:
    declared = cls._info.variables[name]
    return Structure(tuple(declared.shape_text), declared.unit)


@cache
def _reads(cls: Any) -> frozenset[int]:
    """The inputs that outputs depend on directly: read off code, or found by sorting the equations."""
    inputs = _ports(cls, "input")
    if issubclass(cls, CComponent):
        found = cls._code.feedthrough
    elif issubclass(cls, tg.Software):
        found = software_inputs(cls)
    else:
        found = _sorted_inputs(cls, inputs)
    return frozenset(k for k, name in enumerate(inputs) if name in found)


def _sorted_inputs(cls: Any, inputs: tuple[str, ...]) -> set[str]:
    """Those of a component of equations; all of them where it cannot be sorted by itself, or has events."""
    try:
        model = sort_model(cls())
    except TellegenError:
        return set(inputs)
    names = model.flat.variables.name
    wanted = set(_ports(cls, "output"))
    outputs = [k for k in range(model.flat.variables.count) if names(k).partition("[")[0] in wanted]
    found = direct_inputs(model, outputs)
    return set(inputs) if found is None else {names(k).partition("[")[0] for k in found}


def _check_interface(submodule: Submodule, interface: Interface | None, found: dict[str, int]) -> None:
    """What the module declares is what its code or class has."""
    if interface is None:
        return
    declared = {"input": interface.inputs, "output": interface.outputs, "state": interface.states}
    for what, said in declared.items():
        there = found[what]
        if said is not None and said != there:
            raise DocumentError(
                "E868",
                f"the module '{submodule.module}' declares {counted(said, what)}, its implementation has {there}",
                location=interface.location,
                advice=f"write declare({what}s, {there}); or bind another implementation",
            )


def _starts(cls: Any, states: tuple[str, ...], submodule: Submodule, initial: Initial) -> dict[str, Any]:
    if initial.states is None:
        return {}
    if len(initial.start) != len(states):
        listed = f": {', '.join(states)}" if states else ""
        raise DocumentError(
            "E866",
            f"'{submodule.instance}' has {counted(len(states), 'state')}{listed}; "
            f"setState gives {counted(len(initial.start), 'number')}",
            location=initial.states.location,
            advice="give one number for each state",
        )
    out = {}
    for name, number in zip(states, initial.start, strict=True):
        is_discrete = cls._info.variables[name].discrete
        out[name] = tg.variable(start=number) if is_discrete else tg.variable(start=number, fixed=True)
    return out


def _parameters(cls: Any, submodule: Submodule, initial: Initial) -> dict[str, Any]:
    """The numbers of setParam, in the order in which the class declares its parameters."""
    if initial.parameters is None:
        return {}
    numbers = [number for array in initial.arrays for number in array]
    names = [name for name in cls._info.parameters if not (issubclass(cls, CComponent) and name == "period")]
    sizes = [math.prod(_lengths(cls, name)) for name in names]
    if sum(sizes) != len(numbers):
        listed = f": {', '.join(names)}" if names else ""
        raise DocumentError(
            "E866",
            f"'{submodule.instance}' has {counted(sum(sizes), 'parameter')}{listed}; "
            f"setParam gives {counted(len(numbers), 'number')}",
            location=initial.parameters.location,
            advice="give the parameters in the order in which the class declares them",
        )
    parts = np.split(np.array(numbers), np.cumsum(sizes)[:-1]) if names else []
    shaped = [part.reshape(_lengths(cls, name)) for name, part in zip(names, parts, strict=True)]
    return {name: part.tolist() for name, part in zip(names, shaped, strict=True)}


def _lengths(cls: Any, name: str) -> tuple[int, ...]:
    return tuple(n for n in cls._info.parameters[name].shape_text if isinstance(n, int))
