"""Which elements of an array are meant, as readable text: `[3]`, `[0:9, 2]`, `[4 1 7]`, or one by one `@(0 4 8)`.

axes (10, 3), elements 2, 5, 8, ..., 29     ->   ":", "2"         every row of the third column
axes (10, 3), elements 0, 7, 3              ->   none             no product of rows and columns: written one by one
"""

from __future__ import annotations

from math import prod

import numpy as np

from tellegen.ir.model import IntArray, whole


def selections(elements: IntArray, axes: tuple[int, ...]) -> list[str] | None:
    """What is chosen along each axis, where the elements are a product of such choices in order."""
    if not len(elements) or (len(elements) > 1 and not axes):
        return None
    columns = np.unravel_index(elements, axes) if axes else ()
    chosen = [np.array(list(dict.fromkeys(column.tolist()))) for column in columns]
    if prod(map(len, chosen)) != len(elements):
        return None
    if not np.array_equal(_product(chosen, axes), elements):
        return None
    return [_axis(values, size) for values, size in zip(chosen, axes, strict=True)]


def _product(chosen: list[IntArray], axes: tuple[int, ...]) -> IntArray:
    if not axes:
        return whole([0])
    return np.ravel_multi_index(np.ix_(*chosen), axes).ravel()


def _axis(values: IntArray, size: int) -> str:
    if len(values) == 1:
        return str(values[0])
    if np.array_equal(values, np.arange(size)):
        return ":"
    step = int(values[1] - values[0])
    first = int(values[0])
    last = int(values[-1])
    if step > 0 and np.array_equal(values, np.arange(first, last + 1, step)):
        return f"{first}:{last + 1}" if step == 1 else f"{first}:{last + 1}:{step}"
    return " ".join(str(value) for value in values.tolist())


def elements_of(texts: list[str], axes: tuple[int, ...]) -> IntArray:
    """The elements that choices along the axes mean; ValueError says what is wrong."""
    chosen = [_chosen(text, size) for text, size in zip(texts, axes, strict=True)]
    return _product(chosen, axes)


def _chosen(text: str, size: int) -> IntArray:
    if ":" in text:
        parts = [int(word) if word.strip() else None for word in text.split(":")]
        if len(parts) > 3 or any(part is not None and part < 0 for part in parts) or parts[2:] == [0]:
            raise ValueError(f"'{text}' is not a range")
        if any(part is not None and part > size for part in parts[:2]):
            raise ValueError(f"'{text}' is beyond the {size} elements")
        return np.arange(size)[slice(*parts)]
    values = whole([int(word) for word in text.split()])
    if not len(values):
        raise ValueError("an index is missing")
    if values.max() >= size:
        raise ValueError(f"element {values.max()} does not exist: there are {size}, counted from 0")
    return values
