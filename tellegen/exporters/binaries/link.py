"""C sources and objects -> a shared library of a platform, by the wheel ziglang, or by the system's C compiler.

Zig has the libraries of all platforms inside. For Windows nothing is linked but the C runtime of the system: zig would
compile another one, which takes minutes. For Linux its plain linker does, with stub_libraries.py.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from tellegen.cache import cache_folder
from tellegen.engine.native.machine_code import cached_object
from tellegen.errors import ExportError
from tellegen.exporters.binaries.platforms import Platform, this_platform
from tellegen.exporters.binaries.stub_libraries import STUBS, stub_object
from tellegen.ir.source_location import here

_ALWAYS = ("-g0", "-fvisibility=hidden", "-ffp-contract=off")
COMMON = ("-O2", *_ALWAYS)
_BRIEF = ("-Os", *_ALWAYS)
"""For an interface, which calls others: a quarter less time of the compiler, and of the library's size."""
_ZIG = ("-fno-sanitize=all",)  # at linking too: it would compile another runtime for these checks
_SHOWN = 12  # lines of a message
_LINK: dict[str, tuple[str, ...]] = {
    ".so": ("-shared", "-fPIC", "-s", "-Wl,--gc-sections", "-lm"),
    ".dll": ("-shared", "-s", "-nostdlib", "-lucrtbase", "-lkernel32"),
    ".dylib": ("-shared", "-s"),
    ".wasm": (
        *("-s", "-nostdlib", "-Wl,--no-entry", "-Wl,--gc-sections", "-Wl,--import-symbols"),
        "-Wl,-z,stack-size=262144",
    ),
}


@dataclass(frozen=True)
class CSource:
    """A C file with the files it includes, by their names."""

    name: str
    files: Mapping[str, str]


@dataclass(frozen=True)
class Linker:
    """A C compiler that makes libraries of a platform."""

    command: tuple[str, ...]
    environment: Mapping[str, str]

    @property
    def is_zig(self) -> bool:
        """Whether it is the wheel."""
        return "ziglang" in self.command

    def run(self, arguments: Sequence[str], folder: str) -> None:
        """Run it in a folder; an ExportError with its message where it fails."""
        environment = {**os.environ, **self.environment}
        done = subprocess.run(
            [*self.command, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            lines = done.stderr.strip().splitlines()[-_SHOWN:]
            raise ExportError("E449", f"{self.command[0]} failed", details=lines)


def linker_for(platform: Platform) -> Linker:
    """Zig if it is installed, else the system's compiler for the platform itself."""
    if find_spec("ziglang") is not None:
        folder = cache_folder()
        kept = str(folder / "zig") if folder is not None else os.path.join(tempfile.gettempdir(), "tellegen-zig")
        environment = {"ZIG_GLOBAL_CACHE_DIR": kept, "ZIG_LOCAL_CACHE_DIR": kept}
        return Linker((sys.executable, "-m", "ziglang", "cc", "-target", platform.target, *_ZIG), environment)
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is not None and platform == this_platform():
        return Linker((compiler,), {})
    raise ExportError(
        "E448",
        f"there is no linker for {platform.name} on this machine",
        location=here(),
        advice="pip install 'tellegen[fmu]' installs one for all platforms",
    )


def compiled_source(source: CSource, platform: Platform) -> bytes:
    """The object of a C source, kept on disk."""
    linker = linker_for(platform)
    position = ["-fPIC"] if platform.suffix in (".so", ".dylib") else []
    flags = [*_BRIEF, *position, "-ffreestanding", "-Wall"]

    def make() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in source.files.items():
                Path(folder, name).write_text(text, encoding="utf-8")
            linker.run([*flags, "-c", source.name, "-o", "source.o"], folder)
            return Path(folder, "source.o").read_bytes()

    stamp = (linker.command[1:], version_of(linker), *flags, source.name, tuple(sorted(source.files.items())))
    return cached_object(stamp, make)


def linked(objects: Sequence[bytes], platform: Platform) -> bytes:
    """The shared library of objects."""
    linker = linker_for(platform)
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for number, content in enumerate(objects):
            names.append(f"{number}.o")
            Path(folder, names[-1]).write_bytes(content)
        library = f"model{platform.suffix}"
        if not (platform.suffix == ".so" and _link_with_stubs(linker, platform, names, folder)):
            linker.run([*COMMON, *names, *_LINK[platform.suffix], "-o", library], folder)
        return Path(folder, library).read_bytes()


def _link_with_stubs(linker: Linker, platform: Platform, names: Sequence[str], folder: str) -> bool:
    """Link for Linux without zig's C library; False where that is not zig, or something else of it is called."""
    if not linker.is_zig:
        return False
    plain = _plain(linker)
    for library in STUBS:
        Path(folder, library).write_bytes(_stub(library, plain, platform))
    flags = ("-shared", "-s", "--gc-sections", "--as-needed", "--no-undefined", "-z", "noexecstack")
    try:
        plain.run([*flags, *names, *STUBS, "-o", "model.so"], folder)
    except ExportError:
        return False
    return True


def prepare_link(platform: Platform) -> None:
    """Make what linking for a platform needs besides objects, so that it is there."""
    linker = linker_for(platform)
    if linker.is_zig and platform.suffix == ".so":
        for library in STUBS:
            _stub(library, _plain(linker), platform)


def _plain(linker: Linker) -> Linker:
    """Zig's plain linker."""
    return replace(linker, command=(*linker.command[:3], "ld.lld"))


def _stub(library: str, linker: Linker, platform: Platform) -> bytes:
    """A shared library that stands in for one of the system, kept on disk."""

    def make() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "stub.o").write_bytes(stub_object(library, platform))
            linker.run(["-shared", "-soname", library, "stub.o", "-o", library], folder)
            return Path(folder, library).read_bytes()

    return cached_object((platform.triple, library, STUBS[library], linker.command[1:], version_of(linker)), make)


def version_of(linker: Linker) -> str:
    """Which compiler it is."""
    return _asked(linker.command[:3] if linker.is_zig else linker.command)


@cache
def _asked(command: tuple[str, ...]) -> str:
    question = "version" if "ziglang" in command else "--version"
    return subprocess.run([*command, question], capture_output=True, text=True, check=False).stdout
