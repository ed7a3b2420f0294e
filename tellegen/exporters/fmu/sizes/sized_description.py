"""The descriptions of a model at several sizes -> one, in which structural parameters are dimensions.

    n = 3: x with the dimension 3, n = 5: x with the dimension 5     ->     x with the dimension n

All else has to be the same at all sizes: which variables there are, their value references, what importers may do with
them. Start values are those of the first sizes; of arrays an importer that changes sizes has to ask the FMU.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tellegen.errors import ExportError
from tellegen.exporters.fmu.array_variables import Span
from tellegen.exporters.fmu.describe import Described
from tellegen.exporters.fmu.sizes.structural import Structure
from tellegen.fmi.description import (
    Attributes,
    CoSimulation,
    Dimension,
    ModelDescription,
    ModelExchange,
    Unknown,
    Variable,
)
from tellegen.fmi.description import Structure as ModelStructure
from tellegen.ir.source_location import here

_ADVICE = "let only sizes of arrays depend on structural parameters; kind='cs' does without event indicators"
_OFFERED = ("directional_derivatives", "adjoint_derivatives", "element_dependencies")
"""What an FMU offers if it does at all sizes."""


def with_structure(texts: Sequence[Described], structure: Structure) -> list[Described]:
    """The descriptions with structural parameters; the first is that of the FMU, of the others the tables are used."""
    if not structure.names:
        return list(texts)
    first = texts[0].description
    names = [each.name for each in first.variables]
    for text, values in zip(texts[1:], structure.combinations[1:], strict=True):
        _compare(text.description, first, dict(zip(structure.names, values, strict=True)))
    count = len(first.variables)
    variables = [
        replace(
            each, dimensions=tuple(_dimensions([text.description.variables[k] for text in texts], structure, count))
        )
        for k, each in enumerate(first.variables)
    ]
    clash = next((name for name in structure.names if name in names), None)
    if clash is not None:
        raise _refused(f"'{clash}' is a structural parameter and a variable", "give one of them another name")
    variables += [_parameter(structure, number, count + number) for number in range(len(structure.names))]
    has_elements = all(text.element_dependencies for text in texts)
    description = replace(
        first,
        variables=tuple(variables),
        structure=_united([text.description.structure for text in texts]),
        model_exchange=_exchange(texts, has_elements),
        co_simulation=_co_simulation(texts, has_elements),
    )
    return [_extended(replace(text, description=description), structure, has_elements) for text in texts]


def _extended(text: Described, structure: Structure, has_elements: bool) -> Described:
    """With a scalar for each structural parameter, which depends on nothing."""
    scalars = len(text.scalars.rows)
    spans = tuple(Span(scalars + number) for number in range(len(structure.names)))
    nothing: tuple[tuple[()], ...] = ((),) * len(spans)
    return replace(
        text,
        spans=(*text.spans, *spans),
        element_dependencies=(*text.element_dependencies, *nothing) if has_elements else (),
    )


def _parameter(structure: Structure, number: int, reference: int) -> Variable:
    values = structure.values(number)
    is_range = values == tuple(range(values[0], values[-1] + 1))
    listed = f"{values[0]} to {values[-1]}" if is_range else ", ".join(map(str, values))
    return Variable(
        structure.names[number],
        reference,
        "UInt64",
        "structuralParameter",
        "fixed",
        "exact",
        f"a size: {listed}",
        attributes=Attributes(minimum=values[0], maximum=values[-1]),
        start=(structure.combinations[0][number],),
    )


def _compare(other: ModelDescription, first: ModelDescription, sizes: dict[str, int]) -> None:
    """Nothing but dimensions and start values may differ."""
    where = ", ".join(f"{name} = {value}" for name, value in sizes.items())
    mine = {each.name: each for each in first.variables}
    theirs = {each.name: each for each in other.variables}
    only = sorted(mine.keys() ^ theirs.keys(), key=lambda name: (name.count("."), name))
    if only:
        raise _refused(f"{only[0]} is a variable at some sizes alone, compare those with {where}", _ADVICE)
    for name, variable in mine.items():
        if _plain(variable) != _plain(theirs[name]):
            raise _refused(f"{name} has another role or other properties with {where}", _ADVICE)
        if len(variable.dimensions) != len(theirs[name].dimensions):
            raise _refused(f"{name} has another number of dimensions with {where}", _ADVICE)
    if _counts(other) != _counts(first):
        raise _refused(
            f"there are other states, or initial values of other variables are unknown, with {where}", _ADVICE
        )


def _plain(variable: Variable) -> Variable:
    return replace(variable, start=None if variable.start is None else (), dimensions=())


def _counts(description: ModelDescription) -> tuple[object, ...]:
    structure = description.structure
    parts = (structure.outputs, structure.derivatives, structure.initial_unknowns, structure.event_indicators)
    return tuple(tuple(each.variable for each in part) for part in parts)


def _dimensions(variables: Sequence[Variable], structure: Structure, count: int) -> list[Dimension]:
    """Those of one variable at all sizes: numbers, or the structural parameters that have their values."""
    found = []
    for axis, dimension in enumerate(variables[0].dimensions):
        sizes = [each.dimensions[axis].size for each in variables]
        if len(set(sizes)) == 1:
            found.append(dimension)
            continue
        equal = [k for k in range(len(structure.names)) if sizes == [each[k] for each in structure.combinations]]
        if not equal:
            raise _refused(
                f"{variables[0].name} has {sizes[0]} elements where {_words(structure, 0)}, and {sizes[1]} where "
                f"{_words(structure, 1)}: FMI knows sizes that equal a structural parameter",
                "make another structural parameter of the size",
            )
        found.append(Dimension(variable=count + equal[0]))
    return found


def _words(structure: Structure, number: int) -> str:
    pairs = zip(structure.names, structure.combinations[number], strict=True)
    return ", ".join(f"{name} = {value}" for name, value in pairs)


def _united(structures: Sequence[ModelStructure]) -> ModelStructure:
    """What depends on something at one size depends on it."""
    return replace(
        structures[0],
        outputs=_union([each.outputs for each in structures]),
        derivatives=_union([each.derivatives for each in structures]),
    )


def _union(parts: Sequence[tuple[Unknown, ...]]) -> tuple[Unknown, ...]:
    united = []
    for same in zip(*parts, strict=True):
        known = [each.dependencies for each in same if each.dependencies is not None]
        every = tuple(sorted({k for each in known for k in each}))
        united.append(replace(same[0], dependencies=every if len(known) == len(same) else None))
    return tuple(united)


def _exchange(texts: Sequence[Described], has_elements: bool) -> ModelExchange | None:
    interfaces = [each.description.model_exchange for each in texts]
    if interfaces[0] is None:
        return None
    known = [each for each in interfaces if each is not None]
    offers = {name: all(getattr(each, name) for each in known) for name in _OFFERED}
    offers["element_dependencies"] = has_elements
    return replace(known[0], **offers, needs_completed_step=any(each.needs_completed_step for each in known))


def _co_simulation(texts: Sequence[Described], has_elements: bool) -> CoSimulation | None:
    interfaces = [each.description.co_simulation for each in texts]
    if interfaces[0] is None:
        return None
    offers = {name: all(getattr(each, name) for each in interfaces) for name in _OFFERED}
    offers["element_dependencies"] = has_elements
    return replace(interfaces[0], **offers)


def _refused(what: str, advice: str) -> ExportError:
    return ExportError("E459", what, location=here(), advice=advice)
