"""From the path a user writes to scalars of the model: `motor.shaft.phi`, `T[3]`, `cells[2].T`, `cells.T`.

Indices are those of Python: `cells[-1].T` is the last one, `cells[2:5].T` are three, `cells[:].T` are all of them.
Members of Modelica's classes have Modelica's indices: `x[1]` is the first element, `x[2:5]` are four.

Names are never listed in advance: a model with a million variables has a small tree, and one path is a walk down it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from math import prod
from typing import Any

import numpy as np

from tellegen.errors import LanguageError, nearest
from tellegen.ir.flat import FlatModel, Node
from tellegen.ir.model import IntArray, Kind, Member
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here
from tellegen.start.later import later
from tellegen.start.records import dataclass

with later():
    from tellegen.network.mechanics.hidden_parts import hidden_nodes

_HEAD = re.compile(r"([^\W\d]\w*)(?:\[([-\d:\s]+)\])?(?:\.|$)")
_BUILT = re.compile(r"([^\W\d]\w*(?:\[[^\]]*\])+)()(?:\.|$)")  # children in lists and dicts: `r[0]`, `gate[north]`
_LOOKED_AT = 1000  # instances of a kind
_REMEMBERED = 1000  # paths of a model
_BRACKETS = re.compile(r"\[([-\d,:\s]+)\]")


@dataclass(frozen=True, eq=False)
class Selection:
    """The scalars a path names: indices of variables or parameters, in the shape of what was named."""

    path: str
    parameter: bool
    indices: IntArray
    member: Any
    axes: tuple[str, ...] = ()  # a name for each dimension of `indices`: the array's path, or the member's and a number


def paths_of(given: Iterable[Any]) -> tuple[str, ...]:
    """Names one by one; a list of them counts as its members."""
    return tuple(one for item in given for one in (item if isinstance(item, list | tuple) else (item,)))


def list_of_paths(what: str, given: object) -> list[str]:
    """Paths given in a list, or one by itself."""
    if isinstance(given, str):
        return [given]
    if isinstance(given, Iterable) and not isinstance(given, Mapping):
        return [path_of(one) for one in given]
    raise LanguageError(
        "E174",
        f"{what} is a list of paths, not {given!r}",
        location=here(),
        advice=f"{what}=['motor.i', 'load.w']",
    )


def path_of(given: object) -> str:
    """A path as it was asked for, which is a text; names in the form in which Python keeps them (one of all `µ`)."""
    if isinstance(given, str):
        return (given if given.isascii() else unicodedata.normalize("NFKC", given)).strip()
    raise LanguageError(
        "E174",
        f"a quantity is read by its name, a string, not by {given!r}",
        location=here(),
        advice="write solution['motor.i']; its last value is solution['motor.i'][-1], its value at a time "
        "solution.at(0.5)['motor.i']",
    )


def find(flat: FlatModel, path: str) -> Selection:
    """The scalars a path refers to; an error with the nearest names when there are none."""
    found = scalars_of(flat, path)
    if found is None:
        raise unknown_path(flat, path)
    return found


def scalars_of(flat: FlatModel, path: str) -> Selection | None:
    """The scalars a path refers to, None when there are none."""
    path = path_of(path)
    known = flat.__dict__.setdefault("found_paths", {})  # runs by the thousand ask for the same few
    found = known.get(path)
    if found is None:
        found = _walk(flat, path)
        if found is not None and len(known) < _REMEMBERED:
            known[path] = found
    return found


def unknown_path(flat: FlatModel, path: str, others: Iterable[str] = ()) -> LanguageError:
    """The error for a path that refers to nothing, with the nearest names, some others than scalars too."""
    path = path_of(path)
    _refuse_structural(flat, path)
    what = f"there is no '{path}' in this model; {nearest(path, chain(_known(flat), others))}"
    return LanguageError("E100", what, location=here(), advice=_unit_without_space(flat, path))


def _unit_without_space(flat: FlatModel, path: str) -> str:
    """What to write for "v[km/h]"; in brackets without a space before them is an index."""
    name, bracket, inside = path.rpartition("[")
    is_unit = bool(bracket) and any(letter.isalpha() for letter in inside) and _walk(flat, name) is not None
    return f"a unit is written after a space: '{name} [{inside}'" if is_unit else ""


def find_given(model: ReducedModel, path: str) -> Selection:
    """What a value from outside goes to: that of an input which nothing is connected to is a parameter, its default."""
    selection = find(model.flat, path)
    if selection.parameter or (model.known_position[selection.indices] >= 0).all():
        return selection
    default = _walk(model.flat, f"{selection.path}.default")
    unconnected = default is not None and model.flat.parameters_read[default.indices].all()
    return default if default is not None and unconnected else selection


def _refuse_structural(flat: FlatModel, path: str) -> None:
    """A structural parameter is not a number of a run: other equations follow from it."""
    above, _, name = path.rpartition(".")
    for number, node in enumerate(flat.tree.nodes):
        structure = dict(node.kind.structure)
        if name in structure and above in (flat.tree.path(number, k) for k in range(min(node.count, _LOOKED_AT))):
            raise LanguageError(
                "E159",
                f"'{path}' is structural: it determines which equations exist, and is {structure[name]!r} here",
                location=here(),
                advice=f"create the model again with another value: {node.kind.name}({name}=...)",
            )


def _walk(flat: FlatModel, path: str) -> Selection | None:
    tree = flat.tree
    number = 0
    rest = path
    instances = np.zeros((), np.int64)
    axes: tuple[str, ...] = ()
    while True:
        node = tree.nodes[number]
        hit = _member(node, rest)
        if hit is not None:
            parameter, base, member, elements = hit
            first = instances.reshape(instances.shape + (1,) * elements.ndim) * member.size
            axes += tuple(f"{path}_{k}" for k in range(elements.ndim))
            return Selection(path, parameter, base + first + elements, member, axes)
        found = _child(node.kind, rest)
        if found is None:
            return None
        group, positions, end = found
        child = tree.children[number, group]
        size = tree.nodes[child].size
        inner = np.arange(size) if node.kind.groups[group].is_array else np.arange(len(node.kind.groups[group].names))
        try:
            inner = np.asarray(inner[positions])
        except IndexError:
            return None
        if not inner.size:
            return None
        instances = np.asarray(instances * size)[(...,) + (None,) * inner.ndim] + inner
        rest = rest[end:]
        axes += (path[: len(path) - len(rest)].rstrip("."),) * inner.ndim
        number = child


def _child(kind: Kind, text: str) -> tuple[int, Any, int] | None:
    """The group of the child a text begins with, its place (or places) in it, and where the text continues."""
    match = _BUILT.match(text)
    if match is not None and match[1] in kind.child_index:
        return *kind.child_index[match[1]], match.end()
    match = _HEAD.match(text)
    if match is None:
        return None
    name = match[1]
    brackets = match[2]
    index: Any = slice(None) if brackets is None else _index(brackets)
    if name in kind.child_index:
        group, position = kind.child_index[name]
        if kind.groups[group].is_array:
            return None if index is None else (group, index, match.end())
        return None if brackets is not None else (group, position, match.end())
    listed = _listed(kind, name)
    if brackets is None or index is None or not listed:
        return None
    try:
        chosen = listed[index] if isinstance(index, slice) else [listed[index]]
    except IndexError:
        return None
    indices = [kind.child_index[child] for child in chosen]
    if not indices or any(group != indices[0][0] for group, _ in indices):
        return None
    positions = np.array([position for _, position in indices])
    return indices[0][0], positions if isinstance(index, slice) else positions[0], match.end()


def _listed(kind: Kind, name: str) -> list[str]:
    """The children of a list: `r[0]`, `r[1]`, ... as long as there are any."""
    found: list[str] = []
    while (child := f"{name}[{len(found)}]") in kind.child_index:
        found.append(child)
    return found


def _index(text: str) -> int | slice | None:
    """`3`, `-1`, `2:5`, `:`, `::2`; None for anything else."""
    parts = text.split(":")
    try:
        numbers = [int(part) if part.strip() else None for part in parts]
    except ValueError:
        return None
    if len(parts) == 1:
        return numbers[0]
    return slice(*numbers) if len(parts) <= 3 and 0 not in numbers[2:] else None


def _member(node: Node, text: str) -> tuple[bool, int, Member, IntArray] | None:
    """Whether it is a parameter, the first scalar of its block, the member, and the elements named of one instance."""
    kind = node.kind
    for parameter, table, bases in (
        (False, kind.variable_index, node.variable_base),
        (True, kind.parameter_index, node.parameter_base),
    ):
        for name in _possible_names(text):
            if name in table:
                member: Member = (kind.parameters if parameter else kind.variables)[table[name]]
                elements = _elements(member, text)
                return None if elements is None else (parameter, bases[table[name]], member, elements)
    return None


def _possible_names(text: str) -> Iterator[str]:
    """The names of members a text may mean: indices can be parts of a name (`plug.pin[1].v`) or select elements."""
    yield text
    if "[" in text:
        yield text[: text.rindex("[")]
        yield _BRACKETS.sub("", text)


def _elements(member: Member, text: str) -> Any:
    """The element numbers a text with brackets selects, in their shape; None when the brackets do not fit."""
    dimensions = ((member.array,) if member.array >= 0 else ()) + member.shape
    everything = np.arange(prod(dimensions)).reshape(dimensions)
    if member.array < 0 and text.startswith(member.name):
        return elements_named(dimensions, text[len(member.name) :], member.first_index)
    chosen: list[Any] = [slice(None)] * len(dimensions)
    for match in _BRACKETS.finditer(text):
        where = _BRACKETS.sub("", text[: match.start()])
        numbers = [_index(part) for part in match[1].split(",")]
        of_array = member.array >= 0 and where == member.array_name
        first = 0 if of_array else len(dimensions) - len(member.shape)
        if len(numbers) != (1 if of_array else len(member.shape)) or (not of_array and where != member.name):
            return None
        if None in numbers:
            return None
        chosen[first : first + len(numbers)] = numbers
    try:
        found = np.asarray(everything[tuple(chosen)])
    except IndexError:
        return None
    return found if found.size or not everything.size else None


def elements_named(shape: tuple[int, ...], brackets: str, first_index: int = 0) -> Any:
    """The element numbers that brackets after a vector or matrix select, in their shape; None where they do not fit."""
    everything = np.arange(prod(shape)).reshape(shape)
    if not brackets:
        return everything
    match = _BRACKETS.fullmatch(brackets)
    if match is None:
        return None
    numbers = [_index(part) for part in match[1].split(",")]
    if first_index:
        numbers = [_counted_from(first_index, number) for number in numbers]
    if len(numbers) != len(shape) or None in numbers:
        return None
    try:
        found = np.asarray(everything[tuple(numbers)])
    except IndexError:
        return None
    return found if found.size or not everything.size else None


def _counted_from(first: int, index: int | slice | None) -> int | slice | None:
    """An index of a language that counts from `first` and includes the last of a range, as one of Python."""
    if isinstance(index, slice):
        begin = None if index.start is None else index.start - first
        return slice(begin, None if index.stop is None else index.stop - first + 1)
    return None if index is None or index < first else index - first


def _known(flat: FlatModel) -> Iterator[str]:
    """Names to compare a wrong one with, without listing a million, and no parts that nobody wrote."""
    hidden = {id(flat.tree.nodes[number]) for number in hidden_nodes(flat)}
    for table in (flat.variables, flat.parameters):
        for start, length, node, member in table.blocks():
            if getattr(member, "literal", False) or id(node) in hidden:
                continue
            for k in range(start, start + min(length, 20)):
                yield table.name(k)
