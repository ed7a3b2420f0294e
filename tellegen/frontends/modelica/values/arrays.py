"""Arrays of values: building, element-wise application, fields of records, selection and assignment of parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from sys import getrefcount

import numpy as np

from tellegen.frontends.modelica.values.entity import Subscript
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.scalars import choose
from tellegen.frontends.modelica.values.value import RecordValue, Scalar, Value, describe


def shape_of(value: Value) -> tuple[int, ...]:
    """The sizes of the dimensions, () of a scalar."""
    return value.shape if isinstance(value, np.ndarray) else ()


def filled(shape: Sequence[int], value: Value) -> np.ndarray:
    """An array with the same value everywhere; of an array as value one of higher rank."""
    out = np.empty((*shape, *shape_of(value)), dtype=object)
    out[...] = value if isinstance(value, np.ndarray) else boxed(value)
    return out


def boxed(value: Scalar) -> np.ndarray:
    """A scalar as an array of rank 0, which NumPy does not look into."""
    out = np.empty((), dtype=object)
    out[()] = value
    return out


def stack(values: Sequence[Value]) -> np.ndarray:
    """{v1, v2, ...}: one more dimension in front."""
    if not values:
        return np.empty(0, dtype=object)
    shape = shape_of(values[0])
    for value in values[1:]:
        if shape_of(value) != shape:
            raise EvaluationError(
                "E567", f"elements of one array differ in size: {list(shape)} and {list(shape_of(value))}"
            )
    out = np.empty((len(values), *shape), dtype=object)
    for position, value in enumerate(values):
        out[position] = value
    return out


def joined(values: Sequence[Value], axis: int) -> np.ndarray:
    """cat: arrays of one rank one after the other along a dimension."""
    arrays = [value if isinstance(value, np.ndarray) else boxed(value) for value in values]
    rank = arrays[0].ndim
    if any(array.ndim != rank for array in arrays) or axis >= rank:
        sizes = ", ".join(str(list(array.shape)) for array in arrays)
        raise EvaluationError("E567", f"arrays of sizes {sizes} cannot be joined along dimension {axis + 1}")
    try:
        return np.concatenate(arrays, axis=axis)
    except ValueError:
        sizes = " and ".join(str(list(array.shape)) for array in arrays)
        raise EvaluationError("E567", f"sizes do not fit along dimension {axis + 1}: {sizes}") from None


def elementwise(function: Callable[..., Scalar], *values: Value) -> Value:
    """A function of scalars applied to each element; scalars meet every element, sizes have to be equal."""
    shape: tuple[int, ...] | None = None
    for value in values:
        if isinstance(value, np.ndarray):
            if shape is not None and value.shape != shape:
                raise EvaluationError("E567", f"sizes {list(shape)} and {list(value.shape)} do not fit together")
            shape = value.shape
    if shape is None:
        return function(*values)
    apply = np.frompyfunc(function, len(values), 1)
    return apply(*(value if isinstance(value, np.ndarray) else boxed(value) for value in values))


def mapped(function: Callable[[Scalar], Scalar], value: Value) -> Value:
    """A function applied to every scalar of a value, also inside records."""
    if isinstance(value, np.ndarray):
        out = np.empty(value.shape, dtype=object)
        for position in np.ndindex(*value.shape):
            out[position] = mapped(function, value[position])
        return out
    if isinstance(value, RecordValue):
        return RecordValue(value.view, {name: mapped(function, part) for name, part in value.fields.items()})
    return function(value)


def where(condition: Scalar, yes: Value, no: Value) -> Value:
    """yes where a scalar condition holds, else no: arrays and records part by part."""
    if isinstance(condition, bool):
        return yes if condition else no
    if isinstance(yes, np.ndarray) or isinstance(no, np.ndarray):
        if shape_of(yes) != shape_of(no):
            raise EvaluationError(
                "E567",
                f"the branches of a condition that varies differ in size: {describe(yes)} and {describe(no)}",
            )
        return elementwise(lambda a, b: where(condition, a, b), yes, no)  # type: ignore[arg-type, return-value]
    if isinstance(yes, RecordValue) and isinstance(no, RecordValue):
        names = {**yes.fields, **no.fields}
        fields = {
            name: where(condition, yes.fields[name], no.fields[name])
            for name in names
            if name in yes.fields and name in no.fields
        }
        return RecordValue(yes.view, fields)
    if isinstance(yes, RecordValue) or isinstance(no, RecordValue):
        raise EvaluationError("E566", f"the branches of a condition differ: {describe(yes)} and {describe(no)}")
    return choose(condition, yes, no)


def field_of(value: Value, name: str) -> Value:
    """A field of a record; of an array of records the array of these fields."""
    if isinstance(value, RecordValue):
        if name not in value.fields:
            known = ", ".join(value.fields)
            raise EvaluationError("E576", f"{value.type_name} has no field '{name}'", f"it has: {known}")
        return value.fields[name]
    if isinstance(value, np.ndarray):
        parts = [field_of(element, name) for element in value.flat]
        return stack(parts).reshape(value.shape + (shape_of(parts[0]) if parts else ()))
    raise EvaluationError("E576", f"{describe(value)} has no field '{name}'")


def select(array: Value, subscripts: tuple[Subscript, ...]) -> Value:
    """array[subscripts] with positions from 0; lists select along their own dimension each."""
    if not isinstance(array, np.ndarray):
        raise EvaluationError("E567", f"subscripts need an array, not {describe(array)}")
    check_positions(array.shape, subscripts)
    if sum(isinstance(position, list) for position in subscripts) <= 1:
        return array[subscripts]
    return array[outer_positions(array.shape, subscripts)].reshape(selected_shape(array.shape, subscripts))


def selected_shape(shape: tuple[int, ...], subscripts: tuple[Subscript, ...]) -> tuple[int, ...]:
    """The sizes of what subscripts select."""
    sizes: list[int] = []
    for size, position in zip(shape, subscripts, strict=False):
        if isinstance(position, list):
            sizes.append(len(position))
        elif isinstance(position, slice):
            sizes.append(size)
    return (*sizes, *shape[len(subscripts) :])


def outer_positions(shape: tuple[int, ...], subscripts: tuple[Subscript, ...]) -> tuple[np.ndarray, ...]:
    """Positions as an open mesh, so that lists of several dimensions do not run in parallel."""
    lists = [
        list(range(size)) if isinstance(position, slice) else position if isinstance(position, list) else [position]
        for size, position in zip(shape, subscripts, strict=False)
    ]
    return np.ix_(*(np.asarray(positions, dtype=int) for positions in lists))


def check_positions(shape: tuple[int, ...], subscripts: tuple[Subscript, ...]) -> None:
    """Raise where a subscript is outside its dimension, or there are too many."""
    if len(subscripts) > len(shape):
        raise EvaluationError("E567", f"{len(subscripts)} subscripts for an array with {len(shape)} dimensions")
    for dimension, (size, position) in enumerate(zip(shape, subscripts, strict=False)):
        if isinstance(position, slice):
            continue
        for one in position if isinstance(position, list) else [position]:
            if not 0 <= one < size:
                raise EvaluationError("E568", f"subscript {one + 1} is outside 1:{size} in dimension {dimension + 1}")


def held_once(values: dict[str, Value], name: str) -> bool:
    """Whether a value is referred to by this table alone: nobody sees if it is changed."""
    return name in values and getrefcount(values[name]) == _REFERENCES_OF_ONE


_TABLE: dict[str, Value] = {"": np.empty(0, dtype=object)}
_REFERENCES_OF_ONE = getrefcount(_TABLE[""])


def put_element(array: np.ndarray, at: tuple[int, ...], value: Scalar) -> None:
    """Assign to one element, given by all its positions."""
    check_positions(array.shape, at)
    array[at] = value


def replaced(array: Value, subscripts: tuple[Subscript, ...], value: Value) -> np.ndarray:
    """The array with other values at these positions."""
    if not isinstance(array, np.ndarray):
        raise EvaluationError("E567", f"subscripts need an array, not {describe(array)}")
    check_positions(array.shape, subscripts)
    wanted = selected_shape(array.shape, subscripts)
    if shape_of(value) != wanted:
        raise EvaluationError("E567", f"a value of size {list(shape_of(value))} for elements of size {list(wanted)}")
    out = array.copy()
    rest = tuple(slice(None) for _ in array.shape[len(subscripts) :])
    mesh = outer_positions(array.shape, (*subscripts, *rest))
    out[mesh] = value.reshape(out[mesh].shape) if isinstance(value, np.ndarray) else boxed(value)
    return out
