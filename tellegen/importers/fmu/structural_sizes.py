"""Structural parameters of an FMU of others (FMI 3.0): its description at the sizes that the user asks for.

Start values of arrays are listed for the sizes of the description. At others an instance is asked for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod
from typing import Any

from tellegen.errors import FmuError, nearest
from tellegen.fmi.description import ModelDescription, Variable
from tellegen.importers.fmu.archive_files import FmuFile
from tellegen.importers.fmu.fmu_use import FmuUse
from tellegen.importers.fmu.instances.instance3 import FmuInstance3
from tellegen.ir.source_location import SourceLocation


def checked_sizes(file: FmuFile, given: Mapping[str, int], location: SourceLocation) -> tuple[tuple[str, int], ...]:
    """Values of structural parameters that the FMU has, within its limits."""
    known = {each.name: each for each in file.description.variables if each.causality == "structuralParameter"}
    for name, value in given.items():
        if name not in known:
            what = f"{file.path.name} has no structural parameter '{name}'"
            advice = nearest(name, known) or f"it has {', '.join(known) or 'none: its sizes are fixed'}"
            raise FmuError("E521", what, location=location, advice=advice)
        low = max(known[name].attributes.minimum or 0, 0)
        high = known[name].attributes.maximum
        if type(value) is not int or value < low or (high is not None and value > high):
            limit = f"from {low:.0f} on" if high is None else f"from {low:.0f} to {high:.0f}"
            what = f"the structural parameter '{name}' of {file.path.name} cannot be {value!r}"
            raise FmuError("E521", what, location=location, advice=f"an integer {limit}")
    return tuple(given.items())


def at_sizes(use: FmuUse) -> FmuUse:
    """The use of an FMU with the description that holds at its sizes."""
    if not use.structure:
        return use
    sizes = dict(use.structure)
    description = use.file.description
    variables = [
        replace(each, start=(sizes[each.name],)) if each.name in sizes else each for each in description.variables
    ]
    resized = _described(use, variables)
    empty = next((each.name for each in variables if not _count(resized.file.description, each)), None)
    if empty is not None:
        what = f"'{empty}' of {use.file.path.name} has no elements with these values of structural parameters"
        raise FmuError("E521", what, location=use.file.location, advice="arrays need at least one element")
    lacking = [k for k, each in enumerate(variables) if _lacks_start(resized.file.description, each)]
    if not lacking:
        return resized
    values = _asked(resized, [variables[k] for k in lacking])
    for k, value in zip(lacking, values, strict=True):
        variables[k] = replace(variables[k], start=value)
    return _described(use, variables)


def _described(use: FmuUse, variables: list[Variable]) -> FmuUse:
    description = replace(use.file.description, variables=tuple(variables))
    return replace(use, file=replace(use.file, description=description, is_resized=True))


def _count(description: ModelDescription, variable: Variable) -> int:
    sizes: list[int] = []
    for each in variable.dimensions:
        of = None if each.variable is None else description.variables[each.variable].start
        sizes.append(each.size if each.size is not None else int(of[0]) if of else 0)
    return prod(sizes)


def _lacks_start(description: ModelDescription, variable: Variable) -> bool:
    """Whether the start values that are listed are those of other sizes; one alone stands for all elements."""
    start = variable.start
    return start is not None and len(start) != 1 and len(start) != _count(description, variable)


def _asked(use: FmuUse, variables: list[Variable]) -> list[tuple[Any, ...]]:
    """Start values that an instance of these sizes begins with."""
    instance = use.new_instance()
    assert isinstance(instance, FmuInstance3)
    try:
        instance.enter_initialization(0.0, None)
        return [tuple(instance.get_values(each, _count(use.file.description, each))) for each in variables]
    finally:
        instance.free()
