"""The procedures of the runtime as objects of a platform: the same for all models, made once and kept on disk.

Kept ones are found by the sources of the runtime, for writing its text alone takes some tenths of a second. Where there
are none, LLVM needs most of a second for them. (Another process that makes them meanwhile starts with a third of a
second of imports, and did not end earlier.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tellegen.engine.native.machine_code import cached_object, digest_of_runtime
from tellegen.engine.runtime.entry_points import standalone_parts
from tellegen.engine.runtime.runtimes import standalone_module
from tellegen.exporters.binaries import objects
from tellegen.exporters.binaries.objects import CODE_MODEL, declarations, hidden, new_object
from tellegen.exporters.binaries.platforms import Platform
from tellegen.exporters.image.standalone import RUNTIME, Code, Standalone

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
