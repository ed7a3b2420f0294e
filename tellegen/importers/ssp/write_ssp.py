"""`tg.write_ssp`: a system made of FMUs, with its connections and parameter values, as an archive of SSP.

What read_ssp makes of an archive is what this writes: components that are FMUs, systems of such, and equations that
say where a signal comes from, perhaps times a factor, plus an offset.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tellegen.errors import DocumentError, users_call
from tellegen.fmi.archive import write_archive
from tellegen.fmi.description import FLOATS, INTEGERS, DefaultExperiment, Value, Variable
from tellegen.fmi.system_structure import Connection, Connector, FmuPart, SystemStructure, Transformation
from tellegen.fmi.write_system import ValuesFile, all_values, system_files
from tellegen.frontends.python.declarations.leaf import Leaf
from tellegen.frontends.python.expressions.symbol import Literal, Symbol
from tellegen.importers.fmu.fmu_use import FmuUse
from tellegen.importers.fmu.quantities import Quantity
from tellegen.ir.source_location import here
from tellegen.units import parse_quantities

_VALUES = "values"


@users_call
def write_ssp(
    system: Any,
    path: str | os.PathLike[str],
    *,
    stop: float | None = None,
    values_apart: bool = False,
    shared: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Write a system of FMUs as an archive of SSP, with the extension .ssp, for other programs and `tg.read_ssp`.

    The parts of `system` are FMUs (`tg.read_fmu`) or components made of such; its equations connect them: an input
    equals an output, or a factor times it plus an offset. Inputs and outputs of `system` are its connectors. `stop` is
    the end of the default experiment. Values of parameters are inside the description, with `values_apart` in a file of
    their own; `shared` gives one name to several of them there: `{"R": ["left.R", "right.R"]}`.
    """
    writer = _Writer()
    found = writer.structure(system, type(system).__name__, DefaultExperiment(stop=stop))
    apart = None
    if values_apart or shared:
        apart = ValuesFile(_VALUES, _names(shared or {}, dict(all_values(found))))
    write_archive(path, {**system_files(found, apart), **writer.files})


