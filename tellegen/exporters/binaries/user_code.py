"""C source of the user -> an object of a platform, its functions under names of their own."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from tellegen.engine.native.machine_code import cached_object
from tellegen.errors import ExportError
from tellegen.exporters.binaries.link import COMMON, Linker, linker_for, version_of
from tellegen.exporters.binaries.platforms import BROWSER, Platform
from tellegen.exporters.image.standalone import UserSource


def user_object(source: UserSource, platform: Platform) -> bytes:
    """The object, kept on disk; the linker's C compiler makes it, with the headers of the platform."""
    library = source.library
    linker = _with_headers(linker_for(platform), platform)
    position = ["-fPIC"] if platform.suffix in (".so", ".dylib") else []
    renamed = [f"-D{name}={symbol}" for name, symbol in source.symbols]
    flags = [*COMMON, *position, *renamed, "-w", *(f"-I{folder}" for folder in library.folders)]

    def make() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "header.h").write_text(library.header, encoding="utf-8")
            Path(folder, "source.c").write_text(library.text, encoding="utf-8")
            try:
                linker.run([*flags, "-include", "header.h", "-c", "source.c", "-o", "source.o"], folder)
            except ExportError as error:
                raise ExportError(
                    "E449",
                    f"the C code of {library.name} does not compile for {platform.name}",
                    location=library.location,
                    details=error.details,
                    advice="use what the C standard library has: it is compiled for other systems too",
                ) from None
            return Path(folder, "source.o").read_bytes()

    texts = (library.header, library.text, library.included)
    return cached_object((platform.triple, linker.command[1:], version_of(linker), *flags, texts), make)


def _with_headers(linker: Linker, platform: Platform) -> Linker:
    """For browsers those of WASI: the machine is the same, and freestanding it has no headers of a C library."""
    if platform != BROWSER:
        return linker
    return replace(linker, command=tuple("wasm32-wasi" if each == platform.target else each for each in linker.command))
