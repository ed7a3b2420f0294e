"""Messages with arguments of printf, called from C as FMUs do."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from fmi.fmu_sources import compiled
from tellegen.importers.fmu.log_messages import HAS_ARGUMENTS, filled, logger

SOURCE = r"""
#include <stddef.h>
typedef void (*Logger)(void *, const char *, int, const char *, const char *, ...);
__attribute__((visibility("default"))) void talk(Logger say) {
    say(NULL, "one", 0, "info", "plain");
    say(NULL, "one", 3, "error", "%s is %g at %s: %d of %5.2f %%", "speed", 3.5, "t = 1", -7, 2.0);
    say(NULL, "one", 3, "error", "%u %ld %c %x %s %s", 4000000000u, -5000000000L, 'k', 255, "six", "seven");
    say(NULL, "one", 3, "error", "%.3s|%-6s|%06.2f|%*d", "abcdef", "ab", 3.14159, 5, 42);
}
"""


@pytest.mark.skipif(not HAS_ARGUMENTS, reason="arguments can be read on Linux for x86-64")
def test_messages_of_a_library(tmp_path: Path) -> None:
    said: list[bytes | None] = []
    callback = logger(said.append)
    library = ctypes.CDLL(str(compiled(SOURCE, tmp_path)))
    library.talk(callback)
    assert said == [
        b"plain",
        b"speed is 3.5 at t = 1: -7 of  2.00 %",
        b"4000000000 -5000000000 k ff six seven",
        b"abc|ab    |003.14|   42",
    ]


def test_a_format_with_too_many_arguments_stays() -> None:
    assert filled(b"%d and %d", iter([1]), iter([])) == b"%d and %d"
