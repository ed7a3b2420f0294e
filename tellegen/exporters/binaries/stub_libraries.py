"""Stand-ins for the C library of Linux, to link with: the names that exported models call, and nothing else.

A linker has to know which library has `pow`. Zig would compile the start of a C library to find out, six seconds of
work when its cache is empty; these say the same in ten milliseconds. Nothing of them gets into a model.
"""

from __future__ import annotations

from tellegen.exporters.binaries.objects import visible_object
from tellegen.exporters.binaries.platforms import Platform
from tellegen.ir.program import Module

STUBS: dict[str, tuple[str, ...]] = {
    "libm.so.6": (
        *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
        *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "pow", "sqrt", "cbrt", "hypot", "atan2"),
        *("floor", "ceil", "trunc", "round", "rint", "fmod", "fma", "fmin", "fmax", "fabs", "erf", "erfc"),
    ),
    "libc.so.6": (
        *("malloc", "free", "memcpy", "memmove", "memset", "memcmp", "strcmp"),
        *("socketpair", "fcntl", "fork", "dup2", "execv", "_exit", "close", "send", "recv", "waitpid", "getpid"),
        *("access", "usleep", "getenv"),
    ),
}
"""Names by library."""


def stub_object(library: str, platform: Platform) -> bytes:
    """An object that has the names of a library."""
    names = STUBS[library]
    text = "\n".join(f"define void @{name}() {{ ret void }}" for name in names)
    return visible_object(Module(text, 0, names), platform)
