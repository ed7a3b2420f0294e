"""Values of FMU variables that are not doubles, natively: floats become what the FMU stores, and back.

Integers of 8 to 64 bits, Booleans and floats of 32 bits are packed into words of 64 bits, as they stand in memory
(little-endian). Doubles take the same way, so that one function serves all types.
"""

from __future__ import annotations

from collections.abc import Callable

from tellegen.procedures.language import Address, Array, Record, bits, f64, floor, from_bits, i32, i64, procedure

FLOAT = 0
INTEGER = 1
BOOLEAN = 2
_SHORT_EXPONENT = 896  # difference of the biases of 64-bit and 32-bit floats
_SHORT_BITS = 29  # of the mantissa that 32-bit floats do not have
_SPLIT = 2.0**_SHORT_BITS + 1.0
_SHORT_TINY = 1.1754943508222875e-38
_SHORT_HUGE = 3.4028235677973366e38

Exchange = Callable[[Address, Array[i32], i64, Array[i64], i64], i32]
"""A getter or setter: references, their number, values, their number (FMI 2.0 ignores the last)."""


class TypedValue(Record):
    """A variable: its reference, how its elements are stored, and the function that reads or writes it."""

    reference: Array[i32]
    kind: i64
    is_signed: bool
    width: i64  # bits of an element
    count: i64
    exchange: Exchange


@procedure
def short_float(value: f64) -> i64:
    """The bits of the nearest 32-bit float."""
    sign = 1 << 31 if value < 0.0 else 0
    size = abs(value)
    if size != size:
        return 0x7FC00000
    if size < _SHORT_TINY:
        return sign
    if size >= _SHORT_HUGE:
        return sign | 0x7F800000
    ahead = size * _SPLIT
    rounded = bits(ahead - (ahead - size))
    return sign | (((rounded >> 52) - _SHORT_EXPONENT) << 23) | ((rounded >> _SHORT_BITS) & 0x7FFFFF)


@procedure
def long_float(short: i64) -> f64:
    """A 32-bit float as a double."""
    exponent = (short >> 23) & 255
    mantissa = short & 0x7FFFFF
    sign = -1.0 if short >> 31 != 0 else 1.0
    if exponent == 0:
        return sign * float(mantissa) * 1.401298464324817e-45
    if exponent == 255:
        return from_bits((2047 << 52) | (mantissa << _SHORT_BITS))
    return sign * from_bits(((exponent + _SHORT_EXPONENT) << 52) | (mantissa << _SHORT_BITS))


@procedure
def encoded(value: TypedValue, number: f64) -> i64:
    """An element as it is stored."""
    if value.kind == FLOAT:
        return bits(number) if value.width == 64 else short_float(number)
    if value.kind == BOOLEAN:
        return 1 if number > 0.5 else 0
    return int(floor(number + 0.5))


@procedure
def decoded(value: TypedValue, stored: i64) -> f64:
    """A stored element as a number."""
    if value.kind == FLOAT:
        return from_bits(stored) if value.width == 64 else long_float(stored)
    if value.kind == BOOLEAN:
        return 1.0 if stored != 0 else 0.0
    if value.width == 64:
        return float(stored) if value.is_signed or stored >= 0 else float(stored) + 2.0**64
    if value.is_signed and stored >> (value.width - 1) != 0:
        return float(stored - (1 << value.width))
    return float(stored)


@procedure
def set_typed(component: Address, value: TypedValue, numbers: Array[f64], room: Array[i64]) -> i64:
    """Write all elements of a variable; the status of the FMU."""
    width = value.width
    mask = -1 if width == 64 else (1 << width) - 1
    for k in range(value.count):
        at = (k * width) >> 6
        shift = (k * width) & 63
        before = 0 if shift == 0 else room[at]
        room[at] = before | ((encoded(value, numbers[k]) & mask) << shift)
    return int(value.exchange(component, value.reference, 1, room, value.count))


@procedure
def get_typed(component: Address, value: TypedValue, numbers: Array[f64], room: Array[i64]) -> i64:
    """Read all elements of a variable; the status of the FMU."""
    width = value.width
    mask = -1 if width == 64 else (1 << width) - 1
    status = int(value.exchange(component, value.reference, 1, room, value.count))
    for k in range(value.count):
        numbers[k] = decoded(value, (room[(k * width) >> 6] >> ((k * width) & 63)) & mask)
    return status
