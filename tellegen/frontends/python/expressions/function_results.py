"""What the user's code returned, as the numbers that were asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tellegen.errors import NumericError
from tellegen.ir.source_location import SourceLocation


def as_numbers(result: object, names: Sequence[str], what: str, code: object) -> list[float]:
    """A number for each name, from a number, a sequence or a dict; E390 for anything else."""
    given: Any = [result.get(name) for name in names] if isinstance(result, dict) else result
    several = isinstance(given, (list, tuple)) or (isinstance(given, np.ndarray) and given.ndim)
    values: list[Any] = list(given) if several else [given]
    if isinstance(result, dict) and None not in values and (more := [name for name in result if name not in names]):
        raise NumericError(
            "E390",
            f"{what} returned a value for '{more[0]}', but the names are {', '.join(names)}",
            location=_location(code),
            advice="return a dict with exactly these names",
        )
    if len(values) == len(names) and not any(isinstance(value, str) for value in values):
        try:
            return [float(value) for value in values]
        except (TypeError, ValueError):
            pass
    listed = ", ".join(names)
    raise NumericError(
        "E390",
        f"{what} returned {result!r}, but one number is needed for each of {listed}"
        if len(names) > 1
        else f"{what} returned {result!r}, but one number is needed",
        location=_location(code),
        advice=f"return {listed} in this order, or a dict with these names" if len(names) > 1 else "return a number",
    )


def _location(code: object) -> SourceLocation | None:
    found = getattr(code, "__code__", None)
    return SourceLocation(found.co_filename, found.co_firstlineno) if found is not None else None
