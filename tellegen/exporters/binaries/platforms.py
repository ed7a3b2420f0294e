"""The platforms that binaries are made for: what LLVM, the linker and FMI call them."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass

from tellegen.errors import ExportError, nearest
from tellegen.ir.source_location import here


@dataclass(frozen=True)
class Platform:
    """A platform. `version2` and `version3` are the folders of FMI for its libraries."""

    name: str
    triple: str
    target: str
    """As zig calls it; for Linux with the oldest C library it is to run with."""
    version2: str
    version3: str
    suffix: str


PLATFORMS = {
    each.name: each
    for each in (
        Platform("linux64", "x86_64-unknown-linux-gnu", "x86_64-linux-gnu.2.17", "linux64", "x86_64-linux", ".so"),
        Platform(
            *("linux-aarch64", "aarch64-unknown-linux-gnu", "aarch64-linux-gnu.2.17"),
            *("linux-aarch64", "aarch64-linux", ".so"),
        ),
        Platform("win64", "x86_64-pc-windows-gnu", "x86_64-windows-gnu", "win64", "x86_64-windows", ".dll"),
        Platform("darwin64", "x86_64-apple-macosx11.0", "x86_64-macos.11.0", "darwin64", "x86_64-darwin", ".dylib"),
        Platform(
            *("darwin-aarch64", "arm64-apple-macosx11.0", "aarch64-macos.11.0"),
            *("darwin-aarch64", "aarch64-darwin", ".dylib"),
        ),
    )
}

BROWSER = Platform("wasm32", "wasm32-unknown-unknown", "wasm32-freestanding", "", "", ".wasm")
"""WebAssembly, which is not a platform of FMI. Its addresses have 32 bits."""


def this_platform() -> Platform | None:
    """The platform that Python runs on, if it is one of them."""
    system = {"linux": "linux", "win32": "win", "darwin": "darwin"}.get(sys.platform, "")
    arm = platform.machine().lower() in ("aarch64", "arm64")
    return PLATFORMS.get(f"{system}-aarch64" if arm else f"{system}64")


def chosen_platforms(names: str | tuple[str, ...] | list[str] | None) -> tuple[Platform, ...]:
    """The platforms of these names; "all" of them, or without a name the one that Python runs on."""
    if names == "all":
        return tuple(PLATFORMS.values())
    if names is None:
        own = this_platform()
        if own is None:
            raise ExportError(
                "E447",
                f"there are no binaries for this platform, {sys.platform} on {platform.machine()}",
                location=here(),
                advice=f"name the platforms to export for: {', '.join(PLATFORMS)}",
            )
        return (own,)
    found = []
    for name in (names,) if isinstance(names, str) else names:
        if name not in PLATFORMS:
            raise ExportError(
                "E447",
                f"'{name}' is not a platform that binaries are made for",
                location=here(),
                advice=nearest(name, PLATFORMS) or f"'all', or one of {', '.join(PLATFORMS)}",
            )
        found.append(PLATFORMS[name])
    if not found:
        raise ExportError(
            "E447",
            "no platform is named, and without a library for one nothing of a model can run",
            location=here(),
            advice="omit `platforms` for this machine's, or name some: 'all', 'linux64', ...",
        )
    return tuple(dict.fromkeys(found))
