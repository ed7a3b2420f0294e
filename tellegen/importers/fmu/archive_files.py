"""An FMU on disk: its description read, its files unpacked once for each content, its library found and loaded."""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tellegen.cache import cache_folder
from tellegen.errors import FmuError
from tellegen.fmi.archive import DESCRIPTION, Archive
from tellegen.fmi.description import CoSimulation, ModelDescription, ModelExchange
from tellegen.fmi.read_description import read_description
from tellegen.fmi.terminals import FILE, FILE_VERSION2, Terminal, read_terminals
from tellegen.ir.source_location import SourceLocation

_EXTENSIONS = {"linux": ".so", "win32": ".dll", "darwin": ".dylib"}
_SYSTEMS_2 = {"linux": "linux", "win32": "win", "darwin": "darwin"}
_SYSTEMS_3 = {"linux": "linux", "win32": "windows", "darwin": "darwin"}
_PROCESSORS = {"AMD64": "x86_64", "arm64": "aarch64"}


@dataclass(frozen=True)
class FmuFile:
    """An FMU by its path and content; pickled as these two, unless its description is that at other sizes."""

    path: Path
    digest: str
    description: ModelDescription = field(compare=False)
    is_resized: bool = field(default=False, compare=False)
    """Whether the description is not the one inside (structural_sizes.py)."""

    def __reduce__(self) -> tuple[object, ...]:
        if self.is_resized:
            return FmuFile, (self.path, self.digest, self.description, True)
        return open_fmu, (self.path,)

    @property
    def location(self) -> SourceLocation:
        """For messages."""
        return SourceLocation(str(self.path), 0)

    @cached_property
    def folder(self) -> Path:
        """Its files, unpacked in the cache; found by the content, so they stay right."""
        base = cache_folder() or Path(tempfile.gettempdir()) / f"tellegen-fmu-{os.getuid() if os.name != 'nt' else ''}"
        target = base / "fmu" / self.digest
        if not (target / DESCRIPTION).is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=target.parent) as work:
                made = Path(work) / "files"
                Archive(self.path).unpack(made)
                try:
                    os.replace(made, target)
                except OSError:  # another process was faster
                    shutil.rmtree(made, ignore_errors=True)
        return target

    @cached_property
    def terminals(self) -> tuple[Terminal, ...]:
        """Its connectors, where it has a file of them."""
        archive = Archive(self.path)
        for name in (FILE, FILE_VERSION2):
            if name in archive:
                return read_terminals(archive.read(name), f"{self.path.name}/{name}")
        return ()

    def library_path(self, interface: ModelExchange | CoSimulation) -> Path:
        """The library for this machine."""
        name = platform_folder(self.description.version)
        path = self.folder / "binaries" / name / f"{interface.identifier}{_EXTENSIONS.get(sys.platform, '.so')}"
        if path.is_file():
            return path
        binaries = self.folder / "binaries"
        offered = sorted(each.name for each in binaries.iterdir() if any(each.iterdir())) if binaries.is_dir() else []
        has = f"it has libraries for {', '.join(offered)}" if offered else "it has no libraries at all"
        raise FmuError(
            "E522",
            f"{self.path.name} has no library for this machine ({name}/{path.name}); {has}",
            location=self.location,
            advice="export it for this platform too",
        )


def platform_folder(version: str) -> str:
    """What FMI calls this machine."""
    if version == "2.0":
        return f"{_SYSTEMS_2.get(sys.platform, sys.platform)}{8 * ctypes.sizeof(ctypes.c_void_p)}"
    processor = platform.machine()
    return f"{_PROCESSORS.get(processor, processor)}-{_SYSTEMS_3.get(sys.platform, sys.platform)}"


def open_fmu(path: str | os.PathLike[str]) -> FmuFile:
    """An FMU: only its description is read."""
    archive = Archive(path)
    data = archive.read(DESCRIPTION)
    description = read_description(data, f"{Path(path).name}/{DESCRIPTION}")
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    return FmuFile(Path(path).absolute(), digest, description.with_aliases())


def load_library(file: FmuFile, interface: ModelExchange | CoSimulation) -> ctypes.CDLL:
    """The library of an FMU, in this process: its code may do anything from now on."""
    path = file.library_path(interface)
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise FmuError(
            "E523",
            f"the library of {file.path.name} cannot be loaded: {error}",
            location=file.location,
            advice="a library that it needs may be missing on this machine",
        ) from None
