"""Records to JSON and back. What comes in is checked field by field: nothing that does not fit gets any further."""

from __future__ import annotations

import dataclasses
import json
import math
import types
from collections.abc import Mapping
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

KIND = "kind"
BEYOND = 10**309
"""More than the largest double, 1.8e308."""


class WrongMessageError(ValueError):
    """A message that does not fit its record; the text says where."""


def encoded(value: Any) -> Any:
    """A record as data for JSON, with the name of its class as `kind`."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        plain = {field.name: encoded(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {KIND: type(value).__name__, **plain}
    if isinstance(value, Mapping):
        return {key: encoded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [encoded(item) for item in value]
    return value


def for_pages(data: Any) -> str:
    """Data as JSON, which has no word for numbers that are not finite: pages read `null` as NaN, and an integer
    that no double can hold as an infinity.
    """
    try:
        return json.dumps(data, separators=(",", ":"), allow_nan=False)
    except ValueError:
        return json.dumps(_finite(data), separators=(",", ":"), allow_nan=False)


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(item) for key, item in data.items()}
    if isinstance(data, list):
        return [_finite(item) for item in data]
    if not isinstance(data, float) or math.isfinite(data):
        return data
    return None if math.isnan(data) else BEYOND if data > 0 else -BEYOND


def decoded(kinds: Any, data: Any) -> Any:
    """One of the records of a union, by its `kind`."""
    known = {kind.__name__: kind for kind in (get_args(kinds) or (kinds,))}
    name = data.get(KIND) if isinstance(data, dict) else None
    if not isinstance(name, str) or name not in known:
        raise WrongMessageError(f"{name!r} is not one of {', '.join(known)}")
    return _record(known[name], {key: value for key, value in data.items() if key != KIND}, name)


def _record(kind: type, data: Mapping[str, Any], where: str) -> Any:
    hints = hints_of(kind)
    fields = {field.name: field for field in dataclasses.fields(kind)}
    if unknown := set(data) - set(fields):
        raise WrongMessageError(f"{where} has no {sorted(unknown)[0]!r}")
    needed = [name for name, field in fields.items() if field.default is dataclasses.MISSING]
    if missing := [name for name in needed if name not in data]:
        raise WrongMessageError(f"{where} needs {missing[0]!r}")
    return kind(**{name: _value(hints[name], value, f"{where}.{name}") for name, value in data.items()})


def _value(hint: Any, data: Any, where: str) -> Any:
    origin = get_origin(hint)
    arguments = get_args(hint)
    if origin in (Union, types.UnionType) and all(dataclasses.is_dataclass(kind) for kind in arguments):
        return decoded(hint, data)
    if dataclasses.is_dataclass(hint):
        return decoded(hint, data)
    if origin is tuple and isinstance(data, list):
        return tuple(_value(arguments[0], item, f"{where}[{k}]") for k, item in enumerate(data))
    if origin is Mapping and isinstance(data, dict):
        return {key: _value(arguments[1], item, f"{where}.{key}") for key, item in data.items()}
    if hint is float and isinstance(data, int | float) and not isinstance(data, bool):
        return float(data)
    if hint in (str, int, bool) and type(data) is hint:
        return data
    raise WrongMessageError(f"{where} is {type(data).__name__}, not {getattr(hint, '__name__', hint)}")


@cache
def hints_of(kind: type) -> dict[str, Any]:
    """The types of the fields of a record."""
    return get_type_hints(kind)