def _names(shared: Mapping[str, Sequence[str]], values: Mapping[str, Value]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    for name, targets in shared.items():
        for target in targets:
            if target not in values:
                raise _wrong(f"shared '{name}': there is no value '{target}'", f"one of {', '.join(values) or 'none'}")
        if len({values[target] for target in targets}) != 1:
            given = ", ".join(f"{target} = {values[target]}" for target in targets)
            raise _wrong(f"shared '{name}' needs one value, but {given}", "give these parameters the same value")
    return tuple((name, tuple(targets)) for name, targets in shared.items())


class _Writer:
    """Collects the FMUs of a system on the way."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def structure(self, system: Any, name: str, experiment: DefaultExperiment | None = None) -> SystemStructure:
        """A component as a system; those inside of it as well."""
        if not hasattr(system, "_info"):
            raise _wrong(f"'{name}' is not a component", "give a component made of FMUs")
        fmus: list[FmuPart] = []
        systems: list[SystemStructure] = []
        for member in system._info.children:
            child = getattr(system, member)
            use = getattr(type(child), "fmu", None)
            if child._count is not None:
                raise _wrong(f"'{member}' is an array", "SSP has no arrays: make the parts one by one")
            if use is None:
                systems.append(self.structure(child, member))
            else:
                fmus.append(self._fmu(member, child, use))
        if not fmus and not systems:
            raise _wrong(f"'{name}' is not made of FMUs", "make its parts with tg.read_fmu")
        connections = tuple(_connection(system, equation) for equation in _statements(system))
        made = SystemStructure(name, tuple(_ports(system)), tuple(fmus), tuple(systems), connections)
        return made if experiment is None else _with(made, experiment)

    def _fmu(self, name: str, component: Any, use: FmuUse) -> FmuPart:
        content = use.file.path.read_bytes()
        source = f"resources/{use.file.path.name}"
        if self.files.setdefault(source, content) != content:  # another FMU of that name
            source = f"resources/{name}-{use.file.path.name}"
            self.files[source] = content
        given = {**component._base, **component._values}
        values = [
            *use.texts,
            *(_value(name, each, given) for each in use.quantities.parameters if each.member in given),
        ]
        quantities = use.quantities
        ends = {"input": (*quantities.inputs, *quantities.discrete_inputs), "output": _outputs(use)}
        connectors = [
            Connector(each.variable.name, kind, _type(each.variable)) for kind, some in ends.items() for each in some
        ]
        return FmuPart(name, source, use.kind, tuple(values), tuple(connectors))


def _with(system: SystemStructure, experiment: DefaultExperiment) -> SystemStructure:
    return SystemStructure(system.name, system.connectors, system.fmus, system.systems, system.connections, experiment)


def _outputs(use: FmuUse) -> tuple[Quantity, ...]:
    quantities = use.quantities
    states = tuple(each for each in quantities.states if each.variable.causality == "output")
    return (*quantities.outputs, *quantities.discrete_outputs, *states)


def _type(variable: Variable) -> str:
    if variable.base in FLOATS:
        return "Real"
    return "Integer" if variable.base in INTEGERS or variable.base == "Enumeration" else variable.base


def _value(part: str, quantity: Quantity, given: Mapping[str, Any]) -> tuple[str, Value]:
    """The value of a parameter as the FMU takes it."""
    value = given[quantity.member]
    if isinstance(value, Symbol) or quantity.shape:
        what = f"the value of '{part}.{quantity.member}' is not a number"
        raise _wrong(what, "SSP has numbers: no expressions of other parameters, no arrays")
    number = parse_quantities(value, quantity.unit)
    base = quantity.variable.base
    if base == "Boolean":
        return quantity.variable.name, bool(number)
    if base in FLOATS:
        return quantity.variable.name, float(number)
    return quantity.variable.name, int(number)


def _ports(system: Any) -> Iterator[Connector]:
    for name, declared in system._info.variables.items():
        kind = declared.role
        if kind not in ("input", "output"):
            what = f"'{name}' is a variable of a system of FMUs"
            raise _wrong(what, "such a system has inputs and outputs only")
        yield Connector(name, kind, "Real")


def _statements(system: Any) -> Iterator[Symbol]:
    """The equations of a system."""
    if any(hasattr(type(system), name) for name in ("connections", "initial_equations", "events")):
        raise _wrong("it has more than equations", "connect inputs and outputs by equations alone")
    equations = system.equations() if hasattr(type(system), "equations") else ()
    for equation in equations:
        if not isinstance(equation, Symbol) or equation.op != "eq":
            raise _wrong(f"'{equation}' is not an equation between two signals", "SSP has connections only")
        yield equation


def _connection(system: Any, equation: Symbol) -> Connection:
    """An equation as a connection: one side is an input of a part or an output of the system."""
    for end, source in (equation.args, equation.args[::-1]):
        if isinstance(end, Leaf) and _takes(system, end):
            found = _linear(source)
            if found is not None and _gives(system, found[1]):
                factor, start, offset = found
                transformation = Transformation(factor, offset + 0.0)  # no negative zero
                return Connection(*_name(system, start), *_name(system, end), transformation)
    what = f"'{equation.args[0]} == {equation.args[1]}' is not a connection"
    raise _wrong(what, "an input of a part equals an output of another, or factor * output + offset, with numbers")


def _linear(value: Symbol) -> tuple[float, Leaf, float] | None:
    """The factor, signal and offset of an expression that has one signal."""
    if isinstance(value, Leaf):
        return 1.0, value, 0.0
    parts = [part for part in value.args if not isinstance(part, Literal)]
    numbers = [float(part.value) for part in value.args if isinstance(part, Literal) and not part.shape]
    found = _linear(parts[0]) if len(parts) == 1 and len(numbers) == len(value.args) - 1 else None
    if found is None:
        return None
    factor, signal, offset = found
    match value.op:
        case "neg":
            return -factor, signal, -offset
        case "add":
            return factor, signal, offset + float(np.sum(numbers))
        case "mul":
            by = float(np.prod(numbers))
            return by * factor, signal, by * offset
        case "sub" if isinstance(value.args[1], Literal):
            return factor, signal, offset - numbers[0]
        case "sub":
            return -factor, signal, numbers[0] - offset
        case "div" if isinstance(value.args[1], Literal):
            return factor / numbers[0], signal, offset / numbers[0]
    return None


def _direction(leaf: Leaf) -> str:
    return getattr(leaf.decl, "role", "")


def _is_own(system: Any, leaf: Leaf) -> bool:
    return leaf.owner is system


def _takes(system: Any, leaf: Leaf) -> bool:
    return _direction(leaf) == ("output" if _is_own(system, leaf) else "input")


def _gives(system: Any, leaf: Leaf) -> bool:
    return not _takes(system, leaf)


def _name(system: Any, leaf: Leaf) -> tuple[str, str]:
    """The part and its connector, by their names in SSP."""
    owner = leaf.owner
    if _is_own(system, leaf):
        return "", leaf.decl.name
    if owner._parent is not system:
        raise _wrong(f"'{leaf}' is inside of a part", "connect to inputs and outputs of the parts themselves")
    use = getattr(type(owner), "fmu", None)
    if use is None:
        return owner._name, leaf.decl.name
    quantities = use.quantities
    known = (*quantities.inputs, *quantities.discrete_inputs, *_outputs(use), *quantities.states)
    names = {each.member: each.variable.name for each in known}
    return owner._name, names[leaf.decl.name]


def _wrong(what: str, advice: str) -> DocumentError:
    return DocumentError("E891", f"this system cannot be written as SSP: {what}", location=here(), advice=advice)
