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
        return _reopened, (self.path, self.digest)

    @property
    def location(self) -> SourceLocation:
        """For messages."""
        return SourceLocation(str(self.path), 0)

    @cached_property
    def folder(self) -> Path:
        """Its files, unpacked in the cache; found by the content, so they stay right whatever happens to the FMU."""
        target = _folder_of(self.digest)
        if not (target / DESCRIPTION).is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=target.parent) as work:
                made = Path(work) / "files"
                archive = Archive(self.path)
                if _digest_of(self.path) != self.digest:
                    raise FmuError(
                        "E523",
                        f"{self.path.name} is not the file that was read: it has been replaced since",
                        location=self.location,
                        advice="read it again with tg.read_fmu",
                    )
                archive.unpack(made)
                try:
                    os.replace(made, target)
                except OSError:  # another process was faster
                    shutil.rmtree(made, ignore_errors=True)
        return target

    @cached_property
    def resources(self) -> Path:
        """Where its files are for its own use."""
        return self.folder / "resources"

    @cached_property
    def terminals(self) -> tuple[Terminal, ...]:
        """Its connectors, where it has a file of them."""
        for name in (FILE, FILE_VERSION2):
            file = self.folder / name
            if file.is_file():
                return read_terminals(file.read_bytes(), f"{self.path.name}/{name}")
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
    """An FMU: its description is read and its files are unpacked; nothing of it is run.

    What is at this path later does not matter: it may be another FMU of the same name."""
    data = Archive(path).read(DESCRIPTION)
    file = _described(Path(path).absolute(), _digest_of(path), data)
    _ = file.folder  # unpacked
    return file


def _described(path: Path, digest: str, data: bytes) -> FmuFile:
    return FmuFile(path, digest, read_description(data, f"{path.name}/{DESCRIPTION}").with_aliases())


def _reopened(path: Path, digest: str) -> FmuFile:
    """The FMU that was read before, perhaps by another process."""
    kept = _folder_of(digest) / DESCRIPTION
    data = kept.read_bytes() if kept.is_file() else Archive(path).read(DESCRIPTION)
    file = _described(path, digest, data)
    _ = file.folder  # unpacked
    return file


def _folder_of(digest: str) -> Path:
    """Where files are unpacked."""
    base = cache_folder() or Path(tempfile.gettempdir()) / f"tellegen-fmu-{os.getuid() if os.name != 'nt' else ''}"
    return base / "fmu" / digest


def _digest_of(path: str | os.PathLike[str]) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


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
