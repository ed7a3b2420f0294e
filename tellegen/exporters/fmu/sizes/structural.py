"""Structural parameters of an FMU: the model once for each combination of values that an importer may choose.

    structural={"n": range(2, 33)}      models with n = 2, ..., 32, the model's own n first

Sizes are in the tables of an image and in the code of equations, so the FMU has an image for each combination; what
is the same of the code, the runtime and the interface first of all, is there once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any

from tellegen.errors import ExportError, nearest
from tellegen.exporters.image.standalone import Code, Standalone
from tellegen.frontends.python.components.component import Component
from tellegen.ir.source_location import here

MOST_PARAMETERS = 16
"""As in model.h."""
_MOST_SIZES = 1000
_LARGEST = 2**31


@dataclass(frozen=True)
class Structure:
    """The names of structural parameters, and the combinations of their values: those of the model itself first."""

    names: tuple[str, ...] = ()
    combinations: tuple[tuple[int, ...], ...] = ((),)

    def values(self, number: int) -> tuple[int, ...]:
        """All values of one of them, in order."""
        return tuple(sorted({each[number] for each in self.combinations}))


@dataclass(frozen=True, eq=False)
class _Resized:
    """A component with other values of structural parameters."""

    model: Component

    def __call__(self, values: Mapping[str, int]) -> Component:
        copy = self.model._clone(None, "", 0)
        for name, value in values.items():
            setattr(copy, name, value)
        return copy


def structure_of(model: Any, asked: Mapping[str, Iterable[int]]) -> Structure:
    """The combinations that are asked for."""
    if not asked:
        return Structure()
    known = type(_component(model))._info.structural
    if len(asked) > MOST_PARAMETERS:
        raise _refused(f"an FMU has at most {MOST_PARAMETERS} structural parameters, and {len(asked)} are asked for")
    for name in asked:
        if name not in known:
            advice = nearest(name, known) or "name parameters that the model itself declares with structural=True"
            raise _refused(f"'{name}' is not a structural parameter of {type(_component(model)).__name__}", advice)
    values = {name: _values(name, given) for name, given in asked.items()}
    count = prod(map(len, values.values()))
    if count > _MOST_SIZES:
        raise _refused(f"there would be {count} combinations of sizes", f"ask for {_MOST_SIZES} at most")
    own = tuple(getattr(_component(model), name) for name in values)
    combinations = sorted(product(*values.values()), key=lambda each: each != own)
    return Structure(tuple(values), tuple(combinations))


def sized_models(model: Any, structure: Structure) -> Iterator[Any]:
    """The models, one for each combination."""
    if not structure.names:
        yield model
        return
    resized = _Resized(_component(model))
    for values in structure.combinations:
        yield resized(dict(zip(structure.names, values, strict=True)))


def together(models: Sequence[Standalone]) -> tuple[tuple[Standalone, ...], Standalone]:
    """Models with symbols of their own where their code differs, and the code of all of them."""
    if len(models) == 1:
        return (models[0],), models[0]
    if any(each.python or each.sources != models[0].sources for each in models):
        raise _refused(
            "the model calls functions in Python, or other C code for other sizes",
            "write what it calls with operations of tg, as a table or as a kernel",
        )
    known: dict[tuple[object, ...], Code] = {}
    made = []
    for number, model in enumerate(models):
        symbols: dict[str, str] = {}
        for code in model.code:
            key = (code.module.text, *code.symbols)
            names = {name: symbol if number == 0 else f"size{number}_{symbol}" for name, symbol in code.symbols.items()}
            shared = known.setdefault(key, replace(code, symbols=names))
            symbols |= {symbol: shared.symbols[name] for name, symbol in code.symbols.items()}
        functions = tuple(symbols.get(each, each) for each in model.image.functions)
        made.append(replace(model, image=replace(model.image, functions=functions)))
    every = tuple(dict.fromkeys(name for each in made for name in each.image.functions))
    whole = replace(models[0], image=replace(models[0].image, functions=every), code=tuple(known.values()))
    return tuple(made), whole


def indicator_arrays(counts: Sequence[int], structure: Structure) -> list[tuple[int, ...]]:
    """The lengths of arrays that event indicators are put into, for each combination: 1 + 2 n of them are one with 1
    element and two with n. Nothing where there are as many at all sizes, or no such rule."""
    if len(set(counts)) > 1:
        for values in zip(*structure.combinations, strict=True):
            low, high = values.index(min(values)), values.index(max(values))
            arrays = (counts[high] - counts[low]) // max(values[high] - values[low], 1)
            others = counts[low] - arrays * values[low]
            if others >= 0 and list(counts) == [others + arrays * value for value in values]:
                return [(1,) * others + (value,) * arrays for value in values]
    return [()] * len(counts)


def _component(model: Any) -> Component:
    if isinstance(model, type) and issubclass(model, Component):
        return model()
    if not isinstance(model, Component):
        raise _refused(
            f"structural parameters of {type(model).__name__} cannot have other values any more",
            "give the component itself: tg.export_fmu(Rod(), ..., structural={...})",
        )
    return model


def _values(name: str, given: Iterable[int]) -> tuple[int, ...]:
    """Sizes, each once, in the order given."""
    try:
        values = tuple(dict.fromkeys(given))
    except TypeError:
        raise _refused(f"the values of '{name}' are not a list: {given!r}", "range(1, 9), or (4, 8, 16)") from None
    wrong = [each for each in values if type(each) is not int or not 0 <= each < _LARGEST]
    if wrong or not values:
        what = f"'{name}' cannot be {wrong[0]!r}" if wrong else f"there are no values of '{name}'"
        raise _refused(what, "structural parameters of FMI are integers from 0 on: range(1, 9), or (4, 8, 16)")
    return values


def _refused(what: str, advice: str = "") -> ExportError:
    return ExportError("E459", what, location=here(), advice=advice)
