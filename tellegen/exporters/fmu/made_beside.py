"""The functions of FMI, in C, which libraries of FMUs have besides the model.

They are the same for all models. Where they are not kept from before, the C compiler is a process of its own, which
begins before the model itself is compiled and run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files

from tellegen.exporters.binaries.link import CSource, compiled_source, prepare_link
from tellegen.exporters.binaries.platforms import Platform
from tellegen.exporters.fmu.python_functions import interface_text, recorded_interpreter
from tellegen.exporters.image.standalone import PythonFunction
from tellegen.exporters.sources.c_files import LIBRARY


@dataclass(frozen=True, eq=False)
class Beside:
    """What is under way."""

    source: CSource
    objects: dict[Platform, Future[bytes]]

    def interface(self, source: CSource, platform: Platform) -> bytes:
        """The object of the functions of FMI; where the model calls Python they are others than those begun with."""
        return self.objects[platform].result() if source == self.source else compiled_source(source, platform)


@contextmanager
def begun_beside(version: str, platforms: Sequence[Platform]) -> Iterator[Beside]:
    """Begin with what FMUs of a version need for platforms."""
    source = interface_source(version)
    pool = ThreadPoolExecutor(1)
    try:
        yield Beside(source, {each: pool.submit(_interface, source, each) for each in platforms})
    finally:
        pool.shutdown(cancel_futures=True)


def _interface(source: CSource, platform: Platform) -> bytes:
    content = compiled_source(source, platform)
    prepare_link(platform)
    return content


def interface_source(version: str, python: Sequence[PythonFunction] = ()) -> CSource:
    """The C files of the functions of FMI."""
    face = "fmi3.c" if version == "3.0" else "fmi2.c"
    included = ("model.h", "model.c", *(("python.c",) if python else ()), face)
    whole = "".join(f'#include "{name}"\n' for name in included[1:])
    if python:
        whole = recorded_interpreter() + whole + interface_text(python)
    return CSource(LIBRARY, {LIBRARY: whole, **{name: text for name, text in c_sources().items() if name in included}})


def c_sources() -> dict[str, str]:
    """The C files of the interface, by name."""
    folder = files("tellegen.exporters.fmu") / "c"
    return {name: (folder / name).read_text("utf-8") for name in ("model.h", "model.c", "python.c", "fmi2.c", "fmi3.c")}
