"""Values by path as they are given on the command line: --set, --initial, and a file of parameters."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tellegen.cli.target import TargetError

_READERS = {".toml": tomllib.loads, ".json": json.loads}


def given_parameters(file: str, settings: list[str]) -> dict[str, Any]:
    """The parameters in a file, and those after --set, which take precedence."""
    return (read_parameters(Path(file)) if file else {}) | parse_settings(settings, "--set")


def given_initial(settings: list[str]) -> dict[str, Any] | str | None:
    """Start values by path, or "steady"; None when nothing is asked for."""
    if settings == ["steady"]:
        return "steady"
    return parse_settings(settings, "--initial", "load.w=10, or --initial steady") if settings else None


def parse_settings(texts: list[str], option: str, example: str = "motor.R=2.4") -> dict[str, Any]:
    """`motor.R=2.4`, `T=300,310,320`, `motor.R=2.4 ohm`: values by path."""
    out: dict[str, Any] = {}
    for text in texts:
        path, equals, value = text.partition("=")
        if not equals or not path.strip() or not value.strip():
            raise TargetError(f"{option} {text!r} is not PATH=VALUE\nfor instance {option} {example}")
        out[path.strip()] = _value(value.strip())
    return out


def read_parameters(file: Path) -> dict[str, Any]:
    """The values in a TOML or JSON file, by path.

    `[motor]` with `R = "2.4 ohm"` below it, `motor.R = 2.4` and `"cells[0].R" = 2.4` are all understood.
    """
    reader = _READERS.get(file.suffix.lower())
    if reader is None:
        raise TargetError(f"{file} is not a file of parameters\ngive a .toml or .json file")
    try:
        found = reader(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise TargetError(f"{file} cannot be read: {error.strerror}") from error
    except ValueError as error:  # of both readers, and of text that is not UTF-8
        raise TargetError(f"{file} is not valid {file.suffix[1:].upper()}: {error}") from error
    if not isinstance(found, dict):
        raise TargetError(f'{file} holds no values by path\nfor instance {{"motor": {{"R": 2.4}}}}')
    return dict(_by_path(found, ""))


def _by_path(values: Mapping[str, Any], above: str) -> Iterator[tuple[str, Any]]:
    """The values of nested tables, by path."""
    for name, value in values.items():
        path = f"{above}.{name}" if above else name
        if isinstance(value, dict):
            yield from _by_path(value, path)
        else:
            yield path, value


def _value(text: str) -> Any:
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        return text
    return numbers[0] if len(numbers) == 1 else numbers
