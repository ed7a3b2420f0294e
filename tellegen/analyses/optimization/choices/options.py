"""Choices that are not numbers between bounds: values from a list, rows of a catalogue. All combinations are tried.

    {"gear.ratio": [3, 5, 8],
     "motor": [{"name": "A", "motor.R": 2.4, "motor.k": 0.04}, {"name": "B", "motor.R": 0.9, "motor.k": 0.07}]}

A key is the path of a parameter and its values, or any word and rows that set several parameters; a table of pandas is
rows too. `name` of a row is what it is called.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from tellegen.errors import DesignError
from tellegen.ir.source_location import here


@dataclass(frozen=True, eq=False)
class Choice:
    """One combination: what was chosen, by name, and the parameters that sets."""

    labels: dict[str, Any] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return ", ".join(f"{key}={label}" for key, label in self.labels.items())


def combinations(choices: Mapping[str, Any] | None, varied: bool) -> list[Choice]:
    """All combinations; without choices there must be variables."""
    if not choices and not varied:
        advice = "variables={'controller.k': (0.1, 50.0)}, or choices={...}"
        raise DesignError("E621", "optimize has no variables", location=here(), advice=advice)
    if choices is not None and not isinstance(choices, Mapping):
        advice = "choices={'motor.R': [1.0, 2.0]}: values by path"
        raise DesignError("E621", f"choices are given by path, not as {choices!r}", location=here(), advice=advice)
    listed = [list(_options(key, given)) for key, given in (choices or {}).items()]
    found = []
    for combination in product(*listed):
        labels = {key: label for key, (label, _) in zip(choices or {}, combination, strict=True)}
        found.append(Choice(labels, {path: value for _, row in combination for path, value in row.items()}))
    return found


def _options(key: str, given: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
    rows = given.to_dict("records") if hasattr(given, "to_dict") else given
    if isinstance(rows, str | Mapping) or not hasattr(rows, "__iter__"):
        raise _wrong(key, given)
    rows = list(rows)
    if not rows:
        raise _wrong(key, given)
    for number, row in enumerate(rows):
        if isinstance(row, Mapping):
            yield row.get("name", number), {path: value for path, value in row.items() if path != "name"}
        else:
            yield row, {key: row}


def _wrong(key: str, given: Any) -> DesignError:
    what = f"choices: '{key}' is a list of values or of rows, not {given!r}"
    advice = "choices={'gear.ratio': [3, 5, 8], 'motor': [{'name': 'A', 'motor.R': 2.4}, ...]}"
    return DesignError("E621", what, location=here(), advice=advice)
