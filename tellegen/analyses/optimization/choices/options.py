"""What is chosen from lists: values of a parameter, rows of a table, parts of a catalogue, implementations.

    {"gear.ratio": [3, 5, 8],
     "belt": [{"name": "A", "pulley.r": 0.02, "price": 9.0}, {"name": "B", "pulley.r": 0.03, "price": 12.0}],
     "motor": tg.catalogue().find(DCMotorInterface, "torque_max >= 0.1 N.m"),
     "controller": ["analog", "discrete"]}

A key is the path of a parameter and its values, any word and rows that set several parameters, or the path of a part
that is an interface, and implementations or parts of a catalogue; a row may have one of these under the key, and set
other parameters beside it. A table of pandas is rows too. `name` of a row is what it is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from numbers import Real
from typing import Any

from tellegen.errors import DesignError
from tellegen.ir.source_location import here
from tellegen.stages import interface_at


@dataclass(frozen=True, eq=False)
class Option:
    """One entry of a list: what it is called, the parameters it sets, and what is bound to an interface, if any.

    What is bound to an interface inside of another one depends on the choice for that one (shapes.py).
    """

    label: Any
    parameters: Mapping[str, Any]
    implementation: Any = None


@dataclass(frozen=True, eq=False)
class Choice:
    """One combination: what was chosen, by name, and the parameters that sets."""

    labels: dict[str, Any] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return ", ".join(f"{key}={label}" for key, label in self.labels.items())


@dataclass(frozen=True, eq=False)
class Options:
    """All lists by their keys."""

    lists: dict[str, tuple[Option, ...]]

    def __len__(self) -> int:
        """How many combinations there are."""
        return prod(len(options) for options in self.lists.values())

    @property
    def keys(self) -> tuple[str, ...]:
        """What is chosen."""
        return tuple(self.lists)

    @property
    def has_implementations(self) -> bool:
        """Whether models are chosen, and not only numbers."""
        return any(option.implementation is not None for listed in self.lists.values() for option in listed)

    def without_models(self) -> Options:
        """The same labels and parameters, and nothing that is bound."""
        lists = {
            key: tuple(replace(option, implementation=None) for option in listed) for key, listed in self.lists.items()
        }
        return Options(lists)

    def choice(self, picked: Sequence[int]) -> Choice:
        """The combination of one entry of each list."""
        entries = [options[k] for options, k in zip(self.lists.values(), picked, strict=True)]
        labels = {key: entry.label for key, entry in zip(self.lists, entries, strict=True)}
        return Choice(labels, {path: value for entry in entries for path, value in entry.parameters.items()})

    def refuse_paths_set_twice(self, variables: Iterable[str]) -> None:
        """E621 where two lists set one parameter, or a list sets one that is varied."""
        seen = set(variables)
        for key, listed in self.lists.items():
            own = {path for option in listed for path in option.parameters}
            for path in sorted(own & seen):
                what = f"choices: '{path}' in '{key}' is set by another list or varied as well"
                raise DesignError("E621", what, location=here(), advice="let one list set it, or one variable")
            seen |= own

    def combinations(self) -> Iterator[Choice]:
        """All of them; one without any choice where there are no lists."""
        for picked in product(*(range(len(options)) for options in self.lists.values())):
            yield self.choice(picked)


def read_options(model: Any, choices: Mapping[str, Any] | None, varied: bool) -> Options:
    """The lists as written, checked; without any there must be variables."""
    if not choices and not varied:
        advice = "variables={'controller.k': (0.1, 50.0)}, or choices={...}"
        raise DesignError("E621", "optimize has no variables", location=here(), advice=advice)
    if choices is not None and not isinstance(choices, Mapping):
        advice = "choices={'motor.R': [1.0, 2.0]}: values by path"
        raise DesignError("E621", f"choices are given by path, not as {choices!r}", location=here(), advice=advice)
    given = choices or {}
    models = {key for key in given if interface_at(model, key) is not None}
    inside = {key for key in given if any(key.startswith(f"{outer}.") for outer in models)}
    return Options({key: tuple(_options(key, rows, key in models | inside)) for key, rows in given.items()})


def _options(key: str, given: Any, is_interface: bool) -> Iterator[Option]:
    rows = given.to_dict("records") if hasattr(given, "to_dict") else given
    if isinstance(rows, str | Mapping) or not hasattr(rows, "__iter__"):
        raise _wrong(key, given)
    rows = list(rows)
    if not rows:
        raise _wrong(key, given)
    for number, row in enumerate(rows):
        if isinstance(row, Mapping):
            bound = row.get(key) if is_interface else None
            label = row.get("name", number if bound is None else _label(bound))
            others = {path: value for path, value in row.items() if path != "name" and not (bound and path == key)}
            yield Option(label, others, bound)
        elif is_interface and not isinstance(row, Real):
            yield Option(_label(row), {}, row)
        else:
            yield Option(row, {key: row})


def _label(row: Any) -> str:
    """What is bound, by its name."""
    return row if isinstance(row, str) else str(getattr(row, "name", "") or getattr(row, "__name__", row))


def _wrong(key: str, given: Any) -> DesignError:
    what = f"choices: '{key}' is a list of values or of rows, not {given!r}"
    advice = "choices={'gear.ratio': [3, 5, 8], 'motor': [{'name': 'A', 'motor.R': 2.4}, ...]}"
    return DesignError("E621", what, location=here(), advice=advice)
