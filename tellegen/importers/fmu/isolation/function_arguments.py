"""The arguments of functions of FMI, as far as Model Exchange needs them: what is copied from process to process.

    "SetContinuousStates": "<8@1 z"      an array of 8 bytes each, as many as argument 1 says, and that number

d, i, u, b, z           a double, an int, a 32-bit number without sign, a bool, a size
<W@N, >W@N              numbers of W bytes that are given or written, as many as argument N says; one without @N
S@N                     strings, as many as argument N says
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

_SCALARS: dict[str, Any] = {
    "d": ctypes.c_double,
    "i": ctypes.c_int,
    "u": ctypes.c_uint32,
    "b": ctypes.c_bool,
    "z": ctypes.c_size_t,
}
_STATES = {"SetContinuousStates": "<8@1 z", "GetContinuousStates": ">8@1 z", "GetEventIndicators": ">8@1 z"}
_COMMON = {
    **_STATES,
    **dict.fromkeys(("ExitInitializationMode", "EnterEventMode", "EnterContinuousTimeMode"), ""),
    "SetTime": "d",
}
_VERSION2 = {
    **_COMMON,
    "SetupExperiment": "i d d i d",
    "EnterInitializationMode": "",
    "NewDiscreteStates": ">32",
    "CompletedIntegratorStep": "i >4 >4",
    "GetDerivatives": ">8@1 z",
    "GetDirectionalDerivative": "<4@1 z <4@3 z <8@3 >8@1",
    "SetString": "<4@1 z S@1",
}
_VERSION3 = {
    **_COMMON,
    "EnterInitializationMode": "b d d b d",
    "UpdateDiscreteStates": ">1 >1 >1 >1 >1 >8",
    "CompletedIntegratorStep": "b >1 >1",
    "GetContinuousStateDerivatives": ">8@1 z",
    "GetDirectionalDerivative": "<4@1 z <4@3 z <8@5 z >8@7 z",
    "GetNumberOfVariableDependencies": "u >8",
    "GetVariableDependencies": "u >8@5 >4@5 >8@5 >4@5 z",
    "SetString": "<4@1 z S@3 z",
}
_WIDTHS2 = {"Real": 8, "Integer": 4, "Boolean": 4}
_INTEGERS = {f"{sign}Int{bits}": bits // 8 for sign in ("", "U") for bits in (8, 16, 32, 64)}
_WIDTHS3 = {"Float64": 8, "Float32": 4, "Boolean": 1, **_INTEGERS}


class _Part(NamedTuple):
    """An argument: a scalar, or what is at an address."""

    kind: str
    width: int = 0
    count_at: int | None = None

    @staticmethod
    def of(text: str) -> _Part:
        """See the top of this file."""
        if text in _SCALARS:
            return _Part(text)
        width, _, count_at = text[1:].partition("@")
        return _Part(text[0], int(width or 0), int(count_at) if count_at else None)

    def count(self, given: Sequence[Any]) -> int:
        """How many numbers it is."""
        return 1 if self.count_at is None else int(given[self.count_at])


class Arguments:
    """Of one function, after the instance."""

    def __init__(self, text: str) -> None:
        self.parts = tuple(map(_Part.of, text.split()))

    def function_type(self) -> Any:
        """What C calls."""
        types = (_SCALARS.get(part.kind, ctypes.c_void_p) for part in self.parts)
        return ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, *types)

    def copied(self, given: Sequence[Any]) -> tuple[tuple[Any, ...], list[int]]:
        """Values and contents, sizes of what is written, and the addresses where that belongs."""
        copied: list[Any] = []
        places: list[int] = []
        for part, value in zip(self.parts, given, strict=True):
            if part.kind in _SCALARS:
                copied.append(value)
            elif part.kind == "S":
                copied.append([text or b"" for text in (ctypes.c_char_p * part.count(given)).from_address(value)])
            elif part.kind == "<":
                size = part.width * part.count(given)
                copied.append(ctypes.string_at(value, size) if size else b"")
            else:
                copied.append(part.width * part.count(given))
                places.append(value or 0)
        return tuple(copied), places

    def rebuilt(self, copied: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """Arguments for the function itself, and those of them that it writes."""
        values: list[Any] = []
        results: list[Any] = []
        for part, value in zip(self.parts, copied, strict=True):
            if part.kind in _SCALARS:
                values.append(_SCALARS[part.kind](value))
            elif part.kind == "S":
                values.append((ctypes.c_char_p * len(value))(*value))
            elif part.kind == "<":
                values.append(ctypes.create_string_buffer(value, max(len(value), 1)))
            else:
                buffer = (ctypes.c_char * value)()
                values.append(buffer)
                results.append(buffer)
        return values, results


@cache
def arguments_of(prefix: str, name: str) -> Arguments:
    """Of a function by the prefix of its version and its name."""
    is_version2 = prefix == "fmi2"
    known = (_VERSION2 if is_version2 else _VERSION3).get(name)
    if known is not None:
        return Arguments(known)
    widths = _WIDTHS2 if is_version2 else _WIDTHS3
    verb, word = name[:3], name[3:]
    if verb not in ("Get", "Set") or word not in widths:
        raise AttributeError(name)
    way = "<" if verb == "Set" else ">"
    return Arguments(f"<4@1 z {way}{widths[word]}@1" if is_version2 else f"<4@1 z {way}{widths[word]}@3 z")
