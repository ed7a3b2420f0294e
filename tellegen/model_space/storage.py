"""A model space as JSON. Subtrees that occur again are written once; the same space gives the same bytes."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import Any

from tellegen.errors import BindingError
from tellegen.ir.source_location import here
from tellegen.model_space.tree import Alternative, Slot

FORMAT = "tellegen model space, version 1"


def write_text(path: str | PathLike[str], text: str) -> None:
    """Write a file, or E808."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        what = f"{path} cannot be written: {error.strerror}"
        raise BindingError("E808", what, location=here(), advice="create its folder first") from None


def to_json(name: str, slots: tuple[Slot, ...]) -> str:
    """The tree as text."""
    writer = Writer()
    top = [writer.slot(slot) for slot in slots]
    whole = {"format": FORMAT, "system": name, "interfaces": top, "implementations": writer.written}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


class Writer:
    """Numbers the implementations in the order in which they are met."""

    def __init__(self) -> None:
        self.written: list[dict[str, Any]] = []
        self.numbers: dict[int, int] = {}

    def slot(self, slot: Slot) -> dict[str, Any]:
        """A slot whose candidates are numbers."""
        return {
            "path": slot.path,
            "interface": slot.interface,
            "chosen": slot.chosen,
            "decided": slot.decided,
            "values": dict(slot.values),
            "candidates": [self._number(one) for one in slot.alternatives],
        }

    def _number(self, one: Alternative) -> int:
        if id(one) not in self.numbers:
            parts = [self.slot(slot) for slot in one.parts]
            self.numbers[id(one)] = len(self.written)
            self.written.append(
                {
                    "name": one.name,
                    "description": one.description,
                    "tags": {name: _plain(value) for name, value in one.tags.items()},
                    "domains": list(one.domains),
                    "limits": {name: list(pair) for name, pair in one.limits.items()},
                    "interfaces": parts,
                }
            )
        return self.numbers[id(one)]


def _plain(value: Any) -> Any:
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    if isinstance(value, tuple):
        return list(value)
    return value if isinstance(value, (str, int, float, bool, list, dict, type(None))) else str(value)


def read(path: Any) -> tuple[str, tuple[Slot, ...]]:
    """Name and slots of a saved space, or E808."""
    if not isinstance(path, (str, PathLike)):
        what = f"tg.model_space needs a component or the path of a saved space, not {path!r}"
        raise BindingError("E808", what, location=here(), advice="tg.model_space(Drive())")
    try:
        whole = json.loads(Path(path).read_text(encoding="utf-8"))
        if whole["format"] != FORMAT:
            raise ValueError(f"its format is {whole['format']!r}")
        known: list[Alternative] = []
        for one in whole["implementations"]:
            known.append(_alternative(one, known))
        return str(whole["system"]), tuple(_slot(slot, known) for slot in whole["interfaces"])
    except OSError as error:
        what = f"{path} cannot be read: {error.strerror}"
        raise BindingError("E808", what, location=here(), advice="check the path") from None
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        what = f"{path} is not a saved model space: {error}"
        raise BindingError("E808", what, location=here(), advice="write it by space.save(path)") from None


def _alternative(one: dict[str, Any], known: list[Alternative]) -> Alternative:
    return Alternative(
        str(one["name"]),
        tuple(_slot(slot, known) for slot in one["interfaces"]),
        dict(one["tags"]),
        str(one["description"]),
        tuple(map(str, one["domains"])),
        None,
        {name: (pair[0], pair[1]) for name, pair in one["limits"].items()},
    )


def _slot(slot: dict[str, Any], known: list[Alternative]) -> Slot:
    numbers = slot["candidates"]
    if any(not isinstance(k, int) or k < 0 for k in numbers):
        raise ValueError("a candidate is not a number of an implementation")
    return Slot(
        str(slot["path"]),
        str(slot["interface"]),
        tuple(known[k] for k in numbers),
        str(slot["chosen"]),
        bool(slot["decided"]),
        {str(name): float(value) for name, value in slot["values"].items()},
    )
