"""Messages of FMI 2.0 FMUs, which come as a format of C's printf and its arguments.

A function with variable arguments finds them where the calling convention puts them: on Linux for x86-64 integers and
addresses in the sixth register for integers and then on the stack, floats in the registers for floats. The logger
therefore is a function of that many fixed arguments. Elsewhere the format is shown as it is.
"""

from __future__ import annotations

import ctypes
import platform
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

_WORDS = 7  # arguments that are integers or addresses: one in a register, the others on the stack
_FLOATS = 8  # in registers
_FORMAT = re.compile(r"%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+))?(hh|h|ll|l|z|t|j|L)?([diuoxXcsfFeEgGpaA%])")
HAS_ARGUMENTS = sys.platform == "linux" and platform.machine() == "x86_64"
"""Whether arguments of messages can be read here."""

_FIXED = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)
_VARIABLE = (*[ctypes.c_uint64] * _WORDS, *[ctypes.c_double] * _FLOATS) if HAS_ARGUMENTS else ()
LOGGER = ctypes.CFUNCTYPE(None, *_FIXED, *_VARIABLE)


def logger(take: Callable[[bytes | None], None]) -> Any:
    """A logger of FMI 2.0 that hands on messages with their arguments filled in."""

    def log(_environment: Any, _name: Any, _status: int, _category: Any, message: bytes | None, *given: Any) -> None:
        if message is not None and HAS_ARGUMENTS:
            message = filled(message, iter(given[:_WORDS]), iter(given[_WORDS:]))
        take(message)

    return LOGGER(log)


def filled(message: bytes, words: Iterator[int], floats: Iterator[float]) -> bytes:
    """A format with its arguments, as printf prints them; a format with too many of them stays as it is."""
    text = message.decode("utf-8", "replace")
    try:
        return _FORMAT.sub(lambda match: _shown(match, words, floats), text).encode("utf-8")
    except StopIteration:
        return message


def _shown(match: re.Match[str], words: Iterator[int], floats: Iterator[float]) -> str:
    flags, width, precision, size, kind = match.groups()
    if kind == "%":
        return "%"
    if width == "*":
        width = str(_signed(next(words), 32))
    if precision == "*":
        precision = str(_signed(next(words), 32))
    layout = f"%{flags}{width or ''}{'' if precision is None else '.' + precision}"
    if kind in "fFeEgGaA":
        return f"{layout}{'g' if kind in 'aA' else kind}" % next(floats)
    word = next(words)
    if kind == "s":
        found = ctypes.string_at(word) if word else b"(null)"
        return f"{layout}s" % found.decode("utf-8", "replace")
    if kind == "p":
        return hex(word)
    bits = 64 if size in ("l", "ll", "z", "t", "j") else 32
    if kind == "c":
        return chr(word & 255)
    number = _signed(word, bits) if kind in "di" else word % 2**bits
    return f"{layout}{'d' if kind in 'diu' else kind}" % number


def _signed(word: int, bits: int) -> int:
    value = word % 2**bits
    return value - 2**bits if value >> (bits - 1) else value
