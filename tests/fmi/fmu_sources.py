"""FMUs for the tests, compiled from the C files of `sources/`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tellegen.fmi.archive import write_archive
from tellegen.fmi.description import ModelDescription
from tellegen.fmi.write_description import write_description
from tellegen.importers.fmu.archive_files import platform_folder

SOURCES = Path(__file__).parent / "sources"


def built(name: str, folder: Path) -> bytes:
    """The library of a source file."""
    return compiled((SOURCES / f"{name}.c").read_text(), folder).read_bytes()


def compiled(text: str, folder: Path) -> Path:
    """The library of a text in C, by the system's compiler where there is one: zig makes a C library first."""
    source = folder / "source.c"
    source.write_text(text)
    made = folder / "source.so"
    zig = (sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=all")
    compiler = ("gcc",) if shutil.which("gcc") is not None else zig
    options = ["-shared", "-fPIC", "-O1", "-w", str(source), "-o", str(made), "-lm"]
    subprocess.run([*compiler, *options], check=True, capture_output=True)
    return made


def write_fmu(path: Path, description: ModelDescription, library: bytes, **files: bytes) -> Path:
    """An FMU with one library, of the name of its model; other files by their names with `__` for slashes."""
    extension = {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so")
    binary = f"binaries/{platform_folder(description.version)}/{description.name}.{extension}"
    others = {name.replace("__", "/"): content for name, content in files.items()}
    write_archive(path, {"modelDescription.xml": write_description(description), binary: library, **others})
    return path
