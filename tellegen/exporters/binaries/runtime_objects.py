"""The procedures of the runtime as objects of a platform: the same for all models, made once and kept on disk.

Kept ones are found by the sources of the runtime, for writing its text alone takes some tenths of a second. Where there
are none, LLVM needs most of a second for them, and in one process it does one thing at a time: `begun` starts another
process that makes them while the model is compiled and run.

    python -m tellegen.exporters.binaries.runtime_objects linux64 win64
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tellegen.engine.native.machine_code import cached_object, digest_of_runtime, kept_object
from tellegen.engine.runtime.entry_points import EVERY_RUN, standalone_parts
from tellegen.engine.runtime.runtimes import standalone_module
from tellegen.exporters.binaries import objects
from tellegen.exporters.binaries.objects import CODE_MODEL, declarations, hidden, new_object
from tellegen.exporters.binaries.platforms import Platform, chosen_platforms
from tellegen.exporters.image.standalone import RUNTIME, Code, Standalone

_ROOT = Path(__file__).parents[3]
_SEPARATOR = b"\n\n"

Part = tuple[Callable[..., Any], ...]
"""Procedures that are compiled together."""


@dataclass(frozen=True, eq=False)
class RuntimeObject:
    """An object, and how its functions are declared elsewhere, by their symbols."""

    content: bytes
    declared: Mapping[str, str]


def runtime_objects(exported: Standalone, platform: Platform) -> list[RuntimeObject]:
    """What a model needs of the runtime."""
    names = {name.removeprefix(RUNTIME) for name in exported.image.functions if name.startswith(RUNTIME)}
    return [_runtime_object(part, platform) for part in standalone_parts(names)]


@contextmanager
def begun(platforms: Sequence[Platform]) -> Iterator[Callable[[], None]]:
    """Make what every model needs in another process, where it is not kept; what is yielded waits for its end.

    Should it fail, this process does without it."""
    lacking = [each.name for each in platforms if kept_object(_stamp(EVERY_RUN, each)) is None]
    process = _started(lacking) if lacking else None
    try:
        yield lambda: None if process is None else _wait(process)
    finally:
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()


def _wait(process: subprocess.Popen[bytes]) -> None:
    process.wait()


def _started(names: Sequence[str]) -> subprocess.Popen[bytes] | None:
    """The process that makes objects for platforms; it looks for modules where this one has found them.

    None inside of a program that brings its Python along: that would start the program again."""
    if hasattr(sys, "frozen"):
        return None
    places = [str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    command = [sys.executable, "-P", "-m", __name__, *names]
    with suppress(OSError, ValueError):
        return subprocess.Popen(
            command,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(places)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    return None


def _runtime_object(part: Part, platform: Platform) -> RuntimeObject:
    found = cached_object(_stamp(part, platform), lambda: _made(part, platform))
    lines, _, content = found.partition(_SEPARATOR)
    declared = (line.partition(" ") for line in lines.decode().split("\n"))
    return RuntimeObject(content, {symbol: declaration for symbol, _, declaration in declared})


def _made(part: Part, platform: Platform) -> bytes:
    """The declarations, each after its symbol, and then the object."""
    module = standalone_module(part)
    code = Code(module, {name: RUNTIME + name for name in module.functions})
    lines = [f"{symbol} {declaration}" for symbol, declaration in declarations([code]).items()]
    return "\n".join(lines).encode() + _SEPARATOR + new_object(hidden(code, platform), platform)


def _stamp(part: Part, platform: Platform) -> tuple[object, ...]:
    """All that an object of the runtime depends on."""
    names = tuple(each.__name__ for each in part)
    writers = (Path(__file__).read_text("utf-8"), Path(str(objects.__file__)).read_text("utf-8"))
    return ("runtime", names, platform.triple, CODE_MODEL, digest_of_runtime(), writers)


if __name__ == "__main__":
    for each in chosen_platforms(tuple(sys.argv[1:])):
        _runtime_object(EVERY_RUN, each)
