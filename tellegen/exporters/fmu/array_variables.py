"""Scalars of a model -> the variables of a description: arrays as one variable, other names of one value as aliases.

    T[0], T[1], T[2], der(T[0]), ...    ->    T with the dimension 3, der(T)            (FMI 3.0)
    resistor.i, coil.i: one number      ->    coil.i is an alias of resistor.i

An array stays a list of scalars where its elements differ in what an importer may do with them, or where they are not
next to each other among the states.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod

from tellegen.exporters.fmu.exported_variables import Exported, Kind, Place
from tellegen.fmi.description import Alias, Attributes, Dimension, Value, Variable


@dataclass(frozen=True)
class Span:
    """The scalars of a variable: the position of the first, and how many there are."""

    first: int
    count: int = 1

    @property
    def positions(self) -> range:
        """Of its scalars."""
        return range(self.first, self.first + self.count)


@dataclass(frozen=True)
class Gathered:
    """The variables of a description; `spans` by value reference, `position` of a variable by that of its scalar."""

    variables: tuple[Variable, ...]
    spans: tuple[Span, ...]
    position: tuple[int, ...]


def gathered(
    rows: Sequence[Exported], states: Sequence[int], *, has_arrays: bool, has_aliases: bool, has_sizes: bool = False
) -> Gathered:
    """The variables; `states` are positions of scalars, in order. Without aliases (FMI 2.0) names share references.

    Where sizes vary there are no aliases: with one element an array may equal what it does not with several."""
    arrays = _arrays(rows, states) if has_arrays else {}
    spans = list(_spans(len(rows), arrays))
    position = [0] * len(rows)
    for number, span in enumerate(spans):
        for k in span.positions:
            position[k] = number
    variables = []
    for span in spans:
        scalars = [rows[k] for k in span.positions]
        whole = _array(scalars) if span.first in arrays else scalars[0].variable
        of = whole.derivative_of
        variables.append(replace(whole, reference=len(variables), derivative_of=None if of is None else position[of]))
    leaders = list(range(len(spans))) if has_sizes else _leaders(rows, spans, variables, states)
    if not has_aliases:
        shared = [replace(each, reference=leaders[k]) for k, each in enumerate(variables)]
        return Gathered(tuple(shared), tuple(spans), tuple(position))
    return _with_aliases(variables, spans, leaders, position)


def _spans(count: int, arrays: dict[int, int]) -> Iterator[Span]:
    """Arrays, by the position of their first element, and the scalars between them."""
    k = 0
    while k < count:
        span = Span(k, arrays.get(k, 1))
        yield span
        k += span.count


def _arrays(rows: Sequence[Exported], states: Sequence[int]) -> dict[int, int]:
    """The lengths of arrays that can be one variable, by the position of their first element."""
    found = {k: length for k in range(len(rows)) if (length := _length(rows, k))}
    number_of_state = {position: number for number, position in enumerate(states)}
    rates = {row.variable.derivative_of: k for k, row in enumerate(rows) if row.variable.derivative_of is not None}
    kept: dict[int, int] = {}
    for first, length in found.items():
        elements = range(first, first + length)
        numbers = [number_of_state.get(k) for k in elements]
        of = [rows[k].variable.derivative_of for k in elements]
        is_state = _consecutive(numbers) and found.get(rates.get(first, -1)) == length
        is_rate = _consecutive(of) and found.get(of[0] if of[0] is not None else -1) == length
        is_rate = is_rate and _consecutive([number_of_state.get(-1 if k is None else k) for k in of])
        is_other = all(each is None for each in (*numbers, *of))
        if is_other or is_rate or (is_state and _consecutive([rates.get(k) for k in elements])):
            kept[first] = length
    return kept


def _length(rows: Sequence[Exported], first: int) -> int:
    """How many rows from one on are all elements of an array, alike but for their names and numbers; 0: none."""
    element = rows[first].element
    if element is None or element.number != 0:
        return 0
    length = prod(element.shape)
    mine = rows[first : first + length]
    for number, row in enumerate(mine):
        if row.element is None or (row.element.array, row.element.number) != (element.array, number):
            return 0
    is_alike = len(mine) == length and all(_shared(row) == _shared(mine[0]) for row in mine)
    return length if is_alike else 0


def _shared(row: Exported) -> tuple[object, ...]:
    """What elements of an array must have in common."""
    variable = row.variable
    plain = replace(variable, name="", reference=0, start=None, derivative_of=None)
    return plain, variable.start is None, variable.derivative_of is None, row.literals


def _consecutive(numbers: Sequence[int | None]) -> bool:
    """Whether each is the one before plus one."""
    first = numbers[0]
    return first is not None and list(numbers) == list(range(first, first + len(numbers)))


def _array(rows: Sequence[Exported]) -> Variable:
    """The variable of all elements of an array."""
    first = rows[0]
    assert first.element is not None
    starts: list[Value] = [value for row in rows for value in row.variable.start or ()]
    return replace(
        first.variable,
        name=first.element.array,
        start=tuple(starts) or None,
        dimensions=tuple(Dimension(size) for size in first.element.shape),
    )


def _leaders(
    rows: Sequence[Exported], spans: Sequence[Span], variables: Sequence[Variable], states: Sequence[int]
) -> list[int]:
    """The position of the variable that each one is another name of; its own where it is none."""
    own = list(range(len(spans)))
    is_state = set(states)
    first: dict[tuple[object, ...], int] = {}
    names: list[int] = []
    for k, span in enumerate(spans):
        places = tuple(rows[position].place for position in span.positions)
        if not _has_other_names(places):
            continue
        key = (places, variables[k].base, variables[k].attributes.unit, variables[k].variability)
        if span.first in is_state or not _may_be_alias(variables[k]):
            first[key] = k  # of several the last: any of them has the number
        else:
            names.append(k)
            first.setdefault(key, k)
    for k in names:
        places = tuple(rows[position].place for position in spans[k].positions)
        leader = first[places, variables[k].base, variables[k].attributes.unit, variables[k].variability]
        if leader != k and _says_no_more(variables[k].attributes, variables[leader].attributes):
            own[k] = leader
    return own


def _has_other_names(places: tuple[Place, ...]) -> bool:
    return all(place.kind in (Kind.UNKNOWN, Kind.PARAMETER) for place in places)


def _may_be_alias(variable: Variable) -> bool:
    """Whether nothing refers to the variable, and nobody may set it."""
    return variable.causality == "local" and variable.start is None and variable.derivative_of is None


def _says_no_more(alias: Attributes, leader: Attributes) -> bool:
    """Whether limits and size of an alias are those of its leader, or none."""
    pairs = ((getattr(alias, name), getattr(leader, name)) for name in ("minimum", "maximum", "nominal"))
    return all(mine is None or mine == other for mine, other in pairs)


def _with_aliases(
    variables: Sequence[Variable], spans: Sequence[Span], leaders: Sequence[int], position: Sequence[int]
) -> Gathered:
    """Aliases inside of their leaders; the others get new references and positions."""
    kept = [k for k, leader in enumerate(leaders) if leader == k]
    new = {k: number for number, k in enumerate(kept)}
    names: dict[int, list[Alias]] = {k: [] for k in kept}
    for k, leader in enumerate(leaders):
        if leader != k:
            alias = variables[k]
            names[leader].append(Alias(alias.name, alias.description, alias.attributes.display_unit))
    made = []
    for k in kept:
        of = variables[k].derivative_of
        derivative_of = None if of is None else new[of]
        made.append(replace(variables[k], reference=new[k], aliases=tuple(names[k]), derivative_of=derivative_of))
    placed = tuple(new[leaders[number]] for number in position)
    return Gathered(tuple(made), tuple(spans[k] for k in kept), placed)
